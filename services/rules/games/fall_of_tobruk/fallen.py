"""Units that orders name and that have been lost since these were written: the others carry them out."""

from __future__ import annotations

from dataclasses import replace

from scenarios.hexes import Hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Order
from services.rules.games.fall_of_tobruk.state import DESTROYED, REFIT, WRECK, wrecks


def living(adj: Adjudication, order: Order) -> tuple[Order, tuple[str, ...]]:
    """An order without those of its units that its writer could not know to be lost, and who they are; as it is if none of them is left."""
    named = [str(unit) for unit in order.args.get("units", ())]
    lost = tuple(unit for unit in named if _lost_since(adj, unit))
    if not lost or len(lost) == len(named):
        return order, ()
    return replace(order, args={**order.args, "units": [unit for unit in named if unit not in lost]}), lost


def _lost_since(adj: Adjudication, unit: str) -> bool:
    """Whether a unit has been lost since the packet that runs came, or is a tank wrecked in this player-turn."""
    counter, before = adj.counters.get(unit), adj.before.counters.get(unit)
    if counter is None or counter.place not in (WRECK, DESTROYED, REFIT):
        return False
    now = (adj.turn, adj.phasing)
    fresh = {str(tank["unit"]) for one in wrecks(adj) for tank in one["tanks"] if (tank["turn"], tank["half"]) == now}
    return unit in fresh or (before is not None and isinstance(before.place, Hex))
