"""A turn's map: base board, counters, what happened, and the panel, as one PNG."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Literal

import msgspec
from PIL import Image

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.render.board.art import sheet_of
from services.render.board.names import Placed, choose_names
from services.render.board.sheet import draw_sheet, lay_art
from services.render.caption import bar_height, caption_of, draw_caption
from services.render.counters.pieces import draw_counters, draw_strings, held_by, place_counters
from services.render.counters.trays import corners
from services.render.counters.wrecks import draw_wrecks
from services.render.draw.ink import Canvas, Plate
from services.render.draw.room import Area
from services.render.happened.front import front
from services.render.happened.losses import losses
from services.render.happened.overlay import crossed_out, draw_over, draw_under
from services.render.happened.places import Part
from services.render.layout import Layout, lay_bare, lay_out, lay_step, rectangle, seen_through, shape_of, window_of
from services.render.panel.compact import compact_height, draw_compact
from services.render.panel.panel import draw_panel, draw_panel_ground
from services.render.style import Sheet
from services.render.views import View

SMALLEST, LARGEST = 400, 4000
"""Limits of ``scale``: a larger picture would keep others waiting for more than some seconds."""
MOST_PIXELS = 16_000_000
FRONT_COLUMNS = (0, 2, 4, 7)
"""How many columns of hexes more than its style says the picture of the main front may show."""
_CROWDED = 3
"""So many of the widths of a picture are tried to have room for trays: what is wider cannot be read on a phone."""
KEPT_PIXELS = 48_000_000
"""How many pixels of base boards are kept between calls."""


@dataclass(frozen=True, slots=True)
class Base:
    """A base board with its empty panel, ready to be drawn on: indices, the layout, where each name may stand, and the rectangles of title,
    compass rose and scale bar."""

    indices: Image.Image
    layout: Layout
    names: list[list[Placed]]
    furniture: tuple[Area, ...] = ()


@dataclass(frozen=True, slots=True)
class Framing:
    """What of a game is on a picture. ``crop``: the main front, the part between two hexes (upper left, lower right), or None for the whole
    map; ``panel``: with the panel, which only the whole map has; ``planned``: movements and attacks are not made yet."""

    crop: Literal["front"] | tuple[Hex, Hex] | None = None
    panel: bool = True
    planned: bool = False


WHOLE = Framing()


def render_map(data: GameData, view: View, *, scale: int = 2400, theme: str = "light", framing: Framing = WHOLE) -> bytes:
    """A PNG of the position in ``view`` with what its events tell, ``scale`` pixels on its longer side (less if the map has no more).

    Equal arguments give equal bytes.  ValueError if the scale or the picture's size is out of bounds, or the scenario unknown;
    KeyError if the game has no such theme.
    """
    check_scale(scale)
    data = own_turns(data, view.scenario)
    sheet = sheet_of(data, theme)
    base = base_of(data, view, sheet, scale, framing)
    plate = Plate(base.indices.copy(), sheet.palette)
    draw_position(plate, data, view, sheet, base, framing.planned)
    if base.layout.panel.boxes:
        draw_panel(plate, base.layout.panel, data, view, sheet)
    else:
        draw_foot(plate, data, view, sheet, base, framing)
    return png(sheet, plate.image)


def own_turns(data: GameData, scenario: str) -> GameData:
    """The game with the game-turns of a scenario alone, so that its turn record shows no others."""
    found = data.scenarios.get(scenario)
    turns = data.turns[found.first_turn - 1 : found.last_turn] if found is not None else data.turns
    if found is None or len(turns) == len(data.turns):
        return data
    return replace(data, turns=turns, scenarios={scenario: replace(found, first_turn=1)}, digest=f"{data.digest} {scenario}")


def draw_foot(plate: Plate, data: GameData, view: View, sheet: Sheet, base: Base, framing: Framing) -> None:
    """What stands below a map without a panel: the strip for phones below the main front, else a line that says what is seen."""
    foot = (0, base.layout.map_size[1], *base.layout.size)
    if framing.crop == "front":
        draw_compact(plate, foot, data, view, sheet)
    else:
        draw_caption(plate, caption_of(data, view), foot)


def check_scale(scale: int) -> None:
    """ValueError if a picture may not be so large or so small."""
    if not SMALLEST <= scale <= LARGEST:
        raise ValueError(f"scale must lie between {SMALLEST} and {LARGEST}")


def base_of(data: GameData, view: View, sheet: Sheet, scale: int, framing: Framing) -> Base:
    """The ground for a picture: the whole map with the panel, or without one a map or a part of it above a line for its caption."""
    if framing.crop is not None:
        if framing.crop == "front":
            high = compact_height(scale)
            return cropped(
                data,
                sheet,
                front_of(data, view, sheet, tuple(sheet.style.board.front + more for more in FRONT_COLUMNS), (scale, high)),
                scale,
                high,
            )
        return cropped(data, sheet, rectangle(*framing.crop), scale, bar_height(scale))
    if framing.panel:
        return _base(data, sheet, scale)
    return bare(data, sheet, scale, bar_height(scale))


def bare(data: GameData, sheet: Sheet, scale: int, bar: int) -> Base:
    """The whole map without a panel, with ``bar`` pixels free below it."""
    return _with_bar(_kept_or((data.digest, sheet.digest, -scale), lambda: _drawn(data, sheet, lay_bare(data.board, scale))), bar)


def front_of(data: GameData, view: View, sheet: Sheet, widths: tuple[int, ...], room: tuple[int, int]) -> Part:
    """The main front, as wide as the least of ``widths`` (in columns) that shows it and has place for all its counters.

    ``room``: the picture's longer side and how many pixels are kept free below it.
    """
    shape = shape_of(*room)
    part = front(view, data.board, widths, shape)
    for wider in sorted(widths)[:_CROWDED]:
        layout = _laid(data, part, *room)
        if not place_counters(data, clipped(view, layout), sheet, layout.lattice, layout.map_size).crowded:
            break
        part = front(view, data.board, [wider], shape) if wider > part.wide else part
    return part


def _laid(data: GameData, part: Part, longer: int, bar: int) -> Layout:
    window = window_of(part, longer, bar)
    return seen_through(lay_step(data.board, window.step), window)


def cropped(data: GameData, sheet: Sheet, part: Part, longer: int, bar: int) -> Base:
    """The ground of a part of the map, with ``bar`` pixels free below it."""
    layout = _laid(data, part, longer, bar)
    key = (data.digest, sheet.digest, f"{layout.lattice} {layout.map_size}")
    return _with_bar(_kept_or(key, lambda: _drawn(data, sheet, layout, furnished=False)), bar)


def _with_bar(base: Base, bar: int) -> Base:
    wide, high = base.layout.map_size
    picture = Image.new("L", (wide, high + bar))
    picture.paste(base.indices, (0, 0))
    return Base(picture, replace(base.layout, size=picture.size), base.names, base.furniture)


def png(sheet: Sheet, indices: Image.Image) -> bytes:
    """Indices as a PNG file without metadata."""
    out = BytesIO()
    # Packing takes half the time of a map: one level more makes files a twelfth smaller and takes half as long again.
    sheet.palette.finish(indices).save(out, "PNG", compress_level=5)
    return out.getvalue()


def draw_position(plate: Plate, data: GameData, view: View, sheet: Sheet, base: Base, planned: bool = False) -> None:
    """The map's part of a turn: ZOC, supply, movements, battles, counters, losses, control."""
    at, area = base.layout.lattice, base.layout.map_size
    seen = clipped(view, base.layout)
    pieces = place_counters(data, seen, sheet, at, area, base.furniture)
    names = choose_names(base.names, [*pieces.areas, *crossed_out(view, at)])
    draw_strings(plate, pieces)
    draw_under(plate, view, at, sheet.style, names, pieces.squares(at), planned)
    wrecks = draw_wrecks(plate, view, sheet, at, pieces.side, pieces.squares(at), (where for where, _ in losses(view.events)))
    draw_counters(plate, pieces, sheet)
    taken = [*pieces.areas, *wrecks, *(name.area for name in names)]
    draw_over(plate, view, at, sheet.style, pieces.squares(at), taken, area, planned)


@dataclass(frozen=True, slots=True)
class TrayBoxes:
    """Where a stack is fanned out: its tray, and of each counter in it the number among the counters of the view, and the box."""

    tray: Area
    counters: tuple[tuple[int, Area], ...]


def tray_boxes(data: GameData, view: View, *, scale: int, theme: str) -> dict[Hex, TrayBoxes]:
    """Where the trays of a bare turn map lie (``render_map`` of the whole map without its panel). Raises like ``render_map``."""
    check_scale(scale)
    data = own_turns(data, view.scenario)
    sheet = sheet_of(data, theme)
    base = base_of(data, view, sheet, scale, Framing(panel=False))
    pieces = place_counters(data, clipped(view, base.layout), sheet, base.layout.lattice, base.layout.map_size, base.furniture)
    held, side = held_by(data, view, sheet), pieces.side
    found = {}
    for stack in pieces.stacks:
        at = base.layout.lattice.hex_at(*stack.middle)
        if stack.tray is not None:
            boxes = [(float(x), float(y), float(x + side), float(y + side)) for x, y in corners(stack.tray, stack.looks, side)]
            found[at] = TrayBoxes(stack.tray, tuple((number, box) for (number, _), box in zip(held[at], boxes, strict=False)))
    return found


def clipped(view: View, layout: Layout) -> View:
    """The view without the counters of hexes whose middle is not on the picture of a part of the map."""
    shown = [one for one in view.counters if one.hex is None or on_map(layout, one.hex)]
    return msgspec.structs.replace(view, counters=shown)


def on_map(layout: Layout, at: Hex) -> bool:
    """Whether the middle of a hex lies on the map's part of a picture."""
    x, y = layout.lattice.centre(at)
    return 0 <= x < layout.map_size[0] and 0 <= y < layout.map_size[1]


_lock = threading.Lock()
_kept: OrderedDict[tuple[str, str, int | str], Base] = OrderedDict()


def _base(data: GameData, sheet: Sheet, scale: int) -> Base:
    """The base board with its panel for a game, style and scale."""
    return _kept_or((data.digest, sheet.digest, scale), lambda: draw_base(data, sheet, scale))


def _kept_or(key: tuple[str, str, int | str], draw: Callable[[], Base]) -> Base:
    """A base board from the cache, or drawn and kept while there is room."""
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    base = draw()
    with _lock:
        _kept[key] = base
        while len(_kept) > 1 and sum(one.indices.width * one.indices.height for one in _kept.values()) > KEPT_PIXELS:
            _kept.popitem(last=False)
    return base


def draw_base(data: GameData, sheet: Sheet, scale: int) -> Base:
    """The base board with its panel, drawn. ValueError if it would be too large or its hexes too small."""
    return _drawn(data, sheet, lay_out(data, sheet, scale))


def _drawn(data: GameData, sheet: Sheet, layout: Layout, *, furnished: bool = True) -> Base:
    if layout.size[0] * layout.size[1] > MOST_PIXELS:
        raise ValueError(f"a map of {layout.size[0]} x {layout.size[1]} pixels is too large: at most {MOST_PIXELS} pixels")
    canvas = Canvas(layout.size, sheet.palette, "paper")
    furniture: list[Area] = []
    if data.art is None:
        map_sheet, names = draw_sheet(data.board, sheet, layout.lattice, layout.map_size, furnished=furnished, furniture=furniture)
    else:
        map_sheet, names = lay_art(data.board, data.art, sheet, layout.lattice, layout.map_size)
    canvas.image.paste(map_sheet.image, (0, 0))
    if layout.panel.boxes:
        draw_panel_ground(canvas, layout.panel, data, sheet)
    seen = [spots for spots in names if on_map(layout, spots[0].hex)]
    return Base(sheet.palette.flatten(canvas.image), layout, seen, tuple(furniture))
