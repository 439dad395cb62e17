"""Ways that run together as one ribbon, and arrows whose ends no counter hides."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageChops

from scenarios.hexes import Hex, parse_hex
from services.render.draw.geometry import Lattice
from services.render.happened.arrows import course, outside
from services.render.happened.ribbons import merged
from services.render.happened.ways import Move
from services.render.turn_map import Framing, render_map
from tests.render.boards import holdfast, moved, own, view


def way(side: str, unit: str, *labels: str) -> Move:
    return Move(side, tuple(map(parse_hex, labels)), units=(unit,))


def text(path: tuple[Hex, ...]) -> str:
    return " ".join(map(str, path))


ROAD = ("0310", "0409", "0509", "0508", "0507")


def test_two_ways_over_five_hexes_are_one_ribbon_that_they_join_and_leave() -> None:
    """One comes from 0210 and stops at its end, the other from 0311 and goes on to 0505."""
    (group,) = merged([way("axis", "A", "0210", *ROAD), way("axis", "B", "0311", *ROAD, "0506", "0505")])
    pieces = {text(one.path): one for one in group}
    assert set(pieces) == {"0210 0310", "0311 0310", text(tuple(map(parse_hex, ROAD))), "0507 0506 0505"}
    ribbon = pieces[text(tuple(map(parse_hex, ROAD)))]
    assert (ribbon.count, ribbon.head, ribbon.tail) == (2, True, False)
    assert [pieces[piece].head for piece in ("0210 0310", "0311 0310", "0507 0506 0505")] == [False, False, True]
    assert [pieces[piece].tail for piece in ("0210 0310", "0311 0310", "0507 0506 0505")] == [True, True, False]


def test_three_shared_hexes_other_sides_and_the_way_back_are_no_ribbon() -> None:
    short = [way("axis", "A", *ROAD[:3]), way("axis", "B", *ROAD[:3], "0609")]
    assert merged(short) == [[one] for one in short]
    others = [way("axis", "A", *ROAD), way("allied", "B", *ROAD, "0506"), way("axis", "C", *reversed(ROAD))]
    assert merged(others) == [[one] for one in others]


def test_who_joins_on_the_way_is_counted_from_there_on() -> None:
    """Three go along the road, one of them only from its second hex: a piece with two, and the ribbon of all three."""
    (group,) = merged([way("axis", "A", "0210", *ROAD), way("axis", "B", "0210", *ROAD, "0506"), way("axis", "C", *ROAD[1:], "0407")])
    assert {text(one.path): one.count for one in group if one.count > 1} == {text(tuple(map(parse_hex, ROAD[1:]))): 3}
    assert sum(one.head for one in group) == 3


def test_an_arrow_ends_and_begins_at_the_edges_of_counters() -> None:
    """Hexes of radius 40, counters 54 pixels wide: from 0402, whose middle is 240, 208, north to 0401."""
    lattice = Lattice(60, 70, 60, 70)
    move = way("axis", "A", "0404", "0403", "0402", "0401")
    squares = {}
    for at in (move.path[0], move.path[-1]):
        x, y = lattice.centre(at)
        squares[at] = (x - 27.0, y - 27.0, x + 27.0, y + 27.0)
    line = outside(move, course(move, 0.0, lattice), squares, lattice.radius)
    (x0, y0), (x1, y1) = line[0], line[-1]
    first, last = lattice.centre(move.path[0]), lattice.centre(move.path[-1])
    assert first[1] - 27 - 10 <= y0 <= first[1] - 27
    assert last[1] + 27 <= y1 <= last[1] + 27 + 10
    assert abs(x0 - first[0]) < 2
    assert abs(x1 - last[0]) < 2


def test_a_step_from_counter_to_counter_shows_its_head_between_them() -> None:
    """21PZ goes from 1704 to 1703; ARIETE stands in 1704 now. Between the two blocks some of the axis's ink is seen."""
    counters = [own("21PZ", "1703"), own("ARIETE", "1704")]
    part = Framing((parse_hex("1502"), parse_hex("1906")))
    still, gone = (
        Image.open(BytesIO(render_map(holdfast(), view(counters, events), scale=600, framing=part))).convert("RGB")
        for events in ([], [moved("axis", "21PZ", "1704", "1703")])
    )
    changed = ImageChops.difference(still, gone).convert("L").point([0] + [255] * 255)
    assert changed.histogram()[255] > 150
