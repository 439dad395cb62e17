"""The adjutant: a player who sees one side's view and nothing else (docs/adjutant.md).

Each call gives the orders to play now: up to the next attack, or to the end of the step. After the dice it is asked again (G25).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from services.rules.engine.model import Json, Order
from services.rules.engine.module import GameModule
from services.rules.games.holdfast import adjutant_attack
from services.rules.games.holdfast.adjutant_answers import answer
from services.rules.games.holdfast.adjutant_build import build_up
from services.rules.games.holdfast.adjutant_ground import lost
from services.rules.games.holdfast.adjutant_posture import capture, posture, rescue
from services.rules.games.holdfast.adjutant_view import Seen, Sketch
from services.rules.games.holdfast.movement import surplus_can_leave
from services.rules.games.holdfast.state import rp


def adjutant(module: GameModule, seen: Seen) -> tuple[Order, ...]:
    """Orders for the side of a view: an answer if it must decide, else those of its open step; none if it has nothing to do."""
    if seen["over"] is not None or seen["side"] not in seen["waiting_for"]:
        return ()
    sketch = Sketch(module, seen)
    if seen["pending"]:
        found = iter([answer(sketch, seen["pending"][0])])
    elif seen["step"]["name"] == "build":
        found = build_up(sketch)
    else:
        found = _action(sketch)
    return tuple(replace(order, line=n) for n, order in enumerate(found, 1))


def _action(sketch: Sketch) -> Iterator[Order]:
    """Cities that lie open, the best attack, supply, then the moves that better the position; ``DONE`` when nothing is left."""
    taken = capture(sketch)
    if taken is not None:
        yield taken
        return
    plan = adjutant_attack.best(sketch, _kept_back(sketch))
    if plan is not None:
        yield from plan.orders()
        return
    moved = False
    for order in (*rescue(sketch), *posture(sketch)):
        moved = True
        yield order
    if not moved or rp(sketch, sketch.side) < 1:
        yield done()


def _kept_back(sketch: Sketch) -> int:
    """RP that attacks leave: for the units that would be eliminated in an overfull entry hex, and to bring others back into supply."""
    crowd = len(surplus_can_leave(sketch, sketch.side)) if sketch.options.get("surplus", "return") == "eliminate" else 0
    return max(crowd, min(2, len(lost(sketch))))


def done() -> Order:
    """The step closes, duties met by their defaults, so that it never sticks."""
    args: Mapping[str, Json] = {"turn": False, "auto": True}
    return Order(0, "DONE", args, confirm=True)
