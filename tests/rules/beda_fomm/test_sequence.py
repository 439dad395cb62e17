"""8. The sequence of play, by the steps that open one after the other where each has something to do."""

import pytest

from tests.rules.beda_fomm.positions import DONE, move, one, order, position

# Round 2926 all arms of both sides meet: infantry 2925 and 2926, armor 2824 and 2825, guns 2823 and 2929, antitank guns 2926.
UNITS = "T-1@1720 BER-SIR@2925 BAB-6-1@2824 BAB-AT@2723 COL-ART@2823 2RB-A@2926 2RT-1@2825 C-4RHA@2929 106RHA@2926"


def through(side: str, **more) -> list[str]:
    """The places of a player-turn in which everybody only says DONE but for one attack; both sides are asked in all of them."""
    first = "parking" if side == "italian" else "movement"
    game = position(UNITS, side=side, step=first, tempo="full", **more)
    other = "british" if side == "italian" else "italian"
    found: list[str] = []
    for _ in range(20):
        if game.state.path[1][1] != side:
            return found
        step = str(game.state.path[-1][1])
        found.append(step)
        if step == "declaration":
            where, unit = ("2926", "BER-SIR") if side == "italian" else ("2925", "2RB-A")
            game.send(side, order("ATTACK", hex=where, units=[unit]))
        mine = "reaction" not in step and step != "defensive support"
        game.send(side if mine else other, DONE, dice=[3, 1, 1, 1, 1])
        while game.state.pending:
            game.send(game.state.pending[0].side, order("PASS"), dice=[1, 1, 1, 1])
    raise AssertionError(found)


BARRAGES_AND_SHOTS = ["interdiction", "reaction barrage", "barrage", "reaction antitank", "antitank"]


@pytest.mark.rule("beda-fomm", "8.2a", "8.2g", "8.2e", "8.2f", "2.0y")
def test_the_italian_player_turn_goes_through_its_steps_in_order():
    assert through("italian") == ["parking", "movement", *BARRAGES_AND_SHOTS, "declaration", "defensive support"]


@pytest.mark.rule("beda-fomm", "8.2k", "8.2l", "8.2m", "8.2n")
def test_the_british_player_turn_has_the_same_steps_without_parking():
    assert through("british") == ["movement", *BARRAGES_AND_SHOTS, "declaration", "defensive support"]


@pytest.mark.rule("beda-fomm", "8.1a", "2.0v")
def test_a_game_turn_is_an_italian_and_then_a_british_player_turn():
    game = position("COL-AT@1720 2RB-D@3310", turn=9)
    game.italian(DONE)
    assert game.place == "9 british movement"
    game.british(DONE)
    assert game.place == "10 italian movement"


@pytest.mark.rule("beda-fomm", "8.2b", "8.2c")
def test_arrivals_and_moves_share_a_step_after_parking():
    game = position("T-1@1720 COL-AT@off9 COL-LAA@off9 2RB-D@3310", step="parking")
    game.italian(one("PARK", "T-1"), one("ENTER", "COL-AT"), move("COL-AT", "0902"), one("ENTER", "COL-LAA"))
    assert (game.last.status, game.place) == ("done", "9 italian movement")


@pytest.mark.rule("beda-fomm", "8.2o")
def test_nothing_is_done_outside_its_step():
    game = position("COL-AT@1720 COL-ART@1721 2RB-D@3310", step="interdiction")
    for line in (move("COL-AT", "1721"), one("ENTER", "COL-AT"), one("EXIT", "COL-AT")):
        game.italian(line)
        assert game.codes() == ["not-in-this-step"]
    game = position("COL-AT@1720 2RB-D@3310")
    game.british(move("2RB-D", "3309"))
    assert (game.at("2RB-D"), game.place) == ("3310", "9 italian movement")  # it waits for its own player-turn


@pytest.mark.rule("beda-fomm", "8.2h", "8.2i", "8.2j", "8.2n")
def test_at_the_end_of_a_player_turn_guns_are_ready_and_markers_off_but_for_ones_own_interdiction():
    for side in ("italian", "british"):
        own = {
            "barraged": {"2926": "italian", "2925": "british"},
            "interdicted": {"2930": {"side": side, "factors": 2, "guns": ["COL-ART" if side == "italian" else "C-4RHA"]}},
        }
        units = "COL-ART:fired@1720 FER-ART:fired@1721 C-4RHA:fired@3310 T-9:parked@1301 2RB-A@3301"
        marks = {"infiltrated": "2RB-A"}
        game = position(units, side=side, own=own, marks=marks)
        game.send(side, DONE)
        assert game.place == ("9 british movement" if side == "italian" else "10 italian parking")
        assert [game.face(unit) for unit in ("COL-ART", "FER-ART", "C-4RHA", "T-9")] == ["", "", "", "parked"]
        assert (game.own("barraged"), game.own("declared"), game.marks("2RB-A")) == ({}, [], set())
        assert set(game.own("interdicted")) == {"2930"}
