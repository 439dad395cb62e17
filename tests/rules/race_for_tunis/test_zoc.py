"""5.1 and 6.1 Zones of control, and what they do to movement. All round 1313 is clear ground."""

import pytest

from services.rules.games.race_for_tunis.zoc import zones
from tests.rules.race_for_tunis.positions import move, one, position
from tests.rules.race_for_tunis.walking import cost, refused, walk


def zone(units: str, side: str) -> set[str]:
    """The hexes in an enemy ZOC of a side."""
    return {str(at) for at in zones(position(units).table, side)}


@pytest.mark.rule("race-for-tunis", "5.1.A-1")
def test_every_unit_controls_the_six_hexes_round_it():
    six = {"1312", "1412", "1413", "1314", "1213", "1212"}
    assert zone("T1@1313", "allied") == zone("5NTH@1313", "axis") == six
    assert zone("II-90@1313", "allied") == six  # guns too
    assert zone("T1@1313", "axis") == set()
    assert zone("T1@1313 T2@1413", "allied") == six | {"1313", "1513", "1514", "1414"}


@pytest.mark.rule("race-for-tunis", "6.1.A-1", "6.1.A-2")
def test_to_enter_an_enemy_zone_costs_an_ally_two_more_and_the_axis_one():
    assert cost("1ES", "1313 1413", "T2@1513", side="allied") == 3
    assert cost("1ES", "1313 1413", "T2@1513 T3@1414", side="allied") == 3  # once a hex
    assert cost("1ES", "1214 1215", "T2@1216", side="allied") == "5/2"  # along a road too
    assert cost("T1", "1313 1413", "5NTH@1513") == 2
    assert cost("T1", "1313 1413", "5NTH@1513 2LF@1414") == 2


@pytest.mark.rule("race-for-tunis", "6.1.B")
@pytest.mark.parametrize(("unit", "enemy", "side"), [("1ES", "T2", "allied"), ("T1", "5NTH", "axis"), ("86-10-I", "5NTH", "axis")])
def test_a_unit_that_enters_an_enemy_zone_stops(unit, enemy, side):
    assert refused(unit, "1313 1413 1414", f"{enemy}@1513", side=side) == ("must-stop", "6.1.B")
    game = walk(unit, "1313 1413", f"{enemy}@1513", side=side)
    game.send(side, move(unit, "1414"))  # nor may it go on in a second order
    assert (game.refusal(), game.at(unit)) == (("must-stop", "6.1.B"), "1413")


@pytest.mark.rule("race-for-tunis", "6.1.B")
def test_the_way_found_goes_round_enemy_zones_and_arrivals_stop_in_them():
    # 1313 to 1513 costs least by the dirt road from 1413; but T3 in 1414 commands 1413, and a unit would have to stop there.
    for others, way, mp in (("T3@0216", ["1313", "1413", "1513"], "3/2"), ("T3@1414", ["1313", "1412", "1513"], 2)):
        game = position(f"1ES@1313 {others}", side="allied")
        game.allied(move("1ES", to="1513"))
        assert (game.data("moved")["path"], game.data("moved")["cost"]) == (way, {"1ES": mp})
    game = position("5NTH@off 2LF@1320 T1@1224", side="allied")  # 1224 commands 1225, where it comes in
    game.allied(one("ENTER", "5NTH", hex="1225"))
    game.allied(move("5NTH", "1325"))
    assert (game.refusal(), game.at("5NTH")) == (("must-stop", "6.1.B"), "1225")


@pytest.mark.rule("race-for-tunis", "6.1.C-1", "6.1.C-2")
@pytest.mark.parametrize(("unit", "enemy", "side", "mp"), [("1ES", "T2", "allied", 3), ("T1", "5NTH", "axis", 2)])
def test_a_unit_that_begins_in_a_zone_may_step_into_another_and_stops_there(unit, enemy, side, mp):
    # 1413 and 1412 are both beside 1513.
    assert cost(unit, "1413 1412", f"{enemy}@1513", side=side) == mp
    assert refused(unit, "1413 1412 1312", f"{enemy}@1513", side=side) == ("must-stop", "6.1.B")


@pytest.mark.rule("race-for-tunis", "6.1.C-1")
def test_to_leave_a_zone_costs_nothing_and_does_not_stop():
    assert cost("T1", "1413 1313 1213", "5NTH@1513") == 2
