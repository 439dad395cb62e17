"""ZOC, stacking, supply, retreat, arrivals: small functions against positions drawn by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import Box, Hex, distance, neighbours, parse_hex
from services.rules.engine.arrivals import Due, due
from services.rules.engine.model import Counter
from services.rules.engine.retreat import ends_of, retreat_routes
from services.rules.engine.stacking import over_limit
from services.rules.engine.supply import connected, trace, within
from services.rules.engine.zoc import hexes_in_zoc, projected_by


def h(text):
    return [parse_hex(word) for word in text.split()]


def unit(name, place):
    return Counter(name, "axis", name, place)


def test_zoc_stops_where_the_game_says():
    inf, arm, away = unit("I", Hex(5, 5)), unit("A", Hex(9, 5)), unit("P", Box("pool"))
    cliff = {(Hex(9, 5), Hex(9, 4))}

    def crosses(who, at, to):
        return who.id == "I" or (at, to) not in cliff

    assert projected_by(inf, neighbours, crosses) == set(neighbours(Hex(5, 5)))
    assert projected_by(arm, neighbours, crosses) == set(neighbours(Hex(9, 5))) - {Hex(9, 4)}
    assert projected_by(away, neighbours, crosses) == frozenset()
    assert len(hexes_in_zoc([inf, arm, away], neighbours, crosses)) == 11


def test_over_limit_gives_the_surplus_by_place():
    here, there = Hex(1, 1), Hex(2, 2)
    counters = [unit("A", here), unit("B", here), unit("C", there), unit("D", Box("pool")), unit("E", Box("pool"))]
    assert over_limit(counters, lambda c: 1, lambda p: 1 if isinstance(p, Hex) else None) == {here: 1}


def test_trace_counts_hexes_entered_and_the_start_is_free():
    start, ends = Hex(5, 5), set(h("0508"))
    assert trace(start, ends.__contains__, 3, neighbours, lambda at: at != start) == (Hex(5, 6), Hex(5, 7), Hex(5, 8))
    assert trace(start, ends.__contains__, 2, neighbours, lambda at: True) is None
    assert trace(start, {start}.__contains__, 0, neighbours, lambda at: False) == ()
    assert trace(start, ends.__contains__, 9, neighbours, lambda at: at != Hex(5, 8)) is None
    wall = set(neighbours(start))
    assert trace(start, ends.__contains__, 9, neighbours, lambda at: at not in wall) is None
    assert trace(start, lambda at: False, 2, neighbours, lambda at: True) is None


def test_trace_without_limit_goes_round():
    inside = {Hex(c, r) for c in range(1, 8) for r in range(1, 8)}
    line = trace(Hex(1, 1), {Hex(7, 1)}.__contains__, None, neighbours, lambda at: (at in inside and at.col != 4) or at == Hex(4, 7))
    assert Hex(4, 7) in line


@given(st.sets(st.tuples(st.integers(1, 7), st.integers(1, 7)), max_size=20), st.integers(1, 7), st.integers(1, 7), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_one_flood_agrees_with_single_traces(blocked, col, row, limit):
    board = {Hex(c, r) for c in range(1, 8) for r in range(1, 8)}
    shut = {Hex(c, r) for c, r in blocked}

    def open_to(at):
        return at in board and at not in shut

    targets = {at for at in h("0101 0404 0707") if open_to(at)}
    start = Hex(col, row)
    by_trace = trace(start, targets.__contains__, limit, neighbours, open_to) is not None
    assert (start in within(targets, limit, neighbours, open_to)) == by_trace


def test_a_flood_goes_so_far_and_not_on_through_a_closed_hex():
    line = {Hex(n, 1): [Hex(n - 1, 1), Hex(n + 1, 1)] for n in range(1, 10)}

    def flood(limit, shut=()):
        return within([Hex(5, 1)], limit, lambda at: line.get(at, ()), lambda at: at in line and at not in shut)

    assert flood(0) == {Hex(5, 1)}
    assert flood(2) == {Hex(n, 1) for n in range(3, 8)}
    assert flood(2, [Hex(4, 1)]) == {Hex(n, 1) for n in range(4, 8)}


def test_a_net_breaks_at_a_closed_hex_and_a_closed_source_feeds_nothing():
    road = {Hex(n, 1): [Hex(n - 1, 1), Hex(n + 1, 1)] for n in range(1, 10)}

    def net(shut, *sources):
        return connected(sources, lambda at: road.get(at, ()), lambda at: at in road and at != shut)

    assert net(Hex(5, 1), Hex(1, 1)) == {Hex(n, 1) for n in range(1, 5)}
    assert net(Hex(1, 1), Hex(1, 1)) == frozenset()
    assert net(Hex(5, 1), Hex(1, 1), Hex(9, 1)) == {Hex(n, 1) for n in range(1, 10) if n != 5}


@pytest.mark.parametrize(("length", "ends"), [(1, 6), (2, 12), (3, 18)])
def test_retreats_end_exactly_so_far_away(length, ends):
    start = Hex(10, 10)
    routes = retreat_routes(start, length, neighbours, lambda a, b: True)
    assert len(ends_of(routes)) == ends
    assert all(distance(start, at) == n for route in routes for n, at in enumerate(route, 1))
    assert len(set(routes)) == len(routes)


def test_barred_sides_hexes_and_ends_of_a_retreat():
    start = Hex(10, 10)
    south = Hex(10, 11)
    only_south = retreat_routes(start, 2, neighbours, lambda a, b: a != start or b == south)
    assert ends_of(only_south) == (Hex(9, 12), Hex(10, 12), Hex(11, 12))
    assert retreat_routes(start, 2, neighbours, lambda a, b: a == start) == ()
    assert retreat_routes(start, 2, neighbours, lambda a, b: a != start or b == south, lambda at: at == Hex(10, 12)) == (
        (south, Hex(10, 12)),
    )


def test_arrivals_in_the_order_of_the_track_with_those_held_back_first():
    track = {3: ["15PZ"], 9: ["TRIESTE", "FASC"], 11: ["90"]}
    assert due(track, 9, ["FASC", "15PZ", "90"]) == (Due("15PZ", 3, True), Due("FASC", 9, False))
    assert due(track, 2, ["15PZ"]) == ()
