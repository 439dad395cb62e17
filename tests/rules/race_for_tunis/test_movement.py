"""6. Movement: MP by terrain, roads, one hex at least, mountaineers, heavy equipment; and 17.4.2, what heavy rain makes of it.

Round 1313 all is clear; 1514 is high ground, 1417 and 1811 wadis, 1813 a rugged crest, 0413 a swamp."""

import pytest

from tests.rules.race_for_tunis.positions import move, order, position
from tests.rules.race_for_tunis.walking import RAIN, cost, refused, walk

TURN = order("DONE", turn=True)


# -- 6.0 In general ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "6.0.A-1")
def test_units_move_in_the_movement_phase_of_their_own_side_alone():
    game = position("T1@1313 1ES@2125", step="package")
    game.axis(move("T1", "1413"))
    assert (game.codes(), game.at("T1")) == (["not-in-this-step"], "1313")
    game = position("T1@1313 1ES@2125", side="allied")
    game.axis(move("T1", "1413"))  # kept for when its turn comes
    assert (game.at("T1"), game.events("moved")) == ("1313", [])


@pytest.mark.rule("race-for-tunis", "6.0.A-3", "6.0.C-2")
def test_mp_not_spent_are_lost_with_the_phase():
    game = position("T1@1313 1ES@2125")
    game.axis(move("T1", "1413"), TURN)  # 1 of 3
    game.allied(TURN)
    assert game.place == "6 axis movement"
    game.axis(move("T1", "1412 1312 1212 1211"))  # 4, with the 2 that were left it would do
    assert game.refusal() == ("too-far", "6.0.C-2")
    game.axis(move("T1", "1412 1312 1212"))
    assert (game.at("T1"), game.data("moved")["cost"]) == ("1212", {"T1": 3})


@pytest.mark.rule("race-for-tunis", "6.0.B-1", "6.0.B-2")
def test_units_move_one_at_a_time_and_one_after_the_other():
    game = position("T1@1313 T2@1313 1ES@2125")
    game.axis(order("MOVE", units=["T1", "T2"], path=["1413"]))
    assert game.refusal() == ("one-unit", "6.0.B-1")
    game.axis(move("T1", "1413"), move("T1", "1412"), move("T2", "1413"))  # T1 in two orders, no other between
    assert (game.at("T1"), game.at("T2")) == ("1412", "1413")
    game.axis(move("T1", "1312"))  # a third MP is left it, but T2 has begun
    assert game.refusal() == ("moved-already", "6.0.B-2")


@pytest.mark.rule("race-for-tunis", "6.0.C-1")
@pytest.mark.parametrize(
    ("path", "mp"),
    [("1313 1413", 1), ("1413 1514", 2), ("1714 1813", 4), ("0412 0413", 3), ("1318 1417", 2), ("0610 0711", 1), ("1313 1413 1514", 3)],
)
def test_a_hex_costs_what_the_chart_says(path, mp):
    assert cost("1ES", path, side="allied") == mp


@pytest.mark.rule("race-for-tunis", "6.0.C-1")
def test_a_way_goes_from_hex_to_adjoining_hex():
    assert refused("1ES", "1313 1513", side="allied") == ("not-adjacent", "6.0.C-1")


@pytest.mark.rule("race-for-tunis", "6.0.C-2")
def test_a_unit_stops_when_its_mp_are_spent():
    game = walk("T1", "1313 1413 1412 1312")  # 3 of 3
    game.axis(move("T1", "1313"))
    assert (game.refusal(), game.last.rejections[0].details["cost"]) == (("too-far", "6.0.C-2"), 4)


# -- 6.2 Roads, 6.3 Enemy units, 6.4 Minimum movement -----------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "6.2.A-1")
def test_along_a_road_each_hex_costs_half_a_point_whatever_it_is():
    assert cost("1ES", "1214 1215", side="allied") == "1/2"  # a wadi, else 2
    assert cost("1ES", "1319 1320 1420", side="allied") == 1  # high ground, else 1 and 2


@pytest.mark.rule("race-for-tunis", "6.2.A-2")
def test_onto_a_road_from_beside_it_the_hex_costs_its_terrain():
    assert cost("1ES", "1115 1215", side="allied") == 2
    assert cost("1ES", "0714 0814", side="allied") == 1  # both have roads, none leads from the one to the other
    assert cost("1ES", "1115 1215 1315", side="allied") == "5/2"


@pytest.mark.rule("race-for-tunis", "6.2.B-2")
@pytest.mark.parametrize(("weather", "dirt"), [("clear", 1), ("rain", 1), ("heavy-rain", 4)])
def test_dirt_and_all_weather_roads_differ_in_heavy_rain_alone(weather, dirt):
    own = {"weather": weather}
    assert cost("1ES", "1314 1413 1513", side="allied", weather=True, own=own) == dirt
    assert cost("1ES", "1214 1215 1315", side="allied", weather=True, own=own) == 1


@pytest.mark.rule("race-for-tunis", "6.3-1", "6.4.B-2")
def test_no_unit_enters_a_hex_with_an_enemy_not_even_as_its_only_hex():
    assert refused("T1", "1313 1413", "5NTH@1413") == ("enemy-there", "6.3-1")
    assert refused("17-21L", "1313 1413", "T2@1413", side="allied") == ("enemy-there", "6.3-1")
    game = position("T1@1313 5NTH@1413")
    game.axis(move("T1", to="1413"))  # a way to be found is refused for the same reason
    assert game.refusal() == ("enemy-there", "6.3-1")


@pytest.mark.rule("race-for-tunis", "6.4.A", "6.4.A-EX")
def test_one_hex_may_be_entered_that_costs_more_than_the_unit_has():
    # The crest 1813 costs 4, the zone of 5NTH 1 more; Italian infantry has 3. 1714 is not in the zone.
    assert cost("92-I", "1714 1813", "5NTH@1913") == 5
    assert refused("92-I", "1715 1714 1813", "5NTH@1913") == ("too-far", "6.0.C-2")
    game = walk("92-I", "1715 1714", "5NTH@1913")
    game.axis(move("92-I", "1813"))  # nor in two orders
    assert game.refusal() == ("too-far", "6.0.C-2")
    game = walk("92-I", "1714 1813")
    game.axis(move("92-I", "1714"))  # and it is the whole move
    assert game.refusal() == ("too-far", "6.0.C-2")


@pytest.mark.rule("race-for-tunis", "6.4.B-1", "6.4.B-2", "6.5.C")
def test_one_hex_at_least_does_not_open_what_is_closed():
    assert refused("T1", "1309 1308") == ("prohibited", "6.5.C")  # a cliff, up
    assert refused("T1", "1308 1309") == ("prohibited", "6.5.C")  # and down
    assert refused("7-10-I", "1714 1813") == ("prohibited", "6.6.B-1")


# -- 6.5 Mountaineers, 6.6 Heavy equipment --------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "6.5.B-1", "6.5.B-4")
def test_every_hex_costs_a_mountaineer_one_point_roads_too():
    for path in ("1714 1813", "0412 0413", "1318 1417", "1413 1514", "1214 1215"):
        assert cost("756-I", path) == 1
    assert cost("756-II", "1214 1215 1315 1415 1416") == 4  # 2 for others
    assert refused("756-II", "1214 1215 1315 1415 1416 1317") == ("too-far", "6.0.C-2")
    assert cost("6CDO", "1214 1215 1315", side="allied") == 2


@pytest.mark.rule("race-for-tunis", "6.5.B-2", "6.5.B-3")
def test_enemy_zones_cost_mountaineers_nothing_and_stop_them():
    assert cost("756-I", "1313 1413", "5NTH@1513") == 1
    assert cost("1CDO", "1313 1413", "T2@1513", side="allied") == 1
    assert refused("756-I", "1313 1413 1414", "5NTH@1513") == ("must-stop", "6.1.B")
    assert refused("1CDO", "1313 1413 1414", "T2@1513", side="allied") == ("must-stop", "6.1.B")


@pytest.mark.rule("race-for-tunis", "6.5.C")
@pytest.mark.parametrize(("unit", "side"), [("756-I", "axis"), ("756-III", "axis"), ("1CDO", "allied")])
def test_mountaineers_cross_cliffs_up_and_down(unit, side):
    assert cost(unit, "1309 1308", side=side) == cost(unit, "1308 1309", side=side) == 1


@pytest.mark.rule("race-for-tunis", "6.6.B-1")
@pytest.mark.parametrize("unit", ["7-10-I", "1-501", "90AT", "54-I", "557AG", "II-90"])
def test_heavy_equipment_never_enters_swamp_or_rugged_crest(unit):
    assert refused(unit, "0412 0413") == ("prohibited", "6.6.B-1")
    assert refused(unit, "1714 1813") == ("prohibited", "6.6.B-1")


# -- 17.4.2 Heavy rain ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.4.2.B")
def test_in_heavy_rain_clear_ground_costs_two():
    assert cost("1ES", "1313 1413 1412", side="allied", **RAIN) == 4
    assert cost("1ES", "1413 1514", side="allied", **RAIN) == 2  # high ground as ever
    assert cost("1ES", "0610 0711", side="allied", **RAIN) == 1  # and a city
    assert cost("756-I", "1313 1413 1412", **RAIN) == 2


@pytest.mark.rule("race-for-tunis", "17.4.2.C-3", "17.4.2.C-4", "17.4.2.D-1", "17.4.2.D-2")
def test_in_heavy_rain_a_wadi_costs_three_and_one_over_the_bridge_of_a_dirt_road():
    assert cost("1ES", "1318 1417", side="allied", **RAIN) == 3
    assert cost("1ES", "1419 1519", side="allied", **RAIN) == 1
    assert cost("1ES", "1518 1519", side="allied", **RAIN) == 3  # beside the road
    assert cost("1ES", "1214 1215", side="allied", **RAIN) == "1/2"  # an all-weather road
    blown = {"weather": True, "own": {"weather": "heavy-rain", "blown": ["1215", "1519"]}}
    assert [cost("1ES", path, side="allied", **blown) for path in ("1419 1519", "1214 1215")] == [3, 3]


@pytest.mark.rule("race-for-tunis", "17.4.2.D-1", "17.4.2.E-1", "17.4.2.E-2")
def test_in_heavy_rain_heavy_equipment_enters_a_river_by_a_bridge_or_where_an_engineer_is():
    assert refused("7-10-I", "1318 1417", **RAIN) == ("prohibited", "17.4.2.E-1")
    assert cost("7-10-I", "1318 1417") == 2  # a wadi when it is dry
    assert cost("86-10-I", "1318 1417", **RAIN) == 3  # panzergrenadiers are not heavy
    assert cost("7-10-I", "1419 1519", **RAIN) == 1
    assert cost("7-10-I", "1318 1417", "49ENG@1417", **RAIN) == 3
    blown = {"weather": True, "own": {"weather": "heavy-rain", "blown": ["1519"]}}
    assert refused("7-10-I", "1419 1519", **blown) == ("prohibited", "17.4.2.E-1")


@pytest.mark.rule("race-for-tunis", "17.4.2.E-1")
def test_a_river_with_a_whole_bridge_bars_no_heavy_equipment_wherever_it_comes_from():
    # 1519 has a bridge on the dirt road from 1419; from 1518, beside the road, tanks pay for the river.
    assert cost("7-10-I", "1518 1519", **RAIN) == 3
    blown = {"weather": True, "own": {"weather": "heavy-rain", "blown": ["1519"]}}
    assert refused("7-10-I", "1518 1519", **blown) == ("prohibited", "17.4.2.E-1")


@pytest.mark.rule("race-for-tunis", "17.4.2.E-2")
def test_the_engineer_goes_into_the_river_first():
    game = position("7-10-I@1318 49ENG@1318 1ES@2125", **RAIN)
    game.axis(move("7-10-I", "1417"))
    assert game.refusal() == ("prohibited", "17.4.2.E-1")
    game.axis(move("49ENG", "1417"), move("7-10-I", "1417"))
    assert game.at("7-10-I") == "1417"


@pytest.mark.rule("race-for-tunis", "6.5.B-1", "17.2.3.C-2")
def test_a_mountaineer_pays_what_an_interdictor_adds_for_leaving_and_no_more():
    # RT-12: 1 for the hex, be it wadi or crest, and 2 for the JU-87 over the hex left; aircraft are no terrain.
    over = {"air": True, "own": {"air": {"JU87": {"state": "interdict", "hex": "1215", "back": None}}}}
    assert [cost("1CDO", path, side="allied", **over) for path in ("1214 1215", "1215 1115", "1215 1116")] == [1, 3, 3]


def test_a_path_may_begin_with_the_hex_where_the_unit_stands():
    game = position("1ES@1313 T1@0216", side="allied")
    game.allied(move("1ES", "1313 1413"))
    assert (game.at("1ES"), game.data("moved")["path"]) == ("1413", ["1313", "1413"])


def test_what_is_no_move_is_refused():
    units = "1ES@1313 6RWK@dead 2LF@off9 17-21L@1313 T1@0216"
    for line, refusal in (
        (move("1ES", "1313"), ("no-move", "6.0.A-1")),
        (move("6RWK", "1313"), ("not-on-map", "6.0.A-1")),
        (move("17-21L", to="0916"), ("no-way", "6.0.C-1")),  # tanks into a rugged crest
    ):
        game = position(units, side="allied")
        game.allied(line)
        assert game.refusal() == refusal
