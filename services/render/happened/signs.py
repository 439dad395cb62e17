"""Badges on hexes and lines of fire: interdiction, barrages, antitank fire, disruption, gaps in minefields."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scenarios.hexes import Hex, parse_hexside
from services.render.draw.geometry import Lattice, Point, along
from services.render.draw.ink import Plate, Stencil, bounds
from services.render.draw.lettering import width, write
from services.render.draw.room import Area, around
from services.render.happened.attacks import burst
from services.render.happened.kinds import KINDS, STANDING, Fight, Shot, Sign, Way
from services.render.happened.reading import Whereabouts, items, objects, units_of, word
from services.render.views import View, hex_or_none, hexes


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

    def spots(self) -> list[tuple[Point, Sign, str]]:
        """All signs and their places: over the counters of a hex that is held, else in its middle; several side by side."""
        r = self.lattice.radius
        out: list[tuple[Point, Sign, str]] = []
        for at, here in self.found.items():
            x, y = self.lattice.centre(at)
            for nth, (sign, figure) in enumerate(here.items()):
                spot = (x + r * (0.52 - 0.58 * nth), y - r * 0.98) if at in self.held else (x + r * 0.6 * nth, float(y))
                out.append((spot, sign, figure))
        return out


def draw_signs(plate: Plate, view: View, lattice: Lattice, held: frozenset[Hex] = frozenset()) -> list[Area]:
    """The fire, the markers and the signs of a view's events, these where their units then stood; the rectangles that signs take."""
    where, spots = Whereabouts(view.counters), _Spots(lattice, held)
    r = lattice.radius
    for key, sign in STANDING.items():
        for lies, figure in _standing(view.own.get(key), sign):
            spots.put(lies, sign, figure)
    for event in view.events:
        kind, data = KINDS.get(event.kind), event.data
        if isinstance(kind, Way):
            for to in hexes(data.get("path"))[-1:] or hexes([data.get("hex")]):
                where.moved(units_of(event), to)
        elif isinstance(kind, Fight) and (fought := hex_or_none(data.get("hex"))) is not None:
            for gun in (one for key in kind.support for one in objects(data.get(key))):
                _draw_shot(plate, where.find(gun.get("unit")), fought, "", lattice)
        elif isinstance(kind, Shot):
            source, target = (_first(where, data, keys) for keys in (kind.source, kind.target))
            if target is not None:
                _draw_shot(plate, source, target, _said(data, kind.says), lattice)
        elif isinstance(kind, Sign):
            side = _hexside(data.get("hexside"), lattice) if "hexside" in kind.target else None
            at = _first(where, data, kind.target)
            if side is not None:
                draw_badge(plate, side[0], kind, _said(data, kind.says), r, side[1])
            elif at is not None:
                spots.put(at, STANDING.get(event.kind, kind), _said(data, kind.says))
    for spot, sign, figure in spots.spots():
        draw_badge(plate, spot, sign, figure, r)
    return [around(spot, r * 0.8, r * 0.8) for spot, _, _ in spots.spots()]


def _standing(raw: Any, sign: Sign) -> list[tuple[Hex, str]]:
    """The hexes of markers, each with its figure."""
    values = raw if isinstance(raw, Mapping) else dict.fromkeys(str(at) for at in items(raw))
    found = [(hex_or_none(at), _said(value, sign.says) if isinstance(value, Mapping) else "") for at, value in values.items()]
    return [(at, figure) for at, figure in found if at is not None]


def _first(where: Whereabouts, data: Mapping[str, Any], keys: Iterable[str]) -> Hex | None:
    return next((found for found in (where.find(data.get(key)) for key in keys) if found is not None), None)


def _said(data: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((said for said in (word(data.get(key)) for key in keys) if said), "")[:5]


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
        burst(plate, middle, radius * 1.5, "halo")
        burst(plate, middle, radius * 1.3, sign.colour)
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
    size = max(round(radius * 1.15), 7)
    while size > 6 and width(text, "bold", size) > radius * 1.5:
        size -= 1
    write(plate, middle, text, "bold", size, "ink", anchor="mm")


def _disc(plate: Plate, middle: Point, radius: float, colour: str) -> None:
    disc = Stencil(bounds([middle], radius + 1))
    disc.disc(middle, radius)
    disc.onto(plate, colour)


def _draw_shot(plate: Plate, source: Hex | None, target: Hex, text: str, lattice: Lattice) -> None:
    """A line of dashes from the gun to where it hit, and what came of it."""
    r = lattice.radius
    tx, ty = lattice.centre(target)
    if source is not None and source != target:
        sx, sy = lattice.centre(source)
        length = math.hypot(tx - sx, ty - sy)
        ux, uy = (tx - sx) / length, (ty - sy) / length
        line = [(sx + ux * r * 0.6, sy + uy * r * 0.6), (tx - ux * r * 0.62, ty - uy * r * 0.62)]
        for wide, grow, tint in ((r * 0.15, r * 0.05, "halo"), (r * 0.075, 0.0, "red")):
            stencil = Stencil(bounds(line, r * 0.3), 3)
            for (x, y), _ in along(line, r * 0.26):
                reach = r * 0.075 + grow
                stencil.line([(x - ux * reach, y - uy * reach), (x + ux * reach, y + uy * reach)], wide, caps=False)
            stencil.onto(plate, tint)
        tx, ty = round(line[1][0]), round(line[1][1])
    burst(plate, (tx, ty), r * 0.24, "halo")
    burst(plate, (tx, ty), r * 0.19)
    write(plate, (tx + r * 0.28, ty), text, "bold", max(round(r * 0.3), 7), "red", anchor="lm", halo="halo", stroke=max(r // 18, 1))
