"""What the adjutant knows: the view of its side, which in Beda Fomm is everything (6.0c); and what units are worth to it."""

from __future__ import annotations

from services.rules.engine import draft
from services.rules.engine.draft import Seen
from services.rules.engine.module import GameModule
from services.rules.games.beda_fomm.state import flag, value
from services.rules.games.beda_fomm.victory import worth as points

SHOWN = ("dark", "opening", "hushed", "due", "coming", "ezoc")
"""What a view tells beside what the state holds."""


class Draft(draft.Draft):
    """A packet in the making."""

    def __init__(self, module: GameModule, seen: Seen) -> None:
        super().__init__(module, seen, SHOWN)


def worth(draft: Draft, unit: str) -> int:
    """What it is worth to eliminate a unit: its points, twice, and its factors; a bracketed one counts half."""
    table = draft.table
    cf, at = value(table, unit, "cf"), value(table, unit, "at")
    if flag(table, unit, "at_defends"):
        at = 0
    return 2 * points(table, unit) + cf + at
