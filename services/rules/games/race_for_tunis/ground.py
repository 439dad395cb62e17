"""What Race for Tunis reads off its board once: terrain by hex, roads, cliffs, far banks, bridges; and what a step costs.

MP are counted in halves here (a road hex costs 1), so that all costs are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scenarios.data import GameData
from scenarios.hexes import Hex, parse_hex
from services.rules.engine.model import Side
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.state import (
    bridge_blown,
    heavy_rain,
    interdiction,
    is_engineer,
    is_heavy,
    is_mountaineer,
)

Pair = tuple[Hex, Hex]


@dataclass(frozen=True, slots=True)
class Terrain:
    """A row of the Terrain Effects Chart: half MP to enter, dry and in heavy rain (None: barred), what stops heavy equipment, height, what
    a defender and an attacker who leaves it are multiplied by."""

    dry: int | None
    wet: int | None
    heavy: bool
    elevation: int
    defence: int
    leaving: Fraction


@dataclass(frozen=True, slots=True)
class Entry:
    """Where Allied arrivals come in: at their time, and when they have waited."""

    hexes: tuple[Hex, ...]
    delayed: tuple[Hex, ...]


@dataclass(frozen=True)
class Ground:
    """``up``: (lower, upper) pairs of hexes with a cliff between.  ``banks``: pairs (place, other bank) between which a wadi runs (17.1).
    ``road``, ``dirt``: ordered pairs that an all-weather or a dirt road crosses.  ``ports``, ``fields``: hex -> name."""

    terrain: Mapping[Hex, Terrain]
    kinds: Mapping[Hex, str]
    up: frozenset[Pair]
    banks: frozenset[Pair]
    road: frozenset[Pair]
    dirt: frozenset[Pair]
    bridges: frozenset[Hex]
    coastal: frozenset[Hex]
    held: frozenset[Hex]
    ports: Mapping[Hex, str]
    fields: Mapping[Hex, str]
    entries: Mapping[str, Entry]
    roads_in: frozenset[Hex]
    zoc_mp: Mapping[Side, int]
    bridged: int
    blow: int
    mend: int
    hexes: frozenset[str]


def survey(data: GameData) -> Ground:
    """Read the board and the charts of a package."""
    board, charts = data.board, data.charts
    rows = {name: _terrain(row) for name, row in charts["terrain"].items() if name != "cliff"}
    sides = board.hexsides.get("cliff", frozenset())
    banks = board.hexsides.get("far-bank", frozenset())
    return Ground(
        {at: rows[name] for at, name in board.terrain.items()},
        dict(board.terrain),
        frozenset((side.b, side.a) for side in sides),  # the upper hex stands first
        frozenset((side.a, side.b) for side in banks),
        _both_ways(data, "road"),
        _both_ways(data, "dirt-road"),
        frozenset(board.marks.get("bridge", ())),
        frozenset(board.marks.get("coastal", ())),
        frozenset(board.marks.get("held", ())),
        {parse_hex(row["hex"]): name for name, row in charts["ports"].items()},
        {parse_hex(row["hex"]): name for name, row in charts["bases"].items() if row["hex"]},
        {
            name: Entry(tuple(map(parse_hex, row["hexes"])), tuple(map(parse_hex, row["delayed"])))
            for name, row in charts["entries"].items()
        },
        frozenset(board.marks.get("entry-road", ())),
        {side: 2 * int(charts["costs"]["zoc"][side]) for side in data.sides},
        2 * int(charts["costs"]["bridged"]["mp"]),
        2 * int(charts["costs"]["bridge"]["blow"]),
        2 * int(charts["costs"]["bridge"]["mend"]),
        frozenset(str(at) for at in board.terrain),
    )


def _terrain(row: Mapping[str, Any]) -> Terrain:
    def half(cell: Any) -> int | None:
        return None if cell in ("bar", "none") else int(cell * 2)

    leaving = Fraction(row["leaving"])
    return Terrain(half(row["mp"]), half(row["rain_mp"]), row["heavy"] == "enter", int(row["elevation"]), int(row["defence"]), leaving)


def _both_ways(data: GameData, kind: str) -> frozenset[Pair]:
    sides = data.board.roads.get(kind, frozenset())
    return frozenset(pair for side in sides for pair in ((side.a, side.b), (side.b, side.a)))


def ground(table: Table) -> Ground:
    """The ground of the game at the table."""
    found: Any = table.data.charts["@ground"]
    assert isinstance(found, Ground)
    return found


# -- what lies between two hexes -------------------------------------------------------------------------------------------------


def climbs(table: Table, at: Hex, to: Hex) -> bool:
    """Whether the step goes up a cliff."""
    return (at, to) in ground(table).up


def cliff_between(table: Table, at: Hex, to: Hex) -> bool:
    """Whether a cliff lies between two hexes."""
    return climbs(table, at, to) or climbs(table, to, at)


def elevation(table: Table, at: Hex) -> int:
    """The height of a hex: rugged crest above high ground above all else (8.3)."""
    return ground(table).terrain[at].elevation


def road_between(table: Table, at: Hex, to: Hex, side: Side) -> bool:
    """Whether a unit of a side may use the road from a hex to its neighbour: one crosses the hexside (RT-13), it is no dirt road in heavy
    rain, neither hex is interdicted, and the bridge in the hex entered stands."""
    here = ground(table)
    if (at, to) not in here.road and ((at, to) not in here.dirt or heavy_rain(table)):
        return False  # 6.2.A-1 17.4.2.C-1
    if hampered(table, at, side) or hampered(table, to, side):
        return False  # 17.2.3.D-1
    return not bridge_blown(table, to)  # 12.0.B-2 RT-13


def hampered(table: Table, at: Hex, side: Side) -> int:
    """MP more to leave a hex under an enemy air unit: in the side's own player-turn, not yet in that in which it was sent (RT-40)."""
    return interdiction(table, at, side) if side == table.phasing else 0


def step_cost(table: Table, unit: str, at: Hex, to: Hex) -> int | None:
    """Half MP for the terrain of a step, enemy ZOC apart; None where the unit may not go (6.0, 6.2, 6.5, 6.6)."""
    side = table.counters[unit].side
    here = ground(table)
    out = 2 * hampered(table, at, side)  # 17.2.3.C-2
    if is_mountaineer(table, unit):
        return 2 + out  # 6.5.B-1 6.5.B-4 6.5.C RT-12
    if cliff_between(table, at, to):
        return None  # 6.4.B-1
    if is_heavy(table, unit) and not here.terrain[to].heavy:
        return None  # 6.6.B-1
    if road_between(table, at, to, side):
        return 1  # 6.2.A-1
    cost = _off_road(table, unit, at, to)
    return None if cost is None else cost + out


def barred_by(table: Table, unit: str, at: Hex, to: Hex) -> str:
    """The clause by which a unit may not take a step for which ``step_cost`` has no cost: a cliff, or ground closed to heavy equipment."""
    if cliff_between(table, at, to):
        return "6.5.C"
    return "17.4.2.E-1" if ground(table).terrain[to].heavy else "6.6.B-1"


def _off_road(table: Table, unit: str, at: Hex, to: Hex) -> int | None:
    """Half MP of a step by the terrain entered: in heavy rain clear ground is mud and a wadi a river (17.4.2)."""
    here = ground(table)
    row = here.terrain[to]
    if not heavy_rain(table):
        return row.dry
    if here.kinds[to] != "wadi":
        return row.wet  # 17.4.2.B
    bridged = to in here.bridges and not bridge_blown(table, to)
    if bridged and ((at, to) in here.dirt or (at, to) in here.road):
        return here.bridged  # 17.4.2.C-4
    if is_heavy(table, unit) and not bridged and not any(is_engineer(table, other) for other in units_at(table, to)):
        return None  # 17.4.2.E-1 17.4.2.E-2
    return row.wet  # 17.4.2.D-2


def at_of(table: Table, unit: str) -> Hex:
    """The hex in which a unit stands. AssertionError off the map (our bug)."""
    at = hex_of(table, unit)
    assert at is not None
    return at
