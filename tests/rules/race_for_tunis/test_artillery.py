"""10. Artillery: what it adds, that it pays for nothing, where it may stand, and what befalls it when it is attacked.

Factors: 7-10-I, 7-10-II 9, 190PZ 8, 5-I 4, T1 2, RVT 1; 1ES, 6RWK 2, 4CA 1;
guns II-90 5, 78FA 6, 32FA 4 (range 3), 67AF 3, 62AF 2 (range 2).
Round 1313 the ground is clear; 1116 is high, 1016 rugged crest next to it; 0711 is Tunis, 0712 clear and next to it."""

import pytest

from tests.rules.race_for_tunis.combats import combat, contact, fought, helped, support
from tests.rules.race_for_tunis.positions import DONE, attack, move, order, position

# -- what guns add ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "10.1.E", "10.1.E-EX")
def test_a_defender_of_one_factor_with_three_of_guns_counts_one_for_losses():
    game = combat("7-10-I@1313 RVT@1313 4CA@1312 67AF@1311", tempo="blitz")
    game.axis(attack("1312", "7-10-I RVT"), DONE, dice=(2, 2))  # 10 to 4, 2:1: an exchange
    assert fought(game) == {"1312": (10, 4, "2:1")}
    assert (game.at("4CA"), game.at("RVT"), game.at("7-10-I"), game.at("67AF")) == ("box:eliminated", "box:eliminated", "1313", "1311")


@pytest.mark.rule("race-for-tunis", "10.1.F")
def test_guns_in_support_suffer_nothing_from_the_battle():
    game = combat("T1@1313 II-90@1313 1ES@1312", tempo="blitz")
    game.axis(attack("1312", "T1", "II-90"), DONE, dice=(1, 1))  # 7 to 2, 3:1: A elim
    assert fought(game) == {"1312": (7, 2, "3:1")}
    assert (game.at("T1"), game.at("II-90")) == ("box:eliminated", "1313")
    game = combat("7-10-I@1313 1ES@1312 62AF@1311", tempo="blitz")
    game.axis(attack("1312", "7-10-I"), DONE, dice=(5, 6))  # 9 to 4, 2:1: an exchange
    assert helped(game) == {"1312": ["62AF"]}
    assert (game.at("1ES"), game.at("62AF")) == ("box:eliminated", "1311")


@pytest.mark.rule("race-for-tunis", "10.2.A-1", "10.2.A-2")
def test_an_attackers_gun_is_halved_uphill_and_never_quartered():
    # 1016 is rugged crest: T1 attacks it from high 1116, half; II-90 stands lower, in clear 1216 two hexes away: half of 5, no quarter.
    game = combat("T1@1116 II-90@1216 1ES@1016")
    game.axis(attack("1016", "T1", "II-90"), DONE, dice=contact("1:1"))
    assert fought(game) == {"1016": ("7/2", 2, "1:1")}
    game = combat("T1@1116 II-90@1116 1ES@1215")  # down into a wadi, nothing is halved
    game.axis(attack("1215", "T1", "II-90"), DONE, dice=contact("3:1"))
    assert fought(game) == {"1215": (7, 2, "3:1")}


@pytest.mark.rule("race-for-tunis", "10.2.B")
def test_guns_that_support_a_city_are_not_doubled_within_it_or_without():
    # The infantry in Tunis counts 4; the gun in Tunis is attacked, and counts 5 as it is; the one outside adds 5.
    game = combat("1ES@0712 6RWK@0712 17-21L@0712 T1@0711 II-90@0710", "allied")
    game.allied(attack("0711", "1ES 6RWK 17-21L"), DONE)
    game.axis(support("II-90", "0711"), DONE, dice=contact("1:2"))
    assert fought(game) == {"0711": (8, 9, "1:2")}
    game = combat("1ES@0712 6RWK@0712 17-21L@0712 T1@0711 II-90@0711", "allied")
    game.allied(attack("0711", "1ES 6RWK 17-21L"), DONE, dice=contact("1:2"))
    assert fought(game) == {"0711": (8, 9, "1:2")}


# -- where guns stand ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "10.3-1")
def test_guns_do_not_enter_an_enemy_zone_even_to_join_friends():
    game = position("II-90@1315 5-I@1313 1ES@1312")
    game.axis(move("II-90", "1314 1313"))
    assert game.refusal() == ("artillery-into-zoc", "10.3-1")
    game.axis(move("II-90", "1314"))
    assert game.at("II-90") == "1314"


@pytest.mark.rule("race-for-tunis", "10.3-2")
def test_guns_stay_in_a_zone_with_a_friend_and_owe_no_attack():
    game = combat("5-I@1313 II-90@1313 1ES@1312")
    game.axis(attack("1312", "5-I"), DONE, dice=contact("2:1"))
    assert game.last.status == "done"
    assert fought(game) == {"1312": (4, 2, "2:1")}
    assert game.at("II-90") == "1313"
    alone = combat("II-90@1313 1ES@1312")
    alone.axis(DONE)
    assert alone.at("II-90") == "box:eliminated"


# -- guns attacked ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "10.4.A-2", "10.4.B-1")
def test_a_gun_alone_defends_with_one_and_in_company_with_all():
    game = combat("5-I@1313 78FA@1312")
    game.axis(attack("1312", "5-I"), DONE, dice=contact("4:1"))
    assert fought(game) == {"1312": (4, 1, "4:1")}
    game = combat("7-10-I@1313 78FA@1312 1ES@1312")
    game.axis(attack("1312", "7-10-I"), DONE, dice=contact("1:1"))
    assert fought(game) == {"1312": (9, 8, "1:1")}


@pytest.mark.rule("race-for-tunis", "10.4.C")
def test_a_gun_that_must_retreat_is_lost():
    game = combat("7-10-I@1313 7-10-II@1313 190PZ@1313 1ES@1312 32FA@1312", tempo="blitz")
    game.axis(attack("1312", "7-10-I 7-10-II 190PZ"), DONE, dice=(2, 3))  # 26 to 6, 4:1: the defender retreats a hex
    assert fought(game) == {"1312": (26, 6, "4:1")}
    assert game.at("32FA") == "box:eliminated"
    assert len(game.at("1ES")) == 4
    assert game.at("1ES") != "1312"


@pytest.mark.rule("race-for-tunis", "10.3-2")
def test_a_gun_left_alone_in_a_zone_leaves_it_in_its_movement_phase_if_it_can():
    # RT-27: 1ES in 1312 has its zone over 1313 and 1413; 1213 and 1314 are free of it.
    game = position("II-90@1313 1ES@1312 T1@0216")
    game.axis(DONE)
    assert game.refusal() == ("guns-must-leave", "10.3-2")
    assert game.last.rejections[0].details["units"] == ["II-90"]
    game.axis(order("DONE", auto=True))
    assert game.at("II-90") == "1213"
    # Where every hex round it is in a zone it stays, and is lost as the attacks are declared.
    game = position("II-90@1313 1ES@1312 6RWK@1314 T1@0216", tempo="blitz")
    game.axis(order("DONE", turn=True))
    assert game.at("II-90") == "box:eliminated"
