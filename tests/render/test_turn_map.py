"""Turn maps: size, bytes, and what a view's events leave on the picture."""

from __future__ import annotations

import itertools
import struct
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from scenarios.hexes import Hex, parse_hex
from services.render import turn_map
from services.render.counters.look import look_of
from services.render.counters.trays import shape_of
from services.render.happened.fights import battles
from services.render.style import style_sheet
from services.render.turn_map import Base, own_turns, render_map
from services.render.views import View
from tests.render.boards import block, holdfast, moved, own, small_game, view

SCALE = 1200
SHEET = style_sheet("holdfast", "light")


def picture(seen: View, scale: int = SCALE) -> Image.Image:
    return Image.open(BytesIO(render_map(holdfast(), seen, scale=scale)))


def base() -> Base:
    return turn_map._base(holdfast(), SHEET, SCALE)


def changed(one: View, other: View) -> Image.Image:
    """255 where two maps differ."""
    difference = ImageChops.difference(picture(one).convert("RGB"), picture(other).convert("RGB")).convert("L")
    return difference.point([0] + [255] * 255)


def around(at: Hex, reach: int = 6) -> tuple[int, int, int, int]:
    x, y = base().layout.lattice.centre(at)
    return x - reach, y - reach, x + reach, y + reach


def chunks(png: bytes) -> list[str]:
    found, at = [], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        found.append(png[at + 4 : at + 8].decode())
        at += length + 12
    return found


@pytest.fixture(scope="module")
def position() -> View:
    return view([own("21PZ", "0310"), own("ARIETE", "1010"), block("V4", "1803"), block("V5", "2506")])


@pytest.mark.parametrize("scale", [400, 777, 1200])
def test_the_longer_side_is_as_long_as_asked(position: View, scale: int) -> None:
    assert max(picture(position, scale).size) == scale


def test_a_png_of_few_colours_without_metadata(position: View) -> None:
    png = render_map(holdfast(), position, scale=SCALE)
    assert set(chunks(png)) == {"IHDR", "PLTE", "IDAT", "IEND"}
    opened = Image.open(BytesIO(png))
    assert opened.mode == "P"
    assert len(opened.getcolors() or ()) <= 64


def test_a_full_map_fits_a_mail(position: View) -> None:
    assert len(render_map(holdfast(), position, scale=2400)) <= 500_000


def test_equal_views_give_equal_bytes_even_from_nothing(position: View) -> None:
    first = render_map(holdfast(), position, scale=SCALE)
    assert render_map(holdfast(), position, scale=SCALE) == first
    turn_map._kept.clear()
    assert render_map(holdfast(), position, scale=SCALE) == first


def test_nothing_of_a_view_that_a_picture_does_not_show_changes_it(position: View) -> None:
    counters = [own("21PZ", "0310"), own("ARIETE", "1010"), block("V4", "1803"), block("V5", "2506")]
    other = view(counters, seq=9, drafts={"axis": "x"}, standing=[{"n": 1}], path=[["turn", 1]])
    assert render_map(holdfast(), other, scale=SCALE) == render_map(holdfast(), position, scale=SCALE)


def test_a_counter_stands_in_its_hex(position: View) -> None:
    gone = view([own("ARIETE", "1010"), block("V4", "1803"), block("V5", "2506")])
    box = changed(position, gone).getbbox()
    assert box is not None
    x, y = base().layout.lattice.centre(parse_hex("0310"))
    r = base().layout.lattice.radius
    names = 4 * r  # a name beside it may move
    assert abs((box[0] + box[2]) / 2 - x) < names
    assert abs((box[1] + box[3]) / 2 - y) < names
    assert changed(position, gone).crop(around(parse_hex("0310"))).getbbox() is not None


@pytest.mark.rule("holdfast", "fog.1")
def test_an_enemy_block_looks_the_same_whatever_it_is() -> None:
    """Two states with another unit in the block give the same view, and so the same picture; a known one differs."""
    hidden = view([block("V4", "1803")])
    known = view([{**own("9AUS", "1803", side="allied", alias="V4"), "known": "seen"}])
    face = SHEET.palette.named[SHEET.style.counters.nations["british"].label]
    spot = around(parse_hex("1803"), 10)
    assert face not in {colour for _, colour in picture(hidden).convert("RGB").crop(spot).getcolors() or ()}
    assert face in {colour for _, colour in picture(known).convert("RGB").crop(spot).getcolors() or ()}


def test_an_arrow_passes_every_hex_of_its_path() -> None:
    path = ("0510", "0609", "0709", "0808", "0908", "1008")
    still, went = view([own("21PZ", "1008")]), view([own("21PZ", "1008")], [moved("axis", "G1", *path)])
    difference = changed(still, went)
    for label in path[1:-1]:
        x, y = base().layout.lattice.centre(parse_hex(label))
        r = base().layout.lattice.radius
        assert difference.crop((x - r // 2, y - r // 2, x + r // 2, y + r // 2)).getbbox() is not None, label
    box = difference.getbbox()
    assert box is not None
    assert box[0] >= base().layout.lattice.centre(parse_hex("0510"))[0] - 10
    assert box[3] <= base().layout.lattice.centre(parse_hex("0510"))[1] + 10


def test_a_movement_has_its_sides_colour() -> None:
    for side, name in (("axis", "axis_ink"), ("allied", "allied_ink")):
        seen = view([], [moved(side, "B1", "1010", "1011", "1012", "1013")])
        x, y = base().layout.lattice.centre(parse_hex("1012"))
        spot = picture(seen).convert("RGB").crop((x - 4, y - 12, x + 4, y + 4))
        assert SHEET.palette.named[name] in {colour for _, colour in spot.getcolors() or ()}


def test_two_movements_on_one_road_run_side_by_side_and_as_one_if_they_go_together() -> None:
    path = ("1010", "1011", "1012", "1013", "1014")
    one = view([], [moved("axis", "G1", *path)])
    two = view([], [moved("axis", "G1", *path), moved("axis", "G2", *path[:-1])])
    together = view([], [moved("axis", "G1", *path), moved("axis", "G2", *path)])
    x, y = base().layout.lattice.centre(parse_hex("1011"))
    r = base().layout.lattice.radius
    ink = SHEET.palette.named["axis_ink"]

    def lines(seen: View) -> int:
        pixels = picture(seen).convert("RGB").crop((x - r, y, x + r, y + 1))
        dark = [pixels.getpixel((k, 0)) == ink for k in range(2 * r)]
        return sum(here and not before for before, here in itertools.pairwise([False, *dark]))

    assert (lines(one), lines(two), lines(together)) == (1, 2, 1)


def test_sea_is_sea() -> None:
    palette = SHEET.palette.named
    seas = {palette[name] for name in ("sea", "sea_deep", "shallow")}
    rows = picture(view([])).convert("RGB")
    for label in ("2501", "3004", "0103"):
        x, y = base().layout.lattice.centre(parse_hex(label))
        assert rows.getpixel((x, y + 3)) in seas


def test_the_turns_box_moves_with_the_turn() -> None:
    box = base().layout.panel.inner("turns")
    step = (box[2] - box[0]) / 22
    first, third = view([]), view([], turn=3)
    difference = changed(first, third).crop(box)
    bounds = difference.getbbox()
    assert bounds is not None
    assert bounds[0] < step * 0.2
    assert step * 2.8 < bounds[2] <= step * 3.1


def test_a_later_campaigns_first_turn_is_marked_in_its_own_month() -> None:
    box = base().layout.panel.inner("turns")
    step = (box[2] - box[0]) / 12  # it ends with 1942; the ten months of 1941 have no boxes
    red = SHEET.palette.named["red"]
    strip = picture(view([], scenario="campaign-2")).convert("RGB").crop(box)
    marked = [
        k for k in range(12) if red in {colour for _, colour in strip.crop((int(k * step) + 1, 0, int(k * step) + 6, 20)).getcolors() or ()}
    ]
    assert marked == [0]  # January 1942


def test_resource_points_move_a_cube() -> None:
    box = base().layout.panel.inner("track:0")
    step = (box[2] - box[0]) / 15
    difference = changed(view([]), view([], rp={"axis": 3, "allied": 10})).crop(box)
    bounds = difference.getbbox()
    assert bounds is not None
    assert int(bounds[0] / step) == 3
    assert int((bounds[2] - 1) / step) == 8


def test_control_shows_beside_the_citys_name() -> None:
    mine = {"0210": "axis", "0504": "axis", "1803": "allied", "2204": "allied", "3907": "allied"}
    difference = changed(view([]), view([], control=mine)).crop((0, 0, *base().layout.map_size))
    box = difference.getbbox()
    assert box is not None
    x, y = base().layout.lattice.centre(parse_hex("0504"))
    assert abs(box[0] - x) < 5 * base().layout.lattice.radius
    assert abs(box[1] - y) < 2 * base().layout.lattice.radius


def test_a_stack_shows_each_of_its_counters() -> None:
    units = ["21PZ", "ARIETE", "TRENTA", "BRESCIA", "PAVIA", "BOLOGNA", "SAVENA"]
    seven = view([own(unit, "0210", alias=f"X{k}") for k, unit in enumerate(units)])
    six = view([own(unit, "0210", alias=f"X{k}") for k, unit in enumerate(units[:-1])])
    weak = view([own(unit, "0210", alias=f"X{k}", sp=4 if unit != "SAVENA" else 2) for k, unit in enumerate(units)])
    pictures = [render_map(holdfast(), seen, scale=SCALE) for seen in (seven, six, weak)]
    assert len(set(pictures)) == 3


def test_zoc_control_and_losses_are_drawn() -> None:
    bare = view([])
    eliminated = {"kind": "eliminated", "data": {"unit": "FF", "alias": "V1", "hex": "1203", "cause": "battle", "to": "box:pool-allied"}}
    assert changed(bare, view([], ezoc=["1010"])).crop(around(parse_hex("1010"), 18)).getbbox() is not None
    assert changed(bare, view([], [eliminated])).crop(around(parse_hex("1203"), 8)).getbbox() is not None


def test_a_loss_does_not_hide_the_block_that_stands_there_now() -> None:
    eliminated = {"kind": "eliminated", "data": {"unit": "FF", "alias": "V1", "hex": "1203", "cause": "battle", "to": "box:pool-allied"}}
    there = [block("G2", "1203", "axis")]
    marked = changed(view(there), view(there, [eliminated]))
    assert marked.crop(around(parse_hex("1203"), 6)).getbbox() is None
    assert marked.crop(around(parse_hex("1203"), 20)).getbbox() is not None


BATTLE = [
    {"kind": "rolled", "data": {"why": "weather", "dice": [3], "key": [1, "", "weather", 0, "weather.1", "", "", "weather", 0]}},
    {"kind": "rolled", "data": {"why": "malta", "dice": [4, 2], "key": [1, "", "malta", 0, "rp.8", "", "allied", "malta", 0]}},
    {
        "kind": "battle",
        "data": {
            "label": "A1",
            "hex": "1803",
            "attackers": [{"unit": "21PZ", "alias": "G1", "from": "1704", "sp": 4}],
            "defender": {"unit": "9AUS", "alias": "V4", "sp": 3},
        },
    },
    {"kind": "rolled", "data": {"why": "attack", "site": "1803", "dice": [6, 5, 1, 2, 2]}},
    {"kind": "rolled", "data": {"why": "defence", "site": "1803", "dice": [6, 3, 3, 1, 1, 1]}},
    {"kind": "hits", "data": {"label": "A1", "on": "defender", "units": [{"unit": "9AUS", "hits": 2, "sp": 1}]}},
    {"kind": "hits", "data": {"label": "A1", "on": "attackers", "units": [{"unit": "21PZ", "hits": 1, "sp": 3}]}},
]


def test_a_battle_is_read_from_its_events() -> None:
    told = view([], BATTLE).events
    (battle,) = battles(told)
    assert (battle.label, str(battle.hex), battle.origins) == ("A1", "1803", (Hex(17, 4),))
    assert (battle.attack_dice, battle.defence_dice) == ((6, 5, 1, 2, 2), (6, 3, 3, 1, 1, 1))
    assert (battle.on_defender, battle.on_attackers) == (2, 1)
    assert (battle.attackers, battle.defender) == ("21PZ", "9AUS")


def test_dice_of_two_battles_are_not_mixed() -> None:
    second = [{**event, "data": {**event["data"], **({"label": "A2"} if "label" in event["data"] else {})}} for event in BATTLE[2:]]
    second[1]["data"]["dice"] = [1]
    first, other = battles(view([], BATTLE + second).events)
    assert (first.attack_dice, other.attack_dice) == ((6, 5, 1, 2, 2), (1,))


def test_a_battle_shows_on_the_map_and_in_the_record() -> None:
    position = [own("21PZ", "1704"), block("V4", "1803")]
    difference = changed(view(position), view(position, BATTLE))
    assert difference.crop(base().layout.panel.inner("record")).getbbox() is not None
    (ax, ay), (bx, by) = (base().layout.lattice.centre(parse_hex(label)) for label in ("1704", "1803"))
    x, y = (ax + bx) // 2, (ay + by) // 2
    assert difference.crop((x - 3, y - 3, x + 3, y + 3)).getbbox() is not None


def test_many_battles_are_counted_where_they_find_no_room() -> None:
    many = [event for _ in range(30) for event in BATTLE[2:]]
    assert max(picture(view([], many)).size) == SCALE


@pytest.mark.parametrize("scale", [399, 4001, 0, -5])
def test_a_scale_out_of_bounds_is_refused(scale: int) -> None:
    with pytest.raises(ValueError, match="between 400 and 4000"):
        render_map(holdfast(), view([]), scale=scale)


def test_counters_off_the_board_and_odd_events_do_no_harm() -> None:
    odd = [
        {"kind": "moved", "data": {"side": "axis", "path": ["0210"]}},
        {"kind": "moved", "data": {"side": "nobody", "path": ["0210", "0310"]}},
        {"kind": "moved", "data": {"path": "0210"}},
        {"kind": "battle", "data": {"hex": "box:nowhere"}},
        {"kind": "rolled", "data": {"why": 3, "dice": ["x", 9, None]}},
        {"kind": "hits", "data": {}},
        {"kind": "control_changed", "data": {}},
        {"kind": "eliminated", "data": {"hex": 7}},
        {"kind": "arrived", "data": {"alias": ["x"]}},
    ]
    seen = view([block("V9", "9999"), block("V8", "box:elsewhere"), block("N1", "1010", "neutral")], odd, control={"x": 3}, rp=7, air=[1])
    assert max(picture(seen).size) == SCALE


def test_another_board_is_drawn_with_its_own_hexes() -> None:
    png = render_map(small_game(), view([own("21PZ", "0405")]), scale=800)
    assert max(Image.open(BytesIO(png)).size) == 800


def test_a_campaign_shows_the_boxes_of_its_own_game_turns() -> None:
    """The second campaign is of 1942 alone: 12 boxes; the first of all 22 months."""
    later, first = own_turns(holdfast(), "campaign-2"), own_turns(holdfast(), "campaign-1")
    assert (later.turns[0], later.turns[-1], len(later.turns)) == ("1942-01", "1942-12", 12)
    assert first is holdfast()


def test_a_thousand_counters_in_a_hex_have_a_tray_that_stays_on_the_sheet() -> None:
    looks = [look_of(one, holdfast(), SHEET) for one in view([own("21PZ", "1704", alias=f"A{k}") for k in range(60)]).counters]
    shape = shape_of(looks, 40)
    assert (shape.columns, shape.wide, shape.high) == (6, 6 * 44 + 4, shape.title + 6 * 44 + 4)  # 36 of them are shown
