"""From step to step: entering, opening, closing and leaving the steps of the sequence of play.

A step's coming and going are work items of the engine's own (their kinds begin with ``@``), under the work that hooks and orders push.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from services.rules.engine import beforehand, windows
from services.rules.engine.args import read_args
from services.rules.engine.lines import WINDOW, fault, half, in_halves, is_own, lost_line, open_for, pop
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.sequence import NOBODY, Duty, Mode, Slot, sides_of
from services.rules.engine.table import Table

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication

DEFAULT = "default"
"""Why a step closes: nobody closed it, or a side said that it takes what the rule gives."""


def move_on(adj: Adjudication) -> bool:
    """No line can be read and no work is left: close the open step if it closes by itself. False if somebody must be waited for."""
    acting = adj.acting()
    if all(adj.step.idle(adj, side) for side in acting):
        close(adj, "no-order")
        return True
    for side in acting:
        in_force = adj.closing.get(side)
        if not _closes_for(adj, side):
            script = adj.tails.get(side + WINDOW)
            # standing orders that can be read now, or lines below a DONE TURN that has lapsed
            return (script is not None and bool(script.orders)) or adj.closing.get(side) != in_force
    close(adj, DEFAULT)
    return True


def _closes_for(adj: Adjudication, side: Side) -> bool:
    if adj.step.idle(adj, side) or half(adj, side) in adj.results:
        return True
    own, in_force = is_own(adj, side), adj.closing.get(side, "")
    if not (in_force.startswith("own") if own else windows.step_window(adj, side)):
        return False
    duty = _open_duty(adj, side, not own or in_force.endswith("auto"))
    if duty is not None:
        del adj.closing[side]
        adj.record("duty_open", duty.clause, {"code": duty.code, **duty.details, "lapsed": "DONE TURN"}, owner=side)  # G16
    return duty is None


def done(adj: Adjudication, side: Side, why: str, auto: bool = False, confirmed: bool = False) -> None:
    """Close the open step as ``DONE`` does. IllegalOrder while a duty is open; with ``auto`` duties are met by their defaults (G16).

    A SET of both sides closes when each has closed it for itself."""
    duty = _open_duty(adj, side, auto, confirmed)
    if duty is not None:
        raise IllegalOrder(duty.clause, duty.code, duty="open", **duty.details)
    if in_halves(adj):
        adj.results[half(adj, side)] = why
        if any(open_for(adj, other) for other in adj.acting()):
            return  # G19
    close(adj, why)


def _open_duty(adj: Adjudication, side: Side, auto: bool, confirmed: bool = False) -> Duty | None:
    """What forbids ``side`` to close the open step; nothing does if it has its duties met by their defaults."""
    if adj.step.mode is Mode.SET:
        _drop_bad_groups(adj, side)  # what is dropped may leave a duty open (G17)
    duties = [d for d in adj.step.duty(adj, side) if not (confirmed and d.confirmable)]
    contingent = lost_line(adj, side) and all(d.contingent for d in duties)  # G17
    if duties and (auto or contingent or beforehand.duty_auto(adj, side)):
        if adj.step.meet:
            adj.step.meet(adj, side)
        return None
    return duties[0] if duties else None


def close(adj: Adjudication, why: str) -> None:
    """Close the open step: gathered orders take effect, then what is done on leaving, then the next step.

    ``why`` is ``DEFAULT`` where a window is left to its own answer (G25)."""
    adj.ran = True
    if adj.step.default is not None:
        for side in adj.acting():
            if _left_open(adj, side, why):
                adj.step.default(adj, side)
    if adj.step.mode is not Mode.ASK and adj.acting():
        adj.record("step_closed", adj.step.clause, {"step": adj.step.name})
    if adj.step.mode is Mode.SET:
        adj.push("@carry")
    adj.push("@leave")
    adj.flush()


def _left_open(adj: Adjudication, side: Side, why: str) -> bool:
    """Whether a side leaves what it has not ordered to the default of a step that closes (G25): its window, if it has not closed it itself;
    in a SET of both sides either of them, unless it has closed it by a plain ``DONE`` (G19)."""
    if in_halves(adj):
        return bool(adj.results.get(half(adj, side)) != "done")
    return why == DEFAULT and not is_own(adj, side)


def _carry_set(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """The orders of a SET take effect together, verb by verb as the step lists them: what supports an attack may stand before it (G2)."""
    verbs = [taken.verb for taken in adj.step.accepts]
    for side in adj.acting():
        _drop_bad_groups(adj, side)
        orders = adj.sets.pop(f"{side}/{adj.step.name}", ())
        if orders and not adj.step.plain:
            adj.reveal()  # G7
        for order in sorted(orders, key=lambda order: verbs.index(order.verb)):
            taken = adj.step.takes(order.verb)
            assert taken is not None
            illegal = adj.attempt(partial(taken.carry, adj, read_args(taken.args, order.args), order))
            if illegal is not None:
                _skipped(adj, side, (order,), order, illegal)
            if adj.over is not None:
                return


def _drop_bad_groups(adj: Adjudication, side: Side) -> None:
    """A group of a SET that has a fault by now is dropped whole, and the rest tested again (G17)."""
    key = f"{side}/{adj.step.name}"
    adj.speaker = side
    while kept := adj.sets.get(key, ()):
        groups = adj.step.groups(adj, kept) if adj.step.groups else tuple((order,) for order in kept)
        bad = next(((group, fault) for group in groups if (fault := _group_fault(adj, group))), None)
        if bad is None:
            return
        group, (order, illegal) = bad
        _skipped(adj, side, group, order, illegal)
        adj.sets[key] = tuple(o for o in kept if o not in group)


def _skipped(adj: Adjudication, side: Side, group: tuple[Order, ...], order: Order, illegal: IllegalOrder) -> None:
    data = {"lines": [o.line for o in group], "line": order.line, "code": illegal.code, "details": illegal.details}
    adj.record("line_skipped", illegal.clause, data, owner=side)


def _group_fault(adj: Adjudication, group: tuple[Order, ...]) -> tuple[Order, IllegalOrder] | None:
    for order in group:
        taken = adj.step.takes(order.verb)
        assert taken is not None
        if taken.check is None:
            continue
        try:
            taken.check(adj, read_args(taken.args, order.args), order)
        except IllegalOrder as illegal:
            return order, illegal
    return None


def _drop_answers(adj: Adjudication) -> None:
    """Lines of the step's own side that would have answered a decision of it fall through, as none has come; they do not wait for the next
    player-turn."""
    verbs = {ask.verb for ask in adj.step.asks}
    for side in adj.acting():
        while is_own(adj, side) and (tail := adj.tails.get(side)) and tail.orders and tail.orders[0].verb in verbs:
            order = tail.orders[0]
            fault(adj, side, side, order, IllegalOrder(adj.step.clause, "nothing-to-answer", verb=order.verb, step=adj.step.name))


def _leave(adj: Adjudication, _: Mapping[str, Json]) -> None:
    if adj.step.mode is Mode.ASK:
        _drop_answers(adj)
    if adj.step.leave:
        adj.step.leave(adj)
    if adj.over is None:
        adj.push("@advance")


def _advance(adj: Adjudication, _: Mapping[str, Json]) -> None:
    advance(adj)


def advance(adj: Adjudication) -> None:
    """Go to the next step whose ``when`` holds, and enter it."""
    slots = adj.module.sequence
    if not adj.path:
        first = slots.setup_slots[0] if slots.setup else slots.turn_slots[0]
        _try_enter(adj, first, 0 if first.setup else 1, 1)
        return
    _try_enter(adj, *_following(adj, adj.slot, adj.turn, pass_number(adj)))


def _following(adj: Adjudication, slot: Slot, turn: int, number: int) -> tuple[Slot, int, int]:
    """The slot after ``slot``, with its game-turn and pass: a loop begins again, or is left for good (G18)."""
    sequence, loop = adj.module.sequence, slot.loop
    needed = loop is None or not loop.needs or pass_key(adj) in adj.results
    if loop is not None and slot.last and needed and not loop.until(adj):
        return next(s for s in sequence.turn_slots if s.passes_with(slot)), turn, number + 1
    following, new_turn = sequence.after(slot)
    while following.passes_with(slot) and slot.first and not needed:
        following, new_turn = sequence.after(following)
    return following, turn + new_turn, number if following.passes_with(slot) else 1


def pass_number(table: Table) -> int:
    """The pass of the loop in which the game stands, from 1."""
    return int(table.path[-1][1]) if table.path[-1][0] == "pass" else 1


def pass_key(table: Table) -> str:
    """Where ``results`` notes that this pass had an order that its loop needs."""
    return f"@pass-{pass_number(table)}"


def _try_enter(adj: Adjudication, slot: Slot, turn: int, number: int) -> None:
    """Enter ``slot``, or the first after it whose ``when`` holds."""
    for _ in range(10_000):
        _change_place(adj, slot, turn, number)
        player_turn = slot.player_turn
        if (player_turn is None or player_turn.when(adj)) and slot.step.when(adj):
            if slot.step.enter:
                slot.step.enter(adj)
            if adj.over is None:
                adj.push("@open")
                adj.flush()
            return
        slot, turn, number = _following(adj, slot, turn, number)
    raise RuntimeError("no step of the sequence opens")


def _change_place(adj: Adjudication, slot: Slot, turn: int, number: int) -> None:
    was, turn_was = adj.phasing, adj.turn
    if adj.path and (was != slot.phasing or turn_was != turn):
        for side in adj.data.sides if was is not None else ():
            _lapse(adj, side, slot, ended=side == was)
        _end_player_turn(adj, was)
    if turn_was != turn:
        adj.drawn = {}
    for side in adj.data.sides:
        adj.tails.pop(side + WINDOW, None)  # what was given beforehand for a window is no order for the steps after it
    adj.path = slot.path(turn, number)


def _lapse(adj: Adjudication, side: Side, onward: Slot, *, ended: bool) -> None:
    """A player-turn is over. What is left of the script of its own side (``ended``) was for it: lines for a window before that side's next
    player-turn stay until then, all else is told and given up (G3). ``DONE`` has nothing to close any more."""
    tail = adj.tails.get(side)
    if tail is None or not (ended or tail.spent):
        return
    while (tail := adj.tails.get(side)) and tail.orders and not adj.faulted:
        order = tail.orders[0]
        if order.verb in ("DONE", "PASS", "NEXT"):
            pop(adj, side)
        elif order.verb in beforehand.VERBS or _taken_before_next(adj, side, onward, order):
            adj.tails[side] = replace(tail, spent=True)
            return
        else:
            fault(adj, side, side, order, IllegalOrder("", "step-passed", verb=order.verb))


def _taken_before_next(adj: Adjudication, side: Side, onward: Slot, order: Order) -> bool:
    """Whether a step of ``side``, whose player-turn has ended, takes the line before its next one; ``onward``: the first step ahead."""
    slot, name = onward, str(order.args.get("name", "")).strip().upper().replace(" ", "-")
    while slot.phasing != side:
        acts = side in sides_of(slot.step, slot.phasing, adj.data.sides)
        verbs = {a.verb for a in slot.step.asks} | ({t.verb for t in slot.step.accepts} if acts else set())
        if order.verb in verbs or (acts and order.verb == "PHASE" and slot.step.window == name):
            return True
        slot, _ = adj.module.sequence.after(slot)
    return False


def _end_player_turn(adj: Adjudication, was: Side | None) -> None:
    """A player-turn, or what lay between two, is over: what was asked in it is forgotten, and ``DONE TURN`` with it.

    ``ON`` lines and results live to the end of a player-turn."""
    adj.asked = {}
    adj.closing = {s: c for s, c in adj.closing.items() if was is not None and c.startswith("own") != (s == was)}
    if was is not None:
        adj.on, adj.results = {}, {}


def _open(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """Entering is done: the step opens, or closes at once where nobody acts, only decisions were asked, or nothing can be ordered."""
    step = adj.step
    if step.actor == NOBODY or step.mode is Mode.ASK or all(step.idle(adj, side) for side in adj.acting()):
        adj.ran = True
        adj.push("@leave")
        return
    sides = adj.acting()
    adj.record("step_opened", step.clause, {"step": step.name, "side": sides[0] if len(sides) == 1 else None})
    if adj.packet.side not in sides:
        adj.reveal()  # whether a script of the other side waits for this must not tell (G7)


WORK: Mapping[str, Callable[[Adjudication, Mapping[str, Json]], None]] = {
    "@carry": _carry_set,
    "@leave": _leave,
    "@advance": _advance,
    "@open": _open,
}
