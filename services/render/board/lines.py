"""What runs along and across hexes: roads curved through them, escarpments hachured down one side, passes."""

from __future__ import annotations

import math
from collections.abc import Iterable

from scenarios.data import Board
from scenarios.hexes import Hex, Hexside
from services.render.board.ground import Ground
from services.render.board.looks import HexsideLook, RoadLook
from services.render.draw.geometry import Point, along, bezier, curve
from services.render.draw.ink import Stencil, Surface


def road_courses(board: Board, kind: str, ground: Ground) -> list[list[Point]]:
    """The pieces of the roads of one kind: in each hex a curve from side to side, and branches to its middle."""
    joined: dict[Hex, set[Hex]] = {}
    for side in board.roads.get(kind, frozenset()):
        joined.setdefault(side.a, set()).add(side.b)
        joined.setdefault(side.b, set()).add(side.a)
    out: list[list[Point]] = []
    for at, others in sorted(joined.items()):
        ends = [ground.crossing(at, other) for other in sorted(others)]
        out += _through(ground.anchor(at), ends)
    return out


def _through(middle: Point, ends: list[Point]) -> list[list[Point]]:
    if len(ends) == 1:
        return [[ends[0], middle]]
    pairs = [(i, j) for i in range(len(ends)) for j in range(i + 1, len(ends))]
    i, j = min(pairs, key=lambda pair: _straightness(middle, ends[pair[0]], ends[pair[1]]))
    # The control point lies beyond the middle, so that the curve itself passes near it, where the town is.
    pull = (middle[0] * 1.5 - (ends[i][0] + ends[j][0]) / 4, middle[1] * 1.5 - (ends[i][1] + ends[j][1]) / 4)
    main = bezier(ends[i], pull, ends[j])
    return [main] + [[ends[k], main[len(main) // 2]] for k in range(len(ends)) if k not in (i, j)]


def _straightness(middle: Point, a: Point, b: Point) -> float:
    """The cosine of the angle at the middle: -1 for a straight way through."""
    ax, ay, bx, by = a[0] - middle[0], a[1] - middle[1], b[0] - middle[0], b[1] - middle[1]
    return (ax * bx + ay * by) / ((math.hypot(ax, ay) * math.hypot(bx, by)) or 1)


def draw_roads(surface: Surface, courses: Iterable[list[Point]], look: RoadLook, radius: int) -> None:
    """Roads with their casing; broken into dashes where the look says so."""
    pieces = list(courses)
    box = (0, 0, *surface.size)
    edge, fill = Stencil(box, 2), Stencil(box, 2)
    for piece in pieces:
        edge.line(piece, max(look.casing * radius, 2.5))
        if look.dash:
            for (x, y), (ux, uy) in along(piece, look.dash * radius):
                reach = look.dash * radius * 0.3
                fill.line([(x - ux * reach, y - uy * reach), (x + ux * reach, y + uy * reach)], max(look.width * radius, 1.2))
        else:
            fill.line(piece, max(look.width * radius, 1.2))
    if look.edge:
        edge.onto(surface, look.edge)
    fill.onto(surface, look.colour)


def chains(board: Board, sides: Iterable[Hexside], ground: Ground) -> list[list[Point]]:
    """Hexsides joined end to end into lines, each with its upper hexes on the left hand."""
    follow: dict[Point, list[Point]] = {}
    for side in sorted(sides):
        first, last = ground.lattice.side(side.a, side.b)
        follow.setdefault(first, []).append(last)
    lines: list[list[Point]] = []
    ends = {point for points in follow.values() for point in points}
    starts = sorted(point for point in follow if point not in ends)
    while any(follow.values()):
        start = next((p for p in starts if follow.get(p)), None)
        if start is None:
            start = min(p for p in follow if follow[p])
        line = [start]
        while follow.get(line[-1]):
            line.append(follow[line[-1]].pop(0))
        lines.append(line)
    return lines


def draw_hexsides(surface: Surface, board: Board, kind: str, look: HexsideLook, ground: Ground) -> None:
    """The hexsides of one kind, as its look says."""
    sides = board.hexsides.get(kind, frozenset())
    radius = ground.lattice.radius
    stencil = Stencil((0, 0, *surface.size), 3)
    if look.drawing == "scarp":
        # Where a pass lets the road through only the ends of the hexside are drawn.
        open_sides = frozenset(side for side in board.hexsides.get("pass", frozenset()) if side in sides)
        for line in chains(board, sides - open_sides, ground):
            scarp(stencil, line, radius)
        for side in sorted(open_sides):
            (ax, ay), (bx, by) = ground.lattice.side(side.a, side.b)
            for s, e in ((0.0, 0.26), (0.74, 1.0)):
                scarp(stencil, [(ax + (bx - ax) * s, ay + (by - ay) * s), (ax + (bx - ax) * e, ay + (by - ay) * e)], radius)
    else:
        for side in sorted(sides):
            first, last = ground.lattice.side(side.a, side.b)
            pass_mark(stencil, first, last, radius)
    stencil.onto(surface, look.colour)


def scarp(stencil: Stencil, corners: list[Point], radius: int) -> None:
    """An escarpment along ``corners``: its edge, and hachures that taper down on the right hand; the up side is plain. It runs out
    in short hachures at both ends."""
    line = _eased(corners, radius)
    stencil.line(line, max(radius * 0.075, 1.6))
    found = list(along(line, radius * 0.135))
    for k, ((x, y), (ux, uy)) in enumerate(found):
        reach = radius * (0.30 if k % 2 else 0.2) * min(1.0, 0.3 + 0.25 * min(k, len(found) - 1 - k))
        half = radius * 0.05
        dx, dy = -uy, ux  # the right hand on a screen
        foot = (x + dx * reach, y + dy * reach)
        stencil.polygon([(x - ux * half, y - uy * half), (x + ux * half, y + uy * half), foot])


def _eased(corners: list[Point], radius: int) -> list[Point]:
    """The line with its corners slightly rounded; its ends stay."""
    if len(corners) < 3:
        return list(corners)
    out = [corners[0]]
    for before, at, after in zip(corners, corners[1:], corners[2:], strict=False):
        cut = 0.28
        a = (at[0] + (before[0] - at[0]) * cut, at[1] + (before[1] - at[1]) * cut)
        b = (at[0] + (after[0] - at[0]) * cut, at[1] + (after[1] - at[1]) * cut)
        out += bezier(a, at, b, 4)
    out.append(corners[-1])
    return out


def pass_mark(stencil: Stencil, first: Point, last: Point, radius: int) -> None:
    """Two brackets, back to back, across the middle of a hexside."""
    mx, my = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
    length = math.hypot(last[0] - first[0], last[1] - first[1])
    ux, uy = (last[0] - first[0]) / length, (last[1] - first[1]) / length
    for way in (-1, 1):
        x, y = mx + ux * way * radius * 0.22, my + uy * way * radius * 0.22
        ends = [
            (x - uy * s * radius * 0.24 + ux * way * radius * 0.12, y + ux * s * radius * 0.24 + uy * way * radius * 0.12) for s in (-1, 1)
        ]
        stencil.line(curve([ends[0], (x, y), ends[1]]), max(radius * 0.06, 1.4))
