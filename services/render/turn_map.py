"""A turn's map: base board, counters, what happened, and the panel, as one PNG."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from scenarios.data import GameData
from services.render.geometry import Lattice, lattice, size
from services.render.ink import Canvas, Plate
from services.render.names import Placed, choose_names, draw_names
from services.render.overlay import battles, draw_attacks, draw_ezoc, draw_flags, draw_losses, draw_moves, draw_results, moves
from services.render.panel import Panel, draw_panel, draw_panel_ground, panel_of
from services.render.pieces import draw_counters, place_counters
from services.render.sheet import draw_sheet
from services.render.style import Sheet, style_sheet
from services.render.views import View, hex_or_none, hexes

SMALLEST, LARGEST = 400, 6000
"""Limits of ``scale``."""
MOST_PIXELS = 24_000_000
KEPT_PIXELS = 48_000_000
"""How many pixels of base boards are kept between calls."""
MARGIN = 0.62
"""Ground around the hexes, in column steps."""


@dataclass(frozen=True, slots=True)
class Base:
    """A base board with its empty panel, ready to be drawn on: indices, where its hexes are, where the map ends, the panel's
    boxes, and where each name may stand."""

    indices: Image.Image
    lattice: Lattice
    map_size: tuple[int, int]
    panel: Panel
    names: list[list[Placed]]


def render_map(data: GameData, view: View, *, scale: int = 2400, theme: str = "light") -> bytes:
    """A PNG of the position in ``view`` with what its events tell, ``scale`` pixels on its longer side.

    Equal arguments give equal bytes.  ValueError if the scale or the picture's size is out of bounds, or the scenario unknown;
    KeyError if the game has no such theme.
    """
    if not SMALLEST <= scale <= LARGEST:
        raise ValueError(f"scale must lie between {SMALLEST} and {LARGEST}")
    sheet = style_sheet(data.key, theme)
    base = _base(data, sheet, scale)
    plate = Plate(base.indices.copy(), sheet.palette)
    draw_position(plate, data, view, sheet, base)
    draw_panel(plate, base.panel, data, view, sheet)
    return png(sheet, plate.image)


def png(sheet: Sheet, indices: Image.Image) -> bytes:
    """Indices as a PNG file without metadata."""
    out = BytesIO()
    sheet.palette.finish(indices).save(out, "PNG", compress_level=6)
    return out.getvalue()


def draw_position(plate: Plate, data: GameData, view: View, sheet: Sheet, base: Base) -> None:
    """The map's part of a turn: ZOC, movements, battles, counters, losses, control."""
    at, style = base.lattice, sheet.style
    fights = battles(view.events)
    pieces = place_counters(data, view, sheet, at, base.map_size)
    names = choose_names(base.names, pieces.areas)
    draw_ezoc(plate, hexes(view.own.get("ezoc")), at)
    draw_moves(plate, moves(view.events, style.sides), at, style)
    draw_names(plate, names)
    control = view.own.get("control")
    changed = frozenset(filter(None, (hex_or_none(event.data.get("hex")) for event in view.events if event.kind == "control_changed")))
    draw_flags(plate, control if isinstance(control, dict) else {}, changed, names, style)
    draw_counters(plate, pieces, sheet)
    draw_attacks(plate, fights, at)
    draw_losses(plate, view.events, at)
    draw_results(plate, fights, at, [*pieces.areas, *(name.area for name in names)])


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
    board = data.board
    grid = lattice(board.columns, board.rows, scale, scale, MARGIN)
    panel = panel_of(data, sheet, scale, grid.radius)
    high = size(board.columns, board.rows, grid.column, grid.row)[1] + round(2 * MARGIN * grid.column)
    if scale * (high + panel.height) > MOST_PIXELS:
        raise ValueError(f"a map of {scale} x {high + panel.height} pixels is too large: at most {MOST_PIXELS} pixels")
    wide = size(board.columns, board.rows, grid.column, grid.row)[0]
    placed = Lattice(grid.column, grid.row, (scale - wide) // 2 + grid.radius, round(MARGIN * grid.column) + grid.row // 2)
    canvas = Canvas((scale, high + panel.height), sheet.palette, "paper")
    map_sheet, names = draw_sheet(board, sheet, placed, (scale, high))
    canvas.image.paste(map_sheet.image, (0, 0))
    panel = panel.moved(high)
    draw_panel_ground(canvas, panel, data, sheet)
    return Base(sheet.palette.flatten(canvas.image), placed, (scale, high), panel, names)
