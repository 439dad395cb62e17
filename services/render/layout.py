"""Where map and panel go on a picture of a given size."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scenarios.data import Board, GameData
from services.render.draw.geometry import Lattice, size
from services.render.panel.panel import Panel, panel_of
from services.render.style import Sheet

MARGIN = 0.62
"""Ground around the hexes, in column steps."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's size; the map on its upper part, with its hexes; the panel below it. All in pixels."""

    size: tuple[int, int]
    map_size: tuple[int, int]
    lattice: Lattice
    panel: Panel


def lay_out(data: GameData, sheet: Sheet, scale: int) -> Layout:
    """The layout with the largest hexes of which the longer side is ``scale``. ValueError if no hexes fit.

    A board wider than high takes the whole width; a high one takes the whole height, and the panel wraps under it.
    """
    for step in range(scale // 3 * 3, 2, -3):
        wide, high = _map_size(data.board, step)
        if wide > scale:
            continue
        across = scale if wide > 1.25 * high else wide
        panel = panel_of(data, sheet, across, step * 2 // 3)
        if high + panel.height <= scale:
            return _placed(data.board, step, (across, high + panel.height if across == scale else scale), panel)
    raise ValueError(f"{data.board.columns} x {data.board.rows} hexes do not fit into {scale} pixels")


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
