"""The adjutant's landings: paratroops and commandos go where a place of the enemy's stands empty; else they come in like others (17.6)."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex
from services.rules.engine.positions import adjacent
from services.rules.games.race_for_tunis import landings
from services.rules.games.race_for_tunis.adjutant_aims import points_of
from services.rules.games.race_for_tunis.adjutant_ground import threat
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.landings import NO_DROP
from services.rules.games.race_for_tunis.state import ALLIED, holder, kind_of
from services.rules.games.race_for_tunis.zoc import in_zone


def wanted_landings(draft: Draft) -> Mapping[str, Hex]:
    """Units that wait -> where they are to be dropped or landed; none where that promises nothing."""
    if draft.side != ALLIED or not draft.table.options["landings"]:
        return {}
    found: dict[str, Hex] = {}
    for unit in landings.landers(draft.table):
        at = _best(draft, unit, set(found.values()))
        if at is not None:
            found[unit] = at
    return found


def _best(draft: Draft, unit: str, taken: set[Hex]) -> Hex | None:
    table = draft.table
    empty = [at for at in points_of(draft) if holder(table, at) != ALLIED and at not in taken and not _occupied(draft, at)]
    spots: dict[Hex, int] = {}
    for at in empty:
        worth = 100 * points_of(draft)[at]
        for to, share in ((at, 100), *((to, 40) for to in adjacent(table, at))):
            if _open(draft, unit, to):
                spots[to] = max(spots.get(to, 0), worth * share // 100 - threat(draft).get(to, 0) // 10)
    best = max(spots, key=lambda at: (spots[at], at), default=None)
    return best if best is not None and spots[best] > 0 else None


def _occupied(draft: Draft, at: Hex) -> bool:
    return any(counter.place == at for counter in draft.table.counters.values())


def _open(draft: Draft, unit: str, at: Hex) -> bool:
    """Whether a unit could come down there."""
    table = draft.table
    if _occupied(draft, at):
        return False
    if kind_of(table, unit) == "commando":
        return at in ground(table).coastal
    return ground(table).kinds[at] not in NO_DROP and not in_zone(table, ALLIED, at)


def land(draft: Draft) -> None:
    """The landings are ordered."""
    for unit, at in sorted(wanted_landings(draft).items()):
        draft.gather("DROP" if kind_of(draft.table, unit) == "parachute" else "AMPH", unit=unit, hex=str(at))
