"""What ``IF`` may test in The Fall of Tobruk, beside what it may in every game. All that a guard sees is open to both sides."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scenarios.data import Card
from scenarios.hexes import parse_hex
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.module import GuardTest
from services.rules.engine.positions import adjacent, card, hex_of, side_at, units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import assault, odds, slip, supply
from services.rules.games.fall_of_tobruk.orders import Attack, Slip
from services.rules.games.fall_of_tobruk.state import attacks, disrupted
from services.rules.games.fall_of_tobruk.victory import holder, tobruk
from services.rules.games.fall_of_tobruk.zoc import in_zone

SPELT = {
    "armour": "armor",
    "tanks": "armor",
    "tank": "armor",
    "guns": "artillery",
    "engineers": "engineer",
    "flak": "flak-88",
    "spg": "self-propelled-gun",
    "motor": "motorised",
    "motorized": "motorised",
}
"""Other spellings of types."""


def _held(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """A unit of the side stands there, or it is Tobruk and the side holds it."""
    wanted, at = str(args["side"]).lower(), parse_hex(args["hex"])
    if wanted not in table.data.sides:
        raise IllegalOrder("", "no-such-side", side=wanted)
    return side_at(table, at) == wanted or (at in tobruk(table) and holder(table) == wanted)


def _free(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    """No enemy ZOC there."""
    return not in_zone(table, side, parse_hex(args["hex"]))


def _holds(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """A unit of this type or class stands there. A type that there is not is refused."""
    said = str(args["kind"]).lower().replace(" ", "-")
    kind = SPELT.get(said, said)
    if all(kind not in _kinds(table, printed) for printed in table.data.cards.values()):
        raise IllegalOrder("", "no-such-kind", kind=kind)
    return any(kind in _kinds(table, card(table, unit)) for unit in units_at(table, parse_hex(args["hex"])))


def _kinds(table: Table, printed: Card) -> tuple[str, ...]:
    found = str(next(row["class"] for row in table.data.charts["types"] if row["type"] == printed.kind))
    return (printed.kind, "armor" if found == "tank" else found)


def _engaged(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """An enemy unit stands next to the unit, whosever it is."""
    at = hex_of(table, args["unit"])
    return at is not None and any(side_at(table, to) == table.enemy(table.counters[args["unit"]].side) for to in adjacent(table, at))


def _alive(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The unit, whosever it is, stands on the map."""
    return hex_of(table, args["unit"]) is not None


def _at(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The unit, whosever it is, stands in that hex."""
    return hex_of(table, args["unit"]) == parse_hex(args["hex"])


def _disrupted(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The unit is disrupted, or a unit in the hex is."""
    units = units_at(table, parse_hex(args["hex"])) if args.get("hex") else (args["unit"],)
    return any(unit in table.counters and disrupted(table, unit) for unit in units)


def _supplied(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The unit, whosever it is, stands on the map and is in supply as things are (supply.15)."""
    return hex_of(table, args["unit"]) is not None and supply.supplied(table, args["unit"])


def _odds(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The odds of an attack declared, or of what the line itself says, are at least that (G20): strengths as they stand."""
    one = _named(table, args["label"]) if args.get("label") else _of_line(table, args.get("line") or args)
    attack, defence = odds.strengths(table, one)
    return attack > 0 and (defence == 0 or Fraction(attack) / defence >= Fraction(str(args["at_least"])))


def _named(table: Table, label: str) -> Mapping[str, Any]:
    found = next((one for one in attacks(table) if label in (one["label"], *one["hexes"])), None)
    if found is None:
        raise IllegalOrder("", "no-result-yet", label=label)
    one: Mapping[str, Any] = found
    return one


def _of_line(table: Table, line: Mapping[str, Any]) -> Mapping[str, Any]:
    if line.get("verb") == Attack.verb:
        return assault.draft(table, Order(0, Attack.verb, line.get("args", {})))
    if line.get("verb") == Slip.verb and (one := slip.attack_on(table, str(line.get("args", {}).get("unit")))) is not None:
        return one
    raise IllegalOrder("", "no-such-guard", test="odds")


GUARDS: Mapping[str, GuardTest] = {
    "held": _held,
    "free": _free,
    "holds": _holds,
    "engaged": _engaged,
    "alive": _alive,
    "at": _at,
    "disrupted": _disrupted,
    "supplied": _supplied,
    "odds": _odds,
}
