"""10.1.B-3: the defender's window: guns for battles, by name or by the rule, given there or beforehand.

Factors: 7-10-I, 7-10-II 9, 190PZ 8, 5-I 4, RVT 1; 1ES, 6RWK, 5BF 2, 4CA 1; guns 78FA 6, 32FA 4 (range 3), 62AF 2 (range 2).
1411 is next to 1312 and two hexes from 1413; 1309 is three from 1312 and five from 1413."""

import pytest

from services.rules.engine.model import Guard
from tests.rules.race_for_tunis.combats import aircraft, combat, contact, fought, helped, support
from tests.rules.race_for_tunis.positions import DONE, attack, on, order

TWO = "7-10-I@1313 190PZ@1313 1ES@1312 6RWK@1413"
BOTH = (attack("1312", "7-10-I"), attack("1413", "190PZ"))
MAXIMISE = order("SUPPORT", guns=[], battle=None, maximise=True, deny=[])


def deny(*hexes):
    return order("SUPPORT", guns=[], battle=None, maximise=False, deny=list(hexes))


@pytest.mark.rule("race-for-tunis", "10.1.B-2", "10.1.B-3", "10.1.B-4")
def test_the_defender_allots_when_all_attacks_are_declared_and_they_stand():
    game = combat(TWO + " 78FA@1411")
    game.axis(*BOTH, DONE)
    assert game.place == "5 axis allotment"
    assert [one["odds"] for one in game.data("package")["battles"]] == ["4:1", "4:1"]
    game.axis(attack("1312", "7-10-I", lower=1))
    assert game.codes() == ["not-in-this-step"]
    assert game.battle("1312")["lower"] is None
    game.allied(support("78FA", "1312"), DONE, dice=contact("1:1", "4:1"))
    assert fought(game) == {"1312": (9, 8, "1:1"), "1413": (8, 2, "4:1")}


@pytest.mark.rule("race-for-tunis", "10.1.A-1", "10.1.A-3")
def test_a_gun_must_be_in_range_of_a_hex_of_the_battle():
    game = combat(TWO + " 78FA@1309 62AF@1411")
    game.axis(*BOTH, DONE)
    game.allied(support("78FA", "1413"))
    assert game.refusal() == ("out-of-range", "10.1.A-2")
    game.allied(support("78FA", "1312"), DONE, dice=contact("1:1", "4:1"))
    assert helped(game) == {"1312": ["78FA"], "1413": []}
    game = combat(TWO + " 78FA@1309")
    game.axis(attack("1312 1413", "7-10-I 190PZ"), DONE)
    game.allied(support("78FA", "1413"), DONE, dice=contact("1:1"))  # one battle for both hexes, 1312 is near enough
    assert fought(game) == {"1312": (17, 10, "1:1")}


@pytest.mark.rule("race-for-tunis", "10.1.C-1", "10.1.C-2", "10.1.D")
def test_each_gun_helps_one_battle_and_several_may_help_the_same():
    game = combat(TWO + " 78FA@1411 32FA@1411 62AF@1411")
    game.axis(*BOTH, DONE)
    game.allied(support("78FA", "1312"), support("78FA 32FA", "1413"))
    assert game.refusal() == ("supports-elsewhere", "10.1.C-1")
    game.allied(support("78FA", "1312"), support("78FA", "1413"), support("32FA 62AF", "1312"), DONE, dice=contact("1:1", "1:1"))
    assert helped(game) == {"1312": ["32FA", "62AF"], "1413": ["78FA"]}  # the later line of the same gun stands
    assert fought(game) == {"1312": (9, 8, "1:1"), "1413": (8, 8, "1:1")}


def test_what_is_no_gun_or_no_battle_is_refused():
    game = combat(TWO + " 78FA@1411 32FA@dead 17-21L@1411")
    game.axis(*BOTH, DONE)
    for line, code in (
        (support("17-21L", "1312"), "no-artillery"),
        (support("32FA", "1312"), "not-on-map"),
        (support("78FA", "1215"), "no-battle-there"),
        (support("78FA 78FA", "1312"), "malformed"),
        (support("II-90", "1312"), "not-yours"),
    ):
        game.allied(line)
        assert game.codes() == [code]
    assert game.place == "5 axis allotment"


@pytest.mark.rule("race-for-tunis", "10.4.A-1", "10.4.B-2")
def test_guns_under_attack_support_no_battle_alone_or_in_company():
    game = combat("7-10-I@1313 190PZ@1313 5-I@1313 1ES@1312 32FA@1312 6RWK@1413 78FA@1412 62AF@1411")
    game.axis(*BOTH, attack("1412", "5-I"), DONE)
    for gun in ("32FA", "78FA"):
        game.allied(support(gun, "1413"))
        assert game.refusal() == ("gun-under-attack", "10.4.B-2")
    game.allied(support("62AF", "1413"), DONE, dice=contact("1:1", "2:1", "4:1"))
    assert fought(game) == {"1312": (9, 6, "1:1"), "1413": (8, 4, "2:1"), "1412": (4, 1, "4:1")}


def test_the_rule_takes_the_smallest_set_that_lowers_a_column_battle_by_battle_until_nothing_changes():
    # 1312: 9 to 2, 4:1; 62AF alone lowers it to 2:1. 1413: 8 to 2, 4:1; the weakest of those left lowers it: 32FA, 8 to 6, 1:1.
    # Once more: 1312 with 78FA 9 to 10, 1:2. Nothing is left.
    game = combat(TWO + " 78FA@1411 32FA@1411 62AF@1411", tempo="blitz")
    game.axis(*BOTH, DONE, dice=contact("1:2", "1:1"))
    assert helped(game) == {"1312": ["62AF", "78FA"], "1413": ["32FA"]}
    assert fought(game) == {"1312": (9, 10, "1:2"), "1413": (8, 6, "1:1")}
    assert [event.data["how"] for event in game.events("allotted")] == ["rule"] * 3


@pytest.mark.rule("race-for-tunis", "8.2.E-N1", "8.2.E-N2")
def test_the_rule_first_makes_attacks_impossible_that_it_can():
    # 1413: 1 to 4, 1:4; with 62AF 1 to 6, below 1:5, so the attackers die without dice; 1312 gets 78FA: 9 to 8.
    game = combat("7-10-I@1313 RVT@1313 1ES@1312 6RWK@1413 5BF@1413 78FA@1411 62AF@1411", tempo="blitz")
    game.axis(attack("1312", "7-10-I"), attack("1413", "RVT"), DONE, dice=contact("1:1"))
    assert fought(game)["1312"] == (9, 8, "1:1")
    assert game.at("RVT") == "box:eliminated"
    assert len(game.events("rolled")) == 1


def test_the_rule_keeps_guns_that_change_nothing():
    # 26 to 1 and 26 to 3 are both 8:1.
    game = combat("7-10-I@1313 7-10-II@1313 190PZ@1313 4CA@1312 62AF@1411", tempo="blitz")
    game.axis(attack("1312", "7-10-I 7-10-II 190PZ"), DONE, dice=contact("8:1"))
    assert helped(game) == {"1312": []}


def test_a_side_that_says_done_has_its_guns_silent():
    game = combat(TWO + " 78FA@1411")
    game.axis(*BOTH, DONE)
    game.allied(DONE, dice=contact("4:1", "4:1"))
    assert helped(game) == {"1312": [], "1413": []}


def test_nobody_is_asked_without_a_gun_in_range():
    game = combat(TWO + " 78FA@1307")
    game.axis(*BOTH, DONE, dice=contact("4:1", "4:1"))
    assert "allotment" not in [event.data["step"] for event in game.events("step_opened")]
    assert game.place == "5 allied movement"


def test_standing_orders_name_guns_deny_hexes_or_leave_it_to_the_rule():
    guns = TWO + " 78FA@1411 32FA@1411"
    game = combat(guns)
    game.allied(standing=[on("ALLOTMENT", deny("1312"))])
    game.axis(*BOTH, DONE, dice=contact("4:1", "1:2"))
    assert helped(game) == {"1312": [], "1413": ["32FA", "78FA"]}  # 8 to 6, then 8 to 12
    game = combat(guns)
    game.allied(standing=[on("ALLOTMENT", support("32FA", "1312")), on("ALLOTMENT", MAXIMISE)])
    game.axis(*BOTH, DONE, dice=contact("1:2", "4:1"))
    assert helped(game) == {"1312": ["32FA", "78FA"], "1413": []}  # 9 to 6, then the rule: 9 to 12
    game = combat(guns)
    game.allied(standing=[on("ALLOTMENT", support("78FA", "1413"))])
    game.axis(*BOTH, DONE, dice=contact("4:1", "1:1"))
    assert helped(game) == {"1312": [], "1413": ["78FA"]}


def test_done_beforehand_says_that_no_gun_fires_and_nobody_takes_off():
    ready = {"state": "ready", "hex": None, "back": None}
    game = combat(TWO + " 78FA@1411 32FA@1411", air=True, own={"air": {"SPIT": ready, "JU87": ready}})
    game.allied(standing=[on("ALLOTMENT", DONE)])
    game.axis(*BOTH, aircraft("JU87", "SUPPORT", "1312"), DONE, dice=contact("6:1", "4:1"))
    assert helped(game) == {"1312": [], "1413": []}
    assert "interceptor" not in game.kinds()


def test_a_guard_on_odds_counts_the_battle_of_the_line():
    def least(ratio):
        return Guard("odds", {"at_least": ratio})

    line = order("SUPPORT", guns=["78FA"], battle="1312", guard=(least("5"),), otherwise=support("78FA", "1413"))
    game = combat(TWO + " 78FA@1411")
    game.axis(*BOTH, DONE)
    game.allied(line, DONE, dice=contact("4:1", "1:1"))  # 9 to 2 is less than 5:1
    assert helped(game) == {"1312": [], "1413": ["78FA"]}
    game = combat(TWO + " 78FA@1411")
    game.axis(*BOTH, DONE)
    line = order("SUPPORT", guns=["78FA"], battle="1312", guard=(least("9/2"),), otherwise=support("78FA", "1413"))
    game.allied(line, DONE, dice=contact("1:1", "4:1"))
    assert helped(game) == {"1312": ["78FA"], "1413": []}


@pytest.mark.rule("race-for-tunis", "18.1.7.C-1")
def test_restricted_french_guns_support_french_defenders_alone():
    own = {"french": {"free": False, "attacked": False}}
    game = combat("7-10-I@1313 190PZ@1313 1ES@1312 43C-I@1413 62AF@1411 78FA@1411", scenario="early-start", own=own)
    game.axis(*BOTH, DONE)
    game.allied(support("62AF", "1312"))
    assert game.refusal() == ("french-guns", "18.1.7.C-1")
    # British guns may help the French.
    game.allied(support("62AF", "1413"), support("78FA", "1413"), DONE, dice=(*contact("4:1", "1:2"), 6))
    assert fought(game) == {"1312": (9, 2, "4:1"), "1413": (8, 10, "1:2")}


def test_a_battle_must_be_named_that_is_one_and_not_over():
    # Two battles are fought for 1312; the one at 1411 came to nothing as it was declared: 2 against 12.
    weak = "T1@1410 17-21L@1411 16-5L@1411 LBH@1411"
    game = combat(f"7-10-I@1313 190PZ@1313 1ES@1312 6RWK@1312 {weak} 78FA@1309", tempo="full")
    game.axis(
        attack("1312", "7-10-I", only="1ES"),
        attack("1312", "190PZ", only="6RWK"),
        attack("1411", "T1"),
        order("DONE", confirm=True),
    )
    game.allied(support("78FA", "1312"))
    assert game.refusal() == ("several-battles", "10.1.B-3")
    game.allied(support("78FA", "1411"))
    assert game.refusal() == ("battle-over", "10.1.B-3")
    game.allied(support("78FA", "1312-1ES"), DONE, dice=contact("1:1", "4:1"))
    assert helped(game) == {"1312-1ES": ["78FA"], "1312-6RWK": []}
