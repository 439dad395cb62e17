"""A turn's map: base board, counters, what happened, and the panel, as one PNG."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from scenarios.data import GameData
from services.render.board.art import sheet_of
from services.render.board.names import Placed, choose_names
from services.render.board.sheet import draw_sheet, lay_art
from services.render.counters.pieces import draw_counters, place_counters
from services.render.draw.ink import Canvas, Plate
from services.render.happened.overlay import draw_over, draw_under
from services.render.layout import Layout, lay_out
from services.render.panel.panel import draw_panel, draw_panel_ground
from services.render.style import Sheet
from services.render.views import View

SMALLEST, LARGEST = 400, 6000
"""Limits of ``scale``."""
MOST_PIXELS = 24_000_000
KEPT_PIXELS = 48_000_000
"""How many pixels of base boards are kept between calls."""


@dataclass(frozen=True, slots=True)
class Base:
    """A base board with its empty panel, ready to be drawn on: indices, the layout, and where each name may stand."""

    indices: Image.Image
    layout: Layout
    names: list[list[Placed]]


def render_map(data: GameData, view: View, *, scale: int = 2400, theme: str = "light") -> bytes:
    """A PNG of the position in ``view`` with what its events tell, ``scale`` pixels on its longer side.

    Equal arguments give equal bytes.  ValueError if the scale or the picture's size is out of bounds, or the scenario unknown;
    KeyError if the game has no such theme.
    """
    if not SMALLEST <= scale <= LARGEST:
        raise ValueError(f"scale must lie between {SMALLEST} and {LARGEST}")
    sheet = sheet_of(data, theme)
    base = _base(data, sheet, scale)
    plate = Plate(base.indices.copy(), sheet.palette)
    draw_position(plate, data, view, sheet, base)
    draw_panel(plate, base.layout.panel, data, view, sheet)
    return png(sheet, plate.image)


def png(sheet: Sheet, indices: Image.Image) -> bytes:
    """Indices as a PNG file without metadata."""
    out = BytesIO()
    sheet.palette.finish(indices).save(out, "PNG", compress_level=5)
    return out.getvalue()


def draw_position(plate: Plate, data: GameData, view: View, sheet: Sheet, base: Base) -> None:
    """The map's part of a turn: ZOC, movements, battles, counters, losses, control."""
    at = base.layout.lattice
    pieces = place_counters(data, view, sheet, at, base.layout.map_size)
    names = choose_names(base.names, pieces.areas)
    draw_under(plate, view, at, sheet.style, names)
    draw_counters(plate, pieces, sheet)
    draw_over(plate, view, at, [*pieces.areas, *(name.area for name in names)])


_lock = threading.Lock()
_kept: OrderedDict[tuple[str, str, int], Base] = OrderedDict()


def _base(data: GameData, sheet: Sheet, scale: int) -> Base:
    """The base board for a game, style and scale: from the cache, or drawn and kept while there is room."""
    key = (data.digest, sheet.digest, scale)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    base = draw_base(data, sheet, scale)
    with _lock:
        _kept[key] = base
        while len(_kept) > 1 and sum(one.indices.width * one.indices.height for one in _kept.values()) > KEPT_PIXELS:
            _kept.popitem(last=False)
    return base


def draw_base(data: GameData, sheet: Sheet, scale: int) -> Base:
    """The base board, drawn. ValueError if it would be too large or its hexes too small."""
    layout = lay_out(data, sheet, scale)
    if layout.size[0] * layout.size[1] > MOST_PIXELS:
        raise ValueError(f"a map of {layout.size[0]} x {layout.size[1]} pixels is too large: at most {MOST_PIXELS} pixels")
    canvas = Canvas(layout.size, sheet.palette, "paper")
    if data.art is None:
        map_sheet, names = draw_sheet(data.board, sheet, layout.lattice, layout.map_size)
    else:
        map_sheet, names = lay_art(data.board, data.art, sheet, layout.lattice, layout.map_size)
    canvas.image.paste(map_sheet.image, (0, 0))
    draw_panel_ground(canvas, layout.panel, data, sheet)
    return Base(sheet.palette.flatten(canvas.image), layout, names)
