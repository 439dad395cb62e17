"""A titled sheet that shows every kind of ground, water, hexside, road and place of a game's map on a sample board, with captions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from io import BytesIO

from scenarios.data import Board
from services.render.board.furniture import draw_frame, draw_rose
from services.render.board.looks import BoardStyle
from services.render.board.names import choose_names, draw_names
from services.render.board.samples import sample_board
from services.render.board.sheet import draw_sheet
from services.render.draw.geometry import Lattice, size
from services.render.draw.ink import Canvas, Plate, Stencil
from services.render.draw.lettering import fitted, write
from services.render.panel.swatches import Finish, country, swatch, with_hexside, with_place, with_road, with_water
from services.render.style import Sheet, style_sheet

_CAPTIONS, _HEAD = 0.25, 0.062
"""The shares of the sheet's width that the captions take, and the height of its title."""
_MARGIN = 0.62
"""Ground around the hexes, in column steps."""


def specimen(game: str, theme: str, scale: int) -> bytes:
    """The sheet as a PNG ``scale`` pixels wide.

    KeyError for a game without style sheet or sample, or a theme that it has not; ValueError if no hexes fit into the scale.
    """
    sheet, board = style_sheet(game, theme), sample_board(game)
    lattice, (wide, high) = _fit(board, round(scale * (1 - _CAPTIONS)))
    head = round(scale * _HEAD)
    canvas = Canvas((scale, head + high), sheet.palette, "paper")
    ground, places = draw_sheet(board, sheet, lattice, (wide, high), furnished=False)
    plate = Plate(sheet.palette.flatten(ground.image), sheet.palette)
    draw_names(plate, choose_names(places, ()))
    canvas.image.paste(sheet.palette.finish(plate.image).convert("RGB"), (0, head))
    _draw_head(canvas, sheet.style.board, head)
    _draw_captions(canvas, (wide, head, scale, head + high), sheet, lattice)
    out = BytesIO()
    sheet.palette.finish(sheet.palette.flatten(canvas.image)).save(out, "PNG", compress_level=5)
    return out.getvalue()


def _fit(board: Board, wide: int) -> tuple[Lattice, tuple[int, int]]:
    """The largest hexes with which a board fits a width, and the size of its map."""
    for step in range(wide // 3 * 3, 8, -3):
        row = round(step / math.sqrt(3)) * 2
        across, down = size(board.columns, board.rows, step, row)
        margin = round(_MARGIN * step)
        if across + 2 * margin <= wide:
            left = (wide - across) // 2
            return Lattice(step, row, left + step * 2 // 3, margin + row // 2), (wide, down + 2 * margin)
    raise ValueError(f"{board.columns} columns of hexes do not fit into {wide} pixels")


def _draw_head(canvas: Canvas, style: BoardStyle, high: int) -> None:
    """The game's title, and what the sheet is."""
    rule = Stencil((0, 0, canvas.size[0], high), 1)
    rule.polygon([(0, high - 2), (canvas.size[0], high - 2), (canvas.size[0], high), (0, high)])
    rule.onto(canvas, "rule")
    middle, pad = high * 0.5, high * 0.4
    write(canvas, (pad, middle), style.title.upper(), "title", round(high * 0.6), "ink", anchor="lm", spacing=round(high * 0.07))
    write(canvas, (canvas.size[0] - pad, middle), "The map and its signs", "title", round(high * 0.44), "town", anchor="rm")


_Piece = tuple[str, Board, Finish | None]


def _pieces(style: BoardStyle) -> Iterable[_Piece]:
    """Every kind that the style sheet names, with a small board that shows it."""
    plain = next(iter(style.terrain))
    for kind, terrain in style.terrain.items():
        if terrain.name:
            yield terrain.name, country(kind), None
    if style.waste.name:
        yield style.waste.name, country(""), None
    for kind, line in style.lines.items():
        yield line.name, *with_water(kind, line, plain)
    for kind, side in style.hexsides.items():
        yield side.name, *with_hexside(kind, side, plain, up=side.drawing in ("scarp", "cliff"))
    for kind, road in style.roads.items():
        yield road.name, *with_road(kind, road, plain)
    for place in style.features.values():
        if place.name:
            yield place.name, *with_place(place, plain)


def _draw_captions(canvas: Canvas, box: tuple[int, int, int, int], sheet: Sheet, lattice: Lattice) -> None:
    """A column of small pieces of map with their names, over a compass rose and a scale bar."""
    x0, y0, x1, y1 = box
    pieces = list(_pieces(sheet.style.board))
    pad, foot = round((x1 - x0) * 0.06), round((x1 - x0) * 0.42)
    step = min((y1 - y0 - foot - pad) / len(pieces), (x1 - x0) * 0.24)
    high = round(step * 0.84)
    wide = round(high * 1.7)
    room = x1 - x0 - wide - 3 * pad
    letters = min(fitted(name, "plain", max(round(high * 0.42), 9), room)[1] for name, _, _ in pieces)
    for k, (name, board, finish) in enumerate(pieces):
        top = y0 + pad + round(k * step)
        piece = swatch(sheet, (wide, high), max(round(high * 0.62), 12), board, finish)
        canvas.image.paste(piece.image, (x0 + pad, top))
        edge = Stencil((x0 + pad - 2, top - 2, x0 + pad + wide + 2, top + high + 2), 1)
        edge.ring([(x0 + pad - 1, top - 1), (x0 + pad + wide, top - 1), (x0 + pad + wide, top + high), (x0 + pad - 1, top + high)], 1)
        edge.onto(canvas, "rule")
        text, _ = fitted(name, "plain", letters, room)
        write(canvas, (x0 + 2 * pad + wide, top + high / 2), text, "plain", letters, "ink")
    r = round(foot / 3.8)
    draw_rose(canvas, (x0 + pad, y1 - foot, x0 + pad + foot, y1), sheet.style.board.bearing, r)
    _draw_scale(canvas, (x0 + pad + foot, y1 - foot, x1, y1), sheet.style.board, lattice)
    draw_frame(canvas, lattice)


def _draw_scale(canvas: Canvas, area: tuple[int, int, int, int], style: BoardStyle, lattice: Lattice) -> None:
    """How far a hex is, in two lines."""
    room = area[2] - area[0] - 2 * lattice.radius // 3
    far = f"{style.scale_per_hex:g} {style.scale_unit if style.scale_per_hex != 1 else style.scale_unit.rstrip('s')}"
    lines = ("A hex is", far)
    letters = min(fitted(line, "italic", max(lattice.radius // 2, 10), room)[1] for line in lines)
    for k, line in enumerate(lines):
        at = ((area[0] + area[2] - lattice.radius // 3) / 2, (area[1] + area[3]) / 2 + (k - 0.5) * letters * 1.3)
        write(canvas, at, fitted(line, "italic", letters, room)[0], "italic", letters, "ink", anchor="mm")
