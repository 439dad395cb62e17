"""What ``IF`` may test in Beda Fomm, beside what it may in every game. Everything is open, so a guard sees all."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scenarios.data import Card
from scenarios.hexes import parse_hex
from services.rules.engine.model import IllegalOrder, Json, Side
from services.rules.engine.module import GuardTest
from services.rules.engine.positions import card, hex_of, side_at, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import declaration
from services.rules.games.beda_fomm.state import declared
from services.rules.games.beda_fomm.zoc import enemy_zoc

TANK = "tank"
SPELT = {"armour": "armor", "armoured": "armor", "armored": "armor", "tanks": TANK, "transports": "transport", "guns": "artillery"}
"""Other spellings of classes and types."""


def _held(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """A unit of the side stands there."""
    wanted = str(args["side"]).lower()
    if wanted not in table.data.sides:
        raise IllegalOrder("", "no-such-side", side=wanted)
    return side_at(table, parse_hex(args["hex"])) == wanted


def _free(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    """No enemy ZOC there."""
    return parse_hex(args["hex"]) not in enemy_zoc(table, side)


def _holds(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """A unit of this class or type stands there, or a tank: any armor but armored cars. A type that there is not is refused."""
    kind = SPELT.get(str(args["kind"]).lower(), str(args["kind"]).lower())
    if all(kind not in _kinds(printed) for printed in table.data.cards.values()):
        raise IllegalOrder("", "no-such-kind", kind=kind)
    return any(kind in _kinds(card(table, unit)) for unit in units_at(table, parse_hex(args["hex"])))


def _kinds(printed: Card) -> tuple[str, ...]:
    kind = str(printed.values["class"])
    return (kind, printed.kind, TANK) if kind == "armor" and printed.kind != "armored-car" else (kind, printed.kind)


def _engaged(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """An enemy unit stands next to the unit, whosever it is."""
    return hex_of(table, args["unit"]) is not None and declaration.next_to_enemy(table, args["unit"])


def _alive(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The unit, whosever it is, stands on the map: nothing is hidden."""
    return hex_of(table, args["unit"]) is not None


def _at(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    """The unit, whosever it is, stands in that hex."""
    return hex_of(table, args["unit"]) == parse_hex(args["hex"])


def _odds(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    """The odds of a declared combat, or of what the line itself says, are at least that (G20)."""
    one = _named(table, args["label"]) if args.get("label") else _of_line(table, args.get("line") or {})
    attack, defence = declaration.strengths(table, one)
    return attack > 0 and (defence == 0 or Fraction(attack, defence) >= Fraction(str(args["at_least"])))


def _named(table: Table, label: str) -> Mapping[str, Any]:
    found = next((one for one in declared(table) if label in (one["label"], one["hex"])), None)
    if found is None:
        raise IllegalOrder("", "no-result-yet", label=label)
    return found


def _of_line(table: Table, line: Mapping[str, Any]) -> Mapping[str, Any]:
    args = line.get("args", {})
    if line.get("verb") == "ATTACK":
        return {"hex": args["hex"], "units": args["units"], "support": args.get("support", []), "defence": []}
    if line.get("verb") == "SUPPORT":
        return _named(table, str(args["hex"]))
    raise IllegalOrder("", "no-such-guard", test="odds")


GUARDS: Mapping[str, GuardTest] = {
    "held": _held,
    "free": _free,
    "holds": _holds,
    "engaged": _engaged,
    "alive": _alive,
    "at": _at,
    "odds": _odds,
}
