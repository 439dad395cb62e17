"""Race for Tunis by mail: with standing orders on both sides a player-turn is one mail, and each does what its lines did one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.model import GameState
from tests.e2e.correspondence import Mail, Post, mean, most

POST = Post("race-for-tunis", "eilbote")
ALL_RULES = dict.fromkeys(("air", "weather", "counterbattery", "landings", "more_replacements", "wadi_towns"), True)
BEFOREHAND = {
    "axis": "RETREAT ALL TO 0813,0711",
    "allied": "RETREAT ALL TO 1320,2321 ROAD YES",
}


def with_standing_orders(state: GameState) -> GameState:
    """Each side says once what counts in every window: guns and fighters, losses, retreats, advances."""
    for side, retreat in BEFOREHAND.items():
        lines = [
            "STANDING ON ALLOTMENT SUPPORT MAXIMISE",
            "STANDING ON ALLOTMENT INTERCEPT ALL AT HIGHEST KEEP 1",
            f"STANDING ON RETREAT {retreat}",
            "STANDING ON ADVANCE ADVANCE MAX 1",
            "STANDING ON LOSSES PASS",
            "STANDING ON EXCESS PASS",
        ]
        state = POST.take(state, side, lines, bytes(32))
        assert len(state.standing[side]) == len(lines)
    return state


@pytest.fixture(scope="module")
def game() -> list[Mail]:
    return list(POST.correspondence(with_standing_orders(POST.start(tempo="normal", **ALL_RULES))))


def test_with_standing_orders_a_whole_game_takes_two_mails_a_game_turn(game: list[Mail]) -> None:
    assert (POST.turn(game[-1].before), game[-1].after.over is not None) == (7, True)
    assert (len(game), most(game), mean(game)) == (14, 2, 2)
    used = {str(event.data.get("source")) for mail in game for event in mail.events if event.kind == "decided"}
    assert "standing" in used
    kinds = {event.kind for mail in game for event in mail.events}
    assert {"battle", "retreated", "advanced", "eliminated", "air_mission", "interceptor", "air_fight", "weather", "points"} <= kinds


def test_what_was_ordered_bit_by_bit_may_as_well_be_sent_as_one_text(game: list[Mail]) -> None:
    for mail in game:
        state = POST.sent(mail)
        assert (state.path, state.own, state.counters) == (mail.after.path, mail.after.own, mail.after.counters), POST.text(mail)


def test_without_standing_orders_the_tempo_says_how_often_a_side_is_asked(game: list[Mail]) -> None:
    """One game-turn in the midst of the fighting, from the same position."""
    start = replace(next(mail.before for mail in game if mail.turn == 3), standing={})
    found = {
        tempo: mean(list(POST.correspondence(replace(start, options={**start.options, "tempo": tempo}), 1)))
        for tempo in ("blitz", "normal", "full")
    }
    print(found)
    assert found["blitz"] == 2  # the adjutant says nothing beforehand: it is asked for advances in its own player-turn as well
    assert 2 < found["normal"] <= found["full"] <= 8


def test_everything_that_happens_is_told_in_words_and_every_template_can_be_used(game: list[Mail]) -> None:
    for number, mail in enumerate(game):
        assert POST.untold(mail, whole=number % 4 == 0) == []
