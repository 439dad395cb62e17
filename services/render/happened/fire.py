"""Lines of fire: antitank fire, and guns that support a battle."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, Point, along
from services.render.draw.ink import Plate, Stencil, bounds, clip
from services.render.draw.room import Area, around
from services.render.happened.attacks import burst
from services.render.happened.kinds import KINDS, Fight, Shot, Sign
from services.render.happened.reading import Whereabouts, first_word, items
from services.render.views import View, hexes


@dataclass(frozen=True, slots=True)
class Fire:
    """Fire from a hex (None: from somewhere) on another. ``bursts``: whether a burst marks its end; else a sign in the hex does."""

    source: Hex | None
    target: Hex
    bursts: bool = True


def fires(view: View) -> list[Fire]:
    """The fire among the events of a view, from where its guns then stood; each line once."""
    where = Whereabouts(view.counters, view.events)
    lines: dict[tuple[Hex | None, Hex], bool] = {}
    for event in view.events:
        kind, data = KINDS.get(event.kind), event.data
        where.follow(event)
        if isinstance(kind, Shot) and (at := where.first(data, kind.target)) is not None:
            sources: list[Hex | None] = [*where.all(data, kind.source)]
            lines |= dict.fromkeys(((source, at) for source in sources or [None]), True)
        elif isinstance(kind, Fight) and (fought := next(iter(hexes([data.get("hex"), *items(data.get("hexes"))])), None)) is not None:
            named = [gun.get("unit") if isinstance(gun, dict) else gun for key in kind.support for gun in items(data.get(key))]
            guns = [where.find(gun) for gun in named]
            lines |= {(gun, fought): True for gun in guns if gun is not None}
        elif isinstance(kind, Sign) and kind.source and kind.told(data) and (hit := where.first(data, kind.target)) is not None:
            lines |= {(source, hit): lines.get((source, hit), False) for source in where.all(data, kind.source) if source != hit}
    return [Fire(source, at, bursts) for (source, at), bursts in lines.items()]


def hits(view: View) -> list[tuple[Hex, str]]:
    """What came of shots that had an effect, and where: the odds, if they are told, and the result."""
    where = Whereabouts(view.counters, view.events)
    out = []
    for event in view.events:
        kind = KINDS.get(event.kind)
        where.follow(event)
        if isinstance(kind, Shot) and (at := where.first(event.data, kind.target)) is not None:
            said = first_word(event.data, kind.says).strip("-–")
            if said:
                out.append((at, f"{first_word(event.data, kind.odds)} {said}".strip()))
    return out


def draw_fires(plate: Plate, found: Iterable[Fire], lattice: Lattice) -> None:
    """Dashes from each gun to the hexside before its target, where it bursts."""
    r = lattice.radius
    for fire in found:
        start, end = _line(fire, lattice)
        if start is not None:
            _dashes(plate, start, end, r)
        if not fire.bursts:
            continue
        burst(plate, end, r * 0.24, "halo")
        burst(plate, end, r * 0.19)


def fire_areas(found: Iterable[Fire], lattice: Lattice) -> list[Area]:
    """The rectangles that bursts take."""
    r = lattice.radius
    return [around(_line(fire, lattice)[1], r * 0.5, r * 0.5) for fire in found if fire.bursts]


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
