"""What stands on hexsides: escarpments and cliffs hachured down one side, passes, minefields, waters, ridges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from scenarios.data import Board
from scenarios.hexes import Hexside
from services.render.board.ground import Ground
from services.render.board.looks import HexsideLook
from services.render.board.roads import WATERS
from services.render.draw.geometry import Point, along, bezier, curve, shifted
from services.render.draw.ink import Stencil, Surface, bounds

Drawing = Callable[[Surface, list[Point], str, float], None]
"""Draws a line of hexsides, corner by corner, in a colour, for hexes of a radius. What has an up side has it on the left hand."""
_LONE = ("pass",)
"""Drawings of single hexsides, never joined into lines."""


def draw_hexsides(surface: Surface, board: Board, kind: str, look: HexsideLook, ground: Ground) -> None:
    """The hexsides of one kind, as its look says."""
    sides = board.hexsides.get(kind, frozenset())
    draw, radius = HEXSIDES[look.drawing], ground.lattice.radius
    if look.drawing in _LONE:
        lines = [list(ground.lattice.side(side.a, side.b)) for side in sorted(sides)]
    elif kind in board.up_side:
        # Where a pass lets the road through only the ends of the hexside are drawn.
        opened = frozenset(side for side in board.hexsides.get("pass", frozenset()) if side in sides)
        lines = chains(board, sides - opened, ground)
        for side in sorted(opened):
            first, last = ground.lattice.side(side.a, side.b)
            lines += [[_between(first, last, s), _between(first, last, e)] for s, e in ((0, 0.26), (0.74, 1))]
    else:
        lines = runs([list(ground.lattice.side(*sorted(side))) for side in sorted(sides)])
    for line in lines:
        draw(surface, line, look.colour, radius)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


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


def runs(pieces: Sequence[list[Point]]) -> list[list[Point]]:
    """Pieces joined end to end, whichever way they run, into lines that stop where three or more meet."""
    at: dict[Point, list[int]] = {}
    for k, piece in enumerate(pieces):
        for end in (piece[0], piece[-1]):
            at.setdefault(end, []).append(k)
    done: set[int] = set()
    lines: list[list[Point]] = []
    starts = [p for p in at if len(at[p]) != 2]
    for start in [*starts, *at]:
        for first in at[start]:
            if first in done:
                continue
            line, point, k = [start], start, first
            while True:
                done.add(k)
                piece = pieces[k] if pieces[k][0] == point else pieces[k][::-1]
                line += piece[1:]
                point = line[-1]
                further = [other for other in at[point] if other not in done]
                if len(at[point]) != 2 or not further:
                    break
                k = further[0]
            lines.append(line)
    return lines


def scarp(stencil: Stencil, corners: list[Point], radius: float) -> None:
    """An escarpment along ``corners``: its edge, and hachures that taper down on the right hand; the up side is plain. It runs out
    in short hachures at both ends."""
    line = _eased(corners)
    stencil.line(line, max(radius * 0.075, 1.6))
    found = list(along(line, radius * 0.125))
    for k, ((x, y), (ux, uy)) in enumerate(found):
        reach = radius * (0.32 if k % 2 else 0.2) * min(1.0, 0.3 + 0.25 * min(k, len(found) - 1 - k))
        half = radius * 0.048
        foot = (x - uy * reach, y + ux * reach)  # the right hand on a screen
        stencil.polygon([(x - ux * half, y - uy * half), (x + ux * half, y + uy * half), foot])


def _scarp(surface: Surface, corners: list[Point], colour: str, radius: float) -> None:
    """An escarpment: a sharp edge, light above it and hachures in shadow below."""
    line, box = _eased(corners), bounds(corners, radius * 0.6)
    below = Stencil(box, 3)
    below.polygon([*line, *reversed(shifted(line, radius * 0.24))])
    below.onto(surface, "shade", 0.34)
    above = Stencil(box, 3)
    above.line(shifted(line, -radius * 0.07), max(radius * 0.07, 1.4))
    above.onto(surface, "lit", 0.8)
    edge = Stencil(box, 3)
    scarp(edge, corners, radius)
    edge.onto(surface, colour)


def _cliff(surface: Surface, corners: list[Point], colour: str, radius: float) -> None:
    """A cliff: a heavy wall with solid teeth down its low side, that nobody takes for an escarpment."""
    line, box = _eased(corners), bounds(corners, radius * 0.6)
    above = Stencil(box, 3)
    above.line(shifted(line, -radius * 0.1), max(radius * 0.07, 1.4))
    above.onto(surface, "lit", 0.8)
    wall = Stencil(box, 3)
    wall.line(line, max(radius * 0.13, 2.4))
    for (x, y), (ux, uy) in along(line, radius * 0.26):
        half, reach = radius * 0.105, radius * 0.3
        wall.polygon([(x - ux * half, y - uy * half), (x + ux * half, y + uy * half), (x - uy * reach, y + ux * reach)])
    wall.onto(surface, colour)


def _ridge(surface: Surface, corners: list[Point], colour: str, radius: float) -> None:
    """A ridge: a spine with hachures down both sides."""
    line = _eased(corners)
    stencil = Stencil(bounds(corners, radius * 0.6), 3)
    stencil.line(line, max(radius * 0.05, 1.2))
    for k, ((x, y), (ux, uy)) in enumerate(along(line, radius * 0.13)):
        reach, half, way = radius * 0.22, radius * 0.035, 1 if k % 2 else -1
        stencil.polygon([(x - ux * half, y - uy * half), (x + ux * half, y + uy * half), (x - uy * reach * way, y + ux * reach * way)])
    stencil.onto(surface, colour)


def _pass(surface: Surface, corners: list[Point], colour: str, radius: float) -> None:
    """A pass: two brackets, back to back, across the middle of a hexside."""
    stencil = Stencil(bounds(corners, radius * 0.6), 3)
    pass_mark(stencil, corners[0], corners[-1], radius)
    stencil.onto(surface, colour)


def _mines(surface: Surface, corners: list[Point], colour: str, radius: float) -> None:
    """A minefield: a cleared strip with a row of mines in it, wired at both edges."""
    box = bounds(corners, radius * 0.6)
    strip, wire, mines = Stencil(box, 3), Stencil(box, 3), Stencil(box, 3)
    strip.line(corners, max(radius * 0.3, 4))
    strip.onto(surface, "halo", 0.92)
    for way in (-1, 1):
        edge = shifted(corners, way * radius * 0.155)
        wire.line(edge, max(radius * 0.028, 0.8), caps=False)
    wire.onto(surface, colour, 0.8)
    for (x, y), _ in along(corners, radius / 4):
        size = max(radius * 0.062, 1.5)
        mines.disc((x, y), size)
    mines.onto(surface, colour)


def _water(kind: str) -> Drawing:
    def draw(surface: Surface, corners: list[Point], colour: str, radius: float) -> None:
        WATERS[kind](surface, curve(_eased(corners), 3), colour, radius, 0.11)

    draw.__doc__ = WATERS[kind].__doc__
    return draw


HEXSIDES: Mapping[str, Drawing] = {
    "scarp": _scarp,
    "cliff": _cliff,
    "ridge": _ridge,
    "pass": _pass,
    "mines": _mines,
    "wadi": _water("wadi"),
    "river": _water("river"),
}
"""The drawings that a hexside of a style sheet may name. What each is like, its docstring says."""


def _eased(corners: list[Point]) -> list[Point]:
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


def pass_mark(stencil: Stencil, first: Point, last: Point, radius: float) -> None:
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
