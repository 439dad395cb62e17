"""Hexes of the grid: neighbours, distances, and how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.hexes import Box, Edge, Hex, Hexside, distance, neighbours, parse_hex, parse_hexside, parse_place

HEXES = st.builds(Hex, st.integers(1, 99), st.integers(1, 99))


def test_even_columns_lie_lower() -> None:
    assert [str(at) for at in neighbours(Hex(17, 4))] == ["1703", "1803", "1804", "1705", "1604", "1603"]
    assert [str(at) for at in neighbours(Hex(18, 4))] == ["1803", "1904", "1905", "1805", "1705", "1704"]


@given(HEXES)
def test_neighbours_are_mutual_and_one_hex_away(at: Hex) -> None:
    around = neighbours(at)
    assert len(set(around)) == 6
    assert all(at in neighbours(other) and distance(at, other) == 1 for other in around)


@given(HEXES, HEXES, HEXES)
def test_distance_is_a_distance(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(HEXES, HEXES)
def test_one_neighbour_at_least_is_nearer(a: Hex, b: Hex) -> None:
    if a != b:
        assert min(distance(n, b) for n in neighbours(a)) == distance(a, b) - 1


@given(HEXES)
def test_places_are_written_and_read_back(at: Hex) -> None:
    side = Hexside(at, neighbours(at)[0])
    for place in (at, Box("pool-axis"), Edge("north")):
        assert parse_place(str(place)) == place
    if side.b.row:
        assert parse_hexside(str(side)) == side
        assert side.turned().turned() == side


@pytest.mark.parametrize("text", ["", "907", "09007", "09-7", "٠٩٠٧", "box"])
def test_what_is_no_hex_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a hex number"):
        parse_hex(text)


@pytest.mark.parametrize("text", ["0907/0909", "0907", "0907/0907", "0907/0908/0909"])
def test_what_is_no_hexside_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not"):
        parse_hexside(text)
