"""Sequence of Play."""

from __future__ import annotations

from services.rules.engine.sequence import NOBODY, PHASING, Loop, PlayerTurn, Sequence, Step
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS

PLAYER_TURN = (
    Loop("sequence", (Step("movement", "seq.5", PHASING),), until=lambda _: True),
    Step("markers off", "seq.9", NOBODY),
)
SEQUENCE_OF_PLAY = Sequence(
    turn=(
        PlayerTurn(AXIS, PLAYER_TURN),  # seq.1
        PlayerTurn(ALLIED, PLAYER_TURN),  # seq.13
    ),
)
