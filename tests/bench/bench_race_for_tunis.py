"""Race for Tunis: fifteen battles with artillery in one packet, adjudicated in process; the state as JSON; legal orders of both phases."""

from __future__ import annotations

from dataclasses import replace

from scenarios.hexes import Box, Hex, Place, neighbours
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import GameState, Json, Order, Packet
from services.rules.engine.module import GameModule
from services.rules.engine.opening import opening
from services.rules.engine.table import Table
from services.rules.registry import load_games
from services.rules.schemas.state import state_bytes
from tests.bench.harness import Bench

BATTLES, ROW, FIRST = 15, 14, 5
ROUGH = ("swamp", "rugged-crest")
SEED = "5e" * 32
ELIMINATED = Box("eliminated")


def benches() -> list[Bench]:
    """The Allies attack along a front of fifteen hexes with all their guns; the Axis has its own allotted by the rule, and losses, retreats
    and advances are left to the defaults."""
    module = load_games()["race-for-tunis"]
    state, packet = _front(module)
    outcome = adjudicate(module, state, packet, SeededDice(SEED))
    fought = [event.data for event in outcome.events if event.kind == "battle"]
    guns = sum(len(one["support"]) + len(one["defence_support"]) for one in fought)  # all that there are in the scenario
    assert (outcome.status, outcome.rejections, len(fought), guns) == ("done", (), BATTLES, 12), (outcome.rejections, len(fought), guns)
    moving = replace(state, path=(*state.path[:2], ("step", "movement")))
    return [
        Bench("race for tunis: fifteen battles with artillery", 60, "ms", lambda: adjudicate(module, state, packet, SeededDice(SEED))),
        Bench("race for tunis: state as JSON", 150, "kB", lambda: len(state_bytes(outcome.state)) / 1000, repeat=3),
        Bench("race for tunis: legal orders of the movement", 400, "ms", lambda: module.legal(Table(module, moving), "allied"), repeat=5),
        Bench("race for tunis: legal orders of the package", 400, "ms", lambda: module.legal(Table(module, state), "allied"), repeat=5),
    ]


def _front(module: GameModule) -> tuple[GameState, Packet]:
    """The position, and the orders: each pair of battalions attacks the hex above it, with a gun as far as they go; behind the others the
    Axis has its own. Nobody else is about."""
    start = opening(module, "extended", {"tempo": "blitz"}, "cd" * 32).state
    allies, axis = (_of(module, start, side, guns=False) for side in ("allied", "axis"))
    firing, answering = (_of(module, start, side, guns=True) for side in ("allied", "axis"))
    places: dict[str, Place] = {}
    orders: list[Order] = []
    for n, at in enumerate(_line(module)):
        pair, guns, below = allies[2 * n : 2 * n + 2], firing[n : n + 1], neighbours(at)[3]
        places |= dict.fromkeys([*pair, *guns], below) | {axis[n]: at}
        places |= dict.fromkeys(answering[n - len(firing) : n - len(firing) + 1] if n >= len(firing) else [], neighbours(at)[0])
        rest: dict[str, Json] = {"lower": None, "only": None, "rest": False}
        orders.append(Order(n + 1, "ATTACK", {"hexes": [str(at)], "units": pair, "support": guns, **rest}))
    counters = {unit: replace(counter, place=places.get(unit, ELIMINATED), num={}) for unit, counter in start.counters.items()}
    path = (("turn", 10), ("player-turn", "allied"), ("step", "package"))
    state = replace(start, path=path, counters=counters, seq={"axis": 1, "allied": 1})
    return state, Packet("p", "allied", (*orders, Order(99, "DONE", {})))


def _line(module: GameModule) -> list[Hex]:
    """Fifteen hexes of one row that any unit may enter, as those above and below them."""
    terrain = module.data.board.terrain
    row = [at for at in sorted(terrain) if at.row == ROW and at.col >= FIRST]
    return [at for at in row if all(terrain.get(to, ROUGH[0]) not in ROUGH for to in (at, neighbours(at)[0], neighbours(at)[3]))][:BATTLES]


def _of(module: GameModule, state: GameState, side: str, *, guns: bool) -> list[str]:
    """The battalions of a side, or its guns, the strongest first."""
    cards = [module.data.cards[unit] for unit, counter in state.counters.items() if counter.side == side]
    found = [card for card in cards if (card.kind == "artillery") == guns and card.values["size"] == "battalion"]
    return [card.id for card in sorted(found, key=lambda card: (-int(card.values["attack"]), card.id))]
