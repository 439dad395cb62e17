"""An owner's map art: his hexes lie where ours do, in his colours, and everything of a turn is drawn upon them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from scenarios.data import GameData, MapArt
from scenarios.hexes import Hex, parse_hex
from services.render.app import create_app
from services.render.board.art import read_art, sheet_of
from services.render.config import Config
from services.render.draw.palette import LIMIT
from services.render.style import style_sheet
from services.render.turn_map import draw_base, render_map
from tests.render.boards import holdfast, moved, own, view

GROUND, MARK = (60, 110, 160), (250, 20, 230)
MARKED = ("0210", "1803", "2809", "3907")
ART = MapArt(Path(), (2000, 1300), (52.5, 61.0), (48.0, 84.5), "one")


def sheet_with(folder: Path, art: MapArt = ART, marked: tuple[str, ...] = MARKED) -> GameData:
    """Holdfast on a picture of one colour on which the hexes named are marked, its coordinates those of ``art``."""
    picture = Image.new("RGB", art.size, GROUND)
    draw = ImageDraw.Draw(picture)
    for name in marked:
        x, y = art.centre(parse_hex(name))
        draw.ellipse((x - 14, y - 14, x + 14, y + 14), fill=MARK)
    path = folder / "sheet.png"
    picture.save(path)
    return replace(holdfast(), art=replace(art, picture=path, digest=f"{art.origin}{art.spacing}{marked}"))


def near(colour: tuple[int, ...], wanted: tuple[int, int, int]) -> bool:
    return all(abs(a - b) < 12 for a, b in zip(colour, wanted, strict=True))


@pytest.mark.parametrize("art", [ART, replace(ART, size=(5100, 3300), origin=(190.0, 230.5), spacing=(121.25, 200.0))])
@pytest.mark.parametrize("scale", [1000, 2000])
def test_each_hex_of_the_picture_lies_under_ours(tmp_path: Path, art: MapArt, scale: int) -> None:
    data = sheet_with(tmp_path, art)
    sheet = sheet_of(data, "light")
    base = draw_base(data, sheet, scale)
    shown = sheet.palette.finish(base.indices).convert("RGB")
    at = base.layout.lattice.centre
    for name in MARKED:
        x, y = at(parse_hex(name))
        assert near(shown.getpixel((x, y)), MARK), name
    for other in ("0110", "1802", "2810", "3906"):
        x, y = at(parse_hex(other))
        assert near(shown.getpixel((x, y)), GROUND), other


def test_the_picture_has_colours_of_its_own_and_what_is_drawn_upon_it_keeps_its(tmp_path: Path) -> None:
    plain, sheet = style_sheet("holdfast", "light"), sheet_of(sheet_with(tmp_path), "light")
    assert sheet.palette.named.items() >= plain.palette.named.items()
    assert len(sheet.palette.colours) <= LIMIT
    assert sheet.palette.colours[sheet.palette.nearest(MARK)] not in plain.palette.colours
    assert sheet_of(holdfast(), "light") is plain


def test_a_turn_is_drawn_upon_the_picture_and_equal_arguments_give_equal_bytes(tmp_path: Path) -> None:
    data = sheet_with(tmp_path)
    empty, held = view([]), view([own("21PZ", "1010")], [moved("axis", "G1", "0810", "0910", "1010")])
    one, other = (Image.open(BytesIO(render_map(data, seen, scale=1200))).convert("RGB") for seen in (empty, held))
    assert one.size == other.size == Image.open(BytesIO(render_map(holdfast(), empty, scale=1200))).size
    lattice = draw_base(data, sheet_of(data, "light"), 1200).layout.lattice
    for name in ("1010", "0810"):
        x, y = lattice.centre(Hex(int(name[:2]), int(name[2:])))
        box = (x - 6, y - 6, x + 6, y + 6)
        assert one.crop(box).tobytes() != other.crop(box).tobytes()
    assert render_map(data, held, scale=1200) == render_map(data, held, scale=1200)
    assert render_map(data, held, scale=1200) != render_map(holdfast(), held, scale=1200)


def test_a_picture_smaller_than_the_map_leaves_paper_around_it_and_numbers_can_be_left_out(tmp_path: Path) -> None:
    small = replace(ART, size=(1925, 1225), origin=(26.5, 42.0))
    data = sheet_with(tmp_path, small)
    sheet = sheet_of(data, "light")
    numbered = draw_base(data, sheet, 2000)
    assert data.art is not None
    bare = draw_base(replace(data, art=replace(data.art, numbers=False)), sheet, 2000)
    assert numbered.indices.tobytes() != bare.indices.tobytes()
    shown = sheet.palette.finish(bare.indices).convert("RGB")
    x, y = bare.layout.lattice.centre(parse_hex("0101"))
    margin = bare.layout.lattice.radius // 2
    assert near(shown.getpixel((x, y)), GROUND)
    assert shown.getpixel((margin, y)) == sheet.palette.named["paper"]


def test_a_service_does_not_start_over_a_picture_that_cannot_be_read(tmp_path: Path) -> None:
    data = sheet_with(tmp_path)
    assert data.art is not None
    assert read_art(data.art).size == data.art.size
    whole = data.art.picture.read_bytes()
    data.art.picture.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"map art .*sheet\.png cannot be read: .*truncated"):
        create_app(Config(), {"holdfast": data})
    with pytest.raises(ValueError, match="cannot be read: 2000 x 1300 pixels now"):
        read_art(replace(data.art, size=(2000, 1301)))
    data.art.picture.unlink()
    with pytest.raises(ValueError, match="cannot be read"):
        read_art(data.art)
