"""11.1.B: where all maneuver battalions of a hex are attacked one by one, the defender says which battle its support units are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.sequence import on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import package
from services.rules.games.race_for_tunis.odds import defence_factor, strengths
from services.rules.games.race_for_tunis.orders import JoinBattle
from services.rules.games.race_for_tunis.state import battles

SPREAD = "SPREAD"


def choices(table: Table, at: Hex) -> tuple[Mapping[str, Any], ...]:
    """The battles that the support units of a hex may join: those against single battalions of it."""
    return tuple(one for one in battles(table) if one["only"] and not one["done"] and str(at) in one["hexes"])


def undecided(table: Table) -> Mapping[Hex, tuple[str, ...]]:
    """The hexes whose support units have more than one battle to join -> these units."""
    return {at: units for at, units in package.unassigned(table).items() if len(choices(table, at)) > 1}


def check_join(adj: Adjudication, args: JoinBattle, _: Order) -> None:
    """IllegalOrder unless there are support units to join that battle (RT-19)."""
    free = package.unassigned(adj)
    if args.battle == SPREAD:
        if not free or args.units:
            raise IllegalOrder("11.1.B-3", "malformed" if args.units else "no-units-to-join", field="units", battle=args.battle)
        return
    hexes = [at for at in free if any(one["label"] == args.battle for one in choices(adj, at))]
    if not hexes:
        raise IllegalOrder("11.1.B-3", "no-units-to-join", battle=args.battle)
    strange = [unit for unit in args.units if unit not in free[hexes[0]]]
    if strange or len(set(args.units)) != len(args.units):
        raise IllegalOrder("11.1.B-3", "does-not-join", units=strange or list(args.units), battle=args.battle)


def join(adj: Adjudication, args: JoinBattle, _: Order) -> None:
    """They are in that battle, all of their hex or those named; ``SPREAD``: one after another where the attack is strongest. A later line
    takes the place of an earlier one."""
    if args.battle == SPREAD:
        for at, units in package.unassigned(adj).items():
            for unit in sorted(units, key=lambda unit: (-defence_factor(adj, unit), unit)):
                _put(adj, strongest(adj, at)["label"], (unit,), "ordered")
        return
    one = package.find(adj, args.battle)
    (at,) = package.hexes_of(one)
    named = {other["only"] for other in choices(adj, at)}
    _put(adj, args.battle, args.units or tuple(unit for unit in units_at(adj, at) if unit not in named), "ordered")


def join_by_default(adj: Adjudication) -> None:
    """What nobody has ordered joins the battle with the best odds for the attacker (W6)."""
    for at, units in package.unassigned(adj).items():
        if choices(adj, at):
            _put(adj, strongest(adj, at)["label"], units, "default")


def strongest(table: Table, at: Hex) -> Mapping[str, Any]:
    """Of the battles for single battalions of a hex that with the best odds for the attacker, the earliest of equals."""

    def ratio(one: Mapping[str, Any]) -> Fraction:
        attack, defence = strengths(table, one)
        return attack / defence if defence else Fraction(0)

    return max(choices(table, at), key=ratio)


def _put(adj: Adjudication, label: str, units: Sequence[str], how: str) -> None:
    made = []
    for one in battles(adj):
        others = [unit for unit in one["defenders"] if unit not in units]
        made.append({**one, "defenders": [*others, *units] if one["label"] == label else others})
    data = {"label": label, "units": list(units), "hex": str(hex_of(adj, units[0])), "how": how}
    adj.record("joined_battle", "11.1.B-3", data, changes=[ch.own("battles", made)])


def subject(args: JoinBattle) -> str:
    """A later line for the same units, or for the same battle, takes the place of an older one."""
    return "+".join(sorted(args.units)) or args.battle


ON_JOIN = on(JoinBattle, join, check=check_join, subject=subject, units=lambda args: args.units)
"""``JOINBATTLE`` in the allotment."""
