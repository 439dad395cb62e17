"""How the adjutant sees the ground: the way to the south edge from every hex, and what a unit can reach. Costs in half MP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.positions import occupied, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.arrivals import entry_hexes
from services.rules.games.beda_fomm.ground import CLASSES, column_of, ground
from services.rules.games.beda_fomm.stacking import LIMIT, points
from services.rules.games.beda_fomm.state import ITALIAN, class_of, dark, flag, has_armor, interdicted, opening, value
from services.rules.games.beda_fomm.zoc import enemy_zoc

FAR = 10**6
SPAN = 4096
"""More than there are hexes."""
Cells = tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class Ways:
    """The board in numbers, for fast searches: ``out[kind][i]`` are the hexes that can be entered from ``i``, with the cost, ``into`` those
    from which ``i`` can be entered."""

    hexes: tuple[Hex, ...]
    number: Mapping[Hex, int]
    out: Mapping[str, Cells]
    into: Mapping[str, Cells]


_WAYS: dict[str, Ways] = {}


def ways(table: Table) -> Ways:
    """The numbered board, worked out once."""
    if table.data.digest not in _WAYS:
        hexes = tuple(sorted(table.data.board.terrain))
        number = {at: n for n, at in enumerate(hexes)}
        out: dict[str, list[list[tuple[int, int]]]] = {kind: [[] for _ in hexes] for kind in CLASSES}
        into: dict[str, list[list[tuple[int, int]]]] = {kind: [[] for _ in hexes] for kind in CLASSES}
        for kind in CLASSES:
            for (at, to), cost in sorted(ground(table).steps[kind].items()):
                out[kind][number[at]].append((number[to], cost))
                into[kind][number[to]].append((number[at], cost))
        packed = [{kind: tuple(map(tuple, rows)) for kind, rows in one.items()} for one in (out, into)]
        _WAYS[table.data.digest] = Ways(hexes, number, packed[0], packed[1])
    return _WAYS[table.data.digest]


@dataclass(frozen=True)
class Way:
    """How far it is to some goals from every hex, and the next hex on the way there."""

    ways: Ways
    far: list[int]
    onward: list[int]

    def of(self, at: Hex) -> int:
        """Half MP to the goals, with what stands in the way; FAR if there is no way."""
        return self.far[self.ways.number[at]]

    def path(self, at: Hex, most: int) -> list[Hex]:
        """The first hexes of the way from ``at``."""
        found: list[Hex] = []
        here = self.ways.number[at]
        while self.onward[here] >= 0 and len(found) < most:
            here = self.onward[here]
            found.append(self.ways.hexes[here])
        return found


def way_to(table: Table, kind: str, goals: Mapping[Hex, int], toll: Mapping[Hex, int], most: int = FAR) -> Way:
    """The way to the nearest of some goals (each with what it costs to be there) for a class of units. ``toll``: what entering a hex costs
    beyond its terrain.  ``most``: half MP beyond which nobody asks."""
    board = ways(table)
    into = board.into[kind]
    extra = [0] * len(board.hexes)
    for at, cost in toll.items():
        if at in board.number:
            extra[board.number[at]] = cost
    far = [FAR] * len(board.hexes)
    onward = [-1] * len(board.hexes)
    for at, cost in goals.items():
        far[board.number[at]] = cost
    queue = sorted(far[here] * SPAN + here for here in map(board.number.__getitem__, goals))  # one number each: cost, then hex
    while queue:
        cost, here = divmod(heappop(queue), SPAN)
        if cost > most:
            break
        if far[here] < cost:
            continue
        cost += extra[here]
        for back, step in into[here]:
            total = cost + step
            if far[back] > total:
                far[back], onward[back] = total, here
                heappush(queue, total * SPAN + back)
    return Way(board, far, onward)


Reach = Mapping[Hex, tuple[int, tuple[Hex, ...]]]


def reach(table: Table, unit: str) -> Reach:
    """Every hex that a unit on the map can move to alone in this phase -> cost and path."""
    counter = table.counters[unit]
    start = counter.place
    if not isinstance(start, Hex) or counter.face == "parked" or counter.marks & {"done", "moved"}:
        return {}
    found = _search(table, unit, {start: (0, ())})
    del found[start]
    return found


def reach_in(table: Table, unit: str) -> Reach:
    """Every hex that an arrival can move to -> cost and path, that begins with the hex where it comes in."""
    costs = ground(table).enters[column_of(table, unit)]
    enemies, zone = occupied(table, table.enemy(table.counters[unit].side)), enemy_zoc(table, table.counters[unit].side)
    gates = [at for at in entry_hexes(table, unit) if at in costs and at not in enemies and at not in zone]
    return _search(table, unit, {at: (costs[at], (at,)) for at in gates if _fits(table, unit, at)})


def _fits(table: Table, unit: str, at: Hex) -> bool:
    return sum(points(table, other) for other in units_at(table, at)) + points(table, unit) <= LIMIT


def _search(table: Table, unit: str, starts: Reach) -> dict[Hex, tuple[int, tuple[Hex, ...]]]:
    counter = table.counters[unit]
    board, side, kind = ways(table), counter.side, class_of(table, unit)
    full = {at for at in occupied(table, side) if not _fits(table, unit, at)}
    zone, enemies, night = enemy_zoc(table, side), occupied(table, table.enemy(side)), dark(table)
    shells = {parse_hex(at): 2 * int(one["factors"]) for at, one in interdicted(table).items() if one["side"] != side}
    budget = 2 * value(table, unit, "ma")
    slips, early = flag(table, unit, "infiltrates"), side == ITALIAN and opening(table)
    out, below = board.out[column_of(table, unit)], ground(table).below
    begun_in_zone = "in-zoc" in counter.marks
    lenient = table.options.get("one_hex", "anywhere") == "anywhere"

    def open_to(at: Hex, to: Hex) -> bool:
        if to in enemies or to in full or (early and below.get(at) != to):
            return False
        if to in zone:
            if night or (at in zone and not slips):
                return False
            if not early and (kind in ("weapons", "transport") or (kind == "personnel" and zone[to] and not has_armor(table, to))):
                return False
        return True

    found: dict[Hex, tuple[int, tuple[Hex, ...]]] = {}
    queue: list[tuple[int, int, Hex, tuple[Hex, ...]]] = [(cost, 0, at, path) for at, (cost, path) in starts.items()]
    queue.sort()
    while queue:
        cost, n, at, path = heappop(queue)
        if at in found:
            continue
        found[at] = (cost, path)
        if path and at in zone:
            continue
        for to_n, step in out[board.number[at]]:
            to = board.hexes[to_n]
            if to in found or not open_to(at, to):
                continue
            total = cost + step + shells.get(to, 0)
            only = not path and (not begun_in_zone or (lenient and step <= budget))
            if total <= budget or only:
                heappush(queue, (total, n + 1, to, (*path, to)))
    return found


def exits(table: Table, kind: str) -> Mapping[Hex, int]:
    """Where a class of Italian units leaves the map, with what it costs."""
    return ground(table).exits[kind]


def tolls(zone: Mapping[Hex, bool], held: Iterable[Hex], soft: int, armored: int, barred: int) -> Mapping[Hex, int]:
    """What entering costs beyond terrain: ``soft`` or ``armored`` in an enemy ZOC, ``barred`` in a hex that the enemy holds."""
    found = {at: armored if hard else soft for at, hard in zone.items()}
    found.update(dict.fromkeys(held, barred))
    return found
