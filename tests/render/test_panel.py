"""The panel: where its boxes lie, and what a view leaves in them, for each game by its style sheet and sample values."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from scenarios.data import GameData, MapArt
from services.render.draw.ink import Canvas, Plate
from services.render.draw.room import overlap
from services.render.layout import lay_out
from services.render.panel import legend
from services.render.panel.air import _doing, based
from services.render.panel.boxes import Panel, panel_of
from services.render.panel.chart import chart_rows
from services.render.panel.compact import compact_height, draw_compact
from services.render.panel.looks import AirLook, ChartLook, LegendLook, MoraleLook, PoolLook, StockLook, TrackLook
from services.render.panel.panel import draw_panel, draw_panel_ground, options
from services.render.panel.phase import awaited
from services.render.panel.record import battle_reasons, rolls
from services.render.panel.rosters import _held
from services.render.panel.specimen import package, sample_of, seen, specimen
from services.render.panel.tracks import arrivals, short_turn
from services.render.panel.weather import weather_now
from services.render.style import Sheet, style_sheet
from services.render.views import CounterView, View
from tests.render.boards import holdfast, islands, view

GAMES = ("holdfast", "beda-fomm", "race-for-tunis", "fall-of-tobruk")
UNIT = 24
Rect = tuple[int, int, int, int]


@lru_cache(maxsize=8)
def ground(game: str, across: int = 1500) -> tuple[GameData, Sheet, Panel, Image.Image]:
    """A game's sample package and its empty panel, drawn, as indices."""
    data, sheet = package(game, sample_of(game)), style_sheet(game, "light")
    panel = panel_of(data, sheet, across, UNIT)
    canvas = Canvas(panel.size, sheet.palette, "paper")
    draw_panel_ground(canvas, panel, data, sheet)
    return data, sheet, panel, sheet.palette.flatten(canvas.image)


def told(game: str, **own: Any) -> View:
    """A game's sample view with other values of its own."""
    found = seen(game, sample_of(game))
    return msgspec.structs.replace(found, own=found.own | own)


def drawn(game: str, what: View, across: int = 1500) -> Image.Image:
    data, sheet, panel, base = ground(game, across)
    plate = Plate(base.copy(), sheet.palette)
    draw_panel(plate, panel, data, what, sheet)
    return sheet.palette.finish(plate.image).convert("RGB")


def changed(game: str, one: View, other: View) -> Rect:
    """The rectangle in which two views' panels differ."""
    box = ImageChops.difference(drawn(game, one), drawn(game, other)).getbbox()
    assert box is not None
    return box


def box_of(game: str, kind: type, nth: int = 0) -> Rect:
    panel = ground(game)[2]
    return panel.inner([name for name, look in panel.looks.items() if isinstance(look, kind)][nth])


def colours_in(image: Image.Image, box: Rect) -> set[tuple[int, ...]]:
    return {colour for _, colour in image.crop(box).getcolors(100_000) or ()}  # type: ignore[misc]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("units", [13, 21, 34, 63])
def test_boxes_lie_side_by_side_within_the_panel(game: str, units: int) -> None:
    data, sheet = package(game, sample_of(game)), style_sheet(game, "light")
    panel = panel_of(data, sheet, units * UNIT, UNIT)
    taller = panel.filled(panel.height + 400)
    assert sum(len(row.boxes) for row in sheet.style.panel.rows) == len(panel.boxes)
    for one in (panel, taller):
        assert all(overlap(a, b) == 0 for a, b in combinations(one.boxes.values(), 2))
        assert all(x0 >= 0 and y0 >= 0 and x1 <= one.size[0] and y1 <= one.height for x0, y0, x1, y1 in one.boxes.values())
    assert taller.height == panel.height + 400
    assert max(y1 for _, _, _, y1 in taller.boxes.values()) == max(y1 for _, _, _, y1 in panel.boxes.values()) + 400


def test_the_panel_stands_beside_a_high_board_over_its_whole_height() -> None:
    sheet = style_sheet("holdfast", "light")
    layout = lay_out(replace(holdfast(), board=replace(islands(), columns=14, rows=24)), sheet, 1500)
    assert layout.size[1] == layout.map_size[1] == layout.panel.height == 1500
    assert all(box[0] >= layout.map_size[0] for box in layout.panel.boxes.values())
    wide = lay_out(holdfast(), sheet, 1500)
    assert wide.map_size[0] == 1500
    assert all(box[1] >= wide.map_size[1] for box in wide.panel.boxes.values())


@pytest.mark.parametrize(("game", "theme"), list(zip(GAMES, ("contrast", "dark", "light", "dark"), strict=True)))
def test_each_game_has_a_sheet_of_its_tracks(game: str, theme: str) -> None:
    png = specimen(game, theme, 900)
    assert Image.open(BytesIO(png)).width == 900
    assert specimen(game, theme, 900) == png


def test_a_sheet_of_tracks_for_no_game() -> None:
    with pytest.raises(KeyError):
        specimen("chess", "light", 900)


def test_turns_have_short_names() -> None:
    labels = ("1941-03", "1942-05-26", "26 May", "25 November 1942", "5 Feb 1200", "6 Feb early morning", "Turn 4", "Spring")
    expected = [("Mar", "1941"), ("26", "May"), ("26", "May"), ("25", "November"), ("1200", "5 Feb"), ("Early", "6 Feb"), ("Turn", "4")]
    assert [short_turn(label) for label in labels] == [*expected, ("Spring", "")]


def test_dark_turns_are_shaded() -> None:
    _, sheet, panel, base = ground("beda-fomm")
    picture = sheet.palette.finish(base).convert("RGB")
    x0, _, x1, y1 = panel.inner("turns")
    step = (x1 - x0) / 28  # 28 turns of 2.2 units fit into one line
    shaded = [k + 1 for k in range(28) if picture.getpixel((round(x0 + step * (k + 0.5)), y1 - 6)) == sheet.palette.named["rule"]]
    assert shaded == [7, 8, 21, 22]


def test_arrivals_are_counted_by_side_and_turn() -> None:
    data, sheet, _, _ = ground("beda-fomm")
    look = sheet.style.panel.rows[0].boxes[0]
    due = arrivals(data, told("beda-fomm"), look)
    assert (due[0, "italian"], due[1, "italian"], due[7, "italian"]) == (4, 1, 8)  # three units and a convoy; a convoy; eight units
    assert {k: n for (k, side), n in due.items() if side == "british"} == {4: 3, 5: 6, 8: 4, 14: 3}


def test_a_formations_chip_stands_at_its_level() -> None:
    morale = told("beda-fomm").own["morale"]
    before, after = told("beda-fomm"), told("beda-fomm", morale={**morale, "MOE": 12})
    x0, y0, x1, y1 = box_of("beda-fomm", MoraleLook)
    level = (x1 - x0) / 13
    left, top, right, bottom = changed("beda-fomm", before, after)
    assert (int((left - x0) / level), int((right - 1 - x0) / level)) == (2, 12)
    assert top >= y0
    assert bottom <= y1
    british = told("beda-fomm", morale={**morale, "COM": 0})
    assert changed("beda-fomm", before, british)[1] >= box_of("beda-fomm", MoraleLook, 1)[1]


def test_a_single_number_is_a_gold_cube_and_one_off_the_track_stands_at_its_end() -> None:
    x0, _, x1, _ = box_of("beda-fomm", TrackLook)
    step = (x1 - x0) / 13
    left, _, right, _ = changed("beda-fomm", told("beda-fomm", vp=4), told("beda-fomm", vp=11))
    assert (int((left - x0) / step), int((right - 1 - x0) / step)) == (4, 11)
    left, _, right, _ = changed("beda-fomm", told("beda-fomm", vp=12), told("beda-fomm", vp=30))
    assert int((left - x0) / step) == int((right - 1 - x0) / step) == 12  # the cube now bears the number


def test_the_weather_of_now_is_marked() -> None:
    sheet, look = ground("race-for-tunis")[1], ground("race-for-tunis")[2].looks["weather:0"]
    names = [weather_now(look, told("race-for-tunis", weather=word)) for word in ("clear", "rain", "heavy-rain")]
    assert names == [("Clear", "sun"), ("Rain", "rain"), ("Heavy rain", "storm")]
    assert weather_now(None, told("race-for-tunis", weather="poor")) == ("Poor", "sand")
    x0, y0, x1, y1 = ground("race-for-tunis")[2].inner("weather:0")
    edge = drawn("race-for-tunis", told("race-for-tunis", weather="heavy-rain"))
    third = (x1 - x0) / 3
    red = sheet.palette.named["red"]
    foot = y1 - 2
    marked = [red in colours_in(edge, (round(x0 + third * k) + 4, foot, round(x0 + third * (k + 1)) - 4, y1)) for k in range(3)]
    assert marked == [False, False, True]
    assert y0 < foot


def test_the_phase_of_now_bears_the_phasing_sides_chip_and_the_awaited_are_named() -> None:
    found = told("beda-fomm")
    data, sheet, panel, _ = ground("beda-fomm")
    x0, y0, x1, y1 = panel.inner("phase:0")
    quarter = (x1 - x0) / 4
    for phasing in ("italian", "british"):
        picture = drawn("beda-fomm", msgspec.structs.replace(found, phasing=phasing))
        face = sheet.palette.named[sheet.style.sides[phasing].face]
        cells = [picture.crop((round(x0 + quarter * k), y0, round(x0 + quarter * (k + 1)), y1)) for k in range(4)]
        spots = [{colour: count for count, colour in cell.getcolors(10_000) or ()}.get(face, 0) > 200 for cell in cells]
        assert spots == [False, False, True, False]  # antitank fire
    assert awaited(data, found) == "Awaited: Italian"
    assert awaited(data, msgspec.structs.replace(found, waiting_for=["italian", "british", "nobody"])) == "Awaited: Italian and British"
    assert awaited(data, msgspec.structs.replace(found, waiting_for=[])) == ""


def test_counters_off_the_map_lie_in_their_group_and_those_due_later_do_not() -> None:
    found = told("beda-fomm")
    without = [one for one in found.counters if one.place != "box:eliminated"]
    x0, y0, x1, y1 = box_of("beda-fomm", PoolLook)
    left, top, right, bottom = changed("beda-fomm", found, msgspec.structs.replace(found, counters=without))
    assert x0 <= left < right <= x1
    assert y0 <= top < bottom <= y1


def test_a_group_of_what_is_due_waits_for_the_game_turn() -> None:
    found = told("fall-of-tobruk")
    later = CounterView(side="axis", place="edge:off", id="X", card=None, alias="X", num={"due": found.turn + 1}, known="own")
    more = msgspec.structs.replace(found, counters=[*found.counters, later])
    assert drawn("fall-of-tobruk", more).tobytes() == drawn("fall-of-tobruk", found).tobytes()
    then, before = (msgspec.structs.replace(one, turn=found.turn + 1) for one in (more, found))
    assert drawn("fall-of-tobruk", then).tobytes() != drawn("fall-of-tobruk", before).tobytes()


def test_a_group_of_what_comes_later_is_in_the_order_of_its_game_turns() -> None:
    """Beda Fomm in game-turn 10: a game-turn is told before its counters; what has none comes last, under the group's name for it."""
    data, found = package("beda-fomm", sample_of("beda-fomm")), told("beda-fomm")
    sheet = style_sheet("beda-fomm", "light")
    places = {"BIG-1": 20, "BAB-1": 12, "ALL-1": 12, "NOW": 10, "T-1": None}
    waiting = [
        CounterView(side="italian", place="edge:off", id=unit, known="own", num={} if due is None else {"due": due})
        for unit, due in places.items()
    ]
    seen = msgspec.structs.replace(found, counters=waiting)
    groups = {group.name: group for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, PoolLook) for group in box.groups}
    held = [one.id if isinstance(one, CounterView) else one for one in _held(groups["Still to come"], data, seen, sheet)]
    assert held == [("0900", "6 Feb"), "BAB-1", "ALL-1", ("1700", "6 Feb"), "BIG-1", ("Convoys", ""), "T-1"]
    assert [one.id for one in _held(groups["Due to enter"], data, seen, sheet) if isinstance(one, CounterView)] == ["NOW"]


def test_stock_shows_a_square_for_each_that_is_left() -> None:
    reserve = {"axis": {"3h": 2, "3j": 1, "4": 1}, "allied": {"grant": 4, "crusader": 6, "stuart": 4}}
    box = box_of("fall-of-tobruk", StockLook)
    sheet = ground("fall-of-tobruk")[1]
    face = sheet.palette.named[sheet.style.sides["allied"].face]

    def area(crusaders: int) -> int:
        allied = {"grant": 0, "crusader": crusaders, "stuart": 0}
        picture = drawn("fall-of-tobruk", told("fall-of-tobruk", reserve={**reserve, "allied": allied})).crop(box)
        return next((count for count, colour in picture.getcolors(100_000) or () if colour == face), 0)

    assert area(0) == 0
    assert area(4) == pytest.approx(4 * area(1), rel=0.1)


def test_rolls_tell_their_reasons_and_clauses() -> None:
    key = [1, "", "malta roll", 0, "rp.8", "", "allied"]
    town = {"n": -1, "why": "town", "clause": "7.2"}
    events = [
        {"kind": "rolled", "clause": "rp.8", "data": {"why": "malta", "dice": [4, 2], "key": key}},
        {"kind": "rolled", "clause": "7.0", "data": {"why": "morale-check", "dice": [5, 4], "modifiers": [town]}},
        {"kind": "battle", "clause": "11.2d", "data": {"label": "A1", "hex": "1803", "modifiers": {"attack": [{"n": 2, "why": "air"}]}}},
        {"kind": "rolled", "clause": "", "data": {"why": "attack", "dice": [1], "site": "A1"}},
    ]
    found = view([], events).events
    one, other = rolls(found, {"allied": "Allied"})
    assert (one.why, one.dice, one.small) == ("Malta, Allied", (4, 2), "rp.8")
    assert (other.why, other.dice, other.small) == ("Morale check", (5, 4), "−1 town (7.2)  7.0")
    assert battle_reasons(found) == {"A1": "attack +2 air; 11.2d"}


def test_a_chart_is_a_table_of_the_packages_own() -> None:
    look = next(box for row in style_sheet("holdfast", "light").style.panel.rows for box in row.boxes if isinstance(box, ChartLook))
    lines = chart_rows(holdfast(), look)
    assert lines[0] == ["", "Inf", "Arm", "Att", "Def"]
    assert ["Road", "½", "½", "–", "–"] in lines
    assert ["Rough", "2", "3", "−1", "–"] in lines
    assert ["Fortified City", "1", "1", "–", "+3"] in lines
    assert chart_rows(replace(holdfast(), charts={}), look) == []
    without = panel_of(replace(holdfast(), charts={}), style_sheet("holdfast", "light"), 1500, UNIT)
    assert not any(isinstance(box, ChartLook) for box in without.looks.values())


def test_under_an_owners_map_art_the_legend_leaves_the_drawn_map_out() -> None:
    sheet = style_sheet("holdfast", "light")
    look = next(box for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, LegendLook))
    art = replace(holdfast(), art=MapArt(Path(), (2000, 1300), (52.5, 61.0), (48.0, 84.5), "one"))
    ours, theirs = ([name for name, _ in legend.entries(data, sheet.style, look)] for data in (holdfast(), art))
    assert {"Rough", "Road", "Fortified city", "Movement", "Control"} <= set(ours)
    assert {"Movement", "Control"} <= set(theirs)
    assert not {"Clear", "Rough", "Road", "Pass", "Village", "Fortified city"} & set(theirs)
    assert "The picture of the map is the owner's" in legend.notes(art, sheet.style)


def test_options_that_are_not_the_usual_ones_are_told() -> None:
    usual = {key: spec.default for key, spec in holdfast().options.items()}
    assert options(holdfast(), view([], options=usual)) == ""
    other = {**usual, "tempo": "blitz", "leader_strategic_road": 36, "unknown": 1}
    assert options(holdfast(), view([], options=other)) == "Options: tempo blitz, leader strategic road 36"


def test_the_strip_for_phones_shows_turn_weather_and_scores() -> None:
    data, sheet, _, _ = ground("race-for-tunis")

    def strip(what: View) -> Image.Image:
        box = (0, 0, 960, compact_height(960))
        plate = Plate(sheet.palette.flatten(Canvas((960, box[3]), sheet.palette, "paper").image), sheet.palette)
        draw_compact(plate, box, data, what, sheet)
        return sheet.palette.finish(plate.image).convert("RGB")

    now = told("race-for-tunis")
    others = [
        msgspec.structs.replace(now, turn=9),
        told("race-for-tunis", weather="clear"),
        told("race-for-tunis", vp=16),
        told("race-for-tunis", rp={"allied": 4}),
        msgspec.structs.replace(now, waiting_for=["axis"]),
    ]
    places = [ImageChops.difference(strip(now), strip(other)).getbbox() for other in others]
    quarters = [place and (int(place[0] / 240), place[1] > compact_height(960) * 0.68) for place in places]
    assert quarters == [(0, False), (1, False), (2, False), (3, False), (0, True)]


def test_aircraft_stand_at_their_bases_with_what_they_do() -> None:
    data, sheet, _, _ = ground("race-for-tunis")
    (look,) = [box for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, AirLook)]
    flown = {base.key: [card.id for card in based(look, base, data)] for base in look.bases}
    assert (flown["bone"], flown["tebessa"], flown["djedeida"], flown["kairouan"]) == (["SPIT"], ["A20"], ["JU87"], [])
    assert _doing(look, {"state": "ready", "hex": None, "back": None}) == ("", True)
    assert _doing(look, {"state": "interdict", "hex": "1317", "back": None}) == ("interdicts 1317", False)
    assert _doing(look, {"state": "shot-down", "hex": None, "back": 9}) == ("back turn 9", False)


def test_places_that_are_not_named_are_not_shown_and_some_only_in_their_scenario() -> None:
    """1215 is Medjez el Bab; 0102 no place; 1813 scores in Operation Eilbote alone."""
    now = told("race-for-tunis")
    control = now.own["control"]
    plain = drawn("race-for-tunis", now)

    def changed(at: str, scenario: str = "sample") -> bool:
        other = msgspec.structs.replace(now, own={**now.own, "control": {**control, at: "axis"}}, scenario=scenario)
        before = plain if scenario == "sample" else drawn("race-for-tunis", msgspec.structs.replace(now, scenario=scenario))
        return ImageChops.difference(before, drawn("race-for-tunis", other)).getbbox() is not None

    assert changed("1215")
    assert not changed("0102")
    assert not changed("1813")
    assert changed("1813", "eilbote")


@pytest.mark.parametrize("game", GAMES)
def test_odd_values_do_no_harm(game: str) -> None:
    odd: list[Any] = [None, 7, "x", [1, None], {"axis": [3], "italian": {"x": {"base": 4}}, "allied": "y"}, True]
    for value in odd:
        own = dict.fromkeys(("weather", "rp", "vp", "morale", "control", "fields", "air", "leader", "held", "reserve", "exited"), value)
        assert drawn(game, told(game, **own)).size == ground(game)[2].size
    nowhere = CounterView(side="nobody", place="box:eliminated", known="own", num={"due": "soon"})
    assert drawn(game, msgspec.structs.replace(told(game), counters=[nowhere], turn=0, step=None)).size == ground(game)[2].size
