"""From step to step: entering, opening, closing and leaving the steps of the sequence of play.

A step's coming and going are work items of the engine's own (their kinds begin with ``@``), under the work that hooks and orders push.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from services.rules.engine import beforehand, windows
from services.rules.engine.args import read_args
from services.rules.engine.lines import WINDOW
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.sequence import NOBODY, Duty, Mode, Slot

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication


def move_on(adj: Adjudication) -> bool:
    """No line can be read and no work is left: close the open step if it closes by itself. False if somebody must be waited for."""
    acting = adj.acting()
    if all(adj.step.idle(adj, side) for side in acting):
        close(adj, "no-order")
        return True
    for side in acting:
        if not _closes_for(adj, side):
            return side + WINDOW in adj.tails  # standing orders that can be read now
    close(adj, "done")
    return True


def _closes_for(adj: Adjudication, side: Side) -> bool:
    if adj.step.idle(adj, side):
        return True
    in_force = adj.closing.get(side, "")
    if in_force.startswith("own") == windows.is_own(adj, side) and in_force:
        duties = open_duties(adj, side)
        if not duties:
            return True
        if in_force.endswith("auto") or beforehand.duty_auto(adj, side):
            meet(adj, side)
            return True
        del adj.closing[side]
        adj.record("duty_open", duties[0].clause, {"code": duties[0].code, **duties[0].details, "lapsed": "DONE TURN"}, owner=side)  # G16
        return False
    if not windows.is_own(adj, side):
        return windows.step_window(adj, side)
    return False


def open_duties(adj: Adjudication, side: Side, confirmed: bool = False) -> list[Duty]:
    """What forbids ``side`` to close the open step."""
    return [d for d in adj.step.duty(adj, side) if not (confirmed and d.confirmable)]


def meet(adj: Adjudication, side: Side) -> None:
    """Meet the open duties by their defaults (``DONE AUTO``, G16)."""
    if adj.step.meet:
        adj.step.meet(adj, side)


def close(adj: Adjudication, why: str) -> None:
    """Close the open step: gathered orders take effect, then what is done on leaving, then the next step."""
    adj.ran = True
    if adj.step.mode is not Mode.ASK and adj.acting():
        adj.record("step_closed", adj.step.clause, {"step": adj.step.name})
    if adj.step.mode is Mode.SET:
        adj.push("@carry")
    adj.push("@leave")
    adj.flush()


def _carry_set(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """The orders of a SET take effect together; a group with a fault is dropped whole and the rest tested again (G17)."""
    for side in adj.acting():
        orders = adj.sets.pop(f"{side}/{adj.step.name}", ())
        if not orders:
            continue
        adj.reveal()
        for order in _standing_groups(adj, side, orders):
            taken = adj.step.takes(order.verb)
            assert taken is not None
            taken.carry(adj, read_args(taken.args, order.args), order)


def _standing_groups(adj: Adjudication, side: Side, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    kept = orders
    while True:
        groups = adj.step.groups(adj, kept) if adj.step.groups else tuple((order,) for order in kept)
        bad = next(((group, fault) for group in groups if (fault := _group_fault(adj, group))), None)
        if bad is None:
            return kept
        group, (order, illegal) = bad
        adj.record(
            "line_skipped",
            illegal.clause,
            {"lines": [o.line for o in group], "line": order.line, "code": illegal.code, "details": illegal.details},
            owner=side,
        )
        kept = tuple(o for o in kept if o not in group)


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


def _leave(adj: Adjudication, _: Mapping[str, Json]) -> None:
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
    slot, turn = adj.slot, max(adj.turn, 0)
    if slot.loop and (again := _next_pass(adj, slot)):
        first = next(s for s in slots.turn_slots if s.loop is slot.loop)
        _try_enter(adj, first, turn, again)
        return
    _go(adj, slot, turn)


def _next_pass(adj: Adjudication, slot: Slot) -> int:
    """The number of the pass that begins, or 0 if none does."""
    assert slot.loop is not None
    if not slot.last or not _needs_met(adj, slot) or slot.loop.until(adj):
        return 0
    return pass_number(adj) + 1


def pass_number(adj: Adjudication) -> int:
    """The pass of the loop in which the game stands, from 1."""
    return int(adj.path[-1][1]) if adj.path[-1][0] == "pass" else 1


def pass_key(adj: Adjudication) -> str:
    """Where ``results`` notes that this pass had an order that its loop needs."""
    return f"@pass-{pass_number(adj)}"


def _go(adj: Adjudication, slot: Slot, turn: int) -> None:
    following, new_turn = adj.module.sequence.after(slot)
    number = pass_number(adj) if slot.loop and following.loop is slot.loop else 1
    if slot.loop and slot.first and not _needs_met(adj, slot):  # G18: the loop ends where nothing was ordered
        while following.loop is slot.loop:
            following, new_turn = adj.module.sequence.after(following)
        number = 1
    _try_enter(adj, following, turn + 1 if new_turn else turn, number)


def _needs_met(adj: Adjudication, slot: Slot) -> bool:
    assert slot.loop is not None
    return not slot.loop.needs or pass_key(adj) in adj.results


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
        slot, new_turn = adj.module.sequence.after(slot)
        turn, number = (turn + 1 if new_turn else turn), 1
    raise RuntimeError("no step of the sequence opens")


def _change_place(adj: Adjudication, slot: Slot, turn: int, number: int) -> None:
    was, turn_was = adj.phasing, adj.turn
    if adj.path and (was != slot.phasing or turn_was != turn):
        _end_player_turn(adj, was)
    if turn_was != turn:
        adj.drawn = {}
    adj.path = slot.path(turn, number)


def _end_player_turn(adj: Adjudication, was: Side | None) -> None:
    """A player-turn is over: ``ON`` lines, results and what was asked in it are gone, and ``DONE TURN`` with them."""
    adj.asked = {}
    if was is None:
        return
    adj.on, adj.results = {}, {}
    adj.closing = {s: c for s, c in adj.closing.items() if c.startswith("own") != (s == was)}


def _open(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """Entering is done: the step opens, or closes at once where nobody acts, only decisions were asked, or nothing can be ordered."""
    step = adj.step
    if step.actor == NOBODY or step.mode is Mode.ASK or all(step.idle(adj, side) for side in adj.acting()):
        adj.ran = True
        adj.push("@leave")
        return
    sides = adj.acting()
    adj.record("step_opened", step.clause, {"step": step.name, "side": sides[0] if len(sides) == 1 else None})


WORK: Mapping[str, Callable[[Adjudication, Mapping[str, Json]], None]] = {
    "@carry": _carry_set,
    "@leave": _leave,
    "@advance": _advance,
    "@open": _open,
}
