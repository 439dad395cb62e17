"""Boxes of counters off the map, of what is left in stock, and of places with their holders."""

from __future__ import annotations

import msgspec

from scenarios.data import GameData
from services.render.counters.counters import look_of, sprite
from services.render.counters.pieces import counter_size
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.happened.flags import flag
from services.render.panel.frames import Rect, draw_cell, letters, say, table, whole
from services.render.panel.looks import GroupLook, PoolLook, SitesLook, StockLook
from services.render.panel.tracks import short_turn, turn_box
from services.render.style import Sheet
from services.render.views import CounterView, View, hex_or_none

_SMALLEST, _MOST_SITES = 8, 60
"""The least width of a counter off the map in pixels; how many places a box lists at most."""
Heading = tuple[str, str]
"""Two short lines that stand for a game-turn before its counters."""
Group = tuple[GroupLook, list[CounterView | Heading]]


def draw_pool(plate: Plate, box: Rect, look: PoolLook, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """The groups of a box, each under its name, as small as it takes for all counters to show; an empty one takes a line."""
    groups = [(group, held) for group in look.groups if (held := _held(group, data, view, sheet)) or not group.brief]
    x0, y0, x1, y1 = box
    if len(groups) > 1 and x1 - x0 > 2.4 * (y1 - y0):
        shares = [max(len(held), group.slots, 3) for group, held in groups]
        gap, left = unit // 2, float(x0)
        for group, share in zip(groups, shares, strict=True):
            wide = (x1 - x0 - gap * (len(groups) - 1)) * share / sum(shares)
            _draw_groups(plate, (round(left), y0, round(left + wide), y1), [group], data, sheet, unit)
            left += wide + gap
        return
    _draw_groups(plate, box, groups, data, sheet, unit)


def _held(group: GroupLook, data: GameData, view: View, sheet: Sheet) -> list[CounterView | Heading]:
    """The counters of a group that may be shown, with headings where they come by game-turns."""
    here = [one for one in view.counters if one.place in group.places and one.side in sheet.style.sides]
    if group.due:
        here = [one for one in here if (due := _due(one)) is not None and due <= view.turn]
    if not group.later:
        return list(here)
    out: list[CounterView | Heading] = []
    turns: dict[int | None, list[CounterView]] = {}
    for one in here:
        turns.setdefault(_due(one), []).append(one)
    for due in sorted(due for due in turns if due is not None and due > view.turn):
        k = turn_box(data, msgspec.structs.replace(view, turn=due))
        out += [short_turn(data.turns[k]) if 0 <= k < len(data.turns) else (f"Turn {due}", ""), *turns[due]]
    return [*out, (group.undated, ""), *turns[None]] if None in turns else out


def _due(one: CounterView) -> int | None:
    """The game-turn from which a counter may enter, if that is fixed."""
    return whole(one.num.get("due"))


def _count(group: GroupLook, held: list[CounterView | Heading]) -> int:
    return max(len(held), group.slots)


def _draw_one(plate: Plate, at: tuple[int, int], one: CounterView | Heading, side: int, data: GameData, sheet: Sheet, unit: int) -> None:
    if isinstance(one, CounterView):
        plate.stamp(sprite(look_of(one, data, sheet), side, sheet), at)
    else:
        _draw_heading(plate, at, side, one, unit)


def _draw_heading(plate: Plate, at: tuple[int, int], side: int, said: Heading, unit: int) -> None:
    """A game-turn in the room of a counter."""
    x, y = at[0] + side - unit * 0.08, at[1] + side / 2
    lines = [line for line in said if line]
    for k, line in enumerate(lines):
        at_line = (x, y + (k - (len(lines) - 1) / 2) * side * 0.36)
        say(plate, at_line, line, "plain" if k else "bold", min(letters(unit, 0.3), round(side * 0.36)), "town", side, "rm", 5)


def _draw_groups(plate: Plate, box: Rect, groups: list[Group], data: GameData, sheet: Sheet, unit: int) -> None:
    x0, y0, x1, y1 = box
    head, gap = unit * 0.56, max(unit // 9, 1)
    side = counter_size(unit)

    def rows(count: int) -> int:
        return -(-count // max((x1 - x0 + gap) // (side + gap), 1))

    def needed() -> float:
        return sum(head + rows(_count(*one)) * (side + gap) for one in groups) + unit * 0.24 * (len(groups) - 1)

    while side > _SMALLEST and needed() > y1 - y0:
        side -= 1
    columns = max((x1 - x0 + gap) // (side + gap), 1)
    spare = max(y1 - y0 - needed(), 0.0)
    y = float(y0)
    for group, held in groups:
        wide = say(plate, (x0, y + head * 0.5), group.name, "bold", letters(unit, 0.34), "ink", (x1 - x0) * 0.8)
        count = sum(isinstance(one, CounterView) for one in held)
        said = str(count) if count else "none"
        say(plate, (x0 + wide + unit * 0.25, y + head * 0.5), said, "plain", letters(unit, 0.34), "faint", x1 - x0 - wide - unit * 0.3)
        y += head
        for k in range(_count(group, held)):
            at = (x0 + k % columns * (side + gap), round(y) + k // columns * (side + gap))
            if at[1] + side > y1 + gap:
                break
            if group.slots:
                draw_cell(plate, (at[0], at[1], at[0] + side, at[1] + side), unit)
                say(plate, (at[0] + side / 2, at[1] + side / 2), str(k + 1), "plain", letters(unit, 0.36), "faint", side - 2, "mm", 5)
            if k < len(held):
                _draw_one(plate, at, held[k], side, data, sheet, unit)
        y += rows(_count(group, held)) * (side + gap) + min(spare / len(groups), unit * 1.1) + unit * 0.24
        if group is not groups[-1][0]:
            _rule(plate, x0, x1, y - unit * 0.1)


def draw_stock(plate: Plate, box: Rect, look: StockLook, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """A line a thing: its name and a square for each one, filled while it is left; a heading where the side changes."""
    x0, y0, x1, y1 = box
    sides = list(dict.fromkeys(row.side for row in look.rows))
    high = min((y1 - y0) / (len(look.rows) + len(sides)), unit * 0.7)
    size = min(letters(unit, 0.36), max(round(high * 0.7), 6))
    y = y0 + high / 2
    for side in sides:
        colours = sheet.style.sides.get(side)
        say(plate, (x0, y), data.side_names.get(side, side), "bold", size, "ink", x1 - x0)
        y += high
        for row in (row for row in look.rows if row.side == side):
            left = whole(table(table(view.own.get(look.key)).get(side)).get(row.key))
            say(plate, (x0 + unit * 0.2, y), row.name, "plain", size, "ink" if left else "faint", (x1 - x0) * 0.36)
            count = f"{left} of {row.last}" if left is not None else ""
            say(plate, (x1, y), count, "plain", size, "ink" if left else "faint", (x1 - x0) * 0.17, "rm")
            step = min((x1 - x0) * 0.44 / max(row.last, 1), high * 0.86)
            for k in range(row.last):
                x = x0 + (x1 - x0) * 0.39 + step * k
                held = left is not None and k < left
                area = (x, y - step * 0.42, x + step * 0.84, y + step * 0.42)
                fill, edge = (colours.face, colours.dark) if colours and held else ("paper", "rule")
                draw_cell(plate, area, round(step), fill, edge)
            y += high


def draw_sites(plate: Plate, box: Rect, look: SitesLook, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """The places whose control counts, each with its holder's flag, and how much each side holds."""
    sides = sheet.style.sides
    rows: list[tuple[int, str, str]] = []
    shown = {**look.names, **look.more.get(view.scenario.rpartition("/")[2], {})}
    for label, holder in sorted(table(view.own.get(look.key)).items()):
        at = hex_or_none(label)
        name = shown.get(label) or ((data.board.name_of(at) or label) if at else label)
        if shown and label not in shown:
            continue
        if isinstance(holder, str) and holder in sides:
            rows.append((look.worth.get(name, 0), name, holder))
    rows = rows[:_MOST_SITES]
    if look.worth:
        rows.sort(key=lambda row: (-row[0], row[1]))
    x0, y0, x1, y1 = box
    foot = y1 - unit * 0.66
    columns = 2 if len(rows) * unit * 0.5 > foot - y0 and x1 - x0 > unit * 5 else 1
    lines = max(-(-len(rows) // columns), 1)
    high, wide = min((foot - y0) / lines, unit * 0.86), (x1 - x0) / columns
    size = max(round(min(unit * 0.38, high * 0.66)), 6)
    for k, (worth, name, holder) in enumerate(rows):
        x, y = x0 + wide * (k // lines), y0 + (k % lines + 0.5) * high
        flag(plate, (x + unit * 0.06, y + high * 0.36), min(high * 0.78, unit * 0.6), sides[holder].face, sides[holder].ink)
        say(plate, (x + unit * 0.72, y), name, "plain", size, "ink", wide - unit * (1.7 if worth else 0.8))
        if worth:
            say(plate, (x + wide - unit * (0.6 if columns > 1 else 0.2), y), str(worth), "bold", size, "town", unit * 0.5, "rm")
    _rule(plate, x0, x1, y1 - unit * 0.55)
    for k, side in enumerate(sides):
        held = sum(worth if look.worth else 1 for worth, _, holder in rows if holder == side)
        middle = (x0 + (x1 - x0) * (k + 0.5) / len(sides), y1 - unit * 0.2)
        say(
            plate, middle, f"{data.side_names.get(side, side)} {held}", "bold", letters(unit, 0.38), "ink", (x1 - x0) / len(sides) - 4, "mm"
        )


def _rule(surface: Surface, x0: float, x1: float, y: float) -> None:
    rule = Stencil(bounds([(x0, y), (x1, y)], 1), 2)
    rule.line([(x0, y), (x1, y)], 1)
    rule.onto(surface, "rule")
