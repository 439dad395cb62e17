"""Where a game-turn ends within what a packet led to: a page tells its own game-turn, and the one that has begun has a page too."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.worker.site.sites import Site
from worker.canonical import Json, decode
from worker.desk.archive import turn_of
from worker.desk.selfplay import play_into
from worker.local import local_rules
from worker.site import reading
from worker.site.campaign import Kept, game_turns
from worker.site.parting import parted

pytestmark = pytest.mark.timeout(180)


def counter(place: str, **num: int) -> Json:
    return {"side": "axis", "card": "A", "place": place, "face": "", "parts": [], "marks": ["moved"], "num": num}


def event(kind: str, at: int, *changes: Json, **data: Json) -> Json:
    return {"kind": kind, "path": [["turn", at], ["step", "end"]], "changes": list(changes), "data": data}


BEFORE = {"path": [["turn", 2], ["step", "action"]], "counters": {"A": counter("0101", sp=3)}, "own": {"month": "May", "rp": {"axis": 4}}}
EVENTS = [
    event("moved", 2, ["place", "A", "0202"], ["num", "A", "sp", 2]),
    event("marks_off", 2, ["mark", "A", "moved", False]),
    event("turn_record", 2, ["own", ["month"], "June"], turn=3),
    event("rp", 3, ["own", ["rp", "axis"], 9]),
]
AFTER = {
    "path": [["turn", 3], ["step", "build"]],
    "counters": {"A": counter("0202", sp=2) | {"marks": []}},
    "own": {"month": "June", "rp": {"axis": 9}},
    "pending": [{"id": "axis-2"}],
}


def test_the_position_between_has_what_was_changed_before_and_nothing_of_what_came_after() -> None:
    (turn, told, between), (following, begun, last) = parted(2, BEFORE, EVENTS, AFTER)
    assert (turn, following) == (2, 3)
    assert [one["kind"] for one in told] == ["moved", "marks_off", "turn_record"]
    assert [one["kind"] for one in begun] == ["rp"]
    assert between["counters"] == AFTER["counters"]
    assert between["own"] == {"month": "May", "rp": {"axis": 4}}
    assert between["pending"] == []
    assert turn_of(between) == 2
    assert last == AFTER


@pytest.mark.parametrize("spoil", [lambda state: state["own"].update(month="July"), lambda state: state["counters"].clear()])
def test_what_the_changes_do_not_make_is_not_parted(spoil: Callable[[Json], None]) -> None:
    after: Json = AFTER | {"own": dict(AFTER["own"]), "counters": dict(AFTER["counters"])}
    spoil(after)
    assert parted(2, BEFORE, EVENTS, after) == [(2, EVENTS, after)]


def test_a_game_turn_that_has_just_begun_is_there_though_nothing_happened_in_it() -> None:
    after = AFTER | {"own": {"month": "June", "rp": {"axis": 4}}}
    turns = game_turns([Kept(0, BEFORE, [], "a"), Kept(1, after, EVENTS[:3], "b", "axis", ("DONE",))])
    assert [(one.number, one.done, len(one.events), len(one.orders)) for one in turns] == [(2, True, 3, 1), (3, False, 0, 0)]


def test_every_game_turn_begins_where_the_one_before_it_ended_and_ends_in_its_own(tmp_path: Path) -> None:
    rules = local_rules()
    for scenario in ("holdfast/campaign-2", "beda-fomm/historical"):
        folder = tmp_path / scenario.partition("/")[0]
        play_into(folder, scenario, "07", (), 2, maps=False)
        turns = reading.of_folder(folder).turns
        assert turns[-1].number == 3
        assert not turns[-1].done
        for one, following in pairwise(turns):
            assert one.after == following.before
            assert rules.view(one.after, None, one.events)["turn"] == one.number
            assert {number for happened in one.events for name, number in happened["path"] if name == "turn"} <= {one.number}
        outcomes = [decode(path.read_bytes()) for path in sorted((folder / "outcomes").iterdir())]
        assert [happened["kind"] for one in turns for happened in one.events] == [
            happened["kind"] for outcome in outcomes for happened in outcome["events"]
        ]


def test_a_page_shows_its_own_turn_and_the_overview_the_one_that_is_played(over: Site, running: tuple[Site, Site]) -> None:
    assert [leaf.told.view["turn"] for leaf in over.book.leaves] == [1, 2, 3, 4]
    ended = over.book.leaves[1].told
    assert (ended.view["phasing"], ended.view["waiting_for"], ended.words["awaited"]) == (None, [], "")
    site = running[0]
    assert site.book.last.told.turn.number == turn_of(site.campaign.turns[-1].after)
    assert site.book.last.told.words["awaited"]
    assert f"awaited: {site.book.last.told.words['awaited']}" in site.page("index.html")
