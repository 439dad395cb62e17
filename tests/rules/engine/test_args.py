"""An order's JSON arguments become the game's own type, or name the field that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from scenarios.hexes import Hex
from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder


@dataclass(frozen=True)
class March:
    unit: str
    path: tuple[Hex, ...] = ()
    pair: tuple[int, int] | None = None
    k: int = 1


def test_arguments_are_read_and_what_is_left_out_has_its_default() -> None:
    assert read_args(March, {"unit": "A"}) == March("A")
    args = {"unit": "A", "path": ["0102", "0203"], "pair": [1, 2], "k": 3}
    assert read_args(March, args) == March("A", (Hex(1, 2), Hex(2, 3)), (1, 2), 3)
    assert read_args(March, {"unit": "A", "pair": None}) == March("A")


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({}, "unit"),
        ({"unit": 7}, "unit"),
        ({"unit": None}, "unit"),
        ({"unit": "A", "speed": 1}, "speed"),
        ({"unit": "A", "path": "0102"}, "path"),
        ({"unit": "A", "path": {"0102": 1}}, "path"),
        ({"unit": "A", "path": ["one"]}, "path"),
        ({"unit": "A", "pair": [1]}, "pair"),
        ({"unit": "A", "pair": [1, 2, 3]}, "pair"),
        ({"unit": "A", "pair": [1, "2"]}, "pair"),
        ({"unit": "A", "k": True}, "k"),
        ({"unit": "A", "k": 1.0}, "k"),
    ],
)
def test_a_wrong_argument_is_named(args: dict[str, Any], field: str) -> None:
    with pytest.raises(IllegalOrder) as caught:
        read_args(March, args)
    assert (caught.value.code, caught.value.details) == ("malformed", {"field": field})
