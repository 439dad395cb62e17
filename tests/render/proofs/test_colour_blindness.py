"""Sides and nations can be told apart by whoever is colour-blind, and the sides on a grey print too."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations, product

import pytest
from PIL import Image

from scenarios.hexes import parse_hex
from services.render.counters.counters import sprite
from services.render.counters.look import Look
from services.render.layout import lay_out
from services.render.style import Sheet, style_sheet
from services.render.turn_map import render_map
from tests.render.boards import block, holdfast, view
from tests.render.proofs.colours import EYES, apart
from tests.render.proofs.counters import MAIL, mailed_width, nations_of
from tests.render.proofs.looks import GAMES, THEMES

SIDES_APART, ARROWS_APART, NATIONS_APART = 12.0, 10.0, 5.0
"""CIEDE2000 that colours keep to every kind of sight. 2 is just seen where two patches touch, 5 on patches side by side, as counters of two
nations lie in one stack; what lies far from each other and is only some 50 pixels wide, or a line of 8, needs more than twice that."""
SEEING = [eyes for eyes in EYES if eyes != "grey"]


def seen_apart(sheet: Sheet, one: str, other: str, eyes: str) -> float:
    named, seen = sheet.palette.named, EYES[eyes]
    return apart(seen(named[one]), seen(named[other]))


@pytest.mark.bug("R03")
@pytest.mark.parametrize(("game", "theme"), list(product(GAMES, THEMES)))
def test_the_colours_of_the_sides_stay_apart(game: str, theme: str) -> None:
    sheet = style_sheet(game, theme)
    for one, other in combinations(sheet.style.sides.values(), 2):
        for eyes in EYES:
            assert seen_apart(sheet, one.face, other.face, eyes) >= SIDES_APART, ("blocks, cubes and flags", eyes)
            assert seen_apart(sheet, one.ink, other.ink, eyes) >= ARROWS_APART, ("arrows", eyes)


@pytest.mark.bug("R03")
@pytest.mark.parametrize("game", GAMES)
def test_the_sides_counters_have_another_shape(game: str) -> None:
    """Of the outlines of two counters at least a hundredth of the square differs: all four corners, seen without any colour."""
    sheet, wide = style_sheet(game, "light"), mailed_width(game, "light")
    one, other = (sprite(Look(side, "V1"), wide, sheet).mask.convert("L").tobytes() for side in sheet.style.sides)
    differing = [k for k, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    assert len(differing) >= wide * wide / 100
    corners = {(k % wide > wide // 2, k // wide > wide // 2) for k in differing}
    assert len(corners) == 4


@pytest.mark.bug("R03")
@pytest.mark.parametrize(("game", "theme"), list(product(GAMES, THEMES)))
def test_nations_differ_to_all_eyes_that_see_colours(game: str, theme: str) -> None:
    """On a grey print their names tell them apart: no rule asks for more."""
    sheet = style_sheet(game, theme)
    labels = {sheet.style.counters.nations[nation].label for side in sheet.style.sides for nation in nations_of(game, side)}
    assert len(labels) >= 2
    for one, other in combinations(sorted(labels), 2):
        for eyes in SEEING:
            assert seen_apart(sheet, one, other, eyes) >= NATIONS_APART, (one, other, eyes)


@pytest.mark.bug("R03")
@pytest.mark.parametrize("theme", THEMES)
def test_on_a_turns_picture_put_through_each_filter_the_sides_stay_apart(theme: str) -> None:
    """Of two blocks of which nothing else is known: the colour that most of them has."""
    seen = view([block("G1", "1010", "axis"), block("V1", "1410", "allied")])
    data, sheet = holdfast(), style_sheet("holdfast", theme)
    picture = Image.open(BytesIO(render_map(data, seen, scale=MAIL, theme=theme))).convert("RGB")
    at = lay_out(data, sheet, MAIL).lattice
    reach = mailed_width("holdfast", theme) // 2 - 2
    looks = []
    for label in ("1010", "1410"):
        x, y = at.centre(parse_hex(label))
        crop = picture.crop((x - reach, y - reach, x + reach, y + reach))
        looks.append(max((count, colour) for count, colour in crop.getcolors(65_536) or () if isinstance(colour, tuple)))
    (much, axis), (more, allied) = looks
    assert min(much, more) > reach * reach  # a quarter of the block at least
    for eyes, seen_by in EYES.items():
        assert apart(seen_by((axis[0], axis[1], axis[2])), seen_by((allied[0], allied[1], allied[2]))) >= SIDES_APART, eyes
