"""The adjutant's engineers: they open gaps where that lengthens the Axis lines of supply, and keep those that serve."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.games.fall_of_tobruk import supply
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, way
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import Pair, ground, quarters
from services.rules.games.fall_of_tobruk.mines import open_gaps
from services.rules.games.fall_of_tobruk.state import AXIS, gaps, is_engineer
from services.rules.games.fall_of_tobruk.zoc import zones

WORTHWHILE = 12
"""Hexes that a gap must bring into supply."""
MOST = 2
"""Engineers that are sent to open gaps at one time."""


def keeps_gap(draft: Draft) -> frozenset[str]:
    """The engineers that stay where they are, for their gap serves supply."""
    return draft.lasting("keeps", lambda: _keeps(draft))


def _keeps(draft: Draft) -> frozenset[str]:
    table = draft.table
    if draft.side != AXIS:
        return frozenset()
    now = len(_fed(draft, open_gaps(table)))
    found = set()
    for one in gaps(table):
        a, b = map(parse_hex, one["hexes"])
        if now - len(_fed(draft, open_gaps(table) - {(a, b), (b, a)})) >= WORTHWHILE:
            found.add(str(one["engineer"]))
    return frozenset(found)


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
    for _, (at, to) in _crossings(draft) if free else ():
        ranked = {unit: (0 if here == at else way(draft, at).get(here, FAR), unit) for unit, here in free.items() if unit not in found}
        if not ranked or len(found) >= MOST:
            break
        unit = min(ranked, key=lambda unit: ranked[unit])
        if ranked[unit][0] < 60:
            found[unit] = to if free[unit] == at else at
    return found


def _crossings(draft: Draft) -> list[tuple[int, Pair]]:
    """Mined sides at which a gap would serve, the best first: how many hexes it brings into supply, and from where to where it leads. Of
    those that lie close together only the best."""
    table, here = draft.table, ground(draft.table)
    gaps_now = open_gaps(table)
    now = _fed(draft, gaps_now)
    shut = occupied(table, draft.enemy) | zones(table, AXIS).keys()
    ranked = []
    for at, to in sorted(here.mines):
        if at in now and to not in now and at not in shut and to not in shut and (at, to) not in gaps_now:
            more = len(_fed(draft, gaps_now | {(at, to), (to, at)})) - len(now)
            if more >= WORTHWHILE:
                ranked.append((more, (at, to)))
    ranked.sort(key=lambda one: (-one[0], one[1]))
    return ranked[:1]


def _fed(draft: Draft, gaps_: frozenset[Pair]) -> frozenset[Hex]:
    """The hexes that lines of supply reach with some gaps open."""
    table, here = draft.table, ground(draft.table)
    enemies = occupied(table, draft.enemy)
    shut = enemies | zones(table, AXIS).keys() | supply.near_boxes(table, enemies, frozenset())
    most = quarters(table.data.charts["costs"]["supply"]["mp"])
    return frozenset(supply.flood(here, most, str(table.options["escarpment_move"]), frozenset(shut), gaps_))
