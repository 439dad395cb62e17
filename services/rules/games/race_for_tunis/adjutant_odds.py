"""What a battle may bring, in hundredths of a combat factor: by the table of the game, never by rules of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.odds import base, crt

WAYS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
"""In how many of 36 ways two dice make each sum."""
EVEN_LOSS = "1:2"
"""The column on which an exchange takes all attackers."""
DRIVEN_OFF = 12
"""Hundredths of its worth that a side loses in a retreat."""


@dataclass(frozen=True)
class Prospect:
    """A battle as it may come: strengths; of each side what it is worth and what it counts for losses; of the defenders what guns among
    them are worth, that a retreat costs; whether they have nowhere to go; and what it is worth to empty their hex."""

    attack: Fraction
    defence: Fraction
    ours: int
    our_cf: int
    theirs: int
    their_cf: int
    guns: int
    trapped: bool
    prize: int


def results(table: Table) -> Sequence[Sequence[tuple[int, str]]]:
    """Of each column, in how many of 36 ways each result comes."""

    def found() -> list[list[tuple[int, str]]]:
        chart = crt(table)
        rows: list[list[tuple[int, str]]] = []
        for n in range(len(chart.columns)):
            ways: dict[str, int] = {}
            for dice, often in WAYS.items():
                result = str(chart.result(n, dice))
                ways[result] = ways.get(result, 0) + often
            rows.append([(often, result) for result, often in ways.items()])
        return rows

    return table.remembered("adjutant-results", found)


def gain(table: Table, one: Prospect, raised: int = 0) -> int:
    """What a battle may bring its attacker; below 1:5 he loses all."""
    start = base(table, one.attack, one.defence)
    if start is None:
        return -one.ours
    columns = results(table)
    n = min(len(columns) - 1, start + raised)
    at_half = str(crt(table).columns[n]) == EVEN_LOSS
    return sum(often * value_of(one, result, at_half) for often, result in columns[n]) // 36


def value_of(one: Prospect, result: str, at_half: bool = False) -> int:
    """What a result brings the attacker."""
    if result == "DE":
        return one.theirs + one.prize
    if result.startswith("DR"):
        if one.trapped:
            return one.theirs + one.prize
        lost = one.guns + (one.theirs - one.guns) * DRIVEN_OFF // 100
        return lost + one.prize * (40 if result == "DR1" else 90) // 100
    if result == "Ex":
        paid = _share(one.theirs, one.our_cf, one.their_cf) if at_half else _share(one.ours, one.their_cf, one.our_cf)
        return paid - one.ours if at_half else one.theirs + one.prize - paid
    if result == "AE":
        return -_share(one.ours, one.their_cf, one.our_cf) - one.ours * DRIVEN_OFF // 100
    if result.startswith("AR"):
        return -one.ours * DRIVEN_OFF // 100
    return 0


def _share(worth: int, need: int, total: int) -> int:
    """What a side loses of its worth that has to pay ``need`` of a ``total``."""
    return worth if need >= total else worth * need // max(1, total)
