"""4. Victory points, and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Json
from services.rules.engine.positions import card
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.state import vp


def worth(table: Table, unit: str) -> int:
    """Victory points that a unit scores when it leaves: two a battalion, one any other (4.1d, 4.1e)."""
    return next(int(row["vp"]) for row in table.data.charts["sizes"] if row["size"] == card(table, unit).values["size"])


def level(table: Table) -> tuple[str, str, str]:
    """Winner, victory level and clause at the present points (4.2)."""
    row = next(row for row in reversed(table.data.charts["victory"]) if vp(table) >= int(row["least"]))
    return str(row["winner"]), str(row["level"]), str(row["clause"])


def score(adj: Adjudication, unit: str, clause: str, data: Mapping[str, Json], changes: Sequence[Change]) -> None:
    """A unit has left the map: its points are counted, and the game ends at once if they make an Italian decisive win."""
    points = worth(adj, unit)
    total = vp(adj) + points  # 4.0d
    adj.record("exited", clause, {**data, "points": points, "vp": total}, changes=[*changes, ch.own("vp", total)])
    winner, reached, _ = level(adj)
    if (winner, reached) == ("italian", "decisive"):
        adj.end(winner, reached, "4.3c")


def turn_record(adj: Adjudication) -> None:
    """The turn marker moves on; after the last turn the points are counted (4.3b)."""
    if adj.turn < adj.data.scenarios[adj.before.scenario].last_turn:
        adj.record("turn_record", "2.0v", {"turn": adj.turn + 1})
        return
    winner, reached, clause = level(adj)
    adj.end(winner, reached, clause)
