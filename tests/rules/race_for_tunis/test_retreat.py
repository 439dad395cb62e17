"""9.2.A to 9.2.C Retreats. 190PZ 8 and T1 2 against 1ES 2 are 5:1, where 7 is DR2 and 6 DR3; BRN-I 4 against 1ES is 2:1, where 7 is DR1.

Round 1313 the ground is clear for two hexes, but for 1114 and 1514; the road 1214 1213 1113 1013 passes by."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.race_for_tunis.retreat import cost, living
from tests.rules.race_for_tunis.fighting import decision, fought, lost, rally, results, retreat, retreated
from tests.rules.race_for_tunis.positions import attack, move, on, one, order, position

STACK = "190PZ@1312 T1@1312"
PANZERS = attack("1313", "190PZ T1")
TO_RETREAT = "RETREAT"


def ways(unit, at, hexes, others="", **more):
    """The ways that a unit may retreat so many hexes, as text."""
    table = position(f"{unit}@{at} {others}", **more).table
    return {" ".join(map(str, way)) for way in living(table, unit, hexes)}


def path(text):
    return tuple(map(parse_hex, text.split()))


# -- how far, and where --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "9.1.6-1", "9.2.A-1", "9.2.A-2")
def test_a_retreat_ends_so_many_hexes_away_and_every_step_leads_on():
    game = fought(f"{STACK} 1ES@1313", PANZERS, roll=7, tempo="normal")
    assert (results(game), decision(game).side, decision(game).verb) == ([("1313", "5:1", "DR2")], "allied", "RETREAT")
    # The twelve hexes two away, less 1411 1311 1211 (in the zone of 1312), 1512 and 1112 (over 1412 and 1212 alone, in that zone).
    ends = {choice["path"][-1] for choice in decision(game).choices}
    assert ends == {"1513", "1514", "1414", "1315", "1214", "1114", "1113"}
    for wrong in ("1413", "1213 1214 1314", "1413 1314", "1412 1513", "1213 1213", "1512 1513"):
        game.allied(retreat("1ES", wrong))
        assert game.refusal() == ("no-such-retreat", "9.2.A-1")
    game.allied(retreat("1ES", "1313 1413 1514"))  # with the hex where it stands, or without
    assert (game.at("1ES"), retreated(game), game.data("retreated")["cost"]) == ("1514", {"1ES": "1313 1413 1514"}, 3)


def test_an_answer_that_is_not_of_this_retreat_is_refused():
    game = fought(f"{STACK} 1ES@1313 6RWK@1414", PANZERS, roll=7, tempo="normal")
    game.allied(retreat("6RWK", "1415 1416"))
    assert game.refusal() == ("not-in-battle", "9.1.6-1")
    game.allied(rally("6RWK", "1416"))
    assert game.refusal() == ("not-in-battle", "9.1.6-1")


@pytest.mark.rule("race-for-tunis", "9.2.B-1")
def test_only_mountaineers_cross_a_cliff():
    # 2109 and 1909 are rugged crests with a cliff down to 2009.
    assert ways("5-I", "2009", 1) == {"2008", "2110", "2010", "1910"}
    assert ways("756-I", "2009", 1) == {"2008", "2109", "2110", "2010", "1910", "1909"}
    assert "2009" not in ways("5-I", "2109", 1)
    assert "2009" in ways("756-I", "2109", 1)


@pytest.mark.rule("race-for-tunis", "9.2.B-2", "9.2.B-3")
def test_where_enemy_zones_and_cliffs_bar_every_way_the_unit_is_lost():
    # 6-1A-I in 2010 commands 2110 and 1910, 6-1A-II in 2008 nothing up its cliffs. 6 against 4 is 1:1; 9 is DR1.
    units = "6-1A-I@2010 6-1A-II@2008"
    game = fought(f"{units} BRN-I@2009", attack("2009", "6-1A-I 6-1A-II"), roll=9, side="allied")
    assert (results(game), lost(game)) == ([("2009", "1:1", "DR1")], {"BRN-I": "zone"})
    assert game.events("eliminated")[0].clause == "9.2.B-3"
    # Mountain infantry (3: 2:1, where 7 is DR1) climbs out.
    game = fought(f"{units} 756-I@2009", attack("2009", "6-1A-I 6-1A-II"), roll=7, side="allied", tempo="full")
    assert {choice["path"][0] for choice in decision(game).choices} == {"2109", "1909"}


@pytest.mark.rule("race-for-tunis", "9.2.B-2")
def test_friends_do_not_lift_a_zone_for_a_retreat():
    # The zone of 1312 covers 1412 and 1212, friends there or not.
    assert ways("1ES", "1313", 1, "BRN-I@1312") == {"1413", "1314", "1213"}
    assert ways("1ES", "1313", 1, "BRN-I@1312 6RWK@1412 8ASH@1212") == {"1413", "1314", "1213"}


# -- movement points -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "9.2.C-1", "9.2.C-EX1")
def test_three_clear_hexes_are_within_three_points():
    assert "1212 1112 1012" in ways("7MR-I", "1313", 3)
    table = position("7MR-I@1313").table
    assert cost(table, "7MR-I", parse_hex("1313"), path("1212 1112 1012")) == 6  # halves
    # By effect: 6:1, where 5 is DR3. The zone of 1413 covers 1314 and 1412.
    game = fought(
        "190PZ@1413 BRN-I@1413 7MR-I@1313",
        attack("1313", "190PZ BRN-I"),
        roll=5,
        standing=[on(TO_RETREAT, retreat("7MR-I", "1212 1112 1012"))],
    )
    assert (results(game)[0][2], game.at("7MR-I"), game.data("retreated")["cost"]) == ("DR3", "1012", 3)


@pytest.mark.rule("race-for-tunis", "9.2.C-2", "9.2.C-EX2")
def test_three_hexes_over_swamp_heights_crest_or_wadi_are_not():
    # All round 2013 stand heights, crests and wadis; 1914 next to it is high ground as well.
    game = fought("190PZ@1914 BRN-I@1914 7MR-I@2013", attack("2013", "190PZ BRN-I"), roll=5)
    assert (results(game), lost(game)) == ([("2013", "6:1", "DR3")], {"7MR-I": "no-points"})
    assert game.events("eliminated")[0].clause == "9.2.C-2"
    # A faster unit lives: MA 6 pays for a wadi and two clear hexes.
    assert "2114 2115 2215" in ways("1ES", "2013", 3, "190PZ@1914 BRN-I@1914")


@pytest.mark.rule("race-for-tunis", "9.2.C-EX3")
def test_three_hexes_of_road_are_within_three_points_in_any_terrain():
    # The road 0718 0818 0819 0820 climbs over high ground. 190PZ and BRN-I attack downhill from 0618.
    game = fought(
        "190PZ@0618 BRN-I@0618 7MR-I@0718",
        attack("0718", "190PZ BRN-I"),
        roll=5,
        standing=[on(TO_RETREAT, retreat("7MR-I", "0818 0819 0820"))],
    )
    assert (results(game)[0][2], game.at("7MR-I"), game.data("retreated")["cost"]) == ("DR3", "0820", "3/2")


@pytest.mark.rule("race-for-tunis", "9.2.C-3", "9.2.C-4")
def test_one_hex_can_always_be_paid_but_not_into_a_zone_or_prohibited_ground():
    # 1813 is a rugged crest (4 MP); the French have 3, tanks may not go there.
    assert "1813" in ways("7MR-I", "1714", 1)
    assert "1813" not in ways("190PZ", "1714", 1)
    assert "1813" in ways("69-10-I", "1714", 1)
    assert "1813" not in ways("7MR-I", "1714", 1, "BRN-I@1812")


@pytest.mark.rule("race-for-tunis", "9.2.C-1")
def test_points_spent_in_the_movement_phase_are_no_matter():
    # Half a point of road and 2 for the zone leave the French half a point; 2 against 4 are 1:2, where 5 is AR2.
    game = fought(
        "7MR-I@1315 BRN-I@1213",
        move("7MR-I", "1314"),
        order("DONE"),
        attack("1213", "7MR-I"),
        roll=5,
        side="allied",
        step="movement",
    )
    assert (game.data("moved")["cost"], results(game)[0][1:]) == ({"7MR-I": "5/2"}, ("1:2", "AR2"))
    assert (retreated(game), game.data("retreated")["cost"]) == ({"7MR-I": "1314 1315 1215"}, 1)


def interdicting(unit: str, at: str) -> dict[str, dict[str, object]]:
    """The game's own with one air unit over a hex, and all others driven off."""
    others = {key: {"state": "aborted", "hex": None, "back": None} for key in position("T1@1312", air=True).own("air")}
    return {"air": {**others, unit: {"state": "interdict", "hex": at, "back": None}}}


@pytest.mark.rule("race-for-tunis", "17.2.3.C-2")
def test_aircraft_of_the_other_player_turn_hamper_a_retreat_and_those_just_sent_do_not():
    # BOSTON (2) over 1314 has come in the Allied turn: to leave it takes T1 (MA 3) 2 MP more. 2 against 2 are 1:1, where 5 is AR2.
    game = fought("T1@1314 1ES@1313", attack("1313", "T1"), roll=5, air=True, own=interdicting("BOSTON", "1314"))
    assert (results(game)[0][2], lost(game)) == ("AR2", {"T1": "no-points"})
    # JU87 (2) over 1313 is for the Allied turn to come (RT-40): 7MR-I (MA 3) gets its two hexes away.
    units = f"{STACK} 7MR-I@1313"
    game = fought(
        units, PANZERS, roll=7, air=True, own=interdicting("JU87", "1313"), standing=[on(TO_RETREAT, retreat("7MR-I", "1413 1514"))]
    )
    assert (results(game)[0][2], game.at("7MR-I"), game.data("retreated")["cost"]) == ("DR2", "1514", 3)


# -- artillery -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "10.4.C")
def test_artillery_that_must_retreat_is_lost():
    # 8 and 2 against 2 and 3 (67AF with company) are 2:1.
    game = fought(f"{STACK} 7MR-I@1313 67AF@1313", PANZERS, roll=7)
    assert (results(game)[0][1:], lost(game)) == (("2:1", "DR1"), {"67AF": "artillery"})
    assert game.events("eliminated")[0].clause == "10.4.C"
    assert game.at("7MR-I") == "1213"


# -- stacking ------------------------------------------------------------------------------------------------------------------------

FULL = "6RWK@{0} 5BF@{0} 8ASH@{0}"
CROWD = "5NTH@{0} 2LF@{0} 6RIF@{0}"


@pytest.mark.rule("race-for-tunis", "7.0.A-1")
def test_a_hex_with_room_must_be_taken_and_a_full_one_only_if_there_is_no_other():
    full = FULL.format("1213")
    assert ways("1ES", "1313", 1, f"BRN-I@1312 {full}") == {"1413", "1314"}
    other = "KOYLI@1413 YL@1413 6LNC@1413"
    assert ways("1ES", "1313", 1, f"BRN-I@1312 {full} {other} {CROWD.format('1314')}") == {"1413", "1314", "1213"}


# -- who decides, and how ------------------------------------------------------------------------------------------------------------


def test_by_default_a_unit_keeps_to_the_road_then_to_clear_ground_then_to_the_lowest_hex():
    game = fought(f"{STACK} 1ES@1313", PANZERS, roll=7)
    assert retreated(game) == {"1ES": "1313 1213 1113"}  # one step off the road, as over 1214, and 1113 is lower
    # From 1412 the zone leaves 1411.. to it: no road within a hex, all clear, 1313 the lowest.
    game = fought("BRN-I@1512 1ES@1412", attack("1412", "BRN-I"), roll=7)
    assert retreated(game) == {"1ES": "1412 1312"}


def test_a_rally_point_draws_the_retreat_and_one_that_cannot_be_made_for_is_passed_over():
    for hexes, end in (("1614", "1514"), ("1011 1614", "1113"), ("1310 1614", "1514")):
        game = fought(f"{STACK} 1ES@1313", PANZERS, roll=7, standing=[on(TO_RETREAT, rally("ALL", hexes))])
        assert game.at("1ES") == end


def test_the_road_may_be_left_aside():
    # From 1113 the zone of 1212 leaves 1013 on the road, 1012 on clear ground, 1114 on high.
    for line, end in (
        (retreat("1ES", "1013"), "1013"),
        (rally("1ES", "1313", road=True), "1013"),
        (rally("1ES", "1313", road=False), "1012"),
    ):
        game = fought("BRN-I@1212 1ES@1113", attack("1113", "BRN-I"), roll=7, standing=[on(TO_RETREAT, line)])
        assert game.at("1ES") == end


def test_one_answer_may_send_all_units_off_and_each_unit_its_own_way_in_any_order():
    units = f"{STACK} BRN-I@1312 1ES@1313 4CA@1313"  # 14 against 3 are 4:1, where 7 is DR2
    order_ = attack("1313", "190PZ T1 BRN-I")
    game = fought(units, order_, roll=7, tempo="normal")
    game.allied(rally("ALL", "1414"))
    assert (game.at("1ES"), game.at("4CA")) == ("1414", "1414")
    game = fought(units, order_, roll=7, tempo="normal")
    first = decision(game).context["unit"]
    second = "4CA" if first == "1ES" else "1ES"
    game.allied(retreat(second, "1314 1315"), retreat(first, "1213 1114"))
    assert (game.at(second), game.at(first)) == ("1315", "1114")


def test_a_battalion_that_breaks_down_as_it_must_retreat_goes_company_by_company():
    # 17-21L and 16-5L: 8 against 4 are 2:1, where 7 is DR1. 190AC is two companies.
    game = fought("17-21L@1312 16-5L@1312 190AC@1313", attack("1313", "17-21L 16-5L"), roll=7, side="allied", tempo="normal")
    assert decision(game).context["unit"] == "190AC"
    game.axis(one("SPLIT", "190AC"), retreat("2-190AC", "1314"), retreat("1-190AC", "1213"))
    assert game.codes() == []
    assert (game.at("190AC"), game.at("1-190AC"), game.at("2-190AC")) == ("box:component", "1213", "1314")


@pytest.mark.rule("race-for-tunis", "9.1.2-1")
def test_all_attackers_retreat_and_guns_in_support_stay():
    # 4 and 5 of II-90 against 2 and 4 are 1:1, where 5 is AR2.
    units = "BRN-I@1312 II-90@1312 1ES@1313 17-21L@1313"
    game = fought(units, attack("1313", "BRN-I", "II-90"), roll=5)
    assert (results(game), game.at("II-90"), lost(game)) == ([("1313", "1:1", "AR2")], "1312", {})
    (way,) = retreated(game).values()
    assert way == "1312 1211 1111"  # 1211 lies on the road, 1111 further along it, and is lower than 1311 1410


@pytest.mark.rule("race-for-tunis", "7.0.A-2")
def test_of_a_hex_overfull_by_a_retreat_who_retreated_there_goes():
    # RT-23: every hex that YL can retreat to is full; it goes to 1213, and is over the limit as the player-turn ends.
    crowd = f"{FULL.format('1213')} KOYLI@1413 2LIR@1413 6LNC@1413 {CROWD.format('1314')}"
    line = on(TO_RETREAT, retreat("YL", "1213"))
    game = fought(f"BRN-I@1312 YL@1313 {crowd}", attack("1313", "BRN-I"), roll=7, standing=[line], tempo="full")
    assert (results(game)[0][2], game.at("YL")) == ("DR1", "1213")
    assert (decision(game).kind, decision(game).default, decision(game).rule["units"]) == ("excess", {"units": ["YL"]}, ["YL"])
    game.allied(order("LOSE", units=["5BF"]))
    assert game.refusal() == ("not-there", "7.0.A-2")
    game.allied(order("LOSE", units=["YL"]))
    assert (lost(game), game.place) == ({"YL": "stacking"}, "5 allied movement")


@pytest.mark.rule("race-for-tunis", "7.0.A-2", "11.2.B-1")
def test_a_battalion_that_breaks_down_before_it_must_go_goes_by_companies():
    # A company, two battalions and the 190th are 3 1/3; with the 190th in its two companies they are 3, and fit.
    game = position("1-7-10@0714 T2@0714 T3@0714 190PZ@0714 2LF@2125", side="allied", tempo="full")
    game.allied(order("DONE", turn=True))
    assert decision(game).default == {"units": ["T2"]}
    game.axis(one("SPLIT", "190PZ"), order("LOSE", units=["T2"]))
    assert (game.codes(), lost(game), game.at("T2"), game.state.pending) == ([], {}, "0714", ())
    # With a third battalion they are 4 1/3, and 4 after it: one of its companies and another are too many still.
    game = position("1-7-10@0714 T2@0714 T3@0714 T4@0714 190PZ@0714 2LF@2125", side="allied", tempo="full")
    game.allied(order("DONE", turn=True))
    game.axis(one("SPLIT", "190PZ"))
    game.axis(order("LOSE", units=["190PZ"]))
    assert game.refusal() == ("not-there", "7.0.A-2")
    game.axis(order("LOSE", units=["1-7-10", "1-190PZ", "2-190PZ"]))
    assert (game.codes(), lost(game)) == ([], dict.fromkeys(("1-7-10", "1-190PZ", "2-190PZ"), "stacking"))


def test_a_line_for_a_battalion_that_has_broken_down_asks_its_companies():
    game = fought("17-21L@1312 16-5L@1312 190AC@1313", attack("1313", "17-21L 16-5L"), roll=7, side="allied", tempo="full")
    game.axis(one("SPLIT", "190AC"), retreat("190AC", "1314"))
    assert (game.codes(), decision(game).context["unit"]) == ([], "1-190AC")
