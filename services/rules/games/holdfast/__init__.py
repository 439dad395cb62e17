"""Holdfast: North Africa 1941-42. ``build`` is the table of contents; each other file is a chapter of the rulebook."""

from __future__ import annotations

from dataclasses import replace

from scenarios.data import GameData
from services.rules.engine.module import GameModule
from services.rules.games.holdfast.adjutant import adjutant
from services.rules.games.holdfast.editing import EDITING
from services.rules.games.holdfast.ground import survey
from services.rules.games.holdfast.guards import GUARDS
from services.rules.games.holdfast.legal import legal
from services.rules.games.holdfast.sequence import SEQUENCE_OF_PLAY, static
from services.rules.games.holdfast.setup import new_game
from services.rules.games.holdfast.view import view_counter, view_own


def build(data: GameData) -> GameModule:
    """The rules of Holdfast over a package. What is worked out from the board once goes beside its charts, as ``@ground``."""
    return GameModule(
        "holdfast",
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
