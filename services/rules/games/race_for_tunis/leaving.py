"""The nearest way of a unit out of an enemy ZOC, or out of a hex too full: for duties, and for the umpire who meets them."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order
from services.rules.engine.positions import adjacent, hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import movement, stacking
from services.rules.games.race_for_tunis.orders import Move
from services.rules.games.race_for_tunis.zoc import in_zone


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


def leave(adj: Adjudication, unit: str) -> None:
    """A unit goes by its nearest way out, if it has one."""
    path = way_out(adj, unit)
    if path:
        adj.attempt(lambda: movement.move(adj, Move((unit,), path), Order(0, Move.verb)))
