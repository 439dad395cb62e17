"""Places that somebody holds: objectives, ports, airfields (RT-59)."""

from __future__ import annotations

from collections.abc import Iterable

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.model import Change, Side
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.state import holder


def taken(table: Table, side: Side, path: Iterable[Hex]) -> list[Change]:
    """The changes by which the places along a path pass to a side: who was last in them holds them."""
    return [ch.own("places", str(at), side) for at in dict.fromkeys(path) if at in ground(table).held and holder(table, at) != side]
