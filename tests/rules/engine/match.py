"""A match of the test-only game: packets sent in one line each, dice as written."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from scenarios.hexes import parse_place
from services.rules.engine.adjudication import adjudicate, begin
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import GameState, Guard, Order, Outcome, Packet
from tests.rules.engine.mini import module


def order(verb: str, *, label: str | None = None, guard: tuple[Guard, ...] = (), otherwise: Order | None = None, **args: Any) -> Order:
    """An order on line 0; ``Match.send`` numbers the lines. ``confirm=True`` confirms it."""
    confirm = bool(args.pop("confirm", False))
    return Order(0, verb, args, label, guard, otherwise, None, confirm)


def on(then: Order | None, *, window: str | None = None, label: str | None = None, results: Iterable[str] = (), **more: Any) -> Order:
    """An ``ON`` line; ``then`` None asks to be asked."""
    args = {"window": window, "label": label, "results": list(results), "ask": then is None}
    return Order(0, "ON", args, None, more.get("guard", ()), more.get("otherwise"), then)


DONE = order("DONE")
DONE_TURN = order("DONE", turn=True)


def numbered(orders: Iterable[Order], first: int = 1) -> tuple[Order, ...]:
    return tuple(Order(n, o.verb, o.args, o.label, o.guard, o.otherwise, o.then, o.confirm) for n, o in enumerate(orders, first))


class Match:
    """A state that goes on with each packet sent; ``last`` is the last outcome."""

    def __init__(self, tempo: str = "normal", weather: int = 1, placed: bool = True) -> None:
        self.module = module(tempo)
        start = self.module.new_game(self.module.data, self.module.data.scenarios["one"], {"tempo": tempo}, "ab" * 32)
        self.last: Outcome = begin(self.module, start, ScriptedDice([]))
        self.state: GameState = self.last.state
        self.count = itertools.count(1)
        if placed:
            self.send("red", order("PLACE", unit="R2", hex="0304"), DONE)
            self.send("blue", order("PLACE", unit="B3", hex="0805"), DONE, dice=[weather])

    def send(self, side: str, *orders: Order, dice: Iterable[int] = (), standing: Iterable[Order] = (), **more: Any) -> Outcome:
        packet = Packet(f"p{next(self.count)}", side, numbered(orders), numbered(standing, 100), **more)
        self.last = adjudicate(self.module, self.state, packet, ScriptedDice(dice))
        self.state = self.last.state
        return self.last

    @property
    def place(self) -> str:
        """The place in the sequence in short: ``1 red movement 2``."""
        return " ".join(str(part[1]) for part in self.state.path)

    def put(self, **places: str) -> None:
        """Lay counters on hexes: ``put(R1="0602")``."""
        moved = {u.replace("_", "-"): replace(self.state.counters[u.replace("_", "-")], place=parse_place(p)) for u, p in places.items()}
        self.state = replace(self.state, counters={**self.state.counters, **moved})

    def at(self, unit: str) -> str:
        return str(self.state.counters[unit].place)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.last.events]

    def codes(self) -> list[str]:
        return [r.code for r in self.last.rejections]
