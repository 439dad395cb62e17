"""8.0, 8.1, 10.1: who may attack what, alone or together, with which guns, and the package as it closes.

Factors: 5-I, 5-III, BRN-I 4, T1, T2, 1ES, 6RWK 2, 7-10-I 9, II-90 (range 3) 5, SUP-ART (range 2) 4, 78FA (range 3) 6."""

import pytest

from tests.rules.play import cancel
from tests.rules.race_for_tunis.packaging import AUTO, attacked, odds, packing, support
from tests.rules.race_for_tunis.positions import DONE, attack, order

# -- what may be attacked --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "4.2.A", "8.0.A-1", "8.0.A-2")
def test_units_attack_any_enemy_hex_next_to_them():
    game = packing("5-I@1313 1ES@1312 6RWK@1315")
    game.axis(attack("1315", "5-I"))
    assert game.refusal() == ("not-adjacent", "8.0.A-2")
    game.axis(attack("1413", "5-I"))
    assert game.refusal() == ("no-enemy-there", "8.0.A-2")
    game.axis(attack("1312", "5-I"), DONE)
    assert odds(game) == {"1312": (4, 2, "2:1")}
    moving = packing("5-I@1313 1ES@1312", step="movement")
    moving.allied(attack("1313", "1ES"))  # not in the other's player-turn: it waits for one's own
    assert moving.place == "5 axis movement"
    assert [event.data["lines"] for event in moving.events("tail_stored")] == [[1]]


def test_only_units_on_the_map_attack_and_each_is_named_once():
    game = packing("5-I@1313 5-III@dead 1ES@1312")
    game.axis(attack("1312", "5-I 5-III"))
    assert game.refusal() == ("not-on-map", "8.0.A-2")
    game.axis(attack("1312", "5-I 5-I"))
    assert game.refusal() == ("malformed", "8.1-1")
    game.axis(attack("1312", ""))
    assert game.refusal() == ("malformed", "8.1-1")
    game.axis(attack("", "5-I"))
    assert game.refusal() == ("malformed", "8.1-1")
    game.axis(attack("1312", "1ES"))
    assert game.codes() == ["not-yours"]


@pytest.mark.rule("race-for-tunis", "8.0.C-1", "8.0.C-2", "11.1.A-1")
def test_an_attack_is_against_all_in_the_hex_and_the_allies_single_nobody_out():
    game = packing("1ES@1313 6RWK@1313 5BF@1313 17-21L@1313 T1@1312 90AT@1312", "allied")
    game.allied(attack("1312", "1ES 6RWK 5BF 17-21L", only="T1"))
    assert game.refusal() == ("axis-alone-selects", "8.0.C-2")
    game.allied(attack("1312", "1ES 6RWK 5BF 17-21L", rest=True))
    assert game.refusal() == ("axis-alone-selects", "8.0.C-2")
    game.allied(attack("1312", "1ES 6RWK"), attack("1312", "5BF 17-21L", only="T1"))
    assert game.codes() == ["attacked-already"]
    game.allied(attack("1312", "1ES 6RWK 5BF 17-21L"), DONE)
    assert attacked(game) == {"1312": (["1ES", "6RWK", "5BF", "17-21L"], ["90AT", "T1"])}
    assert odds(game) == {"1312": (10, 5, "2:1")}  # 2 + 2 + 2 + 4 against 3 + 2


def test_a_hex_is_attacked_once_and_a_unit_attacks_once():
    game = packing("5-I@1313 5-III@1313 1ES@1312 6RWK@1412 5BF@1412")
    game.axis(attack("1312", "5-I"), attack("1412 1312", "5-III"))
    assert game.refusal() == ("attacked-already", "8.0.C-1")
    game.axis(attack("1312", "5-I"), attack("1412", "5-III 5-I"))
    assert game.refusal() == ("attacks-elsewhere", "8.1-1")
    game.axis(attack("1312", "5-I"), attack("1412", "5-III"), DONE)
    assert odds(game) == {"1312": (4, 2, "2:1"), "1412": (4, 4, "1:1")}


def test_a_later_line_for_the_same_first_hex_takes_the_place_of_the_older():
    game = packing("5-I@1313 5-III@1313 1ES@1312 6RWK@1412")
    game.axis(attack("1312", "5-I"), attack("1412", "5-III"))
    game.axis(attack("1312", "5-I", lower=1), DONE)
    assert list(odds(game)) == ["1312", "1412"]  # in its place
    assert odds(game)["1312"] == (4, 2, "1:1")


# -- several hexes at once -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.4-1")
def test_one_attack_on_several_hexes_needs_a_unit_next_to_all_of_them():
    # RT-08: 5-I in 1313 is next to both, 5-III in 1311 to 1312 alone, BRN-I in 1512 to 1412 alone.
    units = "5-I@1313 5-III@1311 BRN-I@1512 1ES@1312 6RWK@1412"
    game = packing(units)
    game.axis(attack("1312 1412", "5-III BRN-I"))
    assert game.refusal() == ("no-link", "8.4-1")
    game.axis(attack("1312 1412", "5-III BRN-I 5-I"), DONE)
    assert odds(game) == {"1312": (12, 4, "3:1")}
    assert game.own("battles")[0]["hexes"] == ["1312", "1412"]
    assert attacked(game)["1312"][1] == ["1ES", "6RWK"]


# -- labels ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.1-1", "10.1.B-2")
def test_all_attacks_are_named_before_any_is_fought_and_go_by_labels():
    game = packing("5-I@1313 5-III@1313 1ES@1312 6RWK@1412")
    game.axis(attack("1312", "5-I", label="A1"), attack("1412", "5-III", label="A1"))
    assert game.refusal() == ("label-taken", "8.1-1")
    game.axis(attack("1312", "5-I", label="1412"))
    assert game.refusal() == ("label-is-a-hex", "8.1-1")
    game.axis(attack("1312", "5-I", label="A1"), attack("1412", "5-III"))
    assert game.kinds() == []  # gathered in private
    game.axis(DONE)
    assert game.kinds() == ["step_closed", "declared", "declared", "package", "step_opened"]
    assert list(odds(game)) == ["A1", "1412"]
    assert game.events("declared")[0].data == {
        "side": "axis",
        "label": "A1",
        "hexes": ["1312"],
        "units": ["5-I"],
        "support": [],
        "lower": None,
        "only": None,
        "rest": False,
        "from": {"5-I": "1313"},
    }


# -- guns ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "10.0-1", "10.1.A-1", "10.1.A-2", "10.1.B-1", "10.1.D")
def test_guns_support_attacks_within_range_and_never_attack():
    # From 1316 to 1312 it is four hexes, from 1315 three.
    game = packing("5-I@1313 II-90@1316 SUP-ART@1315 C-ART@1315 1ES@1312")
    game.axis(attack("1312", "5-I", "II-90"))
    assert game.refusal() == ("out-of-range", "10.1.A-2")
    assert game.last.rejections[0].details["distance"] == 4
    game.axis(attack("1312", "5-I SUP-ART"))
    assert game.refusal() == ("artillery-supports", "10.0-1")
    game.axis(attack("1312", "5-I"), support("SUP-ART", "1312"))
    assert game.refusal() == ("out-of-range", "10.1.A-2")
    game.axis(attack("1312", "5-I", "5-III"))
    assert game.refusal() == ("not-on-map", "10.1.A-1")
    game.axis(attack("1312", "5-I", "5-I"))
    assert game.refusal() == ("no-artillery", "10.1.A-1")
    near = packing("5-I@1313 II-90@1315 SUP-ART@1314 C-ART@1315 1ES@1312")
    near.axis(attack("1312", "5-I", "II-90"), support("SUP-ART C-ART", "1312"), DONE)
    assert near.own("battles")[0]["support"] == ["II-90", "SUP-ART", "C-ART"]
    assert odds(near) == {"1312": (17, 2, "8:1")}  # 4, and 5 + 4 + 4


@pytest.mark.rule("race-for-tunis", "10.1.A-3")
def test_range_is_measured_to_the_defending_hex():
    # Three hexes from 1315 to 1312 though the attacker in 1313 is only two away; of several hexes the nearest counts (RT-08).
    game = packing("5-I@1313 SUP-ART@1315 1ES@1312 6RWK@1413")
    game.axis(attack("1312", "5-I", "SUP-ART"))
    assert game.refusal() == ("out-of-range", "10.1.A-2")
    game.axis(attack("1312 1413", "5-I", "SUP-ART"), DONE)
    assert odds(game) == {"1312": (8, 4, "2:1")}


@pytest.mark.rule("race-for-tunis", "10.1.C-1", "10.1.C-2")
def test_a_gun_supports_one_battle_whole():
    game = packing("5-I@1313 5-III@1313 II-90@1314 SUP-ART@1314 1ES@1312 6RWK@1412")
    both = attack("1312", "5-I", "II-90"), attack("1412", "5-III")
    game.axis(*both, support("II-90", "1412"))
    assert game.refusal() == ("supports-elsewhere", "10.1.C-1")
    game.axis(*both, support("SUP-ART", "1412"), support("SUP-ART II-90", "1312"))
    assert game.refusal() == ("supports-elsewhere", "10.1.C-1")
    game.axis(*both, support("II-90 II-90", "1312"))
    assert game.refusal() == ("malformed", "10.1.A-1")
    # The same guns named again go to the other battle; a gun named twice for one counts once.
    game.axis(*both, support("SUP-ART", "1412"), support("SUP-ART", "1312"), support("II-90 SUP-ART", "1312"))
    assert game.codes() == []
    game.axis(DONE)
    assert odds(game) == {"1312": (13, 2, "6:1"), "1412": (4, 2, "2:1")}


def test_support_is_for_an_attack_that_is_ordered_by_label_hex_or_unit():
    game = packing("5-I@1313 5-III@1313 T1@1313 II-90@1314 SUP-ART@1314 C-ART@1314 1ES@1312 6RWK@1312")
    game.axis(support("II-90", "1312"))
    assert game.refusal() == ("no-attack-there", "10.1.A-1")
    game.axis(order("SUPPORT", maximise=True))
    assert game.refusal() == ("malformed", "10.1.B-1")
    game.axis(attack("1312", "5-I", label="A1"), support("", "A1"))
    assert game.refusal() == ("malformed", "10.1.A-1")
    parts = attack("1312", "5-I", only="1ES"), attack("1312", "5-III T1", rest=True, label="A2")
    game.axis(*parts, support("II-90", "1312"))
    assert game.refusal() == ("no-attack-there", "10.1.A-1")  # which of the two?
    game.axis(*parts, support("II-90", "1ES"), support("SUP-ART", "A2"), support("C-ART", "1312-1ES"), DONE)
    assert {one["label"]: one["support"] for one in game.own("battles")} == {"1312-1ES": ["II-90", "C-ART"], "A2": ["SUP-ART"]}


def test_an_attack_written_anew_keeps_the_guns_of_its_support_line():
    game = packing("5-I@1313 5-III@1313 II-90@1314 1ES@1312")
    game.axis(attack("1312", "5-I"), support("II-90", "1312"), attack("1312", "5-I 5-III"), DONE)
    assert odds(game) == {"1312": (13, 2, "6:1")}


@pytest.mark.rule("race-for-tunis", "17.2.3.E-1")
def test_a_gun_in_an_interdicted_hex_does_not_support():
    flights = {"P38": {"state": "interdict", "hex": "1314", "back": None}}
    game = packing("5-I@1313 II-90@1314 SUP-ART@1413 1ES@1312", air=True)
    game = packing("5-I@1313 II-90@1314 SUP-ART@1413 1ES@1312", air=True, own={"air": {**game.own("air"), **flights}})
    game.axis(attack("1312", "5-I", "II-90"))
    assert game.refusal() == ("interdicted", "17.2.3.E-1")
    game.axis(attack("1312", "5-I", "SUP-ART"), DONE)
    assert odds(game) == {"1312": (8, 2, "4:1")}


# -- the French ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "18.1.7.A", "18.1.7.C-4")
def test_the_restricted_french_attack_only_where_they_could_not_leave_a_zone():
    # 1116 lies in the zone of T1 in 1115. 1309 lies at the foot of a cliff under 1308: above it, no zone of a unit below reaches.
    game = packing("4MZT-I@1312 T1@1313", "allied", scenario="early-start")
    game.allied(attack("1313", "4MZT-I"), DONE)
    assert odds(game) == {"1313": (2, 2, "1:1")}
    above = packing("4MZT-I@1308 T1@1309", "allied", scenario="early-start")
    above.allied(attack("1309", "4MZT-I"))
    assert above.refusal() == ("french-may-not-attack", "18.1.7.A")
    free = packing("4MZT-I@1308 T1@1309", "allied", scenario="early-start", own={"french": {"free": True, "attacked": False}})
    free.allied(attack("1309", "4MZT-I"), DONE)
    assert odds(free) == {"1309": (2, 2, "1:1")}


@pytest.mark.rule("race-for-tunis", "18.1.7.C-1")
def test_restricted_french_guns_support_the_french_alone():
    game = packing("4MZT-I@1312 1ES@1312 62AF@1311 78FA@1311 T1@1313", "allied", scenario="early-start")
    game.allied(attack("1313", "4MZT-I 1ES", "62AF"))
    assert game.refusal() == ("french-guns", "18.1.7.C-1")
    game.allied(attack("1313", "4MZT-I", "62AF 78FA"), DONE)
    assert game.codes() == ["must-take-part"]  # 1ES
    alone = packing("4MZT-I@1312 62AF@1311 78FA@1311 T1@1313", "allied", scenario="early-start")
    alone.allied(attack("1313", "4MZT-I", "62AF 78FA"), DONE)
    assert odds(alone) == {"1313": (10, 2, "5:1")}


@pytest.mark.rule("race-for-tunis", "18.1.7.B-3")
def test_an_axis_attack_on_a_french_unit_is_noted():
    game = packing("T1@1313 4MZT-I@1312", scenario="early-start")
    assert game.own("french")["attacked"] is False
    game.axis(attack("1312", "T1"), DONE)
    assert game.own("french")["attacked"] is True
    british = packing("T1@1313 1ES@1312", scenario="early-start")
    british.axis(attack("1312", "T1"), DONE)
    assert british.own("french")["attacked"] is False


# -- what is dropped, and what is passed over ------------------------------------------------------------------------------------


def test_where_nothing_can_be_ordered_the_package_is_passed_over():
    game = packing("T1@1313 1ES@1315", step="movement")
    game.axis(DONE)
    assert game.place == "5 axis halt"
    assert "package" not in game.kinds()
    guns = packing("II-90@1314 SUP-ART@1313 T1@1313 1ES@1316 6RWK@1318", step="movement")
    guns.axis(DONE)
    assert guns.place == "5 axis halt"


def test_an_attack_that_has_become_impossible_falls_away_with_its_guns():
    # 190PZ breaks down while the attacks are gathered: the line that names it is void, the duty is open anew.
    game = packing("190PZ@1313 II-90@1314 1ES@1312")
    game.axis(attack("1312", "190PZ", label="A1"), support("II-90", "A1"))
    game.axis(order("SPLIT", unit="190PZ"))
    assert game.state.sets["axis/package"]
    game.axis(DONE)
    assert game.codes() == ["must-attack"]
    game.axis(attack("1312", "1-190PZ 2-190PZ", "II-90"), DONE)
    assert odds(game) == {"1312": (13, 2, "6:1")}


def test_an_aircraft_falls_away_with_the_attack_that_it_supports():
    game = packing("190PZ@1313 5-I@1313 1ES@1312 6RWK@1412", air=True)
    flight = order("AIR", air="JU87", mission="SUPPORT", hex="1312")
    game.axis(attack("1312", "190PZ"), attack("1412", "5-I"), flight)
    game.axis(order("SPLIT", unit="190PZ"), AUTO)
    assert attacked(game) == {"1412": (["5-I", "2-190PZ"], ["6RWK"]), "1312": (["1-190PZ"], ["1ES"])}
    assert game.own("air")["JU87"]["state"] == "ready"


@pytest.mark.rule("race-for-tunis", "10.1.B-1")
def test_a_gun_sent_to_a_later_attack_by_a_second_thought_supports_it():
    # The later line for the gun stands in the place of the older one, before the attack that it speaks of.
    game = packing("5-I@1313 5-III@1412 II-90@1314 1ES@1312 6RWK@1411")
    game.axis(attack("1312", "5-I"), support("II-90", "1312"))
    game.axis(attack("1411", "5-III"), support("II-90", "1411"), DONE)
    assert odds(game) == {"1312": (4, 2, "2:1"), "1411": (9, 2, "4:1")}  # 4; 4 + 5


def test_an_attack_and_the_guns_for_it_are_taken_back():
    game = packing("5-I@1313 5-III@1313 II-90@1314 1ES@1312 6RWK@1412")
    game.axis(attack("1312", "5-I", label="A1"), support("II-90", "A1"))
    game.axis(cancel("SUPPORT", "II-90"))
    game.axis(attack("1412", "5-III"), support("II-90", "1412"), DONE)
    assert odds(game) == {"A1": (4, 2, "2:1"), "1412": (9, 2, "4:1")}  # the battery's 5 has gone over
    game = packing("5-I@1313 5-III@1313 II-90@1314 1ES@1312 6RWK@1412")
    game.axis(attack("1312", "5-I", label="A1"), attack("1412", "5-III"), support("II-90", "A1"))
    game.axis(cancel("ATTACK", "A1"), attack("1312 1412", "5-I", label="A2"))
    assert game.codes() == ["attacked-already"]
    game.axis(order("ATTACK", hexes=["1412"], none=True), check=True)
    assert game.data("taken_back") == {"line": 1, "verb": "ATTACK", "of": "1412", "orders": 1}
    game.axis(cancel("ATTACK", "ALL"), attack("1312 1412", "5-I 5-III", label="A2"), DONE)
    assert odds(game) == {"A2": (8, 4, "2:1")}
    assert [event.data["code"] for event in game.events("line_skipped")] == ["no-attack-there"]  # the guns of an attack that has gone
