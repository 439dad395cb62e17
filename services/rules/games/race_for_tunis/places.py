"""Places that somebody holds: objectives, ports, airfields (RT-59)."""

from __future__ import annotations

from collections.abc import Iterable

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Side
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.state import holder


def take(adj: Adjudication, side: Side, path: Iterable[Hex]) -> None:
    """The places along a path pass to the side whose unit has come through: who was last in them holds them (RT-59)."""
    for at in dict.fromkeys(path):
        if at in ground(adj).held and holder(adj, at) != side:
            adj.record("control_changed", "16.0.A-2", {"hex": str(at), "side": side}, changes=[ch.own("places", str(at), side)])
