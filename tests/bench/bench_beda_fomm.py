"""Beda Fomm: a whole movement phase of sixty Italian units in one packet, adjudicated in process; the state as JSON; legal orders."""

from __future__ import annotations

from dataclasses import replace

from scenarios.hexes import Hex, neighbours
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import GameState, Order, Packet
from services.rules.engine.module import GameModule
from services.rules.engine.opening import opening
from services.rules.engine.table import Table
from services.rules.registry import load_games
from services.rules.schemas.state import state_bytes
from tests.bench.harness import Bench

CONTACT = {"turn": 1, "side": "italian", "unit": "COL-AT", "hex": "1728"}
FOOT = ("personnel", "armor")


def benches() -> list[Bench]:
    """Sixty units: lorries and guns step along the road by path, men and tanks go three hexes across country, half of them by path and
    half by ``TO``; twenty-five British units hold the south."""
    module = load_games()["beda-fomm"]
    state = _midgame(module)
    orders = _orders(module, state)
    packet = Packet("p", "italian", orders)
    outcome = adjudicate(module, state, packet, ScriptedDice([]))
    assert (outcome.status, outcome.rejections, len(orders)) == ("done", (), 60), outcome.rejections
    return [
        Bench("beda fomm: sixty units move in one packet", 60, "ms", lambda: adjudicate(module, state, packet, ScriptedDice([]))),
        Bench("beda fomm: state as JSON", 150, "kB", lambda: len(state_bytes(outcome.state)) / 1000, repeat=3),
        Bench("beda fomm: legal orders of that phase", 400, "ms", lambda: module.legal(Table(module, state), "italian"), repeat=5),
    ]


def _midgame(module: GameModule) -> GameState:
    """Turn 10, movement: the column on the road by twos, foot and tanks beside it in the plain, the British below."""
    start = opening(module, "historical", {}, "cd" * 32).state
    cards, board = module.data.cards, module.data.board
    italians = [name for name, card in cards.items() if card.side == "italian"]
    wheels = [name for name in italians if cards[name].values["class"] not in FOOT][:23]
    feet = [name for name in italians if cards[name].values["class"] in FOOT]
    road = module.data.charts["@ground"].down
    fields = [at for at in board.terrain if at.col > 17 and at.row < 30 and at.row % 4 == 1]
    plain = [at for at in fields if all(board.terrain.get(to) == "clear" for to in (at, *_south(at, 3)))]
    low = [at for at, terrain in board.terrain.items() if terrain == "clear" and 20 <= at.col <= 32 and at.row > 34]
    places: dict[str, Hex] = dict(zip(wheels, (*road[::-2], road[-5]), strict=False)) | dict(zip(feet, plain, strict=False))
    places |= dict(zip((name for name, card in cards.items() if card.side == "british"), low, strict=False))
    counters = {unit: replace(counter, place=places.get(unit, counter.place), num={}) for unit, counter in start.counters.items()}
    own = {**start.own, "contact": CONTACT, "called": 9}
    path = (("turn", 10), ("player-turn", "italian"), ("step", "movement"))
    return replace(start, path=path, counters=counters, own=own, seq={"italian": 1, "british": 1})


def _orders(module: GameModule, state: GameState) -> tuple[Order, ...]:
    down = list(module.data.charts["@ground"].down)
    orders: list[Order] = []
    for unit, counter in state.counters.items():
        if counter.side != "italian" or not isinstance(counter.place, Hex):
            continue
        at = counter.place
        if at in down:
            further = down[down.index(at) + 1 :][:1] or [down[down.index(at) - 1]]
            orders.append(_move(unit, path=further))
        elif len(orders) % 2:
            orders.append(_move(unit, to=_south(at, 3)[-1]))
        else:
            orders.append(_move(unit, path=_south(at, 3)))
    return tuple(replace(order, line=n) for n, order in enumerate(orders, 1))


def _south(at: Hex, steps: int) -> list[Hex]:
    found = [at]
    for _ in range(steps):
        found.append(neighbours(found[-1])[3])
    return found[1:]


def _move(unit: str, path: list[Hex] | None = None, to: Hex | None = None) -> Order:
    args = {"units": [unit], "path": [str(at) for at in path or ()], "to": None if to is None else str(to), "via": [], "road": False}
    return Order(0, "MOVE", {**args, "drop": None, "drop_at": None})
