"""6. Stacking: one battalion and one smaller unit, or four smaller ones; parked transport is outside the count."""

from __future__ import annotations

from collections.abc import Iterable

from scenarios.hexes import Hex
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.state import card, is_parked, units_at

LIMIT = 4
"""Points in a hex: a battalion counts 3, any other unit 1, which allows the very stacks of 6.11 (6.1a BF-R11)."""


def points(table: Table, unit: str) -> int:
    """What a unit counts: nothing while it is parked (9.43)."""
    if is_parked(table, unit):
        return 0  # 9.43a
    return next(int(row["points"]) for row in table.data.charts["sizes"] if row["size"] == card(table, unit).values["size"])


def load(table: Table, units: Iterable[str]) -> int:
    """The points of units together."""
    return sum(points(table, unit) for unit in units)


def room(table: Table, where: Hex, units: Iterable[str]) -> bool:
    """Whether units may join those in a hex (6.13): those of them that stand there already are counted once."""
    there = frozenset(units_at(table, where))
    coming = [unit for unit in units if unit not in there]
    return load(table, (*there, *coming)) <= LIMIT  # 6.11a 6.11b 6.11d
