"""What a side may know: all that lies on the table. Lists of losses, retreats and advances are not of it: they are orders."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.exact import print_exact
from services.rules.engine.model import Counter, Json, Side
from services.rules.engine.positions import on_map
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import arrivals, supply
from services.rules.games.race_for_tunis.setup import date, last_turn
from services.rules.games.race_for_tunis.state import OFF, value
from services.rules.games.race_for_tunis.victory import points
from services.rules.games.race_for_tunis.zoc import zones


def view_counter(table: Table, counter: Counter, viewer: Side | None) -> Mapping[str, Json]:
    """A unit, whole: where it is, its marks, what it has spent."""
    return {
        "id": counter.id,
        "side": counter.side,
        "card": counter.card,
        "place": str(counter.place),
        "face": counter.face,
        "marks": sorted(counter.marks),
        "num": {key: print_exact(number) for key, number in counter.num.items()},
        "known": "own",
    }


def view_own(table: Table, viewer: Side | None) -> Mapping[str, Json]:
    """All of the game's own; the date, the last game-turn, the Axis's victory points as it stands, who holds each place, who is due and who
    is to come, the hexes under interdiction, who is out of supply, and the enemy ZOC that the viewer's units would meet."""
    return {
        **_copied(table.own),
        "date": date(table) if table.turn else None,
        "last_turn": last_turn(table),
        "vp": points(table),
        "control": _copied(table.own["places"]),
        "due": {side: list(arrivals.waiting(table, side)) for side in table.data.sides},
        "coming": _coming(table),
        "interdicted": _interdicted(table),
        "supply": _supply(table),
        "ezoc": sorted(str(at) for at in zones(table, viewer)) if viewer else [],
    }


def _coming(table: Table) -> dict[str, list[str]]:
    """Later game-turns -> the units that are due in each."""
    found: dict[int, list[str]] = {}
    for unit in table.counters.values():
        if unit.place == OFF and table.turn < (turn := arrivals.due_turn(table, unit.id)) <= last_turn(table):
            found.setdefault(turn, []).append(unit.id)
    return {str(turn): units for turn, units in sorted(found.items())}


def _interdicted(table: Table) -> Mapping[str, Json]:
    """Hex -> the air unit that interdicts it, its side, and the MP more that it costs to leave (17.2.3)."""
    flights = ((unit, one) for unit, one in table.own["air"].items() if one["state"] == "interdict" and one["hex"])
    return {
        str(one["hex"]): {"side": table.counters[unit].side, "unit": unit, "factors": value(table, unit, "support")}
        for unit, one in flights
    }


def _supply(table: Table) -> Mapping[str, Json]:
    """The hexes with units that are out of supply in this player-turn, where ways are traced (RT-03)."""
    out = {str(unit.place) for side in table.data.sides for unit in on_map(table, side) if supply.OUT in unit.marks}
    return {"traced": [], "out": sorted(out)}


def _copied(value: Json) -> Json:
    """A copy, so that no reader of a view can change the state."""
    if isinstance(value, Mapping):
        return {key: _copied(below) for key, below in value.items()}
    return [_copied(below) for below in value] if isinstance(value, list | tuple) else value
