"""What The Fall of Tobruk reads off its board once: terrain, roads, tracks, mines, escarpments, Boxes, edges; and what a step costs.

MP are counted in quarters here (a road hex costs 1), so that all costs are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scenarios.data import GameData
from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.positions import hex_of
from services.rules.engine.table import Table

Pair = tuple[Hex, Hex]
QUARTERS = 4
"""Quarters of an MP in one MP."""


@dataclass(frozen=True, eq=False)
class Ground:
    """``cost``: hex -> quarters of an MP off road.  ``shift``: hex -> columns by which an attack on it is worse.
    ``ways``: ordered pair of hexes -> quarters along the road or track between them.  ``mines``: mined pairs, both ways round.
    ``up``: (lower, upper) pairs with an escarpment between.  ``box_of``: hex -> its Box; ``boxes``: Box -> its hexes; ``near``: Box -> the
    hexes as near to it as no line of Axis supply may come.  ``adjacent``: hex -> its neighbours that can be entered.
    ``entries``: name -> hexes, those at an edge and those inland.  ``sources``: where Axis supply starts.
    ``east``: where Allied units leave.  ``held``: the hexes of Tobruk.  ``hexes``: the numbers of all hexes that can be entered."""

    cost: Mapping[Hex, int]
    shift: Mapping[Hex, int]
    ways: Mapping[Pair, int]
    mines: frozenset[Pair]
    up: frozenset[Pair]
    box_of: Mapping[Hex, str]
    boxes: Mapping[str, frozenset[Hex]]
    near: Mapping[str, frozenset[Hex]]
    adjacent: Mapping[Hex, tuple[Hex, ...]]
    entries: Mapping[str, tuple[Hex, ...]]
    sources: frozenset[Hex]
    east: frozenset[Hex]
    held: frozenset[Hex]
    hexes: frozenset[str]


def survey(data: GameData) -> Ground:
    """Read the board and the charts of a package."""
    board, charts = data.board, data.charts
    rows = charts["terrain"]
    boxes = {name: frozenset(map(parse_hex, row["hexes"])) for name, row in charts["boxes"].items()}  # boxes.1
    reach = int(charts["costs"]["supply"]["box"])
    entries = {name: tuple(map(parse_hex, (*row["hexes"], *row.get("inland", ())))) for name, row in charts["entries"].items()}
    return Ground(
        {at: quarters(rows[kind]["mp"]) for at, kind in board.terrain.items()},  # tec.1 tec.4 tec.5 tec.7 tec.8
        {at: int(rows[kind]["shift"]) for at, kind in board.terrain.items()},
        _ways(data),
        _both_ways(data.board.hexsides.get("minefield", frozenset())),
        frozenset((side.b, side.a) for side in board.hexsides.get("escarpment", frozenset())),  # the upper hex stands first
        {at: name for name, hexes in boxes.items() for at in hexes},
        boxes,
        {name: frozenset(at for at in board.terrain if any(distance(at, to) <= reach for to in hexes)) for name, hexes in boxes.items()},
        board.adjacent,
        entries,
        frozenset(entries["axis-edge"]),
        frozenset(parse_hex(at) for row in charts["exits"].values() for at in row["hexes"]),
        frozenset(board.marks.get("held", ())),
        frozenset(str(at) for at in board.terrain),
    )


def quarters(mp: Any) -> int:
    """An exact number of MP in quarters."""
    return int(mp * QUARTERS)


def _ways(data: GameData) -> dict[Pair, int]:
    """What each hexside along a road or a track costs; a road where both run."""
    found: dict[Pair, int] = {}
    for kind in ("track", "road"):
        cost = quarters(data.charts["terrain"][kind]["mp"])
        found |= dict.fromkeys(_both_ways(data.board.roads.get(kind, frozenset())), cost)  # tec.2 tec.3
    return found


def _both_ways(sides: frozenset[Any]) -> frozenset[Pair]:
    return frozenset(pair for side in sides for pair in ((side.a, side.b), (side.b, side.a)))


def ground(table: Table) -> Ground:
    """The ground of the game at the table."""
    found: Any = table.data.charts["@ground"]
    assert isinstance(found, Ground)
    return found


# -- what lies between two hexes -------------------------------------------------------------------------------------------------


def along(table: Table, at: Hex, to: Hex) -> bool:
    """Whether a road or a track runs from a hex to its neighbour (FT-64)."""
    return (at, to) in ground(table).ways


def climbs(table: Table, at: Hex, to: Hex) -> bool:
    """Whether the step goes up an escarpment."""
    return (at, to) in ground(table).up


def box_at(table: Table, at: Hex) -> str | None:
    """The Box to which a hex belongs."""
    return ground(table).box_of.get(at)


def same_box(table: Table, at: Hex, to: Hex) -> bool:
    """Whether two hexes are of one Box."""
    found = box_at(table, at)
    return found is not None and found == box_at(table, to)


def shift(table: Table, at: Hex) -> int:
    """Columns by which an attack on a hex is worse (tec.6)."""
    return ground(table).shift.get(at, 0)


def step_cost(table: Table, at: Hex, to: Hex) -> int | None:
    """Quarters of an MP to go from a hex to its neighbour; None where nobody may. Mines, zones and units are not looked at."""
    return terrain_cost(ground(table), str(table.options["escarpment_move"]), at, to)


def terrain_cost(here: Ground, escarpments: str, at: Hex, to: Hex) -> int | None:
    """The same on a ground, where escarpments cost by the option ``escarpments``."""
    if to not in here.cost:
        return None  # tec.8
    if (at, to) in here.ways:
        return here.ways[at, to]
    if escarpments == "free" or not ((at, to) in here.up or (to, at) in here.up):
        return here.cost[to]
    return None if escarpments == "forbidden" else here.cost[to] + QUARTERS * int(escarpments)  # FT-22


def at_of(table: Table, unit: str) -> Hex:
    """The hex in which a unit stands. AssertionError off the map (our bug)."""
    at = hex_of(table, unit)
    assert at is not None
    return at
