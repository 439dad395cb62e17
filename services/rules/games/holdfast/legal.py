"""Legal orders of the open step, and answers to open decisions, worked out by trying the law and not by a second copy of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, zip_longest

from services.rules.engine.about import About
from services.rules.engine.model import Decision, IllegalOrder, Json, Order, Side
from services.rules.engine.positions import occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.holdfast import build_up, combat, movement
from services.rules.games.holdfast.orders import Attack
from services.rules.games.holdfast.resources import cost
from services.rules.games.holdfast.state import air, clear, kind_of, leader_free, pool, rp, sp, value, waiting
from services.rules.games.holdfast.supply import without_supply

MOST = 2000
"""Orders worked out at most."""


def legal(table: Table, side: Side, about: About = None) -> tuple[Order, ...]:
    """Legal orders of ``side`` now: answers if it must decide, else orders of the open step, ``DONE`` last."""
    mine = [d for d in table.pending if d.side == side]
    if mine:
        return tuple(filter(about, _answers(mine[0])))
    if table.pending or table.phasing != side:
        return ()
    if table.slot.step.name == "build":
        found = _build(table, side)
    elif table.slot.step.name == "action":
        found = _action(table, side)
    else:
        return ()
    orders = tuple(islice(filter(about, found), MOST))
    return orders if movement_duty(table, side) else (*orders, *filter(about, (_done(table, side),)))


def movement_duty(table: Table, side: Side) -> bool:
    """Whether units must leave the entry hex before the step may close."""
    return table.slot.step.name == "action" and bool(movement.surplus_can_leave(table, side))


def _done(table: Table, side: Side) -> Order:
    confirm = table.slot.step.name == "action" and bool(without_supply(table, side))
    return Order(0, "DONE", {"turn": False, "auto": False}, confirm=confirm)


def _answers(decision: Decision) -> Iterator[Order]:
    for choice in decision.choices or (decision.default,):
        yield Order(0, decision.verb, choice)


def _order(verb: str, **args: Json) -> Order:
    return Order(0, verb, args)


def _build(table: Table, side: Side) -> Iterator[Order]:
    if build_up.entry_open(table, side):
        for counter in sorted(waiting(table, side), key=lambda c: c.id):
            yield _order("ENTER", unit=counter.id)
        for counter in sorted(table.counters.values(), key=lambda c: c.id):
            if counter.place == pool(side) and cost(table, "rebuild", kind_of(table, counter.id)) <= rp(table, side):
                yield _order("REBUILD", unit=counter.id)
    for counter in sorted(waiting(table, side), key=lambda c: c.id):
        if not build_up.delayed(table, counter):
            yield _order("DELAY", unit=counter.id)
    for counter in sorted(on_map(table, side), key=lambda c: c.id):
        for k in range(1, value(table, counter.id, "max_sp") - sp(table, counter.id) + 1):
            if not _refused(build_up.check_step, table, counter.id, k):
                yield _order("STEP", unit=counter.id, k=k)


def _action(table: Table, side: Side) -> Iterator[Order]:
    if rp(table, side) < 1:
        return
    yield from _attacks(table, side)
    unmoved = sorted(c.id for c in on_map(table, side) if "moved" not in c.marks)
    reaches = [[(unit, to) for to in sorted(movement.reach(table, movement.activate(table, unit, False, False)))] for unit in unmoved]
    for row in zip_longest(*reaches):  # every unit has its turn among the first hundred
        for unit, to in filter(None, row):
            yield _order("MOVE", units=[unit], path=[], to=str(to), via=[], road=False, strategic=False, leader=False)


def _attacks(table: Table, side: Side) -> Iterator[Order]:
    wing = next((name for name, state in sorted(air(table, side).items()) if state == "free"), None) if clear(table) else None
    for target in sorted(occupied(table, table.enemy(side))):
        units = [c.id for c in on_map(table, side) if not _refused(combat.check_attacker, table, c.id, target)]
        helps: list[Mapping[str, Json]] = [{"air": None, "leader": False}]
        if wing or leader_free(table, side, "attack"):
            helps.append({"air": wing, "leader": leader_free(table, side, "attack") is not None})
        for help_ in helps:
            args = Attack(target, tuple(units), help_["air"], help_["leader"])
            if units and not _refused(combat.check_attack, table, side, args):
                yield _order("ATTACK", hex=str(target), units=units, lose=[], **help_)


def _refused(check: Callable[..., None], *args: object) -> bool:
    try:
        check(*args)
    except IllegalOrder:
        return True
    return False
