"""The adjutant's guns: interdiction, attack barrages at what suffers most, antitank fire massed where it tells."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.hexes import Hex
from services.rules.engine.model import IllegalOrder
from services.rules.engine.positions import occupied, on_map
from services.rules.games.beda_fomm import antitank, barrage, guns, interdiction
from services.rules.games.beda_fomm.adjutant_odds import barrage_gain, shot_chance
from services.rules.games.beda_fomm.adjutant_view import Draft, worth
from services.rules.games.beda_fomm.state import ready, value

WORTH_A_SHELL = 25
"""Hundredths of worth that a barrage must promise."""
RATHER_SUPPORT = 60
"""What one of the phasing side must promise: guns that have not fired can support an attack."""


def batteries(draft: Draft) -> Iterator[tuple[Hex, list[str]]]:
    """The ready guns of the side, stack by stack."""
    stacks: dict[Hex, list[str]] = {}
    for unit in on_map(draft.table, draft.side):
        if ready(draft.table, unit.id) and isinstance(unit.place, Hex):
            stacks.setdefault(unit.place, []).append(unit.id)
    yield from sorted(stacks.items())


def bombard(draft: Draft) -> bool:
    """Each stack of guns fires at the hex where it may do most; no hex is fired at twice. Whether the step may close: where a retreat makes
    others check (12.45), a barrage may empty other hexes, and the adjutant is asked again after each."""
    least = RATHER_SUPPORT if draft.table.phasing == draft.side else WORTH_A_SHELL
    fired: set[Hex] = set()
    hit: set[Hex] = set()
    for gain, at, target, able in _shots(draft):
        if gain >= least and at not in fired and target not in hit:
            draft.add("BARRAGE", guns=able, target=str(target), within=None, else_target=None, hold_fire=False)
            fired.add(at)
            hit.add(target)
            if draft.table.options.get("retreat_checks"):
                return False
    return True


def _shots(draft: Draft) -> list[tuple[int, Hex, Hex, list[str]]]:
    """Every attack barrage that a stack of guns can fire, the best first: what it may bring, from where, at what, with which guns."""
    table, side = draft.table, draft.side
    shots = []
    for at, found in batteries(draft):
        for target in sorted(occupied(table, table.enemy(side))):
            able = [gun for gun in found if guns.in_range(table, gun, target)]
            if able and _may(draft, able, target):
                shots.append((barrage_gain(draft, able, target), at, target, able))
    return sorted(shots, key=lambda shot: (-shot[0], shot[1], shot[2]))


def _may(draft: Draft, able: list[str], target: Hex) -> bool:
    try:
        barrage.check_barrage(draft.table, draft.side, able, target)
    except IllegalOrder:
        return False
    return True


def interdict(draft: Draft, hexes: list[Hex]) -> None:
    """Guns that have nothing better to fire at fire at the hexes that the enemy wants to enter next, the first of them first."""
    busy = {at for gain, at, _, _ in _shots(draft) if gain >= RATHER_SUPPORT}
    for at, found in batteries(draft):
        for target in hexes if at not in busy else ():
            if _may_interdict(draft, found, target) and draft.give("INTERDICT", guns=found, hex=str(target)):
                break


def _may_interdict(draft: Draft, found: list[str], target: Hex) -> bool:
    try:
        interdiction.check_interdict(draft.table, draft.side, found, target)
    except IllegalOrder:
        return False
    return True


def shoot(draft: Draft) -> None:
    """Every unit that can fires: at each target, that of most worth first, the units that hit best for their number; who is left over
    joins where it helps."""
    table = draft.table
    free = antitank.ready_to_fire(table, draft.side)
    targets = antitank.exposed(table, draft.side, free)
    volleys: dict[str, list[str]] = {}
    for target in sorted(targets, key=lambda unit: (-worth(draft, unit), antitank.defence(table, unit), unit)):
        able = _able(draft, free, target)
        sizes = range(1, len(able) + 1)
        n = max(sizes, key=lambda n: (_chance(draft, able[:n], target) / n, n), default=0)
        if n and _chance(draft, able[:n], target):
            volleys[target] = able[:n]
            free = [unit for unit in free if unit not in able[:n]]
    for target, volley in volleys.items():
        more = _able(draft, free, target)
        if _chance(draft, [*volley, *more], target) > _chance(draft, volley, target):
            volley += more
            free = [unit for unit in free if unit not in more]
        draft.add("FIRE", units=volley, target=target, mass=None)


def _able(draft: Draft, free: list[str], target: str) -> list[str]:
    """The units that can fire at a target, the strongest first."""
    able = [unit for unit in free if antitank.may_shoot(draft.table, unit, target)]
    return sorted(able, key=lambda unit: (-value(draft.table, unit, "at"), unit))


def _chance(draft: Draft, units: list[str], target: str) -> int:
    return shot_chance(draft, sum(value(draft.table, unit, "at") for unit in units), antitank.defence(draft.table, target))
