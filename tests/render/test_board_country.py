"""What the map sheet draws on ground and hexsides: hill shading, walls with a low side, mines, bridges, roads over the edge, the rose."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PIL import Image

from scenarios.data import Board
from scenarios.hexes import Hex, Hexside, neighbours, parse_hex
from services.render.board.country import paint_ground
from services.render.board.furniture import draw_rose
from services.render.board.ground import Ground, carried_on
from services.render.board.lines import HEXSIDES, draw_hexsides, runs
from services.render.board.looks import HexsideLook, LineLook
from services.render.board.roads import draw_bridges, draw_waters, road_courses
from services.render.board.sheet import _draw_numbers, draw_sheet
from services.render.draw.geometry import Lattice, crossings, shifted
from services.render.draw.ink import Canvas
from services.render.draw.room import overlap
from services.render.layout import lay_out
from services.render.style import style_sheet
from tests.render.boards import both_ways, holdfast

AT = Lattice(60, 70, 60, 60)
SIZE = (480, 420)
SHEET = style_sheet("race-for-tunis", "light")


def plain(**more: object) -> Board:
    """Six columns, five rows, all clear."""
    fields: dict[str, object] = {
        "columns": 6,
        "rows": 5,
        "terrain": {Hex(c, r): "clear" for c in range(1, 7) for r in range(1, 6)},
        "sea": frozenset(),
        "features": {},
        "hexsides": {},
        "up_side": frozenset(),
        "roads": {},
        "names": {},
        "lines": {},
    }
    return Board(**(fields | more))


def brightness(picture: Image.Image, box: tuple[int, int, int, int]) -> float:
    grey = picture.convert("L").crop(box)
    return sum(grey.tobytes()) / (grey.width * grey.height)


def test_a_hill_is_light_to_the_north_west_and_dark_to_the_south_east() -> None:
    hill = parse_hex("0303")
    board = plain()
    board = replace(board, terrain={**board.terrain, hill: "high-ground"})
    canvas = Canvas(SIZE, SHEET.palette, "sand")
    paint_ground(canvas, Ground(board, AT, SIZE), SHEET.style)
    x, y = AT.centre(hill)
    lit = brightness(canvas.image, (x - 24, y - 26, x - 4, y - 6))
    dark = brightness(canvas.image, (x + 4, y + 6, x + 24, y + 26))
    assert lit > dark + 20


@pytest.mark.parametrize("drawing", ["scarp", "cliff"])
def test_a_wall_has_its_ticks_on_the_low_side_and_is_plain_on_the_high_one(drawing: str) -> None:
    high, low = parse_hex("0303"), parse_hex("0302")
    board = plain(hexsides={"wall": frozenset({Hexside(high, low)})}, up_side=frozenset({"wall"}))
    canvas = Canvas(SIZE, SHEET.palette, "sand")
    draw_hexsides(canvas, board, "wall", HexsideLook(drawing, "scarp", ""), Ground(board, AT, SIZE))
    x, top = AT.centre(high)[0], AT.centre(high)[1] - AT.row // 2
    # 0303 is the upper hex: its side, below the edge, stays as bright as sand; the ticks run up the picture into 0302.
    assert brightness(canvas.image, (x - 18, top + 6, x + 18, top + 16)) >= brightness(canvas.image, (2, 2, 20, 20))
    assert brightness(canvas.image, (x - 18, top - 12, x + 18, top - 4)) < brightness(canvas.image, (2, 2, 20, 20)) - 15


def test_a_box_is_ringed_by_mines_on_all_six_sides() -> None:
    box = parse_hex("0303")
    board = plain(hexsides={"minefield": frozenset(Hexside(box, other) for other in neighbours(box))})
    ground = Ground(board, AT, SIZE)
    canvas = Canvas(SIZE, SHEET.palette, "sand")
    draw_hexsides(canvas, board, "minefield", HexsideLook("mines", "red", ""), ground)
    red = SHEET.palette.named["red"]
    for other in neighbours(box):
        (ax, ay), (bx, by) = AT.side(box, other)
        x, y = round((ax + bx) / 2), round((ay + by) / 2)
        found = canvas.image.crop((x - 9, y - 9, x + 10, y + 10)).getcolors() or []
        assert sum(count for count, colour in found if colour == red) > 15, other


def test_hexsides_without_an_up_side_join_into_one_line_whichever_way_they_stand() -> None:
    a, b, c, d = (0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)
    assert runs([[b, a], [b, c], [d, c]]) in ([[a, b, c, d]], [[d, c, b, a]])
    assert sorted(map(len, runs([[a, b], [b, c], [b, d]]))) == [2, 2, 2]  # three meet: no line runs through
    (ring,) = runs([[a, b], [b, c], [c, a]])
    assert ring[0] == ring[-1]
    assert len(ring) == 4


def test_a_bridge_stands_wherever_a_road_meets_a_water_and_nowhere_else() -> None:
    board = plain(roads={"road": frozenset(both_ways("0103", "0202", "0303", "0403", "0503"))}, lines={"wadi": (((3.5, 0.5), (3.5, 5.9)),)})
    ground = Ground(board, AT, SIZE)
    canvas = Canvas(SIZE, SHEET.palette, "sand")
    waters = draw_waters(canvas, board, "wadi", LineLook("wadi", 0.1, "sea_ink", ""), ground)
    roads = road_courses(board, "road", ground)
    assert draw_bridges(canvas, roads, waters, AT.radius) == 1
    assert draw_bridges(canvas, roads[:1], waters, AT.radius) == 0
    assert crossings([(0.0, 0.0), (4.0, 0.0)], [(1.0, -1.0), (1.0, 1.0)]) == [((1.0, 0.0), (1.0, 0.0))]


def test_a_road_that_ends_at_the_edge_of_the_board_goes_on_over_it() -> None:
    board = plain(roads={"road": frozenset(both_ways("0301", "0302", "0303"))})
    pieces = road_courses(board, "road", Ground(board, AT, SIZE))
    ends = [end for piece in pieces for end in (piece[0], piece[-1])]
    assert (AT.centre(parse_hex("0301"))[0], 0.0) in ends
    assert min(y for _, y in ends) == 0.0
    assert max(y for _, y in ends) == AT.centre(parse_hex("0303"))[1]  # it ends in the middle of the country


def test_a_track_wanders_but_meets_itself_at_every_hexside() -> None:
    board = plain(roads={"track": frozenset(both_ways("0103", "0202", "0303", "0402", "0503"))})
    ground = Ground(board, AT, SIZE)
    straight, strays = (road_courses(board, "track", ground, wander) for wander in (0.0, 0.5))
    assert straight != strays
    inner = [end for piece in strays for end in (piece[0], piece[-1]) if 40 < end[0] < 320]
    assert sorted(inner.count(end) for end in set(inner)) == [1, 2, 2, 2, 2]  # four hexsides met from both sides, and one end


def test_a_coast_that_runs_out_at_the_top_is_not_bent_to_a_nearer_side() -> None:
    """At 30, 40 it is nearer to the left edge, but runs up to the top one, which it meets at 10, 0."""
    *_, last = carried_on([(45.0, 70.0), (30.0, 40.0)], (100, 100), 200)
    assert last[1] < 0
    assert abs(last[0] - 10) < 4


def test_a_line_is_carried_on_as_it_runs_or_straight_over_the_nearest_edge() -> None:
    size = (100, 100)
    assert carried_on([(50.0, 50.0), (50.0, 20.0)], size, 30)[-1] == (50.0, -4.0)
    assert carried_on([(60.0, 20.0), (50.0, 10.0)], size, 30)[-1] == pytest.approx((40 - 4 / math.sqrt(2), -4 / math.sqrt(2)))
    assert carried_on([(50.0, 50.0), (50.0, 60.0)], size, 30) == [(50.0, 50.0), (50.0, 60.0)]  # too far from every edge
    assert carried_on([(40.0, 50.0), (20.0, 60.0), (10.0, 52.0), (14.0, 50.0)], size, 30)[-1] == (-4.0, 50.0)  # it ran inland


def test_a_line_moves_sideways_to_the_right_hand() -> None:
    assert shifted([(0.0, 0.0), (10.0, 0.0)], 3) == [(0.0, 3.0), (10.0, 3.0)]


@pytest.mark.parametrize(("bearing", "where"), [(0.0, (0, -1)), (90.0, (-1, 0)), (180.0, (0, 1)), (270.0, (1, 0))])
def test_the_north_arrow_turns_with_the_board(bearing: float, where: tuple[int, int]) -> None:
    canvas = Canvas((200, 200), SHEET.palette, "paper")
    draw_rose(canvas, (0, 0, 200, 200), bearing, 50)
    ink = SHEET.palette.named["ink"]
    spots = [(x, y) for x in range(200) for y in range(200) if canvas.image.getpixel((x, y)) == ink]
    middle = (sum(x for x, _ in spots) / len(spots) - 100, sum(y for _, y in spots) / len(spots) - 100)
    assert middle[0] * where[0] + middle[1] * where[1] > 40
    assert abs(middle[0] * where[1] + middle[1] * where[0]) < 15


def test_names_leave_the_hex_numbers_to_be_read() -> None:
    sheet = style_sheet("holdfast", "light")
    layout = lay_out(holdfast(), sheet, 2400)
    _, places = draw_sheet(holdfast().board, sheet, layout.lattice, layout.map_size)
    canvas = Canvas(layout.map_size, sheet.palette, "sand")
    numbers = _draw_numbers(canvas, holdfast().board, Ground(holdfast().board, layout.lattice, layout.map_size))
    covered = []
    for name, *_ in places:
        left, top, right, bottom = name.area
        letters = (left + 2, top + 4, right - 2, bottom - 4)
        hidden = [n for n in numbers if overlap(letters, n) > 0.3 * (n[2] - n[0]) * (n[3] - n[1])]
        covered += [name.text] * len(hidden)
    assert len(covered) <= 2, covered


def test_every_drawing_of_a_hexside_says_what_it_is() -> None:
    assert all(draw.__doc__ for draw in HEXSIDES.values())
