"""16. The Italian opening moves: down the road, six MP or more, until first contact has been made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenarios.hexes import Hex, neighbours, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import (
    BRITISH,
    ITALIAN,
    contact,
    dark,
    hex_of,
    moving,
    occupied,
    on_map,
    opening,
    spent,
    value,
)
from services.rules.games.beda_fomm.zoc import enemy_zoc

LEAST = 12
"""Half MP that a unit spends in its movement phase at least (16.13b)."""


def road_order(table: Table) -> Mapping[Hex, int]:
    """Hex of the road -> how far down it lies, from the entry hex on."""

    def found() -> Mapping[Hex, int]:
        here, order = ground(table).entries["road"].hexes[0], dict[Hex, int]()
        while True:
            order[here] = len(order)
            onward = [to for to in neighbours(here) if (here, to) in ground(table).road and to not in order]
            if not onward:
                return order
            here = onward[0]

    key = ("road", table.data.digest)
    if key not in _ROADS:
        _ROADS[key] = found()
    return _ROADS[key]


_ROADS: dict[tuple[str, str], Mapping[Hex, int]] = {}


def check_road(table: Table, unit: str, at: Hex, to: Hex) -> None:
    """IllegalOrder unless a step leads down the road (2.0b, 16.13)."""
    order = road_order(table)
    if at not in order or order.get(to) != order[at] + 1:
        raise IllegalOrder("16.13a", "down-the-road", unit=unit, **{"from": str(at), "to": str(to)})


def check_exit(table: Table, unit: str, here: Hex) -> None:
    """IllegalOrder unless a unit that leaves the map in the opening does so by the road."""
    order = road_order(table)
    if order.get(here) != len(order) - 1:
        raise IllegalOrder("16.13a", "down-the-road", unit=unit, **{"from": str(here), "to": "south"})


def next_down(table: Table, at: Hex) -> Hex | None:
    """The hex of the road below one of it; None at its end."""
    order = road_order(table)
    if at not in order:
        return None
    return next((to for to in neighbours(at) if order.get(to) == order[at] + 1), None)


def bound_to_go_on(table: Table, unit: str) -> bool:
    """Whether an Italian unit must still go on down the road: it has spent less than six MP (or all of a smaller allowance, BF-R94), is
    not in an enemy ZOC, and the next hex can be paid for and is neither full nor, in the dark, in an enemy ZOC (BF-R95, BF-R98)."""
    at = hex_of(table, unit)
    if at is None or table.phasing != ITALIAN or not opening(table) or table.counters[unit].side != ITALIAN:
        return False
    to = next_down(table, at)
    used, allowance = int(2 * spent(table, unit)), 2 * value(table, unit, "ma")
    if to is None or used >= min(LEAST, allowance):
        return False  # 16.13b
    zone = enemy_zoc(table, ITALIAN)
    if at in zone or (dark(table) and to in zone):
        return False  # 16.14b
    if to in occupied(table, BRITISH) or not room(table, to, (unit,)):
        return False  # 16.13c
    cost = ground(table).steps[column_of(table, unit)].get((at, to))
    return cost is not None and used + cost <= allowance


def check_stopped(table: Table, units: Iterable[str]) -> None:
    """IllegalOrder if units that have just moved stop too soon (16.13b)."""
    short = [unit for unit in units if bound_to_go_on(table, unit)]
    if short:
        raise IllegalOrder("16.13b", "six-mp", units=short)


def check_finished(table: Table, unit: str) -> None:
    """IllegalOrder if a unit whose movement another's order would end is bound to go on (9.0d, 16.13b)."""
    if unit in moving(table) and bound_to_go_on(table, unit):
        raise IllegalOrder("16.13b", "six-mp", units=[unit])


def wanting(table: Table) -> list[str]:
    """The Italian units on the map that must still go on, the foremost first (16.13b, 16.31c)."""
    order = road_order(table)
    found = [c.id for c in on_map(table, ITALIAN) if "done" not in c.marks and bound_to_go_on(table, c.id)]
    return sorted(found, key=lambda unit: (-order[parse_hex(str(table.counters[unit].place))], unit))


def note_contact(adj: Adjudication, units: Sequence[str], path: Sequence[Hex]) -> None:
    """First contact is made in the first hex of a path that lies next to the other side (16.12a, BF-R97)."""
    if contact(adj) is not None:
        return
    side = adj.counters[units[0]].side
    enemies = occupied(adj, adj.enemy(side))
    for at in path:
        if any(to in enemies for to in neighbours(at)):
            made = {"turn": adj.turn, "side": adj.phasing, "unit": units[0], "hex": str(at)}
            adj.record("contact", "16.12a", {"unit": units[0], "hex": str(at)}, changes=[ch.own("contact", made)])
            return
