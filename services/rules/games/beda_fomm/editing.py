"""What the umpire may set right by hand: units, their marks and sides, victory points, the morale of formations."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Box, Hex
from services.rules.engine import changes as ch
from services.rules.engine.editing import Editing, Value
from services.rules.engine.model import Change
from services.rules.engine.positions import units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.stacking import LIMIT, load
from services.rules.games.beda_fomm.state import ELIMINATED, EXITED, LAST_MARKS, OFF

FACES = frozenset({"fired", "parked"})


def _gone(table: Table, unit: str) -> tuple[Box, ...]:
    return (ELIMINATED, EXITED)


def _cleared(table: Table, unit: str) -> list[Change]:
    """A unit that leaves the map, or comes onto it, bears no mark and has spent nothing."""
    counter = table.counters[unit]
    changes = [ch.mark(unit, name, False) for name in sorted(counter.marks)]
    changes += [ch.number(unit, name, None) for name in sorted(counter.num)]
    changes += [ch.own("delayed", unit, None)] if unit in table.own["delayed"] else []
    return [*changes, *([ch.face(unit, "")] if counter.face else [])]


def _numbers(table: Table, unit: str) -> Mapping[str, int]:
    """The game-turn in which a unit that waits may enter."""
    counter = table.counters[unit]
    return {"due": len(table.data.turns)} if counter.place == OFF and "due" in counter.num else {}


def _values(table: Table) -> Mapping[str, Value]:
    formations = tuple(sorted(table.own["morale"]))
    return {"VP": Value(("vp",)), **({"MORALE": Value(("morale",), keys=formations, most=12)} if formations else {})}


def _crowded(table: Table, where: Hex) -> bool:
    return load(table, units_at(table, where)) > LIMIT


def _busy(table: Table) -> frozenset[str]:
    """Units in a combat to be fought or in the course of a move, and those of convoys that were not called."""
    own = table.own
    fighting = [unit for one in own["declared"] if not one["done"] for part in ("units", "support", "defence") for unit in one[part]]
    formed = [unit for one in own["convoys"].values() for unit in (*one["transports"], one["personnel"])]
    waiting = [unit for unit in formed if table.counters[unit].place == OFF and "due" not in table.counters[unit].num]
    chained = [unit for by, failed in own["chain"].items() for unit in (by, *failed)]
    return frozenset((*fighting, *own["moving"], *waiting, *chained))


EDITING = Editing(_gone, _cleared, _cleared, _numbers, LAST_MARKS, _values, _crowded, FACES, busy=_busy)
