"""What a stateless call costs beside the rules: read, validate, hash and write a state of about 60 kB."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from scenarios.hexes import Hex
from scenarios.loader import load_game
from services.http import decode, encode
from services.rules.engine.model import Outcome
from services.rules.engine.module import GameModule
from services.rules.registry import load_games
from services.rules.schemas.calls import AdjudicationBody
from services.rules.schemas.game import GameSchemas, schemas_of
from services.rules.schemas.outcome import dump_outcome
from services.rules.schemas.packet import PacketSchema, with_args
from services.rules.schemas.position import check_position
from services.rules.schemas.state import digest_of, dump_state, load_state, state_bytes
from tests.bench.harness import Bench
from tests.rules.schemas.positions import big_state


def benches() -> list[Bench]:
    """The call as a whole, then its parts."""
    body, raw, state = _body()
    module, schemas = load_games()["holdfast"], schemas_of("holdfast")
    sent = encode(body)
    return [
        Bench("rules: I/O of a call with a 60 kB state", 10, "ms", lambda: _call(module, schemas, sent)),
        Bench("rules: state of 250 counters, size", 70, "kB", lambda: len(state_bytes(state)) / 1000),
        Bench("rules: state from JSON", 4, "ms", lambda: load_state(raw)),
        Bench("rules: state to canonical bytes", 4, "ms", lambda: state_bytes(state)),
        Bench("rules: 500 orders read", 60, "ms", _read_orders(500)),
    ]


def _body() -> tuple[dict[str, Any], Any, Any]:
    data = load_game(None, "holdfast")
    state = big_state()
    cards = itertools.cycle(data.cards.values())
    hexes = itertools.cycle(Hex(c, r) for c in range(1, data.board.columns + 1) for r in range(1, data.board.rows + 1))
    counters = {key: replace(c, card=(card := next(cards)).id, side=card.side, place=next(hexes)) for key, c in state.counters.items()}
    state = replace(state, counters=counters)
    raw = decode(state_bytes(state))
    orders = [
        {"line": n, "verb": "MOVE", "args": {"units": [f"U{n}"], "path": ["0102", "0103", "0104"]}, "confirm": False} for n in range(1, 11)
    ]
    packet = {"id": "G1-000012", "side": "axis", "seq": 5, "orders": orders}
    return {"state": dump_state(state), "packet": packet, "seed": "ab" * 32, "digest": digest_of(state)}, raw, state


def _call(module: GameModule, schemas: GameSchemas, sent: bytes) -> bytes:
    """What ``POST /adjudications`` does, the adjudication left out."""
    loaded: Any = AdjudicationBody().load(decode(sent))
    check_position(module, loaded["state"], schemas)
    assert digest_of(loaded["state"]) == loaded["digest"]
    with_args(loaded["packet"], schemas.verbs)
    return encode(dump_outcome(Outcome("refused", loaded["state"])))


def _read_orders(count: int) -> Any:
    verbs = schemas_of("holdfast").verbs
    line = {"verb": "MOVE", "args": {"units": ["21PZ"], "path": ["0102", "0103", "0104"]}}
    orders = [{"line": n, **line} for n in range(count)]
    packet = {"id": "P1", "side": "axis", "orders": orders}

    def run() -> object:
        return with_args(PacketSchema().load(packet), verbs)

    return run
