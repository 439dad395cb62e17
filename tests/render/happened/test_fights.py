"""Battles read from the events of games with odds as from Holdfast's, and what their tags say."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.render.draw.room import Area, around, overlap
from services.render.happened.fights import battles
from services.render.happened.losses import losses
from services.render.happened.tags import _clear, _place, tag_lines
from tests.render.boards import view


def battle(label: str, at: str, **more: object) -> dict[str, object]:
    return {"kind": "battle", "data": {"label": label, "hex": at, "attackers": [], "defender": {"unit": "D"}, **more}}


def test_odds_and_result_come_with_the_battle_or_after_it() -> None:
    events = [
        battle("A1", "0101", odds="3-1"),
        battle("A2", "0201"),
        {"kind": "odds", "data": {"label": "A2", "attack": 12, "defence": 8, "column": "1-1"}},
        {"kind": "result", "data": {"label": "A1", "result": "DR2"}},
        {"kind": "result", "data": {"label": "A2", "result": "Exch"}},
    ]
    first, second = battles(view([], events).events)
    assert (first.score, second.score) == ("3-1 DR2", "1-1 Exch")


def test_hits_are_told_as_dealt_and_taken() -> None:
    hits = {"kind": "hits", "data": {"label": "A1", "on": "defender", "units": [{"unit": "D", "hits": 2}, {"unit": "E", "hits": 1}]}}
    (one,) = battles(view([], [battle("A1", "0101"), hits]).events)
    assert one.score == "3:0"
    (untold,) = battles(view([], [battle("A1", "0101")]).events)
    assert untold.score == ""


def test_a_tag_tells_the_battles_of_its_hex_then_what_was_lost_in_it() -> None:
    gone = [{"kind": "eliminated", "data": {"hex": "0101", "unit": name}} for name in ("ONE", "TWO")]
    seen = view([], [battle("A1", "0101", odds="2-1", result="DE"), *gone, battle("A2", "0201")])
    lines = tag_lines(battles(seen.events), losses(seen.events))
    assert lines[Hex(1, 1)] == [("battle", "A1 2-1 DE"), ("lost", "ONE"), ("lost", "TWO")]
    assert lines[Hex(2, 1)] == [("battle", "A2")]


def test_a_long_tag_counts_what_it_leaves_out() -> None:
    lines = tag_lines([], [(Hex(1, 1), f"U{k}") for k in range(9)])[Hex(1, 1)]
    assert lines == [("lost", "U0"), ("lost", "U1"), ("lost", "U2"), ("lost", "U3"), ("lost", "and 5 more")]


def test_a_tag_stands_where_the_line_to_its_hex_crosses_no_name() -> None:
    """Counters to the left, right and below, a name above: the tag goes to a corner, not beyond the name."""
    counters = [around((100 + dx, 200 + dy), 60, 60) for dx, dy in ((0, 0), (-60, 0), (60, 0), (0, 60))]
    name: Area = (60, 140, 140, 160)
    tag = _place((100, 200), (50, 20), 40, [*counters, name], (400, 400))
    assert not any(overlap(tag, other) for other in [*counters, name])
    assert _clear((100, 200), tag, 40, [*counters, name])
    assert not _clear((100, 200), (75, 100, 125, 120), 40, [*counters, name])
