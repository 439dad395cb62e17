"""Race for Tunis's board against the hexes, neighbours and distances that the rulebook gives, and against itself."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest

from scenarios.coast import centre, on_land
from scenarios.data import Board, GameData
from scenarios.hexes import Hex, distance, neighbours, parse_hex
from scenarios.loader import load_game

Point = tuple[float, float]


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "race-for-tunis")


@pytest.fixture(scope="module")
def board(game: GameData) -> Board:
    return game.board


def hexes(text: str) -> set[Hex]:
    return {parse_hex(word) for word in text.split()}


def kinds(board: Board, text: str) -> set[str]:
    return {board.terrain[at] for at in hexes(text)}


def found(board: Board, kind: str) -> set[str]:
    return {str(f.hex) for features in board.features.values() for f in features if f.kind == kind}


# -- what the rulebook tells of hexes ----------------------------------------------------------------------------------------------


def test_named_hexes_bear_their_names_and_touch_whom_the_rulebook_says(board: Board) -> None:
    assert (board.columns, board.rows) == (23, 25)
    told = {
        "Bizerta": "0216",
        "Medjez el Bab": "1215",
        "Kairouan": "2305",
        "Longstop Hill": "1116",
        "Tebourba Gap": "0915",
        "Karachoum Gap": "2009",
        "Djebel Mansour": "1813",
        "Djebel Bou Krill": "1810",
        "Djebel Bou Dabouss": "2208",
        "Djebel Hadjdar": "2109",
        "Djebel Bargou": "2011",
    }
    assert {name: str(board.names[name.upper()]) for name in told} == told
    # 1217 of the example is 1216; these hold only if even columns are the low ones
    assert hexes("1214 1315 1116 1216") <= set(neighbours(parse_hex("1215")))
    assert parse_hex("1217") not in neighbours(parse_hex("1215"))
    assert hexes("1713 1714 1812") <= set(neighbours(parse_hex("1813")))
    assert parse_hex("1811") not in neighbours(parse_hex("1813"))
    assert [distance(parse_hex(a), parse_hex(b)) for a, b in pairwise(("1811", "1812", "1713", "1714"))] == [1, 1, 1]
    # the gap lies south-west of Tebourba, the Stuarts' hex of 1 December north of it
    assert hexes("0815 0915") <= set(neighbours(parse_hex("0814")))


def test_bargou_is_where_the_errata_put_it(board: Board) -> None:
    assert board.name_of(parse_hex("2011")) == "Dj. Bargou"
    assert parse_hex("1712") not in board.features
    assert not {name for name in board.names if "HALFA" in name or "HAIFA" in name}


def test_ground_that_the_rulebook_tells_of(board: Board) -> None:
    assert set(board.terrain.values()) == {"clear", "high-ground", "rugged-crest", "swamp", "wadi", "city"}
    assert kinds(board, "1214 1315 1713 1714 1812") == {"clear"}
    assert kinds(board, "1215 1811") == {"wadi"}
    assert kinds(board, "0711 0216") == {"city"}
    assert list(board.terrain.values()).count("city") == 2
    # no road shortens the way of the worked example, and none of its steps climbs a cliff
    assert not hexes("1811 1812 1713 1714") & board.road_neighbours.keys()
    assert not [side for side in board.hexsides["cliff"] if parse_hex("1813") in side]


def test_every_hex_of_a_set_up_or_objective_is_land(game: GameData, board: Board) -> None:
    named = {row["hex"] for scenario in game.scenarios.values() for row in scenario.tables["setup"]}
    named |= {row["hex"] for row in game.charts["objectives"].values()}
    named |= {"0815", "0919", "0923", "1013", "1712", "1801", "2317"}
    assert {parse_hex(text) for text in named} <= board.terrain.keys()


@pytest.mark.parametrize(
    ("one", "other", "miles"),
    [
        ("Tunis", "Bizerta", 37),
        ("Tunis", "Medjez el Bab", 33),
        ("Medjez el Bab", "Beja", 25),
        ("Beja", "Djebel Abiod", 18),
        ("Mateur", "Bizerta", 20),
        ("Tebourba", "Tunis", 19),
        ("Pont du Fahs", "Robaa", 19),
        ("Enfidaville", "Kairouan", 35),
        ("Le Kef", "Teboursouk", 36),
        ("Tunis", "Kairouan", 78),
    ],
)
def test_places_are_as_far_apart_as_in_tunisia(board: Board, one: str, other: str, miles: int) -> None:
    """Five miles a hex; a place stands up to a hex off, and a way by hexes is up to a seventh longer than the straight line."""
    assert miles / 5 - 1.5 <= distance(board.names[one.upper()], board.names[other.upper()]) <= miles / 5 * 1.16 + 1


def test_kinds_of_places(board: Board) -> None:
    assert found(board, "city") == found(board, "port") == {"0711", "0216"}
    assert found(board, "all-weather-airfield") == {"0610", "0317", "0813"}
    assert found(board, "airfield") == {"2305", "1923"}
    assert found(board, "town") == {"1215", "1910", "1410", "1718", "2305", "0617", "0814", "2321", "1505", "1320"}
    assert len(found(board, "village")) == 23
    assert found(board, "djebel") == {
        "1116",
        "2011",
        "1813",
        "1810",
        "2208",
        "2109",
        "0719",
        "0919",
        "0913",
        "1114",
        "1909",
        "1308",
        "2212",
        "2221",
        "0518",
    }
    assert kinds(board, "1813 1810 2208 2109 2011") == {"rugged-crest"}


# -- coast, wadis, bridges ---------------------------------------------------------------------------------------------------------


def test_the_sheet_is_turned_and_the_sea_lies_left_and_above(board: Board) -> None:
    assert len(board.terrain) + len(board.sea) == 23 * 25
    assert {at for at in board.sea if at.col > 17} == set()
    # the lower edge is the west: land from the shore by Tabarka on
    assert min(at.col for at in board.terrain if at.row == 25) == 11
    # two lakes: sea hexes with land all round
    lakes = {str(at) for at in board.sea if all(n in board.terrain for n in neighbours(at))}
    assert lakes == {"0316", "0417"}


def test_coastal_hexes_are_the_land_hexes_that_the_coast_cuts(board: Board) -> None:
    coast = [line for line in board.lines["coast"] if line[0] != line[-1]]
    spots = [(x / 9, y / 9 / 2) for x in range(-6, 7) for y in range(-9, 10) if abs(x) <= 6 - abs(y) / 3]
    marked = board.marks["coastal"]
    by_the_sea = {near for at in board.sea for near in neighbours(at)}
    by_the_sea |= {near for at in by_the_sea for near in neighbours(at)}
    assert marked <= by_the_sea
    for at in sorted(by_the_sea & board.terrain.keys()):
        x, y = centre(at)
        wet = sum(not on_land((x + 0.98 * dx + 0.0011, y + 0.98 * dy + 0.0007), coast) for dx, dy in spots)
        assert (wet > 0) == (at in marked), at
        assert wet <= len(spots) * 0.8, at
    assert len(marked) == 37


def _between(a: Point, b: Point) -> Iterable[Point]:
    return [(a[0] + (b[0] - a[0]) * k / 8, a[1] + (b[1] - a[1]) * k / 8) for k in range(9)]


def crossings(board: Board, a: Point, b: Point) -> int:
    """How often the wadis cross the straight line from a to b."""

    def turn(p: Point, q: Point, r: Point) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    pieces = [piece for line in board.lines["wadi"] for piece in pairwise(line)]
    return sum(turn(a, b, p) != turn(a, b, q) and turn(p, q, a) != turn(p, q, b) for p, q in pieces)


def spoke(at: Hex, other: Hex) -> tuple[Point, Point]:
    """From the centre of a hex to the middle of its side towards another."""
    (x, y), (u, v) = centre(at), centre(other)
    return (x, y), ((x + u) / 2, (y + v) / 2)


def test_wadi_lines_run_through_the_wadi_hexes(board: Board) -> None:
    points = [spot for line in board.lines["wadi"] for a, b in pairwise(line) for spot in _between(a, b)]
    for at, terrain in board.terrain.items():
        x, y = centre(at)
        near = min(((x - u) * 0.866) ** 2 + (y - v) ** 2 for u, v in points) ** 0.5
        assert near < 0.35 if terrain == "wadi" else near > 0.3 or terrain == "swamp", at


def test_a_bridge_is_where_a_road_crosses_a_wadi_and_every_wadi_hex_with_a_road_has_one(board: Board) -> None:
    bridges = board.marks["bridge"]
    assert bridges == {at for at in board.road_neighbours if board.terrain[at] == "wadi"}
    crossed = {at for at, others in board.road_neighbours.items() if any(crossings(board, *spoke(at, other)) for other in others)}
    assert {at for at in crossed if board.terrain[at] == "wadi"} == bridges
    assert hexes("1215 0813 1022 1410") <= bridges
    assert len(bridges) == 17


def test_the_far_bank_of_each_place_in_a_wadi_hex(board: Board) -> None:
    """The wadi runs between a place and its neighbour if the line from one to the other crosses it (17.1.A)."""
    built = {"town", "village", "city"}
    far = {(side.a, side.b) for side in board.hexsides["far-bank"]}
    seen = set()
    for at in board.terrain:
        if board.terrain[at] == "wadi" and board.kinds_at(at) & built:
            seen.add(str(at))
            for other in board.adjacent[at]:
                across = crossings(board, *spoke(at, other)) % 2 == 1
                if board.terrain[other] != "wadi":
                    assert ((at, other) in far) == across, (at, other)
    assert seen == {str(a) for a, _ in far} == {"0617", "0709", "0813", "1022", "1215", "1410", "1416", "1923", "2214"}
    assert {str(b) for a, b in far if a == parse_hex("1215")} == {"1214", "1315"}


# -- roads and cliffs --------------------------------------------------------------------------------------------------------------


def along(board: Board, chain: str, kind: str) -> bool:
    return all(parse_hex(b) in {side.b for side in board.roads[kind] if side.a == parse_hex(a)} for a, b in pairwise(chain.split("-")))


def test_roads_lead_where_the_history_went(board: Board) -> None:
    assert along(board, "1215-1214-1213-1113-1013-1012-0912-0811-0711", "road")  # Massicault, by the hex of III/5 Para
    assert along(board, "1215-1116-1015-0915-0814", "dirt-road")  # by Longstop Hill and the Tebourba Gap
    assert along(board, "0814-0813-0812-0712-0711", "road")
    assert along(board, "1225-1224-1124-1123-1022-0922-0821-0820-0819-0818-0718-0617", "road")
    assert along(board, "2110-2009-2008-2108", "dirt-road")  # the Karachoum Gap
    assert not board.roads["road"] & board.roads["dirt-road"]


def test_roads_reach_the_edges_and_all_objectives(game: GameData, board: Board) -> None:
    on_edge = {str(at) for at in board.road_neighbours if at.row == 25}
    assert on_edge == {str(at) for at in board.marks["entry-road"]} == {"1225", "2125", "2225"}
    assert game.charts["entries"]["west"]["hexes"] == sorted(on_edge)
    assert game.charts["entries"]["west"]["delayed"] == [str(at) for at in sorted(board.terrain) if at.row == 25]
    assert game.charts["entries"]["south"]["hexes"] == [f"23{row}" for row in range(17, 26)]  # on or west of 2317
    assert {str(at) for at in board.road_neighbours if at.row == 1} == {"1801", "1901", "2001"}
    assert {str(at) for at in board.road_neighbours if at.col == 23} == {"2305", "2311", "2314", "2321", "2322", "2323", "2324"}
    assert {parse_hex(row["hex"]) for row in game.charts["objectives"].values() if row["when"] == "always"} <= board.road_neighbours.keys()


def test_cliffs_fall_from_crests_and_no_road_crosses_one(board: Board) -> None:
    cliffs = board.hexsides["cliff"]
    assert "cliff" in board.up_side
    assert len(cliffs) == 44
    height = {"rugged-crest": 2, "high-ground": 1}
    for side in cliffs:
        assert board.terrain[side.a] == "rugged-crest"
        assert height.get(board.terrain[side.b], 0) < 2, side
        assert not board.joined(side.a, side.b), side
        assert side.turned() not in cliffs
    # no crest is walled in
    for at, terrain in board.terrain.items():
        assert terrain != "rugged-crest" or any(board.hexside("cliff", at, other) is None for other in board.adjacent[at]), at
