"""The adjutant's build step: who enters, who is rebuilt, whose strength is made good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services.rules.engine.model import IllegalOrder, Order
from services.rules.engine.positions import on_map
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.build_up import check_step, entry_open
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.resources import cost
from services.rules.games.holdfast.state import at, kind_of, pool, rp, sp, value, waiting

FOR_ACTION = 6
FOR_ATTACKS = 2
"""RP that the build step leaves to the action step, at least, and beyond what clears the entry hex."""


def build_up(sketch: Sketch) -> Iterator[Order]:
    """Arrivals enter while the RP to clear the entry hex last; then units are rebuilt, and strength made good where it is least."""
    side = sketch.side
    left = rp(sketch, side)
    here = len(at(sketch, ground(sketch).entry[side]))
    kept = max(FOR_ACTION, here + FOR_ATTACKS)
    if entry_open(sketch, side):
        for counter in sorted(waiting(sketch, side), key=lambda c: (-value(sketch, c.id, "dice"), c.id)):
            if here <= left:
                here += 1
                yield Order(0, "ENTER", {"unit": counter.id})
        for counter in sorted(sketch.counters.values(), key=lambda c: c.id):
            price = cost(sketch, "rebuild", kind_of(sketch, counter.id)) if counter.place == pool(side) else left
            if left - price >= kept:
                left -= price
                yield Order(0, "REBUILD", {"unit": counter.id})
    for unit, k in _steps(sketch, left - kept).items():
        yield Order(0, "STEP", {"unit": unit, "k": k})
    yield Order(0, "DONE", {"turn": False, "auto": True})


def _steps(sketch: Sketch, money: int) -> Mapping[str, int]:
    """Strength to buy for at most ``money`` RP, a point at a time for the unit that has least."""
    bought: dict[str, int] = {}
    while True:
        able = []
        for counter in on_map(sketch, sketch.side):
            k, price = bought.get(counter.id, 0), cost(sketch, "step", kind_of(sketch, counter.id))
            if price <= money and _may_step(sketch, counter.id, k + 1):
                able.append((sp(sketch, counter.id) + k, price, counter.id))
        if not able:
            return bought
        _, price, unit = min(able)
        bought[unit] = bought.get(unit, 0) + 1
        money -= price


def _may_step(sketch: Sketch, unit: str, k: int) -> bool:
    try:
        check_step(sketch, unit, k)
    except IllegalOrder:
        return False
    return True
