"""What each kind of event leaves on the map, and where."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from scenarios.hexes import parse_hex
from services.render import turn_map
from services.render.happened.kinds import KINDS, Flag, Loss, Shot, Sign
from services.render.happened.plans import with_plans
from services.render.style import style_sheet
from services.render.turn_map import Framing, render_map
from services.render.views import View
from tests.render.boards import block, holdfast, own, view

SCALE = 800
BARE = Framing(panel=False)


def picture(seen: View, *, planned: bool = False) -> Image.Image:
    framing = Framing(panel=False, planned=planned)
    return Image.open(BytesIO(render_map(holdfast(), seen, scale=SCALE, framing=framing))).convert("RGB")


def differs(one: Image.Image, other: Image.Image, label: str, reach: float = 0.9) -> bool:
    """Whether two maps differ in a hex."""
    sheet = style_sheet("holdfast", "light")
    lattice = turn_map.base_of(holdfast(), view([]), sheet, SCALE, BARE).layout.lattice
    x, y = lattice.centre(parse_hex(label))
    r = round(lattice.radius * reach)
    box = (x - r, y - r, x + r, y + r)
    return ImageChops.difference(one.crop(box), other.crop(box)).convert("L").getbbox() is not None


@pytest.mark.parametrize("kind", [kind for kind, how in KINDS.items() if isinstance(how, Sign | Loss | Shot)])
def test_a_kind_of_the_table_marks_its_hex_and_no_other(kind: str) -> None:
    marked = picture(view([], [{"kind": kind, "data": {"hex": "1809", "factors": 7, "unit": "X", "mission": "SUPPORT"}}]))
    assert differs(picture(view([])), marked, "1809")
    assert not differs(picture(view([])), marked, "2209")


def test_a_sign_for_one_sort_of_event_is_for_no_other() -> None:
    """Interdiction has a marker that stands, from the view's own part; its order gets no second sign."""
    mission = {"kind": "air_mission", "data": {"hex": "1809", "unit": "X", "mission": "INTERDICT"}}
    assert not differs(picture(view([])), picture(view([], [mission])), "1809")


def test_a_kind_without_a_line_marks_nothing() -> None:
    assert picture(view([], [{"kind": "weather", "data": {"hex": "1809"}}])) == picture(view([]))


def test_a_unit_is_marked_where_it_stood_by_then() -> None:
    """It is fired upon after its move from 1409 to 1709."""
    moved = {"kind": "moved", "data": {"side": "axis", "units": ["21PZ"], "path": ["1409", "1509", "1609", "1709"]}}
    there = [own("21PZ", "1709")]
    marked = picture(view(there, [moved, {"kind": "disrupted", "data": {"unit": "21PZ"}}]))
    assert differs(picture(view(there, [moved])), marked, "1709", 1.2)
    assert not differs(picture(view(there, [moved])), marked, "1409")


def test_fire_is_a_line_from_the_gun_to_its_target() -> None:
    shot = {"kind": "fired", "data": {"from": "1409", "target": "1809", "result": "-"}}
    bare, marked = picture(view([])), picture(view([], [shot]))
    assert differs(bare, marked, "1609", 0.6)
    assert differs(bare, marked, "1809")
    assert not differs(bare, marked, "2009", 0.6)


def test_a_sign_hides_no_figure_of_a_counter_below_it() -> None:
    """On hexes of radius 66 a counter reaches 45 pixels up; its name and figures begin 8 below that."""
    part = Framing((parse_hex("1508"), parse_hex("1910")))

    def drawn(*events: dict[str, Any]) -> Image.Image:
        seen = view([own("21PZ", "1709")], list(events))
        return Image.open(BytesIO(render_map(holdfast(), seen, scale=600, framing=part))).convert("RGB")

    x, y = turn_map.base_of(holdfast(), view([]), style_sheet("holdfast", "light"), 600, part).layout.lattice.centre(parse_hex("1709"))
    for kind in ("barrage", "interdicted", "disrupted"):
        marked = drawn({"kind": kind, "data": {"hex": "1709", "factors": 9}})
        found = ImageChops.difference(marked, drawn())
        assert found.getbbox() is not None
        assert found.crop((x - 45, y - 37, x + 45, y + 45)).getbbox() is None


def test_a_sign_over_a_held_hex_steps_aside_where_another_counter_stands() -> None:
    """A counter in the hex above leaves no room there: its picture stays whole, and the sign stands elsewhere about its hex."""
    there = [own("21PZ", "1709"), own("ARIETE", "1708")]
    marked = picture(view(there, [{"kind": "barrage", "data": {"hex": "1709", "factors": 9}}]))
    bare = picture(view(there))
    assert differs(bare, marked, "1709", 1.5)
    assert not differs(bare, marked, "1708", 0.6)


def test_a_change_of_control_shows_where_no_name_has_a_flag() -> None:
    flag = next(kind for kind, how in KINDS.items() if isinstance(how, Flag))
    marked = picture(view([], [{"kind": flag, "data": {"hex": "1809", "side": "axis"}}]))
    assert differs(picture(view([])), marked, "1809", 1.1)


def test_supply_lines_bead_their_hexes_and_what_is_out_of_supply_is_marked() -> None:
    supplied = view([])
    supplied.own["supply"] = {"traced": [["1209", "1309", "1409", "1509"], ["1309", "1409"]], "out": ["2009"]}
    bare, drawn = picture(view([])), picture(supplied)
    assert all(differs(bare, drawn, label) for label in ("1209", "1309", "1409", "1509"))
    assert differs(bare, drawn, "2009", 1.2)
    assert not differs(bare, drawn, "1709")


def test_markers_lie_where_the_view_has_them_and_are_drawn_once() -> None:
    """A marker of ``own`` that was laid in this very turn is told by an event too."""
    lies = view([])
    lies.own["interdicted"] = {"1809": {"side": "axis", "factors": 4}}
    told = view([], [{"kind": "interdicted", "data": {"hex": "1809", "factors": 4}}])
    told.own["interdicted"] = {"1809": {"side": "axis"}}
    assert differs(picture(view([])), picture(lies), "1809")
    assert picture(told) == picture(lies)
    listed = view([])
    listed.own["barraged"] = ["1809", "x"]
    assert differs(picture(view([])), picture(listed), "1809")


def test_guns_that_support_a_battle_fire_on_it() -> None:
    fought = {"label": "A1", "hex": "1809", "attackers": [], "defenders": [{"unit": "X"}], "support": [{"unit": "21PZ", "factor": 3}]}
    there = [own("21PZ", "1409")]
    bare, fire = (view(there, [{"kind": "battle", "data": {**fought, "support": guns}}]) for guns in ([], fought["support"]))
    assert differs(picture(bare), picture(fire), "1609", 0.6)


@pytest.mark.parametrize("supply", [7, [], {"traced": 3, "out": {}}, {"traced": [3, ["x"], ["1209"]], "out": ["x", 5]}])
def test_a_supply_that_is_none_draws_nothing(supply: Any) -> None:
    seen = view([])
    seen.own["supply"] = supply
    assert picture(seen) == picture(view([]))


def test_an_advance_a_retreat_and_a_plan_look_different() -> None:
    looks = []
    for kind in ("moved", "retreated", "advanced", "overrun"):
        seen = view([], [{"kind": kind, "data": {"side": "axis", "units": ["A"], "path": ["1409", "1509", "1609", "1709"]}}])
        looks += [picture(seen).tobytes(), picture(seen, planned=True).tobytes()]
    assert len(set(looks[::2])) == 4
    assert len(set(looks[1::2])) == 1  # planned, all are one
    assert looks[1] not in looks[::2]


MOVE = {"verb": "MOVE", "args": {"units": ["21PZ"], "path": ["1509", "1609"], "to": None}}
ATTACK = {"verb": "ATTACK", "args": {"hex": "1709", "units": ["21PZ", "ARIETE"], "air": None}}


def test_orders_are_planned_from_where_earlier_ones_lead() -> None:
    """21PZ goes from 1409 to 1609, which is beside 1709; ARIETE stands far off and attacks from nowhere."""
    seen = with_plans(view([own("21PZ", "1409"), own("ARIETE", "0504"), block("V1", "1709")]), [MOVE, ATTACK])
    move, attack = seen.events
    assert (move.kind, move.data["path"], move.data["side"]) == ("moved", ["1409", "1509", "1609"], "axis")
    assert (attack.kind, attack.data["attackers"]) == ("battle", [{"unit": "21PZ", "from": "1609"}])
    assert differs(picture(view([])), picture(view([], [{"kind": "moved", "data": move.data}]), planned=True), "1509")


def test_a_move_to_a_place_goes_straight_over_what_is_named() -> None:
    order = {"verb": "MOVE", "args": {"units": ["21PZ"], "path": [], "to": "1803", "via": ["1703"]}}
    (move,) = with_plans(view([own("21PZ", "1409")]), [order]).events
    assert move.data["path"] == ["1409", "1703", "1803"]


@pytest.mark.parametrize(
    "order",
    [
        {},
        {"verb": "MOVE"},
        {"verb": "MOVE", "args": {"units": [3], "path": "x"}},
        {"verb": "ATTACK", "args": {}},
        {"verb": "DONE", "args": {}},
    ],
)
def test_an_order_of_which_a_map_shows_nothing_is_passed_over(order: dict[str, Any]) -> None:
    assert with_plans(view([own("21PZ", "1409")]), [order]).events == []


def test_a_way_far_beyond_the_map_costs_no_more_than_the_map() -> None:
    """From 0101 to 9999 it would be a picture of a hundred million pixels; what lies on the map is drawn."""
    far = {"kind": "moved", "data": {"side": "axis", "units": ["A"], "path": ["2013", "2113", "9999"]}}
    shot = {"kind": "fired", "data": {"from": "1809", "target": "9999"}}
    seen = view([], [far, shot])
    seen.own["supply"] = {"traced": [["1409", "9999"]]}
    assert differs(picture(view([])), picture(seen), "2113")


def test_zoc_is_one_border_about_all_its_hexes() -> None:
    """1809 and 1810 lie in enemy ZOC: nothing is drawn on the hexside between them, dots inside all others."""
    lattice = turn_map.base_of(holdfast(), view([]), style_sheet("holdfast", "light"), SCALE, BARE).layout.lattice
    marked = ImageChops.difference(picture(view([], ezoc=["1809", "1810"])), picture(view([])))
    reach = round(lattice.radius * 0.3)

    def dots(x: float, y: float) -> bool:
        return marked.crop((round(x) - reach, round(y) - reach, round(x) + reach, round(y) + reach)).getbbox() is not None

    (x, upper), (_, lower) = lattice.centre(parse_hex("1809")), lattice.centre(parse_hex("1810"))
    high = lattice.row / 2
    assert dots(x, upper - high)
    assert dots(x, lower + high)
    assert not dots(x, (upper + lower) / 2)
