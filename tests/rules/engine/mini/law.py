"""Set-up, arrivals, splitting and joining, movement of the test-only game."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from scenarios.hexes import Box, Edge, Hex, neighbours
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Counter, IllegalOrder, Order, Side
from services.rules.engine.sequence import Duty
from services.rules.engine.table import Table
from tests.rules.engine.mini.data import ALLOWANCE, ENTRY, FLAG
from tests.rules.engine.mini.orders import Delay, Enter, Join, Move, Park, Place, Split, Stand

PARTS = {"RG": ("RG-1", "RG-2")}


def one(args: Any) -> tuple[str, ...]:
    return (args.unit,)


def counter_of(table: Table, unit: str) -> Counter:
    if unit not in table.counters:
        raise IllegalOrder("m.2", "not-in-play", unit=unit)
    return table.counters[unit]


def on_map(table: Table, unit: str) -> Hex:
    place = counter_of(table, unit).place
    if not isinstance(place, Hex):
        raise IllegalOrder("m.1", "not-on-map", unit=unit)
    return place


def at(table: Table, where: Hex, side: Side | None = None) -> list[Counter]:
    return [c for c in table.counters.values() if c.place == where and side in (None, c.side)]


def check_place(adj: Adjudication, args: Place, _: Order) -> None:
    if counter_of(adj, args.unit).place != Box("set-up"):
        raise IllegalOrder("s.1", "not-to-be-placed", unit=args.unit)
    if (args.hex.col <= 4) != (adj.counters[args.unit].side == "red"):
        raise IllegalOrder("s.2", "wrong-half", hex=str(args.hex))


def place(adj: Adjudication, args: Place, _: Order) -> None:
    adj.record("placed", "s.1", {"unit": args.unit, "hex": str(args.hex)}, changes=[ch.place(args.unit, args.hex)])


def all_placed(table: Table, side: Side) -> tuple[Duty, ...]:
    sets = getattr(table, "sets", {})
    ordered = {o.args["unit"] for key, orders in sets.items() if key.startswith(side) for o in orders}
    left = [c.id for c in table.counters.values() if c.side == side and c.place == Box("set-up") and c.id not in ordered]
    return (Duty("not-placed", "s.3", {"units": left}),) if left else ()


def due(table: Table, side: Side) -> list[str]:
    return [c.id for c in table.counters.values() if c.side == side and c.place == Edge("west") and int(c.num["due"]) <= table.turn]


def enter(adj: Adjudication, args: Enter, _: Order) -> None:
    if args.unit not in due(adj, counter_of(adj, args.unit).side):
        raise IllegalOrder("a.1", "not-due", unit=args.unit)
    arrive(adj, args.unit)


def arrive(adj: Adjudication, unit: str) -> None:
    adj.record("arrived", "a.1", {"unit": unit}, changes=[ch.place(unit, ENTRY)])


def delay(adj: Adjudication, args: Delay, _: Order) -> None:
    if args.unit not in due(adj, counter_of(adj, args.unit).side):
        raise IllegalOrder("a.1", "not-due", unit=args.unit)
    later = ch.number(args.unit, "due", adj.turn + 1)
    adj.record("delayed", "a.2", {"unit": args.unit}, owner=adj.counters[args.unit].side, public=None, changes=[later])


def arrivals_enter(adj: Adjudication) -> None:
    assert adj.phasing is not None
    for unit in due(adj, adj.phasing):
        arrive(adj, unit)


def split(adj: Adjudication, args: Split, _: Order) -> None:
    whole = counter_of(adj, args.unit)
    if not whole.parts:
        raise IllegalOrder("p.1", "cannot-split", unit=args.unit)
    share = Fraction(whole.num["cf"]) / len(whole.parts)
    made = [ch.add(replace(whole, id=part, card=part, parts=(), num={**whole.num, "cf": share})) for part in whole.parts]
    adj.record("split", "p.1", {"unit": args.unit, "parts": list(whole.parts)}, changes=[ch.remove(args.unit), *made])


def join(adj: Adjudication, args: Join, _: Order) -> None:
    units = [counter_of(adj, u) for u in args.units]
    if (args.into, args.units) not in PARTS.items() or len({u.place for u in units}) != 1:
        raise IllegalOrder("p.2", "not-together", units=list(args.units))
    cf = sum((Fraction(u.num["cf"]) for u in units), Fraction(0))
    marks = frozenset(m for u in units for m in u.marks)
    joined = replace(units[0], id=args.into, card=args.into, parts=args.units, marks=marks, num={**units[0].num, "cf": cf})
    gone = [ch.remove(u) for u in args.units]
    adj.record("joined", "p.2", {"units": list(args.units), "into": args.into}, changes=[*gone, ch.add(joined)])


def cost(table: Table, a: Hex, b: Hex) -> Fraction:
    if table.data.board.joined(a, b):
        return Fraction(1, 2)
    side = table.data.board.hexside("cliff", a, b)
    return Fraction(1) + (Fraction(1, 2) if side is not None and side.b == a else 0)  # uphill only


def move(adj: Adjudication, args: Move, order: Order) -> None:
    counter = counter_of(adj, args.unit)
    if "moved" in counter.marks:
        raise IllegalOrder("v.1", "moved-already", unit=args.unit)
    here, spent = on_map(adj, args.unit), Fraction(0)
    for step in args.path:
        if step not in neighbours(here) or step not in adj.data.board.terrain:
            raise IllegalOrder("v.2", "not-adjacent", hex=str(step))
        if at(adj, step, adj.enemy(counter.side)):
            raise IllegalOrder("v.3", "enemy-there", hex=str(step))
        spent += cost(adj, here, step)
        here = step
    if spent > ALLOWANCE:
        raise IllegalOrder("v.4", "too-far", cost=str(spent), allowance=str(ALLOWANCE))
    changes = [ch.place(args.unit, here), ch.mark(args.unit, "moved"), ch.number(args.unit, "spent", spent)]
    adj.record("moved", "v.1", {"unit": args.unit, "path": [str(h) for h in args.path], "cost": str(spent)}, changes=changes)
    if here == FLAG and counter.side == "red":
        adj.end("red", "flag", "x.1")


def stand(adj: Adjudication, args: Stand, _: Order) -> None:
    on_map(adj, args.unit)
    adj.record("stood", "v.5", {"unit": args.unit}, changes=[ch.mark(args.unit, "moved")])


def park(adj: Adjudication, args: Park, _: Order) -> None:
    on_map(adj, args.unit)
    adj.record("parked", "v.6", {"unit": args.unit}, changes=[ch.place(args.unit, Box("depot"))])


def can_move(table: Table, side: Side) -> bool:
    return any(c.side == side and isinstance(c.place, Hex) and "moved" not in c.marks for c in table.counters.values())
