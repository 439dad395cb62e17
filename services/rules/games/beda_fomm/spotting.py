"""10.2 Artillery spotting: the line of sight from gun to target, and the friends that make it needless.

Lines are told apart exactly, in whole numbers: a column is 3 wide and a row 2 high, so that the corners of a hex lie at (2, 0) and (1, 1)
and their like from its centre.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from scenarios.hexes import Hex, distance, neighbours
from services.rules.engine.model import Side
from services.rules.engine.positions import occupied
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.ground import ground

CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))


class Line(NamedTuple):
    """What lies between two hexes: those that the line from centre to centre goes through, and the pairs between which it runs."""

    through: frozenset[Hex]
    along: frozenset[tuple[Hex, Hex]]


def spotted(table: Table, side: Side, gun: Hex, target: Hex) -> bool:
    """Whether guns of ``side`` in a hex may fire a barrage at another (10.21)."""
    friends = occupied(table, side)
    if any(at in friends for at in neighbours(target)):
        return True  # 10.23a BF-R40
    hidden = ground(table).hidden
    if target in hidden:
        return False  # 10.22a
    line = between(gun, target)
    if line.through & hidden:
        return False  # 10.22b 10.2b
    one_is_enough = table.options.get("line_of_sight", "both") == "either"
    return not any((a in hidden or b in hidden) if one_is_enough else (a in hidden and b in hidden) for a, b in line.along)  # BF-R38


@lru_cache(maxsize=4096)
def between(a: Hex, b: Hex) -> Line:
    """What lies between two hexes, which are not among it themselves (BF-R38, BF-R39)."""
    through, beside = set[Hex](), list[Hex]()
    for at in _near(a, b):
        touch = _sides(a, b, at)
        if min(touch) < 0 < max(touch):
            through.add(at)  # 10.2a
        elif touch.count(0) == 2:
            beside.append(at)
    along = {(one, other) for one in beside for other in beside if one < other and other in neighbours(one)}
    return Line(frozenset(through), frozenset(along))


def _near(a: Hex, b: Hex) -> Iterator[Hex]:
    """The hexes that may lie between two others: none of them further from either than these are from each other."""
    far = distance(a, b)
    for col in range(min(a.col, b.col) - 1, max(a.col, b.col) + 2):
        for row in range(min(a.row, b.row) - 1, max(a.row, b.row) + 2):
            at = Hex(col, row)
            if at not in (a, b) and max(distance(a, at), distance(at, b)) <= far:
                yield at


def _sides(a: Hex, b: Hex, at: Hex) -> list[int]:
    """On which side of the line from ``a`` to ``b`` each corner of a hex lies: above nought, below, or on it."""
    (ax, ay), (bx, by), (x, y) = _centre(a), _centre(b), _centre(at)
    return [(bx - ax) * (y + dy - ay) - (by - ay) * (x + dx - ax) for dx, dy in CORNERS]


def _centre(at: Hex) -> tuple[int, int]:
    return 3 * at.col, 2 * at.row + (at.col % 2 == 0)
