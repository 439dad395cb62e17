"""Movements as arrows: which are one, which go side by side, how they look."""

from __future__ import annotations

from typing import Any

from scenarios.hexes import Hex
from services.render.draw.geometry import Lattice
from services.render.happened.arrows import course, dashes, length_of, part, ribbon
from services.render.happened.ways import Move, lanes, moves
from tests.render.boards import own, view

SIDES = {"axis": None, "allied": None}
LATTICE = Lattice(30, 34, 100, 100)


def went(kind: str, units: list[str], *path: str, side: str = "axis", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "data": {"side": side, "units": units, "path": list(path), **more}}


def found(*events: dict[str, Any], planned: bool = False) -> list[Move]:
    return moves(view([], list(events)).events, SIDES, [], planned)


def test_counters_that_walk_the_same_hexes_share_an_arrow_with_their_number() -> None:
    (one,) = found(went("moved", ["A"], "0101", "0201"), went("moved", ["B"], "0101", "0201"), went("moved", ["C", "D"], "0101", "0201"))
    assert (one.units, one.count) == (("A", "B", "C", "D"), 4)


def test_a_retreat_of_the_same_hexes_is_an_arrow_of_its_own() -> None:
    one, other = found(went("moved", ["A"], "0101", "0201"), went("retreated", ["B"], "0101", "0201"))
    assert (one.shaft, other.shaft) == ("solid", "broken")


def test_a_counter_that_goes_on_has_one_arrow_over_all_its_hexes() -> None:
    one, other = found(went("moved", ["A"], "0101", "0201"), went("moved", ["B"], "0301", "0401"), went("moved", ["A"], "0201", "0301"))
    assert one.path == (Hex(1, 1), Hex(2, 1), Hex(3, 1))
    assert other.path == (Hex(3, 1), Hex(4, 1))


def test_another_counter_that_starts_where_one_stopped_does_not_lengthen_its_arrow() -> None:
    assert [len(one.path) for one in found(went("moved", ["A"], "0101", "0201"), went("moved", ["B"], "0201", "0301"))] == [2, 2]


def test_what_is_planned_looks_planned_whatever_it_is() -> None:
    shafts = [one.shaft for one in found(went("moved", ["A"], "0101", "0201"), went("advanced", ["B"], "0301", "0401"), planned=True)]
    assert shafts == ["planned", "planned"]


def test_an_exit_names_the_edge_and_needs_no_way() -> None:
    one, other = found(
        went("exited", ["A"], "0101", "0102", to="edge:south"), {"kind": "exited", "data": {"side": "axis", "unit": "B", "hex": "0402"}}
    )
    assert (one.off, other.off) == ("south", "")
    line = course(one, 0.0, LATTICE)
    x, y = LATTICE.centre(Hex(1, 2))
    assert line[-1] == (x, y + 1.5 * LATTICE.radius)


def test_an_event_without_a_side_is_that_of_its_counters_and_each_advances_from_its_own_hex() -> None:
    units = [own("A", "0201"), own("B", "0201", side="allied")]
    retreat = {"kind": "retreated", "data": {"unit": "B", "path": ["0101", "0201"]}}
    froms = [{"unit": "A", "from": "0301"}, {"unit": "C", "from": "0302"}, {"unit": "D", "from": "0201"}]
    advance = {"kind": "advanced", "data": {"side": "axis", "units": ["A", "C", "D"], "hex": "0201", "moves": froms}}
    seen = view(units, [retreat, advance])
    went = [(one.side, one.shaft, [str(at) for at in one.path]) for one in moves(seen.events, SIDES, seen.counters)]
    assert went == [
        ("allied", "broken", ["0101", "0201"]),
        ("axis", "double", ["0301", "0201"]),
        ("axis", "double", ["0302", "0201"]),
    ]


def test_the_longest_way_keeps_the_middle_of_the_road_and_the_others_step_aside() -> None:
    road = ["0101", "0201", "0301", "0401", "0501"]
    ways = found(
        went("moved", ["A"], *road[:3]), went("moved", ["B"], *road), went("moved", ["C"], *road[1:4]), went("moved", ["D"], *road[3:])
    )
    assert lanes(ways) == [1, 0, -1, 1]


def test_a_way_back_on_the_same_road_does_not_lie_on_the_way_out() -> None:
    """Lanes are counted to the right of the way: 1 of the one is -1 of the other."""
    out, back, third = (
        Move("axis", (Hex(1, 1), Hex(2, 1), Hex(3, 1))),
        Move("axis", (Hex(3, 1), Hex(2, 1))),
        Move("axis", (Hex(2, 1), Hex(3, 1))),
    )
    assert lanes([out, back, third]) == [0, 1, 1]
    lines = [course(one, 0.2 * lane, LATTICE) for one, lane in ((back, 1), (third, 1))]
    (ax, ay), (bx, by) = (line[len(line) // 2] for line in lines)
    assert abs(ax - bx) + abs(ay - by) > 4


def test_dashes_end_where_the_line_ends() -> None:
    pieces = dashes([(0.0, 0.0), (100.0, 0.0)], 20, 10)
    assert [round(length_of(piece)) for piece in pieces] == [18, 18, 18, 18] or len(pieces) == 4
    assert pieces[0][0] == (0.0, 0.0)
    assert round(pieces[-1][-1][0], 6) == 100.0


def test_part_of_a_bent_line() -> None:
    line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)]
    assert part(line, 5, 15) == [(5.0, 0.0), (10.0, 0.0), (10.0, 5.0)]
    assert part(line, 0, 20) == line


def test_a_ribbon_is_as_wide_as_told() -> None:
    assert ribbon([(0.0, 0.0), (10.0, 0.0)], 2, 4) == [(0.0, 1.0), (10.0, 2.0), (10.0, -2.0), (0.0, -1.0)]


def test_a_retreat_over_the_edge_leaves_the_map_and_one_that_stays_does_not() -> None:
    gone, stayed = found(went("retreated", ["A"], "0101", "0102", exit=True), went("retreated", ["B"], "0201", "0202", exit=False))
    assert (gone.shaft, gone.off, stayed.off) == ("broken", "", None)


def test_a_counter_that_drops_off_a_stack_has_an_arrow_to_where_it_stays() -> None:
    stack, left = found(went("moved", ["A", "B"], "0101", "0201", "0301", "0401", drop={"unit": "B", "hex": "0301"}))
    assert (stack.units, stack.path[-1]) == (("A",), Hex(4, 1))
    assert (left.units, left.path) == (("B",), (Hex(1, 1), Hex(2, 1), Hex(3, 1)))
    (whole,) = found(went("moved", ["A", "B"], "0101", "0201", "0301", drop=None))
    assert whole.units == ("A", "B")


def test_an_advance_whose_path_leaves_the_start_out_begins_where_each_counter_stood() -> None:
    moved = [{"unit": "A", "from": "0101"}, {"unit": "B", "from": "0103"}]
    one, other = found(went("advanced", ["A", "B"], "0102", "0202", moves=moved))
    assert (one.path, one.units, one.shaft) == ((Hex(1, 1), Hex(1, 2), Hex(2, 2)), ("A",), "double")
    assert other.path == (Hex(1, 3), Hex(1, 2), Hex(2, 2))
