"""Victory Conditions: who holds Tobruk, what the Allies have taken out over the east edge, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Side
from services.rules.engine.positions import side_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.setup import date, last_turn
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, size_of, type_of

# -- Tobruk ----------------------------------------------------------------------------------------------------------------------


def tobruk(table: Table) -> frozenset[Hex]:
    """The hexes of Tobruk."""
    return table.data.board.marks["held"]


def holder(table: Table) -> Side:
    """The side that holds Tobruk: whose unit was the last to end a move, retreat or advance there (FT-56)."""
    return str(table.own["tobruk"])


def taken(adj: Adjudication, side: Side, hexes: Iterable[Hex]) -> None:
    """Units of a side have ended a move, retreat or advance in these hexes: Tobruk passes to it if it is among them. Of several hexes the
    Axis needs all (FT-56)."""
    here, ended = tobruk(adj), set(hexes)
    if holder(adj) == side or not here & ended:
        return
    if side == AXIS and not all(at in ended or side_at(adj, at) == AXIS for at in here):
        return
    data = {"side": side, "hex": str(min(here)), "hexes": sorted(str(at) for at in here)}
    adj.record("place_taken", "victory.1", data, changes=[ch.own("tobruk", side)])


# -- what has left over the east edge --------------------------------------------------------------------------------------------


def exit_class(table: Table, unit: str) -> str | None:
    """The quota that a unit counts for once it has left: ``tanks``, ``infantry``, ``artillery`` or none; companies for tanks, battalions
    for the others (victory.4 to victory.6, FT-56)."""
    found = str(type_of(table, unit)["exit"])
    wanted = "company" if found == "tanks" else "battalion"
    return found if found in table.own["exits"] and size_of(table, unit) == wanted else None  # victory.4 victory.5 victory.6


def exited(table: Table, unit: str) -> list[Change]:
    """The changes by which a unit that has left over the east edge counts for its quota (victory.7)."""
    found = exit_class(table, unit)
    return [ch.own("exits", found, int(table.own["exits"][found]) + 1)] if found else []


def quotas(table: Table) -> Mapping[str, Mapping[str, int]]:
    """Quota -> what counts for it as it stands, and what is needed; Allied reserve tanks not committed count as tanks."""
    stock = {row["model"] for row in table.data.charts["reserve"] if row["side"] == ALLIED}
    waiting = sum(int(n) for model, n in table.own["reserve"].items() if model in stock)
    need: Mapping[str, Any] = table.data.charts["costs"]["quotas"]
    done = {name: int(n) for name, n in table.own["exits"].items()}
    done["tanks"] += waiting  # victory.8
    return {name: {"done": done[name], "need": int(need[name])} for name in ("tanks", "infantry", "artillery")}


def met(table: Table) -> bool:
    """Whether all three quotas are met (victory.3)."""
    return all(one["done"] >= one["need"] for one in quotas(table).values())


# -- the end ---------------------------------------------------------------------------------------------------------------------


def turn_record(adj: Adjudication) -> None:
    """The day is over; after the last who holds Tobruk has won (victory.1, FT-57)."""
    if adj.turn < last_turn(adj):
        adj.record("turn_record", "calendar.1", {"turn": adj.turn + 1})
        return
    reached = "met" if met(adj) else "short"
    data = {"holder": holder(adj), "quotas": {name: dict(one) for name, one in quotas(adj).items()}, "met": reached == "met"}
    adj.record("tobruk_held", "victory.1", {**data, "date": date(adj)})
    row = next(row for row in adj.data.charts["victory"] if row["holder"] == holder(adj) and row["quotas"] in (reached, "any"))
    adj.end(str(row["winner"]), str(row["level"]), str(row["clause"]))  # victory.1 victory.2 victory.3
