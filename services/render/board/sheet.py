"""The map sheet: everything on a board that does not change from turn to turn, drawn once and kept."""

from __future__ import annotations

from PIL import Image

from scenarios.data import Board, MapArt
from scenarios.hexes import Hex
from services.render.board.art import paint_art
from services.render.board.country import paint_ground
from services.render.board.furniture import draw_entries, draw_frame, draw_furniture
from services.render.board.ground import Ground
from services.render.board.lines import draw_hexsides
from services.render.board.names import Placed, along_side, draw_places, name_places
from services.render.board.roads import draw_bridges, draw_roads, draw_waters, road_courses
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Canvas, Stencil, bounds
from services.render.draw.lettering import width, write
from services.render.draw.room import Area, Crowd, around
from services.render.style import Sheet, Style


def draw_sheet(
    board: Board, sheet: Sheet, lattice: Lattice, size: tuple[int, int], *, furnished: bool = True, furniture: list[Area] | None = None
) -> tuple[Canvas, list[list[Placed]]]:
    """The map of a board, ``size`` pixels, hexes where ``lattice`` says; and where its names may stand.

    ``furnished``: with title, compass rose, scale bar, and the names of seas and country. ``furniture``: the rectangles of the first three
    are added to it.
    """
    style = sheet.style
    canvas = Canvas(size, sheet.palette, "sand")
    ground = Ground(board, lattice, size)
    paint_ground(canvas, ground, style)
    waters = [course for kind, look in style.board.lines.items() for course in draw_waters(canvas, board, kind, look, ground)]
    _draw_grid(canvas, board, lattice)
    for kind, side in style.board.hexsides.items():
        draw_hexsides(canvas, board, kind, side, ground)
    courses: list[list[Point]] = []
    for kind, road in reversed(style.board.roads.items()):
        found = road_courses(board, kind, ground, road.wander)
        draw_roads(canvas, found, road, lattice.radius)
        courses += found
    draw_bridges(canvas, courses, waters, lattice.radius)
    taken = _draw_lettered(canvas, lattice, style) if furnished else []
    numbers = _draw_numbers(canvas, board, ground, _busy(ground, style, [*courses, *waters]))
    draw_places(canvas, board, ground, style)
    taken += draw_entries(canvas, board, lattice, style.board)
    if furnished:
        stands = draw_furniture(canvas, board, lattice, style.board, taken)
        taken += stands
        if furniture is not None:
            furniture += stands
    margin = lattice.radius * 0.35
    frame = (margin, margin, size[0] - margin, size[1] - margin)
    names = name_places(board, ground, style, taken, numbers, frame)
    draw_frame(canvas, lattice)
    return canvas, names


def lay_art(board: Board, art: MapArt, sheet: Sheet, lattice: Lattice, size: tuple[int, int]) -> tuple[Canvas, list[list[Placed]]]:
    """An owner's picture in place of the drawn map, with our hex numbers, by which orders go. Of names only those of places whose control
    counts are put, for their flags."""
    canvas = Canvas(size, sheet.palette, "paper")
    paint_art(canvas, art, lattice)
    ground = Ground(board, lattice, size)
    numbers = _draw_numbers(canvas, board, ground) if art.numbers else []
    margin = lattice.radius * 0.35
    frame = (margin, margin, size[0] - margin, size[1] - margin)
    names = name_places(board, ground, sheet.style, (), numbers, frame)
    draw_frame(canvas, lattice)
    return canvas, [spots for spots in names if any(spot.flag is not None for spot in spots)]


def _draw_grid(canvas: Canvas, board: Board, lattice: Lattice) -> None:
    """Hex outlines: plain on land, faint on water. One outline is drawn and pasted at every hex, so that all are alike and pack well."""
    centre = lattice.centre(Hex(1, 1))
    corners = lattice.corners(Hex(1, 1))
    stencil = Stencil(bounds(corners, 2), 4)
    stencil.ring(corners, max(lattice.radius * 0.03, 0.9))
    ring = stencil.mask()
    dx, dy = stencil.at[0] - centre[0], stencil.at[1] - centre[1]
    land, water = Image.new("L", canvas.size), Image.new("L", canvas.size)
    for col in range(1, board.columns + 1):
        for row in range(1, board.rows + 1):
            at = Hex(col, row)
            x, y = lattice.centre(at)
            (water if at in board.sea else land).paste(ring, (round(x + dx), round(y + dy)), ring)
    canvas.ink(water, (0, 0), "shallow", 0.6)
    canvas.ink(land, (0, 0), "grid", 0.9)


def _busy(ground: Ground, style: Style, courses: list[list[Point]]) -> Crowd:
    """Where roads, waters and what stands on hexsides would cross a hex number."""
    r = ground.lattice.radius
    lines = [around(spot, 0.2 * r, 0.2 * r) for course in courses for spot in course]
    walls = [area for kind in style.board.hexsides for side in ground.board.hexsides.get(kind, ()) for area in along_side(ground, side)]
    return Crowd(ground.size, max(r // 8, 1), lines + walls)


def _draw_numbers(canvas: Canvas, board: Board, ground: Ground, busy: Crowd | None = None) -> list[Area]:
    """The hex numbers at the head of every hex that can be entered; the rectangles that they take.

    On our own sheet they have a halo over waters, and where it is ``busy``.
    """
    lattice = ground.lattice
    size = max(round(lattice.radius * 0.27), 6)
    if lattice.radius < 14:
        return []
    areas = []
    for at in sorted(board.terrain):
        x, y = lattice.centre(at)
        top = y - lattice.row / 2 + lattice.radius * 0.07
        text = board.label(at)
        half = width(text, "plain", size) / 2
        area = (x - half, top, x + half, top + size * 0.75)
        halo = None
        if busy is not None:
            wet = not ground.dry(x, top + size * 0.4, size * 0.8)
            halo = "halo" if busy.share(area) > 0.1 else "shallow" if wet else None
        write(canvas, (x, top), text, "plain", size, "number", anchor="mt", halo=halo, stroke=1)
        areas.append(area)
    return areas


def _draw_lettered(canvas: Canvas, lattice: Lattice, style: Style) -> list[Area]:
    """The names of seas and of country, spaced wide."""
    areas = []
    for name in style.board.lettered:
        size = max(round(name.size * lattice.radius), 6)
        spacing = round(name.spacing * lattice.radius)
        x, y = lattice.point(name.u, name.v)
        if not (0 <= x < canvas.size[0] and 0 <= y < canvas.size[1]):
            continue  # a name of the whole map, on a sheet of a part of it
        write(canvas, (x, y), name.text, name.face, size, name.colour, anchor="mm", spacing=spacing)
        half = width(name.text, name.face, size, spacing) / 2
        areas.append((x - half, y - size / 2, x + half, y + size / 2))
    return areas
