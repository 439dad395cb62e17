"""4.2.B: the attacks that the umpire orders where a side has left some that it must make (``DONE AUTO``, a deadline): every unit that must
attack does, at the best odds, without artillery and aircraft; what was ordered stands as far as it can."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Order, Side
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import duty, engaged, package
from services.rules.games.race_for_tunis.odds import attack_factor, base, strengths
from services.rules.games.race_for_tunis.orders import Attack

TRIES = 2000
"""Ways of sharing out the hexes that are tried, at most, for one by which engaged attackers all attack again."""
Owed = Mapping[str, frozenset[Hex]]


@dataclass
class Plan:
    """An attack in the making: the line that ordered it, or None; its hexes and units."""

    order: Order | None
    hexes: tuple[Hex, ...]
    units: list[str]


def meet(adj: Adjudication, side: Side) -> None:
    """Order what is missing. Lines that stand in the way are dropped, first those next to a hex that nobody is left for, then all; where no
    set of attacks could meet every duty of engaged attackers, every hex is attacked all the same."""
    lines = package.gathered(adj, side)
    attacks = [order for order in lines if order.verb == Attack.verb]
    others = [order for order in lines if order.verb != Attack.verb]
    sound = _sound(adj, side, attacks, others)
    roomy = [order for order in sound if not _crowding(adj, side, sound, order)]
    ways = (_completed(adj, side, kept) for kept in (sound, roomy, []))
    made = next((way for way in ways if way is not None), None)
    if made is None:
        made = _completed(adj, side, [], strict=False)
    adj.sets[f"{side}/{package.PACKAGE}"] = (*(made or ()), *others)


def missing(table: Table, side: Side) -> list[Order]:
    """The attacks that would have to be ordered, or written anew, beside those gathered, for every unit that must attack to do so; none if
    they leave no room for that."""
    attacks = [order for order in package.gathered(table, side) if order.verb == Attack.verb]
    return [order for order in _completed(table, side, attacks) or () if order not in attacks]


# -- what stands -----------------------------------------------------------------------------------------------------------------


def _sound(table: Table, side: Side, attacks: Sequence[Order], others: Sequence[Order]) -> list[Order]:
    """The attacks ordered, without those that may not be made as they are."""
    kept = list(attacks)
    while bad := _bad(table, side, package.drafts(table, (*kept, *others))):
        kept = [order for order in kept if package.label_of(order) not in bad]
    return kept


def _bad(table: Table, side: Side, planned: Sequence[package.Battle]) -> set[str]:
    """The labels of attacks that are below 1:5 with nobody in them who must attack, or leave the rest of a stack out, or take units from
    an engagement or from a battle that they must fight."""
    owing, renewed, sets = duty.obliged(table, side), engaged.renewals(table, side), engaged.together(table, side)
    attacked = {unit for one in planned for unit in one["defenders"]}
    found: set[str] = set()
    for one in planned:
        hexes, units = set(package.hexes_of(one)), set(one["units"])
        weak = base(table, *strengths(table, one)) is None and not units & owing.keys()
        part = one["only"] is not None or one["rest"]
        partial = part and any(unit not in attacked for at in hexes for unit in package.maneuver_at(table, at))
        strayed = any(not hexes & renewed[unit] for unit in units & renewed.keys())
        torn = any((hexes & s.hexes or units & s.units) and not (hexes >= s.hexes and units >= s.units) for s in sets)
        if weak or partial or strayed or torn:
            found.add(one["label"])
    return found


def _crowding(table: Table, side: Side, attacks: Iterable[Order], order: Order) -> bool:
    """Whether an attack has units next to a hex that must be attacked and is not."""
    attacked = {at for other in attacks for at in other.args["hexes"]}
    missing = [at for at in duty.due(table, side) if str(at) not in attacked]
    return any(package.next_to(table, unit, at) for unit in order.args["units"] for at in missing)


# -- what is added ---------------------------------------------------------------------------------------------------------------


def _completed(table: Table, side: Side, kept: Sequence[Order], *, strict: bool = True) -> list[Order] | None:
    """The attacks kept and those that are missing; None if they cannot be made beside these. ``strict``: engaged attackers must all attack
    again."""
    owing = duty.obliged(table, side)
    plans = [Plan(order, tuple(map(parse_hex, order.args["hexes"])), list(order.args["units"])) for order in kept]
    for sets in engaged.together(table, side):
        if not any(sets.hexes <= set(plan.hexes) for plan in plans):
            plans.append(Plan(None, tuple(sorted(sets.hexes)), sorted(sets.units)))
    free = sorted(owing.keys() - {unit for plan in plans for unit in plan.units})
    covered = {at for plan in plans for at in plan.hexes}
    missing = [at for at in duty.due(table, side) if at not in covered]
    shares = _shared_out(table, side, missing, free, owing if strict else {})
    if shares is None:
        return None
    plans += [Plan(None, tuple(sorted(hexes)), [unit]) for unit, hexes in sorted(shares.items(), key=lambda share: min(share[1]))]
    for unit in (unit for unit in free if unit not in shares):
        max((plan for plan in plans if owing[unit] & set(plan.hexes)), key=_worth(table, unit)).units.append(unit)
    return [_written(plan) for plan in plans]


def _shared_out(table: Table, side: Side, missing: Sequence[Hex], free: Sequence[str], owing: Owed) -> dict[str, list[Hex]] | None:
    """Each missing hex to one free unit next to it, as evenly as can be; a unit attacks its hexes together. None if that cannot be so that
    each attacks one that it owes."""
    renewed = engaged.renewals(table, side)
    able = {at: [unit for unit in free if package.next_to(table, unit, at)] for at in missing}
    queue = sorted(missing, key=lambda at: (len(able[at]), at))
    tries = iter(range(TRIES))

    def share(rest: Sequence[Hex], given: Mapping[str, list[Hex]]) -> dict[str, list[Hex]] | None:
        if owing and next(tries, None) is None:
            return None
        if not rest:
            return dict(given) if not owing or all(owing[unit] & set(hexes) for unit, hexes in given.items()) else None
        at, *later = rest

        def rank(unit: str) -> Any:
            strange = unit in renewed and at not in renewed[unit]
            return strange, len(given.get(unit, [])), -attack_factor(table, unit, (at,)), unit

        for unit in sorted(able[at], key=rank):
            found = share(later, {**given, unit: [*given.get(unit, []), at]})
            if found is not None:
                return found
        return None

    return share(queue, {})


def _worth(table: Table, unit: str) -> Callable[[Plan], tuple[bool, Fraction]]:
    """How good it is that a unit joins an attack: that this lifts it to 1:5, then by the odds that it makes."""

    def worth(plan: Plan) -> tuple[bool, Fraction]:
        without, joined = (_strengths(table, replace(plan, units=units)) for units in (plan.units, [*plan.units, unit]))
        lifts = base(table, *without) is None and base(table, *joined) is not None
        return lifts, joined[0] / joined[1] if joined[1] else Fraction(0)

    return worth


def _strengths(table: Table, plan: Plan) -> tuple[Fraction, Fraction]:
    return strengths(table, package.with_defenders(table, [package.draft(_written(plan))])[0])


def _written(plan: Plan) -> Order:
    if plan.order is not None:
        return replace(plan.order, args={**plan.order.args, "units": plan.units})
    return Order(0, Attack.verb, {"hexes": [str(at) for at in plan.hexes], "units": plan.units})
