"""Beda Fomm by mail: what a side orders before the other must decide goes as one text, and each text does what its lines did one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.model import GameState
from tests.e2e.correspondence import Mail, Post, mean

POST = Post("beda-fomm", "historical")


def at_tempo(state: GameState, tempo: str) -> GameState:
    return replace(state, options={**state.options, "tempo": tempo})


@pytest.fixture(scope="module")
def game() -> list[Mail]:
    return list(POST.correspondence(POST.start(tempo="normal")))


def test_a_whole_game_takes_six_mails_a_game_turn_at_most(game: list[Mail]) -> None:
    assert POST.turn(game[-1].before) == 28 or game[-1].after.own["vp"] >= 11
    assert game[-1].after.over is not None
    print(f"normal: {mean(game):.2f} mails a game-turn; over: {game[-1].after.over}")
    assert mean(game) <= 6


def test_what_was_ordered_bit_by_bit_may_as_well_be_sent_as_one_text(game: list[Mail]) -> None:
    for mail in game:
        state = POST.sent(mail)
        assert (state.path, state.own, state.counters) == (mail.after.path, mail.after.own, mail.after.counters), POST.text(mail)


def test_every_tempo_has_its_number_of_mails(game: list[Mail]) -> None:
    """Two game-turns in the midst of the fighting, from the same position."""
    start = next(mail.before for mail in game if mail.turn == game[-1].turn // 2)
    found = {tempo: mean(list(POST.correspondence(at_tempo(start, tempo), 2))) for tempo in ("blitz", "full")}
    print({tempo: round(mails, 2) for tempo, mails in found.items()})
    assert found["blitz"] == 2


def test_everything_that_happens_is_told_in_words_and_every_template_can_be_used(game: list[Mail]) -> None:
    for number, mail in enumerate(game):
        assert POST.untold(mail, whole=number % 8 == 0) == []
