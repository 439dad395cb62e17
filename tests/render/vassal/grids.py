"""The hex grid of a VASSAL board and the names that it gives, by the engine's own arithmetic (docs of the format, section on hex grids)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tests.render.vassal.codec import must

HEX_GRID = "VASSAL.build.module.map.boardPicker.board.HexGrid"
NUMBERING = "VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of flat-topped hexes in columns. ``x0``, ``y0``: centre of the hex 0, 0 in pixels of the board; ``dx``, ``dy``: distance of
    columns and of rows; ``first``: the numbers of that hex, column and row; ``stagger``: odd raw columns bear the number above."""

    x0: int
    y0: int
    dx: float
    dy: float
    first: tuple[int, int]
    stagger: bool
    digits: tuple[int, int]

    def centre(self, name: str) -> tuple[int, int]:
        """The pixel of a hex by its name, as the program finds it."""
        h, v = int(name[: self.digits[0]]), int(name[self.digits[0] :])
        col, row = h - self.first[0], v - self.first[1]
        row += -(col % 2) if self.stagger else 0
        return math.trunc(col * self.dx) + self.x0, math.trunc(row * self.dy + (self.dy / 2 if col % 2 else 0)) + self.y0

    def exact(self, name: str) -> tuple[float, float]:
        """The same without rounding to pixels."""
        col, row = int(name[: self.digits[0]]) - self.first[0], int(name[self.digits[0] :]) - self.first[1]
        row += -(col % 2) if self.stagger else 0
        return col * self.dx + self.x0, (row + (col % 2) / 2) * self.dy + self.y0

    def name(self, x: float, y: float) -> str:
        """The name at a pixel, by the bricks that the program uses."""
        col = math.floor((x - self.x0) / self.dx + 0.5)
        row = math.floor((y - self.y0 - (self.dy / 2 if col % 2 else 0)) / self.dy + 0.5)
        row += (col % 2) if self.stagger else 0
        return self._said(col, row)

    def inside(self, x: float, y: float) -> str:
        """The name of the hexagon around a point: the hex as it is drawn."""
        col = math.floor((x - self.x0) / self.dx + 0.5)
        found = []
        for c in (col - 1, col, col + 1):
            shift = (c % 2) / 2
            r = math.floor((y - self.y0) / self.dy - shift + 0.5)
            across, down = abs(x - self.x0 - c * self.dx), abs(y - self.y0 - (r + shift) * self.dy)
            if down / self.dy + 1.5 * across / self.dx <= 1:
                found.append((down, c, r + ((c % 2) if self.stagger else 0)))
        return self._said(*min(found)[1:])

    def _said(self, col: int, row: int) -> str:
        h, v = col + self.first[0], row + self.first[1]
        return f"{h:0{self.digits[0]}d}{v:0{self.digits[1]}d}"

    def points(self, name: str) -> list[tuple[float, float]]:
        """The centre of a hex, and twelve points two pixels inside each corner and each edge."""
        x, y = self.exact(name)
        return [(x, y), *((x + dx * (1 - 2 / math.hypot(dx, dy)), y + dy * (1 - 2 / math.hypot(dx, dy))) for dx, dy in self.rim())]

    def rim(self) -> list[tuple[float, float]]:
        """The corners of a hex and the middles of its edges, clockwise from the right, seen from its centre."""
        w, h = self.dx / 3, self.dy / 2
        corners = [(2 * w, 0), (w, h), (-w, h), (-2 * w, 0), (-w, -h), (w, -h)]
        middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1], strict=True)]
        return [point for both in zip(corners, middles, strict=True) for point in both]


def grid(attributes: Mapping[str, str], numbering: Mapping[str, str]) -> Grid:
    """A grid from the attributes of its two elements. Malformed where they say something that a map of CCRR numbers cannot."""
    must(attributes.get("sideways", "false") == "false", "a sideways grid")
    must(numbering.get("first", "H") == "H" and numbering.get("sep", "") == "", "numbers that are not CCRR")
    must((numbering.get("hType", "N"), numbering.get("vType", "N")) == ("N", "N"), "letters in numbers")
    must(all(numbering.get(key, "false") == "false" for key in ("hDescend", "vDescend")), "descending numbers")
    x0, y0 = int(attributes["x0"]), int(attributes["y0"])  # a fraction is refused by the program
    dx, dy = float(attributes["dx"]), float(attributes["dy"])
    must(abs(dx / dy - math.sqrt(3) / 2) < 0.01, f"no regular hexes: dx {dx}, dy {dy}")
    first = int(numbering.get("hOff", "0")), int(numbering.get("vOff", "0"))
    digits = int(numbering.get("hLeading", "0")) + 1, int(numbering.get("vLeading", "0")) + 1
    return Grid(x0, y0, dx, dy, first, numbering.get("stagger", "true") == "true", digits)
