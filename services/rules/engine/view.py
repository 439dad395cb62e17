"""What one side may know of a state and of what happened (``side`` None: a spectator). Non-interference is tested as a property.

Removed: the other side's standing orders, ``ON`` lines, scripts, gathered orders, sealed answers, pending choices and rejections, the
agenda, draw counts, the hidden key, and what the game hides of counters and of its own. Lists go by place, so no order tells anything.

When the game is over the table is open: every counter is seen whole, as its owner sees it (``known`` is then ``open``), and of events all
that changed something. What a player wrote beforehand, and words to him alone, stay his; the hidden key is in no view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.rules.engine.lines import half
from services.rules.engine.model import Counter, Event, GameState, Json, Side
from services.rules.engine.module import GameModule
from services.rules.engine.sequence import Mode, sides_of
from services.rules.engine.table import Table
from services.rules.engine.wire import decision_json, order_json


def view(module: GameModule, state: GameState, side: Side | None, events: Iterable[Event] | None = None) -> dict[str, Json]:
    """The view of ``side`` as plain JSON; with ``events``, those of the outcome that it may see, renumbered from 1."""
    table = Table(module, state)
    seen: dict[str, Json] = {
        "game": state.game,
        "scenario": state.scenario,
        "side": side,
        "options": dict(state.options),
        "path": [list(part) for part in state.path],
        "turn": table.turn,
        "phasing": table.phasing if state.path else None,
        "seq": state.seq.get(side, 0) if side else None,
        "counters": _counters(table, side),
        "own": dict(module.view_own(table, side)),
        "over": _over(state),
        **_to_do(table, state, side),
        **_private(state, side),
    }
    if events is not None:
        seen["events"] = view_events(events, side, open_table=state.over is not None)
    return seen


def _counters(table: Table, side: Side | None) -> list[Mapping[str, Json]]:
    seen = (_counter(table, counter, side) for counter in table.counters.values())
    return sorted((c for c in seen if c is not None), key=lambda c: (c["place"], c.get("alias") or "", c.get("id") or ""))


def _counter(table: Table, counter: Counter, side: Side | None) -> Mapping[str, Json] | None:
    if table.before.over is None or side == counter.side:
        return table.module.view_counter(table, counter, side)
    whole = table.module.view_counter(table, counter, counter.side)
    return None if whole is None else {**whole, "known": "open"}


def _to_do(table: Table, state: GameState, side: Side | None) -> dict[str, Json]:
    mine = [decision_json(d) for d in state.pending if d.side == side]
    # Whether the other side has answered in secret does not show.
    waiting = sorted({d.side for d in state.pending if d.side != side or d.id not in state.answers})
    step: dict[str, Json] | None = None
    if state.path and state.over is None:
        slot = table.slot
        acting = sides_of(slot.step, slot.phasing, table.data.sides)
        if not state.pending:
            waiting = _waited_for(table, state, acting)
        step = {
            "name": slot.step.name,
            "clause": slot.step.clause,
            "mode": str(slot.step.mode),
            "actor": acting[0] if len(acting) == 1 else slot.step.actor,
            "accepts": [taken.verb for taken in slot.step.accepts],
            "mine": _mine(table, state, side, acting) and (not state.pending or bool(mine)) and slot.step.mode is not Mode.ASK,
        }
    return {"step": step, "pending": mine, "waiting_for": waiting if state.over is None else []}


def _mine(table: Table, state: GameState, side: Side | None, acting: tuple[Side, ...]) -> bool:
    return side is not None and side in acting and half(table, side) not in state.results


def _waited_for(table: Table, state: GameState, acting: tuple[Side, ...]) -> list[Side]:
    """Who must close the open step: of a SET of both sides the first that has not, for the other is not asked before (G19)."""
    step = table.slot.step
    if len(acting) < 2 or step.mode is not Mode.SET:
        return list(acting)
    closed = {s for s in acting if half(table, s) in state.results or step.idle(table, s) or state.closing.get(s, "").startswith("own")}
    return [s for s in acting if s not in closed][:1] or list(acting)


def _private(state: GameState, side: Side | None) -> dict[str, Json]:
    if side is None:
        return {"standing": [], "on": [], "tail": None, "sets": {}, "answers": {}}
    tail = state.tails.get(side)
    own_sets = {key.partition("/")[2]: orders for key, orders in state.sets.items() if key.partition("/")[0] == side}
    return {
        "standing": [{"n": s.n, "order": order_json(s.order)} for s in state.standing.get(side, ())],
        "on": [order_json(o) for o in state.on.get(side, ())],
        "tail": [order_json(o) for o in tail.orders] if tail and tail.orders else None,
        "sets": {key: [order_json(o) for o in orders] for key, orders in own_sets.items()},
        "answers": {d.id: dict(state.answers[d.id]["args"]) for d in state.pending if d.side == side and d.id in state.answers},
    }


def _over(state: GameState) -> Json:
    return {"winner": state.over.winner, "level": state.over.level, "why": state.over.why} if state.over else None


def view_events(events: Iterable[Event], side: Side | None, open_table: bool = False) -> list[Json]:
    """The events that ``side`` may see, each as it may see it, numbered from 1. ``open_table``: the game is over, what changed is open."""
    found: list[Json] = []
    for event in events:
        whole = event.owner is None or event.owner == side or (open_table and bool(event.changes))
        data = event.data if whole else event.public
        if data is not None:
            path = [list(part) for part in event.path]
            found.append({"n": len(found) + 1, "kind": event.kind, "clause": event.clause, "path": path, "data": dict(data)})
    return found
