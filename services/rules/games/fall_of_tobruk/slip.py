"""Reconnaissance units slip back a hex before combat, once attacks are declared before any roll for mines (recon.1 to recon.5, FT-42)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, distance
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import adjacent, hex_of, side_at, units_at
from services.rules.engine.sequence import NON_PHASING, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import stacking
from services.rules.games.fall_of_tobruk.assault import changed
from services.rules.games.fall_of_tobruk.ground import at_of, step_cost
from services.rules.games.fall_of_tobruk.mines import gaps_after_move, hinders
from services.rules.games.fall_of_tobruk.orders import Slip
from services.rules.games.fall_of_tobruk.state import attacks, is_recon
from services.rules.games.fall_of_tobruk.victory import taken
from services.rules.games.fall_of_tobruk.zoc import in_zone

NEVER = "NEVER"


def attack_on(table: Table, unit: str) -> Mapping[str, Any] | None:
    """The attack that a unit must stand if it does not slip away."""
    return next((one for one in attacks(table) if unit in one["defenders"] and not one["done"]), None)


def entitled(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that may slip back somewhere."""
    attacked = [unit for one in attacks(table) if not one["done"] for unit in one["defenders"] if table.counters[unit].side == side]
    return tuple(unit for unit in attacked if hexes(table, unit))


def hexes(table: Table, unit: str) -> tuple[Hex, ...]:
    """The hexes to which a unit may slip back."""
    at = hex_of(table, unit)
    return tuple(to for to in adjacent(table, at) if _may(table, unit, to)) if at is not None else ()


def _may(table: Table, unit: str, to: Hex) -> bool:
    try:
        check_way(table, unit, to)
    except IllegalOrder:
        return False
    return True


def check_way(table: Table, unit: str, to: Hex) -> None:
    """IllegalOrder unless the unit may slip back to a hex."""
    at, side = at_of(table, unit), table.counters[unit].side
    one = attack_on(table, unit)
    if not is_recon(table, unit):
        raise IllegalOrder("recon.1", "no-recon", unit=unit)  # recon.1
    if one is None:
        raise IllegalOrder("recon.1", "not-attacked", unit=unit)  # recon.1
    if all(is_recon(table, other) for other in one["units"]):
        raise IllegalOrder("recon.2", "recon-attacks", unit=unit, units=list(one["units"]))  # recon.2
    if distance(at, to) != 1 or step_cost(table, at, to) is None:
        raise IllegalOrder("recon.1", "not-adjacent", unit=unit, **{"from": str(at), "to": str(to)})  # recon.1
    if side_at(table, to) == table.enemy(side):
        raise IllegalOrder("recon.1", "enemy-there", unit=unit, hex=str(to))  # recon.1
    if in_zone(table, side, to):
        raise IllegalOrder("recon.5", "in-zone", unit=unit, hex=str(to))  # recon.5 zoc.14
    if hinders(table, unit, at, to):
        raise IllegalOrder("recon.1", "mined", unit=unit, hex=str(to))  # FT-42
    if not stacking.room(table, to, (unit,)):
        raise IllegalOrder("stacking.11", "stacking", hex=str(to), units=[*units_at(table, to), unit])  # stacking.11
    if left := stacking.left_crowded(table, at, (unit,)):
        raise IllegalOrder("stacking.12", "leaves-crowd", hex=str(at), units=list(left))  # stacking.12


def check(adj: Adjudication, args: Slip, _: Order) -> None:
    """IllegalOrder unless a unit of the side may slip back to the hex; ``NEVER`` is always right."""
    if args.never:
        return
    if args.unit is None or args.hex is None:
        raise IllegalOrder("recon.1", "malformed", field="unit" if args.unit is None else "hex")
    if hex_of(adj, args.unit) is None:
        raise IllegalOrder("recon.1", "not-on-map", unit=args.unit)
    check_way(adj, args.unit, args.hex)


def slip(adj: Adjudication, args: Slip, order: Order) -> None:
    """The unit goes; the attack is on those that stay (recon.3)."""
    if args.never:
        return
    check(adj, args, order)
    assert args.unit is not None
    assert args.hex is not None
    unit, to, at = args.unit, args.hex, at_of(adj, args.unit)
    one = attack_on(adj, unit)
    assert one is not None
    left = [other for other in one["defenders"] if other != unit]
    data = {"label": one["label"], "unit": unit, "path": [str(at), str(to)]}
    adj.record("slipped", "recon.1", data, changes=[ch.place(unit, to), changed(adj, one["label"], defenders=left)])  # recon.1
    gaps_after_move(adj, (unit,), (at, to))
    taken(adj, adj.counters[unit].side, (to,))


def subject(args: Slip) -> str:
    """Of two lines for a unit the later stands."""
    return args.unit or NEVER


def named(args: Slip) -> tuple[str, ...]:
    """The unit of a line."""
    return () if args.unit is None else (args.unit,)


def idle(table: Table, side: Side) -> bool:
    """Whether no unit of a side may slip back."""
    return not entitled(table, side)


def anybody(table: Table) -> bool:
    """Whether reconnaissance units are attacked."""
    attacked: Sequence[str] = [unit for one in attacks(table) if not one["done"] for unit in one["defenders"]]
    return any(is_recon(table, unit) for unit in attacked)


SLIP = Step(
    "slip",
    "recon.1",
    NON_PHASING,
    Mode.SET,
    accepts=(on(Slip, slip, check=check, subject=subject, units=named),),
    when=anybody,
    idle=idle,
)
STEPS: tuple[Step, ...] = (SLIP,)
