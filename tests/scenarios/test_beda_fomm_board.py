"""Beda Fomm's board against the hexes and distances that the rulebook gives."""

from __future__ import annotations

from math import hypot, sqrt

import pytest

from scenarios.coast import centre
from scenarios.data import Board, GameData
from scenarios.hexes import Hex, neighbours, parse_hex
from scenarios.loader import load_game


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "beda-fomm")


@pytest.fixture(scope="module")
def board(game: GameData) -> Board:
    return game.board


def along(board: Board, kind: str, start: str) -> dict[Hex, int]:
    """Hexes of a road or trail -> steps from ``start``, by that kind alone."""
    reached, ahead = {parse_hex(start): 0}, [parse_hex(start)]
    for at in ahead:
        for other in sorted(side.b for side in board.roads[kind] if side.a == at):
            if other not in reached:
                reached[other] = reached[at] + 1
                ahead.append(other)
    return reached


def miles(*hexes: str) -> tuple[float, float]:
    """The middle of some hexes, in miles east and south (a mile from centre to centre)."""
    points = [centre(parse_hex(text)) for text in hexes]
    return sum(x for x, _ in points) / len(points) * sqrt(3) / 2, sum(y for _, y in points) / len(points)


def apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return round(hypot(a[0] - b[0], a[1] - b[1]), 1)


def test_the_named_hexes_are_on_the_land_and_what_the_rulebook_shows(board: Board) -> None:
    assert (board.columns, board.rows) == (33, 40)
    kinds = {text: board.terrain[parse_hex(text)] for text in ("0901", "2001", "2731", "1631", "1732", "1823", "1923")}
    dunes, pimple = dict.fromkeys(("1631", "1732"), "sand-dunes"), dict.fromkeys(("1823", "1923"), "undulating")
    assert kinds == dict.fromkeys(("0901", "2001", "2731"), "clear") | dunes | pimple
    assert set(board.terrain.values()) == {"clear", "undulating", "sand-dunes"}
    # the two hexes of the roadblock, and those of the Pimple, are neighbours: even columns are low
    assert parse_hex("1732") in neighbours(parse_hex("1631"))
    assert parse_hex("1923") in neighbours(parse_hex("1823"))


def test_distances_on_the_grid() -> None:
    roadblock, pimple = miles("1631", "1732"), miles("1823", "1923")
    assert apart(miles("0901"), roadblock) == 31.4
    assert apart(pimple, roadblock) == 8.7
    assert apart(miles("2731"), roadblock) == 9.1
    assert apart(miles("2001"), miles("0901")) == 9.5


def test_the_road_runs_from_0901_past_the_pimple_and_the_roadblock_to_the_south_edge(board: Board) -> None:
    steps = along(board, "road", "0901")
    assert steps == {at: k for k, at in enumerate(sorted(steps, key=lambda at: steps[at]))}  # one line, without a branch
    assert (steps[parse_hex("1732")], steps[parse_hex("1740")]) == (35, 43)
    assert steps.keys() == {side.a for side in board.roads["road"]}
    assert any(pimple in neighbours(at) for at in steps for pimple in (parse_hex("1823"),))
    assert not steps.keys() & board.sea
    # 6 MP are twelve hexes with the one that is entered: three turns bring the head of the column to the 36th, the roadblock
    assert (sorted(steps, key=lambda at: steps[at])[11], sorted(steps, key=lambda at: steps[at])[35]) == (Hex(11, 11), Hex(17, 32))


def test_the_sea_lies_in_the_west_and_the_east_is_open(board: Board) -> None:
    assert len(board.terrain) + len(board.sea) == 33 * 40
    for row in range(1, 41):
        shore = min(col for col in range(1, 34) if Hex(col, row) in board.terrain)
        assert all((Hex(col, row) in board.sea) == (col < shore) for col in range(1, 34)), row
        assert all(Hex(col, row) in board.terrain for col in range(15, 34))
    assert max(at.col for at in board.sea) == 12
    # dunes between the roadblock and the sea: nobody there is seen from afar
    assert {board.terrain[Hex(col, 31)] for col in (13, 14, 15, 16)} == {"sand-dunes"}


def test_ways_in_and_out_lie_on_their_edges(game: GameData, board: Board) -> None:
    ways, south = game.charts["entries"], game.charts["exits"]["south"]
    north = {at for kind in board.roads for at in along(board, kind, "0901") if at.row == 1}
    north |= {side.a for side in board.roads["trail"] if side.a.row == 1}
    assert {str(at) for at in north} == {"0501", "0901", "1401", "2001", "2601"}
    assert (ways["road"]["hexes"], ways["bignami"]["hexes"]) == (["0901"], ["2001"])
    assert set(ways["road"]["delayed"]) == {str(at) for at in north} - {"0901"}
    assert set(ways["bignami"]["delayed"]) == {str(at) for at in north}
    assert ways["east"]["hexes"] == [f"33{row:02d}" for row in range(1, 41)]
    assert south["hexes"] == [str(at) for at in sorted(board.terrain) if at.row == 40]
    assert south["path"] == [str(at) for at in sorted(board.road_neighbours) if at.row == 40] == ["1740"]


def test_trails_lead_from_the_edges_to_the_road(board: Board) -> None:
    trails = {side.a for side in board.roads["trail"]}
    assert {str(at) for at in trails if at.col == 33} == {"3323", "3328"}
    assert parse_hex("2731") in trails
    assert {parse_hex("1722"), parse_hex("1732")} <= trails & along(board, "road", "0901").keys()
    assert not board.roads["road"] & board.roads["trail"]
