"""5. Zones of control: who exerts one, whose it is, and who may enter. Infiltration (9.3) is a step from one to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scenarios.hexes import Hex, neighbours
from services.rules.engine.model import Side
from services.rules.engine.positions import occupied, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.state import ITALIAN, class_of, dark, flag, has_armor, opening


class Barred(NamedTuple):
    """Why a unit may not enter a hex."""

    clause: str
    code: str


def enemy_zoc(table: Table, side: Side) -> Mapping[Hex, bool]:
    """Hex -> whether an armored unit is among those that control it, for every hex in the ZOC of the enemies of ``side``.

    All six hexes around, whatever their terrain (5.2); several ZOCs in one hex are no more than the strictest (5.34, BF-R15); friends
    there do not cancel it (5.35, BF-R18).
    """

    def found() -> Mapping[Hex, bool]:
        zone: dict[Hex, bool] = {}
        for where in occupied(table, table.enemy(side)):
            kinds = {class_of(table, unit) for unit in units_at(table, where)}
            if kinds == {"transport"}:
                continue  # 5.1b
            for at in neighbours(where):  # 5.0a 5.1a 5.2a 5.2b
                zone[at] = zone.get(at, False) or "armor" in kinds
        return zone

    return table.remembered(("zoc", side), found)


def barred_by_zoc(table: Table, unit: str, at: Hex | None, to: Hex, armor_along: Sequence[str]) -> Barred | None:
    """Why a unit may not step from ``at`` (None: from off the map) to ``to`` in movement for enemy ZOC; None if it may.
    ``armor_along``: the armored units that take the same step with it (5.42c, BF-R16)."""
    side = table.counters[unit].side
    zone = enemy_zoc(table, side)
    if to not in zone:
        return None
    if dark(table):
        return Barred("13.0b", "no-zoc-in-the-dark")
    if at in zone and not flag(table, unit, "infiltrates"):
        return Barred("5.33a", "no-infiltration")  # 9.31b 9.32c 10.44b
    if side == ITALIAN and opening(table):
        return None  # 16.14a 16.15a
    return barred_by_type(table, unit, to, armor_along)


def barred_by_type(table: Table, unit: str, to: Hex, armor_along: Sequence[str]) -> Barred | None:
    """Why a unit's type may not enter the enemy ZOC in a hex (5.4): movement in daylight, and advance (12.51e). Armor always may."""
    zone = enemy_zoc(table, table.counters[unit].side)
    kind = class_of(table, unit)
    if to not in zone or kind == "armor":
        return None
    if kind in ("weapons", "transport"):
        return Barred("5.43a" if kind == "weapons" else "5.43b", "never-into-zoc")
    if (
        zone[to]  # 5.42a
        and not armor_along  # 5.42c
        and not has_armor(table, to)  # 5.42d BF-R17
    ):
        return Barred("5.42b", "armored-zoc")
    return None
