"""Badges on hexes: interdiction, barrages, disruption, gaps in minefields."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scenarios.hexes import Hex, parse_hexside
from services.render.counters.silhouettes import aircraft
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Plate, Stencil, bounds
from services.render.draw.lettering import width, write
from services.render.draw.room import Area, around, best, overlap
from services.render.happened.attacks import burst
from services.render.happened.kinds import KINDS, STANDING, Sign
from services.render.happened.reading import Whereabouts, first_word, items
from services.render.views import View, hex_or_none


@dataclass(slots=True)
class _Spots:
    """Which signs stand in which hex: each of a kind once."""

    lattice: Lattice
    held: frozenset[Hex]
    found: dict[Hex, dict[Sign, str]] = field(default_factory=dict)

    def put(self, at: Hex, sign: Sign, figure: str) -> None:
        """A sign in a hex; one that is there already gets a figure if it had none."""
        here = self.found.setdefault(at, {})
        here[sign] = here.get(sign) or figure

    def spots(self, taken: Iterable[Area]) -> list[tuple[Point, Sign, str]]:
        """All signs and their places: in the middle of a hex, several side by side; about the counters of one that is held, where they
        cover nothing that is ``taken`` if they can."""
        r = self.lattice.radius
        out: list[tuple[Point, Sign, str]] = []
        blocks = list(taken)
        for at, here in self.found.items():
            x, y = self.lattice.centre(at)
            for nth, (sign, figure) in enumerate(here.items()):
                spot = (x + r * 0.6 * nth, float(y))
                if at in self.held:
                    areas = [around((x + dx * r, y + dy * r), r * 0.62, r * 0.62) for dx, dy in _ABOUT]
                    chosen = best(areas, lambda area: sum(overlap(area, other) for other in blocks))
                    spot = ((chosen[0] + chosen[2]) / 2, (chosen[1] + chosen[3]) / 2)
                    blocks.append(chosen)
                out.append((spot, sign, figure))
        return out


_ABOUT = ((0.52, -1.0), (-0.06, -1.0), (1.02, -0.36), (1.02, 0.26), (-1.02, -0.3), (-1.02, 0.3), (0.52, 1.18), (-0.1, 1.18))
"""Where a sign may stand about the counters of a hex, in radii from its middle."""


def draw_signs(plate: Plate, view: View, lattice: Lattice, held: frozenset[Hex], taken: Iterable[Area]) -> list[Area]:
    """The markers of a view and the signs of its events, these where their units then stood and clear of what is ``taken`` if they can; the
    rectangles that signs take."""
    where, spots = Whereabouts(view.counters, view.events), _Spots(lattice, held)
    r = lattice.radius
    for key, sign in STANDING.items():
        for lies, figure in _standing(view.own.get(key), sign):
            spots.put(lies, sign, figure)
    for event in view.events:
        kind, data = KINDS.get(event.kind), event.data
        where.follow(event)
        if isinstance(kind, Sign) and kind.told(data):
            side = _hexside(data.get("hexside"), lattice) if "hexside" in kind.target else None
            at = where.first(data, kind.target)
            if side is not None:
                draw_badge(plate, side[0], kind, first_word(data, kind.says), r, side[1])
            elif at is not None:
                spots.put(at, STANDING.get(event.kind, kind), first_word(data, kind.says))
    found = spots.spots(taken)
    for spot, sign, figure in found:
        draw_badge(plate, spot, sign, figure, r)
    return [around(spot, r * 0.8, r * 0.8) for spot, _, _ in found]


def _standing(raw: Any, sign: Sign) -> list[tuple[Hex, str]]:
    """The hexes of markers, each with its figure."""
    values = raw if isinstance(raw, Mapping) else dict.fromkeys(str(at) for at in items(raw))
    found = [(hex_or_none(at), first_word(value, sign.says) if isinstance(value, Mapping) else "") for at, value in values.items()]
    return [(at, figure) for at, figure in found if at is not None]


def _hexside(text: Any, lattice: Lattice) -> tuple[Point, Point] | None:
    """The middle of a hexside, and the unit vector along it."""
    if not isinstance(text, str):
        return None
    try:
        (ax, ay), (bx, by) = lattice.side(*parse_hexside(text))
    except ValueError:
        return None
    length = math.hypot(bx - ax, by - ay)
    return ((ax + bx) / 2, (ay + by) / 2), ((bx - ax) / length, (by - ay) / length)


def draw_badge(plate: Plate, middle: Point, sign: Sign, figure: str, r: int, lies: Point = (1.0, 0.0)) -> None:
    """A badge about half a hex wide. ``lies``: the direction of the hexside that a gap leads through."""
    x, y = middle
    radius = max(r * 0.28, 5.0)
    box = bounds([middle], radius * 1.8)
    text = (figure or sign.letter) if sign.icon == "letter" else figure
    if sign.icon == "shell":
        burst(plate, middle, radius * 1.55, "halo")
        burst(plate, middle, radius * 1.4, sign.colour)
        _disc(plate, middle, radius * 0.95, sign.colour)
        _disc(plate, middle, radius * (0.78 if text else 0.4), "paper")
    elif sign.icon == "star":
        burst(plate, middle, radius * 1.5, "ink")
        burst(plate, middle, radius * 1.2, sign.colour)
    elif sign.icon == "gap":
        for wide, tint in ((radius * 0.75, "halo"), (radius * 0.42, "ink"), (radius * 0.22, sign.colour)):
            stencil = Stencil(box)
            for way in (-1, 1):  # two strips across the hexside: the lane between them
                px, py = x + lies[0] * way * radius * 0.5, y + lies[1] * way * radius * 0.5
                dx, dy = -lies[1] * radius * 0.9, lies[0] * radius * 0.9
                stencil.line([(px - dx, py - dy), (px + dx, py + dy)], wide)
            stencil.onto(plate, tint)
    else:
        for reach, tint in ((1.18, "halo"), (1.0, sign.colour), (0.78, "paper")):
            _disc(plate, middle, radius * reach, tint)
        if sign.icon == "sight":
            lines = Stencil(box)
            for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
                lines.line(
                    [(x + dx * radius * 0.72, y + dy * radius * 0.72), (x + dx * radius * 1.4, y + dy * radius * 1.4)], radius * 0.24
                )
            lines.onto(plate, sign.colour)
    if sign.icon in _DRAWN:
        drawn = Stencil(box)
        _DRAWN[sign.icon](drawn, middle, radius * 0.66)
        drawn.onto(plate, "ink")
        return
    size = max(round(radius * 1.15), 7)
    while size > 6 and width(text, "bold", size) > radius * 1.5:
        size -= 1
    write(plate, middle, text, "bold", size, "ink", anchor="mm")


def _chute(stencil: Stencil, middle: Point, reach: float) -> None:
    """A parachute: its canopy, and the lines that run together."""
    x, y = middle
    rim = [(x + math.cos(math.pi * k / 8) * reach, y - math.sin(math.pi * k / 8) * reach * 0.95) for k in range(9)]
    stencil.polygon(rim)
    for share in (-1.0, 0.0, 1.0):
        stencil.line([(x + share * reach * 0.9, y), (x, y + reach * 0.95)], reach * 0.16)


def _bridge(stencil: Stencil, middle: Point, reach: float) -> None:
    """A bridge with its middle gone: two abutments, and the ends of the roadway, bent down."""
    x, y = middle
    for way in (-1, 1):
        stencil.line([(x + way * reach, y - reach * 0.3), (x + way * reach * 0.45, y - reach * 0.3)], reach * 0.28, caps=False)
        stencil.line([(x + way * reach * 0.45, y - reach * 0.3), (x + way * reach * 0.15, y + reach * 0.25)], reach * 0.28)
        stencil.line([(x + way * reach * 0.8, y - reach * 0.3), (x + way * reach * 0.8, y + reach * 0.6)], reach * 0.28, caps=False)


def _plane(stencil: Stencil, middle: Point, reach: float) -> None:
    aircraft(stencil, middle, reach * 1.15)


_DRAWN = {"plane": _plane, "chute": _chute, "bridge": _bridge}
"""What is drawn in a badge instead of a figure."""


def _disc(plate: Plate, middle: Point, radius: float, colour: str) -> None:
    disc = Stencil(bounds([middle], radius + 1))
    disc.disc(middle, radius)
    disc.onto(plate, colour)
