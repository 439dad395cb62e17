"""16. Victory points for places held, levels, and the end of each scenario."""

import pytest

from services.rules.games.race_for_tunis.victory import level, points
from tests.rules.race_for_tunis.positions import Game, order, position

PLACES = {
    "1215": 1, "1910": 1, "1410": 1, "1718": 1,  # Medjez el Bab, Robaa, Pont du Fahs, Teboursouk
    "2305": 2, "0617": 2, "0814": 2,  # Kairouan, Mateur, Tebourba
    "0216": 3, "2321": 3, "1505": 3,  # Bizerta, Le Kef, Enfidaville
    "0711": 4,  # Tunis
}  # fmt: skip
DJEBELS = ["1813", "1810", "2208", "2109", "2011"]
UNITS = "1ES@1320 T1@0714"


def holding(axis: str, *, turn: int = 17, key: str = "standard", **more) -> Game:
    """The last Allied movement phase, with these places held by the Axis and all others by the Allies."""
    all_places = " ".join([*PLACES, *DJEBELS])
    return position(UNITS, scenario=key, side="allied", turn=turn, held={"allied": all_places, "axis": axis}, **more)


@pytest.mark.rule("race-for-tunis", "16.0.A-2")
@pytest.mark.parametrize(("at", "vp"), PLACES.items())
def test_each_place_scores_for_the_axis_alone(at, vp):
    assert points(holding(at).table) == vp
    assert points(holding("").table) == 0
    assert points(holding(" ".join(PLACES)).table) == 23
    assert points(holding(" ".join(DJEBELS)).table) == 0


@pytest.mark.rule("race-for-tunis", "16.0.A-2")
def test_a_place_is_held_by_who_was_there_last():
    game = position("T1@1216 1ES@1320", held={"allied": "1215"})
    before = points(game.table)
    game.axis(order("MOVE", units=["T1"], path=["1215"]))
    assert points(game.table) == before + 1
    assert game.view("axis")["own"]["vp"] == before + 1


@pytest.mark.rule("race-for-tunis", "16.0.B-1")
@pytest.mark.parametrize(
    ("total", "winner", "found"),
    [
        (0, "allied", "overwhelming"),
        (8, "allied", "overwhelming"),
        (9, "allied", "decisive"),
        (12, "allied", "decisive"),
        (13, "allied", "tactical"),
        (16, "allied", "tactical"),
        (17, "axis", "tactical"),
        (18, "axis", "tactical"),
        (19, "axis", "decisive"),
        (20, "axis", "decisive"),
        (21, "axis", "overwhelming"),
        (23, "axis", "overwhelming"),
    ],
)
def test_the_level_is_read_after_the_last_turn(total, winner, found):
    held, left = [], total
    for at, vp in sorted(PLACES.items(), key=lambda item: -item[1]):
        if vp <= left:
            held.append(at)
            left -= vp
    game = holding(" ".join(held))
    game.allied(order("DONE", turn=True))
    over = game.state.over
    assert over is not None
    assert (over.winner, over.level, game.data("points")["total"]) == (winner, found, total)


@pytest.mark.rule("race-for-tunis", "3.0.A-1", "16.0.A-1")
@pytest.mark.parametrize(("key", "last"), [("standard", 17), ("early-start", 25), ("eilbote", 7), ("extended", 30)])
def test_a_scenario_lasts_for_its_turns(key, last):
    french = {"french": {"free": True, "attacked": False}}
    game = holding("", key=key, turn=last - 1, own=french)
    game.allied(order("DONE", turn=True))
    assert (game.state.over, game.state.path[0]) == (None, ("turn", last))
    game = holding("", key=key, turn=last, own=french)
    game.allied(order("DONE", turn=True))
    assert game.state.over is not None


@pytest.mark.rule("race-for-tunis", "18.2-1", "18.2-2", "18.2-3")
def test_extended_play_ends_on_17_or_24_december_and_is_scored_as_ever():
    for end, last in (("17 Dec", 23), ("24 Dec", 30)):
        game = holding("0711 0216", key="extended", turn=last, extended_end=end)
        game.allied(order("DONE", turn=True))
        over = game.state.over
        assert over is not None
        assert (over.level, game.data("points")["total"], game.data("points")["date"]) == ("overwhelming", 7, end)
        game = holding("", key="extended", turn=last - 1, extended_end=end)
        game.allied(order("DONE", turn=True))
        assert game.state.over is None


@pytest.mark.rule("race-for-tunis", "18.3.C-3")
def test_five_djebels_score_in_eilbote():
    for at in DJEBELS:
        assert points(holding(at, key="eilbote", turn=7).table) == 1
    assert points(holding(" ".join([*PLACES, *DJEBELS]), key="eilbote", turn=7).table) == 28


@pytest.mark.rule("race-for-tunis", "18.3.C-2")
def test_eilbote_tells_points_and_by_option_the_standard_level_of_the_standard_places():
    game = holding(" ".join(["0711", *DJEBELS]), key="eilbote", turn=7)
    game.allied(order("DONE", turn=True))
    over = game.state.over
    assert over is not None
    assert (over.winner, over.level, game.data("points")["total"]) == (None, "points", 9)
    game = holding(" ".join(["0711", *DJEBELS]), key="eilbote", turn=7, eilbote_levels="standard")  # 4 without the djebels
    row = level(game.table)
    assert row is not None
    assert (row["winner"], row["level"]) == ("allied", "overwhelming")
