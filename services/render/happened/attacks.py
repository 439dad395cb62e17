"""Battles on the map: arrows over the hexsides attacked, and the burst that is the sign of a battle."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.draw.room import Area, around, gap, overlap
from services.render.happened.fights import Battle

_NOBODY: Mapping[Hex, Area] = {}


def draw_attacks(
    plate: Plate, found: Iterable[Battle], lattice: Lattice, held: Mapping[Hex, Area] = _NOBODY, planned: bool = False
) -> None:
    """A short red arrow over the hexside from each attacker's hex, where on it the least of what counters show is covered (``held``: their
    places); hollow where it is only planned, or declared and to be fought yet."""
    r = lattice.radius
    for battle in found:
        hollow = planned or battle.declared
        coats = [(r * 0.06, "halo"), (0.0, "red")] if not hollow else [(r * 0.1, "halo"), (r * 0.05, "red"), (-r * 0.005, "paper")]
        for origin, target in battle.pairs:
            (tx, ty), (ox, oy) = lattice.centre(target), lattice.centre(origin)
            length = math.hypot(tx - ox, ty - oy) or 1.0
            ux, uy = (tx - ox) / length, (ty - oy) / length
            mx, my = _crossing(lattice, origin, target, held)
            box = bounds([(mx, my)], r)
            for grow, colour in coats:
                stencil = Stencil(box, 3)
                tail = (mx - ux * (r * 0.15 + grow), my - uy * (r * 0.15 + grow))
                stencil.line([tail, (mx, my)], r * 0.11 + 2 * grow, caps=not hollow)
                wide, tip = r * 0.17 + grow * 1.5, r * 0.19 + grow * 1.5
                corners = [(-grow, wide), (tip, 0.0), (-grow, -wide)]
                stencil.polygon([(mx + ux * a - uy * b, my + uy * a + ux * b) for a, b in corners])
                stencil.onto(plate, colour)


def _crossing(lattice: Lattice, origin: Hex, target: Hex, held: Mapping[Hex, Area]) -> Point:
    """Where on the hexside between two hexes an arrow covers the least of the counters about it; its middle if that is no worse."""
    (ox, oy), (tx, ty), r = lattice.centre(origin), lattice.centre(target), lattice.radius
    length = math.hypot(tx - ox, ty - oy) or 1.0
    ux, uy, middle = -(ty - oy) / length, (tx - ox) / length, ((ox + tx) / 2, (oy + ty) / 2)
    near = [area for area in held.values() if gap(area, *middle) < r * 1.5]
    spots = [(middle[0] + ux * aside * r, middle[1] + uy * aside * r) for aside in (0.0, 0.2, -0.2, 0.34, -0.34, 0.46, -0.46)]
    return min(spots, key=lambda at: sum(overlap(around(at, r * 0.4, r * 0.4), area) for area in near))


def burst(surface: Surface, middle: Point, radius: float, colour: str = "red") -> None:
    """The sign of a battle."""
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 1))
    points = []
    for k in range(16):
        reach = radius if k % 2 == 0 else radius * 0.5
        points.append((x + math.sin(math.pi * k / 8) * reach, y - math.cos(math.pi * k / 8) * reach))
    stencil.polygon(points)
    stencil.onto(surface, colour)
