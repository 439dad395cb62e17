"""What a side may know: everything. Nothing is hidden in Beda Fomm (6.0c)."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.exact import print_exact
from services.rules.engine.model import Counter, Json, Side
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import arrivals
from services.rules.games.beda_fomm.state import dark, hushed, opening
from services.rules.games.beda_fomm.zoc import enemy_zoc


def view_counter(table: Table, counter: Counter, viewer: Side | None) -> Mapping[str, Json]:
    """A unit, whole: its face and marks, where it is, what it has spent."""
    return {
        "id": counter.id,
        "side": counter.side,
        "card": counter.card,
        "place": str(counter.place),
        "face": counter.face,
        "marks": sorted({*counter.marks, *([counter.face] if counter.face else [])}),
        "num": {key: print_exact(number) for key, number in counter.num.items()},
        "known": "own",
    }


def view_own(table: Table, viewer: Side | None) -> Mapping[str, Json]:
    """All of the game's own; who is due and who is to come; the light, the opening and its silence; and the enemy ZOC that the viewer's
    units would meet."""
    own = table.own
    playing = table.turn > 0
    return {
        "convoys": {n: dict(group) for n, group in own["convoys"].items()},
        "called": own["called"],
        "morale": dict(own["morale"]),
        "vp": own["vp"],
        "contact": own["contact"],
        "interdicted": {at: dict(one) for at, one in own["interdicted"].items()},
        "barraged": dict(own["barraged"]),
        "declared": [dict(one) for one in own["declared"]],
        "moving": list(own["moving"]),
        "delayed": dict(own["delayed"]),
        "chain": {unit: list(failed) for unit, failed in own["chain"].items()},
        "dark": playing and dark(table),
        "opening": opening(table),
        "hushed": playing and hushed(table),
        "due": {side: list(arrivals.due(table, side)) for side in table.data.sides} if playing else {},
        "coming": arrivals.coming(table),
        "ezoc": sorted(str(at) for at in enemy_zoc(table, viewer)) if viewer else [],
    }
