"""Packets as scripts: every line checked for what cannot change, then read in order, each in the step that takes it.

Up to the first die or revealed fact the script is atomic; after that a line that has become illegal stops it or is skipped. What
cannot be read yet stays as the side's tail.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from services.rules.engine import beforehand, common, flow
from services.rules.engine.args import read_args
from services.rules.engine.guards import check_static, holds
from services.rules.engine.lines import WINDOW, Where, ahead, fault, is_own, later, leaves_duties, open_for, pop, skip
from services.rules.engine.model import GameState, IllegalOrder, Order, Packet, Rejection, Side, Tail
from services.rules.engine.module import GameModule
from services.rules.engine.sequence import Mode, Step
from services.rules.engine.table import Table

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication

# -- before anything is done ----------------------------------------------------------------------------------------------------


def static_faults(module: GameModule, state: GameState, packet: Packet) -> list[Rejection]:
    """All faults that no position can mend: the game is over, the packet stale, an unknown verb, malformed arguments, a foreign unit."""
    if packet.side not in module.data.sides:
        return [Rejection(0, "no-such-side", "", {"side": packet.side})]
    if state.over is not None:
        return [Rejection(0, "game-over", state.over.why, {"winner": state.over.winner, "level": state.over.level})]
    at_any_time = all(beforehand.any_time(module, order) and not beforehand.takes_back(order) for order in packet.orders)  # G14
    if packet.seq is not None and packet.seq < state.opened.get(packet.side, 0) and not at_any_time:
        return [Rejection(0, "stale", "", {"seq": packet.seq})]
    table = Table(module, state)
    faults = []
    for order in (*packet.orders, *packet.standing):
        line = order.line
        try:
            if order in packet.standing and order.verb not in ("ON", "DUTY"):
                raise IllegalOrder("", "malformed", field="standing")
            for part in _parts(order):
                line = part.line or order.line  # an ELSE has a line of its own
                _check_static(table, packet.side, part)
        except IllegalOrder as illegal:
            faults.append(Rejection(line, illegal.code, illegal.clause, illegal.details))
    return faults


def _parts(order: Order) -> Iterator[Order]:
    yield order
    if order.then is not None:
        yield order.then
    if order.otherwise is not None:
        yield from _parts(order.otherwise)


def _check_static(table: Table, side: Side, order: Order) -> None:
    check_static(table.module, order.guard)
    if order.verb in common.VERBS:
        common.check_static(table, order)
        return
    verbs = table.module.verbs
    if order.verb not in verbs:
        raise IllegalOrder("", "unknown-verb", verb=order.verb)
    kind = verbs[order.verb]
    if kind is not None:
        args = read_args(kind, order.args)
        for unit in _units(table.module, order.verb, args):
            _check_own(table, side, unit)
    if table.module.static is not None:
        table.module.static(table, side, order)


def _units(module: GameModule, verb: str, args: object) -> tuple[str, ...]:
    for taken in (*module.anytime, *(o for step in module.sequence.steps for o in step.accepts)):
        if taken.verb == verb and taken.units is not None:
            return taken.units(args)
    return ()


def _check_own(table: Table, side: Side, unit: str) -> None:
    card = table.data.cards.get(unit)
    owner = card.side if card else table.counters[unit].side if unit in table.counters else None
    if owner is None:
        raise IllegalOrder("", "unknown-unit", unit=unit)
    if owner != side:
        raise IllegalOrder("", "not-yours", unit=unit)


def load(adj: Adjudication, packet: Packet, bad: set[int]) -> None:
    """Take the packet's lines as its side's script and keep its standing orders.

    They take the place of what waits, unless the packet appends (G28); orders for any time go before it and stop nothing (G14).
    """
    for order in packet.standing:
        if all(part.line not in bad for part in _parts(order)):
            beforehand.keep(adj, packet.side, order)
    lines = tuple(order for order in packet.orders if all(part.line not in bad for part in _parts(order)))
    if not lines:
        return
    waiting = adj.tails.get(packet.side, Tail(()))
    if waiting.orders and all(beforehand.any_time(adj.module, order) for order in lines):
        adj.tails[packet.side] = replace(waiting, orders=(*lines, *waiting.orders), anyway=packet.anyway)
    elif waiting.orders and packet.append:
        first = _for_now(adj, packet.side, lines)
        orders = (*lines[:first], *waiting.orders, *lines[first:])
        adj.tails[packet.side] = Tail(orders, packet.fault, packet.anyway, waiting.last)
    else:
        if waiting.orders:
            adj.record("tail_replaced", "", {"lines": [order.line for order in waiting.orders]}, owner=packet.side)  # G28
        adj.tails[packet.side] = Tail(lines, packet.fault, packet.anyway)


def _for_now(adj: Adjudication, side: Side, lines: tuple[Order, ...]) -> int:
    """How many of the first lines speak to the decision or window that is open for their side now: they go before what waits."""
    window = not adj.pending and open_for(adj, side) and not is_own(adj, side)
    verbs = {d.verb for d in adj.pending if d.side == side} | {t.verb for t in adj.step.accepts if window}
    count = next((n for n, order in enumerate(lines) if order.verb not in verbs), len(lines))
    return count + 1 if 0 < count < len(lines) and lines[count].verb in ("DONE", "PASS") else count


# -- reading --------------------------------------------------------------------------------------------------------------------


def read_line(adj: Adjudication, any_time: bool = False) -> bool:
    """Read the next line of a script that can be read now, the phasing side's first (G1). False if there is none.

    ``any_time``: a decision is open, so that only orders for any time are read (G14).
    """
    for side, key in _scripts(adj):
        order = adj.tails[key].orders[0]
        if any_time and not beforehand.any_time(adj.module, order):
            continue
        try:
            where = _where(adj, side, key, order)
            if where is Where.WAIT:
                continue
            if side != adj.packet.side and not _quiet(adj, side, order):
                adj.reveal()  # that the other side has a line for this (G7)
            if where is Where.CLOSE:
                flow.done(adj, side, "later-line", leaves_duties(adj, side, key), order.confirm)
            else:
                _read_here(adj, side, key, order)
        except IllegalOrder as illegal:
            fault(adj, side, key, order, illegal)
        return True
    return False


def _quiet(adj: Adjudication, side: Side, order: Order) -> bool:
    """Whether nobody but its side can learn that a line is read: it is kept for later, or a ``DONE`` that has nothing to close any more."""
    return order.verb in beforehand.VERBS or (order.verb in ("DONE", "PASS") and not open_for(adj, side))


def _scripts(adj: Adjudication) -> Iterator[tuple[Side, str]]:
    sides = sorted(adj.data.sides, key=lambda s: (s != adj.phasing, adj.data.sides.index(s)))
    for side in sides:
        for key in (side + WINDOW, side):
            if key in adj.tails and adj.tails[key].orders:
                yield side, key


def _where(adj: Adjudication, side: Side, key: str, order: Order) -> Where:
    if order.verb in common.VERBS:
        return common.where(adj, side, key, order)
    if adj.module.takes_any_time(order.verb):
        return Where.HERE
    if adj.closing.get(side, "").startswith("own") and open_for(adj, side):
        return Where.WAIT  # DONE TURN is in force
    if open_for(adj, side) and adj.step.takes(order.verb):
        return Where.HERE
    if key == side and ahead(adj, side, lambda step: step.takes(order.verb) is not None or _asks(step, order.verb)):
        return later(adj, side)
    if any(a.verb == order.verb for a in adj.module.asks.values()):
        raise IllegalOrder(adj.step.clause, "nothing-to-answer", verb=order.verb, step=adj.step.name)
    accepts = [t.verb for t in adj.step.accepts] if open_for(adj, side) else []
    raise IllegalOrder(adj.step.clause, "not-in-this-step", verb=order.verb, step=adj.step.name, accepts=accepts)


def _asks(step: Step, verb: str) -> bool:
    return step.mode is Mode.ASK and any(a.verb == verb for a in step.asks)


def _read_here(adj: Adjudication, side: Side, key: str, order: Order) -> None:
    if order.guard and order.verb != "ON" and not holds(adj, side, order.guard, {"line": {"verb": order.verb, "args": dict(order.args)}}):
        skip(adj, side, key, order)
        return
    if order.verb in common.VERBS:
        common.carry(adj, side, key, order)
        return
    taken = adj.module.takes_any_time(order.verb) or adj.step.takes(order.verb)
    assert taken is not None
    adj.speaker = side
    args = read_args(taken.args, order.args)
    if adj.step.mode is Mode.SET and adj.step.takes(order.verb):
        if taken.withdraws is not None and (name := taken.withdraws(args)) is not None:
            beforehand.take_back(adj, side, order.verb, name, order.line)
            pop(adj, key)
            return
        order, lost = taken.living(adj, order) if taken.living else (order, ())
        args = read_args(taken.args, order.args)
        if taken.check is not None:
            taken.check(adj, args, order)
        pop(adj, key)
        if lost:
            adj.record("line_shortened", "", {"line": 0 if key.endswith(WINDOW) else order.line, "units": list(lost)}, owner=side)
        gather(adj, side, order, taken.subject(args) if taken.subject else "")
        return
    script = adj.tails[key]
    pop(adj, key)
    illegal = adj.attempt(lambda: taken.carry(adj, args, order))
    if illegal is not None:
        adj.tails[key] = script
        raise illegal
    adj.flush()
    adj.ran = True
    if adj.over is None and adj.slot.loop and order.verb in adj.slot.loop.needs:
        adj.results[flow.pass_key(adj)] = True


def gather(adj: Adjudication, side: Side, order: Order, subject: str) -> None:
    """Keep an order of a SET until the step closes; a later one for the same subject takes the older one's place (G2)."""
    key = f"{side}/{adj.step.name}"
    kept = adj.sets.get(key, ())
    gone = [o for o in kept if subject and o.verb == order.verb and _subject(adj, o) == subject]
    if slips := [o.line for o in gone if o in adj.packet.orders and o.line != order.line]:
        # In one mail: a slip, perhaps.
        adj.record("line_replaced", "", {"lines": slips, "line": order.line, "subject": subject}, owner=side)
    first = kept.index(gone[0]) if gone else len(kept)
    adj.sets[key] = (*(o for o in kept[:first] if o not in gone), order, *(o for o in kept[first:] if o not in gone))


def _subject(adj: Adjudication, order: Order) -> str:
    taken = adj.step.takes(order.verb)
    assert taken is not None
    assert taken.subject is not None
    return taken.subject(read_args(taken.args, order.args))
