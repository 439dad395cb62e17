"""The adjutant's engineers: they open gaps where that lengthens the Axis lines of supply, and keep those that serve."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.positions import hex_of, on_map
from services.rules.games.fall_of_tobruk import supply
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, steps, way
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import Pair, ground, quarters
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


def _goals(draft: Draft) -> Mapping[str, Hex]:
    table = draft.table
    if draft.side != AXIS:
        return {}
    free = {
        unit.id: at
        for unit in on_map(table, AXIS)
        if is_engineer(table, unit.id) and unit.id not in keeps_gap(draft) and (at := hex_of(table, unit.id)) is not None
    }
    found: dict[str, Hex] = {}
    for at, to in _crossings(draft) if free else ():
        ranked = {unit: (0 if here == at else way(draft, at).get(here, FAR), unit) for unit, here in free.items() if unit not in found}
        if not ranked or len(found) >= MOST:
            break
        unit = min(ranked, key=lambda unit: ranked[unit])
        if ranked[unit][0] < NEAR:
            found[unit] = to if free[unit] == at else at
    return found


def _crossings(draft: Draft) -> list[Pair]:
    """The mined side at which a gap would serve best, from where to where it leads: that which brings most hexes into supply."""
    table, here = draft.table, ground(draft.table)
    now, barred = supply.lines(table), supply.shut(table)
    best: tuple[int, Pair] | None = None
    for at, to in sorted(here.mines):
        if at in now and to not in now and at not in barred and to not in barred:
            more = _beyond(draft, to, int(now[at].cost), now, barred)
            if more >= WORTHWHILE and (best is None or more > best[0]):
                best = more, (at, to)
    return [best[1]] if best is not None else []


def _beyond(draft: Draft, start: Hex, spent: int, now: Mapping[Hex, object], barred: frozenset[Hex]) -> int:
    """How many hexes that lack supply a line would reach that comes to a hex at some cost."""
    board, most = steps(draft, AXIS), quarters(draft.table.data.charts["costs"]["supply"]["mp"])
    found: set[Hex] = set()
    queue = [(spent + ground(draft.table).cost[start], start)]
    while queue:
        cost, at = heappop(queue)
        if at in found or cost > most:
            continue
        found.add(at)
        for to, step in board.free[at] if at not in barred else ():
            if to not in found and to not in now:
                heappush(queue, (cost + step, to))
    return len(found)


def _fed(draft: Draft, gaps_: frozenset[Pair]) -> int:
    """How many hexes lines of supply reach with some gaps open."""
    return len(supply.lines(draft.table, gaps=gaps_))
