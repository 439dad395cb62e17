"""The palette pipeline: one palette of at most 64 colours a game and theme; a turn is pasted index on index, and nothing is converted."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from services.render.counters.counters import sprite
from services.render.counters.pieces import counter_size, place_counters
from services.render.draw.palette import LIMIT, Palette
from services.render.layout import lay_out
from services.render.style import style_sheet
from services.render.turn_map import render_map
from tests.render.boards import holdfast
from tests.render.positions import position
from tests.render.proofs.looks import GAMES, THEMES

SCALE = 2400
BUSIEST = "turn-20-axis"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_one_palette_of_at_most_64_colours_a_theme(game: str, theme: str) -> None:
    sheet = style_sheet(game, theme)
    assert sheet is style_sheet(game, theme)
    assert len(sheet.palette.colours) == len(set(sheet.palette.colours)) <= LIMIT == 64
    assert set(sheet.palette.named.values()) <= set(sheet.palette.colours)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_ground_panel_and_what_happened_take_36_colours_and_leave_28(game: str, theme: str) -> None:
    chosen = style_sheet(game, theme).style.themes[theme]
    ramps = tuple(ramp for ramp in chosen.ramps if {ramp[0], ramp[1]} <= set(chosen.colours))
    assert 30 <= len(Palette(chosen.colours, ramps).colours) <= 36


@pytest.mark.parametrize("theme", THEMES)
def test_every_pixel_of_a_map_is_one_of_its_palette_and_the_file_carries_just_that(theme: str) -> None:
    palette = style_sheet("holdfast", theme).palette
    opened = Image.open(BytesIO(render_map(holdfast(), position(BUSIEST), scale=SCALE, theme=theme)))
    flat = opened.getpalette() or []
    carried = tuple((flat[k], flat[k + 1], flat[k + 2]) for k in range(0, 3 * len(palette.colours), 3))
    assert opened.mode == "P"
    assert carried == palette.colours
    assert max(opened.tobytes()) < len(palette.colours)


@pytest.mark.parametrize("theme", THEMES)
def test_every_pixel_of_a_counter_is_one_of_its_palette(theme: str) -> None:
    sheet = style_sheet("holdfast", theme)
    layout = lay_out(holdfast(), sheet, SCALE)
    pieces = place_counters(holdfast(), position(BUSIEST), sheet, layout.lattice, layout.map_size)
    looks = {look for stack in pieces.stacks for look in stack.looks}
    assert len(looks) > 15
    for look in looks:
        drawn = sprite(look, counter_size(38), sheet)
        assert drawn.indices.mode == "L"
        assert drawn.mask.mode == "1"
        assert max(drawn.indices.tobytes()) < len(sheet.palette.colours)


def test_with_warm_caches_nothing_is_reduced_to_a_palette_or_turned_into_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    first = render_map(holdfast(), position(BUSIEST), scale=SCALE)

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a picture was converted")

    monkeypatch.setattr(Image.Image, "quantize", refused)
    monkeypatch.setattr(Image.Image, "convert", refused)
    assert render_map(holdfast(), position(BUSIEST), scale=SCALE) == first
    with pytest.raises(AssertionError, match="converted"):  # it would have been noticed
        render_map(holdfast(), position("turn-05-allied"), scale=400)
