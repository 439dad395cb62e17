"""17.4 Weather: a die a game-turn from the second on; a table and modifiers by date (reconstructed: 1-4 clear, 5 rain, 6 heavy rain)."""

import pytest

from tests.rules.race_for_tunis.positions import Game, move, order, position, scenario


def dawn(die: int, turn: int = 3, key: str = "standard", *, weather: bool = True, **more) -> Game:
    """The game-turn that is entered with a die for its weather."""
    game = position("1ES@1320 T1@0714", scenario=key, side="allied", turn=turn - 1, weather=weather, **more)
    game.allied(order("DONE", turn=True), dice=[die] if weather else [])
    return game


@pytest.mark.rule("race-for-tunis", "17.4.A-1", "17.4.B-1")
@pytest.mark.parametrize(("die", "found"), [(1, "clear"), (2, "clear"), (3, "clear"), (4, "clear"), (5, "rain"), (6, "heavy-rain")])
def test_a_die_at_the_start_of_the_turn_says_what_it_is(die, found):
    game = dawn(die)
    assert (game.own("weather"), game.data("weather")) == (found, {"die": die, "modifier": 0, "weather": found})
    game.axis(order("DONE", turn=True))
    assert game.own("weather") == found  # both player-turns share it (RT-45)


@pytest.mark.rule("race-for-tunis", "17.4.A-2")
@pytest.mark.parametrize(
    ("key", "turn", "die", "found"),
    [
        ("standard", 11, 4, "clear"),  # 5 December, no modifier
        ("standard", 12, 2, "clear"),  # 6 December, +2
        ("standard", 12, 3, "rain"),
        ("standard", 17, 4, "heavy-rain"),  # 11 December, +2
        ("extended", 18, 4, "clear"),  # 12 December, none
        ("extended", 28, 2, "rain"),  # 22 December, +3
        ("eilbote", 2, 4, "rain"),  # 19 January, +1
        ("early-start", 12, 5, "rain"),  # 28 November, none
    ],
)
def test_the_date_modifies_the_die(key, turn, die, found):
    game = dawn(die, turn, key, own={"french": {"free": True, "attacked": False}})
    assert game.own("weather") == found


@pytest.mark.rule("race-for-tunis", "17.4.C", "17.4.A-1")
def test_the_first_turn_is_clear_without_a_die_and_without_the_option_so_are_all():
    game = scenario("eilbote", weather=True)
    assert (game.own("weather"), game.events("weather")) == ("clear", [])
    game = dawn(6, weather=False)
    assert (game.own("weather"), game.events("weather")) == ("clear", [])


@pytest.mark.rule("race-for-tunis", "17.4.A-1")
def test_heavy_rain_gives_way_to_the_next_die():
    game = position("1ES@1320 T1@0714", side="allied", turn=2, weather=True, own={"weather": "heavy-rain"})
    game.allied(order("DONE", turn=True), dice=[1])
    assert game.own("weather") == "clear"


@pytest.mark.rule("race-for-tunis", "17.4.B-2")
def test_clear_weather_changes_nothing():
    # 1313 to 1413 over clear ground: 1 MP whether or not the option is played, and 2 only in heavy rain.
    def cost(**more) -> object:
        game = position("1ES@1313 T1@0714", side="allied", **more)
        game.allied(move("1ES", "1413"))
        return game.data("moved")["cost"]["1ES"]

    assert cost() == cost(weather=True) == 1
    assert cost(weather=True, own={"weather": "rain"}) == 1
    assert cost(weather=True, own={"weather": "heavy-rain"}) == 2
