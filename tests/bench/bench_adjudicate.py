"""Ten orders of a Holdfast player-turn adjudicated in process: the law alone, no JSON and no HTTP."""

from __future__ import annotations

from services.rules.engine.adjudication import adjudicate, begin
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import GameState, Order, Packet
from services.rules.engine.module import GameModule
from services.rules.engine.view import view
from services.rules.registry import load_games
from tests.bench.harness import Bench


def benches() -> list[Bench]:
    """A commitment, seven moves (by road, by the cheapest way, with the leader), an attack and ``DONE``: a whole player-turn."""
    module = load_games()["holdfast"]
    state = _first_month(module)
    packet = Packet("p", "axis", _orders())
    outcome = adjudicate(module, state, packet, _dice())
    assert (outcome.status, outcome.rejections, outcome.state.path[1]) == ("done", (), ("player-turn", "allied")), outcome.rejections
    return [
        Bench("rules: ten orders adjudicated", 5, "ms", lambda: adjudicate(module, state, packet, _dice())),
        Bench("rules: the same orders checked", 5, "ms", lambda: adjudicate(module, state, _checked(packet), _dice())),
        Bench("rules: a side's view", 1, "ms", lambda: view(module, state, "axis")),
    ]


def _first_month(module: GameModule) -> GameState:
    """Campaign 1 as it begins: seven Axis units in El Agheila, and the Axis asked about Malta."""
    data = module.data
    options = {key: option.default for key, option in data.options.items()}
    start = module.new_game(data, data.scenarios["campaign-1"], options, "cd" * 32)
    return begin(module, start, _dice()).state


def _orders() -> tuple[Order, ...]:
    def move(unit: str, to: str, **more: object) -> Order:
        return Order(0, "MOVE", {"units": [unit], "path": [], "to": to, **more})

    orders = (
        Order(0, "COMMIT", {"n": 0}),
        move("21PZ", "0804", leader=True),
        move("ARIETE", "0706"),
        move("PAVIA", "0608", road=True),
        move("TRENTA", "0508"),
        move("BRESCIA", "0409"),
        move("BOLOGNA", "0310"),
        move("SAVENA", "0509"),
        Order(0, "ATTACK", {"hex": "0805", "units": ["21PZ"]}),
        Order(0, "DONE", confirm=True),  # the panzers stand too far ahead
    )
    return tuple(Order(n, o.verb, o.args, confirm=o.confirm) for n, o in enumerate(orders, 1))


def _checked(packet: Packet) -> Packet:
    return Packet(packet.id, packet.side, packet.orders, check=True)


def _dice() -> ScriptedDice:
    """Malta 1, so that eleven RP are left; then dice enough for one attack, none of which hits."""
    return ScriptedDice([1] * 30)
