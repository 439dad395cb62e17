"""Printed counters: each game's figures where they belong, and dressed as its rulebook says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scenarios.data import Card
from services.render.counters.badges import SIGNS, marker
from services.render.counters.counters import sprite
from services.render.counters.look import Look, look_of_card
from services.render.counters.plan import Box, Line, Plan, plan_of
from services.render.counters.symbols import has_symbol
from services.render.counters.texts import texts
from services.render.draw.palette import LIMIT
from services.render.style import Sheet, style_sheet, themes
from services.render.views import CounterView
from tests.render.proofs.colours import contrast

GAMES = ("holdfast", "beda-fomm", "fall-of-tobruk", "race-for-tunis")
SIDES = {"beda-fomm": ("italian", "british")}


def look_in(game: str, kind: str, nation: str, marks: tuple[str, ...] = (), **values: Any) -> Look:
    """A counter named UNIT of a type, with what is printed on it."""
    sheet = style_sheet(game, "light")
    side = {"beda-fomm": nation}.get(game, "axis" if nation in ("german", "italian") else "allied")
    card = Card("UNIT", side, "Unit", kind, nation, values)
    return look_of_card(CounterView(side, "0505", id="UNIT", card="UNIT", marks=list(marks), known="own"), card, sheet)


def plan_in(game: str, look: Look) -> Plan:
    sheet = style_sheet(game, "light")
    return plan_of(look, sheet.style.counters.mailed, sheet)


def row(plan: Plan) -> list[Line]:
    """The factors along the foot, from the left."""
    return [line for line in plan.lines if line.anchor == "ms"]


def box_of(plan: Plan, line: Line) -> Box | None:
    """The box that a line stands in."""
    x, y = line.at[0], line.at[1] - 2
    return next((box for box in plan.boxes if box.box[0] <= x <= box.box[2] and box.box[1] <= y <= box.box[3]), None)


def rule_under(plan: Plan, line: Line) -> Box | None:
    """The rule under a line."""
    return next((box for box in plan.boxes if box.box[1] >= line.at[1] and box.box[0] <= line.at[0] <= box.box[2]), None)


def pixels(look: Look, sheet: Sheet, colour: str) -> int:
    wide = sheet.style.counters.mailed
    return sprite(look, wide, sheet).indices.tobytes().count(sheet.palette.index(colour))


GUN = {"parent": "SAB", "size": "battalion", "class": "weapons", "cf": 4, "at": 2, "ma": 6, "range": 5, "bonus": 0, "back_cf": 4}
TANK = {"parent": "4ARM", "size": "group", "class": "armor", "cf": 2, "at": 1, "at_defends": 1, "ma": 8, "bonus": 3, "infiltrates": 1}
TRUCK = {"parent": "BER", "size": "battalion", "class": "transport", "cf": 1, "cf_defends": 1, "at": 0, "ma": 8, "bonus": 0, "back_cf": 0}


@pytest.mark.parametrize(
    ("kind", "nation", "values", "marks", "factors"),
    [
        ("artillery", "italian", GUN, (), "4-2-6"),
        ("artillery", "italian", GUN, ("fired",), "(4)-2-6"),
        ("mark-vib", "british", TANK, (), "2-(1)-8"),
        ("transport", "italian", TRUCK, (), "(1)-0-8"),
        ("transport", "italian", TRUCK, ("parked",), "(0)-0-8"),
    ],
)
def test_beda_fomm_cf_at_and_ma_with_brackets_about_what_only_defends(
    kind: str, nation: str, values: dict[str, Any], marks: tuple[str, ...], factors: str
) -> None:
    plan = plan_in("beda-fomm", look_in("beda-fomm", kind, nation, marks, **values))
    assert "".join(line.text for line in row(plan)) == factors


def test_beda_fomm_weapons_have_a_white_circle_about_ma_and_infiltrators_a_line_under_it() -> None:
    gun, tank = (plan_in("beda-fomm", look_in("beda-fomm", *what)) for what in (("artillery", "italian"), ("a13", "british")))
    assert row(gun) == row(tank) == []
    gun = plan_in("beda-fomm", look_in("beda-fomm", "artillery", "italian", **GUN))
    tank = plan_in("beda-fomm", look_in("beda-fomm", "a13", "british", **TANK))
    circle = box_of(gun, row(gun)[-1])
    assert circle is not None
    assert circle.colour == "white"
    assert circle.box[2] - circle.box[0] == pytest.approx(circle.box[3] - circle.box[1], abs=1.5)
    assert rule_under(gun, row(gun)[-1]) is None
    assert rule_under(tank, row(tank)[-1]) is not None
    assert [box_of(tank, line) for line in row(tank)] == [None] * 5


def test_beda_fomm_barrage_bonus_upper_left_designation_right_of_it_parent_in_bold() -> None:
    plan = plan_in("beda-fomm", look_in("beda-fomm", "a13", "british", **TANK))
    bonus, name, parent = (next(line for line in plan.lines if line.text == text) for text in ("-3", "UNIT", "4ARM"))
    middle = plan.point(0.5, 0.5)
    assert bonus.anchor == "lm"
    assert bonus.at[0] < middle[0] < name.at[0]
    assert max(bonus.at[1], name.at[1], parent.at[1]) < middle[1]
    assert parent.face == "bold"
    infantry = plan_in("beda-fomm", look_in("beda-fomm", "infantry", "british", **{**TANK, "bonus": 0}))
    assert "-0" not in {line.text for line in infantry.lines}


def test_beda_fomm_white_behind_a_battalions_size_yellow_when_parked_and_a_band_across_weapons() -> None:
    sheet = style_sheet("beda-fomm", "light")
    truck, parked = (look_in("beda-fomm", "transport", "italian", marks, **TRUCK) for marks in ((), ("parked",)))
    assert pixels(truck, sheet, "parked") == 0
    assert pixels(replace(parked, badges=()), sheet, "parked") >= 20
    foot = {key: value for key, value in GUN.items() if key != "class"}
    plain = look_in("beda-fomm", "infantry", "italian", **foot, **{"class": "personnel"})
    company = replace(plain, formation="I", tags=plain.tags - {"size:battalion"})
    assert pixels(plain, sheet, "white") - pixels(company, sheet, "white") >= 10
    banded = replace(plain, tags=plain.tags | {"class:weapons"}, values=tuple(one for one in plain.values if one[0] != "ma"))
    bare = replace(banded, tags=plain.tags)
    assert pixels(banded, sheet, "white") - pixels(bare, sheet, "white") >= 20


def test_fall_of_tobruk_guns_have_factor_and_range_above_the_type_box() -> None:
    values = {"parent": "50", "size": "battalion", "at": 6, "combat": 1, "ma": 5, "artillery": 7, "range": 4}
    plan = plan_in("fall-of-tobruk", look_in("fall-of-tobruk", "artillery", "british", **values))
    factor, reach = (next(line for line in plan.lines if line.text == text) for text in ("7", "4"))
    assert "".join(line.text for line in row(plan)) == "6-1-5"
    frame = style_sheet("fall-of-tobruk", "light").style.counters.layouts[0].symbol
    assert frame is not None
    assert factor.at[0] < plan.point(frame.frame[0], 0)[0] < plan.point(frame.frame[2], 0)[0] < reach.at[0]
    assert factor.at[1] == reach.at[1] < plan.point(0, frame.frame[1])[1]


def test_race_for_tunis_red_box_for_heavy_equipment_white_type_box_for_support() -> None:
    sheet = style_sheet("race-for-tunis", "light")
    values = {"size": "battalion", "attack": 2, "defence": 3, "ma": 8}
    for kind, heavy, support in (("antitank", True, True), ("armor", True, False), ("engineer", False, True), ("infantry", False, False)):
        look = look_in("race-for-tunis", kind, "french", **values)
        plan = plan_in("race-for-tunis", look)
        assert "".join(line.text for line in row(plan)) == "2-3-8"
        boxes = [box_of(plan, line) for line in row(plan)]
        assert all((box is not None and box.colour == "heavy") is heavy for box in boxes), kind
        bare = replace(look, values=(("id", "UNIT"),))
        assert (pixels(bare, sheet, "white") > 60) is support, kind
    air = plan_in("race-for-tunis", look_in("race-for-tunis", "fighter", "german", intercept=2, support=1))
    assert "".join(line.text for line in row(air)) == "2-1"


@pytest.mark.parametrize("game", GAMES)
def test_sides_have_corners_of_their_own(game: str) -> None:
    sheet = style_sheet(game, "light")
    size = sheet.style.counters.mailed
    masks = [sprite(Look(side, "X1"), size, sheet).mask for side in SIDES.get(game, ("axis", "allied"))]
    near = (size // 26, size // 26)
    assert [bool(mask.getpixel(near)) for mask in masks] == [False, True]


@pytest.mark.parametrize("game", GAMES)
def test_style_sheets_name_drawings_and_colours_that_there_are(game: str) -> None:
    for theme in themes(game):
        sheet = style_sheet(game, theme)
        style, named = sheet.style.counters, sheet.palette.named
        assert len(sheet.palette.colours) <= LIMIT
        assert all(map(has_symbol, style.symbols.values()))
        for kind, look in {**style.badges, **style.markers}.items():
            assert look.sign in SIGNS
            assert {look.ground, look.ink} <= set(named)
            assert look.name
            assert contrast(named[look.ground], named[look.ink]) >= 4.5, (theme, kind)
            assert marker(kind, 24, sheet, "", "12").indices.size == (24, 24)
        for parent in style.parents.values():
            assert {parent.colour, parent.second or parent.colour} <= set(named)
        for nation in style.nations.values():
            assert {nation.label, nation.text, nation.frame} <= set(named)


def test_each_badge_and_each_marker_looks_different() -> None:
    for game in GAMES:
        sheet = style_sheet(game, "light")
        style = sheet.style.counters
        look = Look(next(iter(sheet.style.sides)), "X1")
        drawn = {sprite(replace(look, badges=(badge,)), style.mailed, sheet).indices.tobytes() for badge in style.badges}
        assert len(drawn) == len(style.badges)
        assert len({marker(kind, 30, sheet).indices.tobytes() for kind in style.markers}) == len(style.markers)


def test_a_mark_that_the_style_sheet_does_not_know_changes_nothing() -> None:
    values = {"size": "battalion", "attack": 2, "ma": 8}
    marked, plain = (look_in("race-for-tunis", "infantry", "german", marks, **values) for marks in (("thirsty",), ()))
    assert marked == plain


def test_a_nation_unknown_to_the_style_sheet_has_its_sides_colours() -> None:
    sheet = style_sheet("race-for-tunis", "light")
    look = replace(look_in("race-for-tunis", "infantry", "german", size="battalion", attack=2, ma=8), nation="martian")
    grounds = {ground for written in texts(look, 58, sheet) for ground in written.grounds}
    assert sheet.palette.named[sheet.style.sides["axis"].face] in grounds
