"""4. Victory levels, and the three ways in which the game ends."""

import pytest

from tests.rules.beda_fomm.positions import DONE, Game, order, position

UNITS = "T-1:parked@1720 2RB-D@3310"


def last_turn(vp: int, turn: int = 28) -> Game:
    """The British end the player-turn of a game-turn; nothing can shoot, so that it closes whole."""
    game = position(UNITS, side="british", turn=turn, own={"vp": vp})
    game.british(DONE)
    return game


@pytest.mark.rule("beda-fomm", "4.0a", "4.2a", "4.2b", "4.2c", "4.3b")
@pytest.mark.parametrize(
    ("vp", "winner", "level"),
    [
        (0, "british", "decisive"),
        (1, "british", "marginal"),
        (5, "british", "marginal"),
        (6, "italian", "marginal"),
        (10, "italian", "marginal"),
    ],
)
def test_after_the_last_game_turn_the_points_tell_who_has_won(vp, winner, level):
    game = last_turn(vp)
    assert (game.state.over.winner, game.state.over.level) == (winner, level)


@pytest.mark.rule("beda-fomm", "4.2d", "4.0a")
@pytest.mark.parametrize("vp", [11, 12, 40])
def test_eleven_points_or_more_are_a_decisive_win_of_the_italians(vp):
    assert (last_turn(vp).state.over.winner, last_turn(vp).state.over.level) == ("italian", "decisive")


@pytest.mark.rule("beda-fomm", "2.0u", "2.0v", "4.3b")
def test_the_game_has_twenty_eight_turns_and_a_turn_ends_with_the_british():
    game = last_turn(0, turn=27)
    assert (game.place, game.state.over) == ("28 italian parking", None)
    game.italian(DONE, DONE)
    assert (game.place, game.state.over) == ("28 british movement", None)
    game.british(DONE)
    assert game.state.over is not None
    assert game.state.over.why == "4.2a"


@pytest.mark.rule("beda-fomm", "4.3a")
@pytest.mark.parametrize(("side", "winner"), [("italian", "british"), ("british", "italian")])
def test_either_side_may_resign_at_any_time(side, winner):
    game = position(UNITS, own={"vp": 7})
    game.send(side, order("CONCEDE", confirm=True))
    assert (game.state.over.winner, game.state.over.level) == (winner, "concession")
    game.italian(DONE)
    assert game.codes() == ["game-over"]
