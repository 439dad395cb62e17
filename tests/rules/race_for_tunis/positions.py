"""Positions of Race for Tunis in one line each, and games that go on from them with scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from scenarios.hexes import parse_hex
from scenarios.loader import load_game
from services.rules.engine.model import Counter, GameState, Order, Outcome, Path
from services.rules.engine.module import GameModule
from services.rules.games.race_for_tunis import build
from services.rules.games.race_for_tunis.state import AIR_BOX, COMPONENT, ELIMINATED, OFF
from tests.rules.play import DONE, HIDDEN, Play, first_step, on, one, order, standing_at

__all__ = ["DONE", "Game", "attack", "module", "move", "on", "one", "order", "position", "scenario"]

BOXES = {"dead": ELIMINATED, "parts": COMPONENT, "air": AIR_BOX}


@cache
def module() -> GameModule:
    """The game over its package, read once."""
    return build(load_game(None, "race-for-tunis"))


def move(unit: str, path: str = "", **more: Any) -> Order:
    """``move("1ES", "1215 1214")`` or ``move("1ES", to="1214")``; ``bridge="BLOW", bridge_at="1214"``."""
    return order("MOVE", units=[unit], path=path.split(), **more)


def attack(hexes: str, units: str, support: str = "", **more: Any) -> Order:
    """``attack("1215 1214", "5-I 5-III", "II-90", lower=1, label="A1")``; ``only=`` a unit, ``rest=True``."""
    return order("ATTACK", hexes=hexes.split(), units=units.split(), support=support.split(), **more)


class Game(Play):
    """A game of it that goes on with each packet sent."""

    def __init__(self, state: GameState) -> None:
        super().__init__(module(), state, strict=True)

    def axis(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("axis", *orders, **more)

    def allied(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("allied", *orders, **more)

    def battle(self, label: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = next(one for one in self.state.own["battles"] if one["label"] == label)
        return found


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
    return Game(standing_at(start, path, data.sides, counters=counters, own=game_own))


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
    outcome = first_step(module(), key, dice, options)
    game = Game(outcome.state)
    game.last = outcome
    game.check()
    return game
