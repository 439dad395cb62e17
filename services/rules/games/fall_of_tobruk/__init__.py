"""The Fall of Tobruk. ``build`` is the table of contents; each other file is a chapter of the rulebook."""

from __future__ import annotations

from dataclasses import replace

from scenarios.data import GameData
from services.rules.engine.module import GameModule
from services.rules.games.fall_of_tobruk.adjutant import adjutant
from services.rules.games.fall_of_tobruk.editing import EDITING
from services.rules.games.fall_of_tobruk.ground import survey
from services.rules.games.fall_of_tobruk.guards import GUARDS
from services.rules.games.fall_of_tobruk.legal import legal
from services.rules.games.fall_of_tobruk.sequence import SEQUENCE_OF_PLAY, static
from services.rules.games.fall_of_tobruk.setup import new_game
from services.rules.games.fall_of_tobruk.view import view_counter, view_own


def build(data: GameData) -> GameModule:
    """The rules of The Fall of Tobruk over a package. What is worked out from the board once goes beside its charts, as ``@ground``."""
    return GameModule(
        "fall-of-tobruk",
        replace(data, charts={**data.charts, "@ground": survey(data)}),
        SEQUENCE_OF_PLAY,
        new_game,
        view_counter,
        view_own,
        legal,
        static=static,
        guards=GUARDS,
        adjutant=adjutant,
        editing=EDITING,
    )
