"""What the umpire may set right by hand: blocks and their strength, the pools, resource points, control of cities, the weather."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Box, Hex
from services.rules.engine import changes as ch
from services.rules.engine.editing import Editing, Value
from services.rules.engine.model import Change
from services.rules.engine.positions import units_at
from services.rules.engine.table import Table
from services.rules.games.holdfast.state import OFF, block_gone, control, new_block, pool, sp, value

MARKS = frozenset({"moved", "attacked"})


def _gone(table: Table, unit: str) -> tuple[Box, ...]:
    return (pool(table.counters[unit].side),)


def _leaves(table: Table, unit: str) -> list[Change]:
    """A block leaves the map: its alias dies, and it lies in the pool without strength."""
    marks = [ch.mark(unit, name, False) for name in sorted(table.counters[unit].marks)]
    return [*block_gone(table, unit), *marks, ch.number(unit, "sp", 0)]


def _enters(table: Table, unit: str) -> list[Change]:
    """A block comes onto the map. One from the pool, which lies open, is known; it has one step at least."""
    alias, changes = new_block(table, unit)
    if table.counters[unit].place == OFF:
        return [*changes, ch.number(unit, "due", None), ch.number(unit, "delayed", None)]
    strength = max(1, sp(table, unit))
    known = {"unit": unit, "sp": strength, "month": table.own["month"]}
    return [*changes, ch.number(unit, "sp", strength), ch.own("seen", alias, known)]


def _numbers(table: Table, unit: str) -> Mapping[str, int]:
    """Steps of a block on the map, or the game-turn in which one that waits may enter."""
    place = table.counters[unit].place
    if isinstance(place, Hex):
        return {"sp": value(table, unit, "max_sp")}
    return {"due": len(table.data.turns)} if place == OFF else {}


def _values(table: Table) -> Mapping[str, Value]:
    return {
        "RP": Value(("rp",), keys=table.data.sides),
        "CONTROL": Value(("control",), keys=tuple(sorted(control(table))), words=table.data.sides),
        "WEATHER": Value(("weather",), words=("clear", "poor")),
    }


def _crowded(table: Table, where: Hex) -> bool:
    return len(units_at(table, where)) > 1


EDITING = Editing(_gone, _leaves, _enters, _numbers, MARKS, _values, _crowded)
