"""A campaign as the site tells it: its game-turns, each with the position before it, the one after it, and what happened between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from worker.canonical import Json
from worker.desk.archive import turn_of
from worker.play.throws import FORMAT, Throw
from worker.site.parting import parted


@dataclass(frozen=True, slots=True)
class Kept:
    """A version of a game as it was kept. ``at``: when, ISO 8601 in UTC; ``side``, ``orders``: of the packet that led to it."""

    version: int
    state: Json
    events: list[Json]
    at: str
    side: str | None = None
    orders: tuple[str, ...] = ()


@dataclass
class GameTurn:
    """A game-turn. ``before``, ``after``: positions; ``done``: the next one has begun, or the game is over; ``at``: when it ended;
    ``given_up``: the number of the way on which it was played, from 1, if the game was taken back from there; else 0."""

    number: int
    before: Json
    after: Json
    events: list[Json] = field(default_factory=list)
    orders: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    done: bool = False
    at: str = ""
    given_up: int = 0


@dataclass(frozen=True)
class GivenUp:
    """A way on which a game once went and which was taken back. ``why``: rollback or undo; ``turns``: its game-turns, the first of them
    only from where the game has gone on otherwise."""

    number: int
    why: str
    turns: list[GameTurn]


@dataclass(frozen=True)
class Campaign:
    """A game to be shown. ``key``: its id, for names of files; ``name``: what it is called, empty where its title says it all; ``game``:
    what its dice know it by.

    ``secret``: of its dice, once it is over; ``words``: those of the players that its dice are mixed with; ``files``: further downloads,
    by name, which there are only when it is over; ``given_up``: ways that were taken back, told only when it is over.
    """

    key: str
    name: str
    game: str
    scenario: str
    commitment: str
    words: Json
    turns: list[GameTurn]
    throws: list[Throw]
    secret: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    given_up: list[GivenUp] = field(default_factory=list)

    @property
    def over(self) -> Json:
        """How it ended; None while it runs. Until then a page holds no more than all may know."""
        return self.turns[-1].after.get("over")

    def dice_file(self, told: list[Throw]) -> Json:
        """The file that throws are checked by: those of ``told`` while the game runs; when it is over, all, and its secret."""
        file: Json = {"format": FORMAT, "game": self.game, "scenario": self.scenario, "commitment": self.commitment, "words": self.words}
        over = bool(self.over)
        file |= {"throws": [one.published(over) for one in (self.throws if over else told)]}
        return file | ({"secret": self.secret} if over else {})


def game_turns(kept: Iterable[Kept]) -> list[GameTurn]:
    """The game-turns of the versions of a game, in their order; the one that has just begun among them. What is laid out counts to the
    turn in which the game waits then; orders, to that in which they were given."""
    found: list[GameTurn] = []
    state: Json = None
    for one in kept:
        first = [(turn_of(one.state), one.events, one.state)]
        parts = first if state is None else parted(turn_of(state), state, one.events, one.state)
        state = one.state if state is None else state
        for place, (number, events, after) in enumerate(parts):
            if not found or found[-1].number != number:
                found.append(GameTurn(number, state, after))
            turn, state = found[-1], after
            turn.after, turn.at = after, one.at
            turn.events += events
            turn.versions.append(one.version)
            turn.done = bool(after.get("over")) or place < len(parts) - 1
            if one.side and one.orders and place == 0:
                turn.orders.append((one.side, one.orders))
    for turn in found:
        turn.events = [event | {"n": n} for n, event in enumerate(turn.events, start=1)]
    return found
