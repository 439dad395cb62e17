"""14.0.D Allied arrivals: over the roads of the west edge when they are due, anywhere on it when they have waited.

Of the roads in, 1225 and 2225 are clear hexes and 2125 is a bridged wadi. 5NTH is infantry with 6 MP; 78FA artillery, 6CDO a commando."""

import pytest

from tests.rules.race_for_tunis.positions import DONE, Game, move, one, order, position

ROADS = ["1225", "2125", "2225"]
EDGE = [f"{column}25" for column in range(11, 24)]
FAR = "T1@0216"


def allied(units: str, *lines, **more) -> Game:
    game = position(f"{units} {FAR}", **{"side": "allied", **more})
    game.allied(*lines)
    return game


def next_turn(game: Game) -> Game:
    """The Allies are done, and the Axis too: the next Allied movement phase."""
    game.allied(order("DONE", turn=True))
    while game.state.path[1][1] == "axis":
        game.axis(order("DONE", turn=True))
    assert game.place.endswith("allied movement")
    return game


@pytest.mark.rule("race-for-tunis", "14.0.D-1", "6.2.A-1")
@pytest.mark.parametrize("where", ROADS)
def test_they_come_in_by_a_road_of_the_west_edge_and_pay_for_it(where):
    game = allied("5NTH@off", one("ENTER", "5NTH", hex=where))
    assert (game.at("5NTH"), game.data("arrived")["cost"]) == (where, "1/2")
    assert allied("6CDO@off", one("ENTER", "6CDO", hex=where)).data("arrived")["cost"] == 1  # mountaineers pay 1 (6.5.B)


@pytest.mark.rule("race-for-tunis", "14.0.D-1")
def test_they_come_in_over_no_other_hex_of_it_and_not_before_their_time():
    for where in (*(at for at in EDGE if at not in ROADS), "1224", "2321", "0216"):
        assert allied("5NTH@off", one("ENTER", "5NTH", hex=where)).refusal() == ("not-an-entry", "14.0.D-1")
    assert allied("5NTH@off6", one("ENTER", "5NTH")).refusal() == ("not-due", "14.0.C")
    assert allied("5NTH@1320", one("ENTER", "5NTH")).refusal() == ("not-waiting", "14.0.C")
    assert allied("5NTH@dead", one("ENTER", "5NTH")).refusal() == ("not-waiting", "14.0.C")
    game = position("T2@off", side="axis")
    game.axis(one("ENTER", "T2", hex="1225"))
    assert game.refusal() == ("axis-lands", "14.0.E-1")


@pytest.mark.rule("race-for-tunis", "14.0.D-1")
def test_an_arrival_goes_on_with_what_is_left():
    # 1225 by the road 1/2, 1224 by the road 1/2: 5 of the 6 MP are left for ten more road hexes, or for less off it.
    game = allied("5NTH@off", move("5NTH", "1225 1224"))
    assert (game.at("5NTH"), game.state.counters["5NTH"].num["spent"]) == ("1224", 1)
    assert allied("5NTH@off", one("ENTER", "5NTH"), move("5NTH", "1224")).at("5NTH") == "1224"
    game = allied("5NTH@off", move("5NTH", to="1224"))  # the first road that is open
    assert (game.at("5NTH"), game.data("arrived")["hex"], game.data("moved")["cost"]) == ("1224", "1225", {"5NTH": 1})
    assert allied("5NTH@off", move("5NTH", "1224")).refusal() == ("not-an-entry", "14.0.D-1")
    game = allied("5NTH@off", move("5NTH", "1225 1220"))
    assert game.refusal()[0] == "not-adjacent"
    assert game.at("5NTH") == "edge:off"  # the line is refused whole


@pytest.mark.rule("race-for-tunis", "14.0.D-1")
def test_a_move_to_a_hex_begins_at_the_entry_that_is_nearest_to_it():
    # By the road through 2225 it is 1/2 and 1/2; from 1225, the first entry in the list, 7 1/2, and 64AT has 6.
    game = allied("64AT@off", move("64AT", to="2224"))
    assert (game.data("arrived")["hex"], game.data("moved")["cost"], game.at("64AT")) == ("2225", {"64AT": 1}, "2224")
    # T2 in 2225 closes that, and stops in its ZOC whoever comes in by 2125: what is left is too far.
    game = allied("64AT@off T2@2225", move("64AT", to="2224"))
    assert (game.codes(), game.at("64AT")) == (["too-far"], "edge:off")
    game = allied("64AT@off", move("64AT", to="2225"))  # the entry itself
    assert (game.at("64AT"), game.data("arrived")["cost"]) == ("2225", "1/2")


@pytest.mark.rule("race-for-tunis", "14.0.D-1")
def test_enemies_and_their_zone_at_the_entry():
    assert allied("5NTH@off T2@1225", one("ENTER", "5NTH", hex="1225")).refusal() == ("enemy-there", "6.3-1")
    game = allied("5NTH@off T2@1224", one("ENTER", "5NTH", hex="1225"))
    assert game.data("arrived")["cost"] == "5/2"  # 1/2 and 2 for the zone
    game = allied("78FA@off T2@1224", one("ENTER", "78FA", hex="1225"))
    assert game.refusal() == ("artillery-into-zoc", "10.3-1")
    game = allied("5NTH@off T2@1224", move("5NTH", "1225 1325"))
    assert game.refusal() == ("must-stop", "6.1.B")


@pytest.mark.rule("race-for-tunis", "14.0.D-1")
def test_who_is_not_named_comes_in_by_a_road_with_room():
    # Four battalions fill a hex, and three maneuver battalions: 1225 takes three of infantry, 2125 the fourth.
    units = "5NTH@off 2LF@off 1ES@off 6RWK@off"
    game = allied(units, DONE)
    assert [game.at(unit) for unit in ("1ES", "2LF", "5NTH", "6RWK")].count("1225") == 3
    assert [game.at(unit) for unit in ("1ES", "2LF", "5NTH", "6RWK")].count("2125") == 1
    assert {event.data["how"] for event in game.events("arrived")} == {"default"}


@pytest.mark.rule("race-for-tunis", "14.0.D-2", "14.0.D-4")
@pytest.mark.parametrize(("where", "cost"), [("1125", 1), ("1725", 2), ("1325", 4), ("2125", 2), ("1225", 1)])
def test_a_unit_held_back_by_a_turn_comes_anywhere_on_the_edge_for_its_terrain(where, cost):
    # Clear 1, high ground 2, rugged crest 4, wadi 2 (RT-49).
    game = allied("5NTH@off", one("DELAY", "5NTH"), DONE)
    assert game.at("5NTH") == "edge:off"
    game = next_turn(allied("5NTH@off", one("DELAY", "5NTH")))
    game.allied(one("ENTER", "5NTH", hex=where))
    assert (game.at("5NTH"), game.data("arrived")["cost"]) == (where, cost)


@pytest.mark.rule("race-for-tunis", "14.0.D-2")
def test_a_unit_is_held_back_once_and_not_at_a_later_thought():
    assert allied("5NTH@off", one("DELAY", "5NTH"), one("ENTER", "5NTH")).refusal() == ("held-back", "14.0.D-2")
    game = next_turn(allied("5NTH@off", one("DELAY", "5NTH")))
    game.allied(one("DELAY", "5NTH"))
    assert game.refusal() == ("delayed-already", "14.0.D-2")
    game.allied(one("ENTER", "5NTH", hex="2321"))
    assert game.refusal() == ("not-an-entry", "14.0.D-1")
    game.allied(DONE)
    assert game.at("5NTH") == "1125"
    game = position("T2@off", side="axis")
    game.axis(one("DELAY", "T2"))
    assert game.refusal() == ("only-allies-delay", "14.0.D-2")


@pytest.mark.rule("race-for-tunis", "14.0.D-3", "14.0.D-4")
def test_with_the_axis_on_every_road_they_wait_a_turn_and_come_anywhere():
    blocked = "5NTH@off T2@1225 T3@2125 T4@2225"
    assert allied(blocked, one("ENTER", "5NTH")).refusal() == ("enemy-there", "6.3-1")
    game = next_turn(allied(blocked))
    assert game.at("5NTH") == "edge:off"
    game.allied(one("ENTER", "5NTH", hex="1725"))
    assert game.at("5NTH") == "1725"
    game = allied("5NTH@off T2@1225 T3@2125", one("ENTER", "5NTH"))  # one road is enough
    assert game.at("5NTH") == "2225"


@pytest.mark.rule("race-for-tunis", "14.0.D-4")
def test_heavy_equipment_that_has_waited_keeps_out_of_rugged_crest():
    game = next_turn(allied("78FA@off", one("DELAY", "78FA")))
    game.allied(one("ENTER", "78FA", hex="1325"))
    assert game.refusal() == ("prohibited", "6.6.B-1")


@pytest.mark.rule("race-for-tunis", "17.4.2.C-1")
def test_heavy_rain_and_blown_bridges_close_the_road_in():
    # 2125 is a wadi with an all-weather or a dirt road; without its bridge a unit pays for the wadi.
    game = allied("5NTH@off", one("ENTER", "5NTH", hex="2125"), own={"blown": ["2125"]})
    assert game.data("arrived")["cost"] == 2


@pytest.mark.rule("race-for-tunis", "18.3.B")
def test_americans_come_over_the_south_edge_in_eilbote():
    units = "13-1A-II@off 2HP@off"
    game = allied(units, one("ENTER", "13-1A-II", hex="2320"), scenario="eilbote", turn=3)
    assert (game.at("13-1A-II"), game.data("arrived")["cost"]) == ("2320", 1)
    for where in ("1225", "2316"):
        game = allied(units, one("ENTER", "13-1A-II", hex=where), scenario="eilbote", turn=3)
        assert game.refusal() == ("not-an-entry", "14.0.D-1")
    for where in ("2317", "2325"):
        assert allied("18-1-I@off", one("ENTER", "18-1-I", hex=where), scenario="eilbote", turn=3).at("18-1-I") == where  # bought back
    assert allied(units, one("ENTER", "2HP", hex="2320"), scenario="eilbote", turn=3).refusal() == ("not-an-entry", "14.0.D-1")
