"""Positions of The Fall of Tobruk in one line each, on a field drawn for them, and games that go on from them with scripted dice.

Ids that tests use: Axis regiments ``115`` (battalions ``115-I`` to ``115-III``) and ``8B``, without battalions ``19``, ``20``; tanks
``8PZ-1`` (II) ``8PZ-2`` (IIIh) ``8PZ-7`` (IIIj) ``8PZ-8`` (IV) ``132-1`` (M14); artillery ``33ART-1``, ``55ART-1``; ``88-1``; engineer
``33ENG``; recon ``33AA``.  Allied battalions ``5EY``, ``2SG``; artillery ``74ART``; tanks ``2RGH-1`` (Grant) ``2RGH-2`` (Crusader);
recon ``KDG``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from scenarios.data import GameData
from scenarios.hexes import parse_hex
from services.rules.engine.model import Counter, GameState, Order, Outcome, Path
from services.rules.engine.module import GameModule
from services.rules.engine.sequence import Loop, PlayerTurn, Sequence, Step
from services.rules.games.fall_of_tobruk import build
from services.rules.games.fall_of_tobruk.state import COMPONENT, DESTROYED, EXITED, OFF, REFIT, SET_UP, WRECK
from tests.rules.fall_of_tobruk.field import field, package
from tests.rules.play import DONE, HIDDEN, Play, first_step, on, one, order, standing_at

__all__ = [
    "AUTO",
    "DONE",
    "HIDDEN",
    "TURN",
    "Game",
    "attack",
    "barrage",
    "fire",
    "module",
    "move",
    "on",
    "one",
    "order",
    "position",
    "scenario",
    "stand",
]

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


TURN = order("DONE", turn=True)
AUTO = order("DONE", turn=True, auto=True)


class Game(Play):
    """A game of it that goes on with each packet sent."""

    def __init__(self, state: GameState, game: GameModule) -> None:
        super().__init__(game, state, strict=True)

    def axis(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("axis", *orders, **more)

    def allied(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("allied", *orders, **more)

    def attack(self, label: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = next(one for one in self.state.own["attacks"] if one["label"] == label)
        return found


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
    key = next(iter(data.scenarios))
    start = GameState(data.key, key, data.digest, chosen, (), counters, {**OWN, "reserve": reserve, **(own or {})}, HIDDEN)
    return Game(standing_at(start, path, data.sides), game)


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
    outcome = first_step(game, key, dice, options)
    found = Game(outcome.state, game)
    found.last = outcome
    found.check()
    return found
