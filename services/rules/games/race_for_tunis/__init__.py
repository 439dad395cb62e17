"""Race for Tunis. ``build`` is the table of contents; each other file is a chapter of the rulebook."""

from __future__ import annotations

from dataclasses import replace

from scenarios.data import GameData
from services.rules.engine.module import GameModule
from services.rules.games.race_for_tunis.adjutant import adjutant
from services.rules.games.race_for_tunis.editing import EDITING
from services.rules.games.race_for_tunis.ground import survey
from services.rules.games.race_for_tunis.guards import GUARDS
from services.rules.games.race_for_tunis.legal import legal
from services.rules.games.race_for_tunis.sequence import SEQUENCE_OF_PLAY, SPLIT, static
from services.rules.games.race_for_tunis.setup import new_game
from services.rules.games.race_for_tunis.view import view_counter, view_own


def build(data: GameData) -> GameModule:
    """The rules of Race for Tunis over a package. What is worked out from the board once goes beside its charts, as ``@ground``."""
    return GameModule(
        "race-for-tunis",
        replace(data, charts={**data.charts, "@ground": survey(data)}),
        SEQUENCE_OF_PLAY,
        new_game,
        view_counter,
        view_own,
        legal,
        static=static,
        guards=GUARDS,
        anytime=(SPLIT,),
        adjutant=adjutant,
        editing=EDITING,
    )
