"""A game module: the value that names a game's data, sequence of play and the few functions only it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scenarios.data import GameData, ScenarioData
from services.rules.engine.model import Counter, GameState, Json, Order, Side
from services.rules.engine.sequence import Ask, On, Sequence, Work
from services.rules.engine.table import Table

if TYPE_CHECKING:
    from services.rules.engine.editing import Editing

GuardTest = Callable[[Table, Side, Mapping[str, Json]], bool]


@dataclass(frozen=True)
class GameModule:
    """The rules of one game over its data. Read a game's ``__init__.build`` first: it is the table of contents.

    ``new_game(data, scenario, options, hidden)`` lays out a scenario, before the first step is entered.
    ``view_counter(table, counter, viewer)`` is the counter as a viewer (None: a spectator) may know it, None if he may not at all.
    ``view_own(table, viewer)`` is what he may know of the game's own.  ``legal(table, side, about)`` are legal orders of the open step,
    of which ``about(order)`` is true (left out: all).
    ``static(table, side, order)`` refuses what can never be right, whatever the position (IllegalOrder).
    ``guards``: tests of ``IF`` lines by name, seeing only what the side sees.  ``anytime``: orders taken at any time (G14).
    ``work``: kinds of work that belong to no single step.
    ``adjutant(module, view)``: what the adjutant orders now for the side of a view, of which its orders are a function (G25).
    ``editing``: what the umpire may set right by hand.
    """

    key: str
    data: GameData
    sequence: Sequence
    new_game: Callable[[GameData, ScenarioData, Mapping[str, Json], str], GameState]
    view_counter: Callable[[Table, Counter, Side | None], Mapping[str, Json] | None]
    view_own: Callable[[Table, Side | None], Mapping[str, Json]]
    legal: Callable[..., tuple[Order, ...]]
    static: Callable[[Table, Side, Order], None] | None = None
    guards: Mapping[str, GuardTest] | None = None
    anytime: tuple[On, ...] = ()
    work: tuple[Work, ...] = ()
    adjutant: Callable[[GameModule, Mapping[str, Json]], tuple[Order, ...]] | None = None
    editing: Editing | None = None

    @cached_property
    def works(self) -> Mapping[str, Callable[..., None]]:
        """Kind of work item -> what is done."""
        return {w.kind: w.do for w in (*self.work, *(w for step in self.sequence.steps for w in step.resolves))}

    @cached_property
    def asks(self) -> Mapping[str, Ask]:
        """Kind of decision -> how it is asked."""
        return {a.kind: a for step in self.sequence.steps for a in step.asks}

    @cached_property
    def verbs(self) -> Mapping[str, type[Any] | None]:
        """Verb -> the type of its arguments (None where only a decision reads them)."""
        found: dict[str, type[Any] | None] = {a.verb: None for a in self.asks.values()}
        for taken in (*self.anytime, *(o for step in self.sequence.steps for o in step.accepts)):
            found[taken.verb] = taken.args
        return found

    def takes_any_time(self, verb: str) -> On | None:
        """How ``verb`` is taken at any time, or None."""
        return next((a for a in self.anytime if a.verb == verb), None)
