"""A state that no play leaves behind is refused, with the place of its fault."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from scenarios.hexes import parse_hex, parse_place
from services.rules.engine.model import Counter, GameState
from services.rules.schemas import beda_fomm
from tests.rules.beda_fomm.positions import historical, module, one, order
from tests.rules.beda_fomm.test_setup import FORCE

AUTO = order("DONE", turn=False, auto=True)


@cache
def sound() -> GameState:
    """Set up: four companies in 2731, four units in 2730, one in 2830; the convoys by default."""
    game = historical()
    hexes = ["2731"] * 4 + ["2730"] * 4 + ["2830"]
    game.british(*(one("PLACE", unit, hex=at) for unit, at in zip(FORCE, hexes, strict=True)), AUTO)
    game.italian(AUTO)
    return game.state


def faults(state: GameState) -> dict[str, Any]:
    return beda_fomm.check(state, module().data)


def changed(unit: str, **fields: Any) -> GameState:
    counters: dict[str, Counter] = dict(sound().counters)
    return replace(sound(), counters={**counters, unit: replace(counters[unit], **fields)})


def test_what_play_makes_is_sound() -> None:
    assert faults(sound()) == {}


@pytest.mark.parametrize(
    ("unit", "fields", "where"),
    [
        ("KDG-B", {"place": parse_hex("2731")}, "place"),  # the fifth there
        ("T-1", {"place": parse_hex("2731")}, "place"),  # with the enemy
        ("T-1", {"marks": frozenset({"asleep"})}, "marks"),
        ("T-1", {"num": {"spent": Fraction(-9)}}, "num"),
        ("T-1", {"num": {"fuel": Fraction(1)}}, "num"),
    ],
)
def test_a_unit_as_no_play_leaves_it(unit: str, fields: dict[str, Any], where: str) -> None:
    found = faults(changed(unit, **fields))["counters"]
    assert [list(fault) for fault in found.values()] == [[where]]


def test_a_unit_that_is_missing_is_named() -> None:
    counters = {key: counter for key, counter in sound().counters.items() if key != "COL-AT"}
    assert list(faults(replace(sound(), counters=counters))["counters"]) == ["COL-AT"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("moving", ["NOBODY"]),
        ("delayed", {"NOBODY": 3}),
        ("interdicted", {"9921": {"side": "british", "factors": 2, "guns": ["C-4RHA"]}}),
        ("interdicted", {"2730": {"side": "british", "factors": 2, "guns": ["NOBODY"]}}),
        ("barraged", {"9921": "british"}),
        ("contact", {"turn": 1, "side": "british", "unit": "KDG-B", "hex": "9921"}),
        ("convoys", {}),
        ("chain", {"NOBODY": []}),
    ],
)
def test_the_games_own_names_units_and_hexes_that_there_are(name: str, value: object) -> None:
    assert list(faults(replace(sound(), own={**sound().own, name: value}))["own"]) == [name]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"card": "KDG-B"}, "card"),
        ({"side": "british"}, "side"),
        ({"face": "asleep"}, "face"),
        ({"place": parse_hex("9921")}, "place"),
        ({"place": parse_place("edge:nowhere")}, "place"),
    ],
)
def test_a_unit_that_is_not_its_card_s_or_stands_nowhere(fields: dict[str, Any], where: str) -> None:
    found = faults(changed("T-1", **fields))["counters"]
    assert list(found) == ["T-1"]
    assert list(found["T-1"]) == [where]


def test_each_parent_formation_has_its_morale() -> None:
    assert list(faults(replace(sound(), own={**sound().own, "morale": {}}))["own"]) == ["morale"]
