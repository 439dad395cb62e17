"""What the umpire may set right by hand: units and their marks, replacement points, the weather, who holds a place."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Box, Hex
from services.rules.engine import changes as ch
from services.rules.engine.editing import Editing, Value
from services.rules.engine.model import Change
from services.rules.engine.positions import units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.engaged import released
from services.rules.games.race_for_tunis.stacking import fits
from services.rules.games.race_for_tunis.state import AIR_BOX, COMPONENT, ELIMINATED, MARKS, OFF, battles

SETTABLE = MARKS - {"in-zoc", "engaged-attacker", "engaged-defender"}


def _gone(table: Table, unit: str) -> tuple[Box, ...]:
    return (ELIMINATED,)


def _cleared(table: Table, unit: str) -> list[Change]:
    """A unit that leaves the map, or comes onto it, bears no mark, has spent nothing and is engaged with nobody."""
    counter = table.counters[unit]
    marks = [ch.mark(unit, name, False) for name in sorted(counter.marks)]
    return [*released(table, unit), *marks, *(ch.number(unit, name, None) for name in sorted(counter.num))]


def _numbers(table: Table, unit: str) -> Mapping[str, int]:
    """The game-turn in which a unit that waits may arrive."""
    counter = table.counters[unit]
    return {"due": len(table.data.turns)} if counter.place == OFF and "due" in counter.num else {}


def _values(table: Table) -> Mapping[str, Value]:
    places = tuple(sorted(table.own["places"]))
    return {
        "RP": Value(("rp",)),
        "WEATHER": Value(("weather",), words=("clear", "rain", "heavy-rain")),
        "CONTROL": Value(("places",), keys=places, words=table.data.sides),
    }


def _crowded(table: Table, where: Hex) -> bool:
    return not fits(table, units_at(table, where))


def _busy(table: Table) -> frozenset[str]:
    """Units in a battle to be fought, parts of other counters, and air units, which are never on the map."""
    parts = ("units", "support", "defenders", "defence", "air")
    fighting = [unit for one in battles(table) if not one["done"] for part in parts for unit in one[part]]
    boxed = [unit for unit, counter in table.counters.items() if counter.place in (COMPONENT, AIR_BOX)]
    return frozenset((*fighting, *boxed, *table.own["air"], table.own["moving"]))


EDITING = Editing(_gone, _cleared, _cleared, _numbers, SETTABLE, _values, _crowded, moves=released, busy=_busy)
