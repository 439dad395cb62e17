"""How a position stands, in numbers by side: what plots are drawn of. From the viewer's view alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.mail.shape import mapping, mappings
from services.mail.speech import Speech

Found = dict[str, float]
ALL = ""
"""In place of a side: a number that is not one side's."""


def measures(view: Mapping[str, Any], speech: Speech) -> list[dict[str, Any]]:
    """Each measure of which the view holds something: ``key``, ``caption``, ``values`` by side, in the game's order of sides."""
    found = []
    for key, count in _MEASURES.items():
        caption = speech.words.find("measures", key)
        values = count(view, speech) if caption else {}
        if values:
            found.append({"key": key, "caption": str(caption), "values": dict(speech.in_order(values))})
    return found


def _units(view: Mapping[str, Any], speech: Speech) -> Found:
    """Counters on the map."""
    return _counted(str(one.get("side")) for one in _on_map(view))


def _strength(view: Mapping[str, Any], speech: Speech) -> Found:
    """Strength points of those whose points are known; nothing where a counter on the map hides its own."""
    there = [one for one in _on_map(view) if one.get("side")]
    points = [mapping(one.get("num")).get("sp") for one in there]
    if not points or not all(isinstance(one, int) for one in points):
        return {}
    found: Found = {}
    for one, sp in zip(there, points, strict=True):
        found[str(one["side"])] = found.get(str(one["side"]), 0) + (sp if isinstance(sp, int) else 0)
    return found


def _objectives(view: Mapping[str, Any], speech: Speech) -> Found:
    return _counted(str(side) for side in mapping(mapping(view.get("own")).get("control")).values() if side)


def _points(view: Mapping[str, Any], speech: Speech) -> Found:
    return _numbers(mapping(view.get("own")).get("vp"))


def _resources(view: Mapping[str, Any], speech: Speech) -> Found:
    return _numbers(mapping(view.get("own")).get("rp"))


def _morale(view: Mapping[str, Any], speech: Speech) -> Found:
    """The levels of all formations of a side together."""
    by_side = speech.of_sides(mapping(view.get("own")).get("morale"))
    return {side: sum(level for _, level in levels if isinstance(level, int)) for side, levels in by_side if side}


def _numbers(value: Any) -> Found:
    if isinstance(value, int | float):
        return {ALL: value}
    return {str(side): n for side, n in mapping(value).items() if isinstance(n, int | float)}


def _counted(sides: Any) -> Found:
    found: Found = {}
    for side in sides:
        found[side] = found.get(side, 0) + 1
    return found


def _on_map(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in mappings(view.get("counters")) if str(one.get("place"))[:1].isdigit() and one.get("side")]


_MEASURES: Mapping[str, Callable[[Mapping[str, Any], Speech], Found]] = {
    "strength": _strength,
    "units": _units,
    "objectives": _objectives,
    "points": _points,
    "morale": _morale,
    "resources": _resources,
}
