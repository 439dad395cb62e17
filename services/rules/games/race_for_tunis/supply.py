"""Supply, by option only: the rulebook says what a way of supply may cross and has no rule for it, so that the rule is ours (RT-03).

A way of a few hexes leads from a unit to a road that leads to a source of its side. Enemy units block both, and so does their ZOC where no
friend stands. It is judged as the movement phase of its side opens; who is out of supply then is marked for that player-turn.
"""

from __future__ import annotations

from fractions import Fraction

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine import supply as lines
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Side
from services.rules.engine.positions import adjacent, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.state import heavy_rain
from services.rules.games.race_for_tunis.zoc import zones

OUT = "unsupplied"
"""The mark of a unit that was out of supply as its movement phase opened."""


def played(table: Table) -> bool:
    """Whether ways of supply are traced in this game."""
    return bool(table.options["supply"] == "traced")


def supplied(table: Table, side: Side) -> frozenset[Hex]:
    """The hexes in which a unit of a side would be in supply now."""
    chart = table.data.charts["supply"]
    shut = (zones(table, side).keys() - occupied(table, side)) | occupied(table, table.enemy(side))
    sources = frozenset(map(parse_hex, chart["sources"][side]))
    rivers = frozenset(at for at, kind in ground(table).kinds.items() if kind == "wadi") - sources if heavy_rain(table) else frozenset()

    def along(at: Hex) -> tuple[Hex, ...]:
        return () if at in rivers else tuple(to for to in adjacent(table, at) if _serves(table, at, to))  # 17.4.2.F

    net = lines.connected(sources, along, lambda at: at not in shut)
    near = lines.within(
        net - rivers, int(chart["way"]["hexes"]), lambda at: adjacent(table, at), lambda at: at not in shut and at not in rivers
    )
    return near | net


def _serves(table: Table, at: Hex, to: Hex) -> bool:
    """Whether the road between two hexes carries supply: under an enemy air unit too, a dirt road not in heavy rain."""
    here = ground(table)
    return (at, to) in here.road or ((at, to) in here.dirt and not heavy_rain(table))  # 17.2.3.D-2 17.4.2.C-2


def judge(adj: Adjudication) -> None:
    """The movement phase opens: who of the phasing side is out of supply is marked."""
    side = adj.phasing
    if side is None or not played(adj):
        return
    fed = supplied(adj, side)
    out = [unit.id for unit in on_map(adj, side) if unit.place not in fed]
    if out:
        adj.record("out_of_supply", "17.4.2.C-2", {"side": side, "units": out}, changes=[ch.mark(unit, OUT) for unit in out])


def kept(table: Table, unit: str, what: str) -> Fraction:
    """What is left to a unit of its ``attack`` or its ``ma``: all, or without supply a part."""
    if OUT not in table.counters[unit].marks:
        return Fraction(1)
    return Fraction(table.data.charts["supply"]["without"][what])
