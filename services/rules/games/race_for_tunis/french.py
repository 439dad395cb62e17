"""18.1.7 The French in the early start: a die each Allied opening until they fight freely; what they may not do before, and must."""

from __future__ import annotations

from collections.abc import Iterable

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change
from services.rules.engine.positions import hex_of, on_map
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import leaving
from services.rules.games.race_for_tunis.state import ALLIED, AXIS, french_restricted, nation_of
from services.rules.games.race_for_tunis.zoc import in_zone


def french_die(adj: Adjudication) -> None:
    """A die at or under the number of the game-turn frees the French for good, one less if the Axis has attacked one of them (RT-55)."""
    if not french_restricted(adj):
        return
    drm = -1 if adj.own["french"]["attacked"] else 0  # 18.1.7.B-3
    modifiers = [{"n": drm, "why": "attacked", "clause": "18.1.7.B-3"}] if drm else []
    (die,) = adj.roll("18.1.7.B-1", "french", modifiers=modifiers)
    free = die + drm <= adj.turn  # 18.1.7.B-2
    changes = [ch.own("french", "free", True)] if free else []
    adj.record("french", "18.1.7.B-2", {"die": die, "modifier": drm, "turn": adj.turn, "free": free}, changes=changes)


def note_attack(table: Table, defenders: Iterable[str]) -> list[Change]:
    """What an attack notes: whether the Axis has by now attacked a French unit (18.1.7.B-3)."""
    if table.phasing != AXIS or table.own["french"]["attacked"]:
        return []
    return [ch.own("french", "attacked", True)] if any(nation_of(table, unit) == "french" for unit in defenders) else []


# -- who must leave --------------------------------------------------------------------------------------------------------------


def must_leave(table: Table) -> tuple[str, ...]:
    """The restricted French units in an Axis ZOC that can move out of it, and so must (18.1.7.C-3)."""
    if not french_restricted(table):
        return ()
    found = [c.id for c in on_map(table, ALLIED) if nation_of(table, c.id) == "french" and _inside(table, c.id)]
    return tuple(unit for unit in found if leaving.way_out(table, unit))  # 18.1.7.C-4: the others attack


def _inside(table: Table, unit: str) -> bool:
    at = hex_of(table, unit)
    return at is not None and in_zone(table, ALLIED, at)


def leave(adj: Adjudication) -> None:
    """Those who must leave do so by the nearest way (``AUTO``)."""
    for unit in must_leave(adj):
        leaving.leave(adj, unit)
