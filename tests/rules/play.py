"""Games in tests: orders written short, and a position that goes on with each packet sent, with scripted dice.

The same for every game; what is a game's own is in its ``positions.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.adjudication import adjudicate, begin
from services.rules.engine.dice import Dice, ScriptedDice, SeededDice
from services.rules.engine.model import Event, GameState, Guard, Order, Outcome, Packet, Path
from services.rules.engine.module import GameModule
from services.rules.engine.table import Table
from services.rules.engine.view import view, view_events
from services.rules.schemas.game import schemas_of
from services.rules.schemas.position import check_position
from services.rules.schemas.state import dump_state, load_state

HIDDEN = "ab" * 32


def order(verb: str, *, label: str | None = None, guard: tuple[Guard, ...] = (), otherwise: Order | None = None, **args: Any) -> Order:
    """An order; ``Play.send`` numbers the lines. ``confirm=True`` confirms it."""
    confirm = bool(args.pop("confirm", False))
    return Order(0, verb, args, label, guard, otherwise, None, confirm)


def one(verb: str, unit: str, **more: Any) -> Order:
    """``one("ENTER", "15PZ")``."""
    return order(verb, unit=unit, **more)


def cancel(verb: str, of: str) -> Order:
    """``CANCEL ATTACK 0808``."""
    return Order(0, "CANCEL", {"verb": verb, "of": of})


DONE = order("DONE")


def on(window: str, then: Order, otherwise: Order | None = None, **more: Any) -> Order:
    """An ``ON`` line: sent among the orders it lives to the end of the player-turn, as ``standing`` until cancelled."""
    return Order(0, "ON", {"window": window, "label": None, "results": [], "ask": False, **more}, then=then, otherwise=otherwise)


def numbered(orders: Iterable[Order], first: int = 1) -> tuple[Order, ...]:
    """Orders as the lines of a packet, ``first`` that of the first."""
    return tuple(replace(o, line=n, then=replace(o.then, line=n) if o.then else None) for n, o in enumerate(orders, first))


class Play:
    """A position that goes on with each packet sent; ``last`` is the last outcome.

    ``strict``: no dice are left over, and the position is whole as a real one is: after each packet it is written, read and checked.
    """

    def __init__(self, module: GameModule, state: GameState, *, strict: bool) -> None:
        self.module = module
        self.strict = strict
        self.state = state
        self.last: Outcome = Outcome("done", state)
        self.count = itertools.count(1)

    def send(self, side: str, *orders: Order, dice: Iterable[int] | Dice = (), standing: Iterable[Order] = (), **more: Any) -> Outcome:
        """A packet of a side, by these dice."""
        packet = Packet(f"p{next(self.count)}", side, numbered(orders), numbered(standing, 100), **more)
        throw = dice if isinstance(dice, SeededDice) else ScriptedDice(dice)
        self.last = adjudicate(self.module, self.state, packet, throw)
        if self.strict and isinstance(throw, ScriptedDice) and self.last.status == "done":
            assert throw.left == 0, f"{throw.left} dice were not thrown"
        self.state = self.last.state
        if self.strict:
            self.check()
        return self.last

    def check(self) -> None:
        """The state goes over the wire and back unchanged, and is one that the game can go on from."""
        assert load_state(dump_state(self.state)) == self.state
        check_position(self.module, self.state, schemas_of(self.module.key))

    @property
    def table(self) -> Table:
        return Table(self.module, self.state)

    @property
    def place(self) -> str:
        """The place in the sequence in short: ``9 axis movement``."""
        return " ".join(str(part[1]) for part in self.state.path)

    def at(self, unit: str) -> str:
        return str(self.state.counters[unit].place)

    def marks(self, unit: str) -> set[str]:
        return set(self.state.counters[unit].marks)

    def own(self, key: str) -> Any:
        return self.state.own[key]

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


def first_step(module: GameModule, scenario: str, dice: Iterable[int], options: Mapping[str, Any]) -> Outcome:
    """A scenario begun, with the options that are not given as they are by default."""
    data = module.data
    chosen = {name: spec.default for name, spec in data.options.items()} | dict(options)
    return begin(module, module.new_game(data, data.scenarios[scenario], chosen, HIDDEN), ScriptedDice(dice))


def standing_at(start: GameState, path: Path, sides: Iterable[str], **changed: Any) -> GameState:
    """A new game put to a place of its sequence of play, each side in its first view."""
    seq = dict.fromkeys(sides, 1)
    return replace(start, path=path, seq=seq, opened=dict(seq), **changed)
