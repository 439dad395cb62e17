"""The adjutant's openings: companies rejoin, and who was lost is bought back, the dearest first."""

from __future__ import annotations

from services.rules.games.race_for_tunis import opening, replacements
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.companies import parts_of
from services.rules.games.race_for_tunis.state import ALLIED


def open_turn(draft: Draft) -> None:
    """Units are bought back while points last; companies that stand together become battalions."""
    if draft.side == ALLIED:
        units = replacements.can_be_bought(draft.table)
        for unit in sorted(units, key=lambda unit: (-replacements.price(draft.table, unit), -draft.worth(unit), unit)):
            draft.gather("REBUILD", unit=unit)
        return
    rejoin(draft)


def rejoin(draft: Draft) -> None:
    """The companies of a battalion that stand in one hex become it again: one counter counts as one, and they are none the weaker."""
    table = draft.table
    if not opening.may_rejoin(table, draft.side):
        return
    for row in table.data.charts["companies"]:
        if row["battalion"] in table.counters:
            draft.gather("REJOIN", units=list(parts_of(table, row["battalion"])), battalion=row["battalion"])
