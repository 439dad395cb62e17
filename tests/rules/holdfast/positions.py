"""Positions of Holdfast in one line each, and games that go on from them with scripted dice."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from scenarios.hexes import Hex, parse_hex
from scenarios.loader import load_game
from services.rules.engine.adjudication import adjudicate, begin
from services.rules.engine.dice import Dice, ScriptedDice, SeededDice
from services.rules.engine.model import Counter, Event, GameState, Guard, Order, Outcome, Packet, Path
from services.rules.engine.module import GameModule
from services.rules.engine.table import Table
from services.rules.engine.view import view, view_events
from services.rules.games.holdfast import build
from services.rules.games.holdfast.state import OFF, PREFIX, pool

HIDDEN = "ab" * 32


@cache
def module() -> GameModule:
    """The game over its package, read once."""
    return build(load_game(None, "holdfast"))


def order(verb: str, *, label: str | None = None, guard: tuple[Guard, ...] = (), otherwise: Order | None = None, **args: Any) -> Order:
    """An order; ``Game.send`` numbers the lines. ``confirm=True`` confirms it."""
    confirm = bool(args.pop("confirm", False))
    return Order(0, verb, args, label, guard, otherwise, None, confirm)


def move(unit: str, path: str = "", **more: Any) -> Order:
    """``move("21PZ", "1804 1805")`` or ``move("21PZ", to="1805")``."""
    return order("MOVE", units=[unit], path=path.split(), **more)


def attack(at: str, units: str, **more: Any) -> Order:
    """``attack("1804", "PAVIA TRENTA", air="X1", lose="TRENTA")``."""
    lose = more.pop("lose", "").split()
    return order("ATTACK", hex=at, units=units.split(), lose=lose, **more)


def one(verb: str, unit: str, **more: Any) -> Order:
    """``one("ENTER", "15PZ")``."""
    return order(verb, unit=unit, **more)


DONE = order("DONE")


def on(then: Order, window: str) -> Order:
    """A standing order for a window."""
    return Order(0, "ON", {"window": window, "label": None, "results": [], "ask": False}, then=then)


def numbered(orders: Iterable[Order], first: int = 1) -> tuple[Order, ...]:
    return tuple(replace(o, line=n) for n, o in enumerate(orders, first))


class Game:
    """A position that goes on with each packet sent; ``last`` is the last outcome."""

    def __init__(self, state: GameState) -> None:
        self.module = module()
        self.state = state
        self.last: Outcome = Outcome("done", state)
        self.count = itertools.count(1)

    def send(self, side: str, *orders: Order, dice: Iterable[int] | Dice = (), standing: Iterable[Order] = (), **more: Any) -> Outcome:
        packet = Packet(f"p{next(self.count)}", side, numbered(orders), numbered(standing, 100), **more)
        throw = dice if isinstance(dice, SeededDice) else ScriptedDice(dice)
        self.last = adjudicate(self.module, self.state, packet, throw)
        self.state = self.last.state
        return self.last

    def axis(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("axis", *orders, **more)

    def allied(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("allied", *orders, **more)

    @property
    def table(self) -> Table:
        return Table(self.module, self.state)

    @property
    def place(self) -> str:
        """The place in the sequence in short: ``1 axis action``."""
        return " ".join(str(part[1]) for part in self.state.path)

    def at(self, unit: str) -> str:
        return str(self.state.counters[unit].place)

    def sp(self, unit: str) -> int:
        return int(self.state.counters[unit].num["sp"])

    def rp(self, side: str = "axis") -> int:
        return int(self.state.own["rp"][side])

    def codes(self) -> list[str]:
        return [r.code for r in self.last.rejections]

    def refusal(self) -> tuple[str, str]:
        """Code and clause of the one rejection."""
        (rejection,) = self.last.rejections
        return rejection.code, rejection.clause

    def kinds(self) -> list[str]:
        return [event.kind for event in self.last.events]

    def events(self, kind: str) -> list[Event]:
        return [event for event in self.last.events if event.kind == kind]

    def data(self, kind: str) -> Mapping[str, Any]:
        """What the one event of a kind holds."""
        (event,) = self.events(kind)
        return event.data

    def view(self, side: str | None) -> dict[str, Any]:
        return view(self.module, self.state, side, self.last.events)

    def seen(self, side: str | None, kind: str) -> list[Any]:
        """What a side gets to see of the last events of a kind."""
        return [event["data"] for event in view_events(self.last.events, side) if event["kind"] == kind]


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
    seq = dict.fromkeys(data.sides, 1)
    return Game(replace(start, path=path, counters=counters, own=own, seq=seq, opened=dict(seq)))


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
    data = module().data
    outcome = begin(module(), module().new_game(data, data.scenarios[scenario], options, HIDDEN), ScriptedDice(dice))
    game = Game(outcome.state)
    game.last = outcome
    return game
