"""18.1.7 The French in the early start: a die each Allied opening until they fight freely; what they may not do before, and must."""

from __future__ import annotations

from collections.abc import Iterable

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, IllegalOrder, Order
from services.rules.engine.positions import adjacent, hex_of, on_map, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import movement, stacking
from services.rules.games.race_for_tunis.orders import Move
from services.rules.games.race_for_tunis.state import ALLIED, AXIS, french_restricted, nation_of
from services.rules.games.race_for_tunis.zoc import in_zone


def french_die(adj: Adjudication) -> None:
    """A die at or under the number of the game-turn frees the French for good, one less if the Axis has attacked one of them (RT-55)."""
    if not french_restricted(adj):
        return
    drm = -1 if adj.own["french"]["attacked"] else 0  # 18.1.7.B-3
    modifiers = [{"n": drm, "why": "attacked", "clause": "18.1.7.B-3"}] if drm else []
    (die,) = adj.roll("18.1.7.B-1", "french", modifiers=modifiers)
    free = die + drm <= adj.turn  # 18.1.7.B-2
    changes = [ch.own("french", "free", True)] if free else []
    adj.record("french", "18.1.7.B-2", {"die": die, "modifier": drm, "turn": adj.turn, "free": free}, changes=changes)


def note_attack(table: Table, defenders: Iterable[str]) -> list[Change]:
    """What an attack notes: whether the Axis has by now attacked a French unit (18.1.7.B-3)."""
    if table.phasing != AXIS or table.own["french"]["attacked"]:
        return []
    return [ch.own("french", "attacked", True)] if any(nation_of(table, unit) == "french" for unit in defenders) else []


# -- who must leave --------------------------------------------------------------------------------------------------------------


def must_leave(table: Table) -> tuple[str, ...]:
    """The restricted French units in an Axis ZOC that can move out of it, and so must (18.1.7.C-3)."""
    if not french_restricted(table):
        return ()
    found = [c.id for c in on_map(table, ALLIED) if nation_of(table, c.id) == "french" and _inside(table, c.id)]
    return tuple(unit for unit in found if way_out(table, unit))  # 18.1.7.C-4: the others attack


def _inside(table: Table, unit: str) -> bool:
    at = hex_of(table, unit)
    return at is not None and in_zone(table, ALLIED, at)


def way_out(table: Table, unit: str) -> tuple[Hex, ...]:
    """The nearest way of a unit out of the enemy ZOC to a hex where it may stay; () if there is none, or it has moved."""
    start = hex_of(table, unit)
    if start is None or table.counters[unit].marks & {"moved", "done", "engaged-attacker", "engaged-defender"}:
        return ()

    def cost(at: Hex, to: Hex) -> int | None:
        try:
            return movement.check_step(table, unit, at, to)
        except IllegalOrder:
            return None

    side = table.counters[unit].side

    def may_stay(at: Hex) -> bool:
        return not in_zone(table, side, at) and stacking.fits(table, (unit, *units_at(table, at)))

    found = search.reachable(
        start, movement.allowance(table, unit), lambda at: adjacent(table, at), cost, lambda at: in_zone(table, side, at)
    )
    ways = [(reach.cost, at) for at, reach in found.items() if at != start and may_stay(at)]
    if ways:
        return search.way(found, min(ways)[1])
    beside = [to for to in adjacent(table, start) if cost(start, to) is not None and may_stay(to)]  # 6.4.A
    return tuple(beside[:1])


def leave(adj: Adjudication) -> None:
    """Those who must leave do so by the nearest way (``AUTO``)."""
    for unit in must_leave(adj):
        path = way_out(adj, unit)
        adj.attempt(lambda unit=unit, path=path: movement.move(adj, Move((unit,), path), Order(0, Move.verb)))  # type: ignore[misc]
