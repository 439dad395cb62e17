"""The adjutant: a player who sees one side's view and nothing else (docs/adjutant.md).

Each call gives the orders of one step, or up to dice that may change what it wants, or the answer to one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.rules.engine.draft import Seen
from services.rules.engine.model import Order
from services.rules.engine.module import GameModule
from services.rules.games.fall_of_tobruk import (
    adjutant_answers,
    adjutant_attack,
    adjutant_fire,
    adjutant_guns,
    adjutant_move,
    adjutant_opening,
    antitank,
    assault,
    opening,
    placement,
    repair,
)
from services.rules.games.fall_of_tobruk.adjutant_view import Draft


def adjutant(module: GameModule, seen: Seen) -> tuple[Order, ...]:
    """Orders for the side of a view: an answer if it must decide, else those of its open step; none if it has nothing to do."""
    if seen["over"] is not None or seen["side"] not in seen["waiting_for"]:
        return ()
    draft = Draft(module, seen)
    if seen["pending"]:
        adjutant_answers.answer(draft, seen["pending"][0])
    elif (closes := CLOSING.get(seen["step"]["name"])) is not None:
        closes(draft)
    else:
        STEPS[seen["step"]["name"]](draft)
        draft.done()
    return tuple(draft.orders)


CLOSING: Mapping[str, Callable[[Draft], None]] = {"bombardment": adjutant_guns.bombard, "movement": adjutant_move.move}
"""Step -> what is ordered in it, and how it closes."""
STEPS: Mapping[str, Callable[[Draft], None]] = {
    **dict.fromkeys(placement.STEP_OF.values(), adjutant_opening.place_all),
    opening.NAME: adjutant_opening.new_units,
    repair.NAME: adjutant_opening.repairs,
    antitank.FIRST: adjutant_fire.shoot,
    antitank.SIMULTANEOUS: adjutant_fire.shoot,
    assault.DECLARATION: adjutant_attack.attack,
    "slip": adjutant_answers.slips,
}
"""Step -> what is ordered in it before it closes."""
