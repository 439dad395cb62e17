"""What a side may know: all that lies on the table. Orders gathered in private and sealed shots are not of it."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.exact import print_exact
from services.rules.engine.model import Counter, Json, Side
from services.rules.engine.positions import on_map
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.setup import date, last_turn
from services.rules.games.fall_of_tobruk.victory import holder, quotas, tobruk
from services.rules.games.fall_of_tobruk.zoc import zones


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
    """All of the game's own; the date, the last game-turn, the evacuation quotas as they stand, who holds the hexes of Tobruk, who was
    found out of supply, and the enemy ZOC that the viewer's units would meet."""
    return {
        **_copied(table.own),
        "date": date(table) if table.turn else None,
        "last_turn": last_turn(table),
        "quotas": {name: dict(one) for name, one in quotas(table).items()},
        "control": {str(at): holder(table) for at in sorted(tobruk(table))},
        "supply": _supply(table),
        "ezoc": sorted(str(at) for at in zones(table, viewer)) if viewer else [],
    }


def _supply(table: Table) -> Mapping[str, Json]:
    """The hexes with units that were found out of supply as their move began."""
    out = {str(unit.place) for side in table.data.sides for unit in on_map(table, side) if "unsupplied" in unit.marks}
    return {"traced": [], "out": sorted(out)}


def _copied(value: Json) -> Json:
    """A copy, so that no reader of a view can change the state."""
    if isinstance(value, Mapping):
        return {key: _copied(below) for key, below in value.items()}
    return [_copied(below) for below in value] if isinstance(value, list | tuple) else value
