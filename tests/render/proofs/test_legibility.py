"""Whatever is written on a counter can be read on a mailed map: letters of seven pixels, a contrast of 4.5:1, and nothing laid over it.

The list of texts is the plan that counters are drawn by; the pixels of the drawn counters are held against it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from PIL import Image

from scenarios.loader import load_games
from services.render.counters import pieces, trays
from services.render.counters.counters import sprite
from services.render.counters.look import Look
from services.render.counters.plan import Line, plan_of
from services.render.counters.texts import texts
from services.render.draw.ink import Plate
from services.render.draw.lettering import cap_height, squeezed, width
from services.render.layout import lay_out
from services.render.style import Sheet, style_sheet
from services.render.views import CounterView, View
from tests.render.proofs.colours import Rgb, contrast
from tests.render.proofs.counters import MAIL, board_of, looks, mailed_width
from tests.render.proofs.looks import GAMES, THEMES

HIGH = 7
"""Pixels that figures and capitals are high at least."""
CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3 (level AA)."""
NARROW = 0.6
"""Letters squeezed to less of their width run into one another."""
STRAY = 48.0
"""Steps of 255 by which a pixel of the palette may miss the exact mixture of a letter's soft edge."""


def each_text(game: str, theme: str) -> Iterator[tuple[Look, Line]]:
    sheet = style_sheet(game, theme)
    for look in looks(game, sheet):
        for line in plan_of(look, mailed_width(game, theme), sheet).lines:
            yield look, line


@pytest.mark.parametrize(("game", "theme"), list(product(GAMES, THEMES)))
def test_letters_are_seven_pixels_high_and_not_squeezed(game: str, theme: str) -> None:
    found = list(each_text(game, theme))
    assert len(found) > 40
    assert {(look.name, line.text) for look, line in found if cap_height(line.face, line.size) < HIGH} == set()
    assert {(look.name, line.text) for look, line in found if line.room < NARROW * width(line.text, line.face, line.size)} == set()


@pytest.mark.parametrize(("game", "theme"), list(product(GAMES, THEMES)))
def test_letters_stand_out_against_all_that_they_stand_on(game: str, theme: str) -> None:
    sheet = style_sheet(game, theme)
    faint = {
        (look.name, one.text, round(contrast(one.colour, ground), 2))
        for look in looks(game, sheet)
        for one in texts(look, mailed_width(game, theme), sheet)
        for ground in one.grounds
        if contrast(one.colour, ground) < CONTRAST
    }
    assert faint == set()


def spot(line: Line) -> tuple[int, int, int, int]:
    """The pixels of a line's letters: left, top, right and bottom."""
    letters, _ = squeezed(line.text, line.face, line.size, line.room + 2)
    wide, high = letters.width - 2, cap_height(line.face, line.size)
    left = round(line.at[0] - {"l": 0.0, "m": wide / 2, "r": float(wide)}[line.anchor[0]])
    foot = round(line.at[1] + {"m": high / 2, "s": 0.0, "t": float(high)}[line.anchor[1]])
    return left, foot - high, left + wide, foot


def drawn(look: Look, width: int, sheet: Sheet) -> Image.Image:
    return sheet.palette.finish(sprite(look, width, sheet).indices).convert("RGB")


def tally(crop: Image.Image) -> list[tuple[int, Rgb]]:
    """How many pixels a picture has of each of its colours."""
    return [(count, colour) for count, colour in crop.getcolors() or () if isinstance(colour, tuple) and len(colour) == 3]


def far(colour: Rgb, ink: Rgb, ground: Rgb) -> float:
    """How far a colour lies from all mixtures of two others, in steps of 255."""
    way = [b - a for a, b in zip(ground, ink, strict=True)]
    share = sum((c - g) * w for c, g, w in zip(colour, ground, way, strict=True)) / (sum(w * w for w in way) or 1)
    share = min(max(share, 0.0), 1.0)
    return math.dist(colour, [g + share * w for g, w in zip(ground, way, strict=True)])


def high_in(crop: Image.Image, ink: Rgb, grounds: list[Rgb]) -> int:
    """How many rows of pixels, from the first to the last, have a pixel that is more like the letters than like what they stand on."""
    inked = {
        colour for _, colour in crop.getcolors() or () if math.dist(colour, ink) < min(math.dist(colour, ground) for ground in grounds)
    }
    rows = [y for y in range(crop.height) if any(crop.getpixel((x, y)) in inked for x in range(crop.width))]
    return rows[-1] - rows[0] + 1 if rows else 0


@pytest.mark.parametrize(("game", "theme"), list(product(GAMES, THEMES)))
def test_the_pixels_show_what_the_list_says(game: str, theme: str) -> None:
    """Of the letters' rectangle nine tenths are their colour, what they stand on, or between these; and they are as high as listed."""
    sheet, wide = style_sheet(game, theme), mailed_width(game, theme)
    for look in list(looks(game, sheet))[:: 3 if theme == "light" else 9]:
        picture = drawn(look, wide, sheet)
        for line in plan_of(look, wide, sheet).lines:
            if not any(letter.isalnum() for letter in line.text):
                continue
            box = spot(line)
            assert 0 <= box[0] < box[2] <= wide, (look.name, line.text)
            assert 0 <= box[1] < box[3] <= wide, (look.name, line.text)
            crop, ink = picture.crop(box), sheet.palette.named[line.colour]
            grounds = [sheet.palette.named[ground] for ground in line.grounds]
            foreign = sum(count for count, colour in tally(crop) if min(far(colour, ink, one) for one in grounds) > STRAY)
            assert foreign <= 0.1 * crop.width * crop.height, (look.name, line.text, "something else lies there")
            assert high_in(crop, ink, grounds) >= HIGH, (look.name, line.text)
            assert max(contrast(colour, one) for _, colour in tally(crop) for one in grounds) >= CONTRAST, (look.name, line.text)


@pytest.mark.parametrize("game", GAMES)
def test_badges_lie_over_no_letters(game: str) -> None:
    """Three at once, which is more than any rule gives."""
    sheet, wide = style_sheet(game, "light"), mailed_width(game, "light")
    badges = tuple(sheet.style.counters.badges)[:3]
    hidden = set()
    for look in list(looks(game, sheet))[::5]:
        bare, marked = (drawn(replace(look, badges=these), wide, sheet) for these in ((), badges))
        lines = plan_of(look, wide, sheet).lines
        hidden |= {(look.name, line.text) for line in lines if bare.crop(spot(line)).tobytes() != marked.crop(spot(line)).tobytes()}
    assert hidden == set()


@pytest.mark.parametrize("game", sorted(load_games()))
def test_what_is_written_about_a_stack_is_as_legible(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its number of counters and the title of its tray: ink on paper or paper on ink."""
    data, sheet = board_of(game), style_sheet(game, "light")
    layout = lay_out(data, sheet, MAIL)
    side = data.sides[0]
    at = str(sorted(data.board.terrain)[len(data.board.terrain) // 2])
    cards = [card for card in data.cards.values() if card.side == side][:5]
    seen = View(game, "", side, [CounterView(side, at, card.id, card.id, card.id, known="own") for card in cards], {})
    written: list[tuple[str, str, int, str]] = []

    def spy(_: object, __: object, text: str, face: str, size: int, colour: str, **___: object) -> None:
        written.append((text, face, size, colour))

    for module in (pieces, trays):
        monkeypatch.setattr(module, "write", spy)
    pieces._count.cache_clear()
    plate = Plate(Image.new("L", layout.map_size), sheet.palette)
    pieces.draw_counters(plate, pieces.place_counters(data, seen, sheet, layout.lattice, layout.map_size), sheet)
    pieces._count.cache_clear()
    assert {"5"} < {text for text, *_ in written}
    assert all(cap_height(face, size) >= HIGH and colour in ("ink", "paper") for _, face, size, colour in written)
    for theme in THEMES:
        named = style_sheet(game, theme).palette.named
        assert min(contrast(named["ink"], named["paper"]), contrast(named["ink"], named["paper_lo"])) >= CONTRAST
