"""Orders that name tanks which antitank fire of the same mail has killed: the others carry them out."""

from __future__ import annotations

import pytest

from tests.rules.fall_of_tobruk.positions import DONE, Game, attack, fire, on, order, position, stand
from tests.rules.fall_of_tobruk.shooting import shots, wrecked

HIT, MISS = 1, 6


def duel(*lines: object, dice: tuple[int, ...], units: str = "8PZ-1@1008 8PZ-2@1008 115@0908 2RGH-1@1007 5EY@1007") -> Game:
    """The Axis sends ``lines`` after a STAND of all; the Allies fire their Grant at 8PZ-1, which at 4 against 1 (4:1) dies of a 1."""
    game = position(units, tempo="blitz")
    game.allied(standing=[on("ANTITANK", fire("2RGH-1", "8PZ-1", "1008"))])
    game.axis(stand("8PZ-1 8PZ-2 115"), order("FIRE", policy="NO"), DONE, *lines, DONE, dice=dice)
    return game


@pytest.mark.rule("fall-of-tobruk", "at.20", "combat.2")
def test_an_attack_goes_on_without_a_tank_that_antitank_fire_has_killed():
    game = duel(attack("1007", "8PZ-1 8PZ-2 115", label="A1"), dice=(HIT, 1, 2))
    assert wrecked(game)["8PZ-1"] == "1008"
    assert game.codes() == []
    assert game.data("line_shortened") == {"line": 4, "units": ["8PZ-1"]}
    assert game.data("declared")["units"] == ["8PZ-2", "115"]
    assert game.data("battle")["attack"] == 19  # 4 of the tank, 15 of the regiment; the dead tank's 3 do not count


@pytest.mark.rule("fall-of-tobruk", "at.20", "combat.2")
def test_an_attack_of_which_nobody_is_left_is_refused():
    game = duel(attack("1007", "8PZ-1", label="A1"), attack("1007", "115"), dice=(HIT,))
    assert game.codes() == ["not-on-map", "unread", "unread"]
    assert game.events("line_shortened") == []
    assert game.place == "5 axis declaration 1"


@pytest.mark.rule("fall-of-tobruk", "firstfire.5", "at.11")
def test_a_shot_goes_on_without_a_tank_that_first_fire_has_killed():
    game = position("8PZ-1@1008 8PZ-2@1008 1SP@1007 2RGH-2@1007", tempo="blitz")
    silent = on("ANTITANK", order("FIRE", policy="NO"))
    game.allied(standing=[on("FIRST-FIRE", fire("1SP", "8PZ-1", "1008")), silent])  # the Deacons, self-propelled: 4 against 1
    game.axis(stand("8PZ-1 8PZ-2"), fire("8PZ-1 8PZ-2", "2RGH-2", "1007"), DONE, dice=(HIT, MISS))
    assert game.codes() == []
    assert game.data("line_shortened") == {"line": 2, "units": ["8PZ-1"]}
    assert shots(game) == [("8PZ-2", "2RGH-2", "1:1")]  # 3 against 2; with the other 4 against 2


@pytest.mark.rule("fall-of-tobruk", "advance.6")
def test_a_hex_is_occupied_without_a_tank_that_antitank_fire_has_killed():
    game = position("8PZ-1@1008 8PZ-2@1008 8PZ-3@1008 2RGH-2@1007", tempo="blitz")
    game.allied(standing=[on("ANTITANK", fire("2RGH-2", "8PZ-1", "1008"))])  # 2 against 1
    shots = [fire("8PZ-2 8PZ-3", "2RGH-2", "1007")]  # 6 against 2; each dies of a 1
    game.axis(stand("8PZ-1 8PZ-2 8PZ-3"), *shots, DONE, order("OCCUPY", hex="1007", units=["8PZ-1", "8PZ-2"]), DONE, dice=(HIT, HIT))
    assert game.codes() == []
    assert game.data("line_shortened") == {"line": 4, "units": ["8PZ-1"]}
    assert (game.at("8PZ-1"), game.at("8PZ-2"), game.at("8PZ-3")) == ("box:wreck", "1007", "1008")
