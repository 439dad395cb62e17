"""A turn taken apart for an animation: what moves, what fights and what goes, one after the other, as the viewer's events tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from scenarios.hexes import Hex
from services.render.happened.kinds import KINDS, Fight, Flag, Loss, Shot, Sign, Swap, Way
from services.render.happened.reading import dropped, led, names_of, units_of
from services.render.views import CounterView, EventView, View, hex_or_none, hexes

COMES = frozenset({"arrived", "rebuilt", "placed", "landed", "lander"})
"""Kinds of events by which a counter comes onto the map."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens. ``seen``: the position before it; ``told``: how many events had gone by; ``walks``: the counters that move in
    it, each with the hexes of its way; ``flash``: the hexes that are fought for; ``gone``: the counters that are lost."""

    seen: View
    told: int = 0
    walks: tuple[tuple[CounterView, tuple[Hex, ...]], ...] = ()
    flash: tuple[Hex, ...] = ()
    gone: tuple[CounterView, ...] = ()


@dataclass(slots=True)
class _Board:
    """The counters while the events go by."""

    counters: list[CounterView]

    def named(self, names: Iterable[str], side: Any = None) -> list[CounterView]:
        wanted = set(names)
        return [one for one in self.counters if (one.id in wanted or one.alias in wanted) and side in (None, one.side)]

    def put(self, changed: Mapping[int, CounterView | None]) -> None:
        """Counters, by the identity of the object, become others; None: they go."""
        kept = [changed.get(id(one), one) for one in self.counters]
        self.counters = [one for one in kept if one is not None]


def steps(before: View, view: View) -> list[Step]:
    """From the position in ``before`` to that in ``view``, by the events of the second. Only what these tell is shown: counters of which
    nothing is told stay where they are until the end, and ZOC, which change with every move, are left to it too."""
    board = _Board(list(before.counters))
    own = {**before.own, "ezoc": []}
    turn = before.turn
    out: list[Step] = []
    for told, event in enumerate(view.events):
        turn = next((n for name, n in event.path if name == "turn" and isinstance(n, int)), turn)
        seen = msgspec.structs.replace(before, turn=turn, counters=list(board.counters), own=dict(own), events=[])
        step = _step(event, seen, board, own, view.counters)
        if step is not None:
            out.append(replace(step, told=told))
    return out


def _step(event: EventView, seen: View, board: _Board, own: dict[str, Any], after: list[CounterView]) -> Step | None:
    kind, data = KINDS.get(event.kind), event.data
    at = hex_or_none(data.get("hex"))
    if isinstance(kind, Way):
        return _walk(event, seen, board, gone=kind.off or data.get("exit") is True)
    if isinstance(kind, Fight | Shot | Sign):
        fought = tuple(hexes(data.get("hexes"))) or tuple(found for found in (at,) if found is not None)
        return Step(seen, flash=fought) if fought and not (isinstance(kind, Fight) and kind.declared) else None
    if isinstance(kind, Loss):
        gone = [one for one in board.named((*units_of(event), str(data.get("alias")))) if one.hex == at]
        board.put({id(one): None for one in gone})
        return Step(seen, gone=tuple(gone)) if gone else None
    if isinstance(kind, Flag):
        control = own.get("control")
        own["control"] = {**(control if isinstance(control, dict) else {}), str(data.get("hex")): data.get("side")}
    elif isinstance(kind, Swap):
        _swap(data, kind, board)
    elif event.kind in COMES:
        _arrive(event, board, after)
    elif event.kind == "returned_off":
        board.put({id(one): None for one in board.named(units_of(event), data.get("side"))})
    return None


def _swap(data: Mapping[str, Any], kind: Swap, board: _Board) -> None:
    """Counters stand where others stood, and these lie where they came from."""
    gone, come = (board.named(names_of(data.get(key))) for key in (kind.gone, kind.come))
    away = next((one.place for one in come), None)
    if away is not None and hex_or_none(data.get("hex")) is not None:
        board.put({id(one): msgspec.structs.replace(one, place=str(data["hex"])) for one in come})
        board.put({id(one): msgspec.structs.replace(one, place=away) for one in gone})


def _arrive(event: EventView, board: _Board, after: list[CounterView]) -> None:
    """A counter stands where it arrived, if it was off the map or not known yet."""
    named, place = units_of(event), event.data.get("place") or event.data.get("hex")
    if not isinstance(place, str):
        return
    known = board.named(named, event.data.get("side"))
    board.put({id(one): msgspec.structs.replace(one, place=place) for one in known if one.hex is None})
    came = next((one for one in after if one.alias in named or one.id in named), None)
    if came is not None and not board.named(named, came.side):
        board.counters.append(msgspec.structs.replace(came, place=place, marks=[]))


def _walk(event: EventView, seen: View, board: _Board, gone: bool) -> Step | None:
    """Counters go along the ``path`` of an event, or each straight to its ``hex``; ``gone``: they leave the map there."""
    data = event.data
    path = tuple(hexes(data.get("path")))
    last = path[-1] if path else hex_or_none(data.get("hex"))
    walkers = board.named(units_of(event), data.get("side"))
    if last is None:
        return None
    walks = [(one, led(path or (last,), one.hex)) for one in walkers if one.hex is not None]
    unit, at = dropped(data)
    if at in path:
        walks = [(one, path[: path.index(at) + 1] if unit in (one.id, one.alias) else way) for one, way in walks]
    ends = {id(one): way[-1] for one, way in walks}
    board.put({id(one): None if gone else msgspec.structs.replace(one, place=str(ends.get(id(one), last))) for one in walkers})
    found = tuple((one, way) for one, way in walks if len(way) > 1 and way[0] != way[-1])
    return Step(seen, walks=found) if found else None
