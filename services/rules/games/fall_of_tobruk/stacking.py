"""Stacking (FT-58): two battalions, three with a German, or one formation; an artillery battalion and a company besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine.model import Side
from services.rules.engine.positions import occupied, units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.state import formation_of, kind_of, nation_of, size_of, type_of


def is_artillery(table: Table, unit: str) -> bool:
    """Whether a unit may take the artillery battalion's place: artillery by symbol, self-propelled guns, 88s (FT-24)."""
    return bool(type_of(table, unit)["place"] == "artillery")  # stacking.10


def german_limits(table: Table, units: Iterable[str]) -> bool:
    """Whether the German limits count for all of these units: one of them is German."""
    return any(nation_of(table, unit) == "german" for unit in units)  # stacking.9


def weight(table: Table, unit: str, german: bool) -> Fraction:
    """What a unit counts, in battalions, under the German limits or the others'."""
    chart: Mapping[str, Mapping[str, Any]] = table.data.charts["stacking"]
    size = size_of(table, unit)
    if size == "regiment":
        return Fraction(int(chart["limits"]["regiment"]))  # breakdown.2
    if size == "battalion":
        return Fraction(1)
    if (kind := kind_of(table, unit)) in chart["company"]:
        return Fraction(1, int(chart["company"][kind]))  # stacking.8
    if german:
        return Fraction(1, int(chart["company"]["german"]))  # stacking.7
    return Fraction(1, int(chart["company"][_other(table, unit)]))  # stacking.4


def _other(table: Table, unit: str) -> str:
    return "italian" if nation_of(table, unit) == "italian" else "allied"


def fits(table: Table, units: Iterable[str]) -> bool:
    """Whether units of one side may stand in one hex together."""
    found = sorted(set(units))
    german = german_limits(table, found)
    limit = int(table.data.charts["stacking"]["limits"]["german" if german else "battalions"])  # stacking.2 stacking.5
    weights = {unit: weight(table, unit, german) for unit in found}
    if sum(weights.values()) <= limit:
        return True
    return any(
        sum(weights[unit] for unit in rest) <= limit or len({formation_of(table, unit) for unit in rest}) <= 1  # stacking.3 stacking.6
        for free in _free_company(table, found, weights)
        for rest in _without_artillery(table, [unit for unit in found if unit != free], weights)
    )


def _free_company(table: Table, units: Sequence[str], weights: Mapping[str, Fraction]) -> Iterator[str | None]:
    """The company that stands besides all the rest: one of each weight, formation and kind will do."""
    yield None
    seen = set()
    for unit in units:
        alike = (weights[unit], formation_of(table, unit), is_artillery(table, unit))
        if size_of(table, unit) == "company" and alike not in seen:
            seen.add(alike)
            yield unit


def _without_artillery(table: Table, units: Sequence[str], weights: Mapping[str, Fraction]) -> Iterator[list[str]]:
    """The units without those that take the artillery battalion's place: one battalion, or companies up to its size."""
    guns = [unit for unit in units if is_artillery(table, unit)]
    companies = [unit for unit in guns if size_of(table, unit) == "company"]
    yield list(units)
    for gun in guns:
        if gun not in companies:
            yield [unit for unit in units if unit != gun]
    for count in range(1, len(companies) + 1):
        for several in combinations(companies, count):
            if sum(weights[unit] for unit in several) <= 1:
                yield [unit for unit in units if unit not in several]


def room(table: Table, at: Hex, units: Iterable[str]) -> bool:
    """Whether units may come to stand in a hex beside those that are there already."""
    return fits(table, {*units_at(table, at), *units})


def left_crowded(table: Table, at: Hex, going: Iterable[str]) -> tuple[str, ...]:
    """The units that would be over the limits in a hex once others are gone from it, be it that a German no longer stands with them; none
    if they fit, or did not before."""
    here = units_at(table, at)
    left = tuple(unit for unit in here if unit not in set(going))
    return left if fits(table, here) and not fits(table, left) else ()


def overfull(table: Table, side: Side) -> Mapping[Hex, tuple[str, ...]]:
    """The hexes of a side that hold more than they may, with their units."""
    return {at: units_at(table, at) for at in sorted(occupied(table, side)) if not fits(table, units_at(table, at))}
