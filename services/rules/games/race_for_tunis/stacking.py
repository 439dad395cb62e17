"""7. Stacking: four battalions in a hex, of which three at most are maneuver battalions; companies count thirds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine.model import Side
from services.rules.engine.positions import occupied, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.state import is_company, is_support


def weight(table: Table, unit: str) -> Fraction:
    """What a unit counts, in battalions (7.0.C, RT-22)."""
    return Fraction(table.data.charts["costs"]["stacking"]["company"]) if is_company(table, unit) else Fraction(1)  # 7.0.C-3


def fits(table: Table, units: Iterable[str]) -> bool:
    """Whether units may stand in one hex together at the end of a phase."""
    limits = table.data.charts["costs"]["stacking"]
    found = list(units)
    maneuver = sum((weight(table, unit) for unit in found if not is_support(table, unit)), Fraction(0))  # 7.0.B-1 7.0.B-2
    total = sum((weight(table, unit) for unit in found), Fraction(0))
    return maneuver <= int(limits["maneuver"]) and total <= int(limits["units"])  # 7.0.A-2 7.0.A-3


def overfull(table: Table, side: Side) -> Mapping[Hex, tuple[str, ...]]:
    """The hexes of a side that hold more than they may."""
    return {at: units_at(table, at) for at in sorted(occupied(table, side)) if not fits(table, units_at(table, at))}
