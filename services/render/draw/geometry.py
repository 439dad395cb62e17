"""Hex to pixel and back: an integer lattice of flat-topped hexes, even columns half a hex lower."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from scenarios.hexes import Hex

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where the hexes of a map lie, in pixels.

    ``column`` is the pixel step from a column to the next (a multiple of three, so that all corners are whole pixels), ``row`` the
    step from a row to the next (even), ``left`` and ``top`` the centre of hex 0101.
    """

    column: int
    row: int
    left: int
    top: int

    @property
    def radius(self) -> int:
        """Pixels from a hex's centre to its east corner; the unit of every other measure on the map."""
        return self.column * 2 // 3

    def centre(self, at: Hex) -> tuple[int, int]:
        """The pixel at the centre of a hex."""
        low = 0 if at.col % 2 else self.row // 2
        return self.left + (at.col - 1) * self.column, self.top + (at.row - 1) * self.row + low

    def point(self, u: float, v: float) -> Point:
        """Hex units (``Board.lines``: one a column, one a row) to pixels."""
        return self.left + (u - 1) * self.column, self.top + (v - 1) * self.row

    def corners(self, at: Hex) -> tuple[tuple[int, int], ...]:
        """The six corners, clockwise from the north-west one."""
        x, y = self.centre(at)
        r, half, h = self.radius, self.column // 3, self.row // 2
        return (x - half, y - h), (x + half, y - h), (x + r, y), (x + half, y + h), (x - half, y + h), (x - r, y)

    def side(self, a: Hex, b: Hex) -> tuple[Point, Point]:
        """The ends of the hexside between two neighbours, so that ``a`` lies on the left hand of who walks from first to second.

        ValueError if they are not neighbours.
        """
        shared = [p for p in self.corners(a) if p in set(self.corners(b))]
        if len(shared) != 2:
            raise ValueError(f"not neighbouring hexes: {a} and {b}")
        (px, py), (qx, qy) = shared
        ax, ay = self.centre(a)
        # On a screen (y down) the left hand is where the cross product is negative.
        turn = (qx - px) * (ay - py) - (qy - py) * (ax - px)
        return (shared[0], shared[1]) if turn < 0 else (shared[1], shared[0])

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex that a pixel lies in (it may be off the map)."""
        near = round((x - self.left) / self.column) + 1
        best: tuple[float, Hex] | None = None
        for col in (near - 1, near, near + 1):
            low = 0 if col % 2 else self.row / 2
            row = math.floor((y - self.top - low) / self.row + 0.5) + 1
            for at in (Hex(col, row - 1), Hex(col, row), Hex(col, row + 1)):
                far = self._reach(at, x, y)
                if best is None or far < best[0]:
                    best = far, at
        assert best is not None
        return best[1]

    def _reach(self, at: Hex, x: float, y: float) -> float:
        """How far out a pixel lies from a hex's centre: 1 on the hex's outline."""
        cx, cy = self.centre(at)
        dx, dy = abs(x - cx), abs(y - cy)
        return max(dy / (self.row / 2), dx / self.radius + dy / self.row)


def size(columns: int, rows: int, column: int, row: int) -> tuple[int, int]:
    """Width and height in pixels of a grid of ``columns`` x ``rows`` hexes with these steps."""
    return (columns - 1) * column + column * 4 // 3, rows * row + (row // 2 if columns > 1 else 0)


def curve(points: list[Point], steps: int = 6) -> list[Point]:
    """A smooth line through all of ``points`` (Catmull-Rom), ``steps`` pieces between two of them."""
    if len(points) < 3:
        return list(points)
    padded = [points[0], *points, points[-1]]
    out: list[Point] = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for k in range(steps):
            t = k / steps
            out.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    out.append(points[-1])
    return out


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)


def bezier(a: Point, b: Point, c: Point, steps: int = 12) -> list[Point]:
    """A quadratic curve from ``a`` to ``c`` drawn towards ``b``."""
    out = []
    for k in range(steps + 1):
        t = k / steps
        p, q, r = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        out.append((p * a[0] + q * b[0] + r * c[0], p * a[1] + q * b[1] + r * c[1]))
    return out


def cubic(a: Point, b: Point, c: Point, d: Point, steps: int = 8) -> list[Point]:
    """A cubic curve from ``a`` to ``d`` that leaves towards ``b`` and arrives from ``c``."""
    out = []
    for k in range(steps + 1):
        t = k / steps
        p, q, r, s = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        out.append((p * a[0] + q * b[0] + r * c[0] + s * d[0], p * a[1] + q * b[1] + r * c[1] + s * d[1]))
    return out


def shifted(points: list[Point], by: float) -> list[Point]:
    """A line moved sideways by ``by`` pixels, to the right hand (on a screen) of who walks along it."""
    out: list[Point] = []
    for k, (x, y) in enumerate(points):
        (ax, ay), (bx, by_) = points[max(k - 1, 0)], points[min(k + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by_ - ay) or 1.0
        out.append((x - (by_ - ay) / length * by, y + (bx - ax) / length * by))
    return out


def crossings(one: list[Point], other: list[Point]) -> list[tuple[Point, Point]]:
    """Where two lines cross, each with the unit vector of the first one's direction there."""
    found: list[tuple[Point, Point]] = []
    for (ax, ay), (bx, by) in pairwise(one):
        dx, dy = bx - ax, by - ay
        for (cx, cy), (ex, ey) in pairwise(other):
            fx, fy = ex - cx, ey - cy
            turn = dx * fy - dy * fx
            if turn == 0:
                continue
            t, u = ((cx - ax) * fy - (cy - ay) * fx) / turn, ((cx - ax) * dy - (cy - ay) * dx) / turn
            if 0 <= t < 1 and 0 <= u < 1:
                length = math.hypot(dx, dy)
                found.append(((ax + dx * t, ay + dy * t), (dx / length, dy / length)))
    return found


def along(points: list[Point], step: float) -> list[tuple[Point, Point]]:
    """Points every ``step`` pixels along a line, each with the unit vector of its direction."""
    out: list[tuple[Point, Point]] = []
    left = step / 2
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        if length == 0:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        at = left
        while at <= length:
            out.append(((ax + ux * at, ay + uy * at), (ux, uy)))
            at += step
        left = at - length
    return out
