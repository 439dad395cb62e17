"""12. Supply."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import supply
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Side
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.state import alias_of, block_gone, pool
from services.rules.games.holdfast.zoc import enemy_zoc

LONGEST = 7
"""Hexes from a unit to the road, the road hex included (12a)."""


def blocked(table: Table, side: Side) -> frozenset[Hex]:
    """The hexes that a supply chain of ``side`` may not pass."""

    def found() -> frozenset[Hex]:
        ezoc = enemy_zoc(table, side) - occupied(table, side)  # 12b 12g 12h 12i
        return ezoc | occupied(table, table.enemy(side))  # 12f

    return table.remembered(("blocked", side), found)


def road_net(table: Table, side: Side) -> frozenset[Hex]:
    """The road hexes from which an unbroken road leads to the side's source. A unit in the source city opens it, and so is in supply."""
    roads = table.data.board.road_neighbours
    shut = blocked(table, side)
    source = ground(table).entry[side]
    return table.remembered(
        ("road-net", side),
        lambda: supply.connected([source], lambda at: roads.get(at, ()), lambda at: at not in shut),  # 12e 12u 12o 12p
    )


def line_of(table: Table, unit: str) -> tuple[Hex, ...] | None:
    """The hexes from a unit on the map to the road that supplies it, () if it needs none to enter; None if there is no supply line."""
    at = hex_of(table, unit)
    assert at is not None
    side = table.counters[unit].side
    net, shut = road_net(table, side), blocked(table, side)
    return supply.trace(at, net.__contains__, LONGEST, around(table), lambda to: to not in shut)  # 12a 12c 12d


def in_supply(table: Table, unit: str) -> bool:
    """Whether a unit on the map is in supply where it stands now."""

    def found() -> bool:
        at = hex_of(table, unit)
        return at is not None and (at in ground(table).havens or line_of(table, unit) is not None)  # 12n 12s

    return table.remembered(("supplied", unit), found)


def without_supply(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side on the map that are out of supply now."""
    return tuple(c.id for c in on_map(table, side) if not in_supply(table, c.id))


def check(adj: Adjudication) -> None:
    """The phasing side's units that are out of supply at the end of its player-turn are eliminated: all found first, then removed."""
    side = adj.phasing
    assert side is not None
    for unit in sorted(without_supply(adj, side), key=lambda u: (str(hex_of(adj, u)), u)):  # 12l 12m 12t
        eliminate(adj, unit, "supply", "12m")


def eliminate(adj: Adjudication, unit: str, cause: str, clause: str) -> None:
    """A unit leaves the map for its replacement pool, which both sides may look into."""
    if adj.counters[unit].side != adj.packet.side:
        adj.reveal()  # G7: no check names an enemy unit
    at, alias = str(hex_of(adj, unit)), alias_of(adj, unit)
    to = pool(adj.counters[unit].side)
    known = {"unit": unit, "alias": alias, "hex": at}
    if cause == "supply":
        adj.record("supply_lost", clause, known)
    off = [ch.mark(unit, mark, False) for mark in sorted(adj.counters[unit].marks)]
    changes = [*block_gone(adj, unit), ch.place(unit, to), ch.number(unit, "sp", 0), *off]  # 11.2w 11p
    adj.record("eliminated", clause, {**known, "cause": cause, "to": str(to)}, changes=changes)
