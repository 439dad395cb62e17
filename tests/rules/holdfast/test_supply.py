"""12. Supply, with zones of control."""

import pytest

from services.rules.games.holdfast import supply
from services.rules.games.holdfast.zoc import enemy_zoc
from tests.rules.holdfast.positions import DONE, move, order, position

FAR = "22GDS@3508"
WALL = "4IND@1102 22GDS@1105 9AUS@1108 7AUS@1111 FF@1114"


def supplied(game, unit):
    return supply.in_supply(game.table, unit)


def zone(game, side):
    return sorted(str(at) for at in enemy_zoc(game.table, side))


@pytest.mark.rule("holdfast", "zoc.1")
def test_a_unit_controls_the_six_hexes_around_it():
    game = position("PAVIA@1009 4IND@1209")
    assert zone(game, "axis") == ["1109", "1110", "1208", "1210", "1309", "1310"]
    assert zone(game, "allied") == ["0909", "0910", "1008", "1010", "1109", "1110"]


@pytest.mark.rule("holdfast", "zoc.2", "zoc.3", "14f", "14g")
def test_armor_zoc_stops_at_an_escarpment_but_for_a_pass_and_infantry_zoc_does_not():
    # 1804 looks down on Tobruk 1803 and 1904 over the escarpment, and on Acroma 1704 by the pass.
    assert zone(position("21PZ@0210 7ARM@1804"), "axis") == ["1704", "1705", "1805", "1905"]
    assert zone(position("21PZ@0210 4IND@1804"), "axis") == ["1704", "1705", "1803", "1805", "1904", "1905"]


@pytest.mark.rule("holdfast", "12a", "14j")
@pytest.mark.parametrize(("at", "good"), [("1209", True), ("1310", True), ("1409", False), ("1410", False)])
def test_at_most_seven_hexes_lead_to_the_road(at, good):
    # The road runs through 0608: distance from 0608 is 6 for 1209, 7 for 1310, 8 for 1409.
    # Allied units cut the northern road (Derna, Gazala), which would be nearer.
    game = position(f"PAVIA@{at} {FAR} 2ARM@0703 7ARM@0504")
    assert supplied(game, "PAVIA") == good


@pytest.mark.rule("holdfast", "12a")
def test_a_unit_on_the_road_has_a_line_of_no_hexes():
    game = position(f"PAVIA@0608 21PZ@0709 {FAR}")
    assert supply.line_of(game.table, "PAVIA") == ()
    assert len(supply.line_of(game.table, "21PZ")) == 1


@pytest.mark.rule("holdfast", "12b", "12f", "12h", "12i")
def test_a_line_passes_no_enemy_zoc_unless_a_friend_stands_there_and_a_friendly_zoc_does_not_help():
    # The wall's zones fill column 11 from the coast to the south edge; 1109 lies next to 1108.
    assert not supplied(position(f"PAVIA@1209 {WALL}"), "PAVIA")
    assert supplied(position(f"PAVIA@1209 TRENTA@1109 {WALL}"), "PAVIA")
    assert not supplied(position(f"PAVIA@1209 TRENTA@1009 {WALL}"), "PAVIA")
    assert not supplied(position(f"PAVIA@1209 2SA@1109 {WALL}"), "PAVIA")


@pytest.mark.rule("holdfast", "12c", "12d")
def test_terrain_and_escarpments_do_not_hinder_a_line_even_for_armor():
    # 0604 has escarpment sides to the three road hexes 0603, 0504 and 0505 next to it, and no other road hex.
    game = position(f"21PZ@0604 {FAR}")
    assert len(supply.line_of(game.table, "21PZ")) == 1


@pytest.mark.rule("holdfast", "12e", "12f", "12g")
def test_the_road_must_be_unbroken_to_the_source():
    assert supplied(position(f"PAVIA@0506 {FAR}"), "PAVIA")
    assert not supplied(position("PAVIA@1503 4IND@0409 2ARM@1105"), "PAVIA")  # a unit on the road far behind
    assert not supplied(position("PAVIA@1503 4IND@0510 2ARM@1105"), "PAVIA")  # its zone alone
    assert supplied(position("PAVIA@1503 4IND@0510 TRENTA@0409 SAVENA@0509 2ARM@1105"), "PAVIA")  # friends stand in the zone
    friends = "PAVIA@1503 TRENTA@0310 SAVENA@0509 2ARM@1105"  # they cancel the zone on both sides of the enemy unit, not the unit
    assert supplied(position(friends), "PAVIA")
    assert not supplied(position(f"{friends} 4IND@0409"), "PAVIA")
    assert supplied(position("4IND@2605 21PZ@1009", side="allied"), "4IND")
    assert not supplied(position("4IND@2605 21PZ@3608", side="allied"), "4IND")


@pytest.mark.rule("holdfast", "12e", "12u", "12g")
def test_the_source_must_be_free_itself_and_who_controls_it_does_not_matter():
    assert supplied(position(f"PAVIA@0506 {FAR}", cities=""), "PAVIA")
    assert not supplied(position("PAVIA@0506 4IND@0210 22GDS@0806", cities="0210"), "PAVIA")
    assert not supplied(position("PAVIA@0506 4IND@0111 22GDS@0806", cities="0210"), "PAVIA")


@pytest.mark.rule("holdfast", "12n", "12o", "12p", "12s")
def test_bardia_benghazi_and_tobruk_supply_both_sides_and_the_entry_cities_their_own():
    for at in ("2204", "0504", "1803"):
        assert supplied(position(f"15PZ@{at} 4IND@0210 22GDS@0511"), "15PZ")
        assert supplied(position(f"4IND@{at} 15PZ@3907 21PZ@3608", side="allied"), "4IND")
    assert supplied(position("4IND@3907 15PZ@3807", side="allied"), "4IND")
    assert not supplied(position("4IND@0210 21PZ@1803", side="allied"), "4IND")
    assert supplied(position("PAVIA@0210 4IND@0310"), "PAVIA")
    assert not supplied(position("PAVIA@3907 4IND@1803"), "PAVIA")


@pytest.mark.rule("holdfast", "12q", "zoc.4")
def test_armor_above_the_pass_at_acroma_cuts_the_coast_road():
    units = "PAVIA@2405 7ARM@1804 22GDS@3508"
    assert not supplied(position(units), "PAVIA")
    assert supplied(position("PAVIA@2405 7ARM@1806 22GDS@3508"), "PAVIA")  # the zone does not reach the road
    game = position(units)
    game.axis(order("DONE", confirm=True))
    assert game.at("PAVIA") == "box:pool-axis"


@pytest.mark.rule("holdfast", "12r", "12h")
def test_a_chain_of_friends_carries_supply_through_enemy_zoc_and_breaks_without_one_of_them():
    # 1209 lies in the zone of 7ARM at 1310, 1109 in that of 9AUS at 1108; by them it is seven hexes to the road at 0608.
    full = f"CENTOR@1309 LITTORIO@1209 PAVIA@1109 7ARM@1310 {WALL}"
    assert supplied(position(full), "CENTOR")
    for gone in ("LITTORIO@1209 ", "PAVIA@1109 "):
        assert not supplied(position(full.replace(gone, "")), "CENTOR")


@pytest.mark.rule("holdfast", "12l", "12m", "12t", "seq.8")
def test_units_out_of_supply_at_the_end_of_their_own_turn_go_to_the_pool():
    game = position(f"PAVIA@1712 90INF@1009 {FAR}")
    game.axis(DONE)
    assert game.refusal() == ("out-of-supply-at-end", "12m")  # it would surely be lost: CONFIRM
    game.axis(order("DONE", confirm=True))
    assert game.at("PAVIA") == "box:pool-axis"
    assert game.sp("PAVIA") == 0
    assert game.at("90INF") == "1009"
    assert game.data("eliminated") == {"unit": "PAVIA", "alias": "G1", "hex": "1712", "cause": "supply", "to": "box:pool-axis"}
    assert game.seen("allied", "supply_lost") == [{"unit": "PAVIA", "alias": "G1", "hex": "1712"}]


@pytest.mark.rule("holdfast", "12l", "seq.11")
def test_only_the_owner_of_the_turn_is_checked_and_all_are_found_before_any_goes():
    # CENTOR's chain runs through PAVIA, which is itself cut off: both are lost together, the Allied one cut off is not.
    game = position("CENTOR@1712 PAVIA@1711 4IND@1502 22GDS@3508 2SA:1@1512", side="axis")
    game.axis(order("DONE", confirm=True))
    assert [e.data["unit"] for e in game.events("supply_lost")] == ["PAVIA", "CENTOR"]
    assert game.at("2SA") == "1512"
    game.allied(order("DONE"), order("DONE", confirm=True), dice=[1, 1])
    assert game.at("2SA") == "box:pool-allied"


@pytest.mark.rule("holdfast", "11i", "12j", "12k")
def test_supply_is_tried_anew_at_each_activation():
    # The road is cut at 0409 by 4IND's zone until TRENTA stands there.
    game = position("PAVIA@0506 TRENTA@0210 4IND@0510 2ARM@0806")
    assert not supplied(game, "PAVIA")
    game.axis(move("TRENTA", "0310 0409"))
    assert not supplied(game, "PAVIA")  # 0509 is in the zone as well
    open_ = position("PAVIA@0506 TRENTA@0210 SAVENA@0509 4IND@0510 2ARM@0806")
    open_.axis(move("TRENTA", "0310 0409"))
    assert supplied(open_, "PAVIA")
