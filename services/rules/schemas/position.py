"""A well-formed state held against its game: what it names must exist there, or the rules could only stumble over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError

from scenarios.hexes import Hex
from services.rules.engine.flow import WORK
from services.rules.engine.model import GameState, Json, Order
from services.rules.engine.module import GameModule
from services.rules.schemas.common import from_msgspec, placed
from services.rules.schemas.game import GameSchemas
from services.rules.schemas.packet import OrderSchema, orders_with_args
from services.rules.schemas.state import dump_order
from services.rules.schemas.verbs import load_args

Verbs = Mapping[str, type[Schema]]


def check_position(module: GameModule, state: GameState, schemas: GameSchemas) -> None:
    """ValidationError, all faults placed, where ``state`` names a side, card, hex, step, option, verb or kind that ``module`` lacks."""
    verbs = schemas.verbs
    faults: dict[str, Any] = {}
    for name, found in (
        ("own", _fits(schemas.own, state.own)),
        ("counters", _counters(module, state)),
        ("path", _path(module, state)),
        ("options", _options(module, state.options)),
        ("agenda", _agenda(module, state, schemas)),
        ("pending", _pending(module, state, schemas)),
        ("answers", _answers(state, verbs)),
        *((name, _sides(module, getattr(state, name))) for name in ("seq", "standing", "on", "asked", "closing", "opened", "ids")),
    ):
        if found:
            faults[name] = found
    faults.update(_stored(state, verbs))
    if faults or (faults := schemas.check(state, module.data)):
        raise ValidationError(faults)


def check_options(module: GameModule, options: Mapping[str, Json]) -> None:
    """ValidationError, placed by option, for an option or a value that the game does not have."""
    faults = _options(module, options)
    if faults:
        raise ValidationError(faults)


def _counters(module: GameModule, state: GameState) -> dict[str, Any]:
    board, faults = module.data.board, {}
    for key, counter in state.counters.items():
        if counter.side not in module.data.sides:
            faults[key] = {"side": [_lacks("side", counter.side)]}
        elif counter.card not in module.data.cards:
            faults[key] = {"card": [_lacks("counter", counter.card)]}
        elif isinstance(counter.place, Hex) and counter.place not in board.terrain:
            faults[key] = {"place": [_lacks("hex for a unit", str(counter.place))]}
    return faults


def _path(module: GameModule, state: GameState) -> list[str]:
    try:
        slot = module.sequence.at(state.path)
    except KeyError:
        return ["The sequence of play has no such place."]
    turn = state.path[0][1] if state.path[0][0] == "turn" else 0
    number = state.path[-1][1] if state.path[-1][0] == "pass" else 1
    if not isinstance(turn, int) or not isinstance(number, int) or slot.path(turn, number) != state.path:
        return ["The sequence of play has no such place."]
    if not slot.setup and not 1 <= turn <= len(module.data.turns):
        return [f"The turn track has turns 1 to {len(module.data.turns)}."]
    return []


def _options(module: GameModule, options: Mapping[str, Json]) -> dict[str, Any]:
    faults: dict[str, Any] = {}
    for key, value in options.items():
        spec = module.data.options.get(key)
        if spec is None:
            faults[key] = [f"{_lacks('option', key)} It has: {', '.join(sorted(module.data.options))}."]
        elif not any(value == legal and type(value) is type(legal) for legal in spec.values):
            faults[key] = [f"Must be one of: {', '.join(str(legal) for legal in spec.values)}."]
    return faults


def _agenda(module: GameModule, state: GameState, schemas: GameSchemas) -> dict[str, Any]:
    faults: dict[str, Any] = {}
    for n, (kind, args) in enumerate(state.agenda):
        if kind in WORK:
            found: Any = [f"Work of the kind {kind} has no arguments."] if args else None
        elif kind in module.works and kind in schemas.frames:
            found = _fits(schemas.frames[kind], args)
        else:
            found = [_lacks("work", kind)]
        if found:
            faults[str(n)] = found
    return faults


def _fits(kind: type[msgspec.Struct], value: Json) -> Any:
    """What keeps ``value`` from being a ``kind``; None if nothing does."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return from_msgspec(error).messages
    return None


def _pending(module: GameModule, state: GameState, schemas: GameSchemas) -> dict[str, Any]:
    faults: dict[str, Any] = {}
    for n, decision in enumerate(state.pending):
        ask = module.asks.get(decision.kind)
        if ask is None or decision.kind not in schemas.contexts:
            faults[str(n)] = {"kind": [_lacks("decision", decision.kind)]}
        elif decision.side not in module.data.sides:
            faults[str(n)] = {"side": [_lacks("side", decision.side)]}
        elif decision.verb != ask.verb:
            faults[str(n)] = {"verb": [f"A decision of this kind is answered by {ask.verb}."]}
        elif wrong := _fits(schemas.contexts[decision.kind], decision.context):
            faults[str(n)] = {"context": wrong}
        elif wrong := _wrong_args(schemas.verbs, ask.verb, {"default": decision.default, **_numbered(decision.choices or ())}):
            faults[str(n)] = wrong
    return faults


def _answers(state: GameState, verbs: Verbs) -> dict[str, Any]:
    verb_of = {decision.id: decision.verb for decision in state.pending}
    faults: dict[str, Any] = {}
    for key, answer in state.answers.items():
        args = answer.get("args")
        if set(answer) != {"args", "source"} or not isinstance(args, dict) or not isinstance(answer["source"], str):
            faults[key] = ["An answer has args and source."]
        elif key not in verb_of:
            faults[key] = ["No decision of this id is open."]
        elif wrong := _wrong_args(verbs, verb_of[key], {"args": args}):
            faults[key] = wrong
    return faults


def _numbered(choices: tuple[Mapping[str, Json], ...]) -> dict[str, Mapping[str, Json]]:
    return {f"choices/{n}": choice for n, choice in enumerate(choices)}


def _wrong_args(verbs: Verbs, verb: str, many: Mapping[str, Mapping[str, Json]]) -> Any:
    """The fault of the first arguments that ``verb`` does not take, placed under their name; None if it takes all."""
    for name, args in many.items():
        try:
            load_args(verbs, verb, args)
        except ValidationError as error:
            return placed(name.split("/"), ValidationError(error.messages_dict["args"])).messages
    return None


def _sides(module: GameModule, by_side: Mapping[str, Any]) -> dict[str, Any]:
    return {key: [_lacks("side", key)] for key in by_side if key not in module.data.sides}


def _stored(state: GameState, verbs: Verbs) -> dict[str, Any]:
    """Faults of the orders that lie in the state: each must be what a packet could have brought."""
    faults: dict[str, Any] = {}
    lists: list[tuple[str, str, tuple[Order, ...]]] = [
        *(("sets", key, orders) for key, orders in state.sets.items()),
        *(("on", key, orders) for key, orders in state.on.items()),
        *(("tails", key, tail.orders) for key, tail in state.tails.items()),
        *(("standing", key, tuple(entry.order for entry in entries)) for key, entries in state.standing.items()),
    ]
    for name, key, orders in lists:
        try:
            loaded = tuple(OrderSchema().load(dump_order(order)) for order in orders)
            orders_with_args(loaded, verbs)
        except ValidationError as error:
            faults.setdefault(name, {})[key] = error.messages
    return faults


def _lacks(what: str, name: str) -> str:
    return f"The game has no {what} {name[:40]!r}."
