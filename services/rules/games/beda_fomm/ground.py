"""What Beda Fomm reads off its board and charts once: movement costs by class, road and trail, hiding ground, entries and exits.

MP are counted in halves here (a road hex costs 1), so that all costs are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from scenarios.data import Card, GameData
from scenarios.hexes import Hex, neighbours, parse_hex
from services.rules.engine.model import Json, Side
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.state import BRITISH

Steps = Mapping[tuple[Hex, Hex], int]
CLASSES = ("british", "armor", "personnel", "weapons")
"""The columns of the Terrain Effects Chart; transport moves by that of weapons (9.11b)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where arrivals come in: at the printed time, and a game-turn later."""

    side: Side
    hexes: tuple[Hex, ...]
    delayed: tuple[Hex, ...]


@dataclass(frozen=True)
class Ground:
    """``steps``: class -> (from, to) -> half MP; a pair that is not there is prohibited.  ``enters``: class -> hex of the map's edge ->
    half MP of an arrival.  ``exits``: class -> hex of the south edge -> half MP to leave.  ``paths``: ordered pairs that road or trail
    cross.  ``down``: the hexes of the road from its entry to its end.  ``below``: each of them but the last -> the next.
    ``hidden``: undulating ground.  ``points``: card -> stacking points unparked.
    ``columns``: card -> its column of the Terrain Effects Chart."""

    steps: Mapping[str, Steps]
    enters: Mapping[str, Mapping[Hex, int]]
    exits: Mapping[str, Mapping[Hex, int]]
    paths: frozenset[tuple[Hex, Hex]]
    down: tuple[Hex, ...]
    below: Mapping[Hex, Hex]
    hidden: frozenset[Hex]
    points: Mapping[str, int]
    columns: Mapping[str, str]
    entries: Mapping[str, Entry]
    parents: Mapping[str, Side]
    hexes: frozenset[str]


def survey(data: GameData) -> Ground:
    """Read the board and the charts of a package."""
    board, chart = data.board, data.charts["terrain"]
    by_road = {kind: _both_ways(data, kind) for kind in ("road", "trail")}
    entries = {
        name: Entry(row["side"], tuple(map(parse_hex, row["hexes"])), tuple(map(parse_hex, row["delayed"])))
        for name, row in data.charts["entries"].items()
    }
    points = {row["size"]: int(row["points"]) for row in data.charts["sizes"]}
    down = _down(entries["road"].hexes[0], by_road["road"])
    return Ground(
        {kind: _steps(data, kind, by_road) for kind in CLASSES},
        {kind: _enters(data, kind, entries, by_road) for kind in CLASSES},
        {kind: _exits(data, kind) for kind in CLASSES},
        by_road["road"] | by_road["trail"],
        down,
        dict(pairwise(down)),
        frozenset(at for at, terrain in board.terrain.items() if chart[terrain]["hidden"]),
        {name: points[str(card.values["size"])] for name, card in data.cards.items()},
        {name: _column(card) for name, card in data.cards.items()},
        entries,
        {row["parent"]: row["side"] for row in data.charts["morale"]},
        frozenset(str(at) for at in board.terrain),
    )


def _column(card: Card) -> str:
    """One column for all British, by class for the Italians."""
    if card.side == BRITISH:
        return "british"  # 2.0i
    kind = str(card.values["class"])
    return "weapons" if kind == "transport" else kind  # 9.11b 9.11c


def _both_ways(data: GameData, kind: str) -> frozenset[tuple[Hex, Hex]]:
    sides = data.board.roads.get(kind, frozenset())
    return frozenset(pair for side in sides for pair in ((side.a, side.b), (side.b, side.a)))


def _down(entry: Hex, road: frozenset[tuple[Hex, Hex]]) -> tuple[Hex, ...]:
    """The road from the hex where it comes in: it has no fork."""
    down, here = [entry], entry
    while onward := [to for to in neighbours(here) if (here, to) in road and to not in down]:
        (here,) = onward
        down.append(here)
    return tuple(down)


def _half(cell: Json) -> int | None:
    return None if cell == "bar" else int(cell * 2)


def _steps(data: GameData, kind: str, by_road: Mapping[str, frozenset[tuple[Hex, Hex]]]) -> Steps:
    """Half MP of every step: by road or trail where one crosses the hexside (BF-R21), else by the terrain entered."""
    board, chart = data.board, data.charts["terrain"]
    costs: dict[tuple[Hex, Hex], int] = {}
    for at, around in board.adjacent.items():
        for to in around:
            ways = [chart[way][kind] for way in ("road", "trail") if (at, to) in by_road[way]]  # 2.0h 9.11a
            found = [cost for cost in map(_half, (*ways, chart[board.terrain[to]][kind])) if cost is not None]  # 2.0e 2.0f 2.0g 2.0i
            if found:
                costs[at, to] = min(found)
    return costs


def _enters(
    data: GameData, kind: str, entries: Mapping[str, Entry], by_road: Mapping[str, frozenset[tuple[Hex, Hex]]]
) -> Mapping[Hex, int]:
    """Half MP into an entry hex from off the map: at the road's or trail's rate where one goes on over the edge there (15.0b)."""
    chart, costs = data.charts["terrain"], dict[Hex, int]()
    for entry in entries.values():
        for at in (*entry.hexes, *entry.delayed):
            ways = [chart[way][kind] for way in ("road", "trail") if any(a == at for a, _ in by_road[way])]
            found = [cost for cost in map(_half, (*ways, chart[data.board.terrain[at]][kind])) if cost is not None]
            if found:
                costs[at] = min(found)
    return costs


def _exits(data: GameData, kind: str) -> Mapping[Hex, int]:
    """Half MP to leave from a hex of the south edge: its own terrain's, or the road's where that goes on (4.1a, 4.1b, BF-R24)."""
    chart, costs = data.charts["terrain"], dict[Hex, int]()
    for row in data.charts["exits"].values():
        for at in map(parse_hex, row["hexes"]):
            way = [chart["road"][kind]] if str(at) in row["path"] else []
            found = [cost for cost in map(_half, (*way, chart[data.board.terrain[at]][kind])) if cost is not None]
            if found:
                costs[at] = min(found)
    return costs


def ground(table: Table) -> Ground:
    """The ground of the game at the table."""
    found: Any = table.data.charts["@ground"]
    assert isinstance(found, Ground)
    return found


def column_of(table: Table, unit: str) -> str:
    """The column of the Terrain Effects Chart by which a unit moves."""
    return ground(table).columns[table.counters[unit].card]
