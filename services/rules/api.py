"""The calls of the rules service, under ``/v1``: load, call, dump. Nothing is kept between calls."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Response
from marshmallow import ValidationError

from services.http import Endpoints, Problem, encode, invalid
from services.rules.engine.about import about
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import Dice, DiceError, ScriptedDice, SeededDice
from services.rules.engine.editing import edited
from services.rules.engine.foresight import Foreseen, foresee
from services.rules.engine.model import GameState, Json, Outcome, Packet, Rejection
from services.rules.engine.module import GameModule
from services.rules.engine.opening import opening
from services.rules.engine.table import Table
from services.rules.engine.view import view
from services.rules.schemas import calls
from services.rules.schemas.common import plain
from services.rules.schemas.game import GameSchemas, schemas_of
from services.rules.schemas.outcome import dump_outcome
from services.rules.schemas.packet import with_args
from services.rules.schemas.position import Verbs, check_options, check_position
from services.rules.schemas.state import digest_of, dump_order
from services.rules.schemas.vocabulary import dump_game, dump_scenario

Body = Mapping[str, Any]


def rules_api(games: Mapping[str, GameModule]) -> Endpoints:
    """The blueprint of the rules service for ``games``."""
    api = Endpoints("rules", __name__, url_prefix="/v1", description="Stateless adjudication by the printed rules")
    schemas = {key: schemas_of(key) for key in games}

    @api.call("POST", "/states", takes=calls.NewStateBody, gives=calls.NewStateAnswer)
    def states(body: Body) -> Json:
        """Lay out a scenario, and go on to the first step that waits for somebody."""
        return new_state(games, body)

    @api.call("POST", "/adjudications", takes=calls.AdjudicationBody, gives=calls.OutcomeAnswer)
    def adjudications(body: Body) -> Json:
        """Carry out one packet, or say why not. A refused, stale, checked or held packet leaves the state as it was."""
        module = _module(games, schemas, body["state"])
        return carry_out(module, schemas[module.key].verbs, body)

    @api.call("POST", "/edits", takes=calls.EditsBody, gives=calls.OutcomeAnswer)
    def edits(body: Body) -> Json:
        """Set right by hand what the umpire says, or say why not. It takes no number and no die."""
        module = _module(games, schemas, body["state"])
        return set_right(module, schemas[module.key], body)

    @api.call("POST", "/views", takes=calls.ViewBody, gives=calls.ViewAnswer)
    def views(body: Body) -> Response:
        """What one side may know; with events, those it may see, renumbered."""
        module = _module(games, schemas, body["state"])
        _check_side(module, body["side"])
        seen = view(module, body["state"], body["side"], body.get("events"))
        return Response(encode(plain(seen)), mimetype="application/json")  # whole, whatever a view comes to hold

    @api.call("POST", "/legal-orders", takes=calls.LegalBody, gives=calls.LegalAnswer)
    def legal_orders(body: Body) -> Json:
        """Legal orders of the open step, at most a hundred or ``most``: the first ones, and the last, by which one goes on. With a
        packet, those after its lines, as far as no die and nothing hidden decides; with a unit, those that name it."""
        module = _module(games, schemas, body["state"])
        _check_side(module, body["side"])
        foreseen = _foreseen(module, schemas[module.key].verbs, body)
        table, side, unit = Table(module, foreseen.state), body["side"], body["unit"]
        found = module.legal(table, side) if unit is None else module.legal(table, side, about(foreseen.state, side, unit))
        most = body["most"]
        more = len(found) > most
        given = (*found[: most - 1], found[-1]) if more else found
        told = {} if body["packet"] is None else {"foreseen": {"line": foreseen.line, "why": foreseen.why}}
        return {"orders": [dump_order(order) for order in given], "more": more} | told

    @api.call("POST", "/adjutant", takes=calls.AdjutantBody, gives=calls.AdjutantAnswer)
    def adjutant(body: Body) -> Json:
        """What the adjutant orders now for a side, from its view alone; asked again after the dice, until the side is not waited for."""
        module = _module(games, schemas, body["state"])
        _check_side(module, body["side"])
        if module.adjutant is None:
            raise Problem(404, "no-adjutant", f"{module.data.title} has no adjutant.")
        orders = module.adjutant(module, view(module, body["state"], body["side"]))
        return {"orders": [dump_order(order) for order in orders], "standing": []}

    @api.call("GET", "/games", gives=calls.GamesAnswer)
    def list_games() -> Json:
        """The games that this server plays."""
        return {"games": [dump_game(module.data) for module in games.values()]}

    @api.call("GET", "/scenarios/<game>/<scenario>", gives=calls.ScenarioAnswer)
    def scenario_of(game: str, scenario: str) -> Json:
        """A scenario's vocabulary: units, places, hexes, verbs, turns."""
        module = _game(games, game)
        return dump_scenario(module, module.data.scenarios[_scenario(module, scenario)])

    return api


def new_state(games: Mapping[str, GameModule], body: Body) -> Json:
    """A scenario laid out, if it and the options are the game's."""
    game, key = body["scenario"].split("/")
    module = _game(games, game)
    scenario = _scenario(module, key)
    try:
        check_options(module, body["options"])
    except ValidationError as error:
        raise invalid(error.messages, "#/options") from None
    return dump_outcome(opening(module, scenario, body["options"], body["secret"], body["words"]))


def carry_out(module: GameModule, verbs: Verbs, body: Body) -> Json:
    """The outcome of one packet. Problem 409 if the state is not the one that the caller means, 422 for what no rule can judge."""
    state: GameState = body["state"]
    _check_digest(state, body["digest"])
    packet = _packet(body["packet"], verbs)
    if body["dry_run"]:
        packet = replace(packet, check=True)
    try:
        return dump_outcome(adjudicate(module, state, packet, _dice(body)))
    except DiceError as error:
        raise Problem(422, "unfit-dice", f"{str(error)[:1].upper()}{str(error)[1:]}.", [("#/dice", str(error))]) from None


def set_right(module: GameModule, schemas: GameSchemas, body: Body) -> Json:
    """The outcome of edits: refused, too, where they would leave what no play leaves behind. Problem 409 as for a packet."""
    state: GameState = body["state"]
    _check_digest(state, body["digest"])
    outcome = edited(module, state, tuple(body["edits"]))
    try:
        check_position(module, outcome.state, schemas)
    except ValidationError as error:
        wrong = Rejection(0, "edit-illegal", "", {"why": first_fault(error.messages)})
        outcome = Outcome("refused", state, rejections=(wrong,))
    return dump_outcome(outcome)


def first_fault(messages: Any) -> str:
    """Where and what the first fault is."""
    way = []
    while isinstance(messages, Mapping):
        key, messages = next(iter(messages.items()))
        way.append(str(key))
    said = messages[0] if isinstance(messages, list) and messages else messages
    return f"{' '.join(way[1:])}: {said}"[:300]


def _foreseen(module: GameModule, verbs: Verbs, body: Body) -> Foreseen:
    """The position that legal orders are asked for: that of the state, or after the lines of a packet of the same side."""
    if body["packet"] is None:
        return Foreseen(body["state"])
    if body["packet"].side != body["side"]:
        raise invalid(["Must be the side that the orders are asked for."], "#/packet/side")
    return foresee(module, body["state"], _packet(body["packet"], verbs))


def _packet(packet: Packet, verbs: Verbs) -> Packet:
    """A packet with the arguments of its orders as their verbs take them. Problem 422."""
    try:
        return with_args(packet, verbs)
    except ValidationError as error:
        raise invalid(error.messages, "#/packet") from None


def _check_digest(state: GameState, wanted: str | None) -> None:
    if wanted is not None and not hmac.compare_digest(wanted, digest_of(state)):
        raise Problem(409, "wrong-digest", "The state is not the one that the digest names.")


def _dice(body: Body) -> Dice:
    return SeededDice(body["seed"]) if "seed" in body else ScriptedDice(body.get("dice", ()))


def _module(games: Mapping[str, GameModule], schemas: Mapping[str, GameSchemas], state: GameState) -> GameModule:
    module = _game(games, state.game)
    _scenario(module, state.scenario)
    try:
        check_position(module, state, schemas[module.key])
    except ValidationError as error:
        raise invalid(error.messages, "#/state") from None
    return module


def _game(games: Mapping[str, GameModule], key: str) -> GameModule:
    if key not in games:
        raise Problem(404, "unknown-game", f"There is no game {key[:40]!r} here; there are: {', '.join(games)}.")
    return games[key]


def _scenario(module: GameModule, key: str) -> str:
    scenarios = module.data.scenarios
    if key not in scenarios:
        raise Problem(404, "unknown-scenario", f"{module.data.title} has no scenario {key[:40]!r}; it has: {', '.join(scenarios)}.")
    return key


def _check_side(module: GameModule, side: str | None) -> None:
    if side is not None and side not in module.data.sides:
        raise invalid([f"Must be one of: {', '.join(module.data.sides)}."], "#/side")
