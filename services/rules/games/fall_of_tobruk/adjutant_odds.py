"""What a battle and a shot may bring, in hundredths of a combat factor: by the tables of the game, never by rules of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from services.rules.engine.combat import odds
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.antitank import at_table
from services.rules.games.fall_of_tobruk.odds import crt

WAYS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
"""In how many of 36 ways two dice make each sum."""
EVEN_LOSS = "1:2"
"""The column on which an exchange takes all attackers."""
DRIVEN_OFF = 10
"""Hundredths of its worth that a side loses in a retreat."""
HURT = 18
"""Hundredths of its worth that an overrun costs defenders that are disrupted by it."""


@dataclass(frozen=True)
class Prospect:
    """A battle as it may come: strengths in eighths; of each side what it is worth and what it counts for losses; columns by which the
    ground makes it worse; whether defenders ignore retreats; whether they have nowhere to go; whether it is an overrun; and what it is
    worth to empty their hex."""

    attack: int
    defence: int
    ours: int
    our_cf: int
    theirs: int
    their_cf: int
    shift: int
    boxed: bool
    trapped: bool
    overrun: bool
    prize: int


def results(table: Table) -> Sequence[Sequence[tuple[int, str]]]:
    """Of each column, in how many of 36 ways each result comes."""
    chart = crt(table)
    rows: list[list[tuple[int, str]]] = []
    for n in range(len(chart.columns)):
        ways: dict[str, int] = {}
        for dice, often in WAYS.items():
            result = chart.result(n, dice).upper()
            ways[result] = ways.get(result, 0) + often
        rows.append([(often, result) for result, often in ways.items()])
    return rows


def column(table: Table, attack: int, defence: int, shift: int) -> int | None:
    """The column of a battle; None below 1:5."""
    if attack <= 0:
        return None
    found = crt(table).column(odds(attack, defence)) if defence > 0 else len(crt(table).columns) - 1
    return None if found is None or found < shift else found - shift


def gain(table: Table, rows: Sequence[Sequence[tuple[int, str]]], one: Prospect) -> int:
    """What a battle may bring its attacker; below 1:5 he loses all."""
    n = column(table, one.attack, one.defence, one.shift)
    if n is None:
        return -one.ours
    at_half = str(crt(table).columns[n]) == EVEN_LOSS
    made = sum(often * value_of(one, result, at_half) for often, result in rows[n]) // 36
    return made + (one.theirs * HURT // 100 if one.overrun else 0)


def value_of(one: Prospect, result: str, at_half: bool = False) -> int:
    """What a result brings the attacker."""
    if result == "DE":
        return one.theirs + one.prize
    if result.startswith("DB"):
        if one.boxed:
            return 0
        lost = one.theirs * (45 if one.trapped else DRIVEN_OFF) // 100
        return lost + one.prize * (50 if result == "DB1" else 90) // 100
    if result == "EX":
        paid = _share(one.theirs, one.our_cf, one.their_cf) if at_half else _share(one.ours, one.their_cf, one.our_cf)
        return paid - one.ours if at_half else one.theirs + one.prize - paid
    if result == "AE":
        return -_share(one.ours, one.their_cf, one.our_cf) - one.ours * DRIVEN_OFF // 100
    if result.startswith("AB"):
        return -one.ours * DRIVEN_OFF // 100
    return 0


def _share(worth: int, need: int, total: int) -> int:
    """What a side loses of its worth that has to pay ``need`` of a ``total``."""
    return worth if need >= total else worth * need // max(1, total)


def hit_chance(table: Table, fire: Fraction | int, against: Fraction | int, drm: int = 0) -> int:
    """Of six shots with some antitank factors at a defence, how many hit."""
    chart = at_table(table)
    if fire <= 0:
        return 0
    found = chart.column(odds(fire, against)) if against > 0 else len(chart.columns) - 1
    if found is None:
        return 0
    return sum(1 for die in range(1, 7) if die + drm in chart.rows and chart.result(found, die + drm) == "X")
