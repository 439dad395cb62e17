"""Where map and panel go on a picture of a given size."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from scenarios.data import Board, GameData
from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, size
from services.render.happened.places import Part
from services.render.panel.panel import Panel, no_panel, panel_of
from services.render.style import Sheet

MARGIN = 0.62
"""Ground around the hexes, in column steps."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's size; the map in its upper left part, with its hexes; the panel below or beside it. All in pixels."""

    size: tuple[int, int]
    map_size: tuple[int, int]
    lattice: Lattice
    panel: Panel


def lay_out(data: GameData, sheet: Sheet, scale: int) -> Layout:
    """The layout with the largest hexes of which the longer side is ``scale``. ValueError if no hexes fit.

    The panel lies under a board wider than high; it stands beside one higher than wide, as wide as it takes to fit.
    """
    for step in range(scale // 3 * 3, 2, -3):
        wide, high = _map_size(data.board, step)
        if max(wide, high) > scale:
            continue
        panel = panel_of(data, sheet, scale, step * 2 // 3)
        if high + panel.height <= scale:
            return _placed(data.board, step, (scale, high + panel.height), panel)
        for across in range(step * 10, scale - wide + 1, step // 3):
            panel = panel_of(data, sheet, across, step * 2 // 3)
            if panel.height <= max(high, scale if high >= wide + across else 0):
                return _beside(data, sheet, step, scale, across)
    raise ValueError(f"{data.board.columns} x {data.board.rows} hexes do not fit into {scale} pixels")


def _beside(data: GameData, sheet: Sheet, step: int, scale: int, across: int) -> Layout:
    """The map, and to its right a panel at least ``across`` pixels wide over the whole height."""
    wide, high = _map_size(data.board, step)
    picture = (wide + across, scale) if high >= wide + across else (scale, high)
    panel = panel_of(data, sheet, picture[0] - wide, step * 2 // 3).filled(picture[1])
    whole = _placed(data.board, step, (wide, picture[1]), no_panel(step * 2 // 3))
    return Layout(picture, whole.map_size, whole.lattice, panel.moved(0, wide))


def lay_bare(board: Board, scale: int) -> Layout:
    """The layout without a panel: the largest hexes with which the map's longer side is at most ``scale``. ValueError if no hexes fit."""
    for step in range(scale // 3 * 3, 2, -3):
        wide, high = _map_size(board, step)
        if wide <= scale and high <= scale:
            return lay_step(board, step, (scale, high) if wide >= high else (wide, scale))
    raise ValueError(f"{board.columns} x {board.rows} hexes do not fit into {scale} pixels")


def lay_step(board: Board, step: int, picture: tuple[int, int] | None = None) -> Layout:
    """The layout without a panel whose columns lie ``step`` pixels apart, on a picture of the size given or of just the map's."""
    return _placed(board, step, picture or _map_size(board, step), no_panel(step * 2 // 3))


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a map as a picture: its size in pixels, the column step of its hexes, and its middle in hex units."""

    size: tuple[int, int]
    step: int
    middle: tuple[float, float]


def window_of(part: Part, longer: int, bar: int) -> Window:
    """A picture of a part of a map, with ``bar`` pixels below it ``longer`` pixels on its longer side, and the largest hexes of which the
    whole part is seen."""
    shape = part.wide / (part.high * TALL)
    wide = min(longer, max(round((longer - bar) * shape), 1))
    size = (wide, max(round(wide / shape), 1))
    return Window(size, min(max(int(size[0] / part.wide) // 3 * 3, 3), MOST_STEP), part.middle)


def rectangle(first: Hex, last: Hex) -> Part:
    """The part of a map from the hex at its upper left to that at its lower right, with a little around them."""
    wide, high = last.col - first.col + 1.8, last.row - first.row + 2.0
    return Part(((first.col + last.col) / 2, (first.row + last.row) / 2 + 0.25), wide, high)


def seen_through(layout: Layout, window: Window) -> Layout:
    """The layout of what a window shows of a map drawn with its step; of all other hexes it says where outside the picture they lie.

    A map that is smaller than the window is shown whole.
    """
    across, down = layout.map_size
    wide, high = min(window.size[0], across), min(window.size[1], down)
    x, y = layout.lattice.point(*window.middle)
    left, top = min(max(round(x - wide / 2), 0), across - wide), min(max(round(y - high / 2), 0), down - high)
    grid = replace(layout.lattice, left=layout.lattice.left - left, top=layout.lattice.top - top)
    return Layout((wide, high), (wide, high), grid, layout.panel)


MOST_STEP = 240
"""The largest column step of a part of a map: hexes that would be larger show more around them."""
TALL = 2 / math.sqrt(3)
"""The step from row to row in column steps."""


def shape_of(longer: int, bar: int) -> float:
    """Height in rows of a part one column wide, of which the picture with ``bar`` pixels below is four by three."""
    return (round(longer * 3 / 4) - bar) / longer / TALL


def _row(step: int) -> int:
    return round(step / math.sqrt(3)) * 2


def _map_size(board: Board, step: int) -> tuple[int, int]:
    wide, high = size(board.columns, board.rows, step, _row(step))
    margin = 2 * round(MARGIN * step)
    return wide + margin, high + margin


def _placed(board: Board, step: int, picture: tuple[int, int], panel: Panel) -> Layout:
    across, down = picture[0], picture[1] - panel.height
    wide, high = size(board.columns, board.rows, step, _row(step))
    grid = Lattice(step, _row(step), (across - wide) // 2 + step * 2 // 3, (down - high) // 2 + _row(step) // 2)
    return Layout(picture, (across, down), grid, panel.moved(down))
