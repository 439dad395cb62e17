"""What ``IF`` may test in Race for Tunis, beside what it may in every game. All that a guard sees is open to both sides."""

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
from services.rules.games.race_for_tunis import odds, package
from services.rules.games.race_for_tunis.orders import Attack, Support
from services.rules.games.race_for_tunis.state import battles, french_restricted, holder, rp, weather
from services.rules.games.race_for_tunis.zoc import in_zone

ARMOR = frozenset({"armor", "tank-company", "tiger-company"})
SPELT = {"armour": "armor", "tanks": "armor", "tank": "armor", "guns": "artillery", "mountaineers": "mountain", "engineers": "engineer"}
"""Other spellings of types."""


def _held(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """A unit of the side stands there, or it holds the place."""
    wanted, at = str(args["side"]).lower(), parse_hex(args["hex"])
    if wanted not in table.data.sides:
        raise IllegalOrder("", "no-such-side", side=wanted)
    return wanted in (side_at(table, at), holder(table, at))


def _free(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    """No enemy ZOC there."""
    return not in_zone(table, side, parse_hex(args["hex"]))


def _holds(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """A unit of this type or class stands there. A type that there is not is refused."""
    kind = SPELT.get(str(args["kind"]).lower(), str(args["kind"]).lower())
    if all(kind not in _kinds(printed) for printed in table.data.cards.values()):
        raise IllegalOrder("", "no-such-kind", kind=kind)
    return any(kind in _kinds(card(table, unit)) for unit in units_at(table, parse_hex(args["hex"])))


def _kinds(printed: Card) -> tuple[str, ...]:
    kinds = (printed.kind, str(printed.values["class"]))
    return (*kinds, "armor") if printed.kind in ARMOR else kinds


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


def _landed(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The unit has come, whatever the dice of ports and landings were for it, and stands on the map (14.0.E-5, 14.0.F-3, 17.6)."""
    return hex_of(table, args["unit"]) is not None


def _french(table: Table, _: Side, __: Mapping[str, Json]) -> bool:
    """The French fight freely (18.1.7)."""
    return not french_restricted(table)


def _weather(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    return weather(table) == str(args["is"]).lower().replace(" ", "-")


def _rp(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The Allies have that many replacement points."""
    return rp(table) >= int(args["at_least"])


def _odds(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The odds of a battle declared, or of what the line itself says, are at least that (G20): strengths as they stand, aircraft apart."""
    one = _named(table, args["label"]) if args.get("label") else _of_line(table, args.get("line") or args)
    attack, defence = odds.strengths(table, one)
    return attack > 0 and (defence == 0 or attack / defence >= Fraction(str(args["at_least"])))


def _named(table: Table, label: str) -> Mapping[str, Any]:
    found = package.named(table, label)
    if found is None:
        raise IllegalOrder("", "no-result-yet", label=label)
    return found


def _of_line(table: Table, line: Mapping[str, Any]) -> Mapping[str, Any]:
    args = line.get("args", {})
    if line.get("verb") == Attack.verb:
        return package.with_defenders(table, [package.draft(Order(0, Attack.verb, args))])[0]
    if line.get("verb") == Support.verb and args.get("battle"):
        if battles(table):
            return _named(table, str(args["battle"]))
        raise IllegalOrder("", "no-result-yet", label=args["battle"])
    raise IllegalOrder("", "no-such-guard", test="odds")


GUARDS: Mapping[str, GuardTest] = {
    "held": _held,
    "free": _free,
    "holds": _holds,
    "engaged": _engaged,
    "alive": _alive,
    "at": _at,
    "landed": _landed,
    "french": _french,
    "weather": _weather,
    "rp": _rp,
    "odds": _odds,
}
