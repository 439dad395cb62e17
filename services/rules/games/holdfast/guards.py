"""What ``IF`` may test in Holdfast. A guard sees only what the ordering side's view shows."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import parse_hex
from services.rules.engine.model import IllegalOrder, Json, Side
from services.rules.engine.module import GuardTest
from services.rules.engine.positions import hex_of
from services.rules.engine.table import Table
from services.rules.games.holdfast.state import aliases, at, control, kind_of, rp, seen, sp
from services.rules.games.holdfast.supply import in_supply
from services.rules.games.holdfast.zoc import enemy_zoc, next_to_enemy


def _held(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """A unit of the side stands there, or it controls the city."""
    wanted, where = str(args["side"]).lower(), parse_hex(args["hex"])
    if wanted not in table.data.sides:
        raise IllegalOrder("", "no-such-side", side=wanted)
    return any(c.side == wanted for c in at(table, where)) or control(table).get(str(where)) == wanted


def _own(table: Table, side: Side, unit: str) -> bool:
    return unit in table.counters and table.counters[unit].side == side


def _on_map(table: Table, side: Side, unit: str) -> bool:
    return _own(table, side, unit) and hex_of(table, unit) is not None


def _sp(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    return _own(table, side, args["unit"]) and sp(table, args["unit"]) >= int(args["at_least"])


def _supplied(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    return _on_map(table, side, args["unit"]) and in_supply(table, args["unit"])


def _engaged(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    where = hex_of(table, args["unit"]) if _own(table, side, args["unit"]) else None
    return where is not None and next_to_enemy(table, side, where)


def _rp(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    return rp(table, side) >= int(args["at_least"])


def _weather(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    return bool(table.own["weather"] == str(args["is"]).lower())


def _free(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    """No enemy ZOC there; not to be tested where zones are not told."""
    if not table.options.get("ezoc_public", True):
        raise IllegalOrder("zoc.5", "no-such-guard", test="free")
    return parse_hex(args["hex"]) not in enemy_zoc(table, side)


def _holds(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    """A unit of this type is known to stand there."""
    named = aliases(table)
    for counter in at(table, parse_hex(args["hex"])):
        known = counter.side == side or seen(table, named[counter.id]) is not None
        if known and kind_of(table, counter.id) == str(args["kind"]).lower():
            return True
    return False


GUARDS: Mapping[str, GuardTest] = {
    "held": _held,
    "sp": _sp,
    "supplied": _supplied,
    "engaged": _engaged,
    "rp": _rp,
    "weather": _weather,
    "free": _free,
    "holds": _holds,
}
