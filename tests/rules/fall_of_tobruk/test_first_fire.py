"""Defensive First Fire: who may shoot before the attackers do, and what comes of it. Factors and hexes are in ``shooting``."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.games.fall_of_tobruk import antitank, overrun, phases
from tests.rules.fall_of_tobruk.positions import DONE, Game, fire, on, order, position, stand
from tests.rules.fall_of_tobruk.shooting import DECLARATION, NOTHING, segment, shots, wrecked

MINES = "1007/1008"
WHOLE = (phases.MOVEMENT, *antitank.STEPS, overrun.SNAPSHOT, DECLARATION)


def moving(units: str, side: str = "axis", **more: Any) -> Game:
    """A position in the movement segment; what follows it goes to the declaration."""
    return position(units, side=side, steps=WHOLE, **more)


def first(units: str, active: str, side: str = "axis", **more: Any) -> Game:
    """A position in the window of the side that does not move."""
    return segment(units, active, side, "first fire", **{"tempo": "normal", **more})


@pytest.mark.rule("fall-of-tobruk", "firstfire.1", "firstfire.5", "at.8", "at.20")
def test_a_defender_behind_mines_shoots_first_and_who_dies_of_it_does_not_shoot_back():
    game = moving("8PZ-1@1007 2RGH-2@1008", mines=MINES, tempo="normal")
    game.axis(stand("8PZ-1"), order("FIRE", units=["8PZ-1"], targets=["2RGH-2"]), DONE)
    assert game.place == "5 axis first fire"
    game.allied(fire("2RGH-2", "8PZ-1", "1007"), DONE, dice=[1])  # 2 to 1
    assert (shots(game, "first_shot"), shots(game)) == ([("2RGH-2", "8PZ-1", "2:1")], [])
    assert wrecked(game) == {"8PZ-1": "1007"}


@pytest.mark.rule("fall-of-tobruk", "firstfire.2", "minefields.6")
def test_mines_entitle_against_the_active_enemies_beyond_them_alone():
    laid = "8PZ-1@1007 8PZ-2@1007 8PZ-3@1108 2SG@1008"
    game = first(laid, "8PZ-1 8PZ-3", mines=MINES)
    for target, at in (("8PZ-2", "1007"), ("8PZ-3", "1108")):  # not active; no mines between
        game.allied(fire("2SG", target, at))
        assert game.refusal() == ("no-first-fire", "firstfire.2")
    game.allied(fire("2SG", "8PZ-1", "1007"), DONE, dice=[3])  # 2:1, and nothing is added
    assert wrecked(game) == {"8PZ-1": "1007"}
    assert game.data("first_shot")["modifiers"] == []


@pytest.mark.rule("fall-of-tobruk", "firstfire.2")
@pytest.mark.parametrize(("mines", "at"), [("", "antitank"), (MINES, "first fire")])
def test_without_mines_between_there_is_no_first_fire(mines, at):
    game = moving("8PZ-7@1007 2RGH-2@1008", **({"mines": mines} if mines else {}), tempo="full")
    game.axis(stand("8PZ-7"), order("FIRE", units=["8PZ-7"], targets=["2RGH-2"]), DONE, DONE)
    assert game.place == f"5 axis {at}"


@pytest.mark.rule("fall-of-tobruk", "firstfire.3", "firstfire.4")
def test_self_propelled_guns_and_88s_are_always_entitled_at_any_tank_beside_them():
    game = first("2RGH-2@1007 2RGH-3@1007 2RGH-1@1007 88-1@1008 605@1008 8PZ-2@1008", "2RGH-2", "allied")
    game.axis(fire("8PZ-2", "2RGH-2", "1007"))
    assert game.refusal() == ("no-first-fire", "firstfire.2")
    each = (fire("88-1", "2RGH-1", "1007"), fire("605", "2RGH-3", "1007"))  # neither is active
    game.axis(*each, DONE, dice=[1, 1])
    assert shots(game, "first_shot") == [("88-1", "2RGH-1", "3:1"), ("605", "2RGH-3", "2:1")]
    assert wrecked(game) == {"2RGH-1": "1007", "2RGH-3": "1007"}


@pytest.mark.rule("fall-of-tobruk", "firstfire.3", "seq.10")
def test_a_unit_that_no_active_enemy_stands_beside_has_no_first_fire():
    game = moving("2RGH-2@1007 88-1@1008 2SG@0509 19@0508", "allied")
    game.allied(stand("2SG"), DONE)
    assert (game.place, shots(game, "first_shot")) == ("5 allied declaration", [])


@pytest.mark.rule("fall-of-tobruk", "at.10", "at.11")
def test_who_has_used_first_fire_does_not_fire_again_in_the_segment():
    laid = "2RGH-2@1007 2RGH-3@1007 605@1008 8PZ-2@1008"
    game = first(laid, "2RGH-2 2RGH-3", "allied", tempo="full")
    game.axis(fire("605", "2RGH-2", "1007"), DONE, dice=[6])  # 2:1
    assert (game.place, game.marks("605")) == ("5 allied antitank", {"fired"})
    game.axis(fire("605", "2RGH-2", "1007"))
    assert game.refusal() == ("shot-already", "at.11")
    game.axis(fire("8PZ-2", "2RGH-2", "1007"), DONE)
    game.allied(NOTHING, DONE, dice=[6])
    assert shots(game) == [("8PZ-2", "2RGH-2", "1:1")]


@pytest.mark.rule("fall-of-tobruk", "firstfire.6")
def test_first_fire_may_be_declined_and_the_unit_fires_with_the_others():
    game = first("2RGH-2@1007 88-1@1008", "2RGH-2", "allied", tempo="full")
    game.axis(DONE)
    assert (game.place, shots(game, "first_shot")) == ("5 allied antitank", [])
    game.axis(fire("88-1", "2RGH-2", "1007"), DONE, dice=[6])  # the Crusader has no tank to fire at
    assert shots(game) == [("88-1", "2RGH-2", "6:1")]
    game = first("2RGH-2@1007 88-1@1008", "2RGH-2", "allied", tempo="full")
    game.axis(NOTHING, DONE)
    assert shots(game, "first_shot") == []


@pytest.mark.rule("fall-of-tobruk", "firstfire.1")
def test_all_first_shots_are_declared_before_any_is_rolled_and_one_at_the_dead_is_wasted():
    laid = "2RGH-2@1007 2RGH-3@1007 88-1@1008 88-2@1008"
    both = (fire("88-1", "2RGH-2", "1007"), fire("88-2", "2RGH-2", "1007"))
    game = first(laid, "2RGH-2 2RGH-3", "allied")
    game.axis(*both, DONE, dice=[1])
    assert game.data("shot_wasted") == {"units": ["88-2"], "targets": ["2RGH-2"]}
    assert game.marks("88-2") == {"fired"}
    other = fire("88-2", "2RGH-2", "1007", else_targets=["2RGH-3"])
    game = first(laid, "2RGH-2 2RGH-3", "allied")
    game.axis(fire("88-1", "2RGH-2", "1007"), other, DONE, dice=[1, 1])
    assert shots(game, "first_shot") == [("88-1", "2RGH-2", "6:1"), ("88-2", "2RGH-3", "6:1")]


@pytest.mark.rule("fall-of-tobruk", "firstfire.1")
def test_a_shot_at_several_tanks_of_which_some_are_dead_goes_at_the_others():
    game = first("2RGH-1@1007 2RGH-2@1007 2RGH-3@1007 88-1@1008 88-2@1008", "2RGH-1 2RGH-2 2RGH-3", "allied")
    game.axis(fire("88-1", "2RGH-1", "1007"), fire("88-2", "2RGH-1 2RGH-2 2RGH-3", "1007"), DONE, dice=[1, 1])
    assert shots(game, "first_shot") == [("88-1", "2RGH-1", "3:1"), ("88-2", "2RGH-2 2RGH-3", "3:1")]  # 12 to 4
    assert set(wrecked(game)) == {"2RGH-1", "2RGH-2", "2RGH-3"}


@pytest.mark.rule("fall-of-tobruk", "firstfire.1", "firstfire.5")
def test_a_declared_shot_is_made_though_the_attackers_beside_its_shooter_are_dead():
    laid = "2RGH-2@1007 2RGH-1@1107 88-1@1008 605@1108"  # 1107 is next to 1108 and not to 1008
    game = first(laid, "2RGH-2", "allied")
    game.axis(fire("88-1", "2RGH-2", "1007"), fire("605", "2RGH-1", "1107"), DONE, dice=[1, 6])
    assert shots(game, "first_shot") == [("88-1", "2RGH-2", "6:1"), ("605", "2RGH-1", "1:1")]


@pytest.mark.rule("fall-of-tobruk", "firstfire.1")
def test_by_default_first_fire_is_taken_at_the_highest_factor_and_leaves_the_rest_for_later():
    laid = "2RGH-1@1007 2RGH-2@1007 42RT-1@1007 88-1@1008 88-2@1008 605@1008 88-3@1008"
    game = moving(laid, "allied", tempo="blitz")
    game.allied(stand("2RGH-1 2RGH-2 42RT-1"), DONE, DONE, dice=[1, 6, 1, 6])
    # 12 to 4 is 3:1 and enough for the Grant and the Matilda, 12 to 2 for the Crusader; the 605 fires with the others, at what is left.
    assert shots(game, "first_shot") == [("88-1", "2RGH-1", "3:1"), ("88-2", "42RT-1", "3:1"), ("88-3", "2RGH-2", "6:1")]
    assert shots(game) == [("605", "42RT-1", "1:1")]


@pytest.mark.rule("fall-of-tobruk", "firstfire.1", "firstfire.6")
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({"policy": "NO"}, []),
        ({"policy": "YES", "min": 4}, [("88-1", "2RGH-2", "6:1")]),
        ({"policy": "YES"}, [("88-1", "2RGH-1", "3:1")]),
    ],
)
def test_standing_orders_for_first_fire(policy, expected):
    game = moving("2RGH-1@1007 2RGH-2@1007 88-1@1008", "allied", tempo="normal")
    game.axis(standing=[on("FIRST-FIRE", order("FIRE", **policy)), on("ANTITANK", NOTHING)])
    game.allied(stand("2RGH-1 2RGH-2"), DONE, DONE, dice=[6] * len(expected))
    assert shots(game, "first_shot") == expected
    assert shots(game) == []


@pytest.mark.rule("fall-of-tobruk", "seq.10", "firstfire.1")
def test_first_fire_comes_back_in_every_segment_in_which_the_unit_is_attacked():
    game = segment("2RGH-2@1007 2RGH-3@1007 88-1@1008", "2RGH-2", "allied", "first fire", marks={"done": "2RGH-3"})
    game.axis(fire("88-1", "2RGH-3", "1007"), DONE, dice=[6])
    assert shots(game, "first_shot") == [("88-1", "2RGH-3", "6:1")]  # one that fought in a pass before
