"""16. The Italian opening moves: down the road, six MP or more, until first contact has been made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenarios.hexes import Hex, neighbours
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.costs import affords, allowance, half_spent, price
from services.rules.games.beda_fomm.ground import ground
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import BRITISH, ITALIAN, contact, dark, moving, opening
from services.rules.games.beda_fomm.zoc import enemy_zoc

LEAST = 12
"""Half MP that a unit spends in its movement phase at least (16.13b)."""


def road_fault(table: Table, unit: str, at: Hex, to: Hex) -> IllegalOrder | None:
    """Why a unit may not take a step in the opening: it leads off the road, or up it (2.0b, 16.13). None if it may."""
    if ground(table).below.get(at) == to:
        return None
    return IllegalOrder("16.13a", "down-the-road", unit=unit, **{"from": str(at), "to": str(to)})


def check_exit(table: Table, unit: str, here: Hex) -> None:
    """IllegalOrder unless a unit that leaves the map in the opening does so by the road."""
    if here != ground(table).down[-1]:
        raise IllegalOrder("16.13a", "down-the-road", unit=unit, **{"from": str(here), "to": "south"})  # 2.0b


def way_down(table: Table, unit: str) -> tuple[Hex, ...]:
    """The hexes that an Italian unit on the road must still enter in this movement phase of the opening.

    It has spent less than six MP (or than all of a smaller allowance, BF-R94); a British ZOC, a full hex ahead, darkness before a
    British ZOC and want of MP end the duty (BF-R95, BF-R98)."""
    at = hex_of(table, unit)
    if at is None or table.phasing != ITALIAN or not opening(table) or table.counters[unit].side != ITALIAN:
        return ()
    zone, enemies = enemy_zoc(table, ITALIAN), occupied(table, BRITISH)
    used, budget = half_spent(table, unit), allowance(table, unit)
    way: list[Hex] = []
    while used < min(LEAST, budget):  # 16.13b
        to = ground(table).below.get(at)
        if to is None or to in enemies:
            break
        if at in zone or (dark(table) and to in zone):
            break  # 16.14b 13.0b
        if not room(table, to, (unit,)):
            break  # 16.13c
        step = price(table, (unit,), at, to)
        if not affords(table, unit, step.costs[unit], step.fire, budget - used, only=False):
            break
        used, at = used + step.costs[unit], to
        way.append(to)
    return tuple(way)


def check_finished(table: Table, units: Iterable[str]) -> None:
    """IllegalOrder if one of some units is bound to go on though its movement is over: it dropped off, or another set out (9.0h)."""
    for unit in units:
        if way := way_down(table, unit):
            raise IllegalOrder("16.13b", "six-mp", units=[unit], hex=str(way[-1]))


def on_its_way(table: Table) -> list[str]:
    """The units in the course of their movement that are bound to go on: before them no other unit sets out."""
    return [unit for unit in moving(table) if way_down(table, unit)]


def wanting(table: Table) -> list[str]:
    """The Italian units on the map that must still go on, the foremost first (16.13b, 16.31c)."""
    found = [c.id for c in on_map(table, ITALIAN) if "done" not in c.marks and way_down(table, c.id)]  # 16.31b 16.31c
    order: Mapping[Hex | None, int] = {at: n for n, at in enumerate(ground(table).down)}
    return sorted(found, key=lambda unit: (-order[hex_of(table, unit)], unit))


def note_contact(adj: Adjudication, way: Iterable[tuple[str, Hex]]) -> None:
    """First contact is made by the first unit and hex of a way that lies next to the other side (16.12a, BF-R97)."""
    if contact(adj) is not None:
        return
    for unit, at in way:
        enemies = occupied(adj, adj.enemy(adj.counters[unit].side))
        if any(to in enemies for to in neighbours(at)):
            made = {"turn": adj.turn, "side": adj.phasing, "unit": unit, "hex": str(at)}
            adj.record("contact", "16.12a", {"unit": unit, "hex": str(at)}, changes=[ch.own("contact", made)])
            return
