"""An attack: its record in ``own["attacks"]``, who fights in it, and the attacks gathered in private before they are declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Order, Side
from services.rules.engine.positions import adjacent, hex_of, side_at, units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import overrun
from services.rules.games.fall_of_tobruk.ground import at_of
from services.rules.games.fall_of_tobruk.mines import shielded
from services.rules.games.fall_of_tobruk.orders import Attack
from services.rules.games.fall_of_tobruk.state import attacks, is_engineer

DECLARATION = "declaration"
ATTACKER, DEFENDER = "attacker", "defender"
ROLES = {ATTACKER: "units", DEFENDER: "defenders"}
"""The two sides of an attack, and where it keeps their units."""
VOID, STALL = "VOID", "STALL"
"""What becomes of an attack that nobody makes any more, and of one that stalls in the mines."""
Record = Mapping[str, Any]

# -- an attack -------------------------------------------------------------------------------------------------------------------


def find(table: Table, label: str) -> Record:
    """The attack of a label. StopIteration if there is none (our bug)."""
    return next(one for one in attacks(table) if one["label"] == label)


def changed(table: Table, label: str, **fields: Any) -> Change:
    """The change by which fields of the attack of a label are replaced."""
    return ch.own("attacks", [{**one, **fields} if one["label"] == label else one for one in attacks(table)])


def hexes_of(one: Record) -> tuple[Hex, ...]:
    """The hexes that are attacked."""
    return tuple(map(parse_hex, one["hexes"]))


def next_to(table: Table, unit: str, at: Hex) -> bool:
    """Whether a unit stands on the map next to a hex."""
    here = hex_of(table, unit)
    return here is not None and distance(here, at) == 1


def defenders(table: Table, one: Record) -> tuple[str, ...]:
    """The defenders that still stand in one of its hexes; who has come there since adds nothing."""
    hexes = hexes_of(one)
    return tuple(unit for unit in one["defenders"] if hex_of(table, unit) in hexes)


def live_hexes(table: Table, one: Record) -> tuple[Hex, ...]:
    """Its hexes in which one of its defenders still stands."""
    held = {hex_of(table, unit) for unit in one["defenders"]}
    return tuple(at for at in hexes_of(one) if at in held)


def attackers(table: Table, one: Record) -> tuple[str, ...]:
    """The attackers that are still next to a hex of it with defenders."""
    live = live_hexes(table, one)
    return tuple(unit for unit in one["units"] if any(next_to(table, unit, at) for at in live))


def members(table: Table, one: Record, role: str) -> tuple[str, ...]:
    """The units of one side of an attack that are on the map."""
    return tuple(unit for unit in one[ROLES[role]] if hex_of(table, unit) is not None)


def across_mines(table: Table, units: Iterable[str], hexes: Sequence[Hex]) -> tuple[str, ...]:
    """The units that attack those of the hexes which they are next to across a mined side; engineers do as if there were no mines."""
    found = [unit for unit in units if not is_engineer(table, unit)]  # gap.6
    return tuple(unit for unit in found if any(shielded(table, unit, at_of(table, unit), at) for at in hexes if next_to(table, unit, at)))


def enemies_next_to(table: Table, unit: str) -> tuple[Hex, ...]:
    """The hexes next to a unit in which enemies stand: adjacency alone makes the duty to attack (FT-18)."""
    side = table.counters[unit].side
    return tuple(at for at in adjacent(table, at_of(table, unit)) if side_at(table, at) == table.enemy(side))


# -- what is gathered ------------------------------------------------------------------------------------------------------------


def gathered(table: Table, side: Side) -> tuple[Order, ...]:
    """What the phasing side has ordered in the declaration so far."""
    sets = table.sets if isinstance(table, Adjudication) else table.before.sets
    return sets.get(f"{side}/{DECLARATION}", ())


def ordered(table: Table, side: Side, but: Attack | None = None) -> list[Order]:
    """The attacks gathered, without the one whose place ``but`` takes."""
    found = [order for order in gathered(table, side) if order.verb == Attack.verb]
    return [order for order in found if but is None or order.args["hexes"][0] != subject(but)]


def subject(args: Attack) -> str:
    """Of two attacks with the same first hex the later one stands; it is the label too, where none is given (G21)."""
    return str(args.hexes[0]) if args.hexes else ""


def label_of(order: Order) -> str:
    """The label of a gathered attack."""
    return order.label or str(order.args["hexes"][0])


def draft(table: Table, order: Order) -> dict[str, Any]:
    """The attack that an ``ATTACK`` makes, against all who stand in its hexes."""
    return record(table, label_of(order), tuple(map(parse_hex, order.args["hexes"])), order.args["units"])


def record(table: Table, label: str, hexes: Sequence[Hex], units: Sequence[str]) -> dict[str, Any]:
    """An attack of units on hexes: all enemies in them defend together (combat.4)."""
    one = {
        "label": label,
        "hexes": [str(at) for at in hexes],
        "units": list(units),
        "defenders": [unit for at in hexes for unit in units_at(table, at)],  # combat.4
        "mined": list(across_mines(table, units, hexes)),
        "overrun": False,
        "stalled": False,
        "done": False,
        "result": None,
        "odds": None,
        "paths": {},
        "moved": [],
    }
    return {**one, "overrun": overrun.overrun(table, one)}
