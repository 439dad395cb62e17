"""Orders given beforehand: ``ON`` lines, standing orders, ``CANCEL`` and ``DUTY AUTO``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from services.rules.engine.lines import open_for
from services.rules.engine.model import Decision, IllegalOrder, Json, Order, Side, Standing
from services.rules.engine.module import GameModule

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication

VERBS = frozenset({"ON", "CANCEL", "DUTY"})
ANY_TIME = VERBS | {"CONCEDE", "DRAW"}
"""Common verbs that are taken at any time, also while a decision is open (G14)."""
MAX_LINES = 200
"""``ON`` lines and standing orders that a side may have; older ones give way."""


def any_time(module: GameModule, order: Order) -> bool:
    """Whether the order is taken at any time, also while a decision is open (G14)."""
    return order.verb in ANY_TIME or module.takes_any_time(order.verb) is not None


def takes_back(order: Order) -> bool:
    """Whether an order is a ``CANCEL`` of gathered ones, which speaks of the step that is open and no other."""
    return order.verb == "CANCEL" and order.args.get("verb") is not None


def take(adj: Adjudication, side: Side, order: Order) -> None:
    """Note an order given beforehand, or cancel. IllegalOrder if there is nothing of that number or name to cancel."""
    if order.verb == "ON":
        adj.on[side] = (*adj.on.get(side, ()), order)[-MAX_LINES:]
    elif order.verb == "DUTY":
        keep(adj, side, order)
    else:
        _cancel(adj, side, order)


def keep(adj: Adjudication, side: Side, order: Order) -> None:
    """Keep a standing order under the next number, and tell its owner."""
    kept = adj.standing.get(side, ())
    number = max((s.n for s in kept), default=0) + 1
    adj.standing[side] = (*kept, Standing(number, order))[-MAX_LINES:]
    adj.record("standing", "", {"n": number, "line": order.line}, owner=side)


def _cancel(adj: Adjudication, side: Side, order: Order) -> None:
    if takes_back(order):
        take_back(adj, side, str(order.args["verb"]), str(order.args["of"]), order.line)
        return
    number = order.args.get("n")
    kept = tuple(s for s in adj.standing.get(side, ()) if number != "ALL" and s.n != number)
    if number != "ALL" and len(kept) == len(adj.standing.get(side, ())):
        raise IllegalOrder("", "no-such-standing-order", n=number)
    adj.standing[side] = kept
    if number == "ALL":
        adj.on[side] = ()
    adj.record("cancelled", "", {"n": number, "line": order.line}, owner=side)


def take_back(adj: Adjudication, side: Side, verb: str, name: str, line: int) -> None:
    """Orders that the open SET has gathered are forgotten: those of a verb that name a thing, or are so named, or all. IllegalOrder if
    there is none, or the side has closed it for itself (G2)."""
    key = f"{side}/{adj.step.name}"
    kept = adj.sets.get(key, ()) if open_for(adj, side) else ()
    gone = [one for one in kept if one.verb == verb and (name == "ALL" or name == one.label or name in set(_words(one.args)))]
    if not gone:
        raise IllegalOrder("", "nothing-gathered", verb=verb, of=name, gathered=len(kept))
    adj.sets[key] = tuple(one for one in kept if one not in gone)
    adj.record("taken_back", "", {"line": line, "verb": verb, "of": name, "orders": len(gone)}, owner=side)


def _words(value: Json) -> Iterator[str]:
    """Everything that arguments name: hexes, units, labels."""
    if isinstance(value, Mapping):
        yield from (word for one in value.values() for word in _words(one))
    elif isinstance(value, list | tuple):
        yield from (word for one in value for word in _words(one))
    elif isinstance(value, str):
        yield value


def lines(adj: Adjudication, side: Side) -> Iterator[tuple[str, Order]]:
    """The ``ON`` lines of a side, then its standing orders, each with its kind ("on", "standing")."""
    yield from (("on", order) for order in adj.on.get(side, ()))
    yield from (("standing", s.order) for s in adj.standing.get(side, ()) if s.order.verb == "ON")


def speaks_to(order: Order, decision: Decision) -> bool:
    """Whether an ``ON`` line is about this decision: by window, by label, or ``ANY``, and by the result it names."""
    window, label = order.args.get("window"), order.args.get("label")
    named = (window is not None and window == decision.window) or label == "ANY" or (label is not None and label == decision.label)
    results = order.args.get("results") or []
    fits = order.then is None or any(o.verb in (decision.verb, "PASS") for o in (order.then, order.otherwise) if o)
    return named and fits and (not results or decision.context.get("result") in results)


def duty_auto(adj: Adjudication, side: Side) -> bool:
    """Whether the umpire meets the side's duties by their defaults (``DUTY AUTO``, G16)."""
    return any(s.order.verb == "DUTY" for s in adj.standing.get(side, ()))
