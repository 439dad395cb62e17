"""The hex grid in VASSAL's terms: our integer lattice, and a numbering that gives the hex numbers as they are printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenarios.data import Board
from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice
from services.render.vassal.codec import tag


@dataclass(frozen=True, slots=True)
class Numbering:
    """How hex numbers come about: which of column and row is said first, what stands between them, the numbers of hex 0101."""

    first: str = "H"
    sep: str = ""
    column: int = 1
    row: int = 1

    def label(self, at: Hex) -> str:
        """The number that VASSAL gives to a hex."""
        across, down = f"{at.col - 1 + self.column:02d}", f"{at.row - 1 + self.row:02d}"
        return self.sep.join((across, down) if self.first == "H" else (down, across))


def numbering_of(board: Board) -> Numbering:
    """The numbering that gives each hex its printed number. ValueError if there is none, naming a hex: VASSAL counts evenly."""
    if not board.labels:
        return Numbering()
    start, shown = next(iter(sorted(board.labels.items())))
    digits = "".join(sign for sign in shown if sign.isdigit())
    sep = shown[2:-2] if len(shown) > 4 else ""
    for first in "HV":
        parts = (digits[:2], digits[2:]) if first == "H" else (digits[2:], digits[:2])
        if not all(parts):
            continue
        found = Numbering(first, sep, int(parts[0]) - start.col + 1, int(parts[1]) - start.row + 1)
        if all(found.label(at) == text for at, text in board.labels.items()):
            return found
    raise ValueError(f"VASSAL cannot number this map: no even count of columns and rows gives {start} the number {shown}")


def hex_grid(lattice: Lattice, numbering: Numbering) -> str:
    """The grid and its numbering. The raw hex (0,0) is our 0101, so that odd raw columns, which stand lower, are our even ones."""
    numbered = {
        "first": numbering.first,
        "sep": numbering.sep,
        "hType": "N",
        "vType": "N",
        "hLeading": 1,
        "vLeading": 1,
        "hOff": numbering.column,
        "vOff": numbering.row,
        "hDescend": False,
        "vDescend": False,
        "stagger": False,
        "visible": False,
        "fontSize": 9,
        "color": "0,0,0",
        "rotateText": 0,
        "hDrawOff": 0,
        "vDrawOff": 0,
        "locationFormat": "$gridLocation$",
    }
    grid: Mapping[str, object] = {
        "sideways": False,
        "x0": lattice.left,
        "y0": lattice.top,
        "dy": float(lattice.row),
        "dx": float(lattice.column),
        "snapTo": True,
        "edgesLegal": False,
        "cornersLegal": False,
        "visible": False,
        "dotsVisible": False,
        "color": "0,0,0",
    }
    return tag("B.HexGrid", grid, tag("B.mapgrid.HexGridNumbering", numbered))


def snapped(lattice: Lattice, at: Hex) -> tuple[int, int]:
    """Where VASSAL puts a counter of a hex: by its own arithmetic, which on our lattice is the hex's middle to the pixel."""
    col, row = at.col - 1, at.row - 1
    low = lattice.row / 2 if col % 2 else 0
    return int(col * lattice.column) + lattice.left, int(row * lattice.row + low) + lattice.top


def outline(lattice: Lattice, columns: int, rows: int) -> list[tuple[int, int]]:
    """The rim of all hexes, clockwise: what lies outside it is in no hex."""
    top = [lattice.corners(Hex(col, 1))[k] for col in range(1, columns + 1) for k in (0, 1)]
    right = [lattice.corners(Hex(columns, row))[k] for row in range(1, rows + 1) for k in (2, 3)]
    bottom = [lattice.corners(Hex(col, rows))[k] for col in range(columns, 0, -1) for k in (3, 4)]
    left = [lattice.corners(Hex(1, row))[k] for row in range(rows, 0, -1) for k in (5, 0)]
    return list(dict.fromkeys([*top, *right, *bottom, *left]))
