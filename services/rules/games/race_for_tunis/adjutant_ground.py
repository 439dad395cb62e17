"""How the adjutant sees the ground: how far it is to a place, what a unit can reach, and where the enemy can strike. In half MP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from scenarios.hexes import Hex, distance
from services.rules.engine.model import Json, Side
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import arrivals, movement
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.ground import ground, step_cost
from services.rules.games.race_for_tunis.state import (
    ALLIED,
    AXIS,
    attack_value,
    french_restricted,
    heavy_rain,
    is_artillery,
    is_engineer,
    is_heavy,
    is_mountaineer,
    nation_of,
    value,
    weather,
)
from services.rules.games.race_for_tunis.zoc import passes_through, zones

FAR = 10**6
Steps = Mapping[Hex, Mapping[Hex, int]]
MOST_KEPT = 200
"""Boards and ways that are remembered at most, over all games played."""

# -- steps and ways --------------------------------------------------------------------------------------------------------------


def kind(table: Table, unit: str) -> str:
    """How a unit moves: ``mountain``, ``heavy`` or ``foot``."""
    return "mountain" if is_mountaineer(table, unit) else "heavy" if is_heavy(table, unit) else "foot"


_STEPS: dict[object, Steps] = {}
_WAYS: dict[object, Mapping[Hex, int]] = {}


def _key(draft: Draft, side: Side, how: str) -> tuple[object, ...]:
    """All that the cost of a step hangs on."""
    table = draft.table
    over = tuple(sorted((one["hex"], unit) for unit, one in table.own["air"].items() if one["state"] == "interdict"))
    hampering = (over, table.phasing) if over else ()
    engineers = (
        tuple(c.place for side in table.data.sides for c in on_map(table, side) if is_engineer(table, c.id)) if heavy_rain(table) else ()
    )
    return table.data.digest, side, how, weather(table), tuple(table.own["blown"]), hampering, engineers


def steps(draft: Draft, side: Side, how: str) -> Steps:
    """Hex -> the hexes that can be entered from it by units of a side that move so, with what the step costs."""
    key = draft.lasting(("key", side, how), lambda: _key(draft, side, how))
    if key not in _STEPS:
        if len(_STEPS) > MOST_KEPT:
            _STEPS.clear()
        _STEPS[key] = _steps(draft.table, side, how)
    return _STEPS[key]


def _steps(table: Table, side: Side, how: str) -> Steps:
    one = next((c.id for c in table.counters.values() if c.side == side and kind(table, c.id) == how), None)
    if one is None:
        return {at: {} for at in ground(table).terrain}
    found: dict[Hex, dict[Hex, int]] = {}
    for at in ground(table).terrain:
        costs = ((to, step_cost(table, one, at, to)) for to in adjacent(table, at))
        found[at] = {to: cost for to, cost in costs if cost is not None}
    return found


def way(draft: Draft, side: Side, how: str, goal: Hex) -> Mapping[Hex, int]:
    """Half MP from every hex to a goal, as if nobody stood in the way."""
    board = steps(draft, side, how)
    key = (draft.kept["key", side, how], goal)
    if key not in _WAYS:
        if len(_WAYS) > 20 * MOST_KEPT:
            _WAYS.clear()
        _WAYS[key] = _way(board, goal)
    return _WAYS[key]


def _way(board: Steps, goal: Hex) -> Mapping[Hex, int]:
    found: dict[Hex, int] = {}
    queue = [(0, goal)]
    back: dict[Hex, list[tuple[Hex, int]]] = {}
    for at, ahead in board.items():
        for to, cost in ahead.items():
            back.setdefault(to, []).append((at, cost))
    while queue:
        far, at = heappop(queue)
        if at in found:
            continue
        found[at] = far
        for before, cost in back.get(at, ()):
            if before not in found:
                heappush(queue, (far + cost, before))
    return found


def turns_to(draft: Draft, unit: str, goal: Hex) -> int:
    """Game-turns that a unit on the map takes to a goal, as if nobody stood in the way; 99 if it never gets there."""
    table = draft.table
    at = hex_of(table, unit)
    far = way(draft, table.counters[unit].side, kind(table, unit), goal).get(at, FAR) if at else FAR
    return min(99, -(-far // max(1, 2 * value(table, unit, "ma"))))


# -- what a unit can reach -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reach:
    """Where a unit can be at the end of its move: hex -> half MP and the hex before. ``start``: where it stands, None if it waits."""

    unit: str
    start: Hex | None
    found: Mapping[Hex, tuple[int, Hex | None]]

    def path(self, at: Hex) -> list[Hex]:
        """The hexes of the way there; of a unit that waits the first is where it comes in."""
        path = [at]
        while (before := self.found[path[-1]][1]) is not None:
            path.append(before)
        path.reverse()
        return path if self.start is None else path[1:]


def reach(draft: Draft, unit: str) -> Reach:
    """Where a unit can go that has not moved yet, on the map or waiting; no further than where it stands if it may not move."""
    table = draft.table
    start = hex_of(table, unit)
    if start is None:
        return Reach(unit, None, _spread(draft, unit, _ways_in(table, unit)))
    if table.counters[unit].marks & {"moved", "done", "engaged-attacker", "engaged-defender"}:
        return Reach(unit, start, {start: (0, None)})
    return Reach(unit, start, _spread(draft, unit, {start: 0}))


def _ways_in(table: Table, unit: str) -> Mapping[Hex, int]:
    """Where a waiting unit may come in, and for what."""
    if table.counters[unit].side == AXIS:
        return dict.fromkeys(arrivals.landing_places(table, unit), 0)
    return {at: arrivals.check_enter(table, unit, at) for at in arrivals.ways_in(table, unit)}


def _spread(draft: Draft, unit: str, starts: Mapping[Hex, int]) -> Mapping[Hex, tuple[int, Hex | None]]:
    table = draft.table
    side = table.counters[unit].side
    board, zone = steps(draft, side, kind(table, unit)), draft.lasting(("zone", side), lambda: zones(table, side))
    enemies = draft.lasting(("enemies", side), lambda: occupied(table, table.enemy(side)))
    barred = is_artillery(table, unit) or (nation_of(table, unit) == "french" and french_restricted(table))
    toll = 0 if is_mountaineer(table, unit) else ground(table).zoc_mp[side]
    budget, waits = movement.allowance(table, unit), hex_of(table, unit) is None
    found: dict[Hex, tuple[int, Hex | None]] = {}
    number = count()
    queue: list[tuple[int, int, Hex, Hex | None]] = [(cost, next(number), at, None) for at, cost in sorted(starts.items())]
    while queue:
        cost, _, at, before = heappop(queue)
        if at in found:
            continue
        found[at] = (cost, before)
        entered = before is not None or (waits and side == ALLIED)
        if entered and at in zone and not passes_through(table, unit, at):
            continue
        for to, step in board[at].items():
            if to in found or to in enemies or (barred and to in zone):
                continue
            total = cost + step + (toll if to in zone else 0)
            if total <= budget or not entered:
                heappush(queue, (total, next(number), to, at))
    return found


def go(draft: Draft, ways: Reach, at: Hex) -> bool:
    """A unit goes to a hex that it can reach, or comes in there; whether the law lets it. Who is there already stays."""
    unit, path = ways.unit, [str(to) for to in ways.path(at)]
    if ways.start is not None:
        return not path or _march(draft, unit, path)
    if draft.side == ALLIED:
        return _march(draft, unit, path) if len(path) > 1 else draft.give("ENTER", unit=unit, hex=path[0])
    landed = draft.give("LAND", unit=unit, hex=path[0])
    if landed and len(path) > 1:
        _march(draft, unit, path[1:])
    return landed


def _march(draft: Draft, unit: str, path: list[str]) -> bool:
    rest: dict[str, Json] = {"to": None, "via": [], "road": False, "drop": None, "drop_at": None, "bridge": None, "bridge_at": None}
    return draft.give("MOVE", units=[unit], path=path, **rest)


# -- where the enemy can strike --------------------------------------------------------------------------------------------------


def threat(draft: Draft) -> Mapping[Hex, int]:
    """Hex -> hundredths of attack factors that the enemy could bring next to it in one move, guns in range included."""
    return draft.lasting("threat", lambda: _threat(draft))


def _threat(draft: Draft) -> Mapping[Hex, int]:
    table = draft.table
    found: dict[Hex, int] = {}
    for unit in on_map(table, draft.enemy):
        assert isinstance(unit.place, Hex)
        factor = 100 * attack_value(table, unit.id)
        if is_artillery(table, unit.id):
            far = value(table, unit.id, "range") + 1
            hexes: Iterable[Hex] = (at for at in ground(table).terrain if distance(at, unit.place) <= far)
        else:
            hexes = _struck(draft, unit.id, unit.place)
        for at in hexes:
            found[at] = found.get(at, 0) + factor
    return found


def _struck(draft: Draft, unit: str, start: Hex) -> set[Hex]:
    """The hexes next to which an enemy unit can get if nothing but the ground stops it."""
    table = draft.table
    board, budget = steps(draft, draft.enemy, kind(table, unit)), 2 * value(table, unit, "ma")
    cost = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, at = heappop(queue)
        if so_far > cost[at]:
            continue
        for to, step in board[at].items():
            total = so_far + step
            if total <= budget and total < cost.get(to, FAR):
                cost[to] = total
                heappush(queue, (total, to))
    return {to for at in cost for to in adjacent(table, at)}
