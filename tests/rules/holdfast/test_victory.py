"""13. Victory, set-up in play, and the end of the game."""

import pytest

from tests.rules.holdfast.positions import DONE, campaign, move, order, position

AXIS_3, AXIS_4, AXIS_5 = "0210 0504 1803", "0210 0504 1803 2204", "0210 0504 1803 2204 3907"


@pytest.mark.rule("holdfast", "13a", "13b", "13c", "seq.2", "15b")
@pytest.mark.parametrize(
    ("cities", "winner", "level"),
    [
        ("0210", "allied", "decisive"),
        ("0210 0504", "allied", "marginal"),
        (AXIS_3, "axis", "marginal"),
        (AXIS_4, "axis", "decisive"),
    ],
)
def test_after_december_1942_the_cities_are_counted(cities, winner, level):
    game = position("21PZ@0210 22GDS@3508", side="allied", turn=22, cities=cities)
    game.allied(DONE)
    assert (game.state.over.winner, game.state.over.level) == (winner, level)
    assert game.data("ended")["level"] == level
    game.axis(DONE)
    assert game.codes() == ["game-over"]


@pytest.mark.rule("holdfast", "seq.1", "seq.2")
def test_before_december_1942_the_marker_moves_on():
    game = position("21PZ@0210 22GDS@3508", side="allied", turn=21, cities=AXIS_3)
    game.allied(DONE, dice=[1, 1])
    assert game.state.over is None
    assert game.state.own["month"] == "1942-12"


@pytest.mark.rule("holdfast", "13d", "seq.3")
def test_all_five_cities_at_the_end_of_ones_own_turn_win_at_once():
    game = position("21PZ@3808 22GDS@0511", cities=AXIS_4)
    game.axis(move("21PZ", "3807 3907"))
    assert game.state.over is None  # not before the end of the turn
    over = game.axis(DONE).state.over
    assert (over.winner, over.level) == ("axis", "automatic")


@pytest.mark.rule("holdfast", "13d")
def test_five_cities_held_by_the_other_side_do_not_end_a_turn():
    game = position("21PZ@0310 22GDS@3508", cities="")
    game.axis(DONE)
    assert game.state.over is None
    over = game.allied(DONE, DONE).state.over
    assert (over.winner, over.level) == ("allied", "automatic")


@pytest.mark.rule("holdfast", "control.2")
def test_control_stays_when_the_unit_leaves():
    game = position("21PZ@1704 22GDS@3508", cities="0210")
    game.axis(move("21PZ", "1803 1904"), DONE)
    assert game.state.own["control"]["1803"] == "axis"


def test_concession_ends_the_game():
    game = position("21PZ@0310 22GDS@3508")
    game.axis(order("CONCEDE", confirm=True))
    assert game.state.over.winner == "allied"


@pytest.mark.rule("holdfast", "setup.2", "setup.3", "setup.4", "15c")
def test_a_campaign_starts_with_full_units_rp_and_support_beside_the_board():
    game = campaign()
    assert {u: game.sp(u) for u in ("21PZ", "4IND", "7AUS", "9AUS", "FF")} == {"21PZ": 4, "4IND": 4, "7AUS": 2, "9AUS": 3, "FF": 1}
    assert game.state.own["rp"] == {"axis": 12, "allied": 10}
    assert game.state.own["air"] == {"axis": {"X1": "free"}, "allied": {}}
    assert list(game.state.own["leader"]["axis"]) == ["ROMMEL"]


@pytest.mark.rule("holdfast", "16a", "15a")
def test_campaign_two_starts_in_january_1942_with_clear_weather():
    two, one = campaign("campaign-2"), campaign()
    assert two.data("weather") == {"month": "1942-01", "weather": "clear"}
    assert one.data("weather") == {"month": "1941-03", "weather": "clear"}
    assert two.state.own["rp"] == {"axis": 12, "allied": 12}


@pytest.mark.rule("holdfast", "16b")
def test_campaign_two_lasts_twelve_game_turns():
    game = position("21PZ@0210 22GDS@3508", scenario="campaign-2", side="allied", turn=12, cities=AXIS_3)
    assert game.state.own["month"] == "1942-12"
    game.allied(DONE)
    assert game.state.over.winner == "axis"


@pytest.mark.rule("holdfast", "arrivals.7", "16c", "16f")
def test_in_january_1942_campaign_two_takes_the_air_unit_alone():
    game = campaign("campaign-2")
    game.axis(order("COMMIT", n=2))
    game.allied(order("COMMIT", n=0), dice=[1, 2, 2])
    assert game.data("support_arrived") == {"side": "axis", "air": ["X3"], "leaders": []}
    assert game.state.own["air"]["axis"] == {"X1": "malta", "X2": "malta", "X3": "free"}
