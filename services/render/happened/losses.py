"""Counters that are gone: crosses with their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice, Point
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.draw.lettering import write
from services.render.happened.kinds import KINDS, Loss, Note
from services.render.happened.reading import called, word
from services.render.views import EventView, hex_or_none


def losses(events: Iterable[EventView]) -> list[tuple[Hex, str]]:
    """The counters lost among the events of a view: where, and their names."""
    found = [(hex_or_none(event.data.get("hex")), called(event.data)) for event in events if isinstance(KINDS.get(event.kind), Loss)]
    return [(at, name) for at, name in found if at is not None]


def notes(events: Iterable[EventView]) -> list[tuple[Hex, str]]:
    """What the events of a view say of hexes, and where."""
    told = [(hex_or_none(event.data.get("hex")), KINDS.get(event.kind), event.data) for event in events]
    return [(at, _said(kind, data)) for at, kind, data in told if at is not None and isinstance(kind, Note) and _worth(kind, data)]


def _worth(note: Note, data: Mapping[str, Any]) -> bool:
    """Whether something is said of an event."""
    return note.unless is None or data.get(note.unless[0]) != note.unless[1]


def _said(note: Note, data: Mapping[str, Any]) -> str:
    return _KEY.sub(lambda key: word(data.get(key[1])), note.says)


_KEY = re.compile(r"\{([a-z_]+)\}")


def draw_losses(plate: Plate, lost: Iterable[tuple[Hex, str]], lattice: Lattice) -> None:
    """A cross in the hex where a counter was lost, with its name under it; several in a hex stand side by side."""
    r = lattice.radius
    size = max(round(r * 0.3), 8)
    seen: dict[Hex, int] = {}
    for at, name in lost:
        nth = seen.get(at, 0)
        seen[at] = nth + 1
        x, y = lattice.centre(at)
        cross(plate, (x + (nth % 3 - (1 if nth else 0)) * r * 0.5, y + r * 0.05), r * 0.3, "halo")
        write(plate, (x, y + r * 0.62 + nth * size), name, "bold", size, "red", anchor="mm", halo="halo", stroke=max(r // 18, 1))


def cross(surface: Surface, middle: Point, reach: float, halo: str = "") -> None:
    """The cross of an elimination, from its middle to the end of an arm sideways ``reach``."""
    x, y = middle
    for grow, colour in ((reach * 0.24, halo), (0.0, "red")):
        stencil = Stencil(bounds([middle], reach * 1.7), 3)
        for s in (-1, 1):
            stencil.line([(x - reach, y - reach * s), (x + reach, y + reach * s)], reach * 0.46 + 2 * grow)
        if colour:
            stencil.onto(surface, colour)
