"""Self-play: the adjutant of a game plays both sides, each from its own view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice, game_key, packet_seed
from services.rules.engine.model import GameState, Json, Outcome, Packet, Side
from services.rules.engine.module import GameModule
from services.rules.engine.opening import opening
from services.rules.engine.table import Table
from services.rules.engine.view import view

MOST_PACKETS = 400
"""Packets that a game-turn may take; more is an adjutant that goes round in circles (our bug)."""


def play(
    module: GameModule, scenario: str, options: Mapping[str, Json], secret: str, turns: int | None = None
) -> Iterator[tuple[Packet | None, Outcome]]:
    """A game of the adjutant against itself, packet by packet with what came of each; first the opening, which has none.

    It ends with the game, or when ``turns`` game-turns have been played. Same arguments, same game. RuntimeError if a packet is refused
    or the game sticks.
    """
    name, key = f"{module.key}/{scenario}", game_key(secret, ())
    outcome = opening(module, scenario, options, secret)
    yield None, outcome
    n = in_turn = 0
    turn = 1
    while outcome.state.over is None and (turns is None or turn <= turns):
        state = outcome.state
        packet = next_packet(module, state, f"adjutant-{n + 1}")
        outcome = adjudicate(module, state, packet, SeededDice(packet_seed(key, name, 0, n + 1)))
        n += outcome.ran
        yield packet, outcome
        now = Table(module, outcome.state).turn
        in_turn, turn = (in_turn + 1 if now == turn else 0), now
        if outcome.status != "done" or in_turn > MOST_PACKETS:
            raise RuntimeError(f"the adjutant sticks at {outcome.state.path}: {outcome.status}, {outcome.rejections}")


def next_packet(module: GameModule, state: GameState, packet_id: str) -> Packet:
    """What the adjutant of the side that is waited for sends."""
    assert module.adjutant is not None
    side: Side = view(module, state, None)["waiting_for"][0]
    return Packet(packet_id, side, module.adjutant(module, view(module, state, side)))
