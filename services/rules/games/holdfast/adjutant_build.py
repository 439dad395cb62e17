"""The adjutant's build step: who enters, who is rebuilt, whose strength is made good."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.model import IllegalOrder, Order
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.build_up import check_step, entry_open
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.resources import cost
from services.rules.games.holdfast.state import at, kind_of, on_map, pool, rp, sp, value, waiting

FOR_ACTION = 6
"""RP that the build step leaves to the action step."""


def build_up(sketch: Sketch) -> Iterator[Order]:
    """Arrivals enter while the RP to clear the entry hex last; then units are rebuilt, and strength made good where it is least."""
    side = sketch.side
    left = rp(sketch, side)
    here = len(at(sketch, ground(sketch).entry[side]))
    if entry_open(sketch, side):
        for counter in sorted(waiting(sketch, side), key=lambda c: (-value(sketch, c.id, "dice"), c.id)):
            if here <= left:
                here += 1
                yield Order(0, "ENTER", {"unit": counter.id})
        for counter in sorted(sketch.counters.values(), key=lambda c: c.id):
            price = cost(sketch, "rebuild", kind_of(sketch, counter.id)) if counter.place == pool(side) else left
            if left - price >= FOR_ACTION:
                left -= price
                yield Order(0, "REBUILD", {"unit": counter.id})
    for counter in sorted(on_map(sketch, side), key=lambda c: (sp(sketch, c.id), c.id)):
        price = cost(sketch, "step", kind_of(sketch, counter.id))
        if sp(sketch, counter.id) < value(sketch, counter.id, "max_sp") and left - price >= FOR_ACTION and _may_step(sketch, counter.id):
            left -= price
            yield Order(0, "STEP", {"unit": counter.id, "k": 1})
    yield Order(0, "DONE", {"turn": False, "auto": True})


def _may_step(sketch: Sketch, unit: str) -> bool:
    try:
        check_step(sketch, unit, 1)
    except IllegalOrder:
        return False
    return True
