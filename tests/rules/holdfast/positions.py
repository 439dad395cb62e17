"""Positions of Holdfast in one line each, and games that go on from them with scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from scenarios.hexes import Hex, parse_hex
from scenarios.loader import load_game
from services.rules.engine.model import Counter, GameState, Order, Outcome, Path
from services.rules.engine.module import GameModule
from services.rules.games.holdfast import build
from services.rules.games.holdfast.state import OFF, PREFIX, pool
from tests.rules.play import DONE, HIDDEN, Play, first_step, numbered, on, one, order, standing_at

__all__ = ["DONE", "Game", "attack", "campaign", "module", "move", "numbered", "on", "one", "order", "position"]


@cache
def module() -> GameModule:
    """The game over its package, read once."""
    return build(load_game(None, "holdfast"))


def move(unit: str, path: str = "", **more: Any) -> Order:
    """``move("21PZ", "1804 1805")`` or ``move("21PZ", to="1805")``."""
    return order("MOVE", units=[unit], path=path.split(), **more)


def attack(at: str, units: str, **more: Any) -> Order:
    """``attack("1804", "PAVIA TRENTA", air="X1", lose="TRENTA")``."""
    lose = more.pop("lose", "").split()
    return order("ATTACK", hex=at, units=units.split(), lose=lose, **more)


class Game(Play):
    """A game of it that goes on with each packet sent."""

    def __init__(self, state: GameState) -> None:
        super().__init__(module(), state, strict=False)

    def axis(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("axis", *orders, **more)

    def allied(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("allied", *orders, **more)

    def sp(self, unit: str) -> int:
        return int(self.state.counters[unit].num["sp"])

    def rp(self, side: str = "axis") -> int:
        return int(self.state.own["rp"][side])


def position(
    units: str,
    *,
    side: str = "axis",
    step: str = "action",
    turn: int = 1,
    rp: tuple[int, int] = (12, 10),
    weather: str = "clear",
    air: Mapping[str, str] | None = None,
    leaders: str = "",
    cities: str = "0210",
    scenario: str = "campaign-1",
    moved: str = "",
    attacked: str = "",
    stepped: Mapping[str, int] | None = None,
    **options: Any,
) -> Game:
    """A game that stands in a step. ``units``: ``"21PZ@1803 2ARM:2@0805 SAVENA@pool 15PZ@off"`` (``:n`` strength, else full).

    ``air``: id -> state; ``leaders``: ids in play; ``cities``: hexes that the Axis controls (the Allies hold the others).
    """
    data = module().data
    start = module().new_game(data, data.scenarios[scenario], options, HIDDEN)
    counters = dict(_counter(text, moved.split(), attacked.split()) for text in units.split())
    following = dict.fromkeys(data.sides, 1)
    blocks = {}
    for counter in counters.values():
        if isinstance(counter.place, Hex):
            blocks[f"{PREFIX[counter.side]}{following[counter.side]}"] = counter.id
            following[counter.side] += 1
    held = {at: "axis" if at in cities.split() else "allied" for at in start.own["control"]}
    wings = {s: {name: state for name, state in (air or {}).items() if name in data.charts["support"]["air"][s]} for s in data.sides}
    owner = {"ROMMEL": "axis", "MONTY": "allied"}
    own = {
        **start.own,
        "month": data.turns[data.scenarios[scenario].first_turn - 2 + turn],
        "weather": weather,
        "rp": {"axis": rp[0], "allied": rp[1]},
        "control": held,
        "air": wings,
        "leader": {s: {name: {"move": False, "attack": False} for name in leaders.split() if owner[name] == s} for s in data.sides},
        "stepped": {unit: {"turn": turn, "k": k} for unit, k in (stepped or {}).items()},
        "blocks": blocks,
        "next_alias": following,
        "seen": {},
    }
    path: Path = (
        (("turn", turn), ("player-turn", side), ("step", step)) if step in ("build", "action") else (("turn", turn), ("step", step))
    )
    return Game(standing_at(start, path, data.sides, counters=counters, own=own))


def _counter(text: str, moved: list[str], attacked: list[str]) -> tuple[str, Counter]:
    name, _, place = text.partition("@")
    unit, _, strength = name.partition(":")
    card = module().data.cards[unit]
    num = {"sp": int(strength) if strength else int(card.values["max_sp"])}
    marks = frozenset(mark for mark, units in (("moved", moved), ("attacked", attacked)) if unit in units)
    if place == "pool":
        return unit, Counter(unit, card.side, unit, pool(card.side), num={"sp": 0})
    if place.startswith("off"):
        return unit, Counter(unit, card.side, unit, OFF, num={**num, "due": int(place[3:] or 1)})
    return unit, Counter(unit, card.side, unit, parse_hex(place), marks=marks, num=num)


def campaign(scenario: str = "campaign-1", *, dice: Iterable[int] = (), **options: Any) -> Game:
    """A campaign from its first step on."""
    outcome = first_step(module(), scenario, dice, options)
    game = Game(outcome.state)
    game.last = outcome
    return game
