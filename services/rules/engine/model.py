"""The values that a game is made of: counters, orders, events, decisions, the state, and what comes out of a packet.

Everything here is frozen; change one with ``dataclasses.replace``. ``docs/decisions/0002-shapes.md`` has the wire form of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scenarios.hexes import Place

Exact = int | Fraction
"""An exact number: movement points, factors, stacking values. Never a float."""
Json = Any
"""A value that JSON can carry (numbers whole)."""
Side = str
Path = tuple[tuple[str, str | int], ...]
"""A place in the sequence of play: ``(("turn", 3), ("player-turn", "axis"), ("step", "build"), ("pass", 1))``."""
Change = tuple[Any, ...]
"""What an event does to the state; the kinds are in ``engine.changes``."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter in play or in a box. ``card``: what is printed on it; ``parts``: ids of its components; ``num``: its exact numbers."""

    id: str
    side: Side
    card: str
    place: Place
    face: str = ""
    parts: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()
    num: Mapping[str, Exact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on an order: ``test`` with its arguments, perhaps negated."""

    test: str
    args: Mapping[str, Json] = field(default_factory=dict)
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """One line of orders. ``then`` is set for ``ON`` lines; ``otherwise`` is the ``ELSE`` line below."""

    line: int
    verb: str
    args: Mapping[str, Json] = field(default_factory=dict)
    label: str | None = None
    guard: tuple[Guard, ...] = ()
    otherwise: Order | None = None
    then: Order | None = None
    confirm: bool = False


@dataclass(frozen=True, slots=True)
class Packet:
    """What one side sends at once. ``seq``: the ``seq`` of the view that it answers, or None."""

    id: str
    side: Side
    orders: tuple[Order, ...] = ()
    standing: tuple[Order, ...] = ()
    seq: int | None = None
    fault: str = "stop"
    anyway: bool = False
    check: bool = False
    hold: bool = False
    append: bool = False


@dataclass(frozen=True, slots=True)
class Rejection:
    """An order that was not carried out: its line (0: the whole packet), a stable code, the clause, and what became of it."""

    line: int
    code: str
    clause: str
    details: Mapping[str, Json] = field(default_factory=dict)
    fate: str = "refused"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. ``owner`` None: all see ``data``; else the owner sees it and the others see ``public`` (None: nothing)."""

    kind: str
    clause: str
    data: Mapping[str, Json] = field(default_factory=dict)
    owner: Side | None = None
    public: Mapping[str, Json] | None = None
    changes: tuple[Change, ...] = ()
    path: Path = ()
    n: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice that a side has now. ``choices``: the legal ``args`` of ``verb``, or None where ``rule`` says what is legal (G12).

    ``public``: whether the other side learns the choice made; ``context`` may hold ``result``, which ``ON ... RESULT`` lines test."""

    id: str
    kind: str
    window: str
    side: Side
    clause: str
    verb: str
    default: Mapping[str, Json]
    choices: tuple[Mapping[str, Json], ...] | None = None
    rule: Mapping[str, Json] | None = None
    group: str | None = None
    sealed: bool = False
    label: str | None = None
    context: Mapping[str, Json] = field(default_factory=dict)
    deadline: str = "normal"
    public: bool = True


@dataclass(frozen=True, slots=True)
class Tail:
    """The lines of a script not read yet, how it takes a fault, and the step (``last``) in which its last line was read. ``spent``: its
    side's player-turn is over, and what is left is for windows before the next one (G3)."""

    orders: tuple[Order, ...]
    fault: str = "stop"
    anyway: bool = False
    last: Path = ()
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing order with the number by which its owner cancels it."""

    n: int
    order: Order


Frame = tuple[str, Mapping[str, Json]]
"""A work item on the agenda: its kind and its arguments (plain JSON)."""


@dataclass(frozen=True, slots=True)
class Over:
    """How the game ended; ``winner`` None is a draw."""

    winner: Side | None
    level: str
    why: str


@dataclass(frozen=True, slots=True)
class GameState:
    """A snapshot of one game, and the authority.

    ``own``: the game's.  ``answers``: sealed answers by decision id.  ``sets``: orders gathered by ``side/step``.
    ``on``: ``ON`` lines that live to the end of the player-turn.  ``drawn``: draws made in this game-turn by key (G11).
    ``asked``: the window in which a side was asked in this player-turn (G6).  ``closing``: the ``DONE TURN`` in force ("own",
    "own-auto", "other", "other-auto").  ``results``: label -> result of this player-turn's fights.  ``opened``: the ``seq`` below which
    a packet of the side is stale.  ``ids``: decisions made so far, by side.
    """

    game: str
    scenario: str
    data_digest: str
    options: Mapping[str, Json]
    path: Path
    counters: Mapping[str, Counter]
    own: Mapping[str, Json]
    hidden: str
    seq: Mapping[Side, int] = field(default_factory=dict)
    branch: int = 0
    agenda: tuple[Frame, ...] = ()
    pending: tuple[Decision, ...] = ()
    answers: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    sets: Mapping[str, tuple[Order, ...]] = field(default_factory=dict)
    standing: Mapping[Side, tuple[Standing, ...]] = field(default_factory=dict)
    on: Mapping[Side, tuple[Order, ...]] = field(default_factory=dict)
    tails: Mapping[Side, Tail] = field(default_factory=dict)
    drawn: Mapping[str, int] = field(default_factory=dict)
    asked: Mapping[Side, str] = field(default_factory=dict)
    closing: Mapping[Side, str] = field(default_factory=dict)
    results: Mapping[str, Json] = field(default_factory=dict)
    opened: Mapping[Side, int] = field(default_factory=dict)
    ids: Mapping[Side, int] = field(default_factory=dict)
    over: Over | None = None
    format: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a packet led to. ``status``: done, refused, checked, held or stale; only ``done`` has a state that differs."""

    status: str
    state: GameState
    events: tuple[Event, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    ran: bool = False
    """Whether the packet ran the agenda; only such a packet takes a number and a seed (G9)."""


class IllegalOrder(Exception):
    """An order that the rules refuse: the clause, a stable code, and the facts that the refusal may quote (the mover's own, or public)."""

    def __init__(self, clause: str, code: str, **details: Json) -> None:
        super().__init__(code)
        self.clause = clause
        self.code = code
        self.details = details
