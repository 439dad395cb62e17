"""The Fall of Tobruk by mail: its set-up is a mail of each side, with standing orders on both sides a player-turn is one more.

Each does what its lines did one by one.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.model import GameState
from tests.e2e.correspondence import Mail, Post, mean, most

POST = Post("fall-of-tobruk", "gazala")
BEFOREHAND = (
    "STANDING ON FIRST-FIRE FIRE ALL",
    "STANDING ON ANTITANK FIRE ALL",
    "STANDING ON SLIP SLIP NEVER",
    "STANDING ON MINE-LOSSES LOSE CHEAPEST",
    "STANDING ON LOSSES LOSE CHEAPEST SPLIT YES",
    "STANDING ON RETREAT RETREAT POLICY AVOID ZOC,MINE",
    "STANDING ON ADVANCE ADVANCE MAX 1",
)
"""What each side says once: an answer for every window of the other side's player-turn."""


def with_standing_orders(state: GameState) -> GameState:
    for side in POST.module.data.sides:
        state = POST.take(state, side, BEFOREHAND, bytes(32))
        assert len(state.standing[side]) == len(BEFOREHAND)
    return state


@pytest.fixture(scope="module")
def game() -> list[Mail]:
    return list(POST.correspondence(with_standing_orders(POST.start(tempo="normal"))))


def test_with_standing_orders_a_whole_game_takes_two_mails_a_game_turn(game: list[Mail]) -> None:
    assert (POST.turn(game[-1].before), game[-1].after.over is not None) == (30, True)
    assert [mail.side for mail in game[:2]] == ["allied", "axis"]
    assert {order.verb for order in game[0].orders} == {
        "PLACE",
        "DONE",
    }  # the Allies set up by a mail of their own, the Axis with its first
    assert (most(game), len(game) <= 62, mean(game) <= 2) == (2, True, True)
    used = {str(event.data.get("source")) for mail in game for event in mail.events if event.kind == "decided"}
    assert "standing" in used
    kinds = {event.kind for mail in game for event in mail.events}
    fought = {"shelled", "shot", "battle", "overrun", "retreated", "advanced", "eliminated", "wrecked", "disrupted", "roused", "freed"}
    assert fought | {"placed", "arrived", "refitted", "reserve_used", "recovered", "scrapped", "tobruk_held"} <= kinds


def test_what_was_ordered_bit_by_bit_may_as_well_be_sent_as_one_text(game: list[Mail]) -> None:
    for mail in game:
        state = POST.sent(mail)
        assert (state.path, state.own, state.counters) == (mail.after.path, mail.after.own, mail.after.counters), POST.text(mail)


def test_without_standing_orders_the_tempo_says_how_often_a_side_is_asked(game: list[Mail]) -> None:
    """One game-turn in the midst of the fighting, from the same position."""
    start = replace(next(mail.before for mail in game if mail.turn == 2), standing={})
    found = {
        tempo: mean(list(POST.correspondence(replace(start, options={**start.options, "tempo": tempo}), 1)))
        for tempo in ("blitz", "normal", "full")
    }
    print(found)
    assert found["blitz"] == 2
    assert 2 < found["normal"] <= 6
    assert found["full"] >= found["normal"]


def test_everything_that_happens_is_told_in_words_and_every_template_can_be_used(game: list[Mail]) -> None:
    for number, mail in enumerate(game):
        assert POST.untold(mail, whole=number % 4 == 0) == []
