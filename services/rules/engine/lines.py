"""The lines of scripts: taking the next one off, what a fault in one means, and where else a line could be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from services.rules.engine.model import IllegalOrder, Order, Rejection, Side
from services.rules.engine.sequence import Mode, Step, sides_of
from services.rules.engine.table import Table

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication


class Where(Enum):
    """Where a line can be read: in this step; in a later one, for which this one closes; or it must wait."""

    HERE = 1
    CLOSE = 2
    WAIT = 3


def is_own(adj: Adjudication, side: Side) -> bool:
    """Whether the step is the side's own: not one within the other side's player-turn."""
    return adj.phasing in (None, side)


def later(adj: Adjudication, side: Side) -> Where:
    """How a line for a later step is come by: one's own open step closes as by ``DONE``; a window is not the line's to close (G3)."""
    return Where.CLOSE if open_for(adj, side) and is_own(adj, side) else Where.WAIT


def leaves_duties(adj: Adjudication, side: Side, key: str) -> bool:
    """Whether duties of a step that the next line of a script closes are left to the umpire: an ``AUTO`` stands further down in it, or in
    the ``DONE AUTO`` before it that found no duty in its own step (G16)."""
    below = any(order.verb == "DONE" and order.args.get("auto") for order in adj.tails[key].orders)
    return below or adj.results.get(f"@auto/{side}") == adj.packet.id


WINDOW = "/window"
"""Suffix of the script that standing orders make for a step's window."""


def close_turn(adj: Adjudication, side: Side, *, auto: bool) -> None:
    """``DONE TURN`` is in force: the side's own steps of this player-turn close as they come, or its windows in the other's (G16, G28)."""
    adj.closing[side] = ("own" if is_own(adj, side) else "other") + ("-auto" if auto else "")


def open_for(adj: Adjudication, side: Side) -> bool:
    """Whether the open step takes orders of ``side``: of a SET of both sides, until that side has closed it for itself (G19)."""
    return side in adj.acting() and adj.step.mode is not Mode.ASK and half(adj, side) not in adj.results


def in_halves(adj: Adjudication) -> bool:
    """Whether the open step gathers orders of both sides, each closing it for itself (G19)."""
    return adj.step.mode is Mode.SET and len(adj.acting()) > 1


def half(table: Table, side: Side) -> str:
    """Where ``results`` notes that a side has closed an open SET of both sides for itself, and why (G19)."""
    return f"@half/{side}/{table.path}"


def ahead(adj: Adjudication, side: Side, wanted: Callable[[Step], bool]) -> bool:
    """Whether a step of ``side`` that is wanted comes before the end of its player-turn, this one or else the next (G3)."""
    slots = adj.module.sequence.ahead(adj.slot, side)
    return any(wanted(s.step) and side in sides_of(s.step, s.phasing, adj.data.sides) for s in slots)


def pop(adj: Adjudication, key: str, instead: tuple[Order, ...] = ()) -> None:
    """Take the line just read off its script, which remembers the step in which it was read."""
    tail = adj.tails.get(key)
    if tail is not None and tail.orders:  # the end of the game empties all scripts
        spent = tail.spent and adj.phasing is not None  # between player-turns a new one is meant
        adj.tails[key] = replace(tail, orders=(*instead, *tail.orders[1:]), last=adj.path, spent=spent)


def skip(adj: Adjudication, side: Side, key: str, order: Order) -> None:
    """The line's guard does not hold: it is taken off, and its ``ELSE`` read in its place."""
    adj.record("line_skipped", "", {"line": order.line, "code": "guard-false"}, owner=side)
    _lose(adj, side, order)
    pop(adj, key, (replace(order.otherwise, line=order.line),) if order.otherwise else ())


def _lose(adj: Adjudication, side: Side, order: Order) -> None:
    """Note that a line for the open SET has fallen through; the packet that runs then closes it, or it stays open for another."""
    if adj.step.mode is Mode.SET and adj.step.takes(order.verb) is not None:
        adj.results[f"@lost/{side}"] = f"{adj.step.name}/{adj.packet.id}"


def lost_line(adj: Adjudication, side: Side) -> bool:
    """Whether a line of a side for the open SET has fallen through in this packet, by its guard or a fault."""
    return adj.results.get(f"@lost/{side}") == f"{adj.step.name}/{adj.packet.id}"


def _follows(adj: Adjudication, illegal: IllegalOrder) -> bool:
    """Whether an open duty is but what follows from faults told already: it was told itself, or its units stand in lines that fell."""
    if illegal.details.get("duty") != "open" or not adj.rejections:
        return False
    told = [(found.code, found.details) for found in adj.rejections]
    named = {name for _, details in told for name in (details.get("unit"), details.get("n"), *details.get("units", ()))}
    wanting = [*illegal.details.get("units", ()), *illegal.details.get("convoys", ())]
    return (illegal.code, illegal.details) in told or (bool(wanting) and named.issuperset(wanting))


def fault(adj: Adjudication, side: Side, key: str, order: Order, illegal: IllegalOrder) -> None:
    """A line is illegal: the packet is refused if nothing was revealed yet, else the script stops or goes on without the line."""
    tail = adj.tails[key]
    if key == adj.packet.side and not adj.revealed:
        fate = "dropped" if tail.anyway else "refused"
        if not _follows(adj, illegal):
            adj.rejections.append(Rejection(order.line, illegal.code, illegal.clause, illegal.details, fate))
        adj.faulted = adj.faulted or not tail.anyway
        adj.tails[key] = replace(tail, orders=tail.orders[1:])
        return
    if key.endswith(WINDOW) and order.otherwise is not None:
        adj.tails[key] = replace(tail, orders=(replace(order.otherwise, line=order.line), *tail.orders[1:]))
        return
    skipped = tail.fault == "skip" or key.endswith(WINDOW) or illegal.code == "nothing-to-answer"
    unread = () if skipped else tail.orders[1:]
    if skipped:
        _lose(adj, side, order)
    adj.tails[key] = replace(tail, orders=tail.orders[1:] if skipped else ())
    details = {"line": order.line, "code": illegal.code, "details": dict(illegal.details), "unread": [o.line for o in unread]}
    given = next((s.n for s in adj.standing.get(side, ()) if key.endswith(WINDOW) and s.order.then and s.order.then.verb == order.verb), 0)
    details |= {"standing": given} if given else {}
    adj.record("line_skipped" if skipped else "script_stopped", illegal.clause, details, owner=side)
    if side == adj.packet.side:
        adj.rejections.append(Rejection(order.line, illegal.code, illegal.clause, illegal.details, "skipped" if skipped else "stopped"))
        adj.rejections.extend(Rejection(o.line, "unread", "", {}, "unread") for o in unread)
