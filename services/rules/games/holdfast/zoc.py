"""Zone of Control."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.rules.engine import zoc
from services.rules.engine.model import Counter, Side
from services.rules.engine.positions import on_map
from services.rules.engine.table import Table
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.state import is_armor


def reaches(table: Table, unit: Counter, at: Hex, to: Hex) -> bool:
    """Whether the ZOC of ``unit`` goes from its hex ``at`` into the neighbouring ``to``."""
    return not (is_armor(table, unit.id) and (at, to) in ground(table).scarps)  # zoc.2 zoc.3 14f 14g


def enemy_zoc(table: Table, side: Side) -> frozenset[Hex]:
    """The hexes that lie in the ZOC of an enemy of ``side``, whatever stands in them (HF-R78)."""

    def found() -> frozenset[Hex]:
        enemies = on_map(table, table.enemy(side))
        return zoc.hexes_in_zoc(enemies, around(table), lambda unit, at, to: reaches(table, unit, at, to))  # zoc.1

    return table.remembered(("ezoc", side), found)


def in_zoc_of(table: Table, unit: str, target: Hex) -> bool:
    """Whether ``target`` lies in the unit's own ZOC."""
    counter = table.counters[unit]
    at = counter.place
    return isinstance(at, Hex) and target in around(table)(at) and reaches(table, counter, at, target)


def next_to_enemy(table: Table, side: Side, at: Hex) -> bool:
    """Whether an enemy unit stands in a hex next to ``at``; escarpments make no difference (HF-R23)."""
    enemies = {c.place for c in on_map(table, table.enemy(side))}
    return any(to in enemies for to in around(table)(at))
