"""Zones of control: where they reach, and what they do to movement; and who stands beside whom. Round 0505 and 0808 all is clear."""

import pytest

from services.rules.games.fall_of_tobruk.zoc import beside, owed, zones
from tests.rules.fall_of_tobruk.positions import AUTO, DONE, move, position, stand
from tests.rules.fall_of_tobruk.walking import cost, refused, walk

SIX = {"0504", "0604", "0605", "0506", "0405", "0404"}


def zone(units: str, of: str, **more) -> set[str]:
    """The hexes in an enemy ZOC of a side."""
    return {str(at) for at in zones(position(units, **more).table, of)}


@pytest.mark.rule("fall-of-tobruk", "zoc.1")
def test_every_unit_controls_the_six_hexes_round_it():
    assert zone("8PZ-2@0505", "allied") == zone("5EY@0505", "axis") == SIX
    assert zone("33ART-1@0505", "allied") == SIX  # guns too
    assert zone("8PZ-2@0505", "axis") == set()
    assert zone("8PZ-2@0505 5EY@0504", "allied") == SIX  # an enemy there changes nothing, nor would a friend
    assert zone("8PZ-2@0505", "allied", mines="0505/0605") == SIX


@pytest.mark.rule("fall-of-tobruk", "zoc.7", "zoc.8")
def test_a_zone_reaches_down_an_escarpment_and_not_up():
    assert zone("8PZ-2@0505", "allied", cliffs="0605/0505") == SIX - {"0605"}
    assert zone("8PZ-2@0505", "allied", cliffs="0505/0605") == SIX


@pytest.mark.rule("fall-of-tobruk", "zoc.9", "zoc.10")
def test_a_zone_reaches_out_of_a_box_and_not_into_one():
    assert zone("8PZ-2@0505", "allied", boxes="0605") == SIX - {"0605"}
    assert zone("5EY@0605", "axis", boxes="0605") == {"0604", "0705", "0706", "0606", "0506", "0505"}
    assert "0606" not in zone("5EY@0605", "axis", boxes="0605+0606")  # within it neither (FT-68)


@pytest.mark.rule("fall-of-tobruk", "disrupt.9")
def test_a_disrupted_unit_has_no_zone():
    assert zone("8PZ-2@0505", "allied", marks={"disrupted": "8PZ-2"}) == set()
    assert zone("8PZ-2@0505 8PZ-3@0505", "allied", marks={"disrupted": "8PZ-2"}) == SIX


@pytest.mark.rule("fall-of-tobruk", "paralysis.5", "paralysis.6")
def test_the_allies_have_no_zones_on_the_first_day():
    assert zone("5EY@0505", "axis", turn=1) == zone("5EY@0505", "axis", turn=1, side="allied") == set()
    assert zone("8PZ-2@0505", "allied", turn=1) == SIX
    assert zone("5EY@0505", "axis", turn=2) == SIX


# -- movement ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "zoc.2")
def test_a_unit_that_enters_an_enemy_zone_stops():
    assert refused("8PZ-2", "0505 0605 0606", "5EY@0705") == ("must-stop", "zoc.2")
    game = walk("8PZ-2", "0505 0605", "5EY@0705")
    assert (game.at("8PZ-2"), game.data("moved")["cost"]) == ("0605", {"8PZ-2": 1})
    assert refused("2SG", "0505 0605 0606", "8PZ-2@0705") == ("must-stop", "zoc.2")


@pytest.mark.rule("fall-of-tobruk", "zoc.2")
def test_nor_may_it_go_on_later_where_moves_may_be_split():
    game = walk("8PZ-2", "0505 0605", "5EY@0705", split_move=True)
    game.axis(move("8PZ-2", "0606"))
    assert game.refusal() == ("too-far", "move.3")


@pytest.mark.rule("fall-of-tobruk", "zoc.2", "new.7", "zoc.3")
def test_an_arrival_in_an_enemy_zone_has_entered_it():  # FT-60
    placed = {"marks": {"placed": "8PZ-2"}}
    assert refused("8PZ-2", "0105 0106", "5EY@0205", **placed) == ("must-stop", "zoc.2")
    assert cost("8PZ-2", "0105 0106", "5EY@0305", **placed) == 1
    assert cost("8PZ-2", "0105 0106", "5EY@0205", turn=1, **placed) == 1  # on the first day there is no zone
    game = position("8PZ-2@0105 5EY@0205", **placed)
    game.axis(DONE)
    assert game.refusal() == ("must-attack", "zoc.4")
    game.axis(stand("8PZ-2"))
    assert game.codes() == []


@pytest.mark.rule("fall-of-tobruk", "zoc.4", "zoc.5")
def test_a_unit_leaves_a_zone_freely_and_may_go_straight_into_another():
    assert cost("8PZ-2", "0605 0505 0404", "5EY@0705") == 2
    assert cost("8PZ-2", "0605 0606", "5EY@0705 6GH@0707") == 1
    assert refused("8PZ-2", "0605 0606 0506", "5EY@0705 6GH@0707") == ("must-stop", "zoc.2")


@pytest.mark.rule("fall-of-tobruk", "paralysis.5")
def test_on_the_first_day_the_axis_goes_past():
    assert cost("8PZ-2", "0505 0605 0606", "5EY@0705", turn=1) == 2


def test_ways_found_keep_out_of_zones():
    game = position("8PZ-2@0505 5EY@0705")
    game.axis(move("8PZ-2", to="0805"))
    assert (game.data("moved")["path"][0], game.data("moved")["path"][-1]) == ("0505", "0805")
    held = zones(position("8PZ-2@0505 5EY@0705").table, "axis")
    assert [at for at in game.data("moved")["path"][:-1] if at in {str(one) for one in held}] == []


# -- who must attack -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "boxes.5", "boxes.6", "boxes.7")
def test_out_of_a_box_nobody_must_attack_but_all_must_attack_into_it():
    table = position("8PZ-2@0505 5EY@0605 6GH@0606 115@0707", boxes="0605+0606").table
    assert [bool(owed(table, unit)) for unit in ("8PZ-2", "5EY", "6GH", "115")] == [True, False, False, True]
    table = position("8PZ-2@0605 5EY@0606", boxes="0605+0606").table
    assert [bool(owed(table, unit)) for unit in ("8PZ-2", "5EY")] == [True, True]


@pytest.mark.rule("fall-of-tobruk", "zoc.4", "artillery.13")
def test_adjacency_makes_the_duty_whatever_lies_between():
    table = position("8PZ-2@0505 33ART-1@0505 5EY@0605", cliffs="0605/0505", marks={"disrupted": "5EY"}).table
    assert (beside(table, "8PZ-2"), beside(table, "5EY")) == (("5EY",), ("33ART-1", "8PZ-2"))
    assert [bool(owed(table, unit)) for unit in ("8PZ-2", "33ART-1")] == [True, False]


@pytest.mark.rule("fall-of-tobruk", "zoc.4", "seq.12")
def test_a_player_turn_does_not_close_while_somebody_beside_an_enemy_has_neither_attacked_nor_left():
    game = position("8PZ-2@0505 5EY@0605")
    game.axis(DONE)
    assert game.refusal() == ("must-attack", "zoc.4")
    assert game.last.rejections[0].details["units"] == ["8PZ-2"]
    game.axis(move("8PZ-2", "0404"), DONE)
    assert (game.at("8PZ-2"), game.last.rejections) == ("0404", ())


@pytest.mark.rule("fall-of-tobruk", "zoc.4")
def test_who_is_finished_engaged_or_artillery_owes_nothing():
    for unit, mark in (("8PZ-2", "done"), ("33ART-1", "")):
        game = position(f"{unit}@0505 5EY@0605", marks={mark: unit} if mark else {})
        game.axis(DONE)
        assert game.last.rejections == ()
    held = [{"attackers": ["5EY"], "defenders": ["8PZ-2"], "hexes": ["0505"], "beside": {}, "broken": []}]
    game = position("8PZ-2@0505 5EY@0605", own={"engaged": held}, marks={"engaged-defender": "8PZ-2", "engaged-attacker": "5EY"})
    game.axis(DONE)
    assert game.last.rejections == ()


@pytest.mark.rule("fall-of-tobruk", "zoc.4")
def test_the_umpire_lets_those_stand_who_owe_an_attack():
    game = position("8PZ-2@0505 33ART-1@0505 5EY@0605", tempo="blitz")
    game.axis(AUTO, dice=(1, 2))  # 4 against 5 is 1:2, a 3 is Contact
    assert game.events("stands")[0].data == {"units": ["8PZ-2"]}
    assert game.data("declared")["units"] == ["8PZ-2"]
    game = position("8PZ-2@0505 5EY@0605")
    game.axis(stand("8PZ-2"), stand("8PZ-2"))
    assert len(game.events("stands")) == 1
