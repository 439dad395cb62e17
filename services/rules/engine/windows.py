"""Windows: how the decisions and reaction steps of a side are answered (G4).

By the first of: its waiting lines, its ``ON`` lines, its standing orders, itself if its tempo asks it, the default. With no legal
choice a decision is passed over, with exactly one it is carried out as forced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from services.rules.engine import beforehand
from services.rules.engine.guards import holds
from services.rules.engine.lines import WINDOW, close_turn, fault, is_own, pop, skip
from services.rules.engine.model import Decision, IllegalOrder, Json, Order, Side, Tail

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication


def settle(adj: Adjudication) -> bool:
    """Settle one decision, or put it to its side. False if all that are open wait for their sides."""
    if adj.unsettled:
        decision = adj.unsettled.pop(0)
        if not _settle_new(adj, decision):
            adj.pending = (*adj.pending, decision)
        return True
    return any(_read_asked(adj, side) for side in dict.fromkeys(d.side for d in adj.pending))


def _settle_new(adj: Adjudication, decision: Decision) -> bool:
    choices = decision.choices
    if choices is not None and not choices:
        _open_group(adj, decision.group)
        return True
    if choices is not None and len(choices) == 1:
        return _answered(adj, decision, choices[0], "forced")
    if decision.side != adj.packet.side or decision.sealed:
        adj.reveal()  # G7
    answer = _line_for(adj, decision.side, (decision,))
    if answer is not None:
        return _answered(adj, *answer, "line")
    found = _given_in_advance(adj, decision)
    if found is not None and found[0] is not None:
        return _answered(adj, decision, found[0], found[1])
    window = f"{decision.side}/{decision.kind}/{decision.id}"
    if found is not None or _asks(adj, decision.side, window):
        adj.asked.setdefault(decision.side, window)
        return False
    return _answered(adj, decision, decision.default, "default")


def _line_for(adj: Adjudication, side: Side, decisions: tuple[Decision, ...]) -> tuple[Decision, Mapping[str, Json]] | None:
    """The decision that the next line of the side's script answers, and how. Lines meant so that cannot be carried out are taken off."""
    while (tail := adj.tails.get(side)) and tail.orders:
        order = tail.orders[0]
        meant = [d for d in decisions if order.verb == d.verb and order.label in (None, d.label)]
        if not meant:
            return None
        try:
            if order.guard and not holds(adj, side, order.guard, meant[0].context):
                skip(adj, side, side, order)
                continue
            decision = _legal_for(adj, meant, order)
        except IllegalOrder as illegal:
            fault(adj, side, side, order, illegal)
            continue
        pop(adj, side)
        return decision, order.args
    return None


def _legal_for(adj: Adjudication, decisions: list[Decision], order: Order) -> Decision:
    """The first of ``decisions`` of which the line is a legal answer. IllegalOrder if it is of none."""
    faults = []
    for decision in decisions:
        try:
            check(adj, decision, order.args)
        except IllegalOrder as illegal:
            faults.append(illegal)
        else:
            return decision
    raise faults[0]


def _read_asked(adj: Adjudication, side: Side) -> bool:
    """Whether the next line of a side that was asked answers one of its decisions (or faults on it)."""
    mine = tuple(d for d in adj.pending if d.side == side)
    answer = _line_for(adj, side, mine)
    if answer is not None:
        return _answered(adj, *answer, "asked")
    tail = adj.tails.get(side)
    if tail is None or not tail.orders:
        return False
    order = tail.orders[0]
    unanswered = [d for d in mine if d.id not in adj.answers]
    if order.verb not in ("PASS", "DONE"):
        return bool(unanswered) and _foreign_line(adj, unanswered[0], order)
    if order.args.get("turn"):
        pop(adj, side)
        close_turn(adj, side, auto=bool(order.args.get("auto")))  # in force from here on, not from the next step on (G16, G28)
    elif unanswered and (order.verb == "PASS" or not is_own(adj, side)):
        pop(adj, side)
    else:
        adj.tails[side] = replace(tail, last=adj.path)  # DONE then closes the step, unless it closes by itself
    return bool(unanswered) and _answered(adj, unanswered[0], unanswered[0].default, "default")


def _foreign_line(adj: Adjudication, decision: Decision, order: Order) -> bool:
    """A side that must decide sends another order: it is told so."""
    if decision.side != adj.packet.side or order not in adj.packet.orders or beforehand.any_time(adj.module, order):
        return False
    illegal = IllegalOrder(decision.clause, "decide-first", verb=decision.verb, kind=decision.kind, default=dict(decision.default))
    fault(adj, decision.side, decision.side, order, illegal)
    return True


def check(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """Whether ``args`` are a legal answer. IllegalOrder if not."""
    asked = adj.module.asks[decision.kind]
    if asked.check is not None:
        asked.check(adj, decision, args)
    elif decision.choices is not None and dict(args) not in [dict(c) for c in decision.choices]:
        raise IllegalOrder(decision.clause, "not-a-choice", verb=decision.verb, choices=[dict(c) for c in decision.choices])


def _given_in_advance(adj: Adjudication, decision: Decision) -> tuple[Mapping[str, Json] | None, str] | None:
    """The first ``ON`` line or standing order that answers legally, with its kind; (None, ...) where one asks to be asked.

    If there are such lines and none of them can be used, the default (G25)."""
    found = None
    for source, order in beforehand.lines(adj, decision.side):
        if not beforehand.speaks_to(order, decision):
            continue
        if order.args.get("ask"):
            return None, source
        args = _first_legal(adj, decision, order)
        if args is not None:
            return args, source
        _tell_unused(adj, decision, source, order)
        found = decision.default, "default"
    return found


def _tell_unused(adj: Adjudication, decision: Decision, source: str, order: Order) -> None:
    """What was said beforehand for a decision is no legal answer now: its owner hears why."""
    for alternative in (order.then, order.otherwise):
        if alternative is None or alternative.verb != decision.verb:
            continue
        try:
            check(adj, decision, alternative.args)
        except IllegalOrder as illegal:
            given = next((s.n for s in adj.standing.get(decision.side, ()) if source == "standing" and s.order == order), 0)
            data = {"line": order.line, "code": illegal.code, "details": dict(illegal.details)} | ({"standing": given} if given else {})
            adj.record("unused", illegal.clause, data, owner=decision.side)
            return


def _first_legal(adj: Adjudication, decision: Decision, order: Order) -> Mapping[str, Json] | None:
    guarded = not order.guard or _guard_holds(adj, decision, order)
    for alternative in ((order.then,) if guarded else ()) + (order.otherwise,):
        if alternative is None:
            continue
        if alternative.verb == "PASS":
            return decision.default
        if alternative.verb != decision.verb:
            continue
        try:
            check(adj, decision, alternative.args)
        except IllegalOrder:
            continue
        return alternative.args
    return None


def _guard_holds(adj: Adjudication, decision: Decision, order: Order) -> bool:
    try:
        return holds(adj, decision.side, order.guard, decision.context)
    except IllegalOrder:
        return False


def _asks(adj: Adjudication, side: Side, window: str) -> bool:
    """Whether the tempo asks ``side`` in this window (G6)."""
    tempo = adj.options.get("tempo", "normal")
    if tempo == "blitz" or adj.closing.get(side, "own") != "own":  # all but a bare DONE TURN of its own (G16, G28)
        return False
    if tempo == "full":
        return True
    if is_own(adj, side):
        tail = adj.tails.get(side)
        return tail is None or not tail.orders
    return adj.asked.get(side) in (None, window)


def _answered(adj: Adjudication, decision: Decision, args: Mapping[str, Json], source: str) -> bool:
    if decision.sealed:
        adj.reveal()  # whether or not it completes the group: what happens must not tell (G7)
        adj.answers[decision.id] = {"args": dict(args), "source": source}
        if all(d.id != decision.id for d in adj.pending):
            adj.pending = (*adj.pending, decision)
        _open_group(adj, decision.group)
        return True
    adj.pending = tuple(d for d in adj.pending if d.id != decision.id)
    _take(adj, decision, args, source)
    adj.flush()
    return True


def _open_group(adj: Adjudication, name: str | None) -> None:
    """A sealed group opens when all its answers are in and no other of the group is still to be put (G19)."""
    group = [d for d in adj.pending if d.group == name]
    waiting = any(d.group == name for d in adj.unsettled) or any(d.id not in adj.answers for d in group)
    if name is None or not group or waiting:
        return
    adj.reveal()
    adj.pending = tuple(d for d in adj.pending if d.group != name)
    for member in group:
        if adj.over is not None:
            return
        answer = adj.answers.pop(member.id)
        _take(adj, member, answer["args"], answer["source"])
    adj.flush()


def _take(adj: Adjudication, decision: Decision, args: Mapping[str, Json], source: str) -> None:
    adj.ran = True
    seen = {"decision": decision.id, "kind": decision.kind, "side": decision.side}
    shown = {"kind": decision.kind, "side": decision.side, "choice": dict(args)} if decision.public else None
    adj.record("decided", decision.clause, {**seen, "choice": dict(args), "source": source}, owner=decision.side, public=shown)
    adj.module.asks[decision.kind].take(adj, decision, args)


def step_window(adj: Adjudication, side: Side) -> bool:
    """A step of ``side`` in the other's player-turn, when none of its lines can be read: True if it closes now.

    Its ``ON`` lines and standing orders for the window become a script of their own, once; else it is asked, or the window closes.
    A side whose next line is for a later step has nothing to add itself (G3).
    """
    window = f"{side}/{adj.step.name}/{adj.path}"
    used = f"@{window}"
    tail = adj.tails.get(side)
    waiting = tail.orders if tail else ()
    if adj.asked.get(side) == window:
        answered = adj.before.asked.get(side) == window and side == adj.packet.side
        return answered and bool(waiting) and waiting[0] in adj.packet.orders
    if adj.packet.side != side:
        adj.reveal()  # G7
    lines = [o for _, o in beforehand.lines(adj, side) if o.args.get("window") == adj.step.window]
    ask = any(o.args.get("ask") for o in lines)
    if lines and not ask and used not in adj.results:
        adj.results[used] = True
        adj.tails[side + WINDOW] = Tail((*_as_script(lines), Order(0, "DONE", {})), "skip")
        return False
    if ask or (not lines and not waiting and _asks(adj, side, window)):
        adj.asked[side] = window
        return False
    return True


def given_beforehand(adj: Adjudication, side: Side) -> bool:
    """Whether orders given beforehand speak, or have spoken, in the window that is open for a side."""
    return f"@{side}/{adj.step.name}/{adj.path}" in adj.results


def _as_script(lines: list[Order]) -> Iterator[Order]:
    for given in lines:
        if given.then is not None:
            guards = (*given.guard, *given.then.guard)
            yield replace(given.then, line=given.line, guard=guards, otherwise=given.otherwise)
