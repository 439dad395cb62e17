"""Orders whose arguments do not go together, and states that no play leaves behind, are refused before any rule is asked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from scenarios.hexes import parse_hex, parse_place
from services.rules.engine.model import GameState
from services.rules.schemas import fall_of_tobruk
from services.rules.schemas.fall_of_tobruk_orders import VERBS
from tests.rules.fall_of_tobruk.positions import module, scenario


@pytest.mark.parametrize(
    ("verb", "args", "told"),
    [
        ("MOVE", {"units": ["115"], "path": ["1215"], "to": "1214"}, "Give a path, or a hex to move to, and not both."),
        ("MOVE", {"units": ["115"], "path": ["1215"], "via": ["1214"]}, "via and road go with to, not with a path."),
        ("MOVE", {"units": ["115"], "to": "1214", "drop_at": "1214"}, "drop and drop_at go together."),
        ("FIRE", {"units": ["88-1"]}, "Give units and their targets, or a policy."),
        ("FIRE", {"units": ["88-1"], "targets": ["2RGH-1"], "policy": "ALL"}, "Give units and their targets, or a policy."),
        ("FIRE", {"units": ["88-1"], "targets": ["2RGH-1"], "by": "AT"}, "by, min and pool go with a policy."),
        ("FIRE", {"policy": "ALL", "hex": "0505"}, "hex and else_targets go with units and their targets."),
        ("SLIP", {"unit": "KDG"}, "Give a unit and a hex, or never."),
        ("SLIP", {"unit": "KDG", "hex": "0505", "never": True}, "Give a unit and a hex, or never."),
        ("RETREAT", {"unit": "115"}, "Give a path, the hex where it ends, or what all avoid."),
        ("RETREAT", {"unit": "115", "avoid": ["ZOC"]}, "avoid is for all units."),
    ],
)
def test_arguments_that_do_not_go_together(verb: str, args: dict[str, Any], told: str) -> None:
    assert VERBS[verb]().validate(args) == {"_schema": [told]}


def test_losses_are_a_list_or_the_cheapest() -> None:
    assert VERBS["LOSE"]().load({"units": "CHEAPEST"})["units"] == "CHEAPEST"
    assert VERBS["LOSE"]().validate({"units": "DEAREST"}) == {"units": ["Must be a list."]}


@cache
def sound() -> GameState:
    return scenario().state


def faults(state: GameState) -> dict[str, Any]:
    return fall_of_tobruk.check(state, module(printed=True).data)


def test_what_play_makes_is_sound() -> None:
    assert faults(sound()) == {}


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"card": "6GH"}, "card"),
        ({"side": "axis"}, "side"),
        ({"face": "asleep"}, "face"),
        ({"place": parse_hex("9921")}, "place"),
        ({"place": parse_place("edge:nowhere")}, "place"),
        ({"place": parse_place("box:nowhere")}, "place"),
        ({"marks": frozenset({"asleep"})}, "marks"),
        ({"num": {"sp": 3}}, "num"),
        ({"num": {"spent": -1}}, "num"),
    ],
)
def test_a_unit_that_is_not_its_cards_or_stands_nowhere(fields: dict[str, Any], where: str) -> None:
    counters = {**sound().counters, "5EY": replace(sound().counters["5EY"], **fields)}
    found = faults(replace(sound(), counters=counters))["counters"]
    assert "5EY" in found
    assert set(found["5EY"]) == {where}


def test_units_of_both_sides_do_not_share_a_hex() -> None:
    counters = {**sound().counters, "115": replace(sound().counters["115"], place=parse_hex("0909"))}
    found = faults(replace(sound(), counters=counters))["counters"]
    assert {"place": ["Units of both sides are there."]} in found.values()
    assert set(found) <= {"115", "5EY", "6GH", "7GH", "74ART"}


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ({"reserve": {"grant": 4}}, {"reserve": ["Each model with a reserve, and nothing else, must have a stock."]}),
        ({"opened": ["NOBODY"]}, {"opened": ["There is no unit NOBODY."]}),
        ({"shelled": ["9999"]}, {"shelled": ["No unit can stand in 9999."]}),
        (
            {"wrecks": [{"n": 1, "side": "allied", "hex": "1917", "tanks": [{"unit": "2RGH-1", "turn": 1, "half": "axis"}]}]},
            {"wrecks": ["The tanks under wreck markers must be those in box:wreck, each once."]},
        ),
    ],
)
def test_the_games_own_names_what_there_is(own: dict[str, Any], told: dict[str, Any]) -> None:
    assert faults(replace(sound(), own={**sound().own, **own})) == {"own": told}
