"""Movements and retreats as arrows: which go together as one, and on which lane of a road each runs, so that a busy turn is no tangle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from scenarios.hexes import Hex
from services.render.happened.kinds import KINDS, Shaft, Way
from services.render.happened.reading import called, dropped, edge_or_none, led, objects, units_of
from services.render.views import CounterView, EventView, hex_or_none, hexes


@dataclass(frozen=True, slots=True)
class Move:
    """The way of one or several counters that went together: their side and hexes, the start first; the map edge by which they left.
    A piece of a longer way has no ``head`` or no ``tail``: others go on there."""

    side: str
    path: tuple[Hex, ...]
    shaft: Shaft = "solid"
    units: tuple[str, ...] = ()
    off: str | None = None
    head: bool = True
    tail: bool = True

    @property
    def count(self) -> int:
        """How many counters took this way, as far as the events name them."""
        return max(len(self.units), 1)


def moves(events: Iterable[EventView], sides: Mapping[str, Any], counters: Iterable[CounterView] = (), planned: bool = False) -> list[Move]:
    """The ways among the events of a view. What a counter walked in several goes is one way, and counters that walked the same hexes share
    one. Whose an event is that does not say so, its ``counters`` tell. ``planned``: nothing has happened yet."""
    out: list[Move] = []
    owners = {name: one.side for one in counters for name in (one.id, one.alias) if name}
    latest: dict[tuple[Any, ...], int] = {}
    for found in (one for event in events for one in _moves(event, sides, owners)):
        key = (found.side, found.shaft, found.units)
        before = latest.get(key) if found.units else None
        if before is not None and out[before].off is None and out[before].path[-1] == found.path[0]:
            out[before] = replace(out[before], path=out[before].path + found.path[1:], off=found.off)
        else:
            latest[key] = len(out)
            out.append(found)
    together: dict[tuple[Any, ...], Move] = {}
    for one in out:
        same = (one.side, one.path, one.shaft, one.off)
        together[same] = replace(one, units=together[same].units + one.units) if same in together else one
    return [replace(one, shaft="planned") for one in together.values()] if planned else list(together.values())


def _moves(event: EventView, sides: Mapping[str, Any], owners: Mapping[str, str]) -> list[Move]:
    """The ways of an event: along its ``path``, or from where each of its ``moves`` began along the path or to its ``hex``."""
    kind, data, units = KINDS.get(event.kind), event.data, units_of(event)
    side = data.get("side") or next((owners[unit] for unit in units if unit in owners), None)
    if not isinstance(kind, Way) or not isinstance(side, str) or side not in sides:
        return []
    last = hex_or_none(data.get("hex"))
    starts = [(hex_or_none(one.get("from")), one) for one in objects(data.get("moves"))]
    way = hexes(data.get("path")) or [at for at in (last,) if at is not None]
    if starts and way:
        return [Move(side, led(way, start), kind.shaft, (called(one),)) for start, one in starts if start and start != way[-1]]
    leaves = kind.off or data.get("exit") is True
    off = (edge_or_none(data.get("to")) or edge_or_none(data.get("edge")) or "") if leaves else None
    path = hexes(data.get("path")) or ([last] if off is not None and last is not None else [])
    if not path or (len(path) < 2 and off is None):
        return []
    gone, at = dropped(data)
    if at not in path[1:-1] or gone not in units:
        return [Move(side, tuple(path), kind.shaft, units, off)]
    left = tuple(unit for unit in units if unit != gone)
    return [Move(side, tuple(path), kind.shaft, left, off), Move(side, tuple(path[: path.index(at) + 1]), kind.shaft, (gone,))]


def lanes(found: list[Move]) -> list[int]:
    """For each movement the lane (0, 1, -1, 2, ..., counted to the right of the way) that no other uses between any two hexes of its path;
    the longest ways get the middle of the road."""
    used: dict[tuple[Hex, Hex], set[int]] = {}
    out = [0] * len(found)
    for k in sorted(range(len(found)), key=lambda k: (-len(found[k].path), k)):
        steps = list(pairwise(found[k].path))
        taken = {lane if a < b else -lane for a, b in steps for lane in used.get((min(a, b), max(a, b)), ())}
        out[k] = next((lane for lane in _LANES if lane not in taken), 0)
        for a, b in steps:
            used.setdefault((min(a, b), max(a, b)), set()).add(out[k] if a < b else -out[k])
    return out


_LANES = (0, 1, -1, 2, -2, 3, -3, 4, -4)
