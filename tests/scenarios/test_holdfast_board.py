"""Holdfast's board against geography and against what the rulebook says or shows of its own."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scenarios.coast import centre, on_land
from scenarios.data import Board
from scenarios.hexes import Hex, distance, neighbours, parse_hex
from scenarios.loader import load_game


@pytest.fixture(scope="module")
def board() -> Board:
    return load_game(None, "holdfast").board


def road_distance(board: Board, start: Hex, goal: Hex, closed: frozenset[Hex] = frozenset()) -> int | None:
    """Road hexes after ``start`` on the shortest way by road; None if there is none."""
    reached, ahead = {start: 0}, [start]
    for at in ahead:
        for other in board.road_neighbours[at]:
            if other not in reached and other not in closed:
                reached[other] = reached[at] + 1
                ahead.append(other)
    return reached.get(goal)


def zoc(board: Board, at: Hex, armor: bool) -> frozenset[Hex]:
    """Hexes that a unit at ``at`` controls."""
    return frozenset(
        other
        for other in board.adjacent[at]
        if not armor or board.hexside("escarpment", at, other) is None or board.hexside("pass", at, other) is not None
    )


def supply(board: Board, unit: Hex, enemies: dict[Hex, bool], friends: frozenset[Hex]) -> bool:
    """Whether an Axis unit traces to El Agheila. ``enemies``: hex -> armor."""
    shut = (frozenset().union(*(zoc(board, at, armor) for at, armor in enemies.items())) - friends - {unit}) | enemies.keys()
    reached, ahead = {unit: 0}, [unit]
    for at in ahead:
        if at in board.road_neighbours and road_distance(board, at, board.names["EL AGHEILA"], shut) is not None:
            return True
        for other in board.adjacent[at] if reached[at] < 7 else ():
            if other not in reached and other not in shut:
                reached[other] = reached[at] + 1
                ahead.append(other)
    return False


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("TOBRUK", "ACROMA", 1),
        ("TOBRUK", "EL ADEM", 1),
        ("TOBRUK", "GAZALA", 2),
        ("TOBRUK", "BARDIA", 4),
        ("BARDIA", "SOLLUM", 1),
        ("BENGHAZI", "AGEDABIA", 5),
        ("EL AGHEILA", "ALEXANDRIA", 37),
        ("EL ALAMEIN", "ALEXANDRIA", 4),
    ],
)
def test_places_are_as_far_apart_as_they_are(board: Board, a: str, b: str, hexes: int) -> None:
    assert distance(board.names[a], board.names[b]) == hexes


def test_the_sheet_is_40_by_14(board: Board) -> None:
    assert (board.columns, board.rows) == (40, 14)
    assert all(1 <= at.col <= 40 and 1 <= at.row <= 14 for at in [*board.terrain, *board.sea])
    assert not board.sea & board.terrain.keys()
    barred = 40 * 14 - len(board.terrain) - len(board.sea)
    assert 20 <= barred <= 40  # the Qattara Depression


def test_the_coast_road_is_as_long_as_the_strategic_move_needs(board: Board) -> None:
    agheila = board.names["EL AGHEILA"]
    lengths = {name: road_distance(board, agheila, board.names[name]) for name in ("BENGHAZI", "TOBRUK", "MERSA MATRUH", "ALEXANDRIA")}
    assert lengths == {"BENGHAZI": 9, "TOBRUK": 23, "MERSA MATRUH": 34, "ALEXANDRIA": 44}  # 11.1r, 11.1s: 32 and 34 both end on the road


def test_the_coast_road_is_one_and_passes_all_its_places(board: Board) -> None:
    for name in ("EL AGHEILA", "AGEDABIA", "BARCE", "DERNA", "GAZALA", "ACROMA", "BARDIA", "SOLLUM", "SIDI BARRANI", "EL ALAMEIN"):
        assert road_distance(board, board.names["ALEXANDRIA"], board.names[name]) is not None
    for name in ("MSUS", "MECHILI", "BIR HACHEIM", "SIWA"):
        assert board.names[name] not in board.road_neighbours


def test_the_road_westward_goes_through_acroma(board: Board) -> None:
    shut = frozenset({board.names["ACROMA"]})
    assert road_distance(board, board.names["TOBRUK"], board.names["EL AGHEILA"], shut) is None


def test_roads_go_round_tobruk_and_bardia_but_not_benghazi(board: Board) -> None:
    west, east = board.names["EL AGHEILA"], board.names["ALEXANDRIA"]
    assert road_distance(board, west, east, frozenset({board.names["TOBRUK"], board.names["BARDIA"]})) == 44
    assert road_distance(board, west, east, frozenset({board.names["BENGHAZI"]})) is None


def test_five_fortified_cities_with_escarpment_sides_and_a_way_in_for_armor(board: Board) -> None:
    cities = sorted(at for at, kind in board.terrain.items() if kind == "fortified-city")
    assert [board.name_of(at) for at in cities] == ["El Agheila", "Benghazi", "Tobruk", "Bardia", "Alexandria"]
    for at in cities:
        assert board.kinds_at(at) == {"fortified-city"}
        sides = [board.hexside("escarpment", at, other) for other in board.adjacent[at]]
        assert any(sides)  # 14c
        assert not all(sides)
        assert zoc(board, at, armor=True) < zoc(board, at, armor=False)  # 14f, 14g


def test_villages_and_cities_of_the_terrain_are_the_places_of_that_kind(board: Board) -> None:
    for kind in ("village", "fortified-city"):
        by_terrain = {at for at, terrain in board.terrain.items() if terrain == kind}
        assert by_terrain == {at for at in board.features if kind in board.kinds_at(at)}
    assert board.terrain[board.names["ACROMA"]] == "village"


def test_passes_are_the_escarpment_sides_that_a_road_crosses(board: Board) -> None:
    crossed = {side for side in board.hexsides["escarpment"] if board.joined(*side)}
    assert crossed == board.hexsides["pass"]
    assert sorted(map(str, crossed)) == ["0703/0603", "1804/1704", "2205/2306"]
    assert board.up_side == {"escarpment", "pass"}


def test_armor_at_el_adem_cuts_acroma_through_the_pass(board: Board) -> None:
    reached = zoc(board, board.names["EL ADEM"], armor=True)
    assert board.names["ACROMA"] in reached
    assert board.names["TOBRUK"] not in reached


def test_a_unit_can_be_cut_off_at_acroma_by_one_armor(board: Board) -> None:
    """The position of 12q: one armor, its ZOC through the pass, no way round within seven hexes."""
    unit, armor = parse_hex("1904"), board.names["EL ADEM"]
    assert supply(board, unit, {}, frozenset())
    assert not supply(board, unit, {armor: True}, frozenset())
    assert supply(board, unit, {armor: True}, frozenset({board.names["ACROMA"]}))  # a friend there cancels the ZOC


def test_a_unit_can_trace_through_two_friends_in_enemy_zoc(board: Board) -> None:
    """The position of 12r: take away either friend and the chain is cut."""
    centor, littorio, pavia = parse_hex("1904"), board.names["TOBRUK"], board.names["ACROMA"]
    enemies = {board.names["EL ADEM"]: False, parse_hex("2005"): True}
    assert supply(board, centor, enemies, frozenset({littorio, pavia}))
    assert not supply(board, centor, enemies, frozenset({littorio}))
    assert not supply(board, centor, enemies, frozenset({pavia}))


def test_the_line_at_el_alamein_is_two_hexes_long(board: Board) -> None:
    alamein = board.names["EL ALAMEIN"]
    assert Hex(35, 7) in board.sea
    assert board.terrain[alamein] == "village"
    assert board.terrain[Hex(35, 9)] == "clear"
    assert Hex(35, 10) not in board.terrain


def test_every_hex_that_can_be_entered_hangs_together(board: Board) -> None:
    reached, ahead = {board.names["EL AGHEILA"]}, [board.names["EL AGHEILA"]]
    for at in ahead:
        new = set(board.adjacent[at]) - reached
        reached |= new
        ahead.extend(sorted(new))
    assert reached == board.terrain.keys()


def test_the_coast_is_one_line_from_edge_to_edge_with_roads_on_land(board: Board) -> None:
    (coast,) = board.lines["coast"]
    assert (coast[0][0], coast[-1][0]) == (0.33, 40.67)
    for side in board.roads["road"]:
        (x1, y1), (x2, y2) = centre(side.a), centre(side.b)
        for part in range(9):
            assert on_land((x1 + (x2 - x1) * part / 8, y1 + (y2 - y1) * part / 8), board.lines["coast"]), side
    assert all(abs(x1 - x2) < 1.5 and abs(y1 - y2) < 1.5 for (x1, y1), (x2, y2) in pairwise(coast))


def test_the_coast_tells_land_from_sea_on_both_sides() -> None:
    eastward = (((0.0, 5.0), (10.0, 5.0)),)
    assert on_land((5.0, 6.0), eastward)
    assert not on_land((5.0, 4.0), eastward)
    westward = (((10.0, 5.0), (0.0, 5.0)),)
    assert not on_land((5.0, 6.0), westward)
    island = (((4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0), (4.0, 4.0)),)
    assert on_land((5.0, 5.0), island)
    assert not on_land((7.0, 5.0), island)
    assert not on_land((5.0, 9.0), island)


def test_neighbours_off_the_map_are_not_adjacent(board: Board) -> None:
    corner = Hex(40, 14)
    assert set(board.adjacent[corner]) == set(neighbours(corner)) & board.terrain.keys()
    assert len(board.adjacent[corner]) == 2
