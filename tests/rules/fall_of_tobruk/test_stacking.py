"""Stacking (FT-58): how many units a hex holds. 5EY, 6GH, 7GH are of one brigade, 4EY, 2SG, 1RB of others."""

import pytest

from services.rules.games.fall_of_tobruk.stacking import fits, weight
from tests.rules.fall_of_tobruk.fighting import fought, lose, lost, results
from tests.rules.fall_of_tobruk.positions import DONE, attack, fire, move, on, position
from tests.rules.fall_of_tobruk.shooting import fired


def fit(units: str) -> bool:
    """Whether units may stand in one hex."""
    table = position(" ".join(f"{unit}@0505" for unit in units.split())).table
    return fits(table, units.split())


@pytest.mark.rule("fall-of-tobruk", "stacking.1", "stacking.2")
def test_two_battalions_an_artillery_battalion_and_a_company():
    assert fit("5EY 4EY")
    assert not fit("5EY 4EY 2SG")
    assert fit("5EY 4EY 74ART 2RGH-1")
    assert not fit("5EY 4EY 74ART 72ART")
    assert not fit("5EY 4EY 74ART 2RGH-1 3CLY-1")
    assert fit("5EY 74ART 72ART")  # artillery may take a battalion's place


@pytest.mark.rule("fall-of-tobruk", "stacking.3")
def test_or_all_of_one_brigade_with_an_artillery_battalion_and_a_company():
    assert fit("5EY 6GH 7GH 72ART 2RGH-1")
    assert not fit("5EY 6GH 7GH 4EY")
    assert not fit("5EY 6GH 7GH 2RGH-1 3CLY-1")
    assert fit("QB-1 QB-2 QB-3 9L-1 9L-2 9L-3 10H-1 10H-2 10H-3 1RB 11RHA 2RGH-1")  # an armoured brigade, one company of another


@pytest.mark.rule("fall-of-tobruk", "stacking.4", "stacking.7")
def test_three_tank_companies_are_a_battalion_and_four_under_the_german_limits():
    tanks = "QB-1 QB-2 QB-3 2RGH-1 2RGH-2 2RGH-3"
    assert fit(tanks + " 8H-1")  # two battalions of them, and a company
    assert not fit(tanks + " 8H-1 8H-2")
    assert fit("5EY QB-1 QB-2 QB-3 2RGH-1")
    assert not fit("5EY QB-1 QB-2 QB-3 2RGH-1 2RGH-2")
    italian = " ".join(f"132-{n}" for n in range(1, 10))  # one regiment: form B
    assert fit(italian)
    german = "8PZ-1 8PZ-2 8PZ-3 8PZ-4 8PZ-5 8PZ-6 5PZ-1 5PZ-2 5PZ-3 5PZ-4 5PZ-5 5PZ-6"  # 12 companies, 3 battalions
    assert fit(german + " 5PZ-7")
    assert not fit(german + " 5PZ-7 5PZ-8")


@pytest.mark.rule("fall-of-tobruk", "stacking.5", "stacking.6")
def test_germans_stand_three_battalions_deep():
    assert fit("115-I 104-I 155-I 33ART-1 8PZ-2")
    assert not fit("115-I 104-I 155-I 361-I")
    assert fit("115-I 115-II 115-III 155ART-1 8PZ-2")
    assert not fit("115-I 115-II 115-III 104-I")


@pytest.mark.rule("fall-of-tobruk", "stacking.8", "stacking.10")
def test_three_88s_are_a_battalion_and_stand_as_artillery():
    assert fit("115-I 104-I 155-I 88-1 88-2 88-3")  # in the artillery's place
    assert fit("115-I 104-I 155-I 88-1 88-2 88-3 8PZ-2")
    assert fit("115-I 104-I 155-I 33ART-1 88-1")  # an 88 as the company
    assert not fit("115-I 104-I 155-I 33ART-1 88-1 88-2")
    assert not fit("115-I 104-I 155-I 88-1 88-2 88-3 605 8PZ-2")  # 1 1/4 battalions in the artillery's place, one company besides
    assert weight(position("88-1@0505").table, "88-1", german=True).denominator == 3


@pytest.mark.rule("fall-of-tobruk", "stacking.10")
def test_a_self_propelled_gun_may_take_the_artillerys_place():
    assert fit("115-I 104-I 155-I 605 8PZ-2")
    assert fit("5EY 4EY 1SP 2RGH-1")
    assert not fit("5EY 4EY 2RGH-2 2RGH-1")


@pytest.mark.rule("fall-of-tobruk", "stacking.9")
def test_with_a_german_all_stand_as_germans():
    assert not fit("65 132ENG 55ART-1 55ART-2")
    assert not fit("8B-I 9B-I 12B-I")
    assert fit("8B-I 9B-I 115-I")
    assert fit("8B-I 9B-I 12B-I 33ART-1")  # a German gun is a German


@pytest.mark.rule("fall-of-tobruk", "breakdown.2")
def test_a_regiment_stands_as_all_its_battalions():
    assert fit("19 55ART-1 132-1")
    assert not fit("19 8B-I")
    assert not fit("19 20")
    assert fit("115 33ART-1 8PZ-2")
    assert not fit("115 104-I")
    assert not fit("115 8PZ-2 8PZ-3")


# -- in play -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "stacking.1", "stacking.11")
def test_a_move_may_not_end_in_a_full_hex_and_may_lead_through_one():
    game = position("5EY@0605 4EY@0605 2SG@0505", side="allied")
    game.allied(move("2SG", "0605"))
    assert game.refusal() == ("stacking", "stacking.11")
    assert game.last.rejections[0].details == {"hex": "0605", "units": ["2SG", "4EY", "5EY"]}
    game.allied(move("2SG", "0605 0705"))
    assert game.at("2SG") == "0705"


@pytest.mark.rule("fall-of-tobruk", "stacking.11")
def test_where_a_unit_drops_off_there_must_be_room_too():
    game = position("5EY@0605 4EY@0605 2SG@0505 3CG@0505", side="allied")
    game.allied(move("2SG 3CG", "0605 0705", drop="3CG", drop_at="0605"))
    assert game.refusal() == ("stacking", "stacking.11")


@pytest.mark.rule("fall-of-tobruk", "stacking.13", "disrupt.6")
def test_by_option_a_crowd_is_allowed_and_disrupted():
    game = position("5EY@0605 4EY@0605 2SG@0505 8PZ-2@1010", side="allied", voluntary_overstack="disrupt")
    game.allied(move("2SG", "0605"), DONE)
    assert [(event.clause, event.data["unit"]) for event in game.events("disrupted")] == [("stacking.13", "2SG")]  # who made it one


@pytest.mark.rule("fall-of-tobruk", "stacking.11", "stacking.13")
def test_a_hex_that_has_become_too_full_is_left_while_it_can_be_else_its_units_suffer():
    game = position("5EY@0605 4EY@0605 2SG@0605 8PZ-2@1010", side="allied")
    game.allied(DONE)
    assert game.refusal() == ("stacking", "stacking.11")
    game.allied(move("2SG", "0705"), DONE)
    assert (game.last.rejections, game.events("disrupted")) == ((), [])
    game = position("5EY@0605 4EY@0605 2SG@0605 8PZ-2@1010", side="allied", marks={"moved": "5EY 4EY 2SG", "disrupted": "5EY"})
    game.allied(DONE)
    assert [event.data["unit"] for event in game.events("disrupted")] == [
        "2SG",
        "4EY",
    ]  # 5EY is so already: it pays nothing for standing there


# -- in combat -----------------------------------------------------------------------------------------------------------------------

MIXED = "8B-I@1008 9B-I@1008 12B-I@1008 8PZ-2@1008"
"""Three Italian battalions, which a German company lets stand in one hex."""


@pytest.mark.rule("fall-of-tobruk", "stacking.12", "stacking.13", "stacking.9", "disrupt.6")
def test_a_hex_whose_last_german_dies_is_too_full_for_italians():  # FT-59
    shot = fire("2RGH-1", "8PZ-2", "1008")
    game = fired(f"{MIXED} 2RGH-1@1007", "2RGH-1", shot, side="allied", dice=[1], marks={"disrupted": "9B-I"})
    assert game.at("8PZ-2") == "box:wreck"
    assert [event.data["unit"] for event in game.events("disrupted")] == ["12B-I", "8B-I"]  # 9B-I is so already, and pays nothing
    assert (game.at("9B-I"), game.events("eliminated")) == ("1008", [])
    game = fired(f"{MIXED} 8PZ-3@1008 2RGH-1@1007", "2RGH-1", shot, side="allied", dice=[1])
    assert (game.at("8PZ-2"), game.events("disrupted")) == ("box:wreck", [])  # another German is left


@pytest.mark.rule("fall-of-tobruk", "stacking.12")
def test_a_crowd_is_counted_when_all_have_died():
    standing = [on("LOSSES", lose("8PZ-2 12B-I"))]
    game = fought(f"{MIXED} 5EY@1007 4EY@1007", attack("1008", "5EY 4EY"), roll=11, side="allied", standing=standing)
    # 10 to 16: the attackers go, and 10 or more of the defenders
    assert (results(game)[0][1:], set(lost(game))) == (("1:2", "EX"), {"5EY", "4EY", "8PZ-2", "12B-I", "8B-I"})
    assert game.events("disrupted") == []
