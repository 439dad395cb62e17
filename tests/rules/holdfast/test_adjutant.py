"""The adjutant: a game that plays itself, from what each side may see."""

from __future__ import annotations

from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice, game_key, packet_seed
from services.rules.engine.view import view
from services.rules.schemas.state import digest_of
from services.rules.selfplay import play
from tests.rules.holdfast.positions import module
from tests.rules.holdfast.test_properties import check_conserved

SECRET = f"{7:064x}"


def test_a_game_plays_itself_by_legal_orders_and_the_same_again() -> None:
    outcomes = list(play(module(), "campaign-1", {}, SECRET, turns=3))
    start = outcomes[0][1].state
    state = start
    n = 0
    for packet, outcome in outcomes[1:]:
        assert packet is not None
        assert outcome.status == "done"
        assert not outcome.rejections
        check_conserved(outcome.state, start)
        n += 1
        seed = packet_seed(game_key(SECRET, ()), "holdfast/campaign-1", 0, n)
        again = adjudicate(module(), state, packet, SeededDice(seed))
        assert digest_of(again.state) == digest_of(outcome.state)
        n -= not outcome.ran
        state = outcome.state
    assert view(module(), state, None)["turn"] == 4
