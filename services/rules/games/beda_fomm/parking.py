"""9.4 Parking: Italian transports park instead of moving, or are made ready again, before anything else of the phase."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import hex_of, on_map, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.orders import Park, Unpark
from services.rules.games.beda_fomm.stacking import LIMIT, load
from services.rules.games.beda_fomm.state import class_of, is_parked, not_on_map


def park(adj: Adjudication, args: Park, _: Order) -> None:
    """A transport parks: it is turned to its parked side and does not move in this phase."""
    where = check_park(adj, args.unit)
    changes = [ch.face(args.unit, "parked"), ch.mark(args.unit, "done")]  # 9.4a 9.42a
    adj.record("parked", "9.4a", {"unit": args.unit, "hex": str(where)}, changes=changes)


def check_park(table: Table, unit: str) -> Hex:
    """Where a transport may park. IllegalOrder if it may not."""
    where = _transport(table, unit)
    if is_parked(table, unit):
        raise IllegalOrder("9.4a", "parked-already", unit=unit)
    if "done" in table.counters[unit].marks:
        raise IllegalOrder("9.44b", "moved-already", unit=unit)  # 9.44b
    if any(is_parked(table, other) for other in units_at(table, where)):
        raise IllegalOrder("9.4c", "one-parked", unit=unit, hex=str(where))  # 9.4c
    return where


def unpark(adj: Adjudication, args: Unpark, _: Order) -> None:
    """A parked transport is made ready, at the cost of its whole allowance."""
    where = check_unpark(adj, args.unit)
    changes = [ch.face(args.unit, ""), ch.mark(args.unit, "done")]  # 9.44b
    adj.record("unparked", "9.44a", {"unit": args.unit, "hex": str(where)}, changes=changes)


def check_unpark(table: Table, unit: str) -> Hex:
    """Where a transport may be made ready. IllegalOrder if it may not."""
    where = _transport(table, unit)
    if not is_parked(table, unit):
        raise IllegalOrder("9.44a", "not-parked", unit=unit)
    if "done" in table.counters[unit].marks:
        raise IllegalOrder("9.4a", "parked-this-turn", unit=unit)
    others = [other for other in units_at(table, where) if other != unit]
    if load(table, others) + 3 > LIMIT:
        raise IllegalOrder("9.43b", "no-room", units=[unit], hex=str(where))  # 9.43b BF-R28
    return where


def _transport(table: Table, unit: str) -> Hex:
    where = hex_of(table, unit)
    if where is None:
        raise not_on_map(table, "9.0a", unit)
    if class_of(table, unit) != "transport":
        raise IllegalOrder("9.4a", "not-transport", unit=unit)
    return where


def no_transport(table: Table, side: Side) -> bool:
    """Whether a side has no transport on the map: the step is passed over."""
    return all(class_of(table, unit.id) != "transport" for unit in on_map(table, side))
