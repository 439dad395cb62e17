"""What the umpire may set right by hand: units and their marks, the reserve of tanks, exits, who holds Tobruk."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Box, Hex
from services.rules.engine.editing import Editing, Value
from services.rules.engine.model import Change
from services.rules.engine.positions import units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.engaged import released
from services.rules.games.fall_of_tobruk.stacking import fits
from services.rules.games.fall_of_tobruk.state import COMPONENT, DESTROYED, MARKS, OFF, REFIT, WRECK, attacks, unmarked

SETTABLE = MARKS - {"engaged-attacker", "engaged-defender"}


def _gone(table: Table, unit: str) -> tuple[Box, ...]:
    return (DESTROYED, REFIT)


def _cleared(table: Table, unit: str) -> list[Change]:
    """A unit that leaves the map, or comes onto it, bears no mark, has spent nothing and is engaged with nobody."""
    return [*released(table, unit), *unmarked(table, unit)]


def _numbers(table: Table, unit: str) -> Mapping[str, int]:
    """The game-turn in which a unit that waits may arrive."""
    counter = table.counters[unit]
    return {"due": len(table.data.turns)} if counter.place == OFF and "due" in counter.num else {}


def _values(table: Table) -> Mapping[str, Value]:
    return {
        "RESERVE": Value(("reserve",), keys=tuple(sorted(table.own["reserve"]))),
        "EXITS": Value(("exits",), keys=("tanks", "infantry", "artillery")),
        "TOBRUK": Value(("tobruk",), words=table.data.sides),
    }


def _crowded(table: Table, where: Hex) -> bool:
    return not fits(table, units_at(table, where))


def _busy(table: Table) -> frozenset[str]:
    """Units in an attack to be fought or in declared shots, parts of other counters, and tanks under wreck markers."""
    fighting = [unit for one in attacks(table) if not one["done"] for part in ("units", "defenders", "mined") for unit in one[part]]
    boxed = [unit for unit, counter in table.counters.items() if counter.place in (COMPONENT, WRECK)]
    return frozenset((*fighting, *boxed))


EDITING = Editing(_gone, _cleared, _cleared, _numbers, SETTABLE, _values, _crowded, moves=released, busy=_busy)
