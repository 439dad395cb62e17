"""How units leave the map for their boxes: wrecks and their markers, the refit pool, the destroyed box."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import Packet
from services.rules.games.fall_of_tobruk.wrecks import lose_unit
from tests.rules.fall_of_tobruk.positions import Game, position


def lost(play: Game, *deaths: tuple[str, str]) -> Adjudication:
    """What is left after these units have died of these causes."""
    adj = Adjudication(play.module, play.state, Packet("p", "axis"), ScriptedDice(()))
    for unit, cause in deaths:
        lose_unit(adj, unit, "at.20", cause)
    return adj


def markers(adj: Adjudication) -> list[tuple[Any, ...]]:
    return [(one["n"], one["side"], one["hex"], [tank["unit"] for tank in one["tanks"]]) for one in adj.own["wrecks"]]


@pytest.mark.rule("fall-of-tobruk", "repair.3", "repair.4", "repair.5")
@pytest.mark.parametrize("cause", ["antitank", "combat", "losses", "mines", "zone", "off-map"])
def test_a_tank_lost_in_a_fight_lies_where_it_stood_under_a_marker_with_its_number(cause):
    adj = lost(position("2RGH-1@1505 5EY@1505 115@0505"), ("2RGH-1", cause))
    assert str(adj.counters["2RGH-1"].place) == "box:wreck"
    assert markers(adj) == [(1, "allied", "1505", ["2RGH-1"])]
    assert adj.own["wrecks"][0]["tanks"] == [{"unit": "2RGH-1", "turn": 5, "half": "axis"}]


@pytest.mark.rule("fall-of-tobruk", "repair.3")
@pytest.mark.parametrize("cause", ["bombardment", "stacking"])
def test_bombardment_and_crowding_leave_no_wreck(cause):
    adj = lost(position("2RGH-1@1505 115@0505"), ("2RGH-1", cause))
    assert (str(adj.counters["2RGH-1"].place), markers(adj)) == ("box:destroyed", [])


@pytest.mark.rule("fall-of-tobruk", "repair.7", "repair.8")
def test_later_losses_of_a_side_in_a_hex_share_its_marker():
    play = position("2RGH-1@1505 2RGH-2@1505 2RGH-3@1506 8PZ-2@0505 8PZ-3@0505")
    adj = lost(play, ("2RGH-1", "antitank"), ("8PZ-2", "antitank"), ("2RGH-3", "antitank"), ("2RGH-2", "combat"))
    assert markers(adj) == [(1, "allied", "1505", ["2RGH-1", "2RGH-2"]), (1, "axis", "0505", ["8PZ-2"]), (2, "allied", "1506", ["2RGH-3"])]


@pytest.mark.rule("fall-of-tobruk", "repair.35")
def test_markers_take_the_lowest_free_number_and_beyond_fifteen_they_are_numbered_on():
    tanks = [f"{regiment}-{n}" for regiment in ("QB", "9L", "10H", "2RGH", "3CLY") for n in (1, 2, 3)] + ["4CLY-1"]
    hexes = [f"{col}{row:02d}" for row in (3, 5) for col in range(10, 18)]
    units = " ".join(f"{unit}@{at}" for unit, at in zip(tanks, hexes, strict=True))
    adj = lost(position(f"{units} 115@0505"), *((unit, "antitank") for unit in tanks))
    assert [one[0] for one in markers(adj)] == list(range(1, 17))


@pytest.mark.rule("fall-of-tobruk", "refit.1", "refit.9")
def test_all_others_go_to_the_refit_pool_without_their_marks():
    play = position("5EY@1505 115@0505 88-1@0506", marks={"disrupted": "5EY", "moved": "115"}, num={"115": {"spent": 3}})
    adj = lost(play, ("5EY", "bombardment"), ("115", "combat"), ("88-1", "mines"))
    assert {str(adj.counters[unit].place) for unit in ("5EY", "115", "88-1")} == {"box:refit"}
    assert all(not adj.counters[unit].marks and not adj.counters[unit].num for unit in ("5EY", "115"))
    by_option = lost(position("2RGH-1@1505 115@0505", chart_tank_refit=True), ("2RGH-1", "bombardment"))
    assert str(by_option.counters["2RGH-1"].place) == "box:refit"
