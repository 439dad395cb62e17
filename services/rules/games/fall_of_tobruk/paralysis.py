"""Allied Command Paralysis: on the first day only those Allied units move that the enemy has stirred, and one brigade besides (FT-53)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order
from services.rules.engine.positions import hex_of, on_map, units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.orders import Free
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, first_day, formation_of
from services.rules.games.fall_of_tobruk.zoc import enemy_hexes


def may_move(table: Table, unit: str) -> bool:
    """Whether command lets a unit move: all but Allied units that nobody has roused, freed or placed today, on the first day."""
    if table.counters[unit].side != ALLIED or not first_day(table):
        return True  # paralysis.6
    if table.counters[unit].marks & {"roused", "placed"}:
        return True  # paralysis.1 paralysis.2
    return formation_of(table, unit) == str(table.own["freed"])  # paralysis.3


def rouse(adj: Adjudication, units: Iterable[str]) -> None:
    """Allied units among these have been bombarded, shot at or attacked, or an enemy has come beside them, in the Axis half of the first
    day: they may move in theirs."""
    if not first_day(adj) or adj.phasing != AXIS:
        return
    found = [unit for unit in dict.fromkeys(units) if adj.counters[unit].side == ALLIED and "roused" not in adj.counters[unit].marks]
    found = [unit for unit in found if hex_of(adj, unit) is not None]
    if found:
        adj.record("roused", "paralysis.1", {"units": found}, changes=[ch.mark(unit, "roused") for unit in found])  # paralysis.7


def rouse_beside(adj: Adjudication, path: Iterable[Hex]) -> None:
    """Axis units have entered these hexes: whoever stands beside one of them is roused, though they go on (FT-53)."""
    rouse(adj, [unit for at in path for to in enemy_hexes(adj, AXIS, at) for unit in units_at(adj, to)])  # paralysis.2


def brigades(table: Table) -> tuple[str, ...]:
    """The Allied brigades, by key."""
    chart: Mapping[str, Mapping[str, Any]] = table.data.charts["formations"]
    return tuple(name for name, row in chart.items() if row["side"] == ALLIED and row["kind"] == "brigade")


def on_the_map(table: Table) -> list[str]:
    """The brigades that have a unit on the map, so that it is of some use to free them."""
    here = {formation_of(table, unit.id) for unit in on_map(table, ALLIED)}
    return [name for name in brigades(table) if name in here]


def check_free(table: Table, args: Free, _: Order) -> None:
    """IllegalOrder unless the Allied player may free that brigade now: on the first day, one, before his first unit moves."""
    if not first_day(table) or table.phasing != ALLIED:
        raise IllegalOrder("paralysis.3", "nobody-to-free", brigade=args.brigade)  # paralysis.3
    if args.brigade not in brigades(table):
        raise IllegalOrder("paralysis.3", "no-such-brigade", brigade=args.brigade, brigades=on_the_map(table))  # paralysis.3
    if table.own["freed"] not in ("", args.brigade):
        raise IllegalOrder("paralysis.3", "freed-already", brigade=table.own["freed"])  # paralysis.3
    if any("moved" in unit.marks for unit in table.counters.values() if unit.side == ALLIED):
        raise IllegalOrder("paralysis.3", "too-late-to-free", brigade=args.brigade)  # paralysis.3


def free(adj: Adjudication, args: Free, order: Order) -> None:
    """The brigade may move."""
    check_free(adj, args, order)
    adj.record("freed", "paralysis.3", {"brigade": args.brigade}, changes=[ch.own("freed", args.brigade)])
