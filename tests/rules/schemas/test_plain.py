"""Model values as plain JSON: places and fractions as text, sets sorted, and nothing that JSON could not keep exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from scenarios.hexes import Box, Edge, Hex
from services.rules.schemas.common import plain


@pytest.mark.parametrize(
    ("value", "wire"),
    [
        (None, None),
        (True, True),
        (Hex(9, 7), "0907"),
        (Box("pool"), "box:pool"),
        (Edge("west"), "edge:west"),
        (Fraction(7, 2), "7/2"),
        (Fraction(4, 2), 2),
        ((1, (2, "a")), [1, [2, "a"]]),
        (frozenset({"moved", "attacked"}), ["attacked", "moved"]),
        ({Hex(2, 1), Hex(1, 2)}, ["0102", "0201"]),
        ({"cities": {Hex(2, 10): "axis"}, Box("pool"): (Fraction(1, 2),)}, {"cities": {"0210": "axis"}, "box:pool": ["1/2"]}),
    ],
)
def test_a_value_lies_on_the_wire_so(value: Any, wire: Any) -> None:
    assert plain(value) == wire
    assert type(plain(value)) is type(wire)


@pytest.mark.parametrize("value", [0.5, [1.0], {"a": {1: 2}}, {None: 1}, b"x", object()])
def test_what_json_cannot_keep_exact_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match=r"not an exact JSON value|not a key of a JSON object"):
        plain(value)
