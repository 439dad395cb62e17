"""The map sheet: sea and land, islands and lakes, escarpments with a plain up side, roads on dry ground, names that do not collide."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from scenarios.data import GameData
from scenarios.hexes import Hex, parse_hex
from services.render.board.ground import Ground
from services.render.board.lines import chains, scarp
from services.render.board.names import choose_names
from services.render.board.roads import road_courses
from services.render.board.sheet import draw_sheet
from services.render.draw.ink import Stencil
from services.render.draw.room import Crowd, gap, overlap
from services.render.layout import lay_out
from services.render.panel.legend import notes
from services.render.style import style_sheet
from tests.render.boards import holdfast, small_game


def ground_of(data: GameData | None = None, scale: int = 1200) -> Ground:
    data = data or holdfast()
    layout = lay_out(data, style_sheet("holdfast", "light"), scale)
    return Ground(data.board, layout.lattice, layout.map_size)


def test_the_legend_says_what_is_reconstructed_and_only_that() -> None:
    style = style_sheet("holdfast", "light").style
    assert notes(holdfast(), style) == ["Reconstructed: map, full strengths", "SP with ?: when last seen"]
    printed = replace(holdfast(), sources={**holdfast().sources, "map": "printed"})
    assert notes(printed, style)[0] == "Reconstructed: full strengths"
    own = replace(printed, overlaid=("counters.csv", "rp.csv"))
    assert notes(own, style)[0] == "Reconstructed: full strengths. The owner's: counters.csv, rp.csv"
    assert notes(replace(holdfast(), sources={}), style) == ["SP with ?: when last seen"]


def test_every_sea_hex_is_wet_and_every_inland_hex_dry() -> None:
    ground = ground_of()
    board = ground.board
    assert len(board.sea) > 100
    assert [str(at) for at in board.sea if ground.dry(*ground.lattice.centre(at), 0)] == []
    inland = [at for at in board.terrain if len(board.adjacent[at]) == 6]
    assert [str(at) for at in inland if not ground.dry(*ground.lattice.centre(at), 0)] == []


def test_an_island_in_the_sea_and_a_lake_on_it() -> None:
    ground = ground_of(small_game(), 900)

    def dry(u: float, v: float) -> bool:
        return ground.dry(*ground.lattice.point(u, v), 0)

    assert dry(4.0, 6.0)  # the mainland
    assert not dry(1.0, 1.0)  # the sea
    assert dry(6.0, 2.2)  # the island
    assert not dry(5.0, 2.2)  # the lake on it


def test_an_escarpment_has_its_ticks_on_the_lower_side() -> None:
    stencil = Stencil((0, 0, 80, 40))
    scarp(stencil, [(10.0, 20.0), (70.0, 20.0)], 38)  # eastwards: the upper hexes lie on the left hand, north
    mask = stencil.mask()

    def covered(y: int) -> int:
        return sum(value for value in mask.crop((0, y, 80, y + 1)).tobytes())

    assert covered(20) > 60 * 200
    assert covered(26) > 1000
    assert covered(14) == 0


def test_hexsides_join_into_one_line_with_the_upper_hexes_on_one_hand() -> None:
    ground = ground_of()
    sides = ground.board.hexsides["escarpment"]
    lines = chains(ground.board, sides, ground)
    assert sum(len(line) - 1 for line in lines) == len(sides)
    assert len(lines) < len(sides) / 2


@pytest.mark.parametrize("scale", [1200, 2400])
def test_roads_stay_on_dry_ground(scale: int) -> None:
    ground = ground_of(scale=scale)
    pieces = road_courses(ground.board, "road", ground)
    wet = [(x, y) for piece in pieces for x, y in piece if not ground.dry(x, y, 0)]
    assert wet == []
    assert len(pieces) > 40


def test_a_road_runs_from_hex_to_hex_without_a_gap() -> None:
    ground = ground_of(small_game(), 900)
    pieces = road_courses(ground.board, "road", ground)
    ends = [end for piece in pieces for end in (piece[0], piece[-1])]
    assert sorted(ends.count(end) for end in set(ends)) == [1, 1, 2, 2]  # two ends, two crossings met from both sides


def test_names_stand_clear_of_each_other_and_of_counters() -> None:
    ground = ground_of(scale=2400)
    _, places = draw_sheet(holdfast().board, style_sheet("holdfast", "light"), ground.lattice, ground.size)
    busy = [ground.lattice.centre(parse_hex(label)) for label in ("1803", "1704", "2204", "3508", "0504")]
    counters = [(x - 26.0, y - 26.0, x + 26.0, y + 34.0) for x, y in busy]
    names = choose_names(places, counters)
    assert len(names) >= 34  # of 35: one may lack room
    for one, other in combinations(names, 2):
        assert overlap(one.area, other.area) < 0.13 * min((a[2] - a[0]) * (a[3] - a[1]) for a in (one.area, other.area))
    for name in names:
        assert overlap(name.area, (0, 0, *ground.size)) == (name.area[2] - name.area[0]) * (name.area[3] - name.area[1])
    flagged = {str(name.hex) for name in names if name.flag is not None}
    assert flagged == {"0210", "0504", "1803", "2204", "3907"}


def test_how_much_of_a_rectangle_is_taken() -> None:
    crowd = Crowd((100, 100), 10, [(0, 0, 50, 100)])
    assert crowd.share((0, 0, 100, 100)) == 0.5
    assert crowd.share((60, 10, 90, 40)) == 0.0
    assert gap((10, 10, 20, 20), 23, 24) == 5.0
    assert gap((10, 10, 20, 20), 15, 12) == 0.0


def test_towns_and_junctions_move_to_dry_ground_within_their_hex() -> None:
    ground = ground_of()
    for at in ground.board.features:
        x, y = ground.anchor(at)
        assert ground.dry(x, y, 0)
        assert ground.lattice.hex_at(x, y) == at
    assert ground.anchor(Hex(10, 10)) == ground.lattice.centre(Hex(10, 10))
