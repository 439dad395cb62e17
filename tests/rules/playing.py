"""A game of the adjutant against itself, for the tests of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.module import GameModule
from services.rules.schemas.state import digest_of
from services.rules.selfplay import play


def legal_digests(module: GameModule, scenario: str, options: Mapping[str, Any], secret: str, turns: int) -> list[str]:
    """The digests of all positions of a game whose every order stands."""
    found = []
    for packet, outcome in play(module, scenario, options, secret, turns=turns):
        assert packet is None or not outcome.rejections
        assert not [event for event in outcome.events if event.kind in ("line_skipped", "script_stopped")]
        found.append(digest_of(outcome.state))
    return found
