"""Beda Fomm. ``build`` is the table of contents; each other file is a chapter of the rulebook."""

from __future__ import annotations

from dataclasses import replace

from scenarios.data import GameData
from services.rules.engine.module import GameModule
from services.rules.games.beda_fomm.adjutant import adjutant
from services.rules.games.beda_fomm.editing import EDITING
from services.rules.games.beda_fomm.ground import survey
from services.rules.games.beda_fomm.guards import GUARDS
from services.rules.games.beda_fomm.legal import legal
from services.rules.games.beda_fomm.sequence import SEQUENCE_OF_PLAY, static
from services.rules.games.beda_fomm.setup import new_game
from services.rules.games.beda_fomm.view import view_counter, view_own


def build(data: GameData) -> GameModule:
    """The rules of Beda Fomm over a package. What is worked out from the board once goes beside its charts, as ``@ground``."""
    return GameModule(
        "beda-fomm",
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
