"""Weather, and what begins with a month."""

from __future__ import annotations

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change
from services.rules.engine.table import Table
from services.rules.games.holdfast.resources import rp_of_month
from services.rules.games.holdfast.state import air, each_side, leader


def new_month(adj: Adjudication) -> None:
    """The month opens: weather, air units and leaders back beside the board, RP of the month (the Axis's before Malta)."""
    first = adj.own["weather"] is None
    if first and adj.options.get("first_turn_weather", "clear") == "clear":
        weather = "clear"  # setup.5 16a
    else:
        die = adj.roll("weather.1", "weather")[0]  # seq.4
        weather = "poor" if die == 6 else "clear"  # weather.2 weather.3
    changes: list[Change] = [ch.own("weather", weather), ch.own("malta", {})]  # weather.4
    for side in each_side(adj):
        changes.append(ch.own("air", side, dict.fromkeys(air(adj, side), "free")))  # 11.2j
        if found := leader(adj, side):
            changes.append(ch.own("leader", side, found[0], {"move": False, "attack": False}))
    adj.record("weather", "weather.1", {"month": adj.own["month"], "weather": weather}, changes=changes)
    for side in each_side(adj):
        row = rp_of_month(adj, side)
        adj.record("rp", str(row["clause"]), {"side": side, "rp": row["rp"]}, changes=[ch.own("rp", side, row["rp"])])  # rp.1 rp.7


def mp_lost(table: Table, armor: bool) -> int:
    """MP that the weather takes from a unit."""
    if table.own["weather"] == "clear":
        return 0  # weather.5
    return 2 if armor else 1  # weather.6 weather.7
