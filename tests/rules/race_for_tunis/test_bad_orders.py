"""Orders whose arguments do not go together, and states that no play leaves behind, are refused before any rule is asked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from scenarios.hexes import parse_hex, parse_place
from services.rules.engine.model import GameState
from services.rules.schemas import race_for_tunis
from services.rules.schemas.race_for_tunis_orders import VERBS
from tests.rules.race_for_tunis.positions import module, scenario


@pytest.mark.parametrize(
    ("verb", "args", "told"),
    [
        ("MOVE", {"units": ["1ES"], "path": ["1215"], "to": "1214"}, "Give a path, or a hex to move to, and not both."),
        ("MOVE", {"units": ["1ES"], "path": ["1215"], "via": ["1214"]}, "via and road go with to, not with a path."),
        ("MOVE", {"units": ["1ES"], "to": "1214", "drop_at": "1214"}, "drop and drop_at go together."),
        ("MOVE", {"units": ["1ES"], "to": "1214", "bridge": "BLOW"}, "bridge and bridge_at go together."),
        (
            "ATTACK",
            {"hexes": ["1214"], "units": ["1ES"], "only": "5-I", "rest": True},
            "An attack is made on one unit only, or on the rest, not both.",
        ),
        ("SUPPORT", {"guns": ["1ES"]}, "Give guns and a battle, or how they are allotted."),
    ],
)
def test_arguments_that_do_not_go_together(verb: str, args: dict[str, Any], told: str) -> None:
    assert VERBS[verb]().validate(args) == {"_schema": [told]}


@cache
def sound() -> GameState:
    return scenario().state


def faults(state: GameState) -> dict[str, Any]:
    return race_for_tunis.check(state, module().data)


def test_what_play_makes_is_sound() -> None:
    assert faults(sound()) == {}


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"card": "6LNC"}, "card"),
        ({"side": "axis"}, "side"),
        ({"face": "asleep"}, "face"),
        ({"place": parse_hex("9921")}, "place"),
        ({"place": parse_place("edge:nowhere")}, "place"),
    ],
)
def test_a_unit_that_is_not_its_cards_or_stands_nowhere(fields: dict[str, Any], where: str) -> None:
    counters = {**sound().counters, "LBH": replace(sound().counters["LBH"], **fields)}
    found = faults(replace(sound(), counters=counters))["counters"]
    assert [(key, list(fault)) for key, fault in found.items()] == [("LBH", [where])]


def test_units_of_both_sides_do_not_stand_in_one_hex() -> None:
    counters = sound().counters
    at = next(unit.place for unit in counters.values() if unit.side == "axis" and str(unit.place) == "0216")
    found = faults(replace(sound(), counters={**counters, "LBH": replace(counters["LBH"], place=at)}))["counters"]
    assert {tuple(fault["place"]) for fault in found.values()} == {("Units of both sides are there.",)}


@pytest.mark.parametrize("name", ["ports", "places"])
def test_the_ports_and_the_places_that_are_held_are_all_there(name: str) -> None:
    assert list(faults(replace(sound(), own={**sound().own, name: {}}))["own"]) == [name]
