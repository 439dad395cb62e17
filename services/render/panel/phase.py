"""The phase track: the phases of a game-turn in their order, a chip in the phasing side's colour on the present one, and who is awaited."""

from __future__ import annotations

from itertools import pairwise

from scenarios.data import GameData
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.panel.frames import Area, Rect, draw_cell, gold, letters, say
from services.render.panel.looks import PhaseLook
from services.render.panel.morale import chip
from services.render.style import Sheet
from services.render.views import View


def cells(box: Rect, count: int, unit: int) -> list[Area]:
    """The places of the phases, across or down as the box is wide or high; a line is left at the foot."""
    x0, y0, x1, y1 = box
    foot = y1 - unit * 0.55
    if x1 - x0 > (y1 - y0) * 1.3:
        wide = (x1 - x0) / count
        return [(x0 + wide * k + unit * 0.06, y0 + 2, x0 + wide * (k + 1) - unit * 0.06, foot) for k in range(count)]
    high = (foot - y0) / count
    return [(float(x0), y0 + high * k + unit * 0.06, float(x1), y0 + high * (k + 1) - unit * 0.06) for k in range(count)]


def draw_phases_ground(surface: Surface, box: Rect, look: PhaseLook, unit: int) -> None:
    """The phases; those that belong to no player-turn are toned."""
    areas = cells(box, len(look.phases), unit)
    for phase, area in zip(look.phases, areas, strict=True):
        draw_cell(surface, area, unit, "paper_lo" if phase.turn else "paper")
        _name(surface, area, phase.name, unit, "ink")
    for one, other in pairwise(areas):
        _way(surface, one, other, unit)


def _name(surface: Surface, area: Area, name: str, unit: int, colour: str) -> None:
    """A phase's name, in two lines if it has two words and the cell is narrow."""
    x0, y0, x1, y1 = area
    middle, half = (x0 + x1) / 2, (y0 + y1) / 2
    head, _, tail = name.partition(" ")
    two = bool(tail) and x1 - x0 < unit * 3.2 and y1 - y0 > unit * 0.9
    for k, line in enumerate((head, tail) if two else (name,)):
        at = (middle, half + (k - 0.5) * unit * 0.42 if two else half)
        say(surface, at, line, "bold", letters(unit, 0.34), colour, x1 - x0 - unit * 0.2, "mm", 5)


def _way(surface: Surface, one: Area, other: Area, unit: int) -> None:
    """A small pointer from a phase to the next."""
    r = max(unit * 0.09, 1.5)
    if other[0] > one[0]:
        x, y = (one[2] + other[0]) / 2, (one[1] + one[3]) / 2
        shape = [(x - r, y - r), (x + r, y), (x - r, y + r)]
    else:
        x, y = (one[0] + one[2]) / 2, (one[3] + other[1]) / 2
        shape = [(x - r, y - r), (x + r, y - r), (x, y + r)]
    stencil = Stencil(bounds(shape, 2))
    stencil.polygon(shape)
    stencil.onto(surface, "town")


def draw_phases(plate: Plate, box: Rect, look: PhaseLook, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """A chip on the present phase, in gold where nobody is phasing, and the line that tells who is awaited."""
    step = (view.step or {}).get("name")
    side = sheet.style.sides.get(view.phasing or "") or gold(sheet)
    for phase, area in zip(look.phases, cells(box, len(look.phases), unit), strict=True):
        if step in phase.steps:
            x0, y0, x1, y1 = area
            high = min(y1 - y0 - 4, unit * 0.7)
            at = (round(x0 + 2), round((y0 + y1 - high) / 2))
            plate.stamp(chip(side, phase.name, round(x1 - x0 - 4), round(high), sheet, letters(unit, 0.36)), at)
    said = awaited(data, view)
    say(plate, ((box[0] + box[2]) / 2, box[3] - unit * 0.2), said, "bold", letters(unit, 0.36), "town", box[2] - box[0], "mm")


def awaited(data: GameData, view: View) -> str:
    """Who is awaited, or how the game ended."""
    if view.over is not None:
        winner = data.side_names.get(view.over.winner or "")
        return f"{winner} victory" if winner else "Game over"
    names = [data.side_names[side] for side in view.waiting_for if side in data.side_names]
    return f"Awaited: {' and '.join(names)}" if names else ""
