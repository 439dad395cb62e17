"""Positions of Beda Fomm in one line each, and games that go on from them with scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from scenarios.hexes import parse_hex
from scenarios.loader import load_game
from services.rules.engine.model import Counter, GameState, Order, Outcome, Path
from services.rules.engine.module import GameModule
from services.rules.games.beda_fomm import build
from services.rules.games.beda_fomm.state import ELIMINATED, EXITED, OFF, SET_UP
from tests.rules.play import DONE, HIDDEN, Play, first_step, numbered, on, one, order, standing_at

__all__ = ["DONE", "Game", "historical", "module", "move", "numbered", "on", "one", "order", "position"]

BOXES = {"dead": ELIMINATED, "exited": EXITED, "set-up": SET_UP}


@cache
def module() -> GameModule:
    """The game over its package, read once."""
    return build(load_game(None, "beda-fomm"))


def move(units: str, path: str = "", **more: Any) -> Order:
    """``move("2RB-A 2RB-B", "2730 2729")`` or ``move("2RB-A", to="2729")``."""
    return order("MOVE", units=units.split(), path=path.split(), **more)


class Game(Play):
    """A game of it that goes on with each packet sent."""

    def __init__(self, state: GameState) -> None:
        super().__init__(module(), state, strict=False)

    def italian(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("italian", *orders, **more)

    def british(self, *orders: Order, **more: Any) -> Outcome:
        return self.send("british", *orders, **more)

    def face(self, unit: str) -> str:
        return self.state.counters[unit].face

    def morale(self, parent: str) -> int:
        return int(self.state.own["morale"][parent])


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
    return Game(standing_at(start, path, data.sides, counters=counters, own=game_own))


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
    outcome = first_step(module(), "historical", dice, options)
    game = Game(outcome.state)
    game.last = outcome
    return game
