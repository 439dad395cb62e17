"""The panel for phones: turn, weather and the game's scores in one strip with letters that can be read on a small screen."""

from __future__ import annotations

from typing import Any

from scenarios.data import GameData
from services.render.draw.ink import Plate, Stencil
from services.render.draw.lettering import width
from services.render.happened.attacks import burst
from services.render.happened.fights import battles
from services.render.panel.frames import Rect, cube, gold, say, table, whole
from services.render.panel.looks import LegendLook
from services.render.panel.panel import weather_look
from services.render.panel.phase import awaited
from services.render.panel.tracks import short_turn, turn_box
from services.render.panel.weather import SIGNS, weather_now
from services.render.style import Sheet, SideLook
from services.render.views import View

_HIGH = 0.125
"""The strip's height, of its width."""


def compact_height(across: int) -> int:
    """Pixels of a strip ``across`` pixels wide."""
    return max(round(across * _HIGH), 24)


def draw_compact(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet) -> None:
    """The strip in a box ``compact_height`` high: turn, weather, each score of the style with its cubes; below who is awaited."""
    x0, y0, x1, y1 = box
    high = y1 - y0
    _fill(plate, box, "paper")
    _fill(plate, (x0, y0, x1, y0 + max(high // 40, 1)), "ink")
    foot = y0 + high * 0.68
    cells = _cells(data, view, sheet)
    wide = (x1 - x0) / len(cells)
    for k, cell in enumerate(cells):
        left = x0 + wide * k
        if k:
            _fill(plate, (round(left), round(y0 + high * 0.12), round(left) + max(high // 70, 1), round(foot)), "rule")
        _draw_cell(plate, (left + high * 0.12, y0 + high * 0.06, left + wide - high * 0.1, foot), cell, sheet)
    _fill(plate, (x0, round(foot + high * 0.02), x1, y1), "paper_lo")
    at, size = y0 + high * 0.85, round(high * 0.2)
    seen = f", as seen by: {data.side_names.get(view.side, view.side)}" if view.side else ""
    game = sheet.style.board.title
    used = say(plate, (x1 - high * 0.12, at), game + seen, "plain", size, "ink", (x1 - x0) * 0.55, "rm")
    said = awaited(data, view)
    left = x0 + high * 0.24 + say(plate, (x0 + high * 0.12, at), said, "bold", size, "town", x1 - x0 - used - high * 0.5)
    meaning = _meaning(sheet)
    if meaning and any(battle.on_defender is not None or battle.on_attackers is not None for battle in battles(view.events)):
        middle = (left + x1 - used - high * 0.24) / 2
        burst(plate, (middle - width(meaning, "plain", size) / 2 - size * 0.5, at), size * 0.5)
        say(plate, (middle + size * 0.25, at), meaning, "plain", size, "ink", max(x1 - used - left - high * 0.6, 1), "mm")


def _meaning(sheet: Sheet) -> str:
    """What the legend says of the hits of a battle; empty if the game's battles are told otherwise."""
    looks = (box for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, LegendLook))
    return next((look.signs["hits"] for look in looks if "hits" in look.signs), "")


Cell = tuple[str, str, str, list[tuple[SideLook, int]]]
"""A small heading, a large word, a weather sign, and cubes with numbers."""


def _cells(data: GameData, view: View, sheet: Sheet) -> list[Cell]:
    k = turn_box(data, view)
    head, tail = short_turn(data.turns[k]) if 0 <= k < len(data.turns) else (f"Turn {view.turn}", "")
    cells: list[Cell] = [(f"Turn {view.turn}" if view.turn else "Set-up", f"{head} {tail}".strip(), "", [])]
    now = weather_now(weather_look(sheet), view)
    if now:
        cells.append(("Weather", now[0], now[1], []))
    for score in sheet.style.panel.scores:
        value: Any = view.own
        for part in score.key.split("."):
            value = table(value).get(part)
        single = whole(value)
        found = [(gold(sheet), single)] if single is not None else []
        for side, look in sheet.style.sides.items():
            number = whole(table(value).get(side))
            if number is not None:
                found.append((look, number))
        if found:
            cells.append((score.name, "", "", found))
    return cells


def _draw_cell(plate: Plate, area: tuple[float, float, float, float], cell: Cell, sheet: Sheet) -> None:
    x0, y0, x1, y1 = area
    high = y1 - y0
    head, word, sign, cubes = cell
    say(plate, (x0, y0 + high * 0.2), head, "plain", round(high * 0.26), "faint", x1 - x0)
    middle, left = y0 + high * 0.68, x0
    if sign in SIGNS:
        SIGNS[sign](plate, (x0 + high * 0.26, middle), high * 0.26)
        left += high * 0.64
    say(plate, (left, middle), word, "bold", round(high * 0.42), "ink", x1 - left)
    side = round(high * 0.48)
    for k, (look, number) in enumerate(cubes):
        plate.stamp(cube(look, side, str(number), sheet), (round(x0 + k * side * 1.35), round(middle - side / 2)))


def _fill(plate: Plate, box: Rect, colour: str) -> None:
    stencil = Stencil(box, 1)
    stencil.polygon([(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])])
    stencil.onto(plate, colour)
