"""11.1.B: support units of a hex of which every maneuver battalion is attacked alone.

Factors: 7-10-I 9, 190PZ 8; 1ES, 6RWK 2; support units 64AT 2 in defence, 32FA 4, 78FA 6."""

import pytest

from tests.rules.race_for_tunis.combats import combat, contact, fought, support
from tests.rules.race_for_tunis.positions import DONE, attack, on, order

STACK = "7-10-I@1313 190PZ@1313 1ES@1312 6RWK@1312 64AT@1312 32FA@1312"
EACH = (attack("1312", "7-10-I", only="1ES"), attack("1312", "190PZ", only="6RWK"))


def join(battle, units=""):
    return order("JOINBATTLE", battle=battle, units=units.split())


@pytest.mark.rule("race-for-tunis", "11.1.B-3")
def test_the_defender_sends_them_where_he_likes():
    game = combat(STACK)
    game.axis(*EACH, DONE)
    assert game.place == "5 axis allotment"
    game.allied(join("1312-6RWK"), DONE, dice=contact("4:1", "1:1"))
    assert fought(game) == {"1312-1ES": (9, 2, "4:1"), "1312-6RWK": (8, 8, "1:1")}
    game = combat(STACK)
    game.axis(*EACH, DONE)
    game.allied(join("1312-6RWK", "32FA"), join("1312-1ES", "64AT"), DONE, dice=contact("2:1", "1:1"))
    assert fought(game) == {"1312-1ES": (9, 4, "2:1"), "1312-6RWK": (8, 6, "1:1")}
    game = combat(STACK)
    game.axis(*EACH, DONE)
    game.allied(join("1312-6RWK"), join("1312-1ES"), DONE, dice=contact("1:1", "4:1"))  # the later line stands
    assert fought(game) == {"1312-1ES": (9, 8, "1:1"), "1312-6RWK": (8, 2, "4:1")}


def test_without_a_word_they_join_the_strongest_attack_before_the_guns_are_allotted():
    # 9 to 2 is more than 8 to 2: both join the first, 9 to 8. Then 78FA lowers it to 9 to 14.
    game = combat(STACK + " 78FA@1410", tempo="blitz")
    game.axis(*EACH, DONE, dice=contact("1:2", "4:1"))
    assert fought(game) == {"1312-1ES": (9, 14, "1:2"), "1312-6RWK": (8, 2, "4:1")}
    game = combat(STACK)
    game.axis(*EACH, DONE)
    game.allied(DONE, dice=contact("1:1", "4:1"))
    assert game.data("joined_battle")["how"] == "default"


def test_spread_sends_the_strongest_first_each_where_the_attack_is_strongest_then():
    # 32FA: 9 to 2 against 8 to 2, to the first, now 9 to 6; 64AT: to the second, 8 to 4.
    game = combat(STACK)
    game.allied(standing=[on("ALLOTMENT", join("SPREAD"))])
    game.axis(*EACH, DONE, dice=contact("1:1", "2:1"))
    assert fought(game) == {"1312-1ES": (9, 6, "1:1"), "1312-6RWK": (8, 4, "2:1")}


def test_who_belongs_to_a_battle_already_does_not_choose():
    game = combat(STACK + " 5BF@1312 5-I@1313 78FA@1410")
    game.axis(*EACH, attack("1312", "5-I", rest=True), DONE)
    game.allied(join("1312-1ES"))
    assert game.refusal() == ("no-units-to-join", "11.1.B-3")
    game.allied(join("SPREAD"))
    assert game.refusal() == ("no-units-to-join", "11.1.B-3")
    game = combat(STACK)
    game.axis(*EACH, DONE)
    game.allied(join("1312-1ES", "1ES"))
    assert game.refusal() == ("does-not-join", "11.1.B-3")
    game.allied(support("32FA", "1312-1ES"))
    assert game.codes() == ["gun-under-attack"]


def test_with_one_battalion_attacked_alone_its_support_is_in_that_battle():
    game = combat("7-10-I@1313 1ES@1312 64AT@1312 32FA@1312")
    game.axis(attack("1312", "7-10-I", only="1ES"), DONE, dice=contact("1:1"))
    assert fought(game) == {"1312-1ES": (9, 8, "1:1")}
