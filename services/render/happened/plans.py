"""Orders that are only planned, as the events that they would make: so that a plan is drawn by the hand that draws what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from scenarios.hexes import Hex, neighbours
from services.render.happened.reading import Whereabouts, items, word
from services.render.views import EventView, View, hex_or_none, hexes

Planner = Callable[[Mapping[str, Any], View, Whereabouts], EventView | None]


def with_plans(view: View, orders: Iterable[Mapping[str, Any]]) -> View:
    """The view with what its side's orders plan, after the events that it has. Orders of which a map shows nothing are passed over."""
    where = Whereabouts(view.counters)
    for event in view.events:
        where.follow(event)
    planned = []
    for order in orders:
        planner = PLANNERS.get(str(order.get("verb", "")))
        args = order.get("args")
        found = planner(args, view, where) if planner is not None and isinstance(args, Mapping) else None
        if found is not None:
            planned.append(found)
    return msgspec.structs.replace(view, events=[*view.events, *planned])


def _names(data: Mapping[str, Any]) -> list[str]:
    named: list[Any] = [*items(data.get("units")), data.get("unit"), data.get("alias")]
    return [one for one in named if isinstance(one, str)]


def _move(kind: str) -> Planner:
    """A way along ``path``, or straight over ``via`` to ``to``; the first hex is where the units stand. One hex may be named ``hex``."""

    def plan(args: Mapping[str, Any], view: View, where: Whereabouts) -> EventView | None:
        units = _names(args)
        start = next((found for found in map(where.find, units) if found is not None), None)
        way = hexes(args.get("path")) or hexes([*items(args.get("via")), args.get("to") or args.get("hex")])
        if start is None or not way:
            return None
        where.moved(units, way[-1])
        path = [str(at) for at in (start, *(way[1:] if way[0] == start else way))]
        return EventView(kind, {"side": view.side or _side_of(view, units), "units": units, "path": path})

    return plan


def _side_of(view: View, units: list[str]) -> str | None:
    return next((one.side for one in view.counters if one.id in units or one.alias in units), None)


def _attack(args: Mapping[str, Any], view: View, where: Whereabouts) -> EventView | None:
    """An attack on ``hex``, or on ``hexes``, by ``units``, from the hexes beside it where they stand by then."""
    targets = hexes(args.get("hexes")) or hexes([args.get("hex")])
    if not targets:
        return None
    beside: set[Hex] = {at for target in targets for at in neighbours(target)}
    attackers = [{"unit": unit, "from": str(at)} for unit in _names(args) if (at := where.find(unit)) in beside]
    label = word(args.get("label"))
    fought = [str(at) for at in targets]
    return EventView("battle", {"label": label, "hex": fought[0], "hexes": fought, "attackers": attackers})


def _sign(kind: str, *keys: str) -> Planner:
    """A sign on ``hex``, with what else the event of this kind has."""

    def plan(args: Mapping[str, Any], view: View, where: Whereabouts) -> EventView | None:
        at = hex_or_none(args.get("hex"))
        return EventView(kind, {"hex": str(at), **{key: args.get(key) for key in keys}}) if at is not None else None

    return plan


def _air(args: Mapping[str, Any], view: View, where: Whereabouts) -> EventView | None:
    """Aircraft over a hex: they support an attack on it, or interdict it."""
    plan = _sign("interdicted") if args.get("mission") == "INTERDICT" else _sign("air_mission", "mission")
    return plan(args, view, where)


PLANNERS: Mapping[str, Planner] = {
    "MOVE": _move("moved"),
    "RETREAT": _move("retreated"),
    "ADVANCE": _move("advanced"),
    "OVERRUN": _move("overrun"),
    "ATTACK": _attack,
    "AIR": _air,
    "DROP": _sign("lander"),
    "AMPH": _sign("lander"),
    "BRIDGE": _sign("bridge"),
}
