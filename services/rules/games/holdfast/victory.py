"""13. Victory, and control of the fortified cities."""

from __future__ import annotations

from collections.abc import Iterable

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Side
from services.rules.engine.positions import on_map
from services.rules.engine.table import Table
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.state import control, each_side, month


def take_cities(adj: Adjudication, side: Side, path: Iterable[Hex]) -> None:
    """Enemy cities along a path fall to the unit that enters them, whether or not it stays."""
    for at in path:
        if at in ground(adj).cities and control(adj)[str(at)] != side:
            data = {"hex": str(at), "name": ground(adj).cities[at], "side": side}
            adj.record("control_changed", "control.2", data, changes=[ch.own("control", str(at), side)])  # control.2


def cities_of(table: Table, side: Side) -> int:
    """How many fortified cities a side controls."""
    return sum(held == side for held in control(table).values())


def end_of_player_turn(adj: Adjudication) -> None:
    """Status markers come off; who holds all five cities at the end of his own player-turn has won."""
    side = adj.phasing
    assert side is not None
    if cities_of(adj, side) == len(ground(adj).cities):  # 13d seq.3
        adj.end(side, "automatic", "13d")
        return
    marked = [ch.mark(c.id, m, False) for c in on_map(adj, side) for m in sorted(c.marks & {"moved", "attacked"})]
    if marked:
        adj.record("marks_off", "markers.2", {"side": side}, changes=marked)


def next_month(adj: Adjudication) -> None:
    """The turn marker moves on; after the last month the cities are counted."""
    turns = adj.data.turns
    here = turns.index(month(adj))
    if here + 1 < adj.data.scenarios[adj.before.scenario].last_turn:
        adj.record("turn_record", "seq.1", {"turn": adj.turn + 1, "month": turns[here + 1]}, changes=[ch.own("month", turns[here + 1])])
        return
    winner = max(each_side(adj), key=lambda side: cities_of(adj, side))  # seq.2 13a: five cities, so no draw
    if cities_of(adj, winner) >= 4:
        adj.end(winner, "decisive", "13c")
    else:
        adj.end(winner, "marginal", "13b")
