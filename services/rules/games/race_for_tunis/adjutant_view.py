"""What the adjutant knows: the view of its side, which hides nothing of the board; and what units are worth to it."""

from __future__ import annotations

from services.rules.engine import draft
from services.rules.engine.draft import Seen
from services.rules.engine.module import GameModule
from services.rules.games.race_for_tunis.state import defence_value, is_artillery, value

SHOWN = ("date", "last_turn", "vp", "control", "due", "coming", "interdicted", "supply", "ezoc")
"""What a view tells beside what the state holds."""


class Draft(draft.Draft):
    """A packet in the making; ``left``: the game-turns after this one."""

    def __init__(self, module: GameModule, seen: Seen) -> None:
        super().__init__(module, seen, SHOWN)
        self.left: int = seen["own"]["last_turn"] - self.table.turn

    def worth(self, unit: str) -> int:
        """What a unit is worth, in hundredths of a combat factor: its better factor; the range of a gun counts as part of it."""
        table = self.table
        best = max(value(table, unit, "attack"), defence_value(table, unit))
        return 100 * best + (20 * value(table, unit, "ma") if not is_artillery(table, unit) else 0)
