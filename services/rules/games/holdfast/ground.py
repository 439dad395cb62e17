"""What Holdfast reads off its board once: movement costs, escarpment sides, cities and sources of supply.

MP are counted in halves here (a road hex costs 1), so that all costs are whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.rules.engine.model import Json, Side
from services.rules.engine.table import Table

Sides = Mapping[tuple[Hex, Hex], int]
TYPES = ("infantry", "armor")
EZOC_COST = 4
"""Half MP for a hex in an enemy ZOC (zoc.5)."""


@dataclass(frozen=True)
class Ground:
    """``free`` and ``zoc``: (type, reading of the escarpment) -> (from, to) -> half MP, out of and in enemy ZOC; a pair that is not
    there cannot be crossed. ``scarps``: ordered pairs of hexes with an escarpment side between them and no pass. ``hexes``: as written."""

    free: Mapping[tuple[str, str], Sides]
    zoc: Mapping[tuple[str, str], Sides]
    scarps: frozenset[tuple[Hex, Hex]]
    cities: Mapping[Hex, str]
    entry: Mapping[Side, Hex]
    havens: frozenset[Hex]
    hexes: frozenset[str]
    charts: Mapping[str, Any]

    def terrain_dice(self, terrain: str, what: str) -> int:
        """Dice that a row of the terrain chart gives ("attack": to each attacker, "defence": to the defender)."""
        return int(self.charts["terrain"][terrain][what])


def survey(data: GameData) -> Ground:
    """Read the board and the charts of a package."""
    board, chart = data.board, data.charts["terrain"]
    scarps = frozenset(
        pair
        for side in board.hexsides.get("escarpment", frozenset())
        for pair in ((side.a, side.b), (side.b, side.a))
        if board.hexside("pass", *pair) is None and not board.joined(*pair)  # zoc.3 terrain.9
    )
    free: dict[tuple[str, str], Sides] = {}
    zoc: dict[tuple[str, str], Sides] = {}
    for kind in TYPES:
        for reading in ("additional", "maximum"):
            free[kind, reading] = _costs(data, scarps, kind, reading, 0)
            zoc[kind, reading] = _costs(data, scarps, kind, reading, EZOC_COST)
    cities = {at: board.name_of(at) or str(at) for at in board.terrain if chart[board.terrain[at]] is chart["fortified-city"]}
    return Ground(
        free,
        zoc,
        scarps,
        cities,
        {"axis": board.names["EL AGHEILA"], "allied": board.names["ALEXANDRIA"]},  # reinf.2 reinf.3 12e
        frozenset(board.names[name] for name in ("BARDIA", "BENGHAZI", "TOBRUK")),  # 12n
        frozenset(str(at) for at in board.terrain),
        data.charts,
    )


def _costs(data: GameData, scarps: frozenset[tuple[Hex, Hex]], kind: str, reading: str, least: int) -> Sides:
    """Half MP of every step; ``least``: what a hex costs at least (an enemy ZOC's price)."""
    board, chart = data.board, data.charts["terrain"]
    road = int(chart["road"][kind] * 2)  # 11.1l
    scarp = chart["escarpment"][kind]
    costs: dict[tuple[Hex, Hex], int] = {}
    for at, around in board.adjacent.items():
        for to in around:
            if board.joined(at, to):
                costs[at, to] = max(road, least)  # terrain.8 terrain.9 zoc.5
                continue
            cost = max(int(chart[board.terrain[to]][kind] * 2), least)  # terrain.5
            if (at, to) in scarps:
                if scarp == "bar":
                    continue  # terrain.19 14d
                cost = cost + int(scarp * 2) if reading == "additional" else max(cost, int(scarp * 2))  # terrain.18
            costs[at, to] = cost
    return costs


def ground(table: Table) -> Ground:
    """The ground of the game at the table."""
    found: Json = table.data.charts["@ground"]
    assert isinstance(found, Ground)
    return found


def around(table: Table) -> Callable[[Hex], tuple[Hex, ...]]:
    """The neighbours of a hex that can be entered by something."""
    adjacent = table.data.board.adjacent
    return lambda at: adjacent.get(at, ())
