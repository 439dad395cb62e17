"""Small pieces of the map for the legend: each kind of ground, road, hexside, water and place, drawn by what draws the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

from PIL import Image

from scenarios.data import Board
from scenarios.hexes import Hex, Hexside
from services.render.board.country import paint_ground
from services.render.board.ground import Ground
from services.render.board.lines import draw_hexsides
from services.render.board.looks import FeatureLook, HexsideLook, LineLook, RoadLook
from services.render.board.names import place_symbol
from services.render.board.roads import draw_roads, draw_waters, road_courses
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Canvas
from services.render.style import Sheet

_COLUMNS, _ROWS = 5, 3
_MIDDLE = Hex(3, 2)
Finish = Callable[[Canvas, Board, Ground], None]
Lines = Mapping[str, tuple[tuple[tuple[float, float], ...], ...]]


def swatch(sheet: Sheet, size: tuple[int, int], radius: int, board: Board, finish: Finish | None = None) -> Canvas:
    """The middle of a small board, or of its hexsides if it has some, ``size`` pixels; ``finish`` draws what stands on its ground."""
    lattice = _lattice(radius)
    canvas = Canvas(_whole(lattice), sheet.palette, "sand")
    canvas.image.paste(_painted(sheet, next(iter(board.terrain.values()), ""), radius), (0, 0))
    if finish:
        finish(canvas, board, Ground(board, lattice, canvas.size))
    x, y = lattice.centre(_MIDDLE)
    left, top = x - size[0] // 2, y - size[1] // 2 - (lattice.row // 2 if board.hexsides else 0)
    cut = Canvas(size, sheet.palette, "sand")
    cut.image.paste(canvas.image.crop((left, top, left + size[0], top + size[1])), (0, 0))
    return cut


@lru_cache(maxsize=32)
def _painted(sheet: Sheet, terrain: str, radius: int) -> Image.Image:
    """The ground of a small board of one terrain: most signs of a legend stand on the same."""
    board, lattice = country(terrain), _lattice(radius)
    canvas = Canvas(_whole(lattice), sheet.palette, "sand")
    paint_ground(canvas, Ground(board, lattice, canvas.size), sheet.style)
    return canvas.image


def _lattice(radius: int) -> Lattice:
    column = max(radius * 3 // 6 * 3, 6)
    return Lattice(column, max(round(column / 3**0.5) * 2, 4), column, max(round(column / 3**0.5) * 2, 4))


def _whole(lattice: Lattice) -> tuple[int, int]:
    return (_COLUMNS + 1) * lattice.column, (_ROWS + 1) * lattice.row


def country(
    terrain: str,
    *,
    hexsides: Mapping[str, frozenset[Hexside]] | None = None,
    up_side: frozenset[str] = frozenset(),
    roads: Mapping[str, frozenset[Hexside]] | None = None,
    lines: Lines | None = None,
) -> Board:
    """A small board of one terrain, or of barred ground if it is empty."""
    hexes = {Hex(c, r): terrain for c in range(1, _COLUMNS + 1) for r in range(1, _ROWS + 2)} if terrain else {}
    return Board(_COLUMNS, _ROWS + 1, hexes, frozenset(), {}, hexsides or {}, up_side, roads or {}, {}, lines or {})


def with_road(kind: str, look: RoadLook, terrain: str) -> tuple[Board, Finish]:
    """A board that a road crosses."""
    chain = [Hex(1, 3), Hex(2, 2), _MIDDLE, Hex(4, 1), Hex(5, 1)]
    pairs = {Hexside(a, b) for a, b in pairwise(chain)}
    board = country(terrain, roads={kind: frozenset(pairs | {side.turned() for side in pairs})})

    def finish(canvas: Canvas, board: Board, ground: Ground) -> None:
        draw_roads(canvas, road_courses(board, kind, ground, look.wander), look, ground.lattice.radius)

    return board, finish


def with_hexside(kind: str, look: HexsideLook, terrain: str, up: bool) -> tuple[Board, Finish]:
    """A board with hexsides of a kind through its middle."""
    sides = {Hexside(Hex(3, 1), Hex(3, 2)), Hexside(Hex(2, 1), Hex(3, 2)), Hexside(Hex(4, 1), Hex(3, 2))}
    board = country(terrain, hexsides={kind: frozenset(sides)}, up_side=frozenset({kind} if up else ()))

    def finish(canvas: Canvas, board: Board, ground: Ground) -> None:
        draw_hexsides(canvas, board, kind, look, ground)

    return board, finish


def with_water(kind: str, look: LineLook, terrain: str) -> tuple[Board, Finish]:
    """A board that a river or a wadi crosses."""
    board = country(terrain, lines={kind: (((0.0, 1.9), (2.0, 2.2), (3.0, 1.9), (4.0, 2.15), (6.0, 1.9)),)})

    def finish(canvas: Canvas, board: Board, ground: Ground) -> None:
        draw_waters(canvas, board, kind, look, ground)

    return board, finish


def with_place(look: FeatureLook, terrain: str) -> tuple[Board, Finish]:
    """A board with a place in its middle."""

    def finish(canvas: Canvas, board: Board, ground: Ground) -> None:
        place_symbol(canvas, ground.lattice.centre(_MIDDLE), look.symbol, ground.lattice.radius)

    return country(terrain), finish
