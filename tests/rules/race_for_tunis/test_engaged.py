"""5.2.D, 9.1.4: engagements over the turns (RT-16 to RT-18).

5-I in 1313 has attacked 1ES in 1312, unless it is said otherwise; 1314, 1413, 1213 and 1212 are next to 5-I and not to 1ES, 1412 is next to
both, 1311 and 1211 to 1ES alone. All clear. 1308 is a crest above cliffs to 1309 and 1208. Factors: 5-I, 5-III, BRN-I 4, T1 2; Allies 2."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import Packet
from services.rules.games.race_for_tunis import duty, engaged
from services.rules.games.race_for_tunis.zoc import zones
from tests.rules.race_for_tunis.packaging import AUTO, attacked, odds, packing
from tests.rules.race_for_tunis.positions import DONE, attack, move, order, position


def record(attackers, defenders, hexes, **beside):
    """An engagement; ``beside``: others of the defenders' side, with their hexes."""
    names = {name.replace("_", "-"): at for name, at in beside.items()}
    return {"attackers": attackers.split(), "defenders": defenders.split(), "hexes": hexes.split(), "beside": names, "broken": []}


def held(units, *records, side="allied", **more):
    """A position with engagements, in movement."""
    marks = {name: " ".join(unit for one in records for unit in one[key]) for key, name in engaged.MARKS.items()}
    return packing(units, side, **{"step": "movement", "own": {"engaged": list(records)}, "marks": marks, **more})


def working(game):
    """The umpire's working copy, to have a law done on it."""
    return Adjudication(game.module, game.state, Packet("p", "axis"), ScriptedDice([]))


def kept(table):
    """Attackers, defenders and hexes of the engagements."""
    return [(one["attackers"], one["defenders"], one["hexes"]) for one in table.own["engaged"]]


ONE = record("5-I", "1ES", "1312")

# -- how it begins and ends ------------------------------------------------------------------------------------------------------


def battle(units="5-I", defenders="1ES", hexes="1312", support=""):
    return {"label": "A1", "hexes": hexes.split(), "units": units.split(), "defenders": defenders.split(), "support": support.split()}


@pytest.mark.rule("race-for-tunis", "9.1.4.A-1", "9.1.4.A-2", "9.1.4.A-3")
def test_all_that_took_part_are_engaged_and_marked_but_supporting_guns():
    adj = working(position("5-I@1313 T1@1412 5-III@1313 II-90@1314 1ES@1312 78FA@1312 6RWK@1311", step="package"))
    engaged.engage(adj, battle("5-I T1", "1ES 78FA", support="II-90"))
    assert kept(adj) == [(["5-I", "T1"], ["1ES", "78FA"], ["1312"])]
    marked = {unit: mark for unit, counter in adj.counters.items() for mark in counter.marks}
    attackers, defenders = "engaged-attacker", "engaged-defender"
    assert marked == {"5-I": attackers, "T1": attackers, "1ES": defenders, "78FA": defenders}
    assert adj.events[0].data == {"label": "A1", "hexes": ["1312"], "attackers": ["5-I", "T1"], "defenders": ["1ES", "78FA"]}


@pytest.mark.rule("race-for-tunis", "9.1.4.A-4")
@pytest.mark.parametrize(("side", "unit", "to"), [("axis", "5-I", "1413"), ("allied", "1ES", "1311")])
def test_neither_side_may_move_away(side, unit, to):
    game = held("5-I@1313 1ES@1312", ONE, side=side)
    game.send(side, move(unit, to))
    assert game.refusal() == ("engaged", "9.1.4.A-4")


def test_a_renewed_attack_with_another_result_ends_it_and_one_with_the_same_begins_it_anew():
    # 5-III has joined the attack, 6RWK the stack.
    game = held("5-I@1313 5-III@1313 1ES@1312 6RWK@1312", ONE, side="axis")
    renewed = battle("5-I 5-III", "1ES 6RWK")
    again = working(game)
    engaged.engage(again, renewed)
    engaged.settle(again, renewed, "Eng")
    assert kept(again) == [(["5-I", "5-III"], ["1ES", "6RWK"], ["1312"])]
    assert again.counters["5-III"].marks == {"engaged-attacker"}
    over = working(game)
    engaged.settle(over, renewed, "Con")
    assert kept(over) == []
    assert not any(counter.marks for counter in over.counters.values())
    assert over.events[-1].data == {"hexes": ["1312"], "units": ["1ES", "5-I"], "by": []}


def test_another_battle_of_theirs_does_not_end_it_but_for_those_it_drives_off():
    # The engaged 1ES attacks 5-I and T1, which stand together, with 6RWK: contact changes nothing, a retreat of the Axis frees both sides.
    game = held("5-I@1313 T1@1413 1ES@1312 6RWK@1412", record("5-I T1", "1ES 6RWK", "1312 1412"))
    back = battle("1ES 6RWK", "5-I", "1313")
    adj = working(game)
    engaged.settle(adj, back, "Con")
    assert kept(adj) == [(["5-I", "T1"], ["1ES", "6RWK"], ["1312", "1412"])]
    engaged.settle(adj, back, "DR1")  # T1, next to 6RWK alone, was not attacked: 1ES has nobody left
    assert kept(adj) == [(["T1"], ["6RWK"], ["1412"])]
    assert adj.counters["1ES"].marks == set()
    engaged.settle(adj, back, "AR1")
    assert kept(adj) == []


def test_it_is_over_when_a_side_is_gone():
    for units in ("5-I@dead 1ES@1312", "5-I@1313 1ES@dead", "5-I@1313 1ES@1311", "5-I@1314 1ES@1312"):
        adj = working(held(units, ONE))
        engaged.end_player_turn(adj)
        assert kept(adj) == []
        assert not any(counter.marks for counter in adj.counters.values())


# -- the defenders' player-turn --------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "5.2.D-1", "9.1.4.B-1")
def test_an_engaged_defender_owes_no_attack_to_anybody_and_may_make_one():
    # T1 in 1412 is not in the engagement, and 1ES is in its zone.
    units = "5-I@1313 T1@1412 1ES@1312"
    game = held(units, ONE)
    game.allied(DONE, DONE)
    assert game.place == "5 allied halt"
    assert kept(game.table) == [(["5-I"], ["1ES"], ["1312"])]
    free = held(units, ONE)
    free.allied(attack("1412", "1ES"), DONE)
    assert odds(free) == {"1412": (2, 2, "1:1")}
    lone = packing(units, "allied")  # without the engagement it owes both
    lone.allied(DONE)
    assert lone.last.rejections[0].details["hexes"] == ["1313", "1412"]


@pytest.mark.rule("race-for-tunis", "5.2.D-2", "5.2.D-3", "9.1.4.C-1", "9.1.4.C-2")
@pytest.mark.parametrize(("start", "to"), [("1315", "1314"), ("1311", "1312"), ("1511", "1412")])
def test_newcomers_beside_the_attackers_or_in_the_hex_break_it_and_all_must_attack(start, to):
    game = held(f"5-I@1313 1ES@1312 6RWK@{start}", ONE)
    game.allied(move("6RWK", to=to), DONE)
    assert game.place == "5 allied package"
    assert game.data("disengaged") == {"hexes": ["1312"], "units": ["5-I", "1ES"], "by": ["6RWK"]}
    assert game.marks("5-I") == game.marks("1ES") == set()
    game.allied(attack("1313", "6RWK"), DONE)
    assert game.refusal() == ("must-take-part", "5.1.B-3")
    assert game.last.rejections[0].details["units"] == ["1ES"]
    game.allied(attack("1313", "6RWK 1ES"), DONE)
    assert odds(game) == {"1313": (4, 4, "1:1")}
    assert game.own("engaged") == []


@pytest.mark.rule("race-for-tunis", "9.1.4.C-1", "9.1.4.C-3")
def test_a_unit_that_comes_beside_the_engaged_defender_alone_changes_nothing():
    game = held("5-I@1313 1ES@1312 6RWK@1309", ONE)
    game.allied(move("6RWK", to="1311"), DONE, DONE)
    assert game.place == "5 allied halt"
    assert kept(game.table) == [(["5-I"], ["1ES"], ["1312"])]
    assert game.marks("1ES") == {"engaged-defender"}


def test_who_stood_there_already_is_no_newcomer_until_he_moves():
    # 6RWK in 1413 was there when the last player-turn ended; in 1314 it is a newcomer.
    units = "5-I@1313 1ES@1312 6RWK@1413"
    game = held(units, ONE, side="axis", step="package")
    adj = working(game)
    engaged.end_player_turn(adj)
    assert adj.own["engaged"][0]["beside"] == {"6RWK": "1413"}
    there = held(units, adj.own["engaged"][0])
    there.allied(DONE)
    assert there.kinds().count("disengaged") == 0
    there.allied(attack("1313", "6RWK"), DONE)  # it is in the zone of 5-I; 1ES is not obliged
    assert odds(there) == {"1313": (2, 4, "1:2")}
    moving = held(units, adj.own["engaged"][0])
    moving.allied(move("6RWK", to="1314"), DONE)
    assert moving.data("disengaged")["by"] == ["6RWK"]


def test_a_battalion_that_breaks_down_or_comes_together_where_it_stands_is_no_newcomer():
    one = record("1ES", "5-I", "1413", **{"190PZ": "1313"})
    game = held("1ES@1412 5-I@1413 190PZ@1313 1-190AC@1311 2-190AC@1311", one, side="axis")
    game.axis(order("SPLIT", unit="190PZ"), move("1-190AC", to="1312"), DONE, DONE)
    assert game.data("disengaged")["by"] == ["1-190AC"]
    both = record("1ES", "5-I", "1413", **{"1-190PZ": "1313", "2-190PZ": "1313"})
    joined = held("1ES@1412 5-I@1413 1-190PZ@1313 2-190PZ@1313", both, side="axis", step="opening")
    joined.axis(order("REJOIN", units=["1-190PZ", "2-190PZ"], battalion="190PZ"), DONE, DONE)
    assert joined.place == "5 axis package"
    assert "disengaged" not in joined.kinds()
    # A company that joins one there is a newcomer, though it is part of the battalion now.
    come = held("1ES@1412 5-I@1413 1-190PZ@1313 2-190PZ@1314", record("1ES", "5-I", "1413", **{"1-190PZ": "1313"}), side="axis")
    come.axis(move("2-190PZ", to="1313"), DONE, order("REJOIN", units=["1-190PZ", "2-190PZ"], battalion="190PZ"), DONE)
    assert come.data("disengaged")["by"] == ["190PZ"]


def test_a_newcomer_that_breaks_down_is_still_bound():
    # 7-10-I has come between 1ES and 6RWK, which are engaged with 5-I and 5-III.
    pair = record("1ES", "5-I", "1312"), record("6RWK", "5-III", "1514")
    game = held("1ES@1313 6RWK@1414 5-I@1312 5-III@1514 7-10-I@1316", *pair, side="axis")
    game.axis(move("7-10-I", to="1314"), DONE)
    game.axis(order("SPLIT", unit="7-10-I"))
    assert game.own("engaged")[0]["broken"] == ["1-7-10", "2-7-10", "3-7-10"]
    game.axis(attack("1313 1414", "1-7-10 5-I 5-III"), DONE)
    assert game.last.rejections[0].details["units"] == ["2-7-10", "3-7-10"]


def test_a_newcomer_is_one_in_the_defenders_player_turn_alone():
    # The Axis reinforces its attack: nothing is broken, and 5-III may join it.
    game = held("5-I@1313 5-III@1315 1ES@1312", ONE, side="axis")
    game.axis(move("5-III", to="1314"), DONE)
    assert "disengaged" not in game.kinds()
    assert game.marks("5-I") == {"engaged-attacker"}


def test_guns_that_come_up_break_it_and_do_not_attack():
    # RT-18.
    game = held("5-I@1313 1ES@1312 78FA@1314 6RWK@1314", {**ONE, "beside": {"6RWK": "1314"}})
    game.allied(DONE)
    assert game.data("disengaged")["by"] == ["78FA"]
    game.allied(attack("1313", "1ES 6RWK"), DONE)
    assert odds(game) == {"1313": (4, 4, "1:1")}


# -- newcomers beside two engaged hexes ------------------------------------------------------------------------------------------

PAIR = (record("5-I", "1ES", "1312"), record("5-III", "5BF", "1514"))
"""5-I in 1313 with 1ES, 5-III in 1414 with 5BF: 1314 and 1413 are next to both attackers."""


@pytest.mark.rule("race-for-tunis", "9.1.4.D-1", "9.1.4.D-2")
def test_a_newcomer_between_two_engaged_attackers_attacks_both_with_all_their_defenders():
    game = held("5-I@1313 5-III@1414 1ES@1312 5BF@1514 6RWK@1316", *PAIR)
    game.allied(move("6RWK", to="1314"), DONE)
    game.allied(attack("1313", "6RWK 1ES"), attack("1414", "5BF"), DONE)
    assert game.refusal() == ("must-attack-together", "9.1.4.D-1")
    assert game.last.rejections[0].details == {"duty": "open", "hexes": ["1313", "1414"], "units": ["1ES", "5BF", "6RWK"]}
    game.allied(attack("1313 1414", "6RWK 1ES"), DONE)
    assert game.refusal() == ("must-take-part", "5.1.B-3")
    game.allied(attack("1313 1414", "6RWK 1ES 5BF"), DONE)
    assert odds(game) == {"1313": (6, 8, "1:2")}


@pytest.mark.rule("race-for-tunis", "9.1.4.D-3")
def test_it_must_attack_them_also_where_it_is_in_no_zone():
    # 6CDO, a mountaineer, climbs the crest of 1308 from 1307: 5-I in 1309 and 5-III in 1208 stand below its cliffs.
    pair = record("5-I", "1ES", "1310"), record("5-III", "5BF", "1207")
    game = held("5-I@1309 5-III@1208 1ES@1310 5BF@1207 6CDO@1307", *pair)
    game.allied(move("6CDO", to="1308"), DONE)
    assert not any(str(at) == "1308" for at in zones(game.table, "allied"))
    game.allied(attack("1309", "1ES"), attack("1208", "5BF"), DONE)
    assert game.refusal() == ("must-take-part", "5.1.B-3")
    assert game.last.rejections[0].details["units"] == ["6CDO"]
    game.allied(AUTO)
    assert attacked(game) == {"1208": (["1ES", "5BF", "6CDO"], ["5-III", "5-I"])}
    assert odds(game) == {"1208": (5, 8, "1:2")}  # 1ES comes out of the wadi of 1310


def test_one_beside_a_single_attacker_in_no_zone_need_not_attack():
    # RT-16: it falls under the ordinary duty, and so does 1ES, in the zone of 5-I.
    game = held("5-I@1309 1ES@1310 6CDO@1307", record("5-I", "1ES", "1310"))
    game.allied(move("6CDO", to="1308"), DONE)
    game.allied(attack("1309", "1ES"), DONE)
    assert odds(game) == {"1309": (1, 4, "1:4")}


def test_of_two_sets_that_nobody_could_hold_together_the_first_stands():
    # 6RWK in 1314 is next to 1313 and 1414, 2LF in 1415 to 1414 and 1515: nobody is next to all three.
    third = record("BRN-I", "5NTH", "1615")
    game = held("5-I@1313 5-III@1414 BRN-I@1515 1ES@1312 5BF@1514 5NTH@1615 2LF@1415 6RWK@1314", *PAIR, third, side="allied")
    adj = working(game)
    engaged.review(adj)
    sets = engaged.together(adj, "allied")
    assert [(sorted(map(str, one.hexes)), sorted(one.units)) for one in sets] == [(["1414", "1515"], ["2LF", "5BF", "5NTH"])]
    game.allied(DONE)
    game.allied(AUTO)
    assert attacked(game) == {"1313": (["1ES", "6RWK"], ["5-I"]), "1414": (["2LF", "5BF", "5NTH"], ["5-III", "BRN-I"])}


def test_two_newcomers_of_whom_one_is_beside_all_of_it_fight_one_battle():
    # Both are next to 1313 and 1414; with 2LF in 1413 too the battle is one.
    game = held("5-I@1313 5-III@1414 1ES@1312 5BF@1514 2LF@1413 6RWK@1314", *PAIR)
    adj = working(game)
    engaged.review(adj)
    assert [sorted(one.units) for one in engaged.together(adj, "allied")] == [["1ES", "2LF", "5BF", "6RWK"]]


# -- the attackers' player-turn --------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "9.1.4.B-2")
def test_engaged_attackers_attack_the_same_hex_again_in_a_zone_or_not():
    # 5-I above the cliff is in no zone of 1ES below, and owes the attack all the same; T1 may join it.
    game = held("5-I@1308 T1@1310 1ES@1309", record("5-I", "1ES", "1309"), side="axis")
    game.axis(DONE)
    game.axis(attack("1309", "T1"), DONE)
    assert game.refusal() == ("must-take-part", "9.1.4.B-2")
    assert game.last.rejections[0].details == {"duty": "open", "units": ["5-I"], "hexes": ["1309"]}
    game.axis(attack("1309", "5-I T1"), DONE)
    assert odds(game) == {"1309": (5, 2, "2:1")}


@pytest.mark.rule("race-for-tunis", "9.1.4.B-2")
def test_an_engaged_attacker_may_not_turn_to_another_hex():
    # 5-I is in the zone of 6RWK in 1413 too: T1 attacks 1312, 5-I 1413: refused. It attacks both, or T1 takes the other.
    units = "5-I@1313 T1@1412 1ES@1312 6RWK@1413"
    game = held(units, ONE, side="axis")
    game.axis(DONE)
    game.axis(attack("1413", "5-I"), attack("1312", "T1"), DONE)
    assert game.refusal() == ("must-take-part", "9.1.4.B-2")
    game.axis(AUTO)
    assert attacked(game) == {"1312": (["5-I"], ["1ES"]), "1413": (["T1"], ["6RWK"])}
    alone = held("5-I@1313 1ES@1312 6RWK@1413", ONE, side="axis")
    alone.axis(DONE)
    alone.axis(AUTO)
    assert odds(alone) == {"1312": (4, 4, "1:1")}


def test_one_that_was_driven_from_the_marked_hex_need_not_be_attacked():
    # 1ES has gone in the meantime: nothing is owed, and the mark is off.
    game = held("5-I@1313 1ES@1309", ONE, side="axis")
    game.axis(DONE)
    assert game.place == "5 axis halt"
    assert game.marks("5-I") == set()


def test_units_engaged_both_ways_owe_the_attack():
    # 1ES was attacked by 5-I, and has attacked 5-I in its turn: both were engagements.
    both = ONE, record("1ES", "5-I", "1313")
    for side in ("axis", "allied"):
        game = held("5-I@1313 1ES@1312", *both, side=side)
        assert game.marks("5-I") == {"engaged-attacker", "engaged-defender"}
        assert set(duty.obliged(game.table, side)) == {"5-I" if side == "axis" else "1ES"}


def test_where_the_engaged_stand_they_are_found_by_hex():
    game = held("5-I@1313 1ES@1312", ONE, side="axis")
    assert engaged.renewals(game.table, "axis") == {"5-I": {parse_hex("1312")}}
    assert engaged.renewals(game.table, "allied") == {}


@pytest.mark.rule("race-for-tunis", "9.1.4.A-1", "9.1.4.A-4", "9.1.4.B-1", "9.1.4.B-2")
def test_an_engagement_through_three_player_turns():
    # 4 against 2 is 2:1, a 6: Eng. The Allies neither move 1ES nor attack; then the Axis must renew the attack, and an 8 is contact.
    game = position("5-I@1313 1ES@1312", step="package", tempo="blitz", turn=3)
    game.axis(attack("1312", "5-I"), DONE, dice=[3, 3])
    assert game.place == "3 allied movement"
    assert (game.marks("5-I"), game.marks("1ES")) == ({"engaged-attacker"}, {"engaged-defender"})
    game.allied(move("1ES", to="1311"))
    assert game.refusal() == ("engaged", "9.1.4.A-4")
    game.allied(DONE, DONE)
    assert game.place == "4 axis movement"
    game.axis(DONE, DONE)
    assert game.refusal() == ("must-attack", "9.1.4.B-2")
    game.axis(DONE, attack("1312", "5-I"), DONE, dice=[4, 4])
    assert game.data("result")["result"] == "Con"
    assert game.own("engaged") == []
    assert not game.marks("5-I") | game.marks("1ES")


def test_where_no_attacks_could_meet_all_that_engaged_attackers_owe_every_hex_is_attacked():
    # 5-I and 5-III owe the attack on 1312, 5-I alone can attack 1314 and 5-III 1512, and nobody is next to all three.
    game = held("5-I@1313 5-III@1412 1ES@1312 6RWK@1314 5BF@1512", record("5-I 5-III", "1ES", "1312"), side="axis")
    game.axis(DONE)
    game.axis(AUTO)
    assert [(one["hexes"], one["units"]) for one in game.own("battles")] == [(["1312", "1314"], ["5-I"]), (["1512"], ["5-III"])]


def test_one_that_ends_while_its_units_are_in_another_frees_nobody():
    both = ONE, record("1ES", "5-I", "1313")
    adj = working(held("5-I@1313 1ES@1312", *both, side="axis"))
    engaged.settle(adj, battle(), "Con")
    assert kept(adj) == [(["1ES"], ["5-I"], ["1313"])]
    assert [event.kind for event in adj.events] == ["engagements"]
    assert (adj.counters["5-I"].marks, adj.counters["1ES"].marks) == ({"engaged-defender"}, {"engaged-attacker"})
