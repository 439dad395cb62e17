"""The adjutant's aircraft and counterbattery: where a column is worth most, over the enemy's guns, and against them."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import hex_of, on_map, units_at
from services.rules.games.race_for_tunis import air
from services.rules.games.race_for_tunis.adjutant_odds import Prospect, gain
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.counterbattery import factors
from services.rules.games.race_for_tunis.odds import base
from services.rules.games.race_for_tunis.state import attack_value, is_artillery, value

LIFTS = 40
"""What a column must be worth for an air unit to fly, in hundredths of a combat factor; for one that could intercept, three times that."""
FAIR = 4
"""The column from which on counterbattery is tried: 1:1."""


def fly(draft: Draft, fights: Sequence[tuple[frozenset[Hex], Prospect]]) -> None:
    """Each air unit supports the attack to which it adds most; bombers that add little lie over the enemy's guns."""
    table = draft.table
    units = sorted(air.ready(table, draft.side), key=lambda unit: (-value(table, unit, "support"), unit))
    left = list(fights)
    for unit in (unit for unit in units if value(table, unit, "support")):
        fighter = value(table, unit, "intercept") > 0
        ranked = sorted(((_lift(draft, one, unit), sorted(hexes)) for hexes, one in left), reverse=True)
        for lift, hexes in ranked:
            if lift < LIFTS * (3 if fighter else 1):
                break
            if any(draft.gather("AIR", air=unit, mission="SUPPORT", hex=str(at), battle=None) for at in hexes):
                left = [one for one in left if sorted(one[0]) != hexes]
                break
        else:
            lift = 0
        if not fighter and (not ranked or lift < LIFTS):
            _interdict(draft, unit)


def _lift(draft: Draft, one: Prospect, unit: str) -> int:
    return gain(draft.table, one, value(draft.table, unit, "support")) - gain(draft.table, one)


def _interdict(draft: Draft, unit: str) -> None:
    """A bomber lies over the enemy's strongest guns, or where most of his factors stand."""
    table = draft.table
    stacks: dict[Hex, int] = {}
    for other in on_map(table, draft.enemy):
        if isinstance(other.place, Hex):
            weight = 300 if is_artillery(table, other.id) else 100
            stacks[other.place] = stacks.get(other.place, 0) + weight * attack_value(table, other.id)
    for at in sorted(stacks, key=lambda at: (-stacks[at], at)):
        if draft.gather("AIR", air=unit, mission="INTERDICT", hex=str(at), battle=None):
            return


def silence(draft: Draft, attacked: Sequence[frozenset[Hex]], busy: set[str]) -> None:
    """Guns that support nobody fire at those of the enemy that could help where he is attacked, if that is played."""
    table = draft.table
    if not table.options["counterbattery"] or not attacked:
        return
    ours = [unit.id for unit in on_map(table, draft.side) if is_artillery(table, unit.id) and unit.id not in busy]
    theirs = [unit.id for unit in on_map(table, draft.enemy) if is_artillery(table, unit.id) and _helps(draft, unit.id, attacked)]
    for target in sorted(theirs, key=lambda unit: (-attack_value(table, unit), unit)):
        at = hex_of(table, target)
        assert at is not None
        guns = tuple(gun for gun in ours if (here := hex_of(table, gun)) and distance(here, at) <= value(table, gun, "range"))
        column = base(table, *factors(table, guns, target)) if guns else None
        if column is not None and column >= FAIR and draft.gather("CB", guns=list(guns), target=target):
            ours = [gun for gun in ours if gun not in guns]


def _helps(draft: Draft, gun: str, attacked: Sequence[frozenset[Hex]]) -> bool:
    """Whether a gun could help in the defence of a hex that is attacked."""
    table, here = draft.table, hex_of(draft.table, gun)
    if here is None or any(here in hexes for hexes in attacked):
        return False
    return bool(units_at(table, here)) and any(distance(here, at) <= value(table, gun, "range") for hexes in attacked for at in hexes)
