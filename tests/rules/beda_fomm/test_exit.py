"""4.1 Leaving the map over the south edge. The road leaves in 1740; 2040 is clear, like 2036 to 2039 above it."""

import pytest

from tests.rules.beda_fomm.positions import Game, move, one, position

FAR = "2RB-D@3310"


def leaving(units: str, *lines, **more) -> Game:
    game = position(f"{units} {FAR}", **more)
    game.italian(*lines)
    return game


@pytest.mark.rule("beda-fomm", "4.0b", "4.0c")
def test_only_italians_leave_and_only_over_the_south_edge():
    game = position("2RB-A@1740 T-1@1301", side="british")
    game.british(one("EXIT", "2RB-A"))
    assert game.refusal() == ("only-italians-leave", "4.0c")
    assert leaving("T-1@1740", one("EXIT", "T-1")).own("vp") == 2
    for where in ("1739", "0901", "3339", "2001"):
        assert leaving(f"BAB-6-1@{where}", one("EXIT", "BAB-6-1")).refusal() == ("not-at-the-exit", "4.0c")
    assert leaving("BAB-6-1@off9 BAB-6-2@2040", one("EXIT", "BAB-6-1")).refusal() == ("not-on-map", "9.0a")


@pytest.mark.rule("beda-fomm", "4.1d", "4.1e", "4.0d")
@pytest.mark.parametrize(
    ("unit", "points"),
    [("T-1", 2), ("BER-SIR", 2), ("COL-ART", 2), ("COL-AT", 1), ("BAB-MC", 1), ("BAB-6-1", 1)],  # battalions; companies, a group
)
def test_a_battalion_scores_two_and_any_smaller_unit_one(unit, points):
    game = leaving(f"{unit}@1740", one("EXIT", unit), own={"vp": 3})
    assert (game.own("vp"), game.at(unit)) == (3 + points, "box:exited")
    event = game.data("exited")
    assert (event["points"], event["vp"]) == (points, 3 + points)


@pytest.mark.rule("beda-fomm", "4.1a")
def test_to_leave_costs_what_the_hex_costs():
    # Tanks: 4 MP of which three for 2038 2039 2040, and one to leave.
    assert leaving("BAB-6-1@2037", move("BAB-6-1", "2038 2039 2040"), one("EXIT", "BAB-6-1")).at("BAB-6-1") == "box:exited"
    game = leaving("BAB-6-1@2036", move("BAB-6-1", "2037 2038 2039 2040"), one("EXIT", "BAB-6-1"))
    assert game.refusal() == ("too-far-to-leave", "4.1a")
    assert game.last.rejections[0].details == {"unit": "BAB-6-1", "hex": "2040", "cost": 5, "allowance": 4}
    # Infantry: 6 MP, two a hex.
    assert leaving("PIA-PARA@2038", move("PIA-PARA", "2039 2040"), one("EXIT", "PIA-PARA")).at("PIA-PARA") == "box:exited"
    game = leaving("PIA-PARA@2037", move("PIA-PARA", "2038 2039 2040"), one("EXIT", "PIA-PARA"))
    assert game.refusal() == ("too-far-to-leave", "4.1a")


@pytest.mark.rule("beda-fomm", "4.1b")
def test_where_the_road_leaves_half_an_mp_is_enough_and_weapons_and_transport_leave_there_alone():
    road = [f"17{row}" for row in range(24, 41)]
    game = leaving("T-1@1725", move("T-1", " ".join(road[2:])), one("EXIT", "T-1"))  # 7 1/2 and 1/2 of 8 MP
    assert game.at("T-1") == "box:exited"
    game = leaving("T-1@1724", move("T-1", " ".join(road[1:])), one("EXIT", "T-1"))
    assert game.refusal() == ("too-far-to-leave", "4.1a")
    for unit in ("T-1", "COL-AT"):
        assert leaving(f"{unit}@1640", one("EXIT", unit)).refusal() == ("no-road-out", "4.1b")


@pytest.mark.rule("beda-fomm", "4.1a")
def test_leaving_is_a_step_and_the_rest_of_bf_r24():
    enemy = "2RB-A@1839"  # next to 1740
    game = position(f"BAB-MC@1738 {enemy}")
    game.italian(move("BAB-MC", "1739 1740"), one("EXIT", "BAB-MC"))
    assert game.codes()[0] == "must-stop"  # at 1739, which is next to 1839 too
    game = position("BAB-MC@1739 2RB-A@1840")
    game.italian(move("BAB-MC", "1740"), one("EXIT", "BAB-MC"))
    assert game.refusal() == ("must-stop", "5.32a")
    game = position(f"T-1@1740 {enemy}")
    game.italian(one("EXIT", "T-1"))  # it began there
    assert game.at("T-1") == "box:exited"
    fire = {"1740": {"side": "british", "factors": 9, "guns": ["C-4RHA"]}}
    assert leaving("T-1@1740 C-4RHA@3310", one("EXIT", "T-1"), own={"interdicted": fire}).at("T-1") == "box:exited"  # BF-R23
    assert leaving("T-1@1740", one("EXIT", "T-1"), turn=7).at("T-1") == "box:exited"  # in the dark
    game = leaving("T-1@1740 T-2@1720", one("EXIT", "T-1"), move("T-1", "1739"))
    assert game.refusal() == ("not-on-map", "9.0a")  # never to return
    assert leaving("T-1@1740", one("EXIT", "T-1")).morale("BER") == 6


@pytest.mark.rule("beda-fomm", "9.0g", "4.1a")
def test_units_that_came_to_the_edge_in_one_stack_leave_one_after_the_other():
    game = leaving("BAB-6-1@2038 BAB-6-2@2038", move("BAB-6-1 BAB-6-2", "2039 2040"), one("EXIT", "BAB-6-1"), one("EXIT", "BAB-6-2"))
    assert (game.last.status, game.own("vp")) == ("done", 2)
    game = leaving("BAB-6-1@2039 BAB-6-2@2039", move("BAB-6-1", "2040"), move("BAB-6-2", "2040"), one("EXIT", "BAB-6-1"))
    assert game.refusal() == ("moved-already", "9.0h")


@pytest.mark.rule("beda-fomm", "4.3c")
def test_the_eleventh_point_ends_the_game_in_the_middle_of_the_phase():
    game = leaving("T-1@1740 T-2@1720", one("EXIT", "T-1"), move("T-2", "1721"), own={"vp": 9})
    assert (game.state.over.winner, game.state.over.level, game.state.over.why) == ("italian", "decisive", "4.3c")
    assert game.at("T-2") == "1720"
    game = leaving("BAB-6-1@1740 T-2@1720", one("EXIT", "BAB-6-1"), own={"vp": 9})
    assert (game.own("vp"), game.state.over) == (10, None)
