"""11.1: selective attacks of the Axis on a stack, battalion by battalion (RT-19).

Factors: 7-10-I 9, 5-I, 5-III, BRN-I 4, 10B-16 (Italian), T1, T2 2; 1ES, 6RWK, 5BF 2, 64AT 1-2, 78FA 6. All hexes are clear."""

import pytest

from services.rules.games.race_for_tunis.package import unassigned
from tests.rules.race_for_tunis.packaging import attacked, odds, packing, support
from tests.rules.race_for_tunis.positions import DONE, attack

STACK = "1ES@1312 6RWK@1312 64AT@1312"
ATTACKERS = "5-I@1313 5-III@1313 T1@1212 T2@1212"


@pytest.mark.rule("race-for-tunis", "11.1.A-1", "11.1.A-2", "11.1.A-3", "11.1.B-1")
def test_some_attack_one_battalion_and_others_the_rest():
    game = packing(f"{ATTACKERS} {STACK}")
    game.axis(attack("1312", "5-I T1", only="1ES"), attack("1312", "5-III T2", rest=True), DONE)
    assert attacked(game) == {"1312-1ES": (["5-I", "T1"], ["1ES"]), "1312-REST": (["5-III", "T2"], ["64AT", "6RWK"])}
    assert odds(game) == {"1312-1ES": (6, 2, "3:1"), "1312-REST": (6, 4, "1:1")}  # 64AT defends with 2
    assert unassigned(game.table) == {}


@pytest.mark.rule("race-for-tunis", "11.1.A-3")
def test_the_rest_must_be_attacked_too():
    game = packing(f"{ATTACKERS} {STACK}")
    game.axis(attack("1312", "5-I 5-III T1 T2", only="1ES"), DONE)
    assert game.refusal() == ("rest-not-attacked", "11.1.A-3")
    assert game.last.rejections[0].details == {"duty": "open", "hex": "1312", "units": ["6RWK"]}
    game.axis(attack("1312", "5-I 5-III", only="1ES"), attack("1312", "T1 T2", only="6RWK"), DONE)
    assert odds(game) == {"1312-1ES": (8, 2, "4:1"), "1312-6RWK": (4, 2, "2:1")}


@pytest.mark.rule("race-for-tunis", "11.1.B-1", "11.1.B-2")
def test_a_single_maneuver_battalion_of_the_hex_is_named_and_no_support_unit():
    game = packing(f"{ATTACKERS} {STACK} 78FA@1312 5BF@1412")
    for unit in ("64AT", "78FA"):
        game.axis(attack("1312", "5-I", only=unit))
        assert game.refusal() == ("support-unit", "11.1.B-2")
    for unit in ("5BF", "T1", "17-21L"):
        game.axis(attack("1312", "5-I", only=unit))
        assert game.refusal() == ("not-in-hex", "11.1.A-2")
    game.axis(attack("1312 1412", "5-I", only="1ES"))
    assert game.refusal() == ("selects-in-one-hex", "11.1.A-1")
    game.axis(attack("1312", "5-I", only="1ES", rest=True))
    assert game.refusal() == ("selects-in-one-hex", "11.1.A-1")


@pytest.mark.rule("race-for-tunis", "11.1.B-3")
def test_where_every_battalion_is_named_the_support_units_are_left_to_the_defender():
    game = packing(f"{ATTACKERS} {STACK} 78FA@1312")
    one, other = attack("1312", "5-I 5-III", only="1ES"), attack("1312", "T1", only="6RWK")
    rest = attack("1312", "T2", rest=True)
    game.axis(one, other, rest)
    assert game.refusal() == ("no-rest", "11.1.B-3")
    game.axis(rest, one, other)
    assert game.refusal() == ("no-rest", "11.1.B-3")
    game.axis(one, attack("1312", "T1 T2", only="6RWK"), DONE)
    assert {str(at): units for at, units in unassigned(game.table).items()} == {"1312": ("64AT", "78FA")}
    assert attacked(game) == {"1312-1ES": (["5-I", "5-III"], ["1ES"]), "1312-6RWK": (["T1", "T2"], ["6RWK"])}


def test_where_there_is_one_battalion_its_support_units_stay_with_it():
    # RT-19: 4 + 4 + 2 + 2 against 2, 2 and, in company, 6.
    game = packing(f"{ATTACKERS} 1ES@1312 64AT@1312 78FA@1312")
    game.axis(attack("1312", "5-I 5-III T1 T2", only="1ES"), DONE)
    assert attacked(game)["1312-1ES"][1] == ["1ES", "64AT", "78FA"]
    assert odds(game) == {"1312-1ES": (12, 10, "1:1")}
    assert unassigned(game.table) == {}


def test_each_battle_has_its_own_attackers_guns_and_name():
    game = packing(f"{ATTACKERS} II-90@1314 {STACK}")
    one = attack("1312", "5-I T1", "II-90", only="1ES", label="A1")
    game.axis(one, attack("1312", "5-I T2 5-III", rest=True))
    assert game.refusal() == ("attacks-elsewhere", "8.1-1")
    game.axis(one, attack("1312", "T2 5-III", "II-90", rest=True))
    assert game.refusal() == ("supports-elsewhere", "10.1.C-1")
    game.axis(one, attack("1312", "T2 5-III"))
    assert game.refusal() == ("attacked-already", "8.0.C-1")
    game.axis(one, attack("1312", "T2 5-III", rest=True), support("II-90", "A1"), DONE)
    assert odds(game) == {"A1": (11, 2, "5:1"), "1312-REST": (6, 4, "1:1")}


@pytest.mark.rule("race-for-tunis", "11.1.A-1")
def test_by_option_germans_alone_single_out():
    units = f"10B-16@1313 5-I@1313 {STACK}"
    lines = attack("1312", "10B-16", only="1ES"), attack("1312", "5-I", rest=True)
    game = packing(units)
    game.axis(*lines, DONE)
    assert odds(game) == {"1312-1ES": (2, 2, "1:1"), "1312-REST": (4, 4, "1:1")}
    german = packing(units, italian_selective=False)
    german.axis(*lines)
    assert german.refusal() == ("germans-select", "11.1.A-1")
    german.axis(attack("1312", "5-I", only="1ES"), attack("1312", "10B-16", rest=True), DONE)  # the rest is anybody's
    assert odds(german) == {"1312-1ES": (4, 2, "2:1"), "1312-REST": (2, 4, "1:2")}


def test_companies_single_out_as_battalions_do():
    game = packing("1-7-10@1313 2-7-10@1313 3-7-10@1313 1ES@1312 6RWK@1312")
    game.axis(attack("1312", "1-7-10", only="1ES"), attack("1312", "2-7-10 3-7-10", rest=True), DONE)
    assert odds(game) == {"1312-1ES": (3, 2, "1:1"), "1312-REST": (6, 2, "3:1")}
