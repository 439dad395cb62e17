"""Hexes, hexsides and the places off the map.

The grid is flat-topped with columns numbered from the left and rows from the top; even columns lie half a hex lower than odd
ones. A hex is written ``CCRR`` (``"0907"`` is column 9, row 7).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

# Steps to the six neighbours, clockwise from north: for odd columns (high) and even columns (low).
_ODD = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_EVEN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


class Hex(NamedTuple):
    """A hex of the grid, by column and row (both from 1)."""

    col: int
    row: int

    def __str__(self) -> str:
        return f"{self.col:02d}{self.row:02d}"


@dataclass(frozen=True, slots=True)
class Box:
    """A place off the map, by name: a pool, a holding box, a box of the turn track."""

    name: str

    def __str__(self) -> str:
        return f"box:{self.name}"


@dataclass(frozen=True, slots=True)
class Edge:
    """A map edge, by name, where units wait to enter or have left."""

    name: str

    def __str__(self) -> str:
        return f"edge:{self.name}"


Place = Hex | Box | Edge


class Hexside(NamedTuple):
    """The side between two neighbouring hexes; of a feature with an up side, ``a`` is the upper hex."""

    a: Hex
    b: Hex

    def __str__(self) -> str:
        return f"{self.a}/{self.b}"

    def turned(self) -> Hexside:
        """The same hexside seen from the other hex."""
        return Hexside(self.b, self.a)


def parse_hex(text: str) -> Hex:
    """``"0907"`` as a hex. ValueError if it is not four digits."""
    if len(text) != 4 or not (text.isascii() and text.isdigit()):
        raise ValueError(f"not a hex number: {text!r}")
    return Hex(int(text[:2]), int(text[2:]))


def parse_place(text: str) -> Place:
    """``"0907"``, ``"box:NAME"`` or ``"edge:NAME"`` as a place. ValueError on anything else."""
    if text.startswith("box:"):
        return Box(text[4:])
    if text.startswith("edge:"):
        return Edge(text[5:])
    return parse_hex(text)


def parse_hexside(text: str) -> Hexside:
    """``"0907/0908"`` as a hexside. ValueError if the two are not neighbours."""
    first, _, second = text.partition("/")
    side = Hexside(parse_hex(first), parse_hex(second))
    if side.b not in neighbours(side.a):
        raise ValueError(f"not neighbouring hexes: {text!r}")
    return side


@lru_cache(maxsize=65536)
def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around ``at``, clockwise from north; some may lie off the map."""
    steps = _ODD if at.col % 2 else _EVEN
    return tuple(Hex(at.col + dc, at.row + dr) for dc, dr in steps)


def distance(a: Hex, b: Hex) -> int:
    """Hexes from ``a`` to ``b``, counting ``b`` and not ``a``."""
    ax, ay, az = _cube(a)
    bx, by, bz = _cube(b)
    return max(abs(ax - bx), abs(ay - by), abs(az - bz))


def _cube(at: Hex) -> tuple[int, int, int]:
    row = at.row - (at.col + (at.col & 1)) // 2
    return at.col, -at.col - row, row
