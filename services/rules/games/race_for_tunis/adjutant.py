"""The adjutant: a player who sees one side's view and nothing else (docs/adjutant.md).

Each call gives the orders of one step, or the answer to one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.rules.engine.draft import Seen
from services.rules.engine.model import Order
from services.rules.engine.module import GameModule
from services.rules.games.race_for_tunis import adjutant_answers, adjutant_attack, adjutant_landings, adjutant_move, adjutant_opening
from services.rules.games.race_for_tunis.adjutant_view import Draft


def adjutant(module: GameModule, seen: Seen) -> tuple[Order, ...]:
    """Orders for the side of a view: an answer if it must decide, else those of its open step; none if it has nothing to do."""
    if seen["over"] is not None or seen["side"] not in seen["waiting_for"]:
        return ()
    draft = Draft(module, seen)
    if seen["pending"]:
        adjutant_answers.answer(draft, seen["pending"][0])
    else:
        STEPS[seen["step"]["name"]](draft)
        draft.done()
    return tuple(draft.orders)


STEPS: Mapping[str, Callable[[Draft], None]] = {
    "opening": adjutant_opening.open_turn,
    "movement": adjutant_move.move,
    "rejoin": adjutant_opening.rejoin,
    "landings": adjutant_landings.land,
    "landed": adjutant_move.landed,
    "package": adjutant_attack.attack,
    "allotment": adjutant_answers.allot,
}
"""Step -> what is ordered in it."""
