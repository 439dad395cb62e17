"""11.1 Movement: strategic movement, leaders, and what weather and lack of supply take away."""

import pytest

from tests.rules.holdfast.positions import move, position

FAR = "22GDS@3508"  # an Allied unit too far away to matter


def cost_and_allowance(game):
    data = game.data("moved")
    return data["cost"], data["allowance"]


@pytest.mark.rule("holdfast", "11.1n", "11.1q", "11.1o")
def test_strategic_movement_doubles_mp():
    game = position(f"21PZ@1009 {FAR}")
    game.axis(move("21PZ", to="2509", strategic=True))
    assert cost_and_allowance(game) == (15, 16)
    assert game.data("moved")["mode"] == ["strategic"]


ROAD_EAST = """0310 0409 0509 0608 0508 0507 0506 0505 0504 0603 0703 0802 0902 1001 1101 1201 1302 1401 1402 1503 1603 1704 1803
1904 2004 2104 2204 2205 2306 2405 2505 2605 2706 2806 2906 3006 3107 3207"""
HEXES = ROAD_EAST.split()  # the coast road from El Agheila


@pytest.mark.rule("holdfast", "11.1r", "11.1q")
def test_sixteen_mp_by_road_make_thirty_two_hexes():
    game = position("21PZ@0210 4IND@3508")
    game.axis(move("21PZ", " ".join(HEXES[:33]), strategic=True))
    assert game.refusal() == ("too-far", "11.1e")
    game.axis(move("21PZ", " ".join(HEXES[:32]), strategic=True))
    assert cost_and_allowance(game) == (16, 16)
    assert game.at("21PZ") == "2605"


@pytest.mark.rule("holdfast", "11.1s", "11.1p", "11.1o")
@pytest.mark.parametrize(("reading", "most"), [(34, 34), (36, 36)])
def test_with_the_leader_thirty_four_road_hexes_or_by_option_thirty_six(reading, most):
    for hexes in (most, most + 1):
        game = position("21PZ@0210 4IND@3808", leaders="ROMMEL", leader_strategic_road=reading)
        game.axis(move("21PZ", " ".join(HEXES[:hexes]), strategic=True, leader=True))
        assert (game.last.status == "done") == (hexes == most)


@pytest.mark.rule("holdfast", "11.1s")
def test_the_leader_falls_short_by_road_and_the_refusal_says_so():
    # 35 road hexes cost 17 and a half of 18 MP, and the leader's two buy two of them only: 34.
    game = position("21PZ@0310 4IND@3808", leaders="ROMMEL")
    game.axis(move("21PZ", " ".join(HEXES[1:36]), strategic=True, leader=True))
    assert game.refusal() == ("too-far", "11.1s")
    assert (game.last.rejections[0].details["cost"], game.last.rejections[0].details["allowance"]) == ("35/2", 17)
    # By Capuzzo it is one hex less, and by the short cut 0509-0508 one MP of clear ground stands for two road hexes.
    game.axis(move("21PZ", to="3107", road=True, strategic=True, leader=True))
    assert game.refusal() == ("too-far", "11.1s")
    game.axis(move("21PZ", to="3107", strategic=True, leader=True))
    assert (game.data("moved")["cost"], len(game.data("moved")["path"]) - 1) == ("35/2", 34)


@pytest.mark.rule("holdfast", "11.1p")
def test_leader_mp_in_strategic_movement_pay_other_ground_in_full():
    # 18 MP of clear ground: 16 and the leader's 2.
    east = [f"{col:02d}{row:02d}" for col, row in ((c, 9) for c in range(11, 29))]
    game = position("21PZ@1009 4IND@3808", leaders="ROMMEL")
    game.axis(move("21PZ", " ".join(east), strategic=True, leader=True))
    assert game.last.status == "done"
    assert cost_and_allowance(game) == (18, 18)


@pytest.mark.rule("holdfast", "11.1s", "11.1o")
@pytest.mark.parametrize(("start", "clear", "road"), [("0411", ["0410", "0409"], 32), ("0410", ["0409"], 33), ("0409", [], 34)])
def test_leader_mp_spent_off_the_road_buy_no_road_hexes_as_well(start, clear, road):
    # 2 + 32/2 = 18; 1 + 33/2 = 17 and a half: one leader MP for the clear hex, one for a road hex; 34/2 = 17 and both for road hexes.
    for more in (0, 1):
        game = position(f"21PZ@{start} 4IND@3907", leaders="ROMMEL")
        game.axis(move("21PZ", " ".join([*clear, *HEXES[2 : 2 + road + more]]), strategic=True, leader=True))
        assert (game.last.status == "done") == (more == 0)


@pytest.mark.rule("holdfast", "11.1n")
def test_strategic_movement_keeps_out_of_enemy_zoc_at_start_way_and_end():
    start = position("21PZ@1109 4IND@1210")
    start.axis(move("21PZ", "1008", strategic=True))
    assert start.last.status == "done"  # 1109 is two hexes from 1210
    for unit_at, path in (("1110", "1009"), ("1009", "1110 1010"), ("1009", "1110")):
        game = position(f"21PZ@{unit_at} 4IND@1210")
        game.axis(move("21PZ", path, strategic=True))
        assert game.refusal() == ("strategic-in-ezoc", "11.1n")


@pytest.mark.rule("holdfast", "11.1n", "11d", "11e", "11.1c", "12j")
def test_a_unit_out_of_supply_moves_less_and_not_strategically():
    # Far in the south-east, more than seven hexes from any road.
    for unit, full in (("90INF", 5), ("21PZ", 8), ("PAVIA", 4), ("ARIETE", 6)):
        lost = 2 if unit in ("21PZ", "ARIETE") else 1
        game = position(f"{unit}@1712 {FAR}")
        game.axis(move(unit, to="1812", strategic=True))
        assert game.refusal() == ("strategic-out-of-supply", "11.1n")
        game.axis(move(unit, "1812"))
        assert cost_and_allowance(game) == (1, full - lost)


@pytest.mark.rule("holdfast", "weather.6", "weather.7", "11f")
@pytest.mark.parametrize(
    ("unit", "at", "allowance"),
    [("90INF", "1009", 4), ("21PZ", "1009", 6), ("90INF", "1712", 3), ("21PZ", "1712", 4), ("ARIETE", "1712", 2)],
)
def test_poor_weather_and_lack_of_supply_both_count(unit, at, allowance):
    game = position(f"{unit}@{at} {FAR}", weather="poor")
    to = f"{int(at[:2]) + 1}{at[2:]}"
    game.axis(move(unit, to))
    assert cost_and_allowance(game) == (1, allowance)


@pytest.mark.rule("holdfast", "weather.5", "11c")
def test_clear_weather_leaves_a_supplied_unit_its_full_mp():
    game = position(f"90INF@1009 {FAR}")
    game.axis(move("90INF", "1109 1209 1309 1409 1509"))
    assert cost_and_allowance(game) == (5, 5)


@pytest.mark.rule("holdfast", "leader.3", "11.1t", "11.1u", "11.1v")
def test_the_leader_adds_two_mp_to_one_unit_even_out_of_supply():
    game = position(f"21PZ@1712 ARIETE@1009 {FAR}", leaders="ROMMEL")
    game.axis(move("21PZ", "1812", leader=True))
    assert cost_and_allowance(game) == (1, 8 - 2 + 2)
    assert game.seen("allied", "moved")[0]["mode"] == ["leader"]
    game.axis(move("ARIETE", "1109", leader=True))
    assert game.refusal() == ("no-leader", "11.1t")
    none = position(f"ARIETE@1009 {FAR}")
    none.axis(move("ARIETE", "1109", leader=True))
    assert none.refusal() == ("no-leader", "11.1t")


@pytest.mark.rule("holdfast", "11.1p", "weather.7")
def test_weather_is_taken_before_doubling_and_the_leader_after():
    game = position(f"21PZ@1009 {FAR}", weather="poor", leaders="ROMMEL")
    game.axis(move("21PZ", "1109", strategic=True, leader=True))
    assert game.data("moved")["allowance"] == (8 - 2) * 2 + 2
