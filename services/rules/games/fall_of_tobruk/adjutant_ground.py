"""How the adjutant sees the ground: how far it is to a place, what a unit can reach, where the enemy can strike. In quarters of an MP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from scenarios.hexes import Hex
from services.rules.engine.model import Json, Side
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map, units_at
from services.rules.games.fall_of_tobruk import movement, stacking
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import Ground, Pair, ground, terrain_cost
from services.rules.games.fall_of_tobruk.mines import open_gaps
from services.rules.games.fall_of_tobruk.state import ALLIED, combat_value, is_gun, is_tank, value
from services.rules.games.fall_of_tobruk.zoc import zones

FAR = 10**6
CROSSING = 30
"""Quarters of an MP that it takes to come to mines and to cross them: about a game-turn."""
PASSING = 14
"""Quarters of an MP that it takes to pass by a Box of the enemy, in its zone."""
Cells = Mapping[Hex, tuple[tuple[Hex, int], ...]]


@dataclass(frozen=True, eq=False)
class Steps:
    """Hex -> the hexes that units of a side can enter from it, with the cost: ``free`` of mines, or ``mined``."""

    free: Cells
    mined: Cells


@lru_cache(maxsize=16)
def _steps(here: Ground, side: Side, escarpments: str, gaps: frozenset[Pair]) -> Steps:
    free: dict[Hex, tuple[tuple[Hex, int], ...]] = {}
    mined: dict[Hex, tuple[tuple[Hex, int], ...]] = {}
    for at in here.cost:
        costs = [(to, cost) for to in here.adjacent[at] if (cost := terrain_cost(here, escarpments, at, to)) is not None]
        barred = [(to, cost) for to, cost in costs if (at, to) in here.mines and not _exempt(here, side, at, to, gaps)]
        free[at] = tuple(step for step in costs if step not in barred)
        mined[at] = tuple(barred)
    return Steps(free, mined)


def _exempt(here: Ground, side: Side, at: Hex, to: Hex, gaps: frozenset[Pair]) -> bool:
    if side != ALLIED:
        return (at, to) in gaps
    return (at, to) in here.ways or (at in here.box_of and here.box_of[at] != here.box_of.get(to))


def steps(draft: Draft, side: Side) -> Steps:
    """The steps that units of a side can take."""
    table = draft.table

    def found() -> Steps:
        gaps = open_gaps(table) if table.options["gap_moves"] and side != ALLIED else frozenset()
        return _steps(ground(table), side, str(table.options["escarpment_move"]), gaps)

    return draft.lasting(("steps", side), found)


def way(draft: Draft, goal: Hex, side: Side | None = None) -> Mapping[Hex, int]:
    """Quarters of an MP from every hex to a goal, past the Boxes of the enemy, but as if nobody else stood in the way; mines are crossed
    where that is shorter."""
    own, here = side or draft.side, ground(draft.table)
    return _way(steps(draft, own), goal, walls(draft, own) - here.boxes.get(here.box_of.get(goal, ""), frozenset()))


def walls(draft: Draft, side: Side) -> frozenset[Hex]:
    """The hexes of Boxes that enemies of a side hold."""
    table = draft.table
    return draft.lasting(("walls", side), lambda: frozenset(occupied(table, table.enemy(side)) & ground(table).box_of.keys()))


@lru_cache(maxsize=600)
def _way(board: Steps, goal: Hex, walls_: frozenset[Hex]) -> Mapping[Hex, int]:
    shut = walls_ - {goal}
    beside = {to for at in shut for cells in (board.free, board.mined) for to, _ in cells[at]} - {goal}
    back: dict[Hex, list[tuple[Hex, int]]] = {}
    for cells, more in ((board.free, 0), (board.mined, CROSSING)):
        for at, ahead in cells.items():
            for to, cost in ahead:
                if to not in shut:
                    back.setdefault(to, []).append((at, cost + more + (PASSING if to in beside else 0)))
    found: dict[Hex, int] = {}
    queue = [(0, goal)]
    while queue:
        far, at = heappop(queue)
        if at in found:
            continue
        found[at] = far
        for before, cost in back.get(at, ()):
            if before not in found:
                heappush(queue, (far + cost, before))
    return found


def before_mines(draft: Draft, there: Mapping[Hex, int], at: Hex) -> bool:
    """Whether the way to a goal leads over mines next: who stands there can cross them as he moves again."""
    return any(there.get(to, FAR) + step + CROSSING == there.get(at) for to, step in steps(draft, draft.side).mined[at])


# -- what units can reach ----------------------------------------------------------------------------------------------------------

Reach = Mapping[Hex, Hex | None]
"""Hexes in which a unit can end its move -> the hex before."""


def reach(draft: Draft, unit: str) -> Reach:
    """Where a unit can end its move; where it stands, if it may not move. Guns keep away from enemies."""
    table = draft.table
    start = hex_of(table, unit)
    assert start is not None
    if not movement.can_set_out(table, unit) or "moved" in table.counters[unit].marks:
        return {start: None}
    fresh = "placed" not in table.counters[unit].marks
    key = ("reach", start, movement.left_to(table, unit), is_gun(table, unit), fresh)
    return draft.lasting(key, lambda: _spread(draft, start, *key[2:]))


def _spread(draft: Draft, start: Hex, budget: int, gun: bool, fresh: bool) -> Reach:
    table, side = draft.table, draft.side
    board = steps(draft, side)
    zone = draft.lasting(("zone", side), lambda: frozenset(zones(table, side)))
    enemies = draft.lasting(("enemies", side), lambda: occupied(table, draft.enemy))
    barred = enemies | (near_enemies(draft) - _escorts(draft)) if gun else enemies
    found: dict[Hex, Hex | None] = {}
    queue: list[tuple[int, int, Hex, Hex | None]] = [(0, 0, start, None)]
    while queue:
        cost, hexes, at, before = heappop(queue)
        if at in found:
            continue
        found[at] = before
        if before is not None and at in zone:
            continue
        for to, step in board.free[at]:
            if to not in found and to not in barred and cost + step <= budget:
                heappush(queue, (cost + step, hexes + 1, to, at))
    for to, step in board.mined[start] if fresh else ():
        if to not in found and to not in barred and step <= budget:
            found[to] = start
    return found


def _escorts(draft: Draft) -> frozenset[Hex]:
    """The hexes of the side with others than guns."""
    table = draft.table
    return frozenset(unit.place for unit in on_map(table, draft.side) if isinstance(unit.place, Hex) and not is_gun(table, unit.id))


def near_enemies(draft: Draft) -> frozenset[Hex]:
    """The hexes next to enemies."""
    table = draft.table
    return draft.lasting("near", lambda: frozenset(to for at in occupied(table, draft.enemy) for to in adjacent(table, at)))


def path(ways: Reach, at: Hex) -> list[str]:
    """The hexes of the way to one of the hexes of a reach."""
    found = []
    here: Hex | None = at
    while here is not None and ways[here] is not None:
        found.append(str(here))
        here = ways[here]
    return found[::-1]


def go(draft: Draft, units: Sequence[str], at: Hex) -> bool:
    """Units of one hex that have the same reach go to one hex of it together, or one by one as far as there is room; whether all do."""
    ways = reach(draft, units[0])
    if ways.get(at) is None:
        return at in ways
    if march(draft, units, path(ways, at)):
        return True
    if len(units) < 2:
        return False
    going = [march(draft, [unit], path(reach(draft, unit), at)) for unit in units if reach(draft, unit).get(at) is not None]
    return all(going)


def march(draft: Draft, units: Sequence[str], path_: list[str]) -> bool:
    """Units go a way; whether the law lets them."""
    rest: dict[str, Json] = {"to": None, "via": [], "road": False, "drop": None, "drop_at": None}
    return draft.give("MOVE", units=list(units), path=path_, **rest)


_FITS: dict[tuple[str, frozenset[str]], bool] = {}


def fits(draft: Draft, units: Iterable[str]) -> bool:
    """Whether units may stand in one hex together."""
    key = (draft.table.data.digest, frozenset(units))
    if key not in _FITS:
        if len(_FITS) > 40_000:
            _FITS.clear()
        _FITS[key] = stacking.fits(draft.table, key[1])
    return _FITS[key]


# -- where the enemy can strike ----------------------------------------------------------------------------------------------------


class Threat(NamedTuple):
    """Hex -> hundredths of combat factors, and tank companies, that the enemy could bring next to it in one move."""

    factors: Mapping[Hex, int]
    tanks: Mapping[Hex, int]


def threat(draft: Draft) -> Threat:
    """Where the enemy can strike."""
    return draft.lasting("threat", lambda: _threat(draft))


def _threat(draft: Draft) -> Threat:
    table = draft.table
    board = steps(draft, draft.enemy)
    groups: dict[tuple[Hex, int], tuple[int, int]] = {}
    for unit in on_map(table, draft.enemy):
        if not is_gun(table, unit.id) and isinstance(unit.place, Hex):
            key = (unit.place, 4 * value(table, unit.id, "ma"))
            cf, tanks = groups.get(key, (0, 0))
            groups[key] = (cf + 100 * combat_value(table, unit.id), tanks + is_tank(table, unit.id))
    found: tuple[dict[Hex, int], dict[Hex, int]] = ({}, {})
    for (start, budget), parts in groups.items():
        for at in _struck(board, start, budget):
            for counted, part in zip(found, parts, strict=True):
                counted[at] = counted.get(at, 0) + part
    return Threat(*found)


@lru_cache(maxsize=4000)
def _struck(board: Steps, start: Hex, budget: int) -> tuple[Hex, ...]:
    """The hexes next to which a unit can get from a hex if nobody stops it."""
    cost = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, at = heappop(queue)
        if so_far > cost[at]:
            continue
        for to, step in board.free[at]:
            total = so_far + step
            if total <= budget and total < cost.get(to, FAR):
                cost[to] = total
                heappush(queue, (total, to))
    ends = {*cost, *(to for to, _ in board.mined[start])}
    return tuple(sorted({to for at in ends for side in (board.free, board.mined) for to, _ in side[at]}))


LOST = (2, 8, 18, 28, 40, 50, 60, 70, 80)
"""Hundredths of a stack that are lost where the enemy has odds of 0:1, 1:1, 2:1 and so on against it."""
STRIKE = 30
"""Hundredths of what the enemy could bring next to a hex that he will bring there."""
MOST = 8000
"""Hundredths of factors that he will bring next to one hex at most."""


def danger(draft: Draft, at: Hex, units: Iterable[str]) -> int:
    """Hundredths of its worth that the enemy may cost a stack in a hex, which he overruns if he has more tanks than it antitank factors."""
    cf, antitank = sums(draft, units)
    coming = min(MOST, threat(draft).factors.get(at, 0) * STRIKE // 100)
    if threat(draft).tanks.get(at, 0) * STRIKE // 100 > antitank:
        coming *= 2
    times = 2 if at in ground(draft.table).box_of else 1
    return LOST[min(len(LOST) - 1, coming // max(50, 100 * cf * times))]


def sums(draft: Draft, units: Iterable[str]) -> tuple[int, int]:
    """Combat and antitank factors of units."""
    worths = [_sums(draft, unit) for unit in units]
    return sum(cf for cf, _ in worths), sum(antitank for _, antitank in worths)


def _sums(draft: Draft, unit: str) -> tuple[int, int]:
    table = draft.table
    return draft.lasting(("sums", unit), lambda: (combat_value(table, unit), value(table, unit, "antitank")))


def strength(draft: Draft, units: Iterable[str]) -> int:
    """Hundredths of combat factors of units."""
    return sum(100 * combat_value(draft.table, unit) for unit in units)


def others_at(draft: Draft, at: Hex, but: Iterable[str]) -> list[str]:
    """The units in a hex but for some."""
    gone = set(but)
    return [unit for unit in units_at(draft.table, at) if unit not in gone]
