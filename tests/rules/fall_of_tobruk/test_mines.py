"""Minefields under way: the halt before them, the crossing, whom they do not hinder; and the gaps that engineers open.

A mined side lies between 0505 and 0605 unless it is said otherwise."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.fall_of_tobruk.mines import exempt, gap, hinders, mined
from tests.rules.fall_of_tobruk.positions import DONE, TURN, move, position
from tests.rules.fall_of_tobruk.walking import cost, refused, walk

FIELD = {"mines": "0505/0605"}


@pytest.mark.rule("fall-of-tobruk", "minefields.1", "minefields.3")
def test_mines_are_crossed_as_the_first_and_only_hex_of_a_move():
    assert refused("8PZ-2", "0405 0505 0605", **FIELD) == ("halts-at-mines", "minefields.1")
    assert refused("8PZ-2", "0505 0605 0606", **FIELD) == ("halts-beyond-mines", "minefields.3")
    assert cost("8PZ-2", "0505 0605", **FIELD) == 1
    assert cost("8PZ-2", "0405 0505 0506", **FIELD) == 2  # along them
    assert refused("2SG", "0505 0605 0606", **FIELD) == ("halts-beyond-mines", "minefields.3")  # the Allies too


@pytest.mark.rule("fall-of-tobruk", "minefields.2", "minefields.4")
def test_a_unit_halts_in_one_player_turn_crosses_in_the_next_and_is_free_in_the_third():
    game = position("8PZ-2@0405", **FIELD)
    game.axis(move("8PZ-2", "0505"), TURN)
    assert game.place == "6 axis movement 1"
    game.axis(move("8PZ-2", "0605"), TURN)
    game.axis(move("8PZ-2", "0606 0706 0707"))
    assert (game.place, game.at("8PZ-2")) == ("7 axis movement 1", "0707")


@pytest.mark.rule("fall-of-tobruk", "minefields.2")
def test_who_came_to_the_mines_in_this_player_turn_does_not_cross():
    assert refused("8PZ-2", "0505 0605", marks={"placed": "8PZ-2"}, **FIELD) == ("came-to-mines-now", "minefields.2")
    game = walk("8PZ-2", "0405 0505", split_move=True, **FIELD)
    game.axis(move("8PZ-2", "0605"))
    assert game.refusal() == ("came-to-mines-now", "minefields.2")


@pytest.mark.rule("fall-of-tobruk", "minefields.3")
def test_after_crossing_nothing_is_left_where_moves_may_be_split():
    game = walk("8PZ-2", "0505 0605", split_move=True, **FIELD)
    game.axis(move("8PZ-2", "0606"))
    assert game.refusal() == ("too-far", "move.3")


def test_ways_found_lead_round_mines_and_across_them_only_as_one_step():
    game = position("8PZ-2@0505 8PZ-3@0405", **FIELD)
    game.axis(move("8PZ-2", to="0605"))
    assert len(game.data("moved")["path"]) == 3
    around = "0505/0504 0505/0604 0505/0605 0505/0506 0505/0405 0505/0404"
    game = position("8PZ-2@0505 8PZ-3@0405", mines=around)
    game.axis(move("8PZ-2", to="0605"), move("8PZ-3", to="0505"))
    assert [event.data["path"] for event in game.events("moved")] == [["0505", "0605"], ["0405", "0505"]]
    game = position("8PZ-3@0305", mines=around)
    game.axis(move("8PZ-3", to="0505"))
    assert game.codes() == ["no-way"]


@pytest.mark.rule("fall-of-tobruk", "tec.9")
def test_mines_cost_no_points_of_their_own():
    assert cost("8PZ-2", "0505 0605", high="0605", **FIELD) == 2
    assert cost("8PZ-2", "0505 0605", road="0505-0605", **FIELD) == "1/4"


# -- whom they do not hinder -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "minefields.12")
def test_the_allies_pass_along_roads_and_tracks():
    assert cost("2SG", "0405 0505 0605 0606", road="0505-0605", **FIELD) == "9/4"
    assert cost("2SG", "0405 0505 0605 0606", track="0505-0605", **FIELD) == "5/2"
    assert refused("2SG", "0405 0505 0605", road="0505-0506", **FIELD)[0] == "halts-at-mines"
    assert refused("8PZ-2", "0405 0505 0605", road="0505-0605", **FIELD)[0] == "halts-at-mines"


@pytest.mark.rule("fall-of-tobruk", "minefields.13")
def test_the_allies_leave_a_box_freely_and_enter_it_as_others_do():
    assert cost("2SG", "0505 0605 0606", boxes="0505") == 2
    assert refused("2SG", "0405 0505", boxes="0505", marks={"placed": "2SG"})[0] == "came-to-mines-now"
    assert refused("2SG", "0305 0405 0505", boxes="0505")[0] == "halts-at-mines"
    assert refused("8PZ-2", "0505 0605 0606", boxes="0505")[0] == "halts-beyond-mines"
    assert cost("2SG", "0505 0506 0606", boxes="0505+0506") == 2  # from one hex of it to the other, and out


def test_what_mines_are_to_combat_is_another_question():
    table = position("2SG@0505", road="0505-0605", **FIELD).table
    here, there = parse_hex("0505"), parse_hex("0605")
    assert (mined(table, here, there), exempt(table, "2SG", here, there), hinders(table, "2SG", here, there)) == (True, True, False)


# -- gaps ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "gap.1", "gap.2", "gap.3")
def test_an_engineer_that_has_crossed_opens_a_gap_where_it_crossed():
    assert refused("33ENG", "0405 0505 0605", **FIELD) == ("halts-at-mines", "minefields.1")
    for engineer in ("33ENG", "132ENG"):
        game = walk(engineer, "0505 0605", **FIELD)
        assert game.own("gaps") == [{"hexes": ["0505", "0605"], "engineer": engineer}]
        assert game.data("gap_open") == {"hexes": ["0505", "0605"], "unit": engineer}
        assert gap(game.table, parse_hex("0605"), parse_hex("0505"))
    assert walk("8PZ-2", "0505 0605", **FIELD).own("gaps") == []  # nobody else
    assert walk("232ENG", "0505 0605", **FIELD).own("gaps") == []  # nor an Allied engineer
    assert walk("33ENG", "0405 0505", **FIELD).own("gaps") == []  # nor without crossing


@pytest.mark.rule("fall-of-tobruk", "gap.4")
def test_a_gap_lasts_while_its_engineer_is_beside_it():
    own = {"gaps": [{"hexes": ["0505", "0605"], "engineer": "33ENG"}]}
    game = position("33ENG@0605 8PZ-2@0704", own=own, **FIELD)
    game.axis(move("8PZ-2", "0803"))
    assert game.own("gaps") == own["gaps"]
    game.axis(move("33ENG", "0705"))
    assert (game.own("gaps"), game.data("gap_closed")["hexes"]) == ([], ["0505", "0605"])
    game = position("33ENG@0605", own=own, **FIELD)
    game.axis(move("33ENG", "0505"))  # back across it
    assert game.own("gaps") == own["gaps"]
    game = position("200ENG@0605 33ENG@0705", own=own, **FIELD)  # another engineer does not hold it
    assert not gap(game.table, parse_hex("0605"), parse_hex("0505"))


@pytest.mark.rule("fall-of-tobruk", "gap.5", "gap.2")
def test_a_gap_serves_supply_alone_unless_the_game_is_played_so():
    own = {"gaps": [{"hexes": ["0505", "0605"], "engineer": "33ENG"}]}
    assert refused("8PZ-2", "0405 0505 0605", "33ENG@0605", own=own, **FIELD)[0] == "halts-at-mines"
    assert cost("8PZ-2", "0405 0505 0605 0706", "33ENG@0605", own=own, gap_moves=True, **FIELD) == 3
    assert refused("2SG", "0405 0505 0605", "33ENG@1010", own=own, gap_moves=True, **FIELD)[0] == "halts-at-mines"


def test_a_closed_gap_is_told_with_the_move():
    game = position("33ENG@0605 8PZ-2@0704", own={"gaps": [{"hexes": ["0505", "0605"], "engineer": "33ENG"}]}, **FIELD)
    game.axis(move("33ENG", "0705"), DONE)
    assert game.kinds().index("gap_closed") == game.kinds().index("moved") + 1
