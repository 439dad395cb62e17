"""11.1 Movement, and the terrain table's movement column."""

import pytest

from services.rules.games.holdfast import movement
from tests.rules.holdfast.positions import DONE, move, order, position

FAR = "22GDS@3508"  # an Allied unit too far away to matter


def cost_and_allowance(game):
    data = game.data("moved")
    return data["cost"], data["allowance"]


@pytest.mark.rule("holdfast", "terrain.7", "11.1a", "11.1b", "cost.5", "11.1d")
def test_clear_hexes_cost_one_mp_each_and_the_activation_one_rp():
    game = position(f"21PZ@1009 {FAR}", rp=(5, 0))
    game.axis(move("21PZ", "1109 1209 1310"))
    assert game.at("21PZ") == "1310"
    assert cost_and_allowance(game) == (3, 8)
    assert game.data("rp_spent") == {"side": "axis", "k": 1, "why": "move"}
    assert game.rp() == 4


@pytest.mark.rule("holdfast", "terrain.11", "terrain.12")
@pytest.mark.parametrize(("unit", "cost"), [("90INF", 2), ("PAVIA", 2), ("21PZ", 3), ("ARIETE", 3)])
def test_rough_costs_infantry_two_and_armor_three(unit, cost):
    game = position(f"{unit}@1112 {FAR}")
    game.axis(move(unit, "1113"))
    assert game.data("moved")["cost"] == cost


@pytest.mark.rule("holdfast", "terrain.14", "terrain.16")
@pytest.mark.parametrize(("start", "to"), [("0806", "0805"), ("1303", "1203"), ("4007", "3907")])
def test_a_village_and_a_city_cost_one_off_the_road(start, to):
    game = position(f"PAVIA@{start} {FAR}")
    game.axis(move("PAVIA", to))
    assert game.data("moved")["cost"] == 1


@pytest.mark.rule("holdfast", "terrain.8", "11.1l", "terrain.9")
def test_a_road_step_costs_half_an_mp_whatever_the_ground():
    # 0210-0310-0409-0509-0608 are road; 0802 and 0902 are rough hexes of the Barce road.
    game = position(f"PAVIA@0210 21PZ@0802 {FAR}")
    game.axis(move("PAVIA", "0310"), move("21PZ", "0902 1001 1101"))
    assert [event.data["cost"] for event in game.events("moved")] == ["1/2", "3/2"]


@pytest.mark.rule("holdfast", "11.1l", "11.1m")
def test_road_hexes_that_no_road_joins_cost_their_ground_and_a_move_may_leave_the_road_and_come_back():
    # 0509-0608 is road (1/2), 0607 is clear (1), no road joins it to the road hex 0507 (1), 0507-0506 is road (1/2).
    game = position(f"21PZ@0509 {FAR}")
    game.axis(move("21PZ", "0608 0607 0507 0506"))
    assert game.data("moved")["cost"] == 3


@pytest.mark.rule("holdfast", "terrain.18", "14g")
@pytest.mark.parametrize(("path", "cost"), [("2406", 3), ("2406 2407", 6)])
def test_infantry_pays_two_more_for_an_escarpment_up_or_down(path, cost):
    start = "2407" if path == "2406" else "2307"
    game = position(f"90INF@{start} {FAR}")
    game.axis(move("90INF", path))
    if cost <= 5:
        assert game.data("moved")["cost"] == cost
    else:
        assert game.refusal() == ("too-far", "11.1e")
        assert game.last.rejections[0].details["cost"] == cost


@pytest.mark.rule("holdfast", "terrain.19", "14d")
def test_armor_cannot_cross_an_escarpment_and_finds_its_way_round():
    game = position(f"21PZ@2407 {FAR}")
    game.axis(move("21PZ", "2406"))
    assert game.refusal() == ("escarpment", "terrain.19")
    assert game.last.rejections[0].details == {"unit": "21PZ", "from": "2407", "to": "2406"}
    assert game.rp() == 12
    game.axis(move("21PZ", "2507 2407 2406", strategic=True))
    assert game.refusal() == ("escarpment", "terrain.19")
    assert game.last.rejections[0].details == {"unit": "21PZ", "from": "2407", "to": "2406"}
    game.axis(move("21PZ", to="2406"))
    assert game.data("moved")["path"] == ["2407", "2507", "2406"]
    tobruk = position(f"21PZ@1803 {FAR}")
    tobruk.axis(move("21PZ", "1804"))
    assert tobruk.refusal() == ("escarpment", "terrain.19")


@pytest.mark.rule("holdfast", "terrain.19")
def test_a_pass_lets_armor_through_along_its_road():
    game = position(f"21PZ@1804 {FAR}")
    game.axis(move("21PZ", "1704"))
    assert game.data("moved")["cost"] == "1/2"


@pytest.mark.rule("holdfast", "terrain.18")
def test_the_other_reading_of_an_escarpment_takes_the_dearer_cost():
    game = position(f"90INF@2407 {FAR}", escarpment_move="maximum")
    game.axis(move("90INF", "2406"))
    assert game.data("moved")["cost"] == 2


@pytest.mark.rule("holdfast", "terrain.5", "terrain.6", "zoc.5", "zoc.4")
def test_rough_in_enemy_zoc_costs_infantry_two_not_four():
    # 1113 is rough and next to 1212, where an Allied unit stands.
    game = position("PAVIA@1013 21PZ@1112 4IND@1212", rp=(12, 10))
    game.axis(move("PAVIA", "1113"))
    assert game.data("moved")["cost"] == 2
    game.axis(move("21PZ", "1012"))
    assert game.data("moved")["cost"] == 1  # out of the zone
    clear = position("PAVIA@1010 4IND@1210")
    clear.axis(move("PAVIA", "1111"))
    assert clear.data("moved")["cost"] == 2  # the zone is dearer than clear ground
    armor = position("21PZ@1013 4IND@1212")
    armor.axis(move("21PZ", "1113"))
    assert armor.data("moved")["cost"] == 3  # rough is dearer than the zone


@pytest.mark.rule("holdfast", "zoc.5", "zoc.6", "11.1g")
def test_each_hex_in_enemy_zoc_costs_two_and_none_stops_a_unit():
    # 1110 and 1111 lie next to 1210 (its neighbours: 1209 1310 1311 1211 1111 1110), 1112 does not.
    game = position("21PZ@1009 4IND@1210")
    game.axis(move("21PZ", "1110 1111 1112"))
    assert game.data("moved")["cost"] == 2 + 2 + 1
    assert game.at("21PZ") == "1112"


@pytest.mark.rule("holdfast", "zoc.5")
def test_a_road_hex_in_enemy_zoc_costs_two_and_an_escarpment_comes_on_top():
    road = position("90INF@0310 4IND@0510")
    road.axis(move("90INF", "0409"))
    assert road.data("moved")["cost"] == 2
    for enemy, cost in (("2506", 2 + 2), ("2505", 1 + 2)):  # 2406 lies next to 2506 and not to 2505; 2407 is over the escarpment
        scarp = position(f"90INF@2407 4IND@{enemy}")
        scarp.axis(move("90INF", "2406"))
        assert scarp.data("moved")["cost"] == cost


@pytest.mark.rule("holdfast", "11.1e", "11.1f")
def test_a_unit_cannot_spend_more_than_it_has_and_nothing_is_charged():
    game = position(f"PAVIA@1009 {FAR}")
    before = game.state
    game.axis(move("PAVIA", "1109 1209 1309 1409 1509"))
    assert game.refusal() == ("too-far", "11.1e")
    assert game.last.rejections[0].details == {
        "unit": "PAVIA",
        "cost": 5,
        "allowance": 4,
        "path": ["1109", "1209", "1309", "1409", "1509"],
    }
    assert game.state is before


@pytest.mark.rule("holdfast", "11.1d")
@pytest.mark.parametrize("path", ["1111", "1109 1309"])
def test_hexes_may_not_be_skipped(path):
    game = position(f"PAVIA@1009 {FAR}")
    game.axis(move("PAVIA", path))
    assert game.refusal() == ("not-adjacent", "11.1d")


@pytest.mark.rule("holdfast", "11a")
def test_a_unit_moves_once_in_a_player_turn():
    game = position(f"21PZ@1009 {FAR}")
    game.axis(move("21PZ", "1109"))
    game.axis(move("21PZ", "1209"))
    assert game.refusal() == ("moved-already", "11a")


@pytest.mark.rule("holdfast", "11.1h", "11.1i", "11.1j")
def test_friends_are_passed_through_and_not_stopped_on():
    game = position(f"21PZ@1009 PAVIA@1109 {FAR}")
    game.axis(move("21PZ", "1109"))
    assert game.refusal() == ("friend-there", "11.1j")
    game.axis(move("21PZ", "1109 1209"))
    assert game.at("21PZ") == "1209"


@pytest.mark.rule("holdfast", "11.1k")
def test_an_enemy_hex_cannot_be_entered_or_passed():
    game = position("21PZ@1009 4IND@1109")
    game.axis(move("21PZ", "1109"))
    assert game.refusal() == ("enemy-there", "11.1k")
    game.axis(move("21PZ", "1109 1209"))
    assert game.refusal() == ("enemy-there", "11.1k")
    game.axis(move("21PZ", to="1208"))
    assert "1109" not in game.data("moved")["path"]


@pytest.mark.rule("holdfast", "cost.5", "11c", "11.1b")
def test_without_rp_nobody_moves():
    game = position(f"21PZ@1009 PAVIA@0509 {FAR}", rp=(1, 10))
    game.axis(move("21PZ", "1109"), move("PAVIA", "0409"))
    assert game.refusal() == ("too-few-rp", "11.1b")


@pytest.mark.rule("holdfast", "malta.10")
def test_the_action_step_is_passed_over_without_a_unit_on_the_map():
    game = position(f"SAVENA@pool {FAR}", step="build")
    game.axis(DONE)
    assert game.place == "1 allied build"


@pytest.mark.rule("holdfast", "11.1g")
def test_to_via_and_by_road_take_the_cheapest_way_and_say_it():
    game = position(f"21PZ@0509 ARIETE@0210 PAVIA@1009 {FAR}")
    game.axis(move("21PZ", to="0505"))
    assert game.data("moved")["path"] == ["0509", "0508", "0507", "0506", "0505"]  # 1 and three halves
    assert game.data("moved")["cost"] == "5/2"
    game.axis(move("ARIETE", to="0609", road=True))
    assert game.refusal() == ("no-way", "11.1d")
    game.axis(move("ARIETE", to="0509", road=True))
    assert game.data("moved")["cost"] == "3/2"
    game.axis(move("PAVIA", to="1209", via=["1110"]))
    assert game.data("moved")["path"] == ["1009", "1110", "1209"]
    assert game.data("moved")["cost"] == 2


def test_a_way_that_is_too_long_is_refused_with_its_cost():
    game = position(f"PAVIA@1009 {FAR}")
    game.axis(move("PAVIA", to="1709"))
    assert game.last.rejections[0].details["cost"] == 7
    assert game.refusal() == ("too-far", "11.1e")


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (move("21PZ", to="1009"), "no-move"),
        (move("21PZ", to="9999"), "cannot-enter"),
        (move("21PZ", "1109 4040"), "cannot-enter"),
        (move("21PZ"), "malformed"),
        (move("4IND", "1109"), "not-yours"),
        (move("NOBODY", "1109"), "unknown-unit"),
        (move("15PZ", "1109"), "not-on-map"),
        (order("MOVE", units=["21PZ", "PAVIA"], path=["1109"]), "one-unit"),
        (order("MOVE", units=["21PZ"], path=["19"]), "malformed"),
        (order("MOVE", units=[], path=["1109"]), "one-unit"),
        (order("MOVE", units=["21PZ"], path=["1109"], speed=3), "malformed"),
    ],
)
def test_bad_moves_get_their_own_code(bad, code):
    game = position("21PZ@1009 PAVIA@0509 4IND@3508 15PZ@off3")
    before = game.state
    game.axis(bad)
    assert game.codes() == [code]
    assert game.state is before


@pytest.mark.rule("holdfast", "malta.10", "rp.6")
def test_the_action_step_closes_when_no_rp_are_left():
    game = position("21PZ@1009 PAVIA@0509 4IND@3508", rp=(1, 10))
    game.axis(move("21PZ", "1109"))
    assert game.place == "1 allied build"


@pytest.mark.rule("holdfast", "control.2")
def test_a_city_passed_through_changes_hands_at_once():
    game = position(f"21PZ@1704 {FAR}", cities="0210")
    game.axis(move("21PZ", "1803 1904"))
    assert game.data("control_changed") == {"hex": "1803", "name": "Tobruk", "side": "axis"}
    assert game.state.own["control"]["1803"] == "axis"
    back = position(f"21PZ@1704 {FAR}", cities="0210 1803")
    back.axis(move("21PZ", "1803 1904"))
    assert back.events("control_changed") == []


@pytest.mark.rule("holdfast", "control.2", "11.1d", "11.1g", "11.1j")
@pytest.mark.parametrize("way", [{"path": "1803 1704"}, {"to": "1704", "via": ["1803"]}])
def test_a_unit_may_go_out_to_take_a_city_and_come_back_to_its_own_hex(way):
    for told in (True, False):
        game = position(f"21PZ@1704 {FAR}", cities="0210", ezoc_public=told)
        game.axis(move("21PZ", **way))
        assert (game.at("21PZ"), game.state.own["control"]["1803"], game.rp()) == ("1704", "axis", 11)
        assert game.data("moved")["cost"] == 1
        game.axis(move("21PZ", "1603"))
        assert game.codes() == ["moved-already"]
    crowd = position(f"21PZ@0210 PAVIA@0210 {FAR}")
    crowd.axis(move("21PZ", "0310 0210"))
    assert crowd.refusal() == ("friend-there", "11.1j")
    crowd.axis(move("21PZ", to="0210", via=["0210"]))
    assert crowd.refusal() == ("no-move", "11.1a")
    crowd.axis(move("21PZ", "0210"))
    assert crowd.refusal() == ("no-move", "11.1a")


def test_zones_that_are_not_told_are_found_out_by_moving():
    game = position("21PZ@1009 4IND@1210", ezoc_public=False)
    assert game.view("axis")["own"]["ezoc"] == []
    game.axis(move("21PZ", "1110 1111 1112 1113 1213"))  # as known: 1+1+1+3+3 = 9, too far for 8
    assert game.refusal() == ("too-far", "11.1e")
    game.axis(move("21PZ", "1110 1111 1112 1113 1013"), DONE)  # 1+1+1+3+3 as known
    assert game.refusal() == ("too-far", "11.1e")
    game.axis(move("21PZ", "1110 1111 1112 1113"))  # known 6; in truth 2+2+1+3 = 8
    assert cost_and_allowance(game) == (8, 8)
    short = position("ARIETE@1009 4IND@1210", ezoc_public=False)
    short.axis(move("ARIETE", "1110 1111 1112 1113"))  # known 6 of 6; in truth it ends at 1112 for 5
    assert short.at("ARIETE") == "1112"
    assert cost_and_allowance(short) == (5, 6)
    assert short.rp() == 11
    for friends, end, cost in (("", "1110", 4), ("TRENTA@1110", "1109", 2), ("TRENTA@1110 SAVENA@1109", "1108", 1)):
        crowded = position(f"PAVIA@1107 {friends} 4IND@1210", ezoc_public=False)
        crowded.axis(move("PAVIA", "1108 1109 1110 1111"))  # known 4 of 4; in truth 1+1+2+2, and nobody stops on a friend
        assert (crowded.at("PAVIA"), cost_and_allowance(crowded)) == (end, (cost, 4))
    stuck = position("90INF@2407 4IND@2506 22GDS@0310", weather="poor", ezoc_public=False)
    stuck.axis(move("90INF", "2406"))  # out of supply 5-1-1; over the escarpment known 3, in truth 4
    assert (stuck.at("90INF"), cost_and_allowance(stuck), stuck.rp()) == ("2407", (0, 3), 11)
    stuck.axis(move("90INF", "2408"))
    assert stuck.codes() == ["moved-already"]


@pytest.mark.rule("holdfast", "mvex.1", "11.1m", "11.1o")
def test_the_three_moves_of_the_movement_example():
    # The diagram has no numbers; these are ours. Strategic along the road, into an enemy zone, off the road and back to it.
    game = position("21PZ@0210 PAVIA@0908 ARIETE@0509 4IND@1109 22GDS@3508")
    game.axis(move("21PZ", to="0504", road=True, strategic=True), move("PAVIA", "1008"), move("ARIETE", "0508 0507 0607 0606 0506"))
    costs = [(event.data["units"], event.data["cost"]) for event in game.events("moved")]
    # 9 road hexes; one hex next to 4IND; clear 0508 by no road 1, road 1/2, clear 1, clear 1, back to the road 1.
    assert costs == [(["21PZ"], "9/2"), (["PAVIA"], 2), (["ARIETE"], "9/2")]


def test_reach_lists_the_hexes_in_which_a_unit_may_end():
    game = position("PAVIA@1009 21PZ@1109 4IND@3508")
    found = movement.reach(game.table, movement.activate(game.table, "PAVIA", False, False))
    assert len(found) == 60 - 3  # all within four hexes, but the friend's and the rough 1013 and 1113, which cost 5
    assert found.keys() >= {(10, 5), (14, 9)}
