"""The map sheet: everything on a board that does not change from turn to turn, drawn once and kept."""

from __future__ import annotations

import math

from scenarios.data import Board, MapArt
from scenarios.hexes import Hex
from services.render.board.art import paint_art
from services.render.board.ground import Ground, paint_ground
from services.render.board.lines import draw_hexsides, draw_roads, road_courses
from services.render.board.names import Placed, draw_places, name_places
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Canvas, Stencil
from services.render.draw.lettering import width, write
from services.render.draw.room import Area, Crowd, best, overlap
from services.render.style import Sheet, Style


def draw_sheet(board: Board, sheet: Sheet, lattice: Lattice, size: tuple[int, int]) -> tuple[Canvas, list[list[Placed]]]:
    """The map of a board, ``size`` pixels, hexes where ``lattice`` says; and where its names may stand."""
    style = sheet.style
    canvas = Canvas(size, sheet.palette, "sand")
    ground = Ground(board, lattice, size)
    paint_ground(canvas, ground, style)
    _draw_grid(canvas, board, lattice)
    for kind, look in style.board.hexsides.items():
        draw_hexsides(canvas, board, kind, look, ground)
    for kind, road in style.board.roads.items():
        draw_roads(canvas, road_courses(board, kind, ground), road, lattice.radius)
    numbers = _draw_numbers(canvas, board, lattice)
    draw_places(canvas, board, ground, style)
    taken = _draw_lettered(canvas, lattice, style)
    taken += _draw_furniture(canvas, board, lattice, style)
    margin = lattice.radius * 0.35
    frame = (margin, margin, size[0] - margin, size[1] - margin)
    names = name_places(board, ground, style, taken, numbers, frame)
    _draw_frame(canvas, lattice)
    return canvas, names


def lay_art(board: Board, art: MapArt, sheet: Sheet, lattice: Lattice, size: tuple[int, int]) -> tuple[Canvas, list[list[Placed]]]:
    """An owner's picture in place of the drawn map, with our hex numbers, by which orders go. Of names only those of places whose control
    counts are put, for their flags."""
    canvas = Canvas(size, sheet.palette, "paper")
    paint_art(canvas, art, lattice)
    numbers = _draw_numbers(canvas, board, lattice) if art.numbers else []
    margin = lattice.radius * 0.35
    frame = (margin, margin, size[0] - margin, size[1] - margin)
    names = name_places(board, Ground(board, lattice, size), sheet.style, (), numbers, frame)
    _draw_frame(canvas, lattice)
    return canvas, [spots for spots in names if any(spot.flag is not None for spot in spots)]


def _draw_grid(canvas: Canvas, board: Board, lattice: Lattice) -> None:
    """Hex outlines: plain on land, faint on water."""
    land, water = Stencil((0, 0, *canvas.size), 2), Stencil((0, 0, *canvas.size), 2)
    width_px = max(lattice.radius * 0.03, 0.9)
    for col in range(1, board.columns + 1):
        for row in range(1, board.rows + 1):
            at = Hex(col, row)
            (land if at in board.terrain else water).ring(lattice.corners(at), width_px)
    water.onto(canvas, "sea_ink", 0.22)
    land.onto(canvas, "grid", 0.9)


def _draw_numbers(canvas: Canvas, board: Board, lattice: Lattice) -> list[Area]:
    """The hex numbers at the head of every hex that can be entered; the rectangles that they take."""
    size = max(round(lattice.radius * 0.25), 5)
    if lattice.radius < 14:
        return []
    areas = []
    for at in sorted(board.terrain):
        x, y = lattice.centre(at)
        top = y - lattice.row / 2 + lattice.radius * 0.07
        text = board.label(at)
        write(canvas, (x, top), text, "plain", size, "number", anchor="mt")
        half = width(text, "plain", size) / 2
        areas.append((x - half, top, x + half, top + size * 0.75))
    return areas


def _draw_lettered(canvas: Canvas, lattice: Lattice, style: Style) -> list[Area]:
    """The names of seas and of country, spaced wide."""
    areas = []
    for name in style.board.lettered:
        size = max(round(name.size * lattice.radius), 6)
        spacing = round(name.spacing * lattice.radius)
        x, y = lattice.point(name.u, name.v)
        write(canvas, (x, y), name.text, name.face, size, name.colour, anchor="mm", spacing=spacing)
        half = width(name.text, name.face, size, spacing) / 2
        areas.append((x - half, y - size / 2, x + half, y + size / 2))
    return areas


def _draw_furniture(canvas: Canvas, board: Board, lattice: Lattice, style: Style) -> list[Area]:
    """Title, compass rose and scale bar, each in the open corner that costs least ground."""
    r = lattice.radius
    half = r * 0.9
    centres = [lattice.centre(at) for at in board.terrain]
    crowd = Crowd(canvas.size, max(r // 4, 2), [(x - half, y - half, x + half, y + half) for x, y in centres])
    length = style.board.scale_bar / style.board.scale_per_hex * lattice.row
    taken: list[Area] = []
    for need in ((11.5 * r, 3.6 * r), (3.0 * r, 3.4 * r), (length + 2.4 * r, 1.5 * r)):
        taken.append(_free_spot(canvas, crowd, r, need, taken))
    _draw_title(canvas, taken[0], style, r)
    _draw_rose(canvas, taken[1], r)
    _draw_bar(canvas, taken[2], style, r, length)
    return taken


def _free_spot(canvas: Canvas, crowd: Crowd, r: int, need: tuple[float, float], taken: list[Area]) -> Area:
    """The rectangle of the size needed that covers the least of the board's playable ground, then lies nearest to a corner."""
    (wide, high), (across, down) = need, canvas.size
    margin = r * 0.7
    xs = [margin + (across - wide - 2 * margin) * k / 24 for k in range(25)]
    ys = [margin + (down - high - 2 * margin) * k / 16 for k in range(17)]

    def cost(area: Area) -> float:
        inset = min(area[0], across - area[2]) / across + min(area[1], down - area[3]) / down
        return crowd.share(area) * 20 + (50 if any(overlap(area, other) for other in taken) else 0) + inset

    return best(((x, y, x + wide, y + high) for x in xs for y in ys), cost)


def _draw_title(canvas: Canvas, area: Area, style: Style, r: int) -> None:
    x, y = (area[0] + area[2]) / 2, area[1]
    write(
        canvas,
        (x, y + 0.2 * r),
        style.board.title.upper(),
        "title",
        round(1.75 * r),
        "ink",
        anchor="mt",
        halo="halo",
        spacing=round(0.22 * r),
        stroke=max(r // 14, 1),
    )
    foot = y + 1.95 * r
    stencil = Stencil((round(area[0]), round(foot - r), round(area[2]), round(foot + r)))
    reach = (area[2] - area[0]) * 0.38
    stencil.line([(x - reach, foot), (x + reach, foot)], max(r * 0.04, 1))
    stencil.polygon([(x - 0.16 * r, foot), (x, foot - 0.16 * r), (x + 0.16 * r, foot), (x, foot + 0.16 * r)])
    stencil.onto(canvas, "town")
    write(
        canvas,
        (x, y + 2.35 * r),
        style.board.subtitle,
        "title",
        round(0.95 * r),
        "ink",
        anchor="mt",
        halo="halo",
        spacing=round(0.08 * r),
        stroke=max(r // 18, 1),
    )


def _draw_rose(canvas: Canvas, area: Area, r: int) -> None:
    x, y = (area[0] + area[2]) / 2, area[3] - 1.45 * r
    box = (round(area[0]), round(area[1]), round(area[2]), round(area[3]))
    dark, light = Stencil(box), Stencil(box)
    ring = 0.86 * r
    dark.oval((x - ring, y - ring, x + ring, y + ring), max(r * 0.04, 1))
    for k in range(8):
        long = 1.3 * r if k % 2 == 0 else 0.78 * r
        angle = math.pi / 4 * k
        tip = (x + math.sin(angle) * long, y - math.cos(angle) * long)
        for way, stencil in ((1, dark), (-1, light)):
            flank = angle + way * math.pi / 8
            side = (x + math.sin(flank) * 0.3 * r, y - math.cos(flank) * 0.3 * r)
            stencil.polygon([(x, y), tip, side])
            dark.line([tip, side, (x, y), tip], max(r * 0.02, 0.8))
    light.onto(canvas, "halo")
    dark.onto(canvas, "sea_ink")
    write(canvas, (x, y - 1.4 * r), "N", "title", round(0.75 * r), "ink", anchor="ms", halo="halo", stroke=1)


def _draw_bar(canvas: Canvas, area: Area, style: Style, r: int, length: float) -> None:
    x0, y = area[0] + 1.2 * r, area[3] - 0.55 * r
    box = (round(area[0]), round(area[1]), round(area[2]), round(area[3]))
    dark, light = Stencil(box), Stencil(box)
    high = 0.16 * r
    hexes = round(style.board.scale_bar / style.board.scale_per_hex)
    dark.polygon([(x0 - 1, y - high - 1), (x0 + length + 1, y - high - 1), (x0 + length + 1, y + 1), (x0 - 1, y + 1)])
    for k in range(0, hexes, 2):
        a, b = x0 + length * (k + 1) / hexes, x0 + length * min(k + 2, hexes) / hexes
        light.polygon([(a, y - high), (b, y - high), (b, y), (a, y)])
    dark.onto(canvas, "ink")
    light.onto(canvas, "halo")
    size = max(round(0.36 * r), 7)
    for share in (0.0, 0.5, 1.0):
        text = f"{style.board.scale_bar * share:g}" + (f" {style.board.scale_unit}" if share == 1.0 else "")
        write(canvas, (x0 + length * share, y - high - 0.14 * r), text, "plain", size, "ink", anchor="ms", halo="halo", stroke=1)


def _draw_frame(canvas: Canvas, lattice: Lattice) -> None:
    """A neat line around the sheet."""
    w, h = canvas.size
    stencil = Stencil((0, 0, w, h), 1)
    out, gap = max(lattice.radius // 9, 2), max(lattice.radius // 14, 2)
    for inset, thick in ((0, out), (out + gap, max(out // 3, 1))):
        for k in range(inset, inset + thick):
            stencil.ring([(k, k), (w - 1 - k, k), (w - 1 - k, h - 1 - k), (k, h - 1 - k)], 1)
    stencil.onto(canvas, "ink")
