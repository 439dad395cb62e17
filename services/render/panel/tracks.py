"""The turn record track with its weather, and tracks of numbers with a cube for each side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from PIL import Image

from scenarios.data import GameData
from services.render.draw.geometry import Point
from services.render.draw.ink import Canvas, Plate, Sprite, Stencil, Surface, bounds
from services.render.draw.lettering import fitted, write
from services.render.style import Sheet, SideLook
from services.render.views import View

Rect = tuple[int, int, int, int]
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def short_turn(label: str) -> tuple[str, str]:
    """A turn's label in two short lines: ``"1941-03"`` as Mar over 1941; anything else as it is."""
    year, dash, month = label.partition("-")
    if dash and year.isdigit() and month.isdigit() and 1 <= int(month) <= 12:
        return _MONTHS[int(month) - 1], year
    head, _, tail = label.partition(" ")
    return head, tail


def cell(box: Rect, count: int, k: int) -> tuple[float, float, float, float]:
    """The ``k``-th of ``count`` equal boxes in a row."""
    x0, y0, x1, y1 = box
    step = (x1 - x0) / count
    return x0 + step * k, float(y0), x0 + step * (k + 1), float(y1)


def draw_turns_ground(surface: Surface, box: Rect, data: GameData, unit: int) -> None:
    """The boxes of the turn track, each with its label."""
    for k, label in enumerate(data.turns):
        x0, y0, x1, y1 = cell(box, len(data.turns), k)
        _frame(surface, (x0 + 1, y0 + 2, x1 - 1, y1), "paper_lo" if k % 2 else "paper", unit)
        head, tail = short_turn(label)
        middle = (x0 + x1) / 2
        text, size = fitted(head, "bold", max(round(unit * 0.42), 6), round(x1 - x0) - 4, 5)
        write(surface, (middle, y0 + unit * 0.2), text, "bold", size, "ink", anchor="mt")
        if tail and unit >= 14:
            text, size = fitted(tail, "plain", max(round(unit * 0.32), 6), round(x1 - x0) - 4, 5)
            write(surface, (middle, y0 + unit * 0.63), text, "plain", size, "faint", anchor="mt")


def _frame(surface: Surface, box: tuple[float, float, float, float], fill: str, unit: int, edge: str = "rule", thick: float = 0.0) -> None:
    grow = max(thick, 1.0)
    outer = bounds([(box[0], box[1]), (box[2], box[3])], 2)
    for inset, colour in ((0.0, edge), (grow, fill)):
        stencil = Stencil(outer, 3)
        stencil.rounded((box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset), unit * 0.1)
        stencil.onto(surface, colour)


def turn_box(data: GameData, view: View) -> int:
    """Which box of the track a view's game-turn is, from 0: game-turns are counted from the scenario's first."""
    scenario = data.scenarios.get(view.scenario)
    return (scenario.first_turn if scenario else 1) + view.turn - 2


def draw_turn_marker(surface: Surface, box: Rect, data: GameData, view: View, unit: int) -> None:
    """The present turn's box in gold, with its weather."""
    k = turn_box(data, view)
    if not 0 <= k < len(data.turns):
        return
    x0, y0, x1, y1 = cell(box, len(data.turns), k)
    outer = bounds([(x0, y0), (x1, y1)], 3)
    ring = Stencil(outer, 3)
    inset = unit * 0.05
    thick = max(unit * 0.11, 1.5)
    ring.ring([(x0 + inset, y0 + 1 + inset), (x1 - inset, y0 + 1 + inset), (x1 - inset, y1 - inset), (x0 + inset, y1 - inset)], thick)
    ring.onto(surface, "red")
    weather = view.own.get("weather")
    middle = ((x0 + x1) / 2, y0 + unit * 1.15)
    if weather == "clear":
        sun(surface, middle, unit * 0.25)
    elif isinstance(weather, str) and weather:
        storm(surface, middle, unit * 0.25)


def draw_arrivals(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """In each turn's box a small block of a side's colour with the number of its units that arrive then."""
    scenario = data.scenarios.get(view.scenario)
    rows = scenario.tables.get("arrivals", ()) if scenario else ()
    due: dict[tuple[int, str], int] = {}
    for row in rows:
        if row.get("option") is None or view.options.get(row["option"]) is True:
            key = (data.turns.index(row["turn"]), row["side"])
            due[key] = due.get(key, 0) + sum(len(row.get(kind, ())) for kind in ("units", "air", "leaders"))
    for k in range(len(data.turns)):
        here = [(side, due[k, side]) for side in sheet.style.sides if due.get((k, side))]
        x0, _, x1, y1 = cell(box, len(data.turns), k)
        size = max(round(min(unit * 0.46, (x1 - x0) * 0.4)), 5)
        for n, (side, count) in enumerate(here):
            x = (x0 + x1) / 2 + (n - len(here) / 2) * (size * 1.25) + size * 0.12
            plate.stamp(cube(sheet.style.sides[side], size, str(count), sheet), (round(x), round(y1 - size - unit * 0.06)))


def sun(surface: Surface, middle: Point, radius: float) -> None:
    """Clear weather."""
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 2))
    stencil.disc(middle, radius * 0.52)
    for k in range(8):
        a = math.pi * k / 4
        stencil.line(
            [(x + math.cos(a) * radius * 0.72, y + math.sin(a) * radius * 0.72), (x + math.cos(a) * radius, y + math.sin(a) * radius)],
            max(radius * 0.2, 1),
        )
    stencil.onto(surface, "gold")


def storm(surface: Surface, middle: Point, radius: float) -> None:
    """Poor weather: blown sand."""
    x, y = middle
    stencil = Stencil(bounds([middle], radius + 2))
    for k, (start, end) in enumerate(((-0.9, 0.6), (-0.6, 0.95), (-0.95, 0.4))):
        line_y = y + (k - 1) * radius * 0.55
        points = [(x + radius * (start + (end - start) * t / 8), line_y - math.sin(math.pi * t / 4) * radius * 0.16) for t in range(9)]
        stencil.line(points, max(radius * 0.22, 1.2))
    stencil.onto(surface, "rough_ink")


def draw_track_ground(surface: Surface, box: Rect, last: int, unit: int) -> None:
    """The numbered boxes of a track from 0 to ``last``."""
    for k in range(last + 1):
        x0, y0, x1, y1 = cell(box, last + 1, k)
        _frame(surface, (x0 + 1, y0 + 2, x1 - 1, y1), "paper_lo" if k % 2 else "paper", unit)
        text, size = fitted(str(k), "bold", max(round(unit * 0.4), 6), round(x1 - x0) - 3, 5)
        write(surface, ((x0 + x1) / 2, y0 + unit * 0.2), text, "bold", size, "faint", anchor="mt")


def draw_track_markers(plate: Plate, box: Rect, last: int, values: Mapping[str, Any], sheet: Sheet, unit: int) -> None:
    """A wooden cube for each side at its number; one beyond the track's end stands on its last box with the number written on it."""
    style = sheet.style
    for row, side in enumerate(style.sides):
        value = values.get(side)
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        x0, _, x1, y1 = cell(box, last + 1, min(max(value, 0), last))
        size = max(round(min((x1 - x0) * 0.72, unit * 0.52)), 5)
        x, y = (x0 + x1) / 2 - size / 2, y1 - unit * 0.12 - size - (len(style.sides) - 1 - row) * (size + unit * 0.08)
        plate.stamp(cube(style.sides[side], size, str(value) if value > last else "", sheet), (round(x), round(y)))


@lru_cache(maxsize=64)
def cube(look: SideLook, size: int, text: str, sheet: Sheet) -> Sprite:
    """A small wooden cube in a side's colours, with a number on it or none."""
    canvas = Canvas((size, size), sheet.palette, look.dark)
    box = (0, 0, size, size)
    for inset_from, inset_to, colour in ((0.0, size * 0.12, look.light), (size * 0.1, size * 0.12, look.face)):
        stencil = Stencil(box)
        stencil.rounded((inset_from, inset_from, size - inset_to, size - inset_to), size * 0.1)
        stencil.onto(canvas, colour)
    write(canvas, (size * 0.47, size * 0.47), text, "bold", max(round(size * 0.85), 6), look.on, anchor="mm")
    return Sprite(sheet.palette.flatten(canvas.image), Image.new("1", (size, size), 1))
