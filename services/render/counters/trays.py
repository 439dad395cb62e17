"""Trays: beside a stack, a card that shows each of its counters; and the search for free places for many of them on a crowded map."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from services.render.counters.counters import hang_of, sprite
from services.render.counters.look import Look
from services.render.counters.plan import letter_size
from services.render.draw.geometry import Point
from services.render.draw.ink import Canvas, Plate, Sprite, Stencil, bounds
from services.render.draw.lettering import cap_height, write
from services.render.draw.room import Area
from services.render.style import Sheet

MOST = 36
"""A tray shows so many counters at most; the number in its title tells how many there are."""
FAR = 16
"""How far from its stack a tray may stand, in counters' widths."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A tray's measures in pixels: its columns, the gaps between counters, the height of its title, and its own width and height."""

    columns: int
    across: int
    down: int
    title: int
    wide: int
    high: int


def shape_of(looks: Sequence[Look], side: int) -> Shape:
    """The measures of the tray of a stack; badges below counters have their room in it."""
    count, gap = min(len(looks), MOST), max(side // 10, 2)
    columns = count if count <= 3 else (count + 1) // 2 if count <= 10 else 6
    rows = -(-count // columns)
    down = max(gap, hang_of(side) + 1) if any(look.badges for look in looks) else gap
    title = cap_height("bold", title_size(side)) + gap
    return Shape(columns, gap, down, title, columns * (side + gap) + gap, title + rows * (side + down) + gap)


def title_size(side: int) -> int:
    """The size of the letters of a tray's hex number."""
    return letter_size("bold", 7 if side >= 30 else 6)


class Floor:
    """A map's ground in coarse cells, a bit each, taken or free: asking for a place costs a few operations on whole rows.

    ``taken``: what no tray may cover.  ``shunned``: what none covers while there is other room.
    """

    def __init__(self, size: tuple[int, int], step: int, taken: Iterable[Area], shunned: Iterable[Area] = ()) -> None:
        self.size, self.step = size, max(step, 1)
        self.columns, self.count = size[0] // self.step, size[1] // self.step
        self.rows, self.better = [0] * self.count, [0] * self.count
        for area in taken:
            self.take(area)
        for area in shunned:
            self._mark(self.better, area)

    def cells(self, length: float) -> int:
        """How many cells cover a length in pixels."""
        return math.ceil(length / self.step)

    def take(self, area: Area) -> None:
        """Mark a rectangle in pixels as taken."""
        self._mark(self.rows, area)
        self._mark(self.better, area)

    def _mark(self, rows: list[int], area: Area) -> None:
        x0, y0 = (max(math.floor(part / self.step), 0) for part in area[:2])
        bits = ((1 << max(self.cells(area[2]) - x0, 0)) - 1) << x0
        for row in range(y0, min(self.cells(area[3]), self.count)):
            rows[row] |= bits

    def over(self, high: int, shun: bool) -> list[int]:
        """Row by row what is taken of it and of those below, ``high`` in all; what is shunned too, if ``shun``."""
        found, done = self.better if shun else self.rows, 1
        while done < high:
            more = min(done, high - done)
            found, done = [upper | lower for upper, lower in zip(found, found[more:], strict=False)], done + more
        return found

    def taken(self, left: int, top: int, wide: int, high: int) -> int:
        """How many cells of a rectangle are taken."""
        bits = ((1 << wide) - 1) << left
        return sum((row & bits).bit_count() for row in self.rows[top : top + high])


@lru_cache(maxsize=64)
def _spots(wide: int, high: int, side: int) -> tuple[tuple[int, int], ...]:
    """Where the upper left corner of a tray may lie from its hex, those nearest first; all in cells, ``side`` a counter's width."""
    reach = range(-FAR * side - max(wide, high), FAR * side + 1, 2)

    def far(corner: tuple[int, int]) -> float:
        """From the hex's middle to the tray, and a little to its middle."""
        x, y = corner
        return math.hypot(max(x, 0, -x - wide), max(y, 0, -y - high)) + 0.25 * math.hypot(x + wide / 2, y + high / 2)

    found = ((x, y) for x in reach for y in reach)
    return tuple(sorted((one for one in found if far(one) < side * FAR), key=far))


def _free(spots: Iterable[tuple[int, int]], wide: int, rows: list[int]) -> Iterator[tuple[int, int]]:
    bits = (1 << wide) - 1
    return ((left, top) for left, top in spots if not rows[top] >> left & bits)


def string(tray: Area, middle: Point) -> Point:
    """Where on a tray the line to its hex ends."""
    return min(max(middle[0], tray[0]), tray[2]), min(max(middle[1], tray[1]), tray[3])


def _crosses(middle: Point, spot: tuple[int, int], size: tuple[int, int], step: int, ties: Sequence[tuple[Point, Area, Point]]) -> bool:
    """Whether the string to a place would cross another tray or string, or the place lies on one."""
    area = (spot[0] * step, spot[1] * step, (spot[0] + size[0]) * step, (spot[1] + size[1]) * step)
    end = string(area, middle)
    return any(_meet(middle, end, at, other) or _through(middle, end, tray) or _through(at, other, area) for at, tray, other in ties)


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two lines cross."""

    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def _through(a: Point, b: Point, area: Area) -> bool:
    """Whether a line runs through a rectangle."""
    if max(a[0], b[0]) < area[0] or min(a[0], b[0]) > area[2] or max(a[1], b[1]) < area[1] or min(a[1], b[1]) > area[3]:
        return False
    if area[0] <= b[0] <= area[2] and area[1] <= b[1] <= area[3]:
        return True
    x0, y0, x1, y1 = area
    return _meet(a, b, (x0, y0), (x1, y1)) or _meet(a, b, (x0, y1), (x1, y0))


def _first_free(spots: Iterable[tuple[int, int]], wide: int, rows: list[int]) -> tuple[int, int] | None:
    bits = (1 << wide) - 1
    return next(((left, top) for left, top in spots if not rows[top] >> left & bits), None)


_TRIES = 160
"""So many free places are looked at for one whose string crosses no other tray or string."""


def place_tray(shape: Shape, middle: tuple[int, int], side: int, floor: Floor, others: Sequence[tuple[Point, Area]] = ()) -> Area:
    """Where the tray of a stack goes: the nearest place inside the map that is free and whose string crosses neither the trays nor the
    strings of ``others`` (the middles of their hexes, and their trays); without such a one, the nearest free place, or where it covers
    least.

    It is taken then, with a little around it.
    """
    step = floor.step
    wide, high = floor.cells(shape.wide + side * 0.2), floor.cells(shape.high + side * 0.2)
    x, y = middle[0] // step, middle[1] // step
    right, foot = floor.columns - wide, floor.count - high
    spots = _spots(wide, high, max(side // step, 1))
    within = ((x + dx, y + dy) for dx, dy in spots if 0 <= x + dx <= right and 0 <= y + dy <= foot)
    free = list(islice(_free(within, wide, floor.over(high, True)), _TRIES))
    ties = [(at, tray, string(tray, at)) for at, tray in others]
    spot = next((one for one in free if not _crosses(middle, one, (wide, high), step, ties)), free[0] if free else None)
    if spot is None:
        allowed = [(x + dx, y + dy) for dx, dy in spots if 0 <= x + dx <= right and 0 <= y + dy <= foot]
        spot = _first_free(allowed, wide, floor.over(high, False))
        if spot is None:
            corner = max(min(x, right), 0), max(min(y, foot), 0)
            spot = min(allowed[::3] or [corner], key=lambda one: floor.taken(one[0], one[1], wide, high))
    floor.take((spot[0] * step, spot[1] * step, (spot[0] + wide) * step, (spot[1] + high) * step))
    x0, y0 = spot[0] * step + side * 0.1, spot[1] * step + side * 0.1
    return x0, y0, x0 + shape.wide, y0 + shape.high


def draw_string(plate: Plate, tray: Area, middle: tuple[int, int], side: int) -> None:
    """The line from a tray to its hex."""
    x, y = middle
    end = string(tray, middle)
    line = Stencil(bounds([(x, y), end], 4), 2)
    line.line([(x, y), end], max(side * 0.05, 1.6), caps=False)
    line.onto(plate, "ink")


@lru_cache(maxsize=256)
def _ground(wide: int, high: int, rim: int, side: int, sheet: Sheet) -> Sprite:
    """An empty tray, its rim included."""
    canvas = Canvas((wide, high), sheet.palette, "ink")
    outline, inside = Stencil((0, 0, wide, high)), Stencil((0, 0, wide, high))
    outline.rounded((0, 0, wide, high), side * 0.1)
    inside.rounded((rim, rim, wide - rim, high - rim), side * 0.08)
    inside.onto(canvas, "paper_lo")
    return Sprite(sheet.palette.flatten(canvas.image), outline.mask().point([0] * 128 + [255] * 128).convert("1"))


def draw_tray(plate: Plate, tray: Area, title: str, looks: Sequence[Look], side: int, sheet: Sheet) -> None:
    """A tray with its hex number and its counters, the top one of the stack first."""
    shape = shape_of(looks, side)
    x0, y0, x1 = round(tray[0]), round(tray[1]), round(tray[2])
    rim = max(round(side * 0.03), 1)
    plate.stamp(_ground(shape.wide + 2 * rim, shape.high + 2 * rim, rim, side, sheet), (x0 - rim, y0 - rim))
    size = title_size(side)
    write(plate, (x0 + shape.across, y0 + shape.title / 2 + 1), title, "bold", size, "ink", anchor="lm")
    write(
        plate,
        (x1 - shape.across, y0 + shape.title / 2 + 1),
        str(len(looks)) if len(looks) <= MOST else f"{MOST} of {len(looks)}",
        "plain",
        size,
        "ink",
        anchor="rm",
    )
    for look, corner in zip(looks, corners(tray, looks, side), strict=False):
        plate.stamp(sprite(look, side, sheet), corner)


def corners(tray: Area, looks: Sequence[Look], side: int) -> list[tuple[int, int]]:
    """The upper left corners of the counters that a tray shows, the top one of the stack first."""
    shape, x0, y0 = shape_of(looks, side), round(tray[0]), round(tray[1])
    return [
        (
            x0 + shape.across + k % shape.columns * (side + shape.across),
            y0 + shape.title + shape.across + k // shape.columns * (side + shape.down),
        )
        for k in range(min(len(looks), MOST))
    ]
