"""The adjutant's engineers: they open gaps where that lengthens the Axis lines of supply, and keep those that serve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.games.fall_of_tobruk import supply
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, near_enemies, way
from services.rules.games.fall_of_tobruk.adjutant_road import road
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import Pair, ground
from services.rules.games.fall_of_tobruk.mines import open_gaps
from services.rules.games.fall_of_tobruk.state import AXIS, class_of, gaps, is_engineer, nation_of

WORTHWHILE = 12
"""Hexes that a gap must bring into supply."""
NEAR = 60
"""Quarters of an MP from which engineers and guards come to a gap."""
MOST = 2
"""Engineers that are sent to open gaps at one time."""


def keeps_gap(draft: Draft) -> Mapping[str, Hex]:
    """The engineers whose gap serves supply -> the near hex of it, where they are safest and to which others come as guards."""
    return draft.lasting("keeps", lambda: _keeps(draft))


def _keeps(draft: Draft) -> Mapping[str, Hex]:
    table = draft.table
    if draft.side != AXIS:
        return {}
    now = _fed(draft, open_gaps(table))
    found = {}
    for one in gaps(table):
        a, b = map(parse_hex, one["hexes"])
        without = supply.lines(table, gaps=open_gaps(table) - {(a, b), (b, a)})
        if now - len(without) >= WORTHWHILE:
            found[str(one["engineer"])] = a if a in without else b
    return found


def guard_goal(draft: Draft, unit: str) -> Hex | None:
    """The gap that a unit of those who hold the line goes to guard: the nearest of them to each."""
    goals: Mapping[str, Hex] = draft.lasting("guards", lambda: _guards(draft))
    return goals.get(unit)


def _guards(draft: Draft) -> Mapping[str, Hex]:
    table = draft.table
    free = {
        unit.id: unit.place
        for unit in on_map(table, AXIS)
        if class_of(table, unit.id) == "infantry" and nation_of(table, unit.id) == "italian" and isinstance(unit.place, Hex)
    }
    found: dict[str, Hex] = {}
    for home in sorted(set(keeps_gap(draft).values())):
        near = way(draft, home)
        ranked = sorted((near.get(at, FAR), unit) for unit, at in free.items() if unit not in found and near.get(at, FAR) < NEAR)
        if ranked:
            found[ranked[0][1]] = home
    return found


def gap_goal(draft: Draft, unit: str) -> Hex | None:
    """Where an engineer goes to open a gap: up to the mines, or across them if it stands before them; None if it has no such task."""
    goals: Mapping[str, Hex] = draft.lasting("gap-goals", lambda: _goals(draft))
    return goals.get(unit)


def crossers(draft: Draft, but: Iterable[str]) -> Mapping[Hex, tuple[str, ...]]:
    """Hexes that must have room for the engineers that are on their way there to cross mines, but for some -> these engineers."""
    goals: Mapping[str, Hex] = draft.lasting("gap-goals", lambda: _goals(draft))
    found: dict[Hex, tuple[str, ...]] = {}
    for unit, at in goals.items():
        if unit not in but:
            found[at] = (*found.get(at, ()), unit)
    return found


def _goals(draft: Draft) -> Mapping[str, Hex]:
    table = draft.table
    if draft.side != AXIS:
        return {}
    free = {
        unit.id: at
        for unit in on_map(table, AXIS)
        if is_engineer(table, unit.id) and unit.id not in keeps_gap(draft) and (at := hex_of(table, unit.id)) is not None
    }
    held = occupied(table, AXIS)
    found: dict[str, Hex] = {}
    for at, to in _crossings(draft) if free else ():
        ranked = sorted((way(draft, at).get(here, FAR), unit) for unit, here in free.items() if unit not in found)
        if ranked and ranked[0][0] < NEAR:
            unit = ranked[0][1]
            found[unit] = to if free[unit] == at and (to not in near_enemies(draft) or to in held) else at
    return found


def _crossings(draft: Draft) -> list[Pair]:
    """The mined sides of the road at which gaps are to be opened next, from where to where: those at which an engineer may wait."""
    table = draft.table
    planned = road(draft)
    if planned is None:
        return []
    open_, near = open_gaps(table), near_enemies(draft)
    return [pair for pair in planned.mines(ground(table)) if pair not in open_ and pair[0] not in near][:MOST]


def _fed(draft: Draft, gaps_: frozenset[Pair]) -> int:
    """How many hexes lines of supply reach with some gaps open."""
    return len(supply.lines(draft.table, gaps=gaps_))
