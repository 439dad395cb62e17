"""What lies over the ground itself: hexes in enemy ZOC, supply lines, hexes out of supply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from PIL import Image

from scenarios.hexes import Hex, neighbours
from services.render.draw.geometry import Lattice, Point, along, curve
from services.render.draw.ink import Plate, Stencil, bounds, clip
from services.render.draw.lettering import write
from services.render.happened.reading import items
from services.render.views import hexes


def draw_ezoc(plate: Plate, at: Iterable[Hex], lattice: Lattice) -> None:
    """The hexes that the viewer knows to lie in enemy ZOC: a red dotted line just inside the border of all of them together."""
    inside = frozenset(at)
    for one in sorted(inside):
        border = tuple(other not in inside for other in neighbours(one))
        if any(border):
            mask, (left, top) = _dots(lattice.column, lattice.row, border)
            x, y = lattice.centre(one)
            plate.ink(mask, (x + left, y + top), "red", 0.75)


@lru_cache(maxsize=128)
def _dots(column: int, row: int, border: tuple[bool, ...]) -> tuple[Image.Image, tuple[int, int]]:
    """Dots along those hexsides of a hex, clockwise from north, that are ``border``; and where the mask lies from the hex's centre."""
    lattice, inset = Lattice(column, row, 0, 0), 0.86
    corners = [(x * inset, y * inset) for x, y in lattice.corners(Hex(1, 1))]
    stencil = Stencil(bounds(corners, 2), 3)
    count = min(max(int(lattice.radius * inset / 4), 2), 5)  # on small maps fewer, or they would run together
    for drawn, (ax, ay), (bx, by) in zip(border, corners, [*corners[1:], corners[0]], strict=True):
        for k in range(count) if drawn else ():
            share = (k + 0.5) / count
            stencil.disc((ax + (bx - ax) * share, ay + (by - ay) * share), max(lattice.radius * 0.038, 0.9))
    return stencil.mask(), stencil.at


def draw_supply(plate: Plate, supply: Any, lattice: Lattice, colour: str) -> None:
    """The supply lines of a view (``traced``: lists of hexes) as beads along their hexes."""
    if not isinstance(supply, Mapping):
        return
    r = lattice.radius
    steps = {tuple(sorted(pair)) for line in items(supply.get("traced")) for pair in pairwise(hexes(line))}
    for line in _joined(steps):
        points = curve([lattice.centre(at) for at in line], 5)
        box = clip(bounds(points, r * 0.3), plate.size)
        if box is None:
            continue
        for radius, tint in ((r * 0.12, "halo"), (r * 0.075, colour)):
            stencil = Stencil(box, 3)
            for bead, _ in along(points, r * 0.34):
                stencil.disc(bead, max(radius, 1.0))
            stencil.onto(plate, tint)


def _joined(steps: Iterable[tuple[Hex, ...]]) -> list[list[Hex]]:
    """Single steps made into lines as long as may be, each step in one of them: lines that share a road are beaded once."""
    left = sorted(steps)
    out: list[list[Hex]] = []
    while left:
        line = list(left.pop(0))
        grown = True
        while grown:
            nearby = next((step for step in left if line[-1] in step or line[0] in step), None)
            grown = nearby is not None
            if nearby is not None:
                left.remove(nearby)
                if line[-1] in nearby:
                    line.append(nearby[1] if nearby[0] == line[-1] else nearby[0])
                else:
                    line.insert(0, nearby[1] if nearby[0] == line[0] else nearby[0])
        out.append(line)
    return out


def draw_unsupplied(plate: Plate, supply: Any, lattice: Lattice) -> None:
    """A struck-out S at the lower left of each hex ``out`` of supply."""
    for at in hexes(supply.get("out")) if isinstance(supply, Mapping) else ():
        x, y = lattice.centre(at)
        _struck(plate, (x - lattice.radius * 0.56, y + lattice.radius * 0.88), lattice.radius)


def _struck(plate: Plate, middle: Point, r: int) -> None:
    for radius, tint in ((0.27, "halo"), (0.23, "red"), (0.17, "paper")):
        disc = Stencil(bounds([middle], r * 0.4))
        disc.disc(middle, r * radius)
        disc.onto(plate, tint)
    write(plate, middle, "S", "bold", max(round(r * 0.32), 7), "ink", anchor="mm")
    strike = Stencil(bounds([middle], r * 0.4))
    strike.line([(middle[0] - r * 0.15, middle[1] + r * 0.15), (middle[0] + r * 0.15, middle[1] - r * 0.15)], max(r * 0.05, 1))
    strike.onto(plate, "red")
