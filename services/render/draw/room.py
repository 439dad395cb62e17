"""Room on a picture: rectangles, how much of them is taken, and the search for the best free place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import accumulate

Area = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


def overlap(a: Area, b: Area) -> float:
    """The area in square pixels that two rectangles share."""
    wide = (a[2] if a[2] < b[2] else b[2]) - (a[0] if a[0] > b[0] else b[0])
    if wide <= 0:
        return 0.0
    high = (a[3] if a[3] < b[3] else b[3]) - (a[1] if a[1] > b[1] else b[1])
    return wide * high if high > 0 else 0.0


def gap(area: Area, x: float, y: float) -> float:
    """How far a point lies from a rectangle; 0 inside it."""
    dx = max(area[0] - x, 0.0, x - area[2])
    dy = max(area[1] - y, 0.0, y - area[3])
    return math.hypot(dx, dy)


def around(middle: tuple[float, float], wide: float, high: float) -> Area:
    """The rectangle of a size around its middle."""
    return middle[0] - wide / 2, middle[1] - high / 2, middle[0] + wide / 2, middle[1] + high / 2


def best(candidates: Iterable[Area], cost: Callable[[Area], float]) -> Area:
    """The first of the cheapest rectangles. ValueError if there are none."""
    return min(candidates, key=cost)


class Crowd:
    """How much of a picture is taken by many rectangles, counted in coarse cells, so that asking costs nothing."""

    def __init__(self, size: tuple[int, int], step: int, areas: Iterable[Area]) -> None:
        self.step = max(step, 1)
        self.columns, self.rows = size[0] // self.step + 1, size[1] // self.step + 1
        taken = [bytearray(self.columns) for _ in range(self.rows)]
        for area in areas:
            x0, y0, x1, y1 = self._cells(area)
            for row in taken[y0:y1]:
                row[x0:x1] = b"\1" * (x1 - x0)
        above = [0] * (self.columns + 1)
        self._sums = [above]
        for row in taken:
            above = [up + here for up, here in zip(above, accumulate(row, initial=0), strict=True)]
            self._sums.append(above)

    def _cells(self, area: Area) -> tuple[int, int, int, int]:
        x0, x1 = (min(max(round(x / self.step), 0), self.columns) for x in (area[0], area[2]))
        y0, y1 = (min(max(round(y / self.step), 0), self.rows) for y in (area[1], area[3]))
        return x0, y0, x1, y1

    def share(self, area: Area) -> float:
        """How much of a rectangle is taken, from 0 to 1."""
        x0, y0, x1, y1 = self._cells(area)
        cells = (x1 - x0) * (y1 - y0)
        return (self._sums[y1][x1] - self._sums[y0][x1] - self._sums[y1][x0] + self._sums[y0][x0]) / cells if cells else 0.0
