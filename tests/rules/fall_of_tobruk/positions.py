"""Positions of The Fall of Tobruk in one line each, on a field drawn for them, and games that go on from them with scripted dice.

Ids that tests use: Axis regiments ``115`` (battalions ``115-I`` to ``115-III``) and ``8B``, without battalions ``19``, ``20``; tanks
``8PZ-1`` (II) ``8PZ-2`` (IIIh) ``8PZ-7`` (IIIj) ``8PZ-8`` (IV) ``132-1`` (M14); artillery ``33ART-1``, ``55ART-1``; ``88-1``; engineer
``33ENG``; recon ``33AA``.  Allied battalions ``5EY``, ``2SG``; artillery ``74ART``; tanks ``2RGH-1`` (Grant) ``2RGH-2`` (Crusader);
recon ``KDG``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from scenarios.data import GameData
from scenarios.hexes import parse_hex
from services.rules.engine.adjudication import adjudicate, begin
from services.rules.engine.dice import Dice, ScriptedDice, SeededDice
from services.rules.engine.model import Counter, Event, GameState, Guard, Order, Outcome, Packet, Path
from services.rules.engine.module import GameModule
from services.rules.engine.sequence import Loop, PlayerTurn, Sequence, Step
from services.rules.engine.table import Table
from services.rules.engine.view import view
from services.rules.games.fall_of_tobruk import build
from services.rules.games.fall_of_tobruk.state import COMPONENT, DESTROYED, EXITED, OFF, REFIT, SET_UP, WRECK
from services.rules.schemas.game import schemas_of
from services.rules.schemas.position import check_position
from services.rules.schemas.state import dump_state, load_state
from tests.rules.fall_of_tobruk.field import field, package

HIDDEN = "ab" * 32
BOXES = {"setup": SET_UP, "parts": COMPONENT, "refit": REFIT, "dead": DESTROYED, "wreck": WRECK, "gone": EXITED}
OWN: Mapping[str, Any] = {
    "wrecks": [],
    "opened": [],
    "gaps": [],
    "engaged": [],
    "shelled": [],
    "snapshot": {},
    "shots": [],
    "attacks": [],
    "freed": "",
    "tobruk": "allied",
    "exits": {"tanks": 0, "infantry": 0, "artillery": 0},
    "committed": 0,
}
"""The game's own as a game begins, the reserve apart."""


@cache
def module(*, printed: bool = False, **drawn: str) -> GameModule:
    """The game over its package (``printed``), or over the bare field with what is drawn on it."""
    return build(package() if printed else field(**drawn))


def only(game: GameModule, *steps: Step | Loop) -> GameModule:
    """The game with a player-turn of these steps alone, for the test of a chapter by itself."""
    turn = tuple(PlayerTurn(side, steps) for side in game.data.sides)
    return replace(game, sequence=Sequence(turn=turn), legal=lambda _, __: ())


def order(verb: str, *, label: str | None = None, guard: tuple[Guard, ...] = (), otherwise: Order | None = None, **args: Any) -> Order:
    """An order; ``Game.send`` numbers the lines. ``confirm=True`` confirms it."""
    confirm = bool(args.pop("confirm", False))
    return Order(0, verb, args, label, guard, otherwise, None, confirm)


def move(units: str, path: str = "", **more: Any) -> Order:
    """``move("115 8PZ-1", "0505 0605")`` or ``move("115", to="0605")``; ``drop="8PZ-1", drop_at="0505"``."""
    return order("MOVE", units=units.split(), path=path.split(), **more)


def attack(hexes: str, units: str, **more: Any) -> Order:
    """``attack("1215 1214", "115 8PZ-1", label="A1")``."""
    return order("ATTACK", hexes=hexes.split(), units=units.split(), **more)


def stand(units: str) -> Order:
    """``stand("115 8PZ-1")``."""
    return order("STAND", units=units.split())


def fire(units: str, targets: str, at: str, **more: Any) -> Order:
    """``fire("88-1", "2RGH-1 2RGH-2", "0505")``."""
    return order("FIRE", units=units.split(), targets=targets.split(), hex=at, **more)


def barrage(guns: str, at: str, **more: Any) -> Order:
    """``barrage("33ART-1 55ART-1", "0505")``."""
    return order("BARRAGE", guns=guns.split(), hex=at, **more)


def one(verb: str, unit: str, **more: Any) -> Order:
    """``one("ENTER", "12", hex="0101")``."""
    return order(verb, unit=unit, **more)


DONE = order("DONE")
TURN = order("DONE", turn=True)
AUTO = order("DONE", turn=True, auto=True)


def on(window: str, then: Order, otherwise: Order | None = None, **more: Any) -> Order:
    """An ``ON`` line: sent among the orders it lives to the end of the player-turn, as ``standing`` until cancelled."""
    return Order(0, "ON", {"window": window, "label": None, "results": [], "ask": False, **more}, then=then, otherwise=otherwise)


def numbered(orders: Iterable[Order], first: int = 1) -> tuple[Order, ...]:
    return tuple(replace(o, line=n, then=replace(o.then, line=n) if o.then else None) for n, o in enumerate(orders, first))


class Game:
    """A position that goes on with each packet sent; ``last`` is the last outcome. After each the state is written, read and checked."""

    def __init__(self, state: GameState, game: GameModule) -> None:
        self.module = game
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
        check_position(self.module, self.state, schemas_of("fall-of-tobruk"))

    def axis(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("axis", *orders, **more)

    def allied(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("allied", *orders, **more)

    @property
    def table(self) -> Table:
        return Table(self.module, self.state)

    @property
    def place(self) -> str:
        """The place in the sequence in short: ``5 axis movement 1``."""
        return " ".join(str(part[1]) for part in self.state.path)

    def at(self, unit: str) -> str:
        return str(self.state.counters[unit].place)

    def marks(self, unit: str) -> set[str]:
        return set(self.state.counters[unit].marks)

    def own(self, key: str) -> Any:
        return self.state.own[key]

    def attack(self, label: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = next(one for one in self.state.own["attacks"] if one["label"] == label)
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


GROUND = ("mines", "road", "track", "high", "cliffs", "boxes", "sea", "village")


def position(
    units: str,
    *,
    side: str = "axis",
    step: str = "movement",
    turn: int = 5,
    number: int = 1,
    marks: Mapping[str, str] | None = None,
    num: Mapping[str, Mapping[str, Any]] | None = None,
    own: Mapping[str, Any] | None = None,
    steps: Iterable[Step | Loop] = (),
    map: bool = False,
    **more: Any,
) -> Game:
    """A game that stands in a step of a player-turn.

    ``units``: ``"115@0505 8PZ-1@0505 12@off 2HLI@off3 5EY@refit 8PZ-2@dead 8PZ-3@wreck"``: ``off`` waits and is due in this game-turn,
    ``off3`` in the third; ``setup parts refit dead wreck gone`` are boxes.  The battalions of regiments named, and the regiments of
    battalions, lie ready.  ``marks``: mark -> units.  ``num``: unit -> its numbers.  ``own``: other values of the game's own.
    ``number``: the pass of the sequence.  ``steps``: these alone make a player-turn, for a chapter by itself.
    The ground as in ``field``: ``mines="0505/0506"``, ``road=``, ``track=``, ``high=``, ``cliffs=``, ``boxes="0808 1010+1011"``, ``sea=``,
    ``village=``; ``map=True``: the printed map.  All else are options.
    """
    drawn = {name: more.pop(name) for name in GROUND if name in more}
    whole = module(printed=True) if map else module(**drawn)
    game = only(whole, *steps) if steps else whole
    data = game.data
    chosen = {key: spec.default for key, spec in data.options.items()} | more
    given = {name: ids.split() for name, ids in (marks or {}).items()}
    counters = dict(_counter(data, text, given, (num or {}), turn) for text in units.split())
    counters = dict(sorted((_families(data, counters) | counters).items()))
    reserve = {row["model"]: int(row["stock"]) for row in data.charts["reserve"]}
    slot = next(slot for slot in game.sequence.turn_slots if slot.step.name == step and slot.phasing == side)
    path: Path = slot.path(turn, number)
    seq = dict.fromkeys(data.sides, 1)
    key = next(iter(data.scenarios))
    state = GameState(data.key, key, data.digest, chosen, path, counters, {**OWN, "reserve": reserve, **(own or {})}, HIDDEN, seq)
    return Game(replace(state, opened=dict(seq)), game)


def _families(data: GameData, counters: Mapping[str, Counter]) -> dict[str, Counter]:
    """The battalions of the regiments among the counters, and the regiments of battalions, as components."""
    pairs = [(str(card.values["regiment"]), unit) for unit, card in data.cards.items() if card.values.get("regiment")]
    shared = {regiment for regiment, unit in pairs if regiment in counters or unit in counters}
    kin = {unit for pair in pairs if pair[0] in shared for unit in pair}
    return {unit: Counter(unit, data.cards[unit].side, unit, COMPONENT) for unit in sorted(kin)}


def _counter(
    data: GameData, text: str, given: Mapping[str, list[str]], num: Mapping[str, Mapping[str, Any]], turn: int
) -> tuple[str, Counter]:
    unit, _, place = text.partition("@")
    card = data.cards[unit]
    if place.startswith("off"):
        return unit, Counter(unit, card.side, unit, OFF, num={"due": int(place[3:] or turn)})
    where = BOXES.get(place) or parse_hex(place)
    marks = frozenset(mark for mark, units in given.items() if unit in units)
    return unit, Counter(unit, card.side, unit, where, marks=marks, num=dict(num.get(unit, {})))


def scenario(key: str = "gazala", *, dice: Iterable[int] = (), **options: Any) -> Game:
    """A scenario from its first step on."""
    game = module(printed=True)
    data = game.data
    chosen = {name: spec.default for name, spec in data.options.items()} | options
    outcome = begin(game, game.new_game(data, data.scenarios[key], chosen, HIDDEN), ScriptedDice(dice))
    found = Game(outcome.state, game)
    found.last = outcome
    found.check()
    return found
