"""Events that are one thing to a reader, told as one: an entry and the way on from it, a way that was ordered in several pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from services.mail.shape import mapping, sequence


def joined(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The events, each ``moved`` that goes on where the one before left off joined with it; ``entered`` says how the units came in."""
    out: list[Mapping[str, Any]] = []
    for event in events:
        if out and event.get("kind") == "moved" and (data := _together(out[-1], event)) is not None:
            out[-1] = {**event, "data": data}
        else:
            out.append(event)
    return out


def _together(before: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    first, then = mapping(before.get("data")), mapping(event.get("data"))
    path = sequence(then.get("path"))
    if before.get("path") != event.get("path") or not path:
        return None
    if before.get("kind") == "arrived" and then.get("units") == (first.get("units") or [first.get("unit")]) and path[0] == first.get("hex"):
        return {**then, "entered": first.get("how", "ordered")}
    way = sequence(first.get("path"))
    plain = not first.get("drop") and not first.get("infiltrated")
    if before.get("kind") == "moved" and plain and then.get("units") == first.get("units") and then.get("units") and way[-1:] == path[:1]:
        return {**then, "path": [*way, *path[1:]], **({"entered": first["entered"]} if "entered" in first else {})}
    return None
