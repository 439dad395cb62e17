"""The opening of a game: a scenario laid out, and played on to the first step that waits for somebody."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence

from services.rules.engine.adjudication import begin
from services.rules.engine.canonical import canonical
from services.rules.engine.dice import SeededDice, game_key, packet_seed
from services.rules.engine.model import Json, Outcome, Side
from services.rules.engine.module import GameModule


def opening(module: GameModule, scenario: str, options: Mapping[str, Json], secret: str, words: Sequence[tuple[Side, str]] = ()) -> Outcome:
    """Lay out a scenario of the module. ``secret``: the game's, in hex; ``words``: those of its players, ``[[side, word], ...]``.

    What is thrown at the start falls by the game's key, as all throws do, under the packet number 0 that no packet ever has.
    """
    name = f"{module.key}/{scenario}"
    hidden = hmac.digest(bytes.fromhex(secret), canonical(["hidden", name]), "sha256").hex()
    chosen = {key: spec.default for key, spec in module.data.options.items()} | dict(options)
    laid_out = module.new_game(module.data, module.data.scenarios[scenario], chosen, hidden)
    return begin(module, laid_out, SeededDice(packet_seed(game_key(secret, words), name, 0, 0)))
