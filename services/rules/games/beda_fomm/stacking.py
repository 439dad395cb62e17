"""6. Stacking: one battalion and one smaller unit, or four smaller ones; parked transport is outside the count."""

from __future__ import annotations

from collections.abc import Iterable

from scenarios.hexes import Hex
from services.rules.engine.positions import units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.ground import ground
from services.rules.games.beda_fomm.state import is_parked

LIMIT = 4
"""Points in a hex: a battalion counts 3, any other unit 1, which allows the very stacks of 6.11 (6.1a BF-R11)."""


def points(table: Table, unit: str) -> int:
    """What a unit counts: nothing while it is parked (9.43)."""
    if is_parked(table, unit):
        return 0  # 9.4d 9.43a
    return ground(table).points[table.counters[unit].card]  # 6.11a 6.11b


def load(table: Table, units: Iterable[str]) -> int:
    """The points of units together."""
    return sum(points(table, unit) for unit in units)


def room(table: Table, where: Hex, units: Iterable[str]) -> bool:
    """Whether units may join those in a hex (6.13): those of them that stand there already are counted once."""
    return load(table, {*units_at(table, where), *units}) <= LIMIT  # 6.11e 6.13a 6.13b
