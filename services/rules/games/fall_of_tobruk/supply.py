"""Supply: an Axis unit needs a way of at most 20 MP to the west or north-west edge to move and attack at full strength (FT-61, FT-62).

It is judged unit by unit as it sets out, and for a unit that stands as the movement segment closes; the answer is the mark ``unsupplied``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Exact
from services.rules.engine.positions import adjacent, hex_of, occupied
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.ground import Ground, Pair, ground, quarters, terrain_cost
from services.rules.games.fall_of_tobruk.mines import open_gaps
from services.rules.games.fall_of_tobruk.state import AXIS
from services.rules.games.fall_of_tobruk.zoc import zones

OUT = "unsupplied"
NOWHERE = Hex(0, 0)
"""Where all lines begin: off the map, beside every source."""


def supplied(table: Table, unit: str) -> bool:
    """Whether a unit is in supply as it stands now; Allied units always are."""
    if table.counters[unit].side != AXIS:
        return True  # supply.1
    at = hex_of(table, unit)
    return at is not None and at in lines(table, frozenset(boxes_beside(table, at)))


def lines(table: Table, beside: frozenset[str] = frozenset(), gaps: frozenset[Pair] | None = None) -> Mapping[Hex, search.Reach]:
    """The hexes to which an Axis line of supply leads, with what it costs in quarters of an MP; for units next to the Boxes ``beside``, and
    with the gaps that are open, or as if ``gaps`` were."""
    most = quarters(table.data.charts["costs"]["supply"]["mp"])
    open_ = open_gaps(table) if gaps is None else gaps
    return _flood(ground(table), most, str(table.options["escarpment_move"]), shut(table, beside), open_)  # supply.6


def shut(table: Table, beside: frozenset[str] = frozenset()) -> frozenset[Hex]:
    """The hexes through which no line leads, to units next to the Boxes ``beside``."""
    enemies = occupied(table, table.enemy(AXIS))
    found = set(_near_boxes(table, enemies, beside))
    found |= enemies  # supply.8
    found |= zones(table, AXIS).keys()  # supply.9
    return frozenset(found)


@lru_cache(maxsize=64)
def _flood(here: Ground, most: int, escarpments: str, shut: frozenset[Hex], open_sides: frozenset[Pair]) -> Mapping[Hex, search.Reach]:
    """From the sources as far as ``most`` goes; a line may end in a hex that is shut, and never leads through one (FT-61)."""

    def neighbours(at: Hex) -> Iterable[Hex]:
        return sorted(here.sources) if at == NOWHERE else here.adjacent[at]  # supply.5

    def cost(at: Hex, to: Hex) -> int | None:
        if at == NOWHERE:
            return 0
        if (at, to) in here.mines and (at, to) not in open_sides:
            return None  # supply.10 gap.5
        return terrain_cost(here, escarpments, at, to)  # supply.7

    return search.reachable(NOWHERE, most, neighbours, cost, lambda at: at in shut)


def _near_boxes(table: Table, enemies: frozenset[Hex], beside: frozenset[str]) -> frozenset[Hex]:
    """The hexes within two of a Box with an enemy in it; of the Boxes ``beside``, only those without an Axis unit."""
    here, friends = ground(table), occupied(table, AXIS)
    found: set[Hex] = set()
    for name, hexes in here.boxes.items():
        if hexes & enemies:
            found |= here.near[name] - friends if name in beside else here.near[name]  # supply.11 supply.17 supply.18
    return frozenset(found)


def boxes_beside(table: Table, at: Hex) -> Iterable[str]:
    """The Boxes next to a hex."""
    box_of = ground(table).box_of
    return (box_of[to] for to in adjacent(table, at) if to in box_of)


def judge(adj: Adjudication, *units: str) -> None:
    """Whether units that set out, or stand, are in supply: those that are not are marked, those that are again are freed of the mark."""
    chart: dict[bool, list[str]] = {True: [], False: []}
    for unit in units:
        fed = supplied(adj, unit)
        if fed == (OUT in adj.counters[unit].marks):
            chart[fed].append(unit)
    if lost := chart[False]:
        adj.record("out_of_supply", "supply.15", {"units": lost}, changes=[ch.mark(unit, OUT) for unit in lost])
    if again := chart[True]:
        adj.record("in_supply", "supply.16", {"units": again}, changes=[ch.mark(unit, OUT, False) for unit in again])


def unsupplied(table: Table, unit: str) -> bool:
    """Whether a unit was judged out of supply in this player-turn."""
    return OUT in table.counters[unit].marks


def factor(table: Table, unit: str) -> Exact:
    """What is left of the antitank and the combat factor of a unit of the phasing side that shoots or attacks."""
    costs: Mapping[str, Any] = table.data.charts["costs"]["supply"]
    found: Exact = costs["factor"]
    return found if unsupplied(table, unit) and table.counters[unit].side == table.phasing else 1  # supply.2 supply.13 supply.14
