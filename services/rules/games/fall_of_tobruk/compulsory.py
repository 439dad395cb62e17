"""The attacks that the umpire orders where a side has left some that it must make (``DONE AUTO``, a deadline): every unit that must attack
does, each enemy hex is attacked; what was ordered stands as far as it can (FT-07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Order, Side
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import duty
from services.rules.games.fall_of_tobruk.assault import DECLARATION, Record, draft, gathered, next_to
from services.rules.games.fall_of_tobruk.odds import column, strengths
from services.rules.games.fall_of_tobruk.orders import Attack

TRIES = 2000
"""Ways of sharing out the hexes that are tried, at most, for one by which every unit attacks a hex that it must."""
Owed = Mapping[str, frozenset[Hex]]


@dataclass
class Plan:
    """An attack in the making: the line that ordered it, or None; its hexes and units."""

    order: Order | None
    hexes: tuple[Hex, ...]
    units: list[str]


def meet(adj: Adjudication, side: Side) -> None:
    """Order what is missing. Lines that stand in the way are dropped, first those next to a hex that nobody is left for, then all."""
    lines = gathered(adj, side)
    sound = [order for order in lines if order.verb == Attack.verb and not _hopeless(adj, side, draft(adj, order))]
    others = [order for order in lines if order.verb != Attack.verb]
    roomy = [order for order in sound if not _crowding(adj, side, sound, order)]
    found = (_completed(adj, side, kept, strict) for strict in (True, False) for kept in (sound, roomy, []))
    made = next((way for way in found if way is not None), [])
    adj.sets[f"{side}/{DECLARATION}"] = (*made, *others)


def missing(table: Table, side: Side) -> list[Order]:
    """The attacks that would have to be ordered, or written anew, beside those gathered, for every unit that must attack to do so; none if
    they leave no room for that."""
    attacks = [order for order in gathered(table, side) if order.verb == Attack.verb]
    return [order for order in _completed(table, side, attacks, strict=True) or () if order not in attacks]


def _hopeless(table: Table, side: Side, one: Record) -> bool:
    """Whether an attack below 1:5 has nobody in it who must attack (FT-20)."""
    return column(table, one) is None and not duty.obliged(table, side).keys() & set(one["units"])


def _crowding(table: Table, side: Side, attacks: Sequence[Order], order: Order) -> bool:
    """Whether an attack has units next to a hex that must be attacked and is not."""
    attacked = {at for other in attacks for at in other.args["hexes"]}
    missing = [at for at in duty.due(table, side) if str(at) not in attacked]
    return any(next_to(table, unit, at) for unit in order.args["units"] for at in missing)


def _completed(table: Table, side: Side, kept: Sequence[Order], strict: bool) -> list[Order] | None:
    """The attacks kept and those that are missing; None if they cannot be made beside these. ``strict``: every unit attacks a hex that it
    must."""
    owing = duty.obliged(table, side)
    plans = [Plan(order, tuple(map(parse_hex, order.args["hexes"])), list(order.args["units"])) for order in kept]
    free = sorted(owing.keys() - {unit for plan in plans for unit in plan.units})
    covered = {at for plan in plans for at in plan.hexes}
    missing = [at for at in duty.due(table, side) if at not in covered]
    shares = _shared_out(table, missing, free, owing, strict)
    if shares is None:
        return None
    plans += [Plan(None, tuple(sorted(hexes)), [unit]) for unit, hexes in sorted(shares.items(), key=lambda share: min(share[1]))]
    for unit in (unit for unit in free if unit not in shares):
        near = [plan for plan in plans if owing[unit] & set(plan.hexes)]
        min(near, key=lambda plan: (_odds(table, plan), plan.hexes)).units.append(unit)
    return [_written(plan) for plan in plans]


def _shared_out(table: Table, missing: Sequence[Hex], free: Sequence[str], owing: Owed, strict: bool) -> dict[str, list[Hex]] | None:
    """Each missing hex to one free unit next to it, as evenly as can be; a unit attacks its hexes together (FT-19). None if that cannot
    be so that each attacks one that it must."""
    able = {at: [unit for unit in free if next_to(table, unit, at)] for at in missing}
    queue = sorted(missing, key=lambda at: (len(able[at]), at))
    tries = iter(range(TRIES))

    def share(rest: Sequence[Hex], given: Mapping[str, list[Hex]]) -> dict[str, list[Hex]] | None:
        if next(tries, None) is None:
            return None
        if not rest:
            return dict(given) if not strict or all(owing[unit] & set(hexes) for unit, hexes in given.items()) else None
        at, *later = rest

        def rank(unit: str) -> Any:
            return at not in owing[unit], len(given.get(unit, [])), unit

        for unit in sorted(able[at], key=rank):
            found = share(later, {**given, unit: [*given.get(unit, []), at]})
            if found is not None:
                return found
        return None

    return share(queue, {})


def _odds(table: Table, plan: Plan) -> Fraction:
    """Attack to defence of a plan: the weakest is joined first."""
    attack, defence = strengths(table, draft(table, _written(plan)))
    return attack / defence if defence else Fraction(0)


def _written(plan: Plan) -> Order:
    if plan.order is not None:
        return replace(plan.order, args={**plan.order.args, "units": plan.units})
    return Order(0, Attack.verb, {"hexes": [str(at) for at in plan.hexes], "units": plan.units})
