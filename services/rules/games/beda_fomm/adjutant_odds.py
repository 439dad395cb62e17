"""What fire and fights may bring, in hundredths of the worth of units: by the tables of the game, never by rules of thumb."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenarios.hexes import Hex
from services.rules.engine.combat import odds
from services.rules.engine.positions import units_at
from services.rules.games.beda_fomm import antitank, barrage
from services.rules.games.beda_fomm.adjutant_view import Draft, worth
from services.rules.games.beda_fomm.checks import RETREATS, severity
from services.rules.games.beda_fomm.crt import column_at, crt
from services.rules.games.beda_fomm.guns import factor_at
from services.rules.games.beda_fomm.state import ITALIAN, is_parked, morale, parent_of

DRIVEN_OFF = 35
"""Hundredths of its worth that a unit loses in a retreat."""
PASSED, NEARLY_OUT = 32, 38
"""Rows from which on an Italian has got past the block, and from which on he retreats off the map."""
SHAKEN = 10
"""Hundredths of its worth by which the others of its parent suffer with it."""
WAYS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
"""In how many of 36 ways two dice make each sum."""


def driven_off(draft: Draft, unit: str) -> int:
    """Hundredths of its worth that a unit loses in a retreat: an Italian near the south edge is driven where he wants to go."""
    at = draft.place(unit)
    if at is None or draft.table.counters[unit].side != ITALIAN or at.row < PASSED:
        return DRIVEN_OFF
    return -DRIVEN_OFF if at.row < NEARLY_OUT else -100


def hurt(draft: Draft, unit: str, result: str) -> int:
    """What a result of a table costs a unit, in hundredths of a point of worth."""
    table = draft.table
    price = worth(draft, unit)
    if result == "E":
        return price * (100 + SHAKEN)
    level, n = morale(table, parent_of(table, unit)), severity(result)
    total = 0
    for dice, often in WAYS.items():
        beyond = dice + n - level
        if beyond > RETREATS or (beyond > 0 and is_parked(table, unit)):
            total += often * (100 + SHAKEN)
        elif beyond > 0:
            total += often * (driven_off(draft, unit) + SHAKEN)
    return price * total // 36


def barrage_gain(draft: Draft, guns: Iterable[str], target: Hex) -> int:
    """What an attack barrage may bring."""
    table = draft.table
    factors = sum(factor_at(table, gun, target) for gun in guns)
    total = 0
    for unit in units_at(table, target):
        column = barrage.column_for(table, unit, factors)
        if column is None:
            continue
        for die in range(1, 7):
            result = barrage.table_result(table, column, die)
            total += hurt(draft, unit, result) if result != "-" else 0
    return total // 6


def battle_gain(draft: Draft, attack: int, defence: int, ours: Sequence[str], theirs: Sequence[str], prize: int) -> int:
    """What a regular combat may bring: what it costs the defenders, and a prize if the hex falls, less what it costs the attackers."""
    table = draft.table
    _, column = column_at(table, attack, defence)
    total = 0
    for die in range(1, 7):
        result = crt(table).result(column, die)
        if result.startswith("D"):
            total += sum(hurt(draft, unit, result[1:]) for unit in theirs) + (prize if result == "DE" else prize // 4)
        else:
            total -= sum(hurt(draft, unit, result[1:]) for unit in ours)
    return total // 6


def shot_chance(draft: Draft, fire: int, against: int) -> int:
    """Of six shots with some antitank factors at a defence, how many hit."""
    chart = antitank.table_of(draft.table)
    column = len(chart.columns) - 1 if against == 0 else chart.column(odds(fire, against)) if fire > 0 else None
    return 0 if column is None else sum(chart.result(column, die) == "DE" for die in range(1, 7))
