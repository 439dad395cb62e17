"""Wreck markers: they lie at the bottom of a stack, in the other side's colour, and their number is seen below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenarios.hexes import Hex
from services.render.counters.badges import marker
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Plate
from services.render.draw.room import Area, around
from services.render.happened.reading import objects, word
from services.render.style import Sheet
from services.render.views import View, hex_or_none

MARKER = "wreck-{side}"
"""The marker of a side's wrecks in the style sheet."""
_SHARE = 0.52
"""How wide a wreck marker is, in widths of a counter."""


def wreck_markers(view: View, sheet: Sheet) -> dict[Hex, list[tuple[str, str]]]:
    """Hex -> the wreck markers in it, each with its kind in the style sheet and its number. A view tells of them in ``own["wrecks"]``:
    tables with ``hex``, ``side`` and ``n``."""
    found: dict[Hex, list[tuple[str, str]]] = {}
    for one in objects(view.own.get("wrecks")):
        at, kind = hex_or_none(one.get("hex")), MARKER.format(side=word(one.get("side")))
        if at is not None and kind in sheet.style.counters.markers:
            found.setdefault(at, []).append((kind, word(one.get("n"))))
    return found


def draw_wrecks(
    plate: Plate, view: View, sheet: Sheet, lattice: Lattice, side: int, held: Mapping[Hex, Area], crossed: Iterable[Hex] = ()
) -> list[Area]:
    """Draw the markers before the counters, which lie upon them; the rectangles that they take. ``side``: a counter's width; ``held``: what
    counters hide; ``crossed``: hexes in whose middle something is drawn, so that markers lie above it."""
    size, above = max(round(side * _SHARE), 8), frozenset(crossed)
    out = []
    for at, markers in sorted(wreck_markers(view, sheet).items()):
        x, y = lattice.centre(at)
        down = side * 0.57 if at in held else -side * 0.62 if at in above else 0.0
        left = x - side * 0.5 if at in held else x - size * 0.55 * len(markers)
        for nth, (kind, number) in enumerate(markers):
            middle = (left + size * (0.5 + nth * 1.06), y + down)
            plate.stamp(marker(kind, size, sheet, text=number), (round(middle[0] - size / 2), round(middle[1] - size / 2)))
            out.append(around(middle, size, size))
    return out
