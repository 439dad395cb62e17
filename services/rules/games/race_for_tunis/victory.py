"""16. Victory points for places held, and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.hexes import parse_hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.setup import date, last_turn, variant
from services.rules.games.race_for_tunis.state import AXIS, holder


def held(table: Table, *, standard: bool = False) -> Mapping[str, int]:
    """The objectives that the Axis holds and what each scores; ``standard``: without the five djebels of Operation Eilbote (18.3.C-3)."""
    extra = variant(table.data, table.before.scenario)["objectives"]
    wanted = {"always"} if standard else {"always", extra}
    rows = [row for row in table.data.charts["objectives"].values() if row["when"] in wanted]
    return {str(row["label"]): int(row["vp"]) for row in rows if holder(table, parse_hex(row["hex"])) == AXIS}  # 16.0.A-2 RT-59


def points(table: Table) -> int:
    """The Axis's victory points as it stands (16.0.A, 18.3.C)."""
    return sum(held(table).values())


def level(table: Table) -> Mapping[str, Any] | None:
    """The row of the Victory Level Table; None in Operation Eilbote, whose own is not printed, unless by option the standard one is read
    by the points without the djebels (RT-56)."""
    if variant(table.data, table.before.scenario)["levels"] == "option" and table.options["eilbote_levels"] == "none":
        return None  # 18.3.C-2
    total = sum(held(table, standard=True).values())
    found: Mapping[str, Any] = [row for row in table.data.charts["victory"] if int(row["least"]) <= total][-1]  # 16.0.B-1
    return found


def turn_record(adj: Adjudication) -> None:
    """The game-turn is over; after the last the points are counted (3.0.B-2, 16.0)."""
    if adj.turn < last_turn(adj):
        adj.record("turn_record", "3.0.B-2", {"turn": adj.turn + 1})
        return
    scored = held(adj)
    adj.record("points", "16.0.A-2", {"side": AXIS, "places": dict(scored), "total": sum(scored.values()), "date": date(adj)})
    row = level(adj)
    if row is None:
        adj.end(None, "points", "18.3.C-2")
    else:
        adj.end(str(row["winner"]), str(row["level"]), str(row["clause"]))
