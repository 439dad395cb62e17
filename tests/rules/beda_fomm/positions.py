"""Positions of Beda Fomm in one line each, and games that go on from them with scripted dice."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from scenarios.hexes import parse_hex
from scenarios.loader import load_game
from services.rules.engine.adjudication import adjudicate, begin
from services.rules.engine.dice import Dice, ScriptedDice, SeededDice
from services.rules.engine.model import Counter, Event, GameState, Guard, Order, Outcome, Packet, Path
from services.rules.engine.module import GameModule
from services.rules.engine.table import Table
from services.rules.engine.view import view
from services.rules.games.beda_fomm import build
from services.rules.games.beda_fomm.state import ELIMINATED, EXITED, OFF, SET_UP

HIDDEN = "ab" * 32
BOXES = {"dead": ELIMINATED, "exited": EXITED, "set-up": SET_UP}


@cache
def module() -> GameModule:
    """The game over its package, read once."""
    return build(load_game(None, "beda-fomm"))


def order(verb: str, *, label: str | None = None, guard: tuple[Guard, ...] = (), otherwise: Order | None = None, **args: Any) -> Order:
    """An order; ``Game.send`` numbers the lines. ``confirm=True`` confirms it."""
    confirm = bool(args.pop("confirm", False))
    return Order(0, verb, args, label, guard, otherwise, None, confirm)


def move(units: str, path: str = "", **more: Any) -> Order:
    """``move("2RB-A 2RB-B", "2730 2729")`` or ``move("2RB-A", to="2729")``."""
    return order("MOVE", units=units.split(), path=path.split(), **more)


def one(verb: str, unit: str, **more: Any) -> Order:
    """``one("PARK", "T-5")``."""
    return order(verb, unit=unit, **more)


DONE = order("DONE")


def on(window: str, then: Order, otherwise: Order | None = None, **more: Any) -> Order:
    """An ``ON`` line: sent among the orders it lives to the end of the player-turn, as ``standing`` until cancelled."""
    return Order(0, "ON", {"window": window, "label": None, "results": [], "ask": False, **more}, then=then, otherwise=otherwise)


def numbered(orders: Iterable[Order], first: int = 1) -> tuple[Order, ...]:
    return tuple(replace(o, line=n, then=replace(o.then, line=n) if o.then else None) for n, o in enumerate(orders, first))


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

    def italian(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("italian", *orders, **more)

    def british(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("british", *orders, **more)

    @property
    def table(self) -> Table:
        return Table(self.module, self.state)

    @property
    def place(self) -> str:
        """The place in the sequence in short: ``9 italian barrage``."""
        return " ".join(str(part[1]) for part in self.state.path)

    def at(self, unit: str) -> str:
        return str(self.state.counters[unit].place)

    def marks(self, unit: str) -> set[str]:
        return set(self.state.counters[unit].marks)

    def face(self, unit: str) -> str:
        return self.state.counters[unit].face

    def own(self, key: str) -> Any:
        return self.state.own[key]

    def morale(self, parent: str) -> int:
        return int(self.state.own["morale"][parent])

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


def position(
    units: str,
    *,
    side: str = "italian",
    step: str = "movement",
    turn: int = 9,
    contact: bool = True,
    moved: str = "",
    marks: Mapping[str, str] | None = None,
    morale: Mapping[str, int] | None = None,
    own: Mapping[str, Any] | None = None,
    **options: Any,
) -> Game:
    """A game that stands in a step of a player-turn (turn 9 is by day).

    ``units``: ``"2RB-A@2731 T-1:parked@1720 COL-ART:fired@1719 T-2@off T-3@off4 T-4@dead"``: a face after ``:``; ``off`` waits for a
    convoy, ``off4`` is due on turn 4; ``dead``, ``exited``, ``set-up`` are boxes.  ``contact``: made on turn 1, so that the opening is
    over.  Every convoy of the turns so far counts as called.  ``moved``: units marked so; ``marks``: mark -> units.  ``morale``: levels
    other than the printed.  ``own``: other values of the game's own.
    """
    data = module().data
    chosen = {key: spec.default for key, spec in data.options.items()} | options
    start = module().new_game(data, data.scenarios["historical"], chosen, HIDDEN)
    given = {"moved": moved, **(marks or {})}
    counters = dict(_counter(text, {name: ids.split() for name, ids in given.items()}) for text in units.split())
    made = {"turn": 1, "side": "italian", "unit": "COL-AT", "hex": "1728"} if contact else None
    rows = data.scenarios["historical"].tables["arrivals"]
    called = sum(row.get("convoys", 0) for row in rows if data.turns.index(row["turn"]) < turn)
    game_own = {**start.own, "contact": made, "called": called, **(own or {})}
    game_own["morale"] = {**game_own["morale"], **(morale or {})}
    path: Path = (("turn", turn), ("player-turn", side), ("step", step))
    seq = dict.fromkeys(data.sides, 1)
    return Game(replace(start, path=path, counters=counters, own=game_own, seq=seq, opened=dict(seq)))


def _counter(text: str, given: Mapping[str, list[str]]) -> tuple[str, Counter]:
    name, _, place = text.partition("@")
    unit, _, face = name.partition(":")
    card = module().data.cards[unit]
    marks = frozenset(mark for mark, units in given.items() if unit in units)
    if place.startswith("off"):
        return unit, Counter(unit, card.side, unit, OFF, num={"due": int(place[3:])} if place[3:] else {})
    where = BOXES.get(place) or parse_hex(place)
    return unit, Counter(unit, card.side, unit, where, face=face, marks=marks)


def historical(*, dice: Iterable[int] = (), **options: Any) -> Game:
    """The game from its first step on."""
    data = module().data
    chosen = {key: spec.default for key, spec in data.options.items()} | options
    outcome = begin(module(), module().new_game(data, data.scenarios["historical"], chosen, HIDDEN), ScriptedDice(dice))
    game = Game(outcome.state)
    game.last = outcome
    return game
