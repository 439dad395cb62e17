"""The table as one may look at it: the position, the options, the place in the sequence. Laws that change nothing take a ``Table``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from scenarios.data import GameData
from services.rules.engine.model import Counter, Decision, GameState, Json, Path, Side

if TYPE_CHECKING:
    from services.rules.engine.module import GameModule
    from services.rules.engine.sequence import Slot

T = TypeVar("T")


class Table:
    """A position to look at. What is worked out from positions alone is remembered in ``memo`` until a counter moves."""

    def __init__(self, module: GameModule, state: GameState) -> None:
        self.module = module
        self.before = state
        self.counters: Mapping[str, Counter] = state.counters
        self.own: Mapping[str, Json] = state.own
        self.path: Path = state.path
        self.pending: tuple[Decision, ...] = state.pending
        self.results: Mapping[str, Json] = state.results
        self.memo: dict[Any, Any] = {}

    @property
    def data(self) -> GameData:
        """The scenario package."""
        return self.module.data

    @property
    def options(self) -> Mapping[str, Json]:
        """The options of this game."""
        return self.before.options

    @property
    def turn(self) -> int:
        """The game-turn, 0 during set-up."""
        return int(self.path[0][1]) if self.path and self.path[0][0] == "turn" else 0

    @property
    def slot(self) -> Slot:
        """The step in which the game stands."""
        return self.module.sequence.at(self.path)

    @property
    def phasing(self) -> Side | None:
        """The side whose player-turn it is."""
        return next((str(name) for part, name in self.path if part == "player-turn"), None)

    def enemy(self, side: Side) -> Side:
        """The other side of a two-sided game."""
        return next(s for s in self.data.sides if s != side)

    def remembered(self, key: Any, work_out: Callable[[], T]) -> T:
        """``work_out()``, remembered while no counter moves."""
        if key not in self.memo:
            self.memo[key] = work_out()
        found: T = self.memo[key]
        return found
