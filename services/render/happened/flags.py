"""Who holds what: flags beside the names of places, and where control has just changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scenarios.hexes import Hex
from services.render.board.names import Placed
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.happened.kinds import KINDS, Flag
from services.render.style import Style
from services.render.views import EventView, hex_or_none


def changes(events: Iterable[EventView]) -> dict[Hex, Any]:
    """The hexes whose control changed, each with its holder now."""
    found = {hex_or_none(event.data.get("hex")): event.data.get("side") for event in events if isinstance(KINDS.get(event.kind), Flag)}
    return {at: side for at, side in found.items() if at is not None}


def draw_flags(
    plate: Plate, control: Mapping[str, Any], changed: Mapping[Hex, Any], names: Iterable[Placed], style: Style, lattice: Lattice
) -> None:
    """A flag in the colour of the holder beside the name of every place whose control counts; edged in gold where it has just changed. A
    hex that changed hands and has no such name gets its flag in its upper left corner."""
    done = set()
    for name in names:
        side = control.get(str(name.hex))
        if name.flag is not None and isinstance(side, str) and side in style.sides:
            look = style.sides[side]
            flag(plate, name.flag, name.size * 0.98, look.face, look.ink, name.hex in changed)
            done.add(name.hex)
    r = lattice.radius
    for at, side in changed.items():
        if at not in done and isinstance(side, str) and side in style.sides:
            x, y = lattice.centre(at)
            flag(plate, (x - r * 0.66, y - r * 0.6), r * 0.5, style.sides[side].face, style.sides[side].ink, True)


def flag(surface: Surface, foot: Point, high: float, colour: str, rim: str, changed: bool = False) -> None:
    """A flag on its staff, whose foot is given."""
    x, y = foot
    long, deep = high * 0.78, high * 0.5
    cloth = [
        (x, y - high),
        (x + long * 0.5, y - high + deep * 0.12),
        (x + long, y - high),
        (x + long, y - high + deep),
        (x + long * 0.5, y - high + deep * 1.12),
        (x, y - high + deep),
    ]
    box = bounds([*cloth, foot], high * 0.3)
    if changed:
        back = Stencil(box)
        back.ring(cloth, high * 0.3)
        back.onto(surface, "gold")
    for shape, tint in (("rim", rim), ("cloth", colour)):
        stencil = Stencil(box)
        if shape == "rim":
            stencil.ring(cloth, max(high * 0.12, 1.6))
            stencil.line([(x, y - high), foot], max(high * 0.1, 1.4))
        else:
            stencil.polygon(cloth)
        stencil.onto(surface, tint)
