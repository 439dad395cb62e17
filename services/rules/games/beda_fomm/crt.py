"""12.0 The Combat Results Table, and the column on which two strengths fight."""

from __future__ import annotations

from services.rules.engine.combat import CombatResultsTable, odds
from services.rules.engine.table import Table


def crt(table: Table) -> CombatResultsTable:
    """The Combat Results Table."""
    return CombatResultsTable.of_chart(table.data.charts["combat"])


def column_at(table: Table, attack: int, defence: int) -> tuple[str, int]:
    """The column of the table for two strengths, as printed and by index: rounded for the defender, a defence of 0 and odds beyond the
    last column on the last, odds below the first, or an attack of 0, on the first (12.0r, BF-R73)."""
    chart = crt(table)
    n = len(chart.columns) - 1
    if defence > 0:
        n = (chart.column(odds(attack, defence)) or 0) if attack > 0 else 0  # 12.0r
    return str(chart.columns[n]), n
