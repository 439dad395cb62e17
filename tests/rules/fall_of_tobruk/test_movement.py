"""Movement: what a unit may spend, how often it moves, stacks on the way, ways found; standing; artillery beside the enemy.

All is clear desert; 8PZ-2 has 7 MP, 19 has 3, 33AA 10."""

import pytest

from tests.rules.fall_of_tobruk.positions import DONE, TURN, move, order, position, stand
from tests.rules.fall_of_tobruk.walking import cost, refused, walk


@pytest.mark.rule("fall-of-tobruk", "move.1", "move.3")
def test_a_unit_spends_up_to_its_factor():
    assert cost("19", "0505 0605 0705 0804") == 3
    assert refused("19", "0505 0605 0705 0804 0904") == ("too-far", "move.3")
    game = walk("19", "0505 0605 0705 0804 0904")
    assert game.last.rejections[0].details == {"unit": "19", "hex": "0904", "cost": 4, "allowance": 3}
    assert (game.at("19"), game.events("moved")) == ("0505", [])


@pytest.mark.rule("fall-of-tobruk", "move.3", "seq.12")
def test_a_unit_moves_once_in_a_player_turn_whatever_it_has_left():
    game = walk("8PZ-2", "0505 0605")
    game.axis(move("8PZ-2", "0606"))
    assert game.refusal() == ("moved-already", "seq.12")
    game = position("8PZ-2@0505 8PZ-3@0505")
    game.axis(move("8PZ-2", "0605"), DONE)
    assert (game.place, "moved" in game.marks("8PZ-2")) == ("5 axis movement 2", True)


@pytest.mark.rule("fall-of-tobruk", "seq.12")
def test_by_option_a_move_may_be_gone_on_with_what_is_left():
    game = position("8PZ-2@0505", split_move=True)
    game.axis(move("8PZ-2", "0605"), move("8PZ-2", "0705 0804 0904 1003 1103 1202"))
    assert (game.at("8PZ-2"), game.state.counters["8PZ-2"].num["spent"]) == ("1202", 7)
    game.axis(move("8PZ-2", "1302"))
    assert game.refusal() == ("too-far", "move.3")


@pytest.mark.rule("fall-of-tobruk", "move.4")
def test_a_unit_goes_where_it_likes_from_hex_to_neighbour():
    assert cost("8PZ-2", "0505 0605 0606 0506 0505 0605") == 5  # round in a ring and on
    assert refused("8PZ-2", "0505 0705") == ("not-adjacent", "move.4")


@pytest.mark.rule("fall-of-tobruk", "move.5", "move.6")
def test_points_not_spent_are_lost():
    game = position("19@0505")
    game.axis(move("19", "0605"), TURN)  # 1 of 3; there is no Ally to play
    assert (game.place, game.state.counters["19"].num) == ("6 axis movement 1", {})
    game.axis(move("19", "0705 0804 0904 1003"))  # 4: with the 2 left over it would do
    assert game.refusal() == ("too-far", "move.3")


@pytest.mark.rule("fall-of-tobruk", "advance.5")
def test_no_unit_enters_a_hex_with_an_enemy():
    assert refused("8PZ-2", "0505 0605", "5EY@0605") == ("enemy-there", "advance.5")
    assert refused("8PZ-2", "0505 0605 0705", "5EY@0605", marks={"disrupted": "5EY"}) == ("enemy-there", "advance.5")  # through it neither


@pytest.mark.rule("fall-of-tobruk", "seq.8", "artillery.10", "seq.4", "crt.eng.2")
def test_who_is_finished_has_bombarded_or_is_engaged_does_not_move():
    assert refused("8PZ-2", "0505 0605", marks={"done": "8PZ-2"}) == ("finished", "seq.8")
    assert refused("33ART-1", "0505 0605", marks={"shelled": "33ART-1"}) == ("has-bombarded", "artillery.10")
    assert refused("8PZ-2", "0505 0605", marks={"engaged-defender": "8PZ-2"}) == ("engaged", "crt.eng.2")
    assert refused("8PZ-2", "0505 0605", marks={"engaged-attacker": "8PZ-2"}) == ("engaged", "crt.eng.2")


@pytest.mark.rule("fall-of-tobruk", "disrupt.10")
def test_a_disrupted_unit_has_half_its_factor_not_rounded():
    marks = {"disrupted": "8PZ-2"}  # 3 1/2
    assert cost("8PZ-2", "0505 0605 0705 0804", marks=marks) == 3
    assert refused("8PZ-2", "0505 0605 0705 0804 0904", marks=marks) == ("too-far", "move.3")
    assert cost("8PZ-2", "0505 0605 0705 0804 0904", marks=marks, track="0804-0904") == "7/2"


@pytest.mark.rule("fall-of-tobruk", "new.7", "new.6")
def test_a_unit_placed_in_this_player_turn_moves_with_all_it_has():
    assert cost("19", "0105 0205 0305 0404", marks={"placed": "19"}) == 3


# -- stacks --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "move.3")
def test_a_stack_goes_as_far_as_its_slowest_and_one_may_drop_off():
    game = position("8PZ-2@0505 33ENG@0505 19@0505")
    game.axis(move("8PZ-2 19", "0605 0705 0804 0904"))
    assert game.refusal() == ("too-far", "move.3")
    game.axis(move("8PZ-2 19", "0605 0705 0804 0904", drop="19", drop_at="0705"))
    assert (game.at("8PZ-2"), game.at("19"), game.at("33ENG")) == ("0904", "0705", "0505")
    assert game.data("moved")["cost"] == {"8PZ-2": 4, "19": 2}
    assert game.data("moved")["drop"] == {"unit": "19", "hex": "0705"}
    assert {"moved", "active"} <= game.marks("19")


@pytest.mark.rule("fall-of-tobruk", "move.3", "move.5")
def test_a_stack_sets_out_from_one_hex_and_drops_one_of_its_own_on_its_way():
    game = position("8PZ-2@0505 8PZ-3@0605 8PZ-4@0505")
    game.axis(move("8PZ-2 8PZ-3", "0606"))
    assert game.codes() == ["not-in-one-hex"]
    game.axis(move("8PZ-2 8PZ-2", "0605"))
    assert game.codes() == ["named-twice"]
    game.axis(move("8PZ-2 8PZ-4", "0605 0606", drop="8PZ-3", drop_at="0605"))
    assert game.codes() == ["not-in-the-stack"]
    game.axis(move("8PZ-2 8PZ-4", "0605 0606", drop="8PZ-4", drop_at="0606"))
    assert game.codes() == ["not-on-the-way"]
    game.axis(move("8PZ-2", "0505"))
    assert game.codes() == ["no-move"]


# -- ways found ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "move.4")
def test_the_cheapest_way_is_found_by_road_and_over_way_points():
    game = position("8PZ-2@0505 8PZ-3@0505 8PZ-4@0505", road="0505-0506-0606-0706-0705")
    game.axis(move("8PZ-2", to="0705"), move("8PZ-3", to="0705", via=["0604"]))
    assert [event.data["cost"] for event in game.events("moved")] == [{"8PZ-2": 1}, {"8PZ-3": 2}]
    game.axis(move("8PZ-4", to="0605", road=True))
    assert game.codes() == ["no-way"]
    game.axis(move("8PZ-4", to="2014"))
    assert game.codes() == ["too-far"]


# -- passes and standing -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "seq.11", "seq.8")
def test_a_unit_stands_where_an_enemy_is_beside_it_unless_it_is_finished():
    game = position("8PZ-2@0505 8PZ-3@0305 8PZ-4@0505 8PZ-5@dead 5EY@0605", marks={"done": "8PZ-4"})
    game.axis(stand("8PZ-3"))
    assert game.refusal() == ("nobody-beside", "seq.11")
    game.axis(stand("8PZ-5"))
    assert game.refusal() == ("not-on-map", "seq.11")
    game.axis(stand("8PZ-4"))
    assert game.refusal() == ("finished", "seq.8")
    game.axis(stand("8PZ-2"))
    assert (game.marks("8PZ-2"), game.data("stands")) == ({"active"}, {"units": ["8PZ-2"]})


# -- artillery -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "artillery.14", "artillery.15")
def test_artillery_comes_beside_an_enemy_only_with_others():
    assert refused("33ART-1", "0505 0605", "5EY@0705") == ("guns-alone", "artillery.14")
    assert cost("33ART-1", "0505 0605", "5EY@0705 8PZ-2@0605") == 1  # one is there
    assert refused("33ART-1", "0505 0605", "5EY@0705 33ART-2@0605") == ("guns-alone", "artillery.14")  # another gun is none
    assert cost("88-1", "0505 0605", "5EY@0705") == 1  # neither is an 88 artillery here, nor a self-propelled gun
    assert cost("605", "0505 0605", "5EY@0705") == 1
    game = position("33ART-1@0505 8PZ-2@0505 5EY@0705")
    game.axis(move("33ART-1 8PZ-2", "0605"))
    assert game.at("33ART-1") == "0605"


@pytest.mark.rule("fall-of-tobruk", "artillery.14")
def test_artillery_that_is_left_alone_beside_an_enemy_stays_and_may_leave():
    game = position("33ART-1@0605 8PZ-2@0605 5EY@0705")
    game.axis(move("8PZ-2", "0505"), order("DONE"), move("33ART-1", "0505"))
    assert game.at("33ART-1") in ("0505", "0605")
    game = position("33ART-1@0605 8PZ-2@0605 5EY@0705")
    game.axis(move("8PZ-2", "0505"), move("33ART-1", "0505"))
    assert (game.at("8PZ-2"), game.at("33ART-1")) == ("0505", "0505")
    game = position("33ART-1@0504 8PZ-2@0504 5EY@0605", turn=1)  # no Allied zones: they could go on past it
    game.axis(move("33ART-1 8PZ-2", "0505 0506", drop="33ART-1", drop_at="0505"))
    assert game.refusal() == ("guns-alone", "artillery.14")
