"""Strengths in normal combat as mines, disruption, supply and an overrun make them, and the column on which an attack is fought."""

from __future__ import annotations

from fractions import Fraction

from services.rules.engine.combat import CombatResultsTable, odds
from services.rules.engine.model import Exact
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import overrun, supply
from services.rules.games.fall_of_tobruk.assault import Record, across_mines, attackers, defenders, live_hexes
from services.rules.games.fall_of_tobruk.ground import shift
from services.rules.games.fall_of_tobruk.state import current


def crt(table: Table) -> CombatResultsTable:
    """The Combat Results Table."""
    return table.remembered("crt", lambda: CombatResultsTable.of_chart(table.data.charts["combat"]))


def column(table: Table, one: Record) -> tuple[str, int] | None:
    """The column on which an attack is fought as things stand, as printed and by index; None below 1:5."""
    attack, defence = strengths(table, one)
    if attack <= 0:
        return None
    columns = crt(table).columns
    found = crt(table).column(odds(attack, defence)) if defence > 0 else len(columns) - 1  # combat.8 combat.10
    if found is None:
        return None  # combat.11
    found -= uphill(table, one)  # tec.6
    return (str(columns[found]), found) if found >= 0 else None


def uphill(table: Table, one: Record) -> int:
    """The columns by which high ground makes an attack worse: those of one attacked hex, however many there are (FT-19, FT-21)."""
    return max((shift(table, at) for at in live_hexes(table, one)), default=0)


def strengths(table: Table, one: Record) -> tuple[Fraction, Fraction]:
    """Attack and defence as things stand, exact (combat.7, FT-23)."""
    attack = [attack_factor(table, unit, one) for unit in attackers(table, one)]  # combat.7
    defence = [Fraction(defence_factor(table, unit)) for unit in defenders(table, one)]  # combat.4
    return sum(attack, Fraction(0)), sum(defence, Fraction(0))


def attack_factor(table: Table, unit: str, one: Record) -> Fraction:
    """What an attacker counts: its factor, half if disrupted, half across mines, half out of supply, twice in an overrun."""
    rule = table.data.charts["costs"]
    times = Fraction(1)
    if across_mines(table, (unit,), live_hexes(table, one)):
        times *= rule["modifiers"]["mines"]  # minefields.7
    times *= supply.factor(table, unit)  # supply.4 supply.14
    return times * overrun.factor(table, one) * current(table, unit, "combat")


def defence_factor(table: Table, unit: str) -> Exact:
    """What a defender counts: its factor, half if disrupted; artillery and those out of supply too (artillery.12, disrupt.15, supply.2)."""
    return current(table, unit, "combat")  # artillery.12 disrupt.15
