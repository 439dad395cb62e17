"""The adjutant's selective attacks: one battalion of a stack singled out, the rest attacked beside it, where that promises more (11.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine.positions import units_at
from services.rules.games.race_for_tunis.adjutant_odds import Prospect, gain
from services.rules.games.race_for_tunis.adjutant_plans import factor, gun_factor, target
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.odds import defence_factor
from services.rules.games.race_for_tunis.package import maneuver_at
from services.rules.games.race_for_tunis.state import AXIS, attack_value, defence_value, is_artillery, nation_of

BETTER = 40
"""What it must promise more to divide an attack, in hundredths of a combat factor."""


@dataclass(frozen=True)
class Part:
    """An attack on a part of a stack: on one battalion, or on the rest (``only`` None)."""

    units: tuple[str, ...]
    guns: tuple[str, ...]
    only: str | None


def parted(draft: Draft, at: Hex, units: Sequence[str], guns: Sequence[str], whole: int) -> tuple[Part, Part] | None:
    """The best division of an attack on a hex that promises more than the whole; None if there is none."""
    if draft.side != AXIS or len(units) < 2 or len(maneuver_at(draft.table, at)) < 2:
        return None
    best: tuple[int, tuple[Part, Part]] | None = None
    for parts in _divisions(draft, at, units, guns):
        worth = sum(gain(draft.table, _prospect(draft, at, part, parts)) for part in parts)
        if worth > whole + BETTER and (best is None or worth > best[0]):
            best = worth, parts
    return best[1] if best else None


def _divisions(draft: Draft, at: Hex, units: Sequence[str], guns: Sequence[str]) -> Iterator[tuple[Part, Part]]:
    """One battalion or another for the strongest attackers that may single it out, for one of them, two and so on; the guns to either."""
    table = draft.table
    ranked = sorted(units, key=lambda unit: (-factor(draft, unit, at_of(table, unit), at), unit))
    able = [unit for unit in ranked if table.options["italian_selective"] or nation_of(table, unit) != "italian"]
    for only in maneuver_at(table, at):
        for n in range(1, len(able) + 1):
            chosen = tuple(able[:n])
            rest = tuple(unit for unit in ranked if unit not in chosen)
            if rest:
                yield Part(chosen, tuple(guns), only), Part(rest, (), None)
                yield Part(chosen, (), only), Part(rest, tuple(guns), None)


def _prospect(draft: Draft, at: Hex, part: Part, parts: Sequence[Part]) -> Prospect:
    table, whole = draft.table, target(draft, at)
    alone = next(one.only for one in parts if one.only)
    theirs = [part.only] if part.only else [unit for unit in units_at(table, at) if unit != alone]
    attack = sum((factor(draft, unit, at_of(table, unit), at) for unit in part.units), Fraction(0))
    attack += sum((gun_factor(draft, gun, at_of(table, gun), at) for gun in part.guns), Fraction(0))
    return Prospect(
        attack,
        sum((defence_factor(table, unit) for unit in theirs), Fraction(0)) + whole.support,
        sum(draft.worth(unit) for unit in part.units),
        sum(attack_value(table, unit) for unit in part.units),
        sum(draft.worth(unit) for unit in theirs),
        sum(defence_value(table, unit) for unit in theirs),
        sum(draft.worth(unit) for unit in theirs if is_artillery(table, unit)),
        False,
        whole.prize // 3,
    )
