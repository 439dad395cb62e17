"""What the adjutant knows: the view of its side, which hides nothing of the board; and what units are worth to it."""

from __future__ import annotations

from services.rules.engine import draft
from services.rules.engine.draft import Seen
from services.rules.engine.module import GameModule
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.state import combat_value, is_gun, value

SLOW = 3
"""Movement allowance of those who hold the line and do not march round it."""
SHOWN = ("date", "last_turn", "quotas", "control", "supply", "ezoc")
"""What a view tells beside what the state holds."""


class Draft(draft.Draft):
    """A packet in the making; ``left``: the game-turns after this one."""

    def __init__(self, module: GameModule, seen: Seen) -> None:
        super().__init__(module, seen, SHOWN)
        self.left: int = seen["own"]["last_turn"] - self.table.turn

    def worth(self, unit: str) -> int:
        """What a unit is worth, in hundredths of a combat factor."""
        found: int = self.lasting(("worth", unit), lambda: worth(self.table, unit))
        return found

    def forget(self, what: str) -> None:
        """What was remembered under keys that begin with a word is worked out anew: an order has changed what it hangs on."""
        self.kept = {key: found for key, found in self.kept.items() if not (isinstance(key, tuple) and key[0] == what)}


def worth(table: Table, unit: str) -> int:
    """Its combat factor, and half its antitank factor; a gun as much again as it can throw. One that is slow counts half."""
    guns = 30 * value(table, unit, "factor") if is_gun(table, unit) else 0
    found = 100 * combat_value(table, unit) + 50 * value(table, unit, "antitank") + guns
    return found // 2 if value(table, unit, "ma") <= SLOW else found
