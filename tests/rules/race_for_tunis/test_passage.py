"""11.3 German recon, panzers and panzergrenadiers pass through the zones of US and French infantry.

From 1512 by 1412 and 1413 to 1414 all is clear; a unit in 1313 commands 1412 and 1413."""

import pytest

from tests.rules.race_for_tunis.positions import move, order, position
from tests.rules.race_for_tunis.walking import cost, refused

WAY = "1512 1412 1413 1414"
STOPS = ("must-stop", "6.1.B")


@pytest.mark.rule("race-for-tunis", "11.3.D-EX", "11.3.B-1")
def test_round_djebel_mansour():
    # French infantry on 1813. The wadi 1811 costs 2; 1812, 1713 and 1714 a point for the clear hex and a point for the zone each.
    way = ["1711", "1811", "1812", "1713", "1714"]
    assert [cost("69-10-I", " ".join(way[:n]), "7MR-I@1813") for n in (2, 3, 4, 5)] == [2, 4, 6, 8]
    assert refused("69-10-I", " ".join([*way, "1715"]), "7MR-I@1813") == ("too-far", "6.0.C-2")  # 8 is all it has


@pytest.mark.rule("race-for-tunis", "11.3.A-1", "11.3.A-2", "11.3.B-1")
@pytest.mark.parametrize("unit", ["190AC", "1-190AC", "190PZ", "1-7-10", "1-501", "86-10-II"])
@pytest.mark.parametrize("enemy", ["7MR-I", "18-1-II"])
def test_they_go_on_through_each_zone_of_us_and_french_infantry(unit, enemy):
    assert cost(unit, WAY) == 3
    assert cost(unit, WAY, f"{enemy}@1313") == 5


@pytest.mark.rule("race-for-tunis", "11.3.A-1")
@pytest.mark.parametrize("unit", ["T1", "5-I", "10KS", "756-I", "49ENG", "90AT", "557AG", "10B-16", "CNT-I", "IT-MC"])
def test_other_germans_and_italians_stop(unit):
    assert refused(unit, "1512 1412 1413", "7MR-I@1313") == STOPS


@pytest.mark.rule("race-for-tunis", "11.3.A-1")
def test_allied_armor_and_recon_stop():
    assert refused("56REC", "1512 1412 1413", "T2@1313", side="allied") == STOPS
    assert refused("13-1A-I", "1512 1412 1413", "92-I@1313", side="allied") == STOPS


@pytest.mark.rule("race-for-tunis", "11.3.A-3")
@pytest.mark.parametrize("enemy", ["4CA", "62AF", "6-1A-I", "13-1A-I", "601TD", "27FA"])
def test_the_zone_of_another_us_or_french_unit_stops_them(enemy):
    assert refused("69-10-I", WAY, f"{enemy}@1313") == STOPS
    assert refused("69-10-I", WAY, f"{enemy}@1313 7MR-I@1313") == STOPS  # with infantry beside it


@pytest.mark.rule("race-for-tunis", "11.3.A-4")
@pytest.mark.parametrize("enemy", ["5NTH", "56REC", "2-PARA", "1CDO", "17-21L"])
def test_the_zone_of_any_british_unit_stops_them(enemy):
    assert refused("69-10-I", WAY, f"{enemy}@1313") == STOPS
    assert refused("69-10-I", WAY, f"{enemy}@1313 18-1-II@1313") == STOPS


@pytest.mark.rule("race-for-tunis", "11.3.A-2", "11.3.A-4")
def test_they_go_on_until_the_first_zone_that_is_not_such_a_one():
    # 5NTH in 1314 commands 1413 too, and 1414.
    assert cost("69-10-I", "1512 1412 1413", "7MR-I@1313 5NTH@1314") == 4
    assert refused("69-10-I", WAY, "7MR-I@1313 5NTH@1314") == STOPS


@pytest.mark.rule("race-for-tunis", "11.3.B-2")
def test_a_zone_is_paid_for_each_time_that_it_is_entered():
    assert cost("69-10-I", f"{WAY} 1413", "7MR-I@1313") == 7  # 2, 2, 1 out of it, 2 back
    assert cost("69-10-I", "1412 1413 1414", "7MR-I@1313") == 3  # it began in one, which costs nothing


@pytest.mark.rule("race-for-tunis", "11.3.A-2")
def test_they_may_pass_in_two_orders_and_the_umpire_finds_the_way():
    game = position("69-10-I@1512 7MR-I@1313")
    game.axis(move("69-10-I", "1412"), move("69-10-I", "1413 1414"))
    assert (game.at("69-10-I"), game.state.counters["69-10-I"].num["spent"]) == ("1414", 5)
    game = position("69-10-I@1412 7MR-I@1313")
    game.axis(move("69-10-I", to="1414"), order("DONE", turn=True))
    assert game.at("69-10-I") == "1414"
