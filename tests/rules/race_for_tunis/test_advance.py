"""9.2.D, 9.2.E Advances. 190PZ 8 and T1 2 against 1ES 2 are 5:1, where 7 is DR2, 8 DR3 and 10 DE; BRN-I 4 against it is 2:1, where 7 is DR1
and 4 Ex. Round 1313 the ground is clear: 1312 1412 1413 1314 1213 1212 are next to it, clockwise from the top."""

import pytest

from services.rules.engine.model import Guard
from tests.rules.race_for_tunis.fighting import VACATED, advance, advanced, decision, fought, lost, results, retreat, retreated
from tests.rules.race_for_tunis.positions import attack, on, order

STACK = "190PZ@1312 T1@1312"
PANZERS = attack("1313", "190PZ T1")
FLEES = on("RETREAT", retreat("1ES", "1413 1514"))
FURTHER = on("RETREAT", retreat("1ES", "1413 1514 1614"))
NONE = order("ADVANCE", none=True)


def after(roll, *lines, units=f"{STACK} 1ES@1313", standing=(FLEES,), **more):
    """The game after the attack of the panzers, with lines of theirs."""
    return fought(units, PANZERS, *lines, roll=roll, standing=standing, **more)


# -- how far -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "9.1.6-2", "9.2.D-2")
def test_the_attacker_advances_a_hex_less_than_the_defender_has_retreated():
    game = after(7, advance("190PZ T1", "1313"))
    assert (results(game)[0][2], advanced(game), game.at("190PZ")) == ("DR2", {"190PZ": "1313", "T1": "1313"}, "1313")
    game = after(7, tempo="normal")
    game.axis(advance("190PZ", "1313 1314"))
    assert game.refusal() == ("advance-too-far", "9.1.6-2")
    game.axis(advance("190PZ", "1412"))
    assert game.refusal() == ("not-the-vacated-hex", "9.2.D-2")
    game.axis(NONE)
    assert (advanced(game), game.at("190PZ")) == ({}, "1312")


@pytest.mark.rule("race-for-tunis", "9.1.6-2")
def test_after_a_retreat_of_one_hex_nobody_advances():
    game = fought("BRN-I@1312 1ES@1313", attack("1313", "BRN-I"), roll=7, tempo="full", standing=[on("RETREAT", retreat("1ES", "1314"))])
    assert (results(game)[0][2], game.at("1ES"), game.state.pending) == ("DR1", "1314", ())


@pytest.mark.rule("race-for-tunis", "9.2.D-1", "9.2.D-2")
def test_after_the_first_hex_an_advance_goes_anywhere():
    game = after(8, advance("T1", "1313 1213"), standing=[FURTHER])
    assert (results(game)[0][2], game.at("1ES"), advanced(game)) == ("DR3", "1614", {"T1": "1313 1213"})
    game = after(8, advance("T1", "1313 1312"), standing=[FURTHER])  # even back
    assert game.at("T1") == "1312"


@pytest.mark.rule("race-for-tunis", "9.1.7-1", "9.1.7-2")
def test_after_an_elimination_any_attackers_take_the_hex_and_no_more():
    game = after(10, tempo="normal")
    assert (results(game)[0][2], lost(game)) == ("DE", {"1ES": "combat"})
    assert decision(game).rule == {"name": "advance", "units": ["190PZ", "T1"], "into": ["1313"], "hexes": 1}
    game.axis(advance("T1", "1313 1314"))
    assert game.refusal() == ("advance-too-far", "9.1.7-2")
    game.axis(advance("T1", "1313"))
    assert (game.at("T1"), game.at("190PZ")) == ("1313", "1312")


@pytest.mark.rule("race-for-tunis", "9.1.5.A-3")
def test_attackers_left_over_from_an_exchange_take_the_hex():
    game = fought("T1@1312 T2@1312 1ES@1313", attack("1313", "T1 T2"), advance("T2", "1313"), roll=4)
    assert (results(game)[0][2], lost(game), game.at("T2")) == ("Ex", {"1ES": "combat", "T1": "losses"}, "1313")


@pytest.mark.rule("race-for-tunis", "9.1.2-2")
def test_the_defender_advances_a_hex_less_than_the_attacker_has_retreated():
    # 4 against 4 are 1:1, where 5 is AR2: BRN-I goes to 1111 and leaves 1312.
    game = fought("BRN-I@1312 17-21L@1313", attack("1313", "BRN-I"), roll=5, standing=[on("ADVANCE", advance("17-21L", "1312"))])
    assert (results(game)[0][2], retreated(game), game.at("17-21L")) == ("AR2", {"BRN-I": "1312 1211 1111"}, "1312")
    assert game.data("advanced")["side"] == "allied"
    # One hex of retreat (1:1, 6) gives none; nor do attackers lost.
    game = fought("BRN-I@1312 17-21L@1313", attack("1313", "BRN-I"), roll=6, standing=[on("ADVANCE", advance("17-21L", "1312"))])
    assert (results(game)[0][2], game.at("17-21L")) == ("AR1", "1313")
    game = fought("BRN-I@1312 17-21L@1313", attack("1313", "BRN-I"), roll=2, standing=[on("ADVANCE", advance("17-21L", "1312"))])
    assert (lost(game), game.at("17-21L")) == ({"BRN-I": "losses"}, "1313")


def test_a_hex_in_which_enemies_are_left_is_not_vacated():
    # The guns in support of the attackers that retreat stay in 1312 (10.1.F).
    game = fought("BRN-I@1312 II-90@1312 1ES@1313 17-21L@1313 4CA@1313", attack("1313", "BRN-I", "II-90"), roll=5, tempo="full")
    assert results(game)[0][1:] == ("1:1", "AR2")
    assert "advance" not in {found.kind for found in game.state.pending}


# -- what stops an advance -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "9.2.E", "11.3.C")
def test_an_advance_stops_in_an_enemy_zone_german_tanks_through_french_infantry_too():
    # 6:1, where 7 is DR4. 7MR-I in 1414 commands 1314; in a move tanks could go on from there (11.3).
    far = on("RETREAT", retreat("1ES", "1213 1113 1012 0912"))
    tanks = attack("1313", "190PZ BRN-I")
    game = fought("190PZ@1312 BRN-I@1312 1ES@1313 7MR-I@1414", tanks, roll=7, standing=[far], tempo="normal")
    assert (results(game)[0][1:], game.at("1ES")) == (("6:1", "DR4"), "0912")
    game.axis(advance("190PZ", "1313 1314 1214"))
    assert game.refusal() == ("must-stop", "9.2.E")
    game.axis(advance("190PZ", "1313 1314"), advance("BRN-I", "1313 1213 1113"))
    assert (game.at("190PZ"), game.at("BRN-I")) == ("1314", "1113")


@pytest.mark.rule("race-for-tunis", "9.2.D-3")
def test_prohibited_hexes_stay_prohibited():
    # 1813 is a rugged crest: a quarter of 8 and half of 4 and 4 are 6 against 2. The infantry takes it, the tanks do not.
    units = "190PZ@1812 BRN-I@1812 BRN-II@1812 7MR-I@1813"
    game = fought(units, attack("1813", "190PZ BRN-I BRN-II"), roll=11, tempo="normal")
    assert (results(game)[0][1:], decision(game).context["units"]) == (("3:1", "DE"), ["BRN-I", "BRN-II"])
    game.axis(advance("190PZ", "1813"))
    assert game.refusal() == ("prohibited", "9.2.D-3")


@pytest.mark.rule("race-for-tunis", "9.2.D-4")
def test_an_advance_costs_movement_points_but_a_hex_can_always_be_taken():
    # 14 against 2 on high ground, 7:1, where 6 is DR4. T1 has 3 MP: 2 for 2013, 1 for 2113, and none for the wadi 2114.
    far = on("RETREAT", retreat("1ES", "2114 2115 2215 2216"))
    units = "190PZ@1914 BRN-I@1914 T1@1914 1ES@2013"
    game = fought(units, attack("2013", "190PZ BRN-I T1"), roll=6, standing=[far], tempo="normal")
    assert (results(game)[0][1:], game.at("1ES")) == (("7:1", "DR4"), "2216")
    game.axis(advance("T1", "2013 2113 2114"))
    assert game.refusal() == ("too-far", "9.2.D-4")
    game.axis(advance("T1", "2013 2113"))
    assert game.at("T1") == "2113"
    # 4 MP for the rugged crest are more than its allowance.
    game = fought("T1@1812 BRN-I@1812 BRN-II@1812 7MR-I@1813", attack("1813", "T1 BRN-I BRN-II"), advance("T1", "1813"), roll=12)
    assert (results(game)[0][1:], game.at("T1")) == (("2:1", "DE"), "1813")


@pytest.mark.rule("race-for-tunis", "7.0.A-3")
def test_no_more_advance_than_may_stand_there():
    game = fought("190PZ@1312 T1@1312 T2@1412 RVT@1412 1ES@1313", attack("1313", "190PZ T1 T2 RVT"), roll=11, tempo="normal")
    assert results(game)[0][1:] == ("6:1", "DE")
    game.axis(advance("190PZ T1 T2 RVT", "1313"))
    assert game.refusal() == ("stacking", "7.0.A-2")
    game.axis(advance("190PZ T1 T2", "1313"))
    assert [game.at(unit) for unit in ("190PZ", "T1", "T2", "RVT")] == ["1313", "1313", "1313", "1412"]


# -- lines ---------------------------------------------------------------------------------------------------------------------------


def test_units_advance_by_several_lines_each_its_own_way():
    game = after(8, advance("T1", "1313 1213"), advance("190PZ", "1313 1314"), standing=[FURTHER], tempo="normal")
    assert (game.at("T1"), game.at("190PZ"), game.state.pending) == ("1213", "1314", ())


def test_lines_given_beforehand_speak_to_the_result():
    lines = [
        on(None, advance("190PZ", "1313 1314"), label="1313", results=["DR3"]),
        on("ADVANCE", advance("T1", "1313", guard=VACATED), label=None),
    ]
    game = fought(f"{STACK} 1ES@1313", *lines, PANZERS, roll=8, standing=[FURTHER])
    assert (game.at("190PZ"), game.at("T1")) == ("1314", "1313")
    game = fought(f"{STACK} 1ES@1313", *lines, PANZERS, roll=7, standing=[FLEES])
    assert (game.at("190PZ"), game.at("T1")) == ("1312", "1313")
    game = fought(f"{STACK} 1ES@1313", *lines, PANZERS, roll=6, standing=[FURTHER])
    assert (results(game)[0][2], game.at("T1")) == ("DR3", "1313")


def test_results_are_named_in_capitals():
    game = fought("T1@1312 T2@1312 1ES@1313", on(None, advance("T2", "1313"), label="ANY", results=["EX"]), attack("1313", "T1 T2"), roll=4)
    assert (results(game)[0][2], advanced(game)) == ("Ex", {"T2": "1313"})
    line = advance("T2", "1313", guard=(Guard("result", {"label": "1313", "in": ["EX"]}),))
    game = fought("T1@1312 T2@1312 1ES@1313", attack("1313", "T1 T2"), line, roll=4)
    assert advanced(game) == {"T2": "1313"}


def test_a_limit_alone_lets_the_strongest_that_fit_into_the_hex_and_no_further():
    game = fought(
        "190PZ@1312 T1@1312 T2@1412 RVT@1412 1ES@1313",
        on("ADVANCE", order("ADVANCE", max=2)),
        attack("1313", "190PZ T1 T2 RVT"),
        roll=11,
    )
    assert [game.at(unit) for unit in ("190PZ", "T1", "T2", "RVT")] == ["1313", "1313", "1313", "1412"]
    game = after(8, on("ADVANCE", advance("T1", "1313 1213", max=1)), standing=[FURTHER])
    assert game.at("T1") == "1313"
    game = after(8, on("ADVANCE", order("ADVANCE", max=0)), standing=[FURTHER])
    assert advanced(game) == {}


def test_who_took_no_part_does_not_advance():
    game = fought("190PZ@1312 T1@1312 RVT@1211 1ES@1313", PANZERS, roll=10, tempo="normal")
    game.axis(advance("RVT", "1313"))
    assert game.refusal() == ("not-in-battle", "9.1.7-2")


# -- places --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "16.0.A-2")
def test_who_advances_into_a_place_holds_it():
    game = fought(
        "BRN-I@1214 190PZ@1214 1ES@1215", attack("1215", "BRN-I 190PZ"), advance("BRN-I", "1215"), roll=11, held={"allied": "1215"}
    )
    assert (results(game)[0][2], game.own("places")["1215"]) == ("DE", "axis")
    assert [event.data for event in game.events("control_changed")] == [{"hex": "1215", "side": "axis"}]
    assert game.view("allied")["own"]["control"]["1215"] == "axis"


@pytest.mark.rule("race-for-tunis", "9.1.2-2", "10.3-1")
def test_guns_that_were_attacked_may_advance_but_into_no_zone():
    # 1ES 2 and 62AF 2 against 4 are 1:1, where 5 is AR2: BRN-I leaves 1312. T1 in 1411 has its zone over that hex.
    for other, able in (("", ["1ES", "62AF"]), ("T1@1411", ["1ES"])):
        game = fought(f"BRN-I@1312 {other} 1ES@1313 62AF@1313", attack("1313", "BRN-I"), roll=5, tempo="normal")
        assert results(game)[0][1:] == ("1:1", "AR2")
        game.axis(retreat("BRN-I", "1211 1111"))
        assert decision(game).rule["units"] == able
        game.allied(advance("62AF", "1312"))
        if other:
            assert game.refusal() == ("artillery-into-zoc", "10.3-1")
        else:
            assert game.at("62AF") == "1312"


def test_an_advance_without_units_is_refused():
    game = after(7, tempo="normal")
    game.axis(advance("", "1313"))
    assert game.refusal() == ("malformed", "9.1.6-2")
    game.axis(advance("T1 T1", "1313"))
    assert game.refusal() == ("malformed", "9.1.6-2")
