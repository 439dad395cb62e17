"""Orders and decisions as JSON: the same form in a view, in ``legal-orders`` and in the stored state."""

from __future__ import annotations

from typing import Any

from services.rules.engine.model import Decision, Json, Order


def order_json(order: Order) -> dict[str, Json]:
    """An order on the wire."""
    wire: dict[str, Any] = {
        "line": order.line,
        "verb": order.verb,
        "args": dict(order.args),
        "label": order.label,
        "guard": [{"not": g.negated, "test": g.test, **g.args} for g in order.guard],
        "else": order_json(order.otherwise) if order.otherwise else None,
        "confirm": order.confirm,
    }
    if order.verb == "ON" or order.then is not None:
        wire["then"] = order_json(order.then) if order.then else None
    return wire


def decision_json(decision: Decision) -> dict[str, Json]:
    """A decision as its side sees it."""
    return {
        "id": decision.id,
        "kind": decision.kind,
        "window": decision.window,
        "side": decision.side,
        "clause": decision.clause,
        "verb": decision.verb,
        "choices": [dict(c) for c in decision.choices] if decision.choices is not None else None,
        "rule": dict(decision.rule) if decision.rule is not None else None,
        "default": dict(decision.default),
        "group": decision.group,
        "sealed": decision.sealed,
        "label": decision.label,
        "context": dict(decision.context),
        "deadline": decision.deadline,
    }
