"""5. Zones of control: who exerts one, whose it is, and who may enter."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex, neighbours
from services.rules.engine.model import Side
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.state import class_of, is_armor, on_map


def enemy_zoc(table: Table, side: Side) -> Mapping[Hex, bool]:
    """Hex -> whether an armored unit is among those that control it, for every hex in the ZOC of the enemies of ``side``.

    All six hexes around, whatever their terrain (5.2); several ZOCs in one hex are no more than the strictest (5.34, BF-R15); friends
    there do not cancel it (5.35, BF-R18).
    """

    def found() -> Mapping[Hex, bool]:
        zone: dict[Hex, bool] = {}
        for unit in on_map(table, table.enemy(side)):
            if class_of(table, unit.id) == "transport":
                continue  # 5.1b
            assert isinstance(unit.place, Hex)
            for at in neighbours(unit.place):  # 5.0a 5.2a
                zone[at] = zone.get(at, False) or is_armor(table, unit.id)
        return zone

    return table.remembered(("zoc", side), found)
