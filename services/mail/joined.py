"""Events that are one thing to a reader, told as one: an entry and the way on from it, a way that was ordered in several pieces, and units
that went one after another by the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from services.mail.shape import mapping, sequence


def joined(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The events, each ``moved`` that goes on where the one before left off joined with it (``entered`` says how the units came in), then
    those that are of one way."""
    return _folded(_folded(events, _together), _alike)


def _folded(
    events: Iterable[Mapping[str, Any]], join: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any] | None]
) -> list[Mapping[str, Any]]:
    out: list[Mapping[str, Any]] = []
    for event in events:
        if out and event.get("kind") == "moved" and out[-1].get("path") == event.get("path") and (data := join(out[-1], event)) is not None:
            out[-1] = {**event, "data": data}
        else:
            out.append(event)
    return out


def _together(before: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    first, then = mapping(before.get("data")), mapping(event.get("data"))
    path = sequence(then.get("path"))
    if not path:
        return None
    if before.get("kind") == "arrived" and then.get("units") == (first.get("units") or [first.get("unit")]) and path[0] == first.get("hex"):
        return {**then, "entered": first.get("how", "ordered")}
    way = sequence(first.get("path"))
    plain = not first.get("drop") and not first.get("infiltrated")
    if before.get("kind") == "moved" and plain and then.get("units") == first.get("units") and then.get("units") and way[-1:] == path[:1]:
        return {**then, "path": [*way, *path[1:]], **({"entered": first["entered"]} if "entered" in first else {})}
    return None


def _alike(before: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    first, then = mapping(before.get("data")), mapping(event.get("data"))
    costs = first.get("cost"), then.get("cost")
    if before.get("kind") != "moved" or not all(isinstance(cost, Mapping) for cost in costs):
        return None
    rest = ("units", "cost")
    if {key: one for key, one in first.items() if key not in rest} != {key: one for key, one in then.items() if key not in rest}:
        return None
    return {
        **then,
        "units": [*sequence(first.get("units")), *sequence(then.get("units"))],
        "cost": {**mapping(costs[0]), **mapping(costs[1])},
    }
