"""5. Zones of control: directed from unit to hex, stopped by cliffs upward and, for heavy equipment, by swamp and rugged crest."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex
from services.rules.engine.model import Side
from services.rules.engine.positions import adjacent, on_map
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.ground import at_of, ground
from services.rules.games.race_for_tunis.state import is_heavy, kind_of, nation_of

PASSED = frozenset({"american", "french"})
PASSERS = frozenset({"recon", "armor", "armored-infantry", "tank-company", "armored-car-company", "tiger-company"})


def zones(table: Table, side: Side) -> Mapping[Hex, tuple[str, ...]]:
    """Hex -> the enemies of a side whose ZOC reaches it: down a cliff and not up, and not into ground that heavy equipment cannot enter;
    friends there do not cancel it (RT-09)."""

    def found() -> Mapping[Hex, tuple[str, ...]]:
        zone: dict[Hex, list[str]] = {}
        here = ground(table)
        for unit in on_map(table, table.enemy(side)):
            at, heavy = at_of(table, unit.id), is_heavy(table, unit.id)
            for to in adjacent(table, at):  # 5.1.A-1
                if (at, to) in here.up:
                    continue  # 5.2.A-2
                if heavy and not here.terrain[to].heavy:
                    continue  # 5.2.B 6.6.B-2
                zone.setdefault(to, []).append(unit.id)
        return {at: tuple(units) for at, units in zone.items()}

    return table.remembered(("zones", side), found)


def in_zone(table: Table, side: Side, at: Hex) -> bool:
    """Whether a hex lies in an enemy ZOC of a side."""
    return at in zones(table, side)


def passes_through(table: Table, unit: str, at: Hex) -> bool:
    """Whether a unit may go on from a hex in an enemy ZOC: German recon, panzers and panzergrenadiers through those of US and French
    infantry alone (11.3, RT-15)."""
    if nation_of(table, unit) != "german" or kind_of(table, unit) not in PASSERS:
        return False  # 11.3.A-1
    holders = zones(table, table.counters[unit].side).get(at, ())
    return all(nation_of(table, one) in PASSED and kind_of(table, one) == "infantry" for one in holders)  # 11.3.A-3
