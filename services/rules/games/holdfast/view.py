"""Fog of War: what a side may know of the units and of the game's own (HF-R70, HF-R71)."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Box, Hex
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Counter, Json, Side
from services.rules.engine.positions import on_map
from services.rules.engine.table import Table
from services.rules.games.holdfast.state import aliases, each_side, pool, seen, stepped, waiting
from services.rules.games.holdfast.zoc import enemy_zoc

_PUBLIC_MARKS = frozenset({"moved", "attacked"})


def view_counter(table: Table, counter: Counter, viewer: Side | None) -> Mapping[str, Json] | None:
    """A unit as a viewer may know it: his own whole, an enemy block by its alias and what was seen of it, the pools open."""
    alias = table.remembered("aliases", lambda: aliases(table)).get(counter.id)
    whole: dict[str, Json] = {
        "id": counter.id,
        "alias": alias,
        "side": counter.side,
        "card": counter.card,
        "place": str(counter.place),
        "marks": sorted(counter.marks),
        "num": {key: print_exact(number) for key, number in counter.num.items()},
        "known": "own",
    }
    if viewer == counter.side:
        return whole
    if isinstance(counter.place, Box):
        return {**whole, "known": "seen", "num": {}}
    if not isinstance(counter.place, Hex) or alias is None:
        return None
    marks = sorted(counter.marks & _PUBLIC_MARKS)
    known = seen(table, alias)
    if known is None:
        return {**whole, "id": None, "card": None, "marks": marks, "num": {}, "known": "no"}  # fog.1 blocks.2
    return {**whole, "marks": marks, "num": {"sp": known["sp"]}, "known": "seen", "since": known["month"]}  # fog.2


def view_own(table: Table, viewer: Side | None) -> Mapping[str, Json]:
    """What all may know of the game's own, the enemy ZOC that the viewer's units would meet, and the steps that he bought this turn."""
    own = table.own
    told = viewer is not None and bool(table.options.get("ezoc_public", True))
    return {
        "month": own["month"],
        "weather": own["weather"],
        "rp": dict(own["rp"]),
        "malta": dict(own["malta"]),
        "control": dict(own["control"]),
        "pool": {side: sorted(c.id for c in table.counters.values() if c.place == pool(side)) for side in each_side(table)},
        "air": {side: dict(own["air"][side]) for side in each_side(table)},
        "leader": {
            side: {name: "used" if used["move"] and used["attack"] else "free" for name, used in own["leader"][side].items()}
            for side in each_side(table)
        },
        "leader_used": {side: {name: dict(used) for name, used in own["leader"][side].items()} for side in each_side(table)},
        "held": {side: len(waiting(table, side)) for side in each_side(table)},
        "ezoc": sorted(str(at) for at in enemy_zoc(table, viewer)) if told and viewer else [],
        "stepped": {c.id: k for c in on_map(table, viewer) if (k := stepped(table, c.id))} if viewer else {},
    }
