"""The adjutant's antitank fire: shots that promise most for the factors that they use, at one tank or at several of a hex together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine.model import Json
from services.rules.engine.positions import hex_of
from services.rules.games.fall_of_tobruk import antitank
from services.rules.games.fall_of_tobruk.adjutant_odds import hit_chance
from services.rules.games.fall_of_tobruk.adjutant_view import Draft


@dataclass(frozen=True)
class Volley:
    """Units that fire together at tanks of a hex, and what of these tanks' worth that may destroy, in sixths."""

    units: tuple[str, ...]
    targets: tuple[str, ...]
    at: Hex
    gain: int


def shoot(draft: Draft) -> None:
    """Shots are added, the best for its factors first, until nobody is left who can do harm."""
    table = draft.table
    free = dict(antitank.shooters(table, draft.side, first=table.step.name == antitank.FIRST))
    alive: dict[str, Fraction] = {}
    fired = False
    while free:
        best = max(_volleys(draft, free, alive), key=lambda one: (_price(draft, one), one.gain, one.units, one.targets), default=None)
        if best is None:
            break
        if draft.gather("FIRE", **_args(best)):
            fired = True
            chance = Fraction(6 - _chance(draft, best), 6)
            alive |= {tank: alive.get(tank, Fraction(1)) * chance for tank in best.targets}
        free = {unit: seen for unit, seen in free.items() if unit not in best.units}
    if not fired:
        draft.gather("FIRE", units=[], targets=[], hex=None, else_targets=[], policy="NO", by=None, min=None, pool=None)


def _args(one: Volley) -> dict[str, Json]:
    rest: dict[str, Json] = {"else_targets": [], "policy": None, "by": None, "min": None, "pool": None}
    return {"units": list(one.units), "targets": list(one.targets), "hex": str(one.at), **rest}


def _price(draft: Draft, one: Volley) -> Fraction:
    """What a volley promises for each antitank factor that it uses."""
    return one.gain / sum((Fraction(antitank.fire_factor(draft.table, unit)) for unit in one.units), Fraction(0))


def _volleys(draft: Draft, free: Mapping[str, tuple[str, ...]], alive: Mapping[str, Fraction]) -> Iterator[Volley]:
    """Every volley of the strongest units that can fire at a hex, at the tanks in it that are the dearest for what they resist with."""
    table = draft.table
    stacks: dict[Hex, list[str]] = {}
    for tank in sorted({tank for seen in free.values() for tank in seen}):
        at = hex_of(table, tank)
        assert at is not None
        stacks.setdefault(at, []).append(tank)
    for at, tanks in sorted(stacks.items()):
        ranked = sorted(tanks, key=lambda tank: (-draft.worth(tank) * alive.get(tank, 1) / (1 + antitank.target_factor(table, tank)), tank))
        for n in range(1, len(ranked) + 1):
            some = tuple(ranked[:n])
            able = sorted((u for u in free if set(some) <= set(free[u])), key=lambda u: (-antitank.fire_factor(table, u), u))
            for m in range(1, len(able) + 1):
                one = Volley(tuple(able[:m]), some, at, 0)
                chance = _chance(draft, one)
                if chance:
                    gain = int(chance * sum(draft.worth(tank) * alive.get(tank, Fraction(1)) for tank in some))
                    yield Volley(one.units, some, at, gain)


def _chance(draft: Draft, one: Volley) -> int:
    """Of six dice, how many hit."""
    table = draft.table
    fire = sum((Fraction(antitank.fire_factor(table, unit)) for unit in one.units), Fraction(0))
    against = sum((Fraction(antitank.target_factor(table, tank)) for tank in one.targets), Fraction(0))
    return hit_chance(table, fire, against, sum(m.n for m in antitank.modifiers(table, one.units, one.at)))
