"""Where the picture of a part of the map lies, so that what counts is whole and near its middle, and as little as may be of it is empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement

from scenarios.data import Board
from scenarios.hexes import Hex
from services.render.draw.geometry import Point

_ACROSS, _DOWN = 0.7, 0.55
"""How far from a part's edges the middle of a hex lies that is wholly on it, in columns and rows."""
_ENOUGH, _SOME = 0.8, 0.7
"""A part that is a step wider is taken to show this share of everything; where nothing was fought, this share is enough."""
_MOST_PAIRS = 300
_ROOM = (-0.28, 1.28, -0.03, 1.53)
"""How far the sheet reaches beyond column 0, the last column, row 0 and the last row, in columns and rows."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a map: its middle and its width and height, in hex units (one a column, one a row)."""

    middle: Point
    wide: float
    high: float

    def holds(self, at: Point) -> bool:
        """Whether the hex around a point is wholly on it."""
        return abs(at[0] - self.middle[0]) <= self.wide / 2 - _ACROSS and abs(at[1] - self.middle[1]) <= self.high / 2 - _DOWN


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a part should show: hexes that it must show and those that it had better, with their weights; hexes with counters, and the
    viewer's own among them. ``all``: whether really all of the first must be on it, or most."""

    must: Mapping[Hex, int]
    better: Mapping[Hex, int]
    held: Iterable[Hex]
    own: frozenset[Hex] = frozenset()
    all: bool = True


def units(at: Hex) -> Point:
    """The middle of a hex in hex units."""
    return float(at.col), at.row + (0.0 if at.col % 2 else 0.5)


def place_part(board: Board, wanted: Wanted, widths: Iterable[int], shape: float) -> Part:
    """The narrowest part of ``widths`` columns that shows all that it must, or else as much of it as any; a step wider, if that shows
    enough of the rest. ``shape``: height in rows of a part one column wide."""
    room = _Room(board, wanted)
    found = [room.best(wide, wide * shape) for wide in sorted(widths)]
    most = min(max(seen for _, seen, _ in found), 1.0 if wanted.all else _SOME)
    first = next(k for k, (_, seen, _) in enumerate(found) if seen >= most)
    wider = found[first : first + 2]
    return next((part for part, _, rest in wider if rest >= _ENOUGH and wanted.all), found[first][0])


class _Room:
    """A board and what is wanted of it, ready to be asked about many parts."""

    def __init__(self, board: Board, wanted: Wanted) -> None:
        self.board = board
        self.must = [(units(at), n) for at, n in sorted(wanted.must.items())]
        self.better = [(units(at), n) for at, n in sorted(wanted.better.items())]
        self.held = [units(at) for at in sorted(wanted.held)]
        self.own = [units(at) for at in sorted(wanted.own)]
        self.sums = _sums(board)

    def best(self, wide: float, high: float) -> tuple[Part, float, float]:
        """The best part of a size, and the shares of what it must and had better show that are on it."""
        whole, rest = (sum(n for _, n in points) or 1 for points in (self.must, self.better))
        parts = [Part(self._within(u, v, wide, high), wide, high) for u, v in self._middles(wide, high)]
        part = max(dict.fromkeys(parts), key=self._worth)
        return part, sum(n for at, n in self.must if part.holds(at)) / whole, sum(n for at, n in self.better if part.holds(at)) / rest

    def _middles(self, wide: float, high: float) -> Iterator[Point]:
        """Where the middle may lie: about that of all that must be seen; where this does not fit, between each two of its hexes."""
        x0, x1, y0, y1 = _extent(at for at, _ in self.must)
        if x1 - x0 <= wide - 2 * _ACROSS and y1 - y0 <= high - 2 * _DOWN:
            steps = [(i / 2, k / 2) for i in range(-int(wide / 2), int(wide / 2) + 1) for k in range(-int(high / 2), int(high / 2) + 1)]
            yield from (((x0 + x1) / 2 + du, (y0 + y1) / 2 + dv) for du, dv in steps)
            return
        points = sorted((at for at, _ in self.must), key=dict(self.must).__getitem__, reverse=True)
        for n, ((ax, ay), (bx, by)) in enumerate(combinations_with_replacement(points, 2)):
            if n < _MOST_PAIRS:
                yield (ax + bx) / 2, (ay + by) / 2

    def _within(self, u: float, v: float, wide: float, high: float) -> Point:
        """A middle moved so that the part ends where the sheet does."""
        left, right, top, foot = _ROOM
        us = left + wide / 2, self.board.columns + right - wide / 2
        vs = top + high / 2, self.board.rows + foot - high / 2
        return min(max(u, us[0]), max(us)), min(max(v, vs[0]), max(vs))

    def _worth(self, part: Part) -> float:
        """How good a part is: what must be seen outweighs all, then come own counters, the rest, other counters and land with roads and
        places; counters cut by its edge and a fight away from its middle cost."""
        (u, v), across, down = part.middle, part.wide / 2, part.high / 2
        whole, rest = (sum(n for _, n in points) or 1 for points in (self.must, self.better))
        must = [(at, n) for at, n in self.must if part.holds(at)]
        worth = 40 * sum(n for _, n in must) / whole + 2 * sum(n for at, n in self.better if part.holds(at)) / rest
        cut = seen = 0
        for x, y in self.held:
            dx, dy = across - abs(x - u), down - abs(y - v)
            if dx > -0.5 and dy > -0.5:
                seen += dx >= 0.55 and dy >= 0.55
                cut += dx < 0.55 or dy < 0.55
        if any(part.holds(at) for at in self.own):
            worth += 3
        x0, x1, y0, y1 = _extent(at for at, _ in must) if must else (u, u, v, v)
        away = max(abs((x0 + x1) / 2 - u) / across, abs((y0 + y1) / 2 - v) / down)
        return worth + 1.5 * min(seen, 8) / 8 - 0.3 * min(cut, 6) + 3 * self._ground(part) - 2.5 * max(away - 0.15, 0)

    def _ground(self, part: Part) -> float:
        """How much there is on a part's ground, from 0 (sea) to 1 (places everywhere)."""
        (u, v), columns, rows = part.middle, self.board.columns, self.board.rows
        x0, x1 = (min(max(round(x), 0), columns) for x in (u - part.wide / 2 - 0.5, u + part.wide / 2 - 0.5))
        y0, y1 = (min(max(round(y), 0), rows) for y in (v - part.high / 2 - 0.5, v + part.high / 2 - 0.5))
        inside = self.sums[y1][x1] - self.sums[y0][x1] - self.sums[y1][x0] + self.sums[y0][x0]
        return inside / (part.wide * part.high)


def _extent(points: Iterable[Point]) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def _sums(board: Board) -> list[list[float]]:
    """How much there is on the hexes above and to the left of each corner, summed up."""
    roads = {at for sides in board.roads.values() for side in sides for at in (side.a, side.b)}
    out = [[0.0] * (board.columns + 1)]
    for row in range(1, board.rows + 1):
        here = []
        for col in range(1, board.columns + 1):
            at = Hex(col, row)
            here.append(0.0 if at not in board.terrain else 1.0 if at in board.features else 0.7 if at in roads else 0.3)
        out.append([above + sofar for above, sofar in zip(out[-1], accumulate(here, initial=0.0), strict=True)])
    return out
