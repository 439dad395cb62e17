"""The adjutant: a player who sees one side's view and nothing else (docs/adjutant.md).

Each call gives the orders of one step, or up to dice that may change what it wants, or the answer to one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.rules.engine.draft import Seen
from services.rules.engine.model import Order
from services.rules.engine.module import GameModule
from services.rules.games.beda_fomm import adjutant_attack, adjutant_british, adjutant_fire, adjutant_italian, adjutant_setup
from services.rules.games.beda_fomm.adjutant_answers import answer
from services.rules.games.beda_fomm.adjutant_view import Draft
from services.rules.games.beda_fomm.state import BRITISH, ITALIAN


def adjutant(module: GameModule, seen: Seen) -> tuple[Order, ...]:
    """Orders for the side of a view: an answer if it must decide, else those of its open step; none if it has nothing to do."""
    if seen["over"] is not None or seen["side"] not in seen["waiting_for"]:
        return ()
    draft = Draft(module, seen)
    if seen["pending"]:
        answer(draft, seen["pending"][0])
    else:
        finished = STEPS[seen["step"]["name"]](draft) is not False
        if finished and draft.table.over is None:
            draft.done()
    return tuple(draft.orders)


def _move(draft: Draft) -> None:
    (adjutant_italian if draft.side == ITALIAN else adjutant_british).move(draft)


def _interdict(draft: Draft) -> None:
    """British guns that have no target delay who is about to get away; the Italians have better use for theirs."""
    if draft.side == BRITISH:
        adjutant_fire.interdict(draft, adjutant_british.ahead_of_runners(draft))


STEPS: Mapping[str, Callable[[Draft], bool | None]] = {
    "british set-up": adjutant_setup.place_all,
    "convoys": adjutant_setup.form_all,
    "parking": adjutant_italian.park,
    "movement": _move,
    "interdiction": _interdict,
    "reaction barrage": adjutant_fire.bombard,
    "barrage": adjutant_fire.bombard,
    "reaction antitank": adjutant_fire.shoot,
    "antitank": adjutant_fire.shoot,
    "declaration": adjutant_attack.attack,
    "defensive support": adjutant_attack.support,
}
"""Step -> what is ordered in it; False where the step stays open."""
