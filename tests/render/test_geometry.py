"""Hex to pixel and back."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest

from scenarios.hexes import DIRECTIONS, Hex, neighbours
from services.render.draw.geometry import Lattice, along, curve, size
from services.render.draw.room import overlap
from services.render.layout import lay_out
from services.render.style import style_sheet
from tests.render.boards import holdfast, islands

AT = Lattice(column=57, row=66, left=100, top=80)


def test_centres_lie_a_column_and_a_row_apart_and_even_columns_half_a_row_lower() -> None:
    assert AT.centre(Hex(1, 1)) == (100, 80)
    assert AT.centre(Hex(2, 1)) == (157, 113)
    assert AT.centre(Hex(3, 4)) == (214, 278)
    assert AT.point(2, 1.5) == AT.centre(Hex(2, 1))


def test_every_pixel_of_a_hex_just_inside_its_corners_is_in_it() -> None:
    for col in range(1, 8):
        for row in range(1, 7):
            at = Hex(col, row)
            x, y = AT.centre(at)
            assert AT.hex_at(x, y) == at
            for cx, cy in AT.corners(at):
                assert AT.hex_at(x + (cx - x) * 0.97, y + (cy - y) * 0.97) == at
                assert AT.hex_at(x + (cx - x) * 1.03, y + (cy - y) * 1.03) != at


def test_corners_are_whole_pixels_shared_with_the_neighbours() -> None:
    at = Hex(4, 3)
    for other in neighbours(at):
        assert len(set(AT.corners(at)) & set(AT.corners(other))) == 2


def test_a_hexside_has_its_first_hex_on_the_left_hand() -> None:
    south = Hex(3, 4)
    (ax, ay), (bx, by) = AT.side(Hex(3, 3), south)
    assert (ax, ay, bx, by) == (195, 245, 233, 245)  # eastwards: 0303 lies north of it, on the left
    assert AT.side(south, Hex(3, 3)) == ((bx, by), (ax, ay))
    with pytest.raises(ValueError, match="neighbouring"):
        AT.side(Hex(1, 1), Hex(3, 3))


def test_the_six_sides_of_a_hex_go_round_it() -> None:
    at = Hex(5, 5)
    ends = [AT.side(at, other) for other in neighbours(at)]
    assert len(ends) == len(DIRECTIONS)
    assert {first for first, _ in ends} == {last for _, last in ends} == {(float(x), float(y)) for x, y in AT.corners(at)}


def test_the_largest_hexes_that_fit() -> None:
    layout = lay_out(holdfast(), style_sheet("holdfast", "light"), 2400)
    grid = layout.lattice
    assert (grid.column, grid.row, grid.radius) == (57, 66, 38)
    assert size(40, 14, 57, 66) == (39 * 57 + 76, 14 * 66 + 33)
    assert layout.size[0] == 2400
    assert layout.map_size == (2400, 14 * 66 + 33 + 2 * 35)
    (left, top), (right, bottom) = grid.corners(Hex(1, 1))[0], grid.corners(Hex(40, 14))[3]
    assert 0 < left < right < 2400
    assert 0 < top < bottom < layout.map_size[1]


def test_a_high_board_takes_the_whole_height() -> None:
    high = replace(holdfast(), board=replace(islands(), rows=20))
    layout = lay_out(high, style_sheet("holdfast", "light"), 1500)
    assert layout.size[1] == 1500
    assert layout.size[0] < 1500
    boxes = [*layout.panel.boxes.values(), (0, 0, *layout.map_size)]
    assert all(overlap(one, other) == 0 for one, other in combinations(boxes, 2))
    assert all(box[0] >= 0 and box[2] <= layout.size[0] and box[3] <= 1500 for box in boxes)


def test_hexes_without_room_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        lay_out(replace(holdfast(), board=replace(islands(), columns=900)), style_sheet("holdfast", "light"), 400)


def test_a_curve_passes_its_points_and_steps_are_even() -> None:
    points = [(0.0, 0.0), (10.0, 5.0), (20.0, 0.0)]
    line = curve(points, 4)
    assert all(point in line for point in points)
    straight = [(0.0, 0.0), (30.0, 0.0)]
    assert [point for point, _ in along(straight, 10)] == [(5.0, 0.0), (15.0, 0.0), (25.0, 0.0)]
    assert all(math.isclose(math.hypot(*way), 1) for _, way in along(line, 3))
