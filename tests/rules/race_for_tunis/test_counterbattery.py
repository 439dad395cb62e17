"""17.3 Counterbattery fire.

Guns: II-90 5 (range 3), C-ART 4 (range 3), SUP-ART 4 (range 2); 78FA 6, 32FA 4 (range 3). 7-10-I 9, T1 2, 1ES 2.
78FA stands in 1411, next to 1312, two hexes from 1313 and three from 1314; 1116 is high ground."""

import pytest

from tests.rules.race_for_tunis.combats import combat, contact, fought, helped, support
from tests.rules.race_for_tunis.positions import DONE, attack, order

UNITS = "7-10-I@1313 T1@1314 II-90@1313 C-ART@1314 1ES@1312 78FA@1411"


def cb(guns, target):
    return order("CB", guns=guns.split(), target=target)


def duel(units=UNITS, **more):
    return combat(units, **{"tempo": "blitz", "counterbattery": True, **more})


@pytest.mark.rule("race-for-tunis", "17.3.A-1", "17.3.A-5", "17.3.B-2", "17.3.B-3", "17.3.C-2")
def test_guns_together_silence_one():
    game = duel()
    dice = (4, 4, *contact("4:1"))  # 8 is Engaged
    game.axis(attack("1312", "7-10-I"), cb("II-90 C-ART", "78FA"), DONE, dice=dice)
    fire = game.data("counterbattery")
    assert (fire["attack"], fire["defence"], fire["column"], fire["dice"], fire["result"]) == (9, 6, "1:1", [4, 4], "Eng")
    assert fire["silenced"]
    assert fought(game) == {"1312": (9, 2, "4:1")}
    assert game.own("silenced") == game.own("fires") == []  # the combat phase is over


@pytest.mark.rule("race-for-tunis", "17.3.B-1", "17.3.C-1")
def test_it_comes_before_every_battle_and_hurts_nobody():
    game = duel()
    game.axis(attack("1312", "7-10-I"), cb("II-90 C-ART", "78FA"), DONE, dice=(6, 6, *contact("4:1")))  # 12: D elim
    assert game.data("counterbattery")["result"] == "DE"
    assert game.kinds().index("counterbattery") < game.kinds().index("battle")
    assert (game.at("II-90"), game.at("C-ART"), game.at("78FA")) == ("1313", "1314", "1411")


@pytest.mark.rule("race-for-tunis", "17.3.D")
@pytest.mark.parametrize(("dice", "result"), [((1, 1), "AE"), ((1, 5), "AR1")])
def test_after_an_elimination_or_a_retreat_of_the_attacker_the_target_fires(dice, result):
    game = duel()
    game.axis(attack("1312", "7-10-I"), cb("II-90 C-ART", "78FA"), DONE, dice=(*dice, *contact("1:1")))
    assert game.data("counterbattery")["result"] == result
    assert helped(game) == {"1312": ["78FA"]}
    assert (game.at("II-90"), game.at("C-ART")) == ("1313", "1314")


@pytest.mark.rule("race-for-tunis", "17.3.A-2", "17.3.A-3", "17.3.A-4")
def test_each_fires_at_one_enemy_gun_in_range_and_does_nothing_else():
    game = duel(UNITS.replace("C-ART", "SUP-ART"))
    for line, refusal in (
        (cb("SUP-ART", "78FA"), ("out-of-range", "17.3.A-4")),
        (cb("II-90", "1ES"), ("no-enemy-gun", "17.3.A-4")),
        (cb("II-90", "C-ART"), ("no-enemy-gun", "17.3.A-4")),
        (cb("T1", "78FA"), ("no-artillery", "17.3.A-3")),
        (cb("II-90 II-90", "78FA"), ("malformed", "17.3.A-3")),
    ):
        game.axis(line)
        assert game.refusal() == refusal
    game.axis(attack("1312", "7-10-I", "II-90"), cb("II-90", "78FA"))
    assert game.refusal() == ("supports-elsewhere", "10.1.C-1")
    game.axis(cb("II-90", "78FA"), attack("1312", "7-10-I"), support("II-90", "1312"))
    assert game.refusal() == ("supports-elsewhere", "10.1.C-1")
    game = duel(UNITS, counterbattery=False)
    game.axis(cb("II-90", "78FA"))
    assert game.refusal() == ("not-played", "17.3.A-1")


def test_uphill_guns_count_half_and_a_city_does_not_double_the_target():
    game = duel("7-10-I@1216 II-90@1216 1ES@1116 78FA@1116")
    game.axis(attack("1116", "7-10-I"), cb("II-90", "78FA"), DONE, dice=(1, 2, *contact("1:2")))  # 5/2 to 6, 1:3
    fire = game.data("counterbattery")
    assert (fire["attack"], fire["column"], fire["result"]) == ("5/2", "1:3", "AE")
    game = combat("1ES@0712 78FA@0712 T1@0711 II-90@0711", "allied", tempo="blitz", counterbattery=True)
    game.allied(attack("0711", "1ES"), cb("78FA", "II-90"), DONE, dice=(6, 6, *contact("1:5")))
    fire = game.data("counterbattery")
    assert (fire["attack"], fire["defence"], fire["result"]) == (6, 5, "DE")
    assert fought(game) == {"0711": (2, 9, "1:5")}  # silenced, it defends itself


def test_by_option_the_dice_are_thrown_after_the_defender_has_allotted_his_guns():
    game = duel(tempo="normal", counterbattery_before=False)
    game.axis(attack("1312", "7-10-I"), cb("II-90 C-ART", "78FA"), DONE)
    assert game.events("counterbattery") == []
    game.allied(support("78FA", "1312"), DONE, dice=(4, 4, *contact("4:1")))
    assert game.kinds().index("allotted") < game.kinds().index("counterbattery")
    assert fought(game) == {"1312": (9, 2, "4:1")}


def test_guns_under_an_interdictor_fire_at_nobody():
    over = {"BISLEY": {"state": "interdict", "hex": "1313", "back": None}}
    game = duel(air=True, own={"air": over})
    game.axis(attack("1312", "7-10-I"), cb("II-90", "78FA"))
    assert game.refusal() == ("interdicted", "17.2.3.E-1")


# Without supply (RT-03) 62AF, 2 and range 2, has 1; at a target higher up 1/2. II-90 counts 5.
HUNGRY = {"supply": "traced", "marks": {"unsupplied": "62AF"}}


@pytest.mark.rule("race-for-tunis", "17.3.B-2")
def test_below_one_to_five_nobody_fires():
    game = duel("1ES@1215 T1@1316 62AF@1215 II-90@1116 T2@1116", side="allied", **HUNGRY)
    game.allied(attack("1316", "1ES"), cb("62AF", "II-90"))
    assert game.refusal() == ("fire-below-1-5", "17.3.B-2")
    assert (game.last.rejections[0].details["attack"], game.last.rejections[0].details["defence"]) == ("1/2", 5)


@pytest.mark.rule("race-for-tunis", "17.3.C-1")
@pytest.mark.parametrize(("guns", "left"), [("78FA", []), ("78FA 62AF", ["62AF"])])
def test_a_gun_that_is_lost_alone_in_a_zone_fires_no_more_and_the_rest_may_be_too_weak(guns, left):
    # 78FA stands alone in the zone of T1 and is lost as the attacks are declared (RT-27); of the guns 1/2 is left, or nothing.
    units = "1ES@1216 T1@1316 62AF@1216 78FA@1415 II-90@1116 T2@1116"
    game = duel(units, side="allied", **HUNGRY)
    game.allied(attack("1316 1116", "1ES"), cb(guns, "II-90"), order("DONE", auto=True), dice=())
    assert [unit for unit in guns.split() if game.at(unit) != "box:eliminated"] == left
    assert game.events("counterbattery") == []
