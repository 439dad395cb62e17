"""The turn record with darkness, weather and arrivals, and tracks of numbers with a cube for each side."""

from __future__ import annotations

import re

from scenarios.data import GameData
from services.render.draw.ink import Plate, Surface
from services.render.panel.frames import Area, Rect, cell, cube, draw_cell, draw_ring, gold, letters, say, table, whole
from services.render.panel.looks import TrackLook, TurnsLook
from services.render.panel.weather import SIGNS, moon
from services.render.style import Sheet, SideLook
from services.render.views import View

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DATE = re.compile(r"(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]{2,8})(?: (?P<rest>.+))?")


def short_turn(label: str) -> tuple[str, str]:
    """A turn's label in two short lines: ``"1941-03"`` as Mar over 1941, ``"26 May"`` as 26 over May, ``"5 Feb 1200"`` as 1200 over 5 Feb;
    anything else by its first word."""
    parts = label.split("-")
    if len(parts) in (2, 3) and all(part.isdigit() for part in parts) and 1 <= int(parts[1]) <= 12:
        month = _MONTHS[int(parts[1]) - 1]
        return (month, parts[0]) if len(parts) == 2 else (str(int(parts[2])), month)
    found = _DATE.fullmatch(label)
    if found:
        rest = found["rest"] or ""
        if not rest or (len(rest) == 4 and rest.startswith("19")):
            return found["day"], found["month"]
        return rest.split()[0].capitalize(), f"{found['day']} {found['month'][:3]}"
    head, _, tail = label.partition(" ")
    return head, tail


def turn_lines(look: TurnsLook, count: int, wide: float) -> int:
    """In how many rows the boxes of a turn record stand in a box ``wide`` units inside, so that each is as wide as it must be."""
    return max(-(-count // max(int(wide / look.cell), 1)), 1)


def turn_cell(box: Rect, look: TurnsLook, count: int, k: int, unit: int) -> Area:
    """The box of the ``k``-th game-turn."""
    x0, y0, x1, y1 = cell(box, count, k, turn_lines(look, count, (box[2] - box[0]) / unit))
    return x0 + 1, y0 + 2, x1 - 1, y1


def draw_turns_ground(surface: Surface, box: Rect, look: TurnsLook, data: GameData, unit: int) -> None:
    """The boxes of the turn track, each with its label; those of darkness are shaded and bear a moon."""
    for k, label in enumerate(data.turns):
        area = turn_cell(box, look, len(data.turns), k, unit)
        x0, y0, x1, _ = area
        dark = k + 1 in look.dark
        draw_cell(surface, area, unit, "rule" if dark else "paper_lo" if k % 2 else "paper")
        head, tail = short_turn(label)
        middle, room = (x0 + x1) / 2, x1 - x0 - 4
        say(surface, (middle, y0 + unit * 0.18), head, "bold", letters(unit, 0.42), "ink", room, "mt", 5)
        if tail and unit >= 14:
            say(surface, (middle, y0 + unit * 0.61), tail, "plain", letters(unit, 0.32), "ink", room, "mt", 5)
        if dark:
            moon(surface, (x1 - unit * 0.24, y0 + unit * 1.02), unit * 0.17)


def turn_box(data: GameData, view: View) -> int:
    """Which box of the track a view's game-turn is, from 0: game-turns are counted from the scenario's first, which a set-up is for."""
    scenario = data.scenarios.get(view.scenario)
    return (scenario.first_turn if scenario else 1) + max(view.turn, 1) - 2


def draw_turns(plate: Plate, box: Rect, look: TurnsLook, data: GameData, view: View, sheet: Sheet, unit: int, sign: str) -> None:
    """The present turn's box with a red edge and the weather's sign; in those to come a cube for each side's units that are due."""
    now, count = turn_box(data, view), len(data.turns)
    due = arrivals(data, view, look)
    for k in range(max(now, 0), count):
        area = turn_cell(box, look, count, k, unit)
        if k == now:
            draw_ring(plate, area, max(unit * 0.11, 1.5), "red")
            if sign in SIGNS:
                SIGNS[sign](plate, ((area[0] + area[2]) / 2, area[1] + unit * 1.1), unit * 0.2)
        here = [(sheet.style.sides[side], due[k, side]) for side in sheet.style.sides if due.get((k, side))]
        size = max(round(min(unit * 0.46, (area[2] - area[0]) * 0.4)), 5)
        for n, (side, number) in enumerate(here):
            x = (area[0] + area[2]) / 2 + (n - len(here) / 2) * (size * 1.25) + size * 0.12
            plate.stamp(cube(side, size, str(number), sheet), (round(x), round(area[3] - size - unit * 0.1)))


def arrivals(data: GameData, view: View, look: TurnsLook) -> dict[tuple[int, str], int]:
    """How much of what counts as arrivals the scenario brings for a side in each box of the track, from 0."""
    scenario = data.scenarios.get(view.scenario)
    rows = scenario.tables.get("arrivals", ()) if scenario else ()
    due: dict[tuple[int, str], int] = {}
    for row in rows:
        if row.get("turn") in data.turns and (row.get("option") is None or view.options.get(row["option"]) is True):
            key = (data.turns.index(row["turn"]), row["side"])
            due[key] = due.get(key, 0) + sum(_number(row.get(kind, ())) for kind in look.arrivals)
    return due


def _number(value: object) -> int:
    """How many a list or a number is."""
    return value if isinstance(value, int) else len(value) if isinstance(value, list | tuple) else 0


def draw_track_ground(surface: Surface, box: Rect, look: TrackLook, sheet: Sheet, unit: int) -> None:
    """The numbered boxes of a track, and under them the names of its bands."""
    count = look.last - look.first + 1
    upper = track_area(box, look, unit)
    for k in range(count):
        x0, y0, x1, y1 = cell(upper, count, k)
        draw_cell(surface, (x0 + 1, y0 + 2, x1 - 1, y1), unit, "paper_lo" if k % 2 else "paper")
        at = ((x0 + x1) / 2, y0 + unit * 0.18)
        say(surface, at, str(k + look.first), "bold", letters(unit, 0.4), "ink", x1 - x0 - 3, "mt", 5)
    for band in look.bands:
        x0, x1 = cell(upper, count, band.first - look.first)[0] + 1, cell(upper, count, band.last - look.first)[2] - 1
        side = sheet.style.sides.get(band.side)
        area = (x0, upper[3] + unit * 0.08, x1, float(box[3]))
        draw_cell(surface, area, unit, side.face if side else "paper_lo")
        at = ((x0 + x1) / 2, (area[1] + area[3]) / 2)
        say(surface, at, band.name, "bold", letters(unit, 0.32), side.on if side else "ink", x1 - x0 - 4, "mm", 5)


def track_area(box: Rect, look: TrackLook, unit: int) -> Rect:
    """A track's box less the room of its bands."""
    return box[0], box[1], box[2], box[3] - (round(unit * 0.62) if look.bands else 0)


def draw_track(plate: Plate, box: Rect, look: TrackLook, view: View, sheet: Sheet, unit: int) -> None:
    """A wooden cube for each side at its number, or a gold one; beyond the track's ends it stands on the last box with its number on it."""
    value = view.own.get(look.key)
    single = whole(value)
    found: list[tuple[SideLook, int | None]] = [(style, whole(table(value).get(side))) for side, style in sheet.style.sides.items()]
    if single is not None:
        found = [(gold(sheet), single)]
    area = track_area(box, look, unit)
    for row, (style, number) in enumerate(found):
        if number is None:
            continue
        shown = min(max(number, look.first), look.last)
        x0, _, x1, y1 = cell(area, look.last - look.first + 1, shown - look.first)
        size = max(round(min((x1 - x0) * 0.72, unit * 0.5)), 5)
        x, y = (x0 + x1) / 2 - size / 2, y1 - unit * 0.14 - size - (len(found) - 1 - row) * (size + unit * 0.08)
        plate.stamp(cube(style, size, str(number) if number != shown else "", sheet), (round(x), round(y)))
