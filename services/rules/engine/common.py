"""The verbs that every game has: DONE, PASS, NEXT, PHASE, ON, CANCEL, DUTY and CONCEDE, and DRAW, which is both sides' will."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from services.rules.engine import beforehand, flow
from services.rules.engine.lines import Where, ahead, close_turn, is_own, later, open_for, pop
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.sequence import Step
from services.rules.engine.table import Table

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication

VERBS = frozenset({"DONE", "PASS", "NEXT", "PHASE", "ON", "CANCEL", "DUTY", "CONCEDE", "DRAW"})


def check_static(table: Table, order: Order) -> None:
    """What can never be right of a common verb. IllegalOrder."""
    if order.verb == "PHASE" and not any(_named(step, str(order.args.get("name", ""))) for step in table.module.sequence.steps):
        steps = dict.fromkeys(s.name for s in table.module.sequence.steps if s.accepts)
        raise IllegalOrder("", "no-such-step", name=order.args.get("name"), steps=list(steps))
    if order.verb in ("CONCEDE", "DRAW") and not order.confirm:
        raise IllegalOrder("", "needs-confirm", verb=order.verb)
    if order.verb == "ON" and order.then is None and not order.args.get("ask"):
        raise IllegalOrder("", "malformed", field="then")
    if order.verb == "ON" and not (order.args.get("window") or order.args.get("label")):
        raise IllegalOrder("", "malformed", field="window")
    if order.verb == "ON":
        for name, given in (("then", order.then), ("else", order.otherwise)):
            if given is not None and given.verb in VERBS - {"DONE", "PASS"}:
                raise IllegalOrder("", "malformed", field=name)


def _named(step: Step, name: str) -> bool:
    return step.window == name.strip().upper().replace(" ", "-")


def where(adj: Adjudication, side: Side, key: str, order: Order) -> Where:
    """Where a line with a common verb can be read. IllegalOrder if nowhere."""
    here, wait = Where.HERE, Where.WAIT
    tail = adj.tails[key]
    opened = open_for(adj, side)
    if order.verb in beforehand.ANY_TIME:
        return here
    if order.verb == "PHASE":
        name = str(order.args.get("name"))
        if opened and _named(adj.step, name):
            return here
        if ahead(adj, side, lambda step: _named(step, name)):
            return later(adj, side)
        raise IllegalOrder(adj.step.clause, "not-in-this-step", verb="PHASE", step=adj.step.name, name=name)
    if order.verb == "NEXT":
        return _where_next(adj, side, order)
    if order.args.get("turn") or opened or (tail.last and tail.last != adj.path):
        return here
    if side == adj.packet.side and order in adj.packet.orders[:1]:
        raise IllegalOrder("", "nothing-open", waiting_for=[one for one in adj.acting() if open_for(adj, one)])
    return wait


def _where_next(adj: Adjudication, side: Side, order: Order) -> Where:
    if adj.slot.loop is None or not is_own(adj, side):
        raise IllegalOrder(adj.step.clause, "not-in-this-step", verb="NEXT", step=adj.step.name)
    target = int(order.args.get("pass", 0))
    if not target or flow.pass_number(adj) >= target:
        return Where.HERE
    return later(adj, side)


def carry(adj: Adjudication, side: Side, key: str, order: Order) -> None:
    """Carry out a common verb that can be read here. IllegalOrder while a duty forbids it."""
    match order.verb:
        case "DONE" | "PASS":
            _done(adj, side, key, order)
        case "NEXT":
            target = flow.pass_number(adj) + 1
            again = () if order.args.get("pass") else (replace(order, args={"pass": target}),)
            pop(adj, key, again)
        case "PHASE":
            pop(adj, key)
        case "ON" | "CANCEL" | "DUTY":
            beforehand.take(adj, side, order)
            pop(adj, key)
        case "CONCEDE":
            pop(adj, key)
            adj.ran = True
            adj.end(adj.enemy(side), "concession", "")
        case "DRAW":  # no player can write it: whoever sends it has both sides' consent
            pop(adj, key)
            adj.ran = True
            adj.end(None, "agreement", "")


def _done(adj: Adjudication, side: Side, key: str, order: Order) -> None:
    """``DONE`` closes the open step (or what the last line's step left to close), ``DONE TURN`` all one's steps (G16, G28)."""
    tail = adj.tails[key]
    turn, auto = bool(order.args.get("turn")), bool(order.args.get("auto"))
    if not turn and tail.last and tail.last != adj.path:  # the step of the line before has closed by itself
        pop(adj, key)
        adj.tails[key] = replace(adj.tails[key], last=())
        return
    if open_for(adj, side):
        if auto and not turn and is_own(adj, side) and not adj.step.duty(adj, side):
            adj.results[f"@auto/{side}"] = adj.packet.id  # it had nothing to meet here: it is meant for the next step (G16)
        left_open = auto or turn or order.verb == "PASS" or order.line == 0  # line 0: the end of a window's script (G25, G28)
        flow.done(adj, side, flow.DEFAULT if left_open else "done", auto, order.confirm)
    pop(adj, key)
    adj.tails[key] = replace(adj.tails[key], last=())
    if turn:
        close_turn(adj, side, auto=auto)
