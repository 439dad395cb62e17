"""Positions of Race for Tunis in one line each, and games that go on from them with scripted dice."""

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
from services.rules.games.race_for_tunis import build
from services.rules.games.race_for_tunis.state import AIR_BOX, COMPONENT, ELIMINATED, OFF
from services.rules.schemas.game import schemas_of
from services.rules.schemas.position import check_position
from services.rules.schemas.state import dump_state, load_state

HIDDEN = "ab" * 32
BOXES = {"dead": ELIMINATED, "parts": COMPONENT, "air": AIR_BOX}


@cache
def module() -> GameModule:
    """The game over its package, read once."""
    return build(load_game(None, "race-for-tunis"))


def order(verb: str, *, label: str | None = None, guard: tuple[Guard, ...] = (), otherwise: Order | None = None, **args: Any) -> Order:
    """An order; ``Game.send`` numbers the lines. ``confirm=True`` confirms it."""
    confirm = bool(args.pop("confirm", False))
    return Order(0, verb, args, label, guard, otherwise, None, confirm)


def move(unit: str, path: str = "", **more: Any) -> Order:
    """``move("1ES", "1215 1214")`` or ``move("1ES", to="1214")``; ``bridge="BLOW", bridge_at="1214"``."""
    return order("MOVE", units=[unit], path=path.split(), **more)


def attack(hexes: str, units: str, support: str = "", **more: Any) -> Order:
    """``attack("1215 1214", "5-I 5-III", "II-90", lower=1, label="A1")``; ``only=`` a unit, ``rest=True``."""
    return order("ATTACK", hexes=hexes.split(), units=units.split(), support=support.split(), **more)


def one(verb: str, unit: str, **more: Any) -> Order:
    """``one("LAND", "5-I", hex="0813")``."""
    return order(verb, unit=unit, **more)


DONE = order("DONE")


def on(window: str, then: Order, otherwise: Order | None = None, **more: Any) -> Order:
    """An ``ON`` line: sent among the orders it lives to the end of the player-turn, as ``standing`` until cancelled."""
    return Order(0, "ON", {"window": window, "label": None, "results": [], "ask": False, **more}, then=then, otherwise=otherwise)


def numbered(orders: Iterable[Order], first: int = 1) -> tuple[Order, ...]:
    return tuple(replace(o, line=n, then=replace(o.then, line=n) if o.then else None) for n, o in enumerate(orders, first))


class Game:
    """A position that goes on with each packet sent; ``last`` is the last outcome. After each the state is written, read and checked."""

    def __init__(self, state: GameState) -> None:
        self.module = module()
        self.state = state
        self.last: Outcome = Outcome("done", state)
        self.count = itertools.count(1)

    def send(self, side: str, *orders: Order, dice: Iterable[int] | Dice = (), standing: Iterable[Order] = (), **more: Any) -> Outcome:
        packet = Packet(f"p{next(self.count)}", side, numbered(orders), numbered(standing, 100), **more)
        throw = dice if isinstance(dice, SeededDice) else ScriptedDice(dice)
        self.last = adjudicate(self.module, self.state, packet, throw)
        if isinstance(throw, ScriptedDice) and self.last.status == "done":
            assert throw.left == 0, f"{throw.left} dice were not thrown"
        self.state = self.last.state
        self.check()
        return self.last

    def check(self) -> None:
        """The state goes over the wire and back unchanged, and is one that the game can go on from."""
        assert load_state(dump_state(self.state)) == self.state
        check_position(self.module, self.state, schemas_of("race-for-tunis"))

    def axis(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("axis", *orders, **more)

    def allied(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("allied", *orders, **more)

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

    def battle(self, label: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = next(one for one in self.state.own["battles"] if one["label"] == label)
        return found

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
    scenario: str = "standard",
    side: str = "axis",
    step: str = "movement",
    turn: int = 5,
    marks: Mapping[str, str] | None = None,
    own: Mapping[str, Any] | None = None,
    held: Mapping[str, str] | None = None,
    **options: Any,
) -> Game:
    """A game that stands in a step of a player-turn.

    ``units``: ``"1ES@1215 7-10-I@1213 T5@off T4@off3 10RB@dead 1-7-10@parts JU87@air"``: ``off`` waits and is due in this game-turn,
    ``off3`` in the third; ``dead``, ``parts``, ``air`` are boxes.  The companies of battalions named, and the battalions of companies, lie
    ready.  With the option ``air`` all air units are there, ready.  ``marks``: mark -> units.  ``held``: side -> hexes that it holds, other
    than at the set-up.  ``own``: other values of the game's own.
    """
    data = module().data
    chosen = {key: spec.default for key, spec in data.options.items()} | options
    start = module().new_game(data, data.scenarios[scenario], chosen, HIDDEN)
    given = {name: ids.split() for name, ids in (marks or {}).items()}
    counters = dict(_counter(text, given, turn) for text in units.split())
    for row in data.charts["companies"]:
        family = (row["battalion"], *row["companies"])
        if any(unit in counters for unit in family):
            counters = {unit: Counter(unit, "axis", unit, COMPONENT) for unit in family} | counters
    for unit in start.own["air"]:
        counters.setdefault(unit, Counter(unit, data.cards[unit].side, unit, AIR_BOX))
    game_own = {**start.own, **(own or {})}
    game_own["places"] = {**game_own["places"], **{at: who for who, hexes in (held or {}).items() for at in hexes.split()}}
    path: Path = (("turn", turn), ("player-turn", side), ("step", step))
    seq = dict.fromkeys(data.sides, 1)
    return Game(replace(start, path=path, counters=counters, own=game_own, seq=seq, opened=dict(seq)))


def _counter(text: str, given: Mapping[str, list[str]], turn: int) -> tuple[str, Counter]:
    unit, _, place = text.partition("@")
    card = module().data.cards[unit]
    marks = frozenset(mark for mark, units in given.items() if unit in units)
    if place.startswith("off"):
        return unit, Counter(unit, card.side, unit, OFF, num={"due": int(place[3:] or turn)})
    where = BOXES.get(place) or parse_hex(place)
    return unit, Counter(unit, card.side, unit, where, marks=marks)


def scenario(key: str = "standard", *, dice: Iterable[int] = (), **options: Any) -> Game:
    """A scenario from its first step on."""
    data = module().data
    chosen = {name: spec.default for name, spec in data.options.items()} | options
    outcome = begin(module(), module().new_game(data, data.scenarios[key], chosen, HIDDEN), ScriptedDice(dice))
    game = Game(outcome.state)
    game.last = outcome
    game.check()
    return game
