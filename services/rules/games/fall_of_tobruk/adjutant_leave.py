"""The adjutant's withdrawal: once Tobruk is lost, Allied units leave over the east edge in time for the quotas."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.rules.engine.positions import on_map
from services.rules.games.fall_of_tobruk import movement
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, way
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import ground
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, value
from services.rules.games.fall_of_tobruk.victory import exit_class, holder, quotas

SPARE = 2
"""Game-turns that are kept in hand on the way out."""


def leaving(draft: Draft) -> frozenset[str]:
    """The units that are on their way out: of each kind as many as the quota wants, the nearest to the edge; none while there is time."""
    return draft.lasting("leaving", lambda: _leaving(draft))


def _leaving(draft: Draft) -> frozenset[str]:
    table = draft.table
    if draft.side != ALLIED or holder(table) != AXIS:
        return frozenset()
    found: set[str] = set()
    slowest = 0
    for name, one in quotas(table).items():
        missing = one["need"] - one["done"]
        able = sorted((turns_out(draft, unit.id), unit.id) for unit in on_map(table, ALLIED) if exit_class(table, unit.id) == name)
        if missing > len(able):
            return frozenset()
        chosen = able[: max(0, missing)]
        slowest = max([slowest, *(turns for turns, _ in chosen)])
        found |= {unit for _, unit in chosen}
    return frozenset(found) if draft.left <= slowest + SPARE else frozenset()


def turns_out(draft: Draft, unit: str) -> int:
    """Game-turns that a unit takes to the east edge."""
    table = draft.table
    at = table.counters[unit].place
    far = min((way(draft, to).get(at, FAR) for to in sorted(ground(table).east)[::4] if isinstance(at, Hex)), default=FAR)
    return min(99, -(-far // max(1, 4 * value(table, unit, "ma"))))


def leave(draft: Draft) -> None:
    """Those on their way out leave if they are at the edge."""
    for unit in movement.can_leave(draft.table, draft.side):
        if unit in leaving(draft):
            draft.give("EXIT", unit=unit)
