"""4. Sequence of Play: the steps in their order, the first turn, what each takes; games of every scenario left to the umpire."""

import pytest

from services.rules.engine.dice import SeededDice
from tests.rules.race_for_tunis.positions import DONE, Game, module, move, order, position, scenario

TURN = order("DONE", turn=True)
AUTO = order("DONE", turn=True, auto=True)


def path_of(event) -> str:
    return " ".join(str(part[1]) for part in event.path)


@pytest.mark.rule("race-for-tunis", "15.0-1", "15.0-2")
@pytest.mark.parametrize(("key", "place"), [("standard", "1 allied movement"), ("extended", "1 allied movement")])
def test_the_first_turn_has_no_axis_player_turn(key, place):
    game = scenario(key)
    assert game.place == place
    game.axis(move("T1", to="0813"))  # it waits for his own turn
    assert game.at("T1") == "0814"
    game.allied(AUTO, dice=SeededDice("01" * 32))
    assert game.place.startswith("2 axis")


@pytest.mark.rule("race-for-tunis", "18.1.A-2", "18.3.C-1")
def test_the_other_scenarios_play_both_from_the_first_turn_on():
    assert scenario("early-start").place == "1 axis movement"  # RT-54
    assert scenario("eilbote").place == "1 axis opening"


@pytest.mark.rule("race-for-tunis", "3.0.B-1", "3.0.B-2", "4.0.A-1", "4.0.B-1")
def test_the_axis_plays_first_then_the_allies_then_the_turn_is_over():
    game = position("T1@0714 1ES@1320")
    game.axis(TURN)
    assert game.place == "5 allied movement"
    game.allied(TURN)
    assert game.place == "6 axis movement"
    assert game.data("turn_record") == {"turn": 6}


@pytest.mark.rule("race-for-tunis", "3.0.C-1", "4.0.A-2", "4.0.B-2", "4.1-1")
@pytest.mark.parametrize("side", ["axis", "allied"])
def test_each_moves_and_then_fights(side):
    # The two stand side by side, so that either must attack.
    game = position("T1@1312 1ES@1313", side=side)
    steps = [slot.step.name for slot in module().sequence.turn_slots if slot.phasing == side]
    assert steps.index("opening") < steps.index("movement") < steps.index("package") < steps.index("end")
    game.send(side, DONE)
    assert game.place == f"5 {side} package"
    unit, enemy = ("T1", "1ES") if side == "axis" else ("1ES", "T1")
    game.send(side, move(unit, "1412"))
    assert game.refusal()[0] == "not-in-this-step"  # no more movement in this player-turn
    assert game.at(enemy) in ("1312", "1313")


@pytest.mark.rule("race-for-tunis", "4.1-1")
def test_who_is_not_moved_stays():
    game = position("T1@0714 T2@0813 1ES@1320")
    game.axis(move("T2", to="0714"), TURN)
    assert (game.at("T1"), game.at("T2")) == ("0714", "0714")


def test_what_a_movement_phase_has_marked_is_forgotten_at_its_end():
    game = position("T1@0714 T2@0813 1ES@1320")
    game.axis(move("T2", to="0714"), move("T1", to="0813"))
    assert game.marks("T2") == {"moved", "done"}
    assert game.own("moving") == "T1"
    game.axis(TURN)
    for unit in ("T1", "T2"):
        assert (game.marks(unit), dict(game.state.counters[unit].num)) == (set(), {})
    assert game.own("moving") == ""


@pytest.mark.rule("race-for-tunis", "11.2.B-1")
@pytest.mark.parametrize("side", ["axis", "allied"])
def test_battalions_break_down_in_either_player_turn(side):
    game = position("7-10-I@0714 1ES@1320", side=side)
    game.axis(order("SPLIT", unit="7-10-I"))
    assert [game.at(unit) for unit in ("7-10-I", "1-7-10")] == ["box:component", "0714"]
    assert game.place == f"5 {side} movement"


OPTIONS = {
    "air": True,
    "counterbattery": True,
    "weather": True,
    "more_replacements": True,
    "landings": True,
    "wadi_towns": True,
}


def finished(key: str, seed: str, **options) -> Game:
    """A scenario in which both sides leave all to the umpire."""
    game = scenario(key, **options)
    sides = module().data.sides
    for n in range(200):
        if game.state.over is not None:
            return game
        waiting = game.view(None)["waiting_for"]
        side = waiting[0] if waiting else sides[n % 2]
        game.send(side, AUTO, dice=SeededDice(seed))
        assert game.last.status == "done", game.last.rejections
    raise AssertionError(game.place)


@pytest.mark.rule("race-for-tunis", "3.0.A-1")
@pytest.mark.parametrize(("key", "last"), [("standard", 17), ("early-start", 25), ("extended", 30), ("eilbote", 7)])
def test_a_game_left_to_the_umpire_comes_to_its_end(key, last):
    for n, options in enumerate(({}, OPTIONS)):
        game = finished(key, f"{n:02x}" * 32, **options, tempo="blitz")
        assert game.state.over is not None
        assert dict(game.state.path)["turn"] == last
