"""Before and after, and the animation of a turn."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from scenarios.hexes import parse_hex
from services.render.animation import render_animation
from services.render.compare import render_compare
from services.render.happened.steps import steps
from services.render.turn_map import Framing
from tests.render.boards import block, holdfast, moved, own, small_game, view

HITS: dict[str, Any] = {"kind": "hits", "data": {"label": "A1", "on": "defender", "units": [{"unit": "9AUS", "hits": 3}]}}
EVENTS: list[dict[str, Any]] = [
    {"kind": "arrived", "data": {"side": "axis", "alias": "G2", "place": "0210"}},
    moved("axis", "G1", "1404", "1504", "1604"),
    {"kind": "battle", "data": {"label": "A1", "hex": "1703", "attackers": [{"alias": "G1", "from": "1604"}], "defender": {"alias": "V4"}}},
    HITS,
    {"kind": "eliminated", "data": {"unit": "9AUS", "alias": "V4", "hex": "1703", "to": "box:pool-allied"}},
    moved("axis", "G1", "1604", "1703"),
]
BEFORE = view([own("21PZ", "1404", alias="G1"), block("V4", "1703")])
AFTER = view([own("21PZ", "1703", alias="G1"), own("ARIETE", "0210", alias="G2")], EVENTS)


def opened(data: bytes) -> tuple[Image.Image, int]:
    picture = Image.open(BytesIO(data))
    return picture, int(getattr(picture, "n_frames", 1))


def test_a_turn_is_taken_apart_as_its_events_tell_it() -> None:
    walk, fight, loss, last = steps(BEFORE, AFTER)
    assert [(one.id, path) for one, path in walk.walks] == [("21PZ", tuple(map(parse_hex, ("1404", "1504", "1604"))))]
    assert [(one.alias, one.place) for one in walk.seen.counters] == [("G1", "1404"), ("V4", "1703"), ("G2", "0210")]
    assert fight.flash == (parse_hex("1703"),)
    assert [(one.alias, one.place) for one in fight.seen.counters] == [("G1", "1604"), ("V4", "1703"), ("G2", "0210")]
    assert [one.alias for one in loss.gone] == ["V4"]
    assert [one.alias for one in last.seen.counters] == ["G1", "G2"]


def test_a_counter_that_leaves_the_map_goes_and_one_that_advances_without_a_path_walks() -> None:
    there = [own("21PZ", "1404", alias="G1"), own("ARIETE", "1010", alias="G2")]
    events = [
        {"kind": "advanced", "data": {"side": "axis", "units": ["21PZ"], "hex": "1504", "moves": [{"unit": "21PZ", "from": "1404"}]}},
        {"kind": "exited", "data": {"unit": "ARIETE", "hex": "1010"}},
        moved("axis", "G1", "1504", "1604"),
    ]
    first, last = steps(view(there), view([], events))
    assert [tuple(map(str, path)) for _, path in first.walks] == [("1404", "1504")]
    assert [one.alias for one in last.seen.counters] == ["G1"]


def test_the_turn_is_that_of_the_event() -> None:
    events = [{**moved("axis", "G1", "1404", "1504"), "path": [["turn", 3], ["step", "action"]]}, moved("axis", "G1", "1504", "1604")]
    after = view([own("21PZ", "1604", alias="G1")], events, turn=4)
    assert [one.seen.turn for one in steps(view([own("21PZ", "1404", alias="G1")], turn=2), after)] == [3, 3]


def test_an_enemy_move_that_the_viewer_is_not_told_of_is_not_shown() -> None:
    """V4 stands elsewhere afterwards; no event of this viewer says how it came there, so it keeps still till the last frame."""
    after = view([own("21PZ", "1604", alias="G1"), block("V4", "2005")], [moved("axis", "G1", "1404", "1504", "1604")])
    (walk,) = steps(BEFORE, after)
    assert [one.place for one in walk.seen.counters if one.alias == "V4"] == ["1703"]


@pytest.mark.parametrize("form", ["webp", "gif"])
def test_an_animation_has_the_size_asked_for_moves_and_is_the_same_each_time(form: Any) -> None:
    made = render_animation(holdfast(), BEFORE, AFTER, form=form, scale=400)
    picture, count = opened(made)
    assert picture.format == form.upper()
    assert picture.width == 400
    assert 8 <= count <= 60
    assert render_animation(holdfast(), BEFORE, AFTER, form=form, scale=400) == made


def test_it_begins_with_the_position_before_and_ends_with_the_map_of_the_turn() -> None:
    picture, count = opened(render_animation(holdfast(), BEFORE, AFTER, form="gif", scale=400))
    picture.seek(count - 1)
    last = picture.convert("RGB")
    alone, one = opened(render_animation(holdfast(), BEFORE, AFTER, form="gif", scale=400, limit=1))
    assert one == 1
    assert alone.convert("RGB").tobytes() == last.tobytes()
    still, _ = opened(render_animation(holdfast(), BEFORE, view(AFTER.counters and [], []), form="gif", scale=400))
    picture.seek(0)
    assert picture.convert("RGB").tobytes() != last.tobytes()
    assert still.size == picture.size


def test_a_limit_costs_frames() -> None:
    whole = render_animation(holdfast(), BEFORE, AFTER, form="gif", scale=400)
    less = render_animation(holdfast(), BEFORE, AFTER, form="gif", scale=400, limit=len(whole) - 1)
    assert opened(render_animation(holdfast(), BEFORE, AFTER, form="gif", scale=400, most=5))[1] <= 5 < opened(whole)[1]
    assert len(less) < len(whole)
    assert 1 < opened(less)[1] < opened(whole)[1]


def test_a_turn_of_hundreds_of_events_stays_within_its_frames_and_keeps_its_battles() -> None:
    many = [moved("axis", "G1", *(("1404", "1504") if k % 2 else ("1504", "1404"))) for k in range(200)]
    data = render_animation(
        small_game(), view([own("21PZ", "0305", alias="G1")]), view([own("21PZ", "0305", alias="G1")], [*many, EVENTS[2]]), scale=400
    )
    assert opened(data)[1] <= 60


def test_before_and_after_stand_side_by_side() -> None:
    picture = Image.open(BytesIO(render_compare(holdfast(), BEFORE, AFTER, scale=800)))
    assert picture.width == 800
    assert picture.height == 298
    halves = [picture.convert("RGB").crop((x, 0, x + 397, 250)) for x in (0, 403)]
    assert halves[0].tobytes() != halves[1].tobytes()
    quiet = view(list(map(dict, [own("21PZ", "1404", alias="G1"), block("V4", "1703")])))
    same = Image.open(
        BytesIO(render_compare(holdfast(), BEFORE, quiet, scale=800, framing=Framing((parse_hex("1201"), parse_hex("2007")))))
    )
    half = (same.width - 4) // 2
    left, right = (same.convert("RGB").crop((x, 0, x + half, 300)) for x in (0, half + 4))
    assert left.tobytes() == right.tobytes()


def test_a_counter_that_waited_off_the_map_arrives_and_one_that_drops_off_stays_behind() -> None:
    """As Beda Fomm has it: what waits is a counter of the view, at the edge."""
    waiting = [own(unit, "edge:off") for unit in ("21PZ", "ARIETE")]
    events = [{"kind": "arrived", "data": {"side": "axis", "unit": unit, "hex": "1404"}} for unit in ("21PZ", "ARIETE")]
    way = {"side": "axis", "units": ["21PZ", "ARIETE"], "path": ["1404", "1504", "1604"], "drop": {"unit": "ARIETE", "hex": "1504"}}
    back = {"side": "axis", "unit": "21PZ", "path": ["1604", "1704"], "exit": True}
    told = [*events, {"kind": "moved", "data": way}, {"kind": "retreated", "data": back}, moved("axis", "ARIETE", "1504", "1404")]
    walk, retreat, last = steps(view(waiting), view([], told))
    assert {one.id: [str(at) for at in path] for one, path in walk.walks} == {"21PZ": way["path"], "ARIETE": ["1404", "1504"]}
    assert {one.id: one.place for one in retreat.seen.counters} == {"21PZ": "1604", "ARIETE": "1504"}
    assert [one.id for one in last.seen.counters] == ["ARIETE"]
