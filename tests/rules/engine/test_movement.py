"""Reach, cheapest ways and path costs on an endless clear board."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import Hex, distance, neighbours, parse_hex
from services.rules.engine.movement import Reach, cheapest_path, path_cost, reachable, way

CENTRE = Hex(20, 20)


def clear(_at, _to):
    return 1


def h(text):
    return tuple(parse_hex(word) for word in text.split())


@given(st.integers(2, 30), st.integers(2, 30), st.integers(0, 6))
@settings(max_examples=30, deadline=None)
def test_reach_on_clear_terrain_is_distance(col, row, allowance):
    start = Hex(col, row)
    found = reachable(start, allowance, neighbours, clear)
    assert len(found) == 1 + 3 * allowance * (allowance + 1)
    for at, reach in found.items():
        assert reach.cost == reach.hexes == distance(start, at) == len(way(found, at))


def test_entry_cost_depends_on_both_hexes_and_none_bars():
    one, two = h("0101 0102")
    cost = {(one, two): 3, (two, one): None}
    assert reachable(one, 3, neighbours, lambda a, b: cost.get((a, b)))[two] == Reach(3, 1, one)
    assert set(reachable(two, 9, neighbours, lambda a, b: cost.get((a, b)))) == {two}


def test_exact_halves_add_up():
    found = reachable(CENTRE, 1, neighbours, lambda a, b: Fraction(1, 2))
    assert max(distance(CENTRE, at) for at in found) == 2


def test_a_must_stop_hex_is_entered_and_not_left():
    ring = set(neighbours(CENTRE))
    found = reachable(CENTRE, 5, neighbours, clear, ring.__contains__)
    assert set(found) == ring | {CENTRE}
    assert len(reachable(next(iter(ring)), 1, neighbours, clear, ring.__contains__)) == 7  # it does not hold a mover at its start


def test_ties_go_to_fewer_hexes_then_to_the_lower_hex():
    # From 2020 to 2022 there are one straight way (2021) and bent ones; with 2021 barred two of three hexes are left.
    goal = Hex(20, 22)
    assert cheapest_path(CENTRE, goal, neighbours, clear).path == h("2021 2022")
    around = cheapest_path(CENTRE, goal, neighbours, lambda a, b: None if b == Hex(20, 21) else 1)
    assert (around.path, around.cost) == (h("1921 1922 2022"), 3)
    # Equal cost: one dear step beats two cheap ones.
    dear = cheapest_path(CENTRE, Hex(20, 21), neighbours, lambda a, b: 2 if b == Hex(20, 21) and a == CENTRE else 1)
    assert (dear.path, dear.cost) == (h("2021"), 2)


def test_via_only_and_allowance():
    goal = Hex(20, 22)
    by = cheapest_path(CENTRE, goal, neighbours, clear, via=h("2121"))
    assert (by.path, by.cost) == (h("2121 2021 2022"), 3)
    assert cheapest_path(CENTRE, goal, neighbours, clear, via=h("2121"), allowance=2) is None
    column = cheapest_path(CENTRE, goal, neighbours, clear, only=lambda a, b: a.col == b.col)
    assert column.path == h("2021 2022")
    assert cheapest_path(CENTRE, Hex(21, 20), neighbours, clear, only=lambda a, b: a.col == b.col, allowance=9) is None
    assert cheapest_path(CENTRE, goal, neighbours, clear, h("2021").__contains__, via=h("2021")) is None
    assert cheapest_path(CENTRE, CENTRE, neighbours, clear).path == ()


@pytest.mark.parametrize(
    ("path", "allowance", "stop", "broken", "why", "cost"),
    [
        ("2021 2022", 2, "", None, None, 2),
        ("2021 2023", 9, "", 1, "not-adjacent", 1),
        ("2021 2022", 1, "", 1, "too-far", 2),
        ("2021 2022", 9, "2021", 1, "must-stop", 1),
        ("2019 2018", 9, "", 1, "barred", 1),
        ("", 0, "", None, None, 0),
    ],
)
def test_path_cost_says_where_and_why_it_breaks_off(path, allowance, stop, broken, why, cost):
    found = path_cost(CENTRE, h(path), allowance, neighbours, lambda a, b: None if b == Hex(20, 18) else 1, h(stop).__contains__)
    assert (found.broken, found.why, found.cost) == (broken, why, cost)


@given(st.lists(st.sampled_from(range(6)), min_size=1, max_size=8), st.dictionaries(st.sampled_from(range(6)), st.integers(1, 4)))
@settings(max_examples=60, deadline=None)
def test_the_cheapest_path_is_never_dearer_than_a_given_one(turns, price):
    def cost(at, to):
        return price.get(neighbours(at).index(to), 1)

    path, at = [], CENTRE
    for turn in turns:
        at = neighbours(at)[turn]
        path.append(at)
    best = cheapest_path(CENTRE, at, neighbours, cost)
    given_ = path_cost(CENTRE, path, None, neighbours, cost)
    assert best.cost <= given_.cost
    assert path_cost(CENTRE, best.path, None, neighbours, cost).cost == best.cost
