"""The adjutant's regular combat: attacks that are closed under their duty and promise more than they cost, and support of both sides."""

from __future__ import annotations

from dataclasses import dataclass

from scenarios.hexes import Hex, distance, neighbours
from services.rules.engine.positions import hex_of, on_map, units_at
from services.rules.games.beda_fomm import declaration, support_default
from services.rules.games.beda_fomm.adjutant_odds import battle_gain
from services.rules.games.beda_fomm.adjutant_view import Draft
from services.rules.games.beda_fomm.ground import ground
from services.rules.games.beda_fomm.state import ITALIAN, barraged, combat_factor, is_artillery, is_parked

OPEN_ROAD = 400
"""Hundredths of worth that it is to the Italians to empty a hex on the road or next to it."""
EAGER = 10
"""What an attack must promise, in hundredths of worth."""


@dataclass(frozen=True)
class Plan:
    """An attack: the hex, who attacks, and which guns support."""

    at: Hex
    units: tuple[str, ...]
    guns: tuple[str, ...]
    gain: int


def attack(draft: Draft) -> None:
    """Attacks are added one by one, or two at once where an attacker stands next to both hexes, as long as they promise a gain."""
    able = {at: list(units) for at, units in declaration.targets(draft.table, draft.side).items()}
    plans: dict[Hex, Plan] = {}
    while True:
        found = [*_single(draft, able, plans), *_double(draft, able, plans)]
        best = max(found, key=lambda pair: (sum(p.gain for p in pair), [p.at for p in pair]), default=None)
        if best is None or sum(p.gain for p in best) < EAGER:
            break
        plans.update({plan.at: plan for plan in best})
    for at, plan in sorted(plans.items()):
        draft.gather("ATTACK", hex=str(at), units=list(plan.units), support=list(plan.guns))


def _single(draft: Draft, able: dict[Hex, list[str]], plans: dict[Hex, Plan]) -> list[tuple[Plan, ...]]:
    found: list[tuple[Plan, ...]] = []
    for at, units in able.items():
        if at not in plans:
            free = [unit for unit in units if _free(unit, plans) and _owes(draft, unit) <= {at, *plans}]
            if free:
                found.append((_plan(draft, at, free, plans),))
    return found


def _double(draft: Draft, able: dict[Hex, list[str]], plans: dict[Hex, Plan]) -> list[tuple[Plan, ...]]:
    found: list[tuple[Plan, ...]] = []
    open_ = [at for at in able if at not in plans]
    for n, one in enumerate(open_):
        for other in open_[n + 1 :]:
            both = {one, other, *plans}
            mine = [unit for unit in able[one] if _free(unit, plans) and _owes(draft, unit) <= both]
            yours = [unit for unit in able[other] if unit not in mine and _free(unit, plans) and _owes(draft, unit) <= both]
            shared = sorted((unit for unit in mine if unit in able[other]), key=lambda unit: combat_factor(draft.table, unit))
            while shared and (not yours or _cf(draft, yours) * _held(draft, one) < _cf(draft, mine) * _held(draft, other)):
                unit = shared.pop(0)
                if len(mine) > 1:
                    mine.remove(unit)
                    yours.append(unit)
            if mine and yours and len(both) - len(plans) == 2:
                first = _plan(draft, one, mine, plans)
                found.append((first, _plan(draft, other, yours, {**plans, one: first})))
    return found


def _free(unit: str, plans: dict[Hex, Plan]) -> bool:
    return all(unit not in plan.units and unit not in plan.guns for plan in plans.values())


def _cf(draft: Draft, units: list[str]) -> int:
    return sum(combat_factor(draft.table, unit) for unit in units)


def _held(draft: Draft, at: Hex) -> int:
    return max(1, _cf(draft, list(units_at(draft.table, at))))


def _owes(draft: Draft, unit: str) -> set[Hex]:
    """The hexes that a unit must see attacked if it attacks (12.0g)."""
    here = hex_of(draft.table, unit)
    assert here is not None
    shelled = barraged(draft.table)
    near = [at for at in neighbours(here) if declaration.attackable(draft.table, draft.side, at)]
    return {at for at in near if shelled.get(str(at)) != draft.side}


def _plan(draft: Draft, at: Hex, units: list[str], plans: dict[Hex, Plan]) -> Plan:
    """The attack of all of some units, with the guns that are free for it."""
    table = draft.table
    theirs = units_at(table, at)
    attackers = tuple(sorted(units))
    if len(theirs) == 1 and is_parked(table, theirs[0]):
        return Plan(at, attackers[:1], (), 500)
    guns = _guns(draft, at, attackers, plans)
    base = sum(combat_factor(table, unit) for unit in attackers)
    defence = sum(combat_factor(table, unit) for unit in theirs)
    total = base + declaration.supported(table, guns, at, base)
    return Plan(at, attackers, guns, battle_gain(draft, total, defence, attackers, theirs, _prize(draft, at)))


def _guns(draft: Draft, at: Hex, attackers: tuple[str, ...], plans: dict[Hex, Plan]) -> tuple[str, ...]:
    table = draft.table
    ours = [unit.id for unit in on_map(table, draft.side) if is_artillery(table, unit.id) and unit.id not in attackers]
    base = sum(combat_factor(table, unit) for unit in attackers)
    chosen: list[str] = []
    for gun in ours:
        if _free(gun, plans) and declaration.may_support(table, gun, at) and declaration.supported(table, chosen, at, base) < base:
            chosen.append(gun)
    return tuple(chosen)


def _prize(draft: Draft, at: Hex) -> int:
    """What it is worth to empty a hex."""
    if draft.side != ITALIAN:
        return 0
    return OPEN_ROAD if any(distance(at, road) <= 1 for road in ground(draft.table).down) else 0


def support(draft: Draft) -> None:
    """The defender's guns support where they lower the odds most (BF-pbem W3)."""
    support_default.give(draft.table, draft.side)
    for order in draft.table.sets.get(f"{draft.side}/{declaration.DEFENSIVE}", ()):
        draft.add(order.verb, **order.args)
