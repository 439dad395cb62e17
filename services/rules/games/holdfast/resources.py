"""Resource points and the Malta box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json, Side
from services.rules.engine.table import Table
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.orders import Commit
from services.rules.games.holdfast.state import air, committed, month, rp

_CLAUSE = {"axis": "rp.11", "allied": "rp.12"}


def rp_of_month(table: Table, side: Side) -> Mapping[str, Any]:
    """The row of the RP chart for a side in the present month."""
    now = month(table)
    rows: tuple[Mapping[str, Any], ...] = table.data.charts["rp"]
    return next(row for row in rows if row["side"] == side and row["from"] <= now <= row["to"])  # rp.2 rp.3 rp.4 rp.5


def cost(table: Table, use: str, what: str) -> int:
    """RP that a use costs: ("step" or "rebuild", type) or ("activate", "move" or "attack")."""
    return int(ground(table).charts["costs"][use][what])


def afford(table: Table, side: Side, k: int, clause: str) -> None:
    """IllegalOrder if a side has fewer than ``k`` RP left."""
    if rp(table, side) < k:
        raise IllegalOrder(clause, "too-few-rp", needed=k, rp=rp(table, side))  # rp.6


# -- Malta -----------------------------------------------------------------------------------------------------------------------


def most_for_malta(table: Table, side: Side) -> int:
    """The air units that a side may commit: the chart's limit, and what it has in play."""
    return min(int(ground(table).charts["support"]["malta"][side]), len(air(table, side)))  # rp.11 rp.12 rp.13


def ask_axis(adj: Adjudication) -> None:
    """The Axis says how many air units it sends to Malta."""
    _ask(adj, "axis")


def ask_allied(adj: Adjudication) -> None:
    """The Allies, who know the Axis number, say theirs."""
    _ask(adj, "allied")


def _ask(adj: Adjudication, side: Side) -> None:
    choices = tuple({"n": n} for n in range(most_for_malta(adj, side) + 1))  # rp.10
    context = {"axis": committed(adj, "axis")} if side == "allied" else {}
    adj.ask(f"malta-{side}", side, _CLAUSE[side], {"n": 0}, window="MALTA", choices=choices, context=context, public=False)


def check_commit(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless ``args`` say a number that may be committed."""
    _number(adj, decision.side, args)


def _number(table: Table, side: Side, args: Mapping[str, Json]) -> int:
    commit = read_args(Commit, args)
    n = commit.n
    if commit.table is not None:
        n = dict(commit.table).get(committed(table, "axis"))
        if n is None:
            raise IllegalOrder("rp.10", "table-gap", axis=committed(table, "axis"))
    if n is None:
        raise IllegalOrder("", "malformed", field="n")
    most = most_for_malta(table, side)
    if not 0 <= n <= most:
        raise IllegalOrder(_CLAUSE[side], "too-many-air", n=n, most=most)
    return n


def commit(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """Air units go to the Malta box and may not fight this month."""
    side = decision.side
    n = _number(adj, side, args)
    sent = sorted(air(adj, side))[:n]
    changes = [ch.own("malta", side, n), *(ch.own("air", side, unit, "malta") for unit in sent)]  # malta.5
    adj.record("malta_committed", decision.clause, {"side": side, "n": n}, changes=changes)


def malta_roll(adj: Adjudication) -> None:
    """The Allied dice, the highest of which is the Axis loss; each Axis die cuts it by 2 if even, by 1 if odd."""
    n, m = committed(adj, "axis"), committed(adj, "allied")  # none in poor weather: nobody was asked
    high = max(adj.roll("rp.8", "malta", 1 + m, who="allied"))  # rp.8 rp.14 weather.9
    against = adj.roll("rp.15", "malta", n, who="axis") if n else ()  # rp.15
    cut = sum(2 if die % 2 == 0 else 1 for die in against)  # malta.1 malta.2 malta.3
    loss = max(0, high - cut)  # malta.4 rp.9
    left = rp(adj, "axis") - loss
    adj.record("malta", "malta.1", {"high": high, "cut": cut, "loss": loss, "rp": left}, changes=[ch.own("rp", "axis", left)])
