"""Values out of an event's data, whatever stands there: an event comes from outside, and a wrong one is passed over, never a fault."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scenarios.hexes import Edge, Hex, parse_place
from services.render.happened.kinds import KINDS, Loss, Way
from services.render.views import CounterView, EventView, hex_or_none, hexes


def called(unit: Mapping[str, Any]) -> str:
    """A unit's name, or its alias, or a question mark."""
    return str(unit.get("unit") or unit.get("alias") or "?")[:12]


def number(value: Any) -> int:
    """A whole number; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def items(value: Any) -> list[Any]:
    """A list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def objects(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    return [item for item in items(value) if isinstance(item, dict)]


def word(value: Any) -> str:
    """A short text to print; empty for what is neither text nor number."""
    return str(value)[:12] if isinstance(value, str | int) and not isinstance(value, bool) else ""


def first_word(data: Mapping[str, Any], keys: Iterable[str]) -> str:
    """The first of some values that can be printed, at most five letters of it."""
    return next((said for said in (word(data.get(key)) for key in keys) if said), "")[:5]


def edge_or_none(value: Any) -> str | None:
    """The name of a map edge: ``edge:south`` gives ``south``."""
    if not isinstance(value, str):
        return None
    try:
        found = parse_place(value)
    except ValueError:
        return None
    return found.name if isinstance(found, Edge) else None


def units_of(event: EventView) -> tuple[str, ...]:
    """The ids or aliases that an event names as its units."""
    data = event.data
    named: list[Any] = items(data.get("units")) or [data.get("alias") or data.get("unit")]
    return tuple(one[:12] for one in named if isinstance(one, str))


def names_of(value: Any) -> list[str]:
    """The names in a list, or one alone."""
    return [one[:12] for one in (items(value) or [value]) if isinstance(one, str)]


def dropped(data: Mapping[str, Any]) -> tuple[str, Hex | None]:
    """Which counter dropped off a stack on its way, and where; None if none did."""
    for one in objects([data.get("drop")]):
        return called(one), hex_or_none(one.get("hex"))
    return "", None


def led(path: Sequence[Hex], start: Hex | None) -> tuple[Hex, ...]:
    """A way with where it began: some events leave that out."""
    return tuple(path) if start is None or path[:1] == [start] or path[:1] == (start,) else (start, *path)


class Whereabouts:
    """Where counters stood while the events of a view went by: asked in the order of the events, told of each movement."""

    def __init__(self, counters: Iterable[CounterView], events: Sequence[EventView] = ()) -> None:
        """``events``: those that led to where the counters stand now; it is before them then."""
        self._at: dict[str, Hex] = {}
        for one in counters:
            if one.hex is not None:
                self.moved((name for name in (one.id, one.alias) if name), one.hex)
        for event in reversed(events):
            self._undo(event)

    def _undo(self, event: EventView) -> None:
        """The counters of a way stand at its start, one that is lost where it was lost."""
        data, kind = event.data, KINDS.get(event.kind)
        starts = [(called(one), hex_or_none(one.get("from"))) for one in objects(data.get("moves"))]
        if isinstance(kind, Loss):
            starts = [(unit, hex_or_none(data.get("hex"))) for unit in units_of(event)]
        elif isinstance(kind, Way) and not starts:
            starts = [(unit, start) for unit in units_of(event) for start in hexes(data.get("path"))[:1]]
        self._at |= {unit: start for unit, start in starts if start is not None}

    def moved(self, names: Iterable[str], to: Hex) -> None:
        """These counters stand there now."""
        self._at |= dict.fromkeys(names, to)

    def find(self, value: Any) -> Hex | None:
        """A hex number as its hex, a counter's id or alias as the hex where it stands; None if neither."""
        return hex_or_none(value) or (self._at.get(value) if isinstance(value, str) else None)

    def first(self, data: Mapping[str, Any], keys: Iterable[str]) -> Hex | None:
        """The first of some values that is a hex or a counter: its hex."""
        return next((found for found in (self.find(data.get(key)) for key in keys) if found is not None), None)

    def all(self, data: Mapping[str, Any], keys: Iterable[str]) -> list[Hex]:
        """The hexes of the first of some values that has any: of a hex, of a counter, or of each counter of a list, no hex twice."""
        for key in keys:
            value = data.get(key)
            found = [self.find(one) for one in (value if isinstance(value, list) else [value])]
            if any(found):
                return list(dict.fromkeys(one for one in found if one is not None))
        return []

    def follow(self, event: EventView) -> None:
        """The counters of a way stand at its end now; one that dropped off on the way, there."""
        if isinstance(KINDS.get(event.kind), Way):
            for to in hexes(event.data.get("path"))[-1:] or hexes([event.data.get("hex")]):
                self.moved(units_of(event), to)
            unit, at = dropped(event.data)
            if at is not None:
                self.moved([unit], at)
