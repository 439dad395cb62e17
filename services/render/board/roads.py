"""What runs through hexes: roads and tracks curved through them, waters, and the bridges where they meet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from scenarios.data import Board
from scenarios.hexes import Hex
from services.render.board.ground import Ground, carried_on
from services.render.board.looks import LineLook, RoadLook
from services.render.draw.geometry import Point, along, bezier, crossings, cubic, curve, shifted
from services.render.draw.ink import Stencil, Surface, bounds


def road_courses(board: Board, kind: str, ground: Ground, wander: float = 0.0) -> list[list[Point]]:
    """The pieces of the roads of one kind: in each hex a curve from side to side, and branches to its middle.

    ``wander``: how far, in hex radii, the pieces stray where nothing else holds them.
    """
    joined: dict[Hex, set[Hex]] = {}
    for side in board.roads.get(kind, frozenset()):
        joined.setdefault(side.a, set()).add(side.b)
        joined.setdefault(side.b, set()).add(side.a)
    out: list[list[Point]] = []
    for at, others in sorted(joined.items()):
        neighbours = sorted(others)
        ends = [_crossing(ground, at, other, wander) for other in neighbours]
        headings = [_heading(ground.anchor(at), ground.anchor(other)) for other in neighbours]
        beyond = _beyond(ground, at) if len(board.road_neighbours[at]) == 1 else None
        if beyond:
            leaves, heading, edge = beyond
            ends, headings = [*ends, leaves], [*headings, heading]
            out.append([leaves, edge])
        held = at in board.features or len(board.road_neighbours[at]) > 2 or len(ends) != 2
        out += _held(ground, ground.anchor(at), ends, headings) if held else [_free(ground, at, ends, headings)]
    return out


def _beyond(ground: Ground, at: Hex) -> tuple[Point, Point, Point] | None:
    """Of a road that ends in a hex at the board's edge, and so goes on over it: where it leaves the hex, which way, and where the sheet.

    None if the hex is not at one edge, or the way is wet.
    """
    board, (x, y), (wide, high) = ground.board, ground.lattice.centre(at), ground.size
    up, out = ground.lattice.row / 2, ground.lattice.radius
    ways = (
        (at.row == 1, ((x, y - up), (0.0, -1.0), (x, 0.0))),
        (at.row == board.rows, ((x, y + up), (0.0, 1.0), (x, float(high)))),
        (at.col == 1, ((x - out, y), (-1.0, 0.0), (0.0, y))),
        (at.col == board.columns, ((x + out, y), (1.0, 0.0), (float(wide), y))),
    )
    found = [way for there, way in ways if there]
    if len(found) != 1:
        return None
    (ax, ay), _, (bx, by) = found[0]
    return found[0] if ground.dry(ax, ay, 0) and ground.dry(bx, by, 0) else None


def _crossing(ground: Ground, at: Hex, other: Hex, wander: float) -> Point:
    """Where a road crosses a hexside: the same point from both sides, off its middle by chance if it wanders."""
    x, y = ground.crossing(at, other)
    if not wander:
        return x, y
    first, last = sorted((at, other))
    (ax, ay), (bx, by) = ground.lattice.side(first, last)
    by_chance = (_chance(first.col * 31 + last.col, first.row * 17 + last.row) - 0.5) * wander * 1.6
    spot = x + (bx - ax) * by_chance, y + (by - ay) * by_chance
    return spot if ground.dry(*spot, ground.lattice.radius * 0.13) else (x, y)


def _chance(a: int, b: int) -> float:
    """A number from 0 to 1 that is the same for the same arguments."""
    h = (a * 73856093 ^ b * 19349663) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 2246822519) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 0xFFFF


def _heading(a: Point, b: Point) -> Point:
    length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def _reach(a: Point, heading: Point, length: float) -> Point:
    return a[0] + heading[0] * length, a[1] + heading[1] * length


def _free(ground: Ground, at: Hex, ends: list[Point], headings: list[Point]) -> list[Point]:
    """A piece through a hex where nothing holds it: one bend, meeting its neighbours without a kink; the old way if that gets wet."""
    a, b = ends
    length = math.hypot(b[0] - a[0], b[1] - a[1]) * 0.42
    piece = cubic(a, _reach(a, headings[0], -length), _reach(b, headings[1], -length), b, 12)
    if all(ground.dry(x, y, 0) for x, y in piece):
        return piece
    return bezier(a, _pull(ground.anchor(at), a, b), b)


def _pull(middle: Point, a: Point, b: Point) -> Point:
    """The control point of a curve from ``a`` to ``b`` that passes near the middle of the hex, where the town is."""
    return middle[0] * 1.5 - (a[0] + b[0]) / 4, middle[1] * 1.5 - (a[1] + b[1]) / 4


def _held(ground: Ground, middle: Point, ends: list[Point], headings: list[Point]) -> list[list[Point]]:
    """Pieces through the middle of a hex: the straightest pair of ends as one curve, the others branching from it."""
    if len(ends) == 1:
        return [_half(ground, ends[0], headings[0], middle, None)]
    pairs = [(i, j) for i in range(len(ends)) for j in range(i + 1, len(ends))]
    i, j = min(pairs, key=lambda pair: _straightness(middle, ends[pair[0]], ends[pair[1]]))
    if _straightness(middle, ends[i], ends[j]) > 0:  # a hairpin: two roads that meet in the town
        return [_half(ground, end, heading, middle, None) for end, heading in zip(ends, headings, strict=True)]
    through = _heading(ends[i], ends[j])
    first = _half(ground, ends[i], headings[i], middle, through)
    second = _half(ground, ends[j], headings[j], middle, (-through[0], -through[1]))
    main = [*first, *second[-2::-1]]
    return [main] + [_half(ground, ends[k], headings[k], middle, None) for k in range(len(ends)) if k not in (i, j)]


def _half(ground: Ground, end: Point, heading: Point, middle: Point, through: Point | None) -> list[Point]:
    """From a hexside to the middle of the hex, arriving in the direction ``through``; straight if the curve would get wet."""
    length = math.hypot(middle[0] - end[0], middle[1] - end[1]) * 0.4
    arrive = _reach(middle, through, -length) if through else middle
    piece = cubic(end, _reach(end, heading, -length), arrive, middle, 7)
    return piece if all(ground.dry(x, y, 0) for x, y in piece) else [end, middle]


def _straightness(middle: Point, a: Point, b: Point) -> float:
    """The cosine of the angle at the middle: -1 for a straight way through."""
    ax, ay, bx, by = a[0] - middle[0], a[1] - middle[1], b[0] - middle[0], b[1] - middle[1]
    return (ax * bx + ay * by) / ((math.hypot(ax, ay) * math.hypot(bx, by)) or 1)


def draw_roads(surface: Surface, courses: Iterable[list[Point]], look: RoadLook, radius: float) -> None:
    """Roads with their casing; broken into dashes where the look says so."""
    pieces = list(courses)
    wide, inner = max(look.casing * radius, 2.5), max(look.width * radius, 1.2)
    for piece in pieces if look.edge else ():
        _stroke(surface, [piece], wide, look.edge)
    for piece in pieces:
        _stroke(surface, _dashes(piece, look.dash * radius) if look.dash else [piece], inner, look.colour, caps=not look.dash)


def _stroke(surface: Surface, lines: list[list[Point]], wide: float, colour: str, caps: bool = True) -> None:
    stencil = Stencil(bounds([point for line in lines for point in line], wide), 3)
    for line in lines:
        stencil.line(line, wide, caps=caps)
    stencil.onto(surface, colour)


def _dashes(line: list[Point], step: float) -> list[list[Point]]:
    """A line cut into dashes of about ``step`` with gaps of 0.6 of it, fitted so that it begins and ends with half a dash."""
    total = sum(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
    count = max(round(total / (step * 1.6)), 1)
    fine = [point for point, _ in along(line, total / (count * 16 + 0.001))]
    fine = [line[0], *fine, line[-1]]
    out: list[list[Point]] = []
    for k, point in enumerate(fine):
        if (k + 5) % 16 < 10:
            if k == 0 or (k + 4) % 16 >= 10:
                out.append([])
            out[-1].append(point)
    return [dash for dash in out if len(dash) > 1]


def draw_waters(surface: Surface, board: Board, kind: str, look: LineLook, ground: Ground) -> list[list[Point]]:
    """The lines of one kind across country, and their courses in pixels."""
    lines = [curve([ground.lattice.point(u, v) for u, v in line], 6) for line in board.lines.get(kind, ())]
    courses = [carried_on(line, ground.size, ground.lattice.radius * 1.6) for line in lines]
    for course in courses:
        WATERS[look.drawing](surface, course, look.colour, ground.lattice.radius, look.width)
    return courses


def _river(surface: Surface, course: list[Point], colour: str, radius: float, width: float) -> None:
    """A river: open water between two banks."""
    box = bounds(course, radius * 0.3)
    for wide, ink in ((width + 0.06, colour), (width, "shallow")):
        stencil = Stencil(box, 3)
        stencil.line(course, max(wide * radius, 1.4))
        stencil.onto(surface, ink)


def _wadi(surface: Surface, course: list[Point], colour: str, radius: float, width: float) -> None:
    """A wadi: a dry bed between cut banks, and the broken line of the water that runs in it after rain."""
    box = bounds(course, radius * 0.5)
    bed, banks, water = Stencil(box, 3), Stencil(box, 3), Stencil(box, 3)
    bed.line(course, max(width * 2.3 * radius, 3))
    bed.onto(surface, "sand_lo")
    for way in (-1, 1):
        bank = shifted(course, way * width * 1.15 * radius)
        banks.line(bank, max(radius * 0.03, 0.8))
        for (x, y), (ux, uy) in along(bank, radius * 0.2):
            reach = radius * 0.1 * way
            banks.line([(x, y), (x - uy * reach, y + ux * reach)], max(radius * 0.03, 0.8))
    banks.onto(surface, "shade")
    for dash in _dashes(course, radius * 0.3):
        water.line(dash, max(width * 0.7 * radius, 1.2))
    water.onto(surface, colour)


Water = Callable[[Surface, list[Point], str, float, float], None]
"""Draws a course in a colour, for hexes of a radius; the width of its water is in hex radii."""
WATERS: Mapping[str, Water] = {"river": _river, "wadi": _wadi}
"""The drawings that a line of a style sheet may name. What each is like, its docstring says."""


def draw_bridges(surface: Surface, roads: Iterable[list[Point]], waters: Iterable[list[Point]], radius: float) -> int:
    """A bridge wherever a road crosses a water; how many there are."""
    beds = [(bounds(course, 0), course) for course in waters]
    spots: list[Point] = []
    for piece in roads:
        x0, y0, x1, y1 = bounds(piece, 0)
        for (a, b, c, d), course in beds:
            if a <= x1 and x0 <= c and b <= y1 and y0 <= d:
                for spot, heading in crossings(piece, course):
                    if all(math.hypot(spot[0] - x, spot[1] - y) > radius * 0.3 for x, y in spots):
                        spots.append(spot)
                        bridge(surface, spot, heading, radius)
    return len(spots)


def bridge(surface: Surface, at: Point, heading: Point, radius: float) -> None:
    """A bridge: two parapets along the road, splayed at their ends."""
    (x, y), (ux, uy) = at, heading
    stencil = Stencil(bounds([at], radius * 0.5), 4)
    for way in (-1, 1):
        points = [
            (x + ux * s * radius - uy * way * o * radius, y + uy * s * radius + ux * way * o * radius)
            for s, o in ((-0.27, 0.24), (-0.17, 0.15), (0.17, 0.15), (0.27, 0.24))
        ]
        stencil.line(points, max(radius * 0.06, 1.3))
    stencil.onto(surface, "ink")
