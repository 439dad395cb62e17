"""A game's state to and from JSON: typed, bounded, canonical, with an upgrade path from older formats.

``load_state`` reads what anybody may send; ``dump_state`` is its inverse. Equal states give equal bytes (``digest_of``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from marshmallow import ValidationError, fields

from scenarios.hexes import parse_place
from services.rules.engine.exact import parse_exact, print_exact
from services.rules.engine.model import (
    Counter,
    Decision,
    GameState,
    Guard,
    Json,
    Order,
    Over,
    Path,
    Standing,
    Tail,
)
from services.rules.engine.wire import decision_json, order_json
from services.rules.schemas.common import canonical_bytes, check_json, digest, from_msgspec, placed, plain
from services.rules.schemas.wire import (
    CounterWire,
    DecisionWire,
    OrderWire,
    SimpleOrderWire,
    StateWire,
    TailWire,
)

UPGRADES: Mapping[int, Callable[[dict[str, Json]], dict[str, Json]]] = {}
"""Format n -> a function that makes a state of format n + 1 of one of format n."""
FORMAT = 1
_FREE = ("options", "agenda", "answers", "results", "own")


def load_state(raw: Json) -> GameState:
    """The state that ``raw`` (JSON as decoded) describes. ValidationError, each fault placed, if it describes none."""
    raw = _upgraded(raw)
    try:
        wire = msgspec.convert(raw, StateWire)
    except msgspec.ValidationError as error:
        raise _all_faults(raw, error) from None
    for name in _FREE:
        _check(raw[name], name)
    return GameState(
        format=wire.format,
        game=wire.game,
        scenario=wire.scenario,
        data_digest=wire.data_digest,
        options=wire.options,
        branch=wire.branch,
        path=load_path(wire.path),
        seq=wire.seq,
        counters=_load_counters(wire.counters),
        agenda=tuple(wire.agenda),
        pending=tuple(_load_decision(decision, f"pending/{n}") for n, decision in enumerate(wire.pending)),
        answers=wire.answers,
        sets={key: _load_orders(orders, f"sets/{key}") for key, orders in wire.sets.items()},
        standing={
            side: tuple(Standing(entry.n, _load_order(entry.order, f"standing/{side}/{n}")) for n, entry in enumerate(entries))
            for side, entries in wire.standing.items()
        },
        on={side: _load_orders(orders, f"on/{side}") for side, orders in wire.on.items()},
        tails={side: _load_tail(tail, side) for side, tail in wire.tails.items()},
        drawn=wire.drawn,
        asked=wire.asked,
        closing=wire.closing,
        results=wire.results,
        opened=wire.opened,
        ids=wire.ids,
        hidden=wire.hidden,
        own=wire.own,
        over=None if wire.over is None else Over(wire.over.winner, wire.over.level, wire.over.why),
    )


def dump_state(state: GameState) -> dict[str, Json]:
    """``state`` as plain JSON. TypeError if it holds what JSON cannot keep exact."""
    return {
        "format": state.format,
        "game": state.game,
        "scenario": state.scenario,
        "data_digest": state.data_digest,
        "options": plain(state.options),
        "branch": state.branch,
        "path": plain(state.path),
        "seq": dict(state.seq),
        "counters": {key: dump_counter(counter) for key, counter in state.counters.items()},
        "agenda": plain(state.agenda),
        "pending": [dump_decision(decision) for decision in state.pending],
        "answers": plain(state.answers),
        "sets": {key: [dump_order(order) for order in orders] for key, orders in state.sets.items()},
        "standing": {
            side: [{"n": entry.n, "order": dump_order(entry.order)} for entry in entries] for side, entries in state.standing.items()
        },
        "on": {side: [dump_order(order) for order in orders] for side, orders in state.on.items()},
        "tails": {side: _dump_tail(tail) for side, tail in state.tails.items()},
        "drawn": dict(state.drawn),
        "asked": dict(state.asked),
        "closing": dict(state.closing),
        "results": plain(state.results),
        "opened": dict(state.opened),
        "ids": dict(state.ids),
        "hidden": state.hidden,
        "own": plain(state.own),
        "over": None if state.over is None else {"winner": state.over.winner, "level": state.over.level, "why": state.over.why},
    }


def state_bytes(state: GameState) -> bytes:
    """The canonical bytes of a state: sorted keys, no blanks."""
    return canonical_bytes(dump_state(state))


def digest_of(state: GameState) -> str:
    """SHA-256 of ``state_bytes``, in hex."""
    return digest(dump_state(state))


class StateField(fields.Dict):
    """A state in a body of the public edge."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return load_state(value)


def load_path(path: list[tuple[str, str | int]]) -> Path:
    """A place in the sequence of play."""
    return tuple(path)


def dump_counter(counter: Counter) -> dict[str, Json]:
    """A counter as it lies in ``counters`` (its id is the key there)."""
    return {
        "side": counter.side,
        "card": counter.card,
        "place": str(counter.place),
        "face": counter.face,
        "parts": list(counter.parts),
        "marks": sorted(counter.marks),
        "num": {key: print_exact(number) for key, number in counter.num.items()},
    }


def dump_order(order: Order) -> dict[str, Json]:
    """An order as JSON; ``then`` only where it is set (``ON`` lines) or null on an ``ON`` line."""
    dumped: dict[str, Json] = plain(order_json(order))
    return dumped


def dump_decision(decision: Decision) -> dict[str, Json]:
    """An open decision as JSON: as its side sees it, and whether the other side learns the choice."""
    return {**plain(decision_json(decision)), "public": decision.public}


def _dump_tail(tail: Tail) -> dict[str, Json]:
    wire = {"orders": [dump_order(order) for order in tail.orders], "fault": tail.fault, "anyway": tail.anyway, "last": plain(tail.last)}
    return {**wire, "spent": True} if tail.spent else wire


def _upgraded(raw: Json) -> Any:
    if not isinstance(raw, dict):
        raise ValidationError("Must be a state: an object.")
    version = raw.get("format")
    if isinstance(version, bool) or not isinstance(version, int):
        raise ValidationError({"format": ["Must be the number of the state's format."]})
    while version != FORMAT:
        if version not in UPGRADES:
            raise ValidationError({"format": [f"This server reads states up to format {FORMAT}, and not format {str(version)[:20]}."]})
        raw = UPGRADES[version](raw)
        version += 1
    return raw


def _load_counters(wires: Mapping[str, CounterWire]) -> dict[str, Counter]:
    counters = {}
    for key, wire in wires.items():
        try:
            counters[key] = Counter(
                id=key,
                side=wire.side,
                card=wire.card,
                place=parse_place(wire.place),
                face=wire.face,
                parts=tuple(wire.parts),
                marks=frozenset(wire.marks),
                num={name: parse_exact(number) for name, number in wire.num.items()},
            )
        except ValueError as error:
            raise placed(("counters", key), ValidationError(f"{error}.")) from None
    return counters


def _load_orders(wires: list[OrderWire], where: str) -> tuple[Order, ...]:
    return tuple(_load_order(wire, f"{where}/{n}") for n, wire in enumerate(wires))


def _load_order(wire: OrderWire | SimpleOrderWire, where: str) -> Order:
    _check(wire.args, f"{where}/args")
    return Order(
        line=wire.line,
        verb=wire.verb,
        args=wire.args,
        label=wire.label,
        guard=tuple(load_guard(guard, f"{where}/guard/{n}") for n, guard in enumerate(wire.guard)),
        otherwise=None if wire.otherwise is None else _load_order(wire.otherwise, f"{where}/else"),
        then=None if wire.then is None else _load_order(wire.then, f"{where}/then"),
        confirm=wire.confirm,
    )


def load_guard(raw: Mapping[str, Json], where: str = "") -> Guard:
    """A guard: ``test``, perhaps ``not``, and the test's arguments beside them. ValidationError if ``test`` is no word."""
    test, negated = raw.get("test"), raw.get("not", False)
    if not isinstance(test, str) or not 0 < len(test) <= 40 or not isinstance(negated, bool):
        raise placed(_way(where), ValidationError("A guard has a test (a word), and not (true or false)."))
    args = {key: value for key, value in raw.items() if key not in ("test", "not")}
    if len(args) > 5:
        raise placed(_way(where), ValidationError("A guard has at most 5 arguments."))
    _check(args, where)
    return Guard(test, args, negated)


def _load_tail(wire: TailWire, side: str) -> Tail:
    return Tail(_load_orders(wire.orders, f"tails/{side}/orders"), wire.fault, wire.anyway, load_path(wire.last), wire.spent)


def _load_decision(wire: DecisionWire, where: str) -> Decision:
    for name in ("default", "choices", "rule", "context"):
        _check(getattr(wire, name), f"{where}/{name}")
    return Decision(
        id=wire.id,
        kind=wire.kind,
        window=wire.window,
        side=wire.side,
        clause=wire.clause,
        verb=wire.verb,
        default=wire.default,
        choices=None if wire.choices is None else tuple(wire.choices),
        rule=wire.rule,
        group=wire.group,
        sealed=wire.sealed,
        label=wire.label,
        context=wire.context,
        deadline=wire.deadline,
        public=wire.public,
    )


def _check(value: Json, where: str) -> None:
    try:
        check_json(value)
    except ValidationError as error:
        raise placed(_way(where), error) from None


def _way(where: str) -> list[str]:
    return where.split("/") if where else []


def _all_faults(raw: dict[str, Json], error: Exception) -> ValidationError:
    """The fault msgspec stopped at and, as it stops at the first and names no key, the faults of every counter by id."""
    found: Any = from_msgspec(error).messages
    counters = raw.get("counters")
    if isinstance(counters, dict) and isinstance(found, dict) and "counters" in found:
        by_id: dict[str, Any] = {}
        for key, counter in list(counters.items())[:1000]:
            try:
                msgspec.convert(counter, CounterWire)
            except msgspec.ValidationError as fault:
                by_id[str(key)[:80]] = from_msgspec(fault).messages
        if by_id:
            found = {"counters": by_id}
    return ValidationError(found)
