"""4.2.B, 5.1.B, 5.2, 8.0.B, 8.2.E: who must attack (RT-06, RT-07), who dies of it (RT-24, RT-27), and what is ordered for who says nothing.

Round 1313 the ground is clear. 1308 is a crest above the cliff to 1309; 0413 is a swamp next to 0313 and 0414, clear ground; 1110, 1210 and
1310 are wadi. Factors: 7-10-I 9, 190PZ 8, 5-I, 5-III, BRN-I 4, T1, T2 2, RVT 1; 17-21L, 16-5L, LBH 4, 1ES, 6RWK, 5BF 2."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import parse_hex
from services.rules.engine.model import Guard
from services.rules.engine.positions import hex_of
from services.rules.games.race_for_tunis import compulsory, duty
from services.rules.games.race_for_tunis.legal import legal
from services.rules.games.race_for_tunis.state import is_artillery
from services.rules.games.race_for_tunis.zoc import zones
from tests.rules.race_for_tunis.packaging import AUTO, attacked, confirmed, lost, odds, packing, support
from tests.rules.race_for_tunis.positions import DONE, attack, order

# -- who must attack -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "4.2.B", "5.1.B-1", "8.0.B")
def test_a_lone_unit_attacks_all_in_whose_zones_it_is_at_once():
    # It has not moved: 4.2.B asks no more than that it stands there.
    game = packing("5-I@1313 1ES@1312 6RWK@1413")
    game.axis(DONE)
    assert game.refusal() == ("must-attack", "8.0.B")
    assert game.last.rejections[0].details == {"duty": "open", "hexes": ["1312", "1413"], "units": ["5-I"]}
    game.axis(attack("1312", "5-I"), DONE)
    assert game.refusal() == ("must-attack", "8.0.B")
    assert game.last.rejections[0].details["hexes"] == ["1413"]
    game.axis(attack("1312 1413", "5-I"), DONE)
    assert odds(game) == {"1312": (4, 4, "1:1")}


@pytest.mark.rule("race-for-tunis", "5.1.B-2", "5.1.B-3", "8.0.B")
def test_of_several_units_each_attacks_and_every_hex_is_attacked():
    # 5-I is next to both, 5-III to 1412 alone.
    game = packing("5-I@1313 5-III@1513 1ES@1312 6RWK@1412")
    game.axis(attack("1412", "5-I 5-III"), DONE)
    assert game.refusal() == ("must-attack", "8.0.B")
    assert game.last.rejections[0].details == {"duty": "open", "hexes": ["1312"], "units": ["5-I"]}
    game.axis(attack("1312 1412", "5-I"), DONE)
    assert game.refusal() == ("must-take-part", "5.1.B-3")
    assert game.last.rejections[0].details == {"duty": "open", "units": ["5-III"], "hexes": ["1412"]}
    # A unit need not attack every enemy in whose zone it is, where others do.
    game.axis(attack("1312", "5-I"), attack("1412", "5-III"), DONE)
    assert odds(game) == {"1312": (4, 2, "2:1"), "1412": (4, 2, "2:1")}


def test_who_is_in_a_zone_may_attack_another_hex_where_others_attack_that_one():
    # 5-I in the swamp is in the zone of 1ES in 0313, and not in that of the tanks in 0414.
    game = packing("5-I@0413 5-III@0213 1ES@0313 17-21L@0414")
    game.axis(attack("0313", "5-III"), DONE)
    assert game.refusal() == ("must-take-part", "5.1.B-3")
    game.axis(attack("0414", "5-I"), DONE)
    assert game.refusal() == ("must-attack", "8.0.B")
    game.axis(attack("0313", "5-III"), attack("0414", "5-I"), DONE)
    assert odds(game) == {"0313": (4, 2, "2:1"), "0414": (4, 4, "1:1")}


@pytest.mark.rule("race-for-tunis", "5.2.A-1", "5.2.A-2", "5.2.C-1", "5.2.C-2")
def test_above_a_cliff_nobody_must_attack_and_below_it_he_must():
    above = packing("5-I@1308 1ES@1309")
    above.axis(DONE)
    assert above.place == "5 axis halt"
    below = packing("5-I@1309 1ES@1308")
    below.axis(DONE)
    assert below.refusal() == ("must-attack", "8.0.B")
    below.axis(attack("1308", "5-I"), DONE)
    assert odds(below) == {"1308": (1, 2, "1:2")}


@pytest.mark.rule("race-for-tunis", "5.2.B", "6.6.B-2", "5.2.C-2")
def test_heavy_equipment_obliges_nobody_in_a_swamp_or_on_a_crest():
    for here, there in (("0413", "0414"), ("0916", "0915")):
        game = packing(f"5-I@{here} 17-21L@{there}")
        game.axis(DONE)
        assert game.place == "5 axis halt"
        beside = packing(f"5-I@{here} 17-21L@{there} 1ES@{there}")
        beside.axis(DONE)
        assert beside.codes() == ["must-attack"]
        back = packing(f"5-I@{here} 17-21L@{there}", "allied")  # the tanks are in the zone of those in the rough
        back.allied(DONE)
        assert back.codes() == ["must-attack"]


@pytest.mark.rule("race-for-tunis", "10.3-2")
def test_artillery_in_company_stays_in_a_zone_and_owes_no_attack():
    game = packing("II-90@1313 5-I@1313 1ES@1312")
    game.axis(attack("1312", "5-I"), DONE)
    assert odds(game) == {"1312": (4, 2, "2:1")}
    assert lost(game) == []
    two = packing("II-90@1313 SUP-ART@1313 1ES@1312")  # two guns keep each other company
    two.axis(DONE)
    assert two.place == "5 axis halt"
    assert lost(two) == []


@pytest.mark.rule("race-for-tunis", "10.3-2")
def test_a_gun_left_alone_in_a_zone_is_lost_as_the_attacks_are_declared():
    # RT-27: II-90 in 1413 stands in the zone of 1412; its support is lost with it. SUP-ART is in no zone.
    game = packing("II-90@1413 SUP-ART@1314 5-I@1313 1ES@1412")
    game.axis(attack("1412", "5-I", "II-90 SUP-ART"), DONE)
    assert lost(game) == [("II-90", "alone-in-zone")]
    assert game.at("II-90") == "box:eliminated"
    assert odds(game) == {"1412": (8, 2, "4:1")}
    nothing_else = packing("II-90@1413 1ES@1412")
    nothing_else.axis(DONE)
    assert lost(nothing_else) == [("II-90", "alone-in-zone")]


# -- below 1:5 -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "8.2.E-1")
def test_an_attack_below_one_to_five_is_refused_to_who_need_not_make_it():
    # T1 above the cliff is in no zone: 2 against 12. With II-90 it would be 7 against 12.
    units = "T1@1308 II-90@1307 17-21L@1309 16-5L@1309 LBH@1309"
    game = packing(units)
    game.axis(attack("1309", "T1"), DONE)
    assert game.refusal() == ("below-1-5", "8.2.E-1")
    assert game.last.rejections[0].details == {"duty": "open", "battle": "1309", "attack": 2, "defence": 12}
    game.axis(attack("1309", "T1"), support("II-90", "1309"), DONE)
    assert odds(game) == {"1309": (7, 12, "1:2")}
    twelve = packing("T1@1308 RVT@1308 17-21L@1309 16-5L@1309 LBH@1309")
    twelve.axis(attack("1309", "T1 RVT"), DONE)
    assert odds(twelve) == {"1309": (3, 12, "1:4")}


@pytest.mark.rule("race-for-tunis", "8.2.E-2")
def test_who_must_attack_and_cannot_reach_one_to_five_dies_at_once():
    # T1 is in the zone of 1412: 2 against 12. RVT, above the cliff elsewhere, is not concerned. The Axis is asked to confirm it.
    units = "T1@1313 5-I@1315 17-21L@1412 16-5L@1412 LBH@1412 1ES@1414"
    game = packing(units)
    lines = attack("1412", "T1"), attack("1414", "5-I")
    game.axis(*lines, DONE)
    assert game.refusal() == ("dies-below-1-5", "8.2.E-2")
    assert game.last.rejections[0].details == {"duty": "open", "battle": "1412", "attack": 2, "defence": 12, "units": ["T1"]}
    game.axis(*lines, confirmed())
    assert lost(game) == [("T1", "below-1-5")]
    assert game.at("T1") == "box:eliminated"
    assert [(one["label"], one["done"], one["result"]) for one in game.own("battles")] == [("1412", True, "AE"), ("1414", False, None)]
    assert odds(game) == {"1412": (2, 12, None), "1414": (4, 2, "2:1")}


def test_who_joined_such_an_attack_freely_lives():
    # T1 in 1310 is in the zone of 1309, RVT above the cliff is not: 2 and 1 against 16 with the guns.
    game = packing("T1@1310 RVT@1308 17-21L@1309 16-5L@1309 LBH@1309 78FA@1309")
    game.axis(attack("1309", "T1 RVT"), confirmed())
    assert lost(game) == [("T1", "below-1-5")]
    assert game.at("RVT") == "1308"


def test_the_strength_of_guns_may_save_them_and_aircraft_do_not():
    game = packing("T1@1313 II-90@1314 17-21L@1412 16-5L@1412 LBH@1412")
    game.axis(attack("1412", "T1", "II-90"), DONE)
    assert odds(game) == {"1412": (7, 12, "1:2")}


# -- what the umpire orders ------------------------------------------------------------------------------------------------------


def test_auto_orders_what_is_missing_at_the_best_odds_without_guns():
    # 1312 has 2, 1412 has 4: T1, between, joins 1312 for 6 to 2 rather than 1412 for 6 to 4.
    game = packing("5-I@1211 5-III@1513 T1@1313 II-90@1314 1ES@1312 6RWK@1412 5BF@1412")
    game.axis(AUTO)
    assert attacked(game) == {"1312": (["5-I", "T1"], ["1ES"]), "1412": (["5-III"], ["5BF", "6RWK"])}
    assert odds(game) == {"1312": (6, 2, "3:1"), "1412": (4, 4, "1:1")}


def test_auto_leaves_what_was_ordered_and_adds_to_it():
    game = packing("5-I@1313 5-III@1313 BRN-I@1513 II-90@1314 1ES@1312 6RWK@1412")
    game.axis(attack("1412", "5-I", "II-90", lower=1, label="A1"))
    game.axis(AUTO)
    assert attacked(game) == {"A1": (["5-I", "BRN-I"], ["6RWK"]), "1312": (["5-III"], ["1ES"])}
    assert odds(game) == {"A1": (13, 2, "5:1"), "1312": (4, 2, "2:1")}


def test_auto_gives_a_lone_unit_all_its_hexes_at_once():
    game = packing("5-I@1313 1ES@1312 6RWK@1413 5BF@1212")
    game.axis(AUTO)
    assert [one["hexes"] for one in game.own("battles")] == [["1212", "1312", "1413"]]
    assert odds(game) == {"1212": (4, 6, "1:2")}


def test_auto_drops_what_stands_in_the_way():
    # Both units ordered at 1412: nobody would be left for 1312.
    game = packing("5-I@1313 5-III@1313 T1@1414 1ES@1312 6RWK@1412 5BF@1415")
    game.axis(attack("1412", "5-I 5-III"), attack("1415", "T1", label="A2"))
    game.axis(AUTO)
    assert attacked(game) == {"1312": (["5-I"], ["1ES"]), "1412": (["5-III"], ["6RWK"]), "A2": (["T1"], ["5BF"])}
    # Weak attacks that nobody must make are dropped, half selective ones and those of them that are left out are made anew.
    weak = packing("T1@1308 17-21L@1309 16-5L@1309 LBH@1309")
    weak.axis(attack("1309", "T1"))
    weak.axis(AUTO)
    assert weak.own("battles") == []
    part = packing("5-I@1313 5-III@1313 1ES@1312 6RWK@1312")
    part.axis(attack("1312", "5-I", only="1ES"))
    part.axis(AUTO)
    assert attacked(part) == {"1312": (["5-I", "5-III"], ["1ES", "6RWK"])}


def test_auto_lifts_an_attack_to_one_to_five_before_it_betters_another():
    # RVT alone against 8 is lost; T1, out of its wadi 1, makes it 2 to 8. At 1210, wadi too, it would make 4 to 2 into 6 to 2.
    game = packing("RVT@1312 T1@1310 5-I@1110 17-21L@1311 16-5L@1311 1ES@1210")
    game.axis(AUTO)
    assert attacked(game) == {"1210": (["5-I"], ["1ES"]), "1311": (["RVT", "T1"], ["16-5L", "17-21L"])}
    assert odds(game) == {"1210": (4, 2, "2:1"), "1311": (2, 8, "1:4")}
    assert lost(game) == []


def test_what_a_guard_or_a_standing_order_leaves_undone_is_done():
    # The guard is false, and DONE is in the same packet (G17).
    never = (Guard("vacant", {"hex": "1312"}, False),)
    game = packing("5-I@1313 1ES@1312")
    game.axis(attack("1312", "5-I", lower=1, guard=never), DONE)
    assert odds(game) == {"1312": (4, 2, "2:1")}
    standing = packing("5-I@1313 1ES@1312")
    standing.axis(DONE, standing=[order("DUTY", auto=True)])
    assert odds(standing) == {"1312": (4, 2, "2:1")}


def test_auto_does_not_try_for_ever(monkeypatch):
    # Without a try left what engaged attackers owe is not looked at; every hex is attacked all the same.
    monkeypatch.setattr(compulsory, "TRIES", 0)
    game = packing("5-I@1313 5-III@1513 1ES@1312 6RWK@1412")
    game.axis(AUTO)
    assert attacked(game) == {"1312": (["5-I"], ["1ES"]), "1412": (["5-III"], ["6RWK"])}


def test_the_attacks_that_are_missing_are_offered_first():
    game = packing("5-I@1313 1ES@1312 6RWK@1413")
    first = legal(game.table, "axis")[0]
    assert (first.verb, first.args["hexes"], first.args["units"]) == ("ATTACK", ["1312", "1413"], ["5-I"])
    game.axis(first, DONE)
    assert odds(game) == {"1312": (4, 4, "1:1")}


def test_who_must_die_is_offered_last_and_confirmed():
    game = packing("T1@1313 17-21L@1412 16-5L@1412 LBH@1412")
    game.axis(legal(game.table, "axis")[0])
    last = legal(game.table, "axis")[-1]
    assert (last.verb, last.confirm) == ("DONE", True)
    game.axis(last)
    assert lost(game) == [("T1", "below-1-5")]


HEXES = ["1211", "1212", "1213", "1214", "1311", "1312", "1313", "1314", "1411", "1412", "1413", "1414"]
AXIS_UNITS = ["7-10-I", "5-I", "5-III", "BRN-I", "T1", "T2", "RVT", "92-I", "II-90", "SUP-ART"]
ALLIED_UNITS = ["17-21L", "16-5L", "1ES", "6RWK", "5BF", "64AT", "78FA", "12RHA"]


@st.composite
def positions(draw):
    """Units of both sides in a few clear hexes, no hex of both."""
    hexes = draw(st.permutations(HEXES))
    cut = draw(st.integers(2, 8))
    places = {
        unit: draw(st.sampled_from(some)) for units, some in ((AXIS_UNITS, hexes[:cut]), (ALLIED_UNITS, hexes[cut:])) for unit in units
    }
    left_out = draw(st.sets(st.sampled_from(AXIS_UNITS + ALLIED_UNITS), max_size=8))
    return " ".join(f"{unit}@{at}" for unit, at in places.items() if unit not in left_out)


@settings(max_examples=40, deadline=None)
@given(units=positions(), side=st.sampled_from(["axis", "allied"]))
def test_auto_meets_every_duty_in_any_position(units, side):
    game = packing(units, side)
    before = game.table
    game.send(side, AUTO)
    assert game.place == f"5 {side} halt"
    reach = zones(before, side)
    fought = [(set(map(parse_hex, one["hexes"])), set(one["units"])) for one in game.own("battles")]
    taking = [unit for _, units in fought for unit in units]
    assert len(taking) == len(set(taking))
    for unit in before.counters.values():
        if unit.side != side or is_artillery(before, unit.id) or unit.place not in reach:
            continue
        assert unit.id in taking
        for enemy in reach[unit.place]:
            assert any(hex_of(before, enemy) in hexes for hexes, _ in fought)
    assert set(taking) == set(duty.obliged(before, side))


@settings(max_examples=12, deadline=None)
@given(units=positions(), side=st.sampled_from(["axis", "allied"]))
def test_what_is_offered_first_leads_to_a_package_that_may_be_closed(units, side):
    game = packing(units, side)
    for _ in range(40):
        if not duty.duties(game.table, side) or all(one.confirmable for one in duty.duties(game.table, side)):
            break
        game.send(side, legal(game.table, side)[0])
        assert game.last.status == "done"
    assert all(one.confirmable for one in duty.duties(game.table, side))


@pytest.mark.rule("race-for-tunis", "8.2.E-2", "10.3-2")
def test_a_gun_that_is_lost_alone_in_a_zone_saves_nobody():
    # With the 5 of II-90 T1 would be 7 against 12; but II-90 in 1413 is lost as the attacks are declared, and T1 with it: to be confirmed.
    game = packing("T1@1313 II-90@1413 17-21L@1412 16-5L@1412 LBH@1412")
    game.axis(attack("1412", "T1", "II-90"), DONE)
    assert game.refusal() == ("dies-below-1-5", "8.2.E-2")
    game.axis(attack("1412", "T1", "II-90"), confirmed())
    assert lost(game) == [("II-90", "alone-in-zone"), ("T1", "below-1-5")]
