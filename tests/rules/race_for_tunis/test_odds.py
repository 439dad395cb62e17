"""8.2 to 8.4, 10.2, 10.4: strengths as terrain changes them, and the column of a battle.

Factors: 7-10-I 9, 190PZ 8, 5-I, 5-III, BRN-I 4, T1, T2 2, RVT 1; 17-21L, 16-5L, LBH 4, 1ES, 6RWK 2, 4CA 1; 64AT 1-2; guns II-90 5, 78FA 6.
Ground: round 1313 clear; 1116 high, 1117 rugged crest with a cliff to 1216 and 1217, 1016 rugged crest, 1215 and 1115 wadi, 1214 and 1216
clear; 0815 high, 0915 clear, 0916 rugged crest with a cliff to 0816 (wadi) and 0917 (wadi); 0711 is Tunis, 0712 next to it clear."""

from fractions import Fraction

import pytest

from services.rules.games.race_for_tunis.odds import base, column, strengths
from tests.rules.race_for_tunis.packaging import attacked, confirmed, odds, packing
from tests.rules.race_for_tunis.positions import DONE, attack, position


def declared(units, hexes, attackers, guns="", side="axis", **more):
    """Attack, defence and column of the one battle that is declared."""
    game = packing(units, side, **more)
    game.send(side, attack(hexes, attackers, guns), confirmed())
    assert game.codes() == []
    (figures,) = odds(game).values()
    return figures


def battle(units, hexes, attackers, defenders, **more):
    """A table and a battle on it as it would stand in the game's own."""
    names = ("support", "defence", "aircraft")
    one = {
        "label": "A1",
        "hexes": hexes.split(),
        "units": attackers.split(),
        "defenders": defenders.split(),
        "lower": more.pop("lower", None),
    }
    one |= {name: more.pop(name, "").split() for name in names}
    one["air"] = one.pop("aircraft")
    return position(units, step="package", **more).table, one


# -- columns ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.2.A", "8.2.B", "8.2.C-1", "8.2.C-EX1", "8.2.C-EX2")
def test_seventeen_against_six_is_two_to_one_and_eighteen_three_to_one():
    units = "7-10-I@1313 190PZ@1313 RVT@1313 17-21L@1312 1ES@1312"
    assert declared(units, "1312", "7-10-I 190PZ RVT") == (18, 6, "3:1")
    assert declared(units.replace("RVT@1313 ", ""), "1312", "7-10-I 190PZ") == (17, 6, "2:1")


@pytest.mark.rule("race-for-tunis", "8.1-2", "8.2.C-2", "8.2.D", "8.2.E-1")
def test_odds_are_rounded_for_the_defender_and_end_at_eight_to_one_and_one_to_five():
    table = position("5-I@1313").table
    columns = ["1:5", "1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1"]

    def printed(attack, defence):
        n = base(table, Fraction(attack), Fraction(defence))
        return None if n is None else columns[n]

    # 4 against 5 is 1:2, 3 against 7 is 1:3 (RT-24); 7 1/2 against 4 is 1:1.
    assert [printed(*pair) for pair in ((4, 5), (3, 7), ("15/2", 4), (6, 6), (11, 6), (12, 6))] == [
        "1:2",
        "1:3",
        "1:1",
        "1:1",
        "1:1",
        "2:1",
    ]
    assert [printed(*pair) for pair in ((17, 2), (16, 2), (15, 2), (1000, 1))] == ["8:1", "8:1", "7:1", "8:1"]
    assert [printed(*pair) for pair in ((1, 5), (2, 11), (1, "21/4"), ("1/4", 1), (0, 2))] == ["1:5", None, None, "1:4", None]


@pytest.mark.rule("race-for-tunis", "8.2.F")
def test_the_attacker_may_lower_the_column_and_not_below_one_to_five():
    for lower, expected in ((0, "3:1"), (1, "2:1"), (3, "1:2"), (6, "1:5"), (99, "1:5")):
        game = packing("5-I@1313 T1@1313 1ES@1312")
        game.axis(attack("1312", "5-I T1", lower=lower), DONE)
        assert odds(game) == {"1312": (6, 2, expected)}
    game = packing("5-I@1313 1ES@1312")
    game.axis(attack("1312", "5-I", lower=-1))
    assert game.refusal() == ("malformed", "8.2.F")


@pytest.mark.rule("race-for-tunis", "17.2.2.D", "17.2.2.D-EX")
def test_air_support_raises_the_column_and_the_attacker_lowers_it_then():
    # 4 against 2 is 2:1; the JU 87 (2) makes it 4:1. Beyond 8:1 it is lost (RT-41) before the attacker lowers (RT-25).
    units = "5-I@1313 1ES@1312"
    table, one = battle(units, "1312", "5-I", "1ES", air=True, aircraft="JU87")
    assert column(table, one) == ("4:1", 7)
    table, one = battle(units, "1312", "5-I", "1ES", air=True, aircraft="JU87", lower=3)
    assert column(table, one) == ("1:1", 4)
    table, one = battle("7-10-I@1313 190PZ@1313 1ES@1312", "1312", "7-10-I 190PZ", "1ES", air=True, aircraft="JU87", lower=1)
    assert column(table, one) == ("7:1", 10)  # 17 against 2, and two more, is still 8:1
    table, one = battle("RVT@1313 17-21L@1312 1ES@1312", "1312", "RVT", "17-21L 1ES", air=True, aircraft="JU87")
    assert column(table, one) is None  # RT-24: 1 against 6 is off the table


# -- the attacker and the ground -------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.3-0", "8.3.A", "8.3.B-1", "8.3.B-2")
@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("1216", "1116", 2),  # clear to high ground
        ("1116", "1016", 2),  # high ground to rugged crest
        ("0915", "0916", 2),  # clear to rugged crest: up twice, halved once
        ("1313", "1312", 4),  # level
        ("0913", "0914", 4),  # high ground down into a wadi
        ("0916", "1016", 4),  # crest to crest
        ("1116", "1216", 4),  # down
        ("1016", "1015", 4),
        ("0414", "0413", 4),  # swamp is as low as clear ground
    ],
)
def test_who_attacks_uphill_is_halved(here, there, expected):
    assert declared(f"5-I@{here} 1ES@{there}", there, "5-I")[:2] == (expected, 2)


@pytest.mark.rule("race-for-tunis", "8.3.C-1", "8.3.D-1")
@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("1215", "1214", 2),  # out of a wadi
        ("1215", "1115", 4),  # wadi to wadi
        ("1214", "1215", 4),  # into a wadi
        ("1215", "1116", 1),  # out of a wadi and uphill: twice halved
        ("1016", "1017", 4),  # crest down into a wadi
        ("0809", "0810", 2),  # out of a wadi into a swamp
    ],
)
def test_who_attacks_out_of_a_wadi_is_halved(here, there, expected):
    assert declared(f"5-I@{here} 1ES@{there}", there, "5-I")[:2] == (expected, 2)


@pytest.mark.rule("race-for-tunis", "8.3.C-2", "8.3.D-2")
@pytest.mark.parametrize(
    ("unit", "here", "there", "expected"),
    [
        ("5-I", "1216", "1117", 1),  # up a cliff: a quarter, though it is uphill too
        ("5-I", "0816", "0916", 1),  # up a cliff and out of a wadi: no less than a quarter
        ("756-I", "1216", "1117", "3/4"),  # mountaineers too (RT-12)
        ("5-I", "1117", "1216", 4),  # down
    ],
)
def test_who_attacks_up_a_cliff_is_quartered_and_nobody_is_worse(unit, here, there, expected):
    assert declared(f"{unit}@{here} 1ES@{there}", there, unit)[:2] == (expected, 2)


@pytest.mark.rule("race-for-tunis", "6.6.B-3", "8.3.E-1", "8.3.E-2", "10.2.A-1", "10.2.A-2")
def test_heavy_equipment_may_attack_a_crest_at_a_quarter_and_guns_support_at_half():
    assert declared("190PZ@0915 1ES@0916", "0916", "190PZ") == (2, 2, "1:1")
    assert declared("190PZ@1116 1ES@1117", "1117", "190PZ")[:2] == (2, 2)  # from high ground as well
    assert declared("190PZ@1216 1ES@1116", "1116", "190PZ")[:2] == (4, 2)  # high ground is no crest: uphill
    assert declared("90AT@0915 1ES@0916", "0916", "90AT") == ("3/4", 2, "1:3")
    # II-90 in 0914, a wadi below: 4 by half and 5 by half.
    assert declared("5-I@0915 II-90@0914 1ES@0916", "0916", "5-I", "II-90") == ("9/2", 2, "2:1")
    # A gun at the foot of the cliff is halved and no more; one in a wadi that fires at clear ground counts in full (RT-26).
    assert declared("5-I@1216 II-90@1216 1ES@1117", "1117", "5-I", "II-90")[:2] == ("7/2", 2)
    assert declared("5-I@1313 II-90@1215 1ES@1314", "1314", "5-I", "II-90")[:2] == (9, 2)
    # One as high as its target is not halved: crest at crest, high ground at clear ground.
    assert declared("5-I@1116 334ART@1114 1ES@1216", "1216", "5-I", "334ART")[:2] == (9, 2)


@pytest.mark.rule("race-for-tunis", "8.3.F", "8.3.G")
def test_each_attacker_is_reduced_by_its_own_hex_and_fractions_are_kept():
    # 1117: up the cliff from 1216 a quarter, from the high ground of 1116 half, from the crest of 1016 whole.
    units = "T1@1216 T2@1116 5-I@1016"
    assert declared(f"{units} 1ES@1117", "1117", "T1 T2 5-I") == ("11/2", 2, "2:1")
    # Twice a half is 1 against 1: 1:1. Rounded down it would be nothing.
    assert declared("T1@1216 T2@1216 4CA@1117", "1117", "T1 T2") == (1, 1, "1:1")


@pytest.mark.rule("race-for-tunis", "8.4-2")
def test_against_several_hexes_an_attacker_takes_its_worst_reduction():
    # 5-I in 1216 is level with 1215 and below 1116: 2. T1 in 1214 touches 1215 alone: 2.
    assert declared("5-I@1216 1ES@1215 6RWK@1116", "1215 1116", "5-I") == (2, 4, "1:2")
    assert declared("5-I@1216 T1@1214 1ES@1215 6RWK@1116", "1215 1116", "5-I T1") == (4, 4, "1:1")
    # A gun is halved if any of the hexes is higher (RT-08).
    assert declared("5-I@1216 II-90@1216 1ES@1215 6RWK@1116", "1215 1116", "5-I", "II-90") == ("9/2", 4, "1:1")


# -- the defender ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.3.H-1", "8.3.H-2")
def test_a_city_doubles_its_defenders_and_nothing_else_does():
    assert declared("17-21L@0712 T1@0711 92-I@0711", "0711", "17-21L", side="allied") == (4, 8, "1:2")  # 2 and 2, twice
    for here, there in (("1313", "1312"), ("1216", "1116"), ("0915", "0916"), ("1214", "1215"), ("0414", "0413"), ("0715", "0716")):
        assert declared(f"5-I@{here} 64AT@{there}", there, "5-I")[1] == 2  # by its defence value


def test_defence_sums_over_hexes_with_each_city_doubled_alone():
    # RT-08: T1 in Tunis 4, T2 in 0811 2; 17-21L in 0712 is next to both.
    assert declared("17-21L@0712 T1@0711 T2@0811", "0711 0811", "17-21L", side="allied") == (4, 6, "1:2")


@pytest.mark.rule("race-for-tunis", "10.4.A-2", "10.4.B-1")
def test_artillery_alone_defends_with_one_and_in_company_with_all_it_has():
    assert declared("5-I@1313 78FA@1312", "1312", "5-I") == (4, 1, "4:1")
    assert declared("5-I@1313 78FA@1312 12RHA@1312", "1312", "5-I") == (4, 2, "2:1")  # other guns are no company
    assert declared("5-I@1313 78FA@1312 64AT@1312", "1312", "5-I") == (4, 8, "1:2")  # 6 and 2
    # In a city a lone gun is a defender of 1, doubled; in company its fire is not (RT-28).
    assert declared("17-21L@0712 SUP-ART@0711", "0711", "17-21L", side="allied") == (4, 2, "2:1")
    assert declared("17-21L@0712 SUP-ART@0711 T1@0711", "0711", "17-21L", side="allied") == (4, 8, "1:2")  # 4, and 2 twice


@pytest.mark.rule("race-for-tunis", "10.2.B")
def test_guns_that_support_a_city_are_not_doubled_wherever_they_are():
    units = "17-21L@0712 T1@0711 SUP-ART@0710 II-90@0611"
    table, one = battle(units, "0711", "17-21L", "T1", side="allied", defence="SUP-ART II-90")
    assert strengths(table, one) == (4, 13)  # 2 twice, and 4 and 5: the gun on high ground in full as well


@pytest.mark.rule("race-for-tunis", "17.2.3.E-2")
def test_a_gun_in_an_interdicted_hex_defends_with_one():
    air = position("5-I@1313", air=True).own("air") | {"JU87": {"state": "interdict", "hex": "1312", "back": None}}
    table, one = battle("5-I@1313 78FA@1312 12RHA@1312 1ES@1312", "1312", "5-I", "78FA 12RHA 1ES", air=True, own={"air": air})
    assert strengths(table, one) == (4, 4)


# -- what has changed since ------------------------------------------------------------------------------------------------------


def test_who_is_no_longer_there_does_not_count():
    # RT-34: of the attackers 5-III has died and BRN-I is next to no hex that is held; of the defenders 6RWK has been driven from 1412, and
    # 5BF, which has come to 1312, adds nothing.
    units = "5-I@1313 5-III@dead BRN-I@1512 II-90@1314 SUP-ART@dead 1ES@1312 6RWK@1311 5BF@1312"
    table, one = battle(units, "1312 1412", "5-I 5-III BRN-I", "1ES 6RWK", support="II-90 SUP-ART", defence="78FA")
    assert strengths(table, one) == (9, 2)
    assert column(table, one) == ("4:1", 7)


def test_guns_without_anybody_to_support_are_no_attack():
    table, one = battle("5-I@dead II-90@1314 1ES@1312", "1312", "5-I", "1ES", support="II-90")
    assert strengths(table, one) == (0, 2)
    assert column(table, one) is None
    table, one = battle("5-I@1313 1ES@dead 78FA@1311", "1312", "5-I", "1ES", defence="78FA")
    assert strengths(table, one) == (0, 0)


def test_the_lowered_column_is_told_and_the_strengths_are_not_changed():
    game = packing("5-I@1313 5-III@1313 1ES@1312")
    game.axis(attack("1312", "5-I 5-III", lower=1), DONE)
    assert attacked(game) == {"1312": (["5-I", "5-III"], ["1ES"])}
    assert odds(game) == {"1312": (8, 2, "3:1")}


@pytest.mark.rule("race-for-tunis", "10.1.A-2", "10.2.A-1")
def test_a_gun_is_not_halved_by_a_height_that_it_does_not_reach():
    # RT-08: in 1415 SUP-ART (4, range 2) is two hexes from 1215, three from the high ground of 1217. 5-I in 1216, below it, counts 2.
    units = "5-I@1216 SUP-ART@1415 1ES@1215 6RWK@1217"
    assert declared(units, "1215 1217", "5-I", "SUP-ART") == (6, 4, "1:1")
    assert declared(units.replace("SUP-ART", "C-ART"), "1215 1217", "5-I", "C-ART")[:2] == (4, 4)  # range 3: half of 4
