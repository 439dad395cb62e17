"""The Fall of Tobruk's board against the hexes and the rules that the rulebook gives, and against itself."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scenarios.coast import centre, on_land
from scenarios.data import Board, GameData
from scenarios.hexes import Hex, Hexside, distance, neighbours, parse_hex
from scenarios.loader import load_game

PRINTED = "0405 0511 0610 0611 0909 1113 1114 1123 1223 1912 2112"
"""The hexes that the order of battle names."""


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "fall-of-tobruk")


@pytest.fixture(scope="module")
def board(game: GameData) -> Board:
    return game.board


def hexes(text: str) -> set[Hex]:
    return {parse_hex(word) for word in text.split()}


def mined(board: Board, a: Hex, b: Hex) -> bool:
    return board.hexside("minefield", a, b) is not None


def found(board: Board, kind: str) -> dict[str, str]:
    return {f.name: str(f.hex) for features in board.features.values() for f in features if f.kind == kind}


def column(game: GameData, row: int) -> int:
    return next(int(line["column"]) for line in game.charts["line"] if line["row"] == row)


# -- what the rulebook tells of hexes ----------------------------------------------------------------------------------------------


def test_the_hexes_that_are_printed_are_land_and_brescia_is_together(board: Board) -> None:
    assert (board.columns, board.rows) == (34, 27)
    assert len(board.terrain) + len(board.sea) == 34 * 27
    assert hexes(PRINTED) <= board.terrain.keys()
    # both touch 0511 only if even columns are the low ones
    assert hexes("0610 0611") <= set(neighbours(parse_hex("0511")))
    assert distance(parse_hex("1113"), parse_hex("1114")) == 1


@pytest.mark.parametrize(
    ("one", "other", "miles"),
    [
        ("Gazala", "Bir Hacheim", 39),
        ("Gazala", "Tobruk", 36),
        ("Tobruk", "El Adem", 16),
        ("Tobruk", "Acroma", 16),
        ("El Adem", "Bir el Gubi", 22),
        ("El Adem", "Sidi Rezegh", 13),
        ("Bir Hacheim", "Bir el Gubi", 32),
        ("Knightsbridge", "El Adem", 15),
    ],
)
def test_places_are_as_far_apart_as_in_the_desert(board: Board, one: str, other: str, miles: int) -> None:
    """Two miles a hex; a place stands up to two hexes off, and a way by hexes is up to a seventh longer than the straight line."""
    assert miles / 2 - 2.5 <= distance(board.names[one.upper()], board.names[other.upper()]) <= miles / 2 * 1.16 + 1.5


def test_kinds_of_places(board: Board) -> None:
    assert found(board, "fortress") == {"Tobruk": "2803"}
    assert found(board, "village") == {"Gazala": "0702", "Acroma": "1906", "El Adem": "2610", "Bir Hacheim": "1120", "Bir el Gubi": "3021"}
    assert found(board, "box") == {
        "Knightsbridge": "1912",
        "150th Box": "1113",
        "69th Box": "0909",
        "151st Box": "0807",
        "1st SA Box": "0706",
        "2nd SA Box": "0704",
    }
    assert board.marks["held"] == {parse_hex("2803")}
    assert board.labels == {}


# -- sea and coast -----------------------------------------------------------------------------------------------------------------


def test_the_sea_lies_in_the_north_east(board: Board) -> None:
    assert min(at.col for at in board.sea) == 21
    assert max(at.row for at in board.sea) == 5
    assert parse_hex("2803") in board.terrain
    assert any(near in board.sea for near in neighbours(parse_hex("2803")))


def test_partial_sea_hexes_are_the_land_hexes_that_the_coast_cuts(board: Board) -> None:
    spots = [(x / 9, y / 9 / 2) for x in range(-6, 7) for y in range(-9, 10) if abs(x) <= 6 - abs(y) / 3]
    for at in board.terrain:
        x, y = centre(at)
        wet = sum(not on_land((x + 0.98 * dx + 0.0011, y + 0.98 * dy + 0.0007), board.lines["coast"]) for dx, dy in spots)
        assert (wet > 0) == board.marked("partial-sea", at), at
        assert wet <= len(spots) / 2, at
    assert len(board.marks["partial-sea"]) == 16


# -- mines and Boxes ---------------------------------------------------------------------------------------------------------------


def test_the_line_leaves_the_printed_axis_hexes_west_and_the_allied_ones_east(game: GameData, board: Board) -> None:
    west, east = hexes("0405 0511 0610 0611"), hexes("0909 1113 1114 1912 2112")
    assert all(at.col < column(game, at.row) for at in west)
    assert all(at.col >= column(game, at.row) for at in east)
    assert {at.row for at in board.terrain} == {row["row"] for row in game.charts["line"]}
    # two hexes off: no printed Axis hex of the north has a mined side, nor has any of its neighbours
    for at in west:
        for near in (at, *board.adjacent[at]):
            assert not [to for to in board.adjacent[near] if mined(board, near, to)], near
    # the line is the western edge of the mines, and then column 11
    assert all(mined(board, a, b) for a in board.terrain for b in board.adjacent[a] if _across(game, a, b) and max(a.row, b.row) <= 19)
    assert min(min(side.a.col, side.b.col) for side in board.hexsides["minefield"]) == 6
    assert {column(game, row) for row in range(13, 28)} == {11}


def _across(game: GameData, a: Hex, b: Hex) -> bool:
    return (a.col < column(game, a.row)) != (b.col < column(game, b.row))


def test_no_way_leads_round_the_belt_north_of_bir_hacheim(game: GameData, board: Board) -> None:
    """From the west edge the hexes east of the line are reached without crossing mines only round the south of Bir Hacheim."""
    open_, ahead = set(), [Hex(1, 10)]
    while ahead:
        at = ahead.pop()
        if at not in open_:
            open_.add(at)
            ahead += [to for to in board.adjacent[at] if not mined(board, at, to) and max(at.row, to.row) <= 20]
    assert all(at.col < column(game, at.row) for at in open_)
    assert not mined(board, parse_hex("1021"), parse_hex("1121"))


def test_a_box_is_one_or_two_hexes_wholly_ringed_by_mines(game: GameData, board: Board) -> None:
    boxes = [[parse_hex(text) for text in box["hexes"]] for box in game.charts["boxes"].values()]
    assert {len(box) for box in boxes} == {1, 2}
    for box in boxes:
        for at in box:
            assert len(neighbours(at)) == 6
            assert all(mined(board, at, to) != (to in box) for to in neighbours(at)), at
        assert len(box) == 1 or distance(*box) == 1
    listed = {at for box in boxes for at in box}
    assert hexes("0909 1113 1114 1120 1912") <= listed
    # no other hex is ringed by itself, and none with a neighbour
    ringed = {at for at in board.terrain if board.adjacent[at] and all(mined(board, at, to) for to in board.adjacent[at])}
    assert ringed == listed - hexes("1113 1114")
    assert set(found(board, "box").values()) <= {str(at) for at in listed}


def test_the_perimeter_of_tobruk_is_three_hexes_out_and_closed_on_land(board: Board) -> None:
    town = parse_hex("2803")
    within = {at for at in board.terrain if distance(at, town) <= 3}
    for at in within:
        for to in board.adjacent[at]:
            if to not in within:
                assert mined(board, at, to), (at, to)


# -- roads, escarpments, high ground -----------------------------------------------------------------------------------------------


def along(board: Board, chain: str, kind: str) -> bool:
    return all(Hexside(parse_hex(a), parse_hex(b)) in board.roads[kind] for a, b in pairwise(chain.split("-")))


def test_roads_lead_where_the_history_went(board: Board) -> None:
    assert along(board, "0602-0702-0802", "road")
    assert along(board, "2604-2704-2803-2804-2805-2806", "road")
    assert along(board, "2709-2710-2610", "road")
    assert along(board, "1112-1212-1312", "track")
    assert along(board, "1911-1912-1913", "track")
    assert not board.roads["road"] & board.roads["track"]
    edge = {str(at) for at in board.road_neighbours if at.col in (1, 34) or at.row == 27}
    assert edge == {"0102", "0114", "0118", "2427", "3407", "3412", "3423"}


def test_every_box_of_the_allies_has_a_road_or_track_through_its_mines(game: GameData, board: Board) -> None:
    for box in game.charts["boxes"].values():
        for text in box["hexes"]:
            at = parse_hex(text)
            assert any(mined(board, at, to) and board.joined(at, to) for to in board.adjacent[at]) or at == parse_hex("1114"), text


def test_escarpments_fall_one_way_and_leave_ways_up(board: Board) -> None:
    scarps = board.hexsides["escarpment"]
    assert "escarpment" in board.up_side
    assert "minefield" not in board.up_side
    assert not [side for side in scarps if side.turned() in scarps]
    upper, lower = {side.a for side in scarps}, {side.b for side in scarps}
    # those behind the coast, of Ed Duda and of Sidi Rezegh rise southwards, Hagiag er Raml northwards
    assert {parse_hex("1906"), parse_hex("3310")} <= upper
    for side in scarps:
        rises_north = 18 <= side.a.col <= 24 and side.a.row >= 10
        assert (centre(side.a)[1] < centre(side.b)[1]) == rises_north, side
    # every upper hex has a side that is no escarpment
    assert all(any(board.hexside("escarpment", at, to) is None for to in board.adjacent[at]) for at in upper | lower)


def test_high_ground_is_where_the_ridges_were(board: Board) -> None:
    assert set(board.terrain.values()) == {"clear", "high-ground"}
    high = {at for at, terrain in board.terrain.items() if terrain == "high-ground"}
    assert hexes("1413 1514 1910 0806 2910 3310") <= high
    assert len(high) == 28
    # nobody of the printed order of battle begins on it
    assert not high & hexes(PRINTED)
    heights = {parse_hex(at) for at in found(board, "height").values()}
    assert heights <= high


# -- edges -------------------------------------------------------------------------------------------------------------------------


def test_ways_in_and_out_are_the_edges(game: GameData, board: Board) -> None:
    entries, exits = game.charts["entries"], game.charts["exits"]
    edge = {str(at) for at in board.terrain if at.col == 34}
    assert set(entries["east"]["hexes"]) == set(entries["tobruk-or-east"]["hexes"]) == set(exits["east"]["hexes"]) == edge
    assert "3406" in edge
    assert "3405" not in edge
    assert entries["tobruk-or-east"]["inland"] == ["2803"]
    west = {str(at) for at in board.terrain if at.col == 1 or (at.row == 1 and at.col < column(game, 1))}
    assert set(entries["axis-edge"]["hexes"]) == west
    assert len(west) == 27 + 5
