"""Palettes, and drawing on a picture that stays in indices."""

from __future__ import annotations

import pytest
from PIL import Image

from services.render.draw.ink import Plate, Stencil
from services.render.draw.palette import Palette, rgb
from services.render.style import style_sheet, themes

GREYS = Palette({"white": "#ffffff", "black": "#000000", "red": "#ff0000"}, (("black", "white", 2),))


def test_a_ramp_lies_evenly_between_its_ends() -> None:
    assert GREYS.colours == ((255, 255, 255), (0, 0, 0), (255, 0, 0), (85, 85, 85), (170, 170, 170))


def test_a_soft_edge_mixes_what_lies_below_with_what_is_drawn() -> None:
    plate = Plate(Image.new("L", (4, 1), GREYS.index("white")), GREYS)
    mask = Image.frombytes("L", (4, 1), bytes([0, 85, 170, 255]))
    plate.ink(mask, (0, 0), "black")
    assert list(plate.image.tobytes()) == [0, 4, 3, 1]  # white, light grey, dark grey, black


def test_ink_beyond_the_edge_is_cut_off() -> None:
    plate = Plate(Image.new("L", (3, 3), GREYS.index("white")), GREYS)
    plate.ink(Image.new("L", (4, 4), 255), (-2, -2), "red")
    plate.ink(Image.new("L", (4, 4), 255), (9, 9), "red")
    assert [plate.image.getpixel((k, k)) for k in range(3)] == [2, 2, 0]


def test_too_many_colours_and_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="65 colours"):
        Palette({f"c{k}": f"#0000{k:02x}" for k in range(65)}, ())
    with pytest.raises(ValueError, match="no colour: green"):
        Palette({"red": "#ff0000"}, (("red", "green", 1),))
    with pytest.raises(ValueError, match="not a colour"):
        rgb("red")


def test_flattening_keeps_named_colours() -> None:
    picture = Image.new("RGB", (1, 1), GREYS.named["red"])
    assert GREYS.flatten(picture).tobytes() == bytes([GREYS.index("red")])


def test_a_stencil_covers_what_is_drawn_and_nothing_else() -> None:
    stencil = Stencil((10, 10, 20, 20))
    stencil.polygon([(12, 12), (16, 12), (16, 16), (12, 16)])
    mask = stencil.mask()
    assert (mask.getpixel((3, 3)), mask.getpixel((8, 8))) == (255, 0)


def luminance(colour: tuple[int, int, int]) -> float:
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", themes("holdfast"))
def test_what_is_written_on_counters_stands_out(theme: str) -> None:
    sheet = style_sheet("holdfast", theme)
    named = sheet.palette.named
    for nation in sheet.style.counters.nations.values():
        assert contrast(named[nation.text], named[nation.label]) >= 4.5
    assert contrast(named["ink"], named["paper"]) >= 4.5
    for side in sheet.style.sides.values():
        assert contrast(named[side.on], named[side.face]) >= 4.5


@pytest.mark.parametrize("theme", themes("holdfast"))
def test_the_sides_differ_in_lightness_too(theme: str) -> None:
    sheet = style_sheet("holdfast", theme)
    axis, allied = (sheet.palette.named[side.face] for side in sheet.style.sides.values())
    assert contrast(axis, allied) >= 1.5
