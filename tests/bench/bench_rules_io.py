"""What a stateless call costs beside the rules: read, validate, hash and write a state of about 60 kB."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scenarios.hexes import Hex
from services.http import decode, encode
from services.rules.engine.model import GameState, Outcome
from services.rules.engine.module import GameModule
from services.rules.games.holdfast.state import PREFIX
from services.rules.registry import load_games
from services.rules.schemas.calls import AdjudicationBody
from services.rules.schemas.game import GameSchemas, schemas_of
from services.rules.schemas.outcome import dump_outcome
from services.rules.schemas.packet import PacketSchema, with_args
from services.rules.schemas.position import check_position
from services.rules.schemas.state import digest_of, dump_state, load_state, state_bytes
from tests.bench.harness import Bench
from tests.rules.schemas.positions import big_state

COUNTERS = 250


def benches() -> list[Bench]:
    """The call as a whole, then its parts."""
    module, state = _large_game()
    schemas = schemas_of("holdfast")
    sent, raw = encode(_body(state)), decode(state_bytes(state))
    return [
        Bench("rules: I/O of a call with a 60 kB state", 10, "ms", lambda: _call(module, schemas, sent)),
        Bench("rules: state of 250 counters, size", 70, "kB", lambda: len(state_bytes(state)) / 1000),
        Bench("rules: state from JSON", 4, "ms", lambda: load_state(raw)),
        Bench("rules: state to canonical bytes", 4, "ms", lambda: state_bytes(state)),
        Bench("rules: 500 orders read", 60, "ms", _read_orders(500)),
    ]


def _large_game() -> tuple[GameModule, GameState]:
    """Holdfast with 250 cards, and a state in which all of them stand on the map."""
    module = load_games()["holdfast"]
    data = module.data
    begun = module.new_game(data, data.scenarios["campaign-1"], {}, "cd" * 32)
    printed, hexes = itertools.cycle(data.cards.values()), itertools.cycle(sorted(data.board.terrain))
    cards = {f"U{n}": replace(next(printed), id=f"U{n}") for n in range(COUNTERS)}
    numbers = {"sp": 3, "due": 2, "mp": 7, "cf": 4, "at": 5, "range": 12}
    counters = {
        key: replace(counter, side=cards[key].side, place=Hex(*next(hexes)), num=numbers)
        for key, counter in big_state(COUNTERS).counters.items()
    }
    blocks = {f"{PREFIX[cards[key].side]}{n}": key for n, key in enumerate(counters, 1)}
    own = {
        **begun.own,
        "weather": "clear",
        "blocks": blocks,
        "seen": {a: {"unit": u, "sp": 3, "month": "1941-03"} for a, u in blocks.items()},
    }
    state = replace(begun, path=(("turn", 3), ("player-turn", "axis"), ("step", "action")), counters=counters, own=own)
    return replace(module, data=replace(data, cards=cards)), state


def _body(state: GameState) -> dict[str, Any]:
    orders = [
        {"line": n, "verb": "MOVE", "args": {"units": [f"U{n}"], "path": ["0310", "0410", "0510"]}, "confirm": False} for n in range(1, 11)
    ]
    packet = {"id": "G1-000012", "side": "axis", "seq": 5, "orders": orders}
    return {"state": dump_state(state), "packet": packet, "seed": "ab" * 32, "digest": digest_of(state)}


def _call(module: GameModule, schemas: GameSchemas, sent: bytes) -> bytes:
    """What ``POST /adjudications`` does, the adjudication left out."""
    loaded: Any = AdjudicationBody().load(decode(sent))
    check_position(module, loaded["state"], schemas)
    assert digest_of(loaded["state"]) == loaded["digest"]
    with_args(loaded["packet"], schemas.verbs)
    return encode(dump_outcome(Outcome("refused", loaded["state"])))


def _read_orders(count: int) -> Callable[[], object]:
    verbs = schemas_of("holdfast").verbs
    line = {"verb": "MOVE", "args": {"units": ["21PZ"], "path": ["0102", "0103", "0104"]}}
    packet = {"id": "P1", "side": "axis", "orders": [{"line": n, **line} for n in range(count)]}
    return lambda: with_args(PacketSchema().load(packet), verbs)
