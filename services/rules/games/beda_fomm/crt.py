"""12.0 The Combat Results Table, and the column on which two strengths fight."""

from __future__ import annotations

from services.rules.engine.combat import CombatResultsTable, Odds, odds
from services.rules.engine.table import Table

HIGHEST = 10**6
"""A ratio above every column of a table."""


def crt(table: Table) -> CombatResultsTable:
    """The Combat Results Table."""
    rows = table.data.charts["combat"]
    columns = [key for key in rows[0] if key != "die"]
    return CombatResultsTable.read([["die", *columns], *([str(row["die"]), *(row[key] for key in columns)] for row in rows)])


def column_at(table: Table, attack: int, defence: int) -> tuple[str, int]:
    """The column of the table for two strengths, as printed and by index: rounded for the defender, a defence of 0 and odds beyond the
    last column on the last, odds below the first on the first (12.0r, BF-R73)."""
    chart = crt(table)
    ratio = odds(attack, defence) if defence > 0 else Odds(HIGHEST, 1)  # 12.0r
    found = chart.column(ratio)
    n = 0 if found is None else found
    return str(chart.columns[n]), n
