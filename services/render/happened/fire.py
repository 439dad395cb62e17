"""Lines of fire: antitank fire, and guns that support a battle."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, Point, along
from services.render.draw.ink import Plate, Stencil, bounds, clip
from services.render.draw.lettering import write
from services.render.draw.room import Area
from services.render.happened.attacks import burst
from services.render.happened.kinds import KINDS, Fight, Shot
from services.render.happened.reading import Whereabouts, first_word, objects
from services.render.views import View, hex_or_none


@dataclass(frozen=True, slots=True)
class Fire:
    """Fire from a hex (None: from somewhere) on another, and what came of it."""

    source: Hex | None
    target: Hex
    says: str = ""


def fires(view: View) -> list[Fire]:
    """The fire among the events of a view, from where its guns then stood; each line once."""
    where = Whereabouts(view.counters)
    out: dict[Fire, None] = {}
    for event in view.events:
        kind, data = KINDS.get(event.kind), event.data
        where.follow(event)
        if isinstance(kind, Shot) and (at := where.first(data, kind.target)) is not None:
            out[Fire(where.first(data, kind.source), at, first_word(data, kind.says))] = None
        elif isinstance(kind, Fight) and (fought := hex_or_none(data.get("hex"))) is not None:
            guns = [where.find(gun.get("unit")) for key in kind.support for gun in objects(data.get(key))]
            out |= {Fire(gun, fought): None for gun in guns if gun is not None}
    return list(out)


def draw_fires(plate: Plate, found: Iterable[Fire], lattice: Lattice) -> None:
    """Dashes from each gun to the hexside before its target, where it bursts; what came of it stands beside that."""
    r = lattice.radius
    for fire in found:
        start, end = _line(fire, lattice)
        if start is not None:
            _dashes(plate, start, end, r)
        burst(plate, end, r * 0.24, "halo")
        burst(plate, end, r * 0.19)
        size = max(round(r * 0.3), 7)
        write(plate, (end[0] + r * 0.28, end[1]), fire.says, "bold", size, "red", anchor="lm", halo="halo", stroke=max(r // 18, 1))


def fire_areas(found: Iterable[Fire], lattice: Lattice) -> list[Area]:
    """The rectangles that bursts and results take."""
    r = lattice.radius
    ends = [(_line(fire, lattice)[1], 0.7 if fire.says else 0.25) for fire in found]
    return [(x - r * 0.25, y - r * 0.25, x + r * wide, y + r * 0.25) for (x, y), wide in ends]


def _line(fire: Fire, lattice: Lattice) -> tuple[Point | None, Point]:
    """Where a line of fire begins, if it is known, and where it bursts."""
    r = lattice.radius
    tx, ty = lattice.centre(fire.target)
    if fire.source is None or fire.source == fire.target:
        return None, (tx, ty)
    sx, sy = lattice.centre(fire.source)
    length = math.hypot(tx - sx, ty - sy)
    ux, uy = (tx - sx) / length, (ty - sy) / length
    return (sx + ux * r * 0.8, sy + uy * r * 0.8), (tx - ux * r * 0.92, ty - uy * r * 0.92)


def _dashes(plate: Plate, start: Point, end: Point, r: int) -> None:
    box = clip(bounds([start, end], r * 0.3), plate.size)
    if box is None:
        return
    for wide, grow, tint in ((r * 0.15, r * 0.05, "halo"), (r * 0.075, 0.0, "red")):
        stencil = Stencil(box, 3)
        for (x, y), (ux, uy) in along([start, end], r * 0.26):
            reach = r * 0.075 + grow
            stencil.line([(x - ux * reach, y - uy * reach), (x + ux * reach, y + uy * reach)], wide, caps=False)
        stencil.onto(plate, tint)
