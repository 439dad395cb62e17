"""Zones of control, and who stands beside whom: a zone stops movement and hurts on a retreat, adjacency makes the duty to attack."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from scenarios.hexes import Hex
from services.rules.engine.model import Side
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map, units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.ground import Ground, box_at, ground, same_box
from services.rules.games.fall_of_tobruk.state import ALLIED, disrupted, first_day, is_gun


def crosses(here: Ground, at: Hex, to: Hex) -> bool:
    """Whether a ZOC reaches from a hex into its neighbour: across mines too, not up an escarpment, not into a Box."""
    if (at, to) in here.up:
        return False  # zoc.7
    return to not in here.box_of  # zoc.9


def zones(table: Table, side: Side) -> Mapping[Hex, tuple[str, ...]]:
    """Hex -> the enemies of a side whose ZOC reaches it; friends there do not cancel it (FT-63). Disrupted units have none, and on the
    first day the Allies have none."""
    enemy = table.enemy(side)
    if enemy == ALLIED and first_day(table):
        return {}  # paralysis.5
    return _zones(ground(table), tuple((c.place, c.id) for c in on_map(table, enemy) if not disrupted(table, c.id)))  # disrupt.9


@lru_cache(maxsize=64)
def _zones(here: Ground, holders: tuple[tuple[Hex, str], ...]) -> Mapping[Hex, tuple[str, ...]]:
    """The zones of units that stand in these hexes: the same as long as none of them moves, whatever the others do."""
    zone: dict[Hex, list[str]] = {}
    for at, unit in holders:
        for to in here.adjacent.get(at, ()):  # zoc.1
            if crosses(here, at, to):  # zoc.8 zoc.10
                zone.setdefault(to, []).append(unit)
    return {at: tuple(units) for at, units in zone.items()}


def in_zone(table: Table, side: Side, at: Hex) -> bool:
    """Whether a hex lies in an enemy ZOC of a side."""
    return at in zones(table, side)


def enemy_hexes(table: Table, side: Side, at: Hex) -> tuple[Hex, ...]:
    """The hexes next to a hex in which enemies of a side stand, whatever lies between (FT-18)."""
    held = occupied(table, table.enemy(side))
    return tuple(to for to in adjacent(table, at) if to in held)


def beside(table: Table, unit: str) -> tuple[str, ...]:
    """The enemies next to a unit: disrupted ones, those below or above an escarpment, and Allied ones on the first day too (FT-18)."""
    at = hex_of(table, unit)
    if at is None:
        return ()
    return tuple(other for to in enemy_hexes(table, table.counters[unit].side, at) for other in units_at(table, to))


def owed(table: Table, unit: str) -> tuple[Hex, ...]:
    """The enemy hexes next to a unit that it must attack because it is there, engagements apart: all, but out of a Box only those in the
    same Box; none for artillery, which never attacks (FT-18, FT-25)."""
    at = hex_of(table, unit)
    if at is None or is_gun(table, unit):
        return ()  # artillery.13
    around = enemy_hexes(table, table.counters[unit].side, at)
    if box_at(table, at) is None:
        return around  # boxes.7
    return tuple(to for to in around if same_box(table, at, to))  # boxes.5 boxes.6
