"""The Fall of Tobruk: ten sequences of movement, antitank fire and combat in one packet, adjudicated in process; the state as JSON; legal
orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scenarios.hexes import Hex, distance, neighbours
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import GameState, Order, Outcome, Packet
from services.rules.engine.module import GameModule
from services.rules.engine.opening import opening
from services.rules.engine.table import Table
from services.rules.registry import load_games
from services.rules.schemas.state import state_bytes
from tests.bench.harness import Bench

PASSES = 10
SEED = "5e" * 32
SOUTH = 3
"""Of the six neighbours of a hex, the one below it."""


def benches() -> list[Bench]:
    """Charted units stand as the game begins, but for ten stacks of either side, a tank and infantry each, which stand two hexes apart. In
    each pass two of them meet: a move, shots of both tanks, an attack and what comes of it."""
    module = load_games()["fall-of-tobruk"]
    state, meetings = _midgame(module)
    packet = Packet("p", "axis", _orders(meetings))

    def run() -> Outcome:
        return adjudicate(module, state, packet, SeededDice(SEED))

    outcome = run()
    battles = [event for event in outcome.events if event.kind == "battle"]
    assert (outcome.status, outcome.rejections, len(battles)) == ("done", (), PASSES), (outcome.rejections, len(battles))
    return [
        Bench("fall of tobruk: ten sequences in one packet", 150, "ms", run),
        Bench("fall of tobruk: state as JSON", 150, "kB", lambda: len(state_bytes(outcome.state)) / 1000, repeat=3),
        Bench(
            "fall of tobruk: legal orders of a movement segment", 400, "ms", lambda: module.legal(Table(module, state), "axis"), repeat=5
        ),
        Bench("fall of tobruk: legal set-up of the Allies", 400, "ms", lambda: _legal_set_up(module), repeat=5),
    ]


def _legal_set_up(module: GameModule) -> object:
    return module.legal(Table(module, opening(module, "gazala", {}, "cd" * 32).state), "allied")


def _midgame(module: GameModule) -> tuple[GameState, list[tuple[tuple[str, str], Hex]]]:
    """The position, and of each meeting the two Axis units and the hex that they attack."""
    start = opening(module, "gazala", {"tempo": "blitz"}, "cd" * 32).state
    cards = module.data.cards
    standing = {unit: counter.place for unit, counter in start.counters.items() if isinstance(counter.place, Hex)}
    tanks = {side: [unit for unit in standing if cards[unit].side == side and _is_tank(module, unit)] for side in module.data.sides}
    foot = [unit for unit in standing if cards[unit].side == "allied" and cards[unit].kind == "infantry"]
    regiments = [unit for unit in standing if cards[unit].side == "axis" and cards[unit].values["size"] == "regiment"]
    germans = [unit for unit in tanks["axis"] if cards[unit].nation == "german"]
    ours = list(zip(germans, regiments, strict=False))[:PASSES]
    theirs = list(zip(tanks["allied"], foot, strict=False))[:PASSES]
    others = {at for unit, at in standing.items() if unit not in {one for pair in (*ours, *theirs) for one in pair}}
    places: dict[str, Hex] = {}
    meetings = []
    for at, pair, enemies in zip(_fields(module, others), ours, theirs, strict=False):
        target = _below(_below(at))
        places |= dict.fromkeys(pair, at) | dict.fromkeys(enemies, target)
        meetings.append((pair, target))
    counters = {unit: replace(counter, place=places.get(unit, counter.place)) for unit, counter in start.counters.items()}
    path = (("turn", 5), ("player-turn", "axis"), ("step", "movement"), ("pass", 1))
    return replace(start, path=path, counters=counters, seq={"axis": 1, "allied": 1}, opened={"axis": 1, "allied": 1}), meetings


def _is_tank(module: GameModule, unit: str) -> bool:
    kind = module.data.cards[unit].kind
    return any(row["type"] == kind and row["class"] == "tank" for row in module.data.charts["types"])


def _fields(module: GameModule, others: set[Hex]) -> Iterator[Hex]:
    """Clear hexes near which no others stand and no mines lie, and as far from one another that no two meetings touch."""
    ground, board = module.data.charts["@ground"], module.data.board
    mined = {at for pair in ground.mines for at in pair}
    taken: list[Hex] = []
    for at in sorted(board.terrain):
        near = [to for to in board.terrain if distance(to, _below(at)) <= 2]
        quiet = len(near) == 19 and not others & set(near) and not mined & set(near)
        if quiet and all(distance(at, other) > 4 for other in taken) and board.terrain[_below(at)] == "clear":
            taken.append(at)
            yield at


def _below(at: Hex) -> Hex:
    return neighbours(at)[SOUTH]


def _orders(meetings: list[tuple[tuple[str, str], Hex]]) -> tuple[Order, ...]:
    """Each pair goes a hex towards its enemy; whoever is left of it after the shots attacks him, as the umpire orders."""
    nothing: dict[str, object] = {"to": None, "via": [], "road": False, "drop": None, "drop_at": None}
    orders = []
    for pair, target in meetings:
        orders.append(Order(0, "MOVE", {"units": list(pair), "path": [str(neighbours(target)[0])], **nothing}))
        orders.append(Order(0, "DONE", {"turn": False, "auto": True}))
    last = [Order(0, "DONE", {"turn": False, "auto": True})] * 2  # the fire and the attacks of the last, which no later line closes
    return tuple(replace(order, line=n) for n, order in enumerate((*orders, *last), 1))
