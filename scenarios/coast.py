"""Which side of a coast line a point lies on."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.hexes import Hex

Point = tuple[float, float]


def centre(at: Hex) -> Point:
    """The centre of a hex in hex units (see ``Board.lines``)."""
    return float(at.col), at.row + (0.0 if at.col % 2 else 0.5)


def on_land(point: Point, coast: Sequence[Sequence[Point]]) -> bool:
    """Whether ``point`` is on land. Land lies on the right hand of one who follows a line of the coast (y grows downwards).

    The way from the point to a spot that is surely land is followed: each crossing of the coast changes land and sea.
    """
    (x1, y1), (x2, y2) = coast[0][0], coast[0][1]
    # a hair to the right of the middle of the first piece; the odd factor keeps it off the grid of the data
    inland = ((x1 + x2) / 2 - (y2 - y1) * 1.37e-3, (y1 + y2) / 2 + (x2 - x1) * 1.37e-3)
    return sum(_crossings(point, inland, line) for line in coast) % 2 == 0


def _crossings(p: Point, q: Point, line: Sequence[Point]) -> int:
    """How often ``line`` crosses the straight way from ``p`` to ``q``."""
    px, py, dx, dy = p[0], p[1], q[0] - p[0], q[1] - p[1]
    left = [dx * (y - py) > dy * (x - px) for x, y in line]
    return sum(
        (_turn(line[i], line[i + 1], p) > 0) != (_turn(line[i], line[i + 1], q) > 0) for i in range(len(line) - 1) if left[i] != left[i + 1]
    )


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
