"""The sequence of play as data: steps, player-turns, loops, and the way from one step to the next.

A place in it is a path of names and numbers, never an index: ``(("turn", 3), ("player-turn", "axis"), ("step", "build"))``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from services.rules.engine.model import Decision, Json, Order, Path, Side
from services.rules.engine.table import Table

if TYPE_CHECKING:
    from services.rules.engine.adjudication import Adjudication

PHASING = "phasing"
NON_PHASING = "non-phasing"
BOTH = "both"
NOBODY = "nobody"


class Mode(StrEnum):
    """How a step takes orders (G2): each carried out at once, gathered until it closes, or decisions only."""

    NOW = "now"
    SET = "set"
    ASK = "ask"


class OrderArgs(Protocol):
    """The arguments of one verb of a game: a frozen dataclass that names its verb."""

    verb: str


A = TypeVar("A")
Hook = Callable[["Adjudication"], None]


@dataclass(frozen=True, slots=True)
class On:
    """A verb that a step takes. ``check`` says whether a gathered order is legal (SET steps); ``carry`` carries it out.

    ``subject``: in a SET a later line with the same subject replaces the older. ``units``: the units named that must be the sender's own.
    ``living``: the order of a SET without those of its units that its writer could not know to be lost, and who they are.
    ``withdraws``: what the arguments of a SET's order take back of its verb, as ``CANCEL`` does; None where they take nothing back.
    """

    args: type[Any]
    carry: Callable[[Adjudication, Any, Order], None]
    check: Callable[[Adjudication, Any, Order], None] | None = None
    subject: Callable[[Any], str] | None = None
    units: Callable[[Any], tuple[str, ...]] | None = None
    living: Callable[[Adjudication, Order], tuple[Order, tuple[str, ...]]] | None = None
    withdraws: Callable[[Any], str | None] | None = None

    @property
    def verb(self) -> str:
        """The verb as it is written."""
        return str(self.args.verb)


def on(
    args: type[A],
    carry: Callable[[Adjudication, A, Order], None],
    *,
    check: Callable[[Adjudication, A, Order], None] | None = None,
    subject: Callable[[A], str] | None = None,
    units: Callable[[A], tuple[str, ...]] | None = None,
    living: Callable[[Adjudication, Order], tuple[Order, tuple[str, ...]]] | None = None,
    withdraws: Callable[[A], str | None] | None = None,
) -> On:
    """An ``On`` whose handlers are checked against the type of its arguments."""
    return On(args, carry, check, subject, units, living, withdraws)


@dataclass(frozen=True, slots=True)
class Ask:
    """A kind of decision: the verb that answers it, what makes an answer legal (raises IllegalOrder), and what it leads to."""

    kind: str
    verb: str
    take: Callable[[Adjudication, Decision, Mapping[str, Json]], None]
    check: Callable[[Adjudication, Decision, Mapping[str, Json]], None] | None = None
    actor: str = PHASING


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of work item on the agenda and what is done when its turn comes."""

    kind: str
    do: Callable[[Adjudication, Mapping[str, Json]], None]


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that must be done before a step may close: refused as ``code``; ``confirmable`` ones yield to ``CONFIRM``, ``contingent``
    ones of a SET are met by their default where a guard or a fault has dropped one of its lines (G17)."""

    code: str
    clause: str
    details: Mapping[str, Json] = field(default_factory=dict)
    confirmable: bool = False
    contingent: bool = False


def _always(_: Table) -> bool:
    return True


def _never(_: Table, __: Side) -> bool:
    return False


def _no_duty(_: Table, __: Side) -> tuple[Duty, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the sequence: who acts, which orders it takes, what work it resolves, which decisions it may leave open.

    ``enter`` and ``leave`` are automatic and may roll; ``when`` false skips the step whole, ``idle`` closes it for want of a legal order.
    ``duty`` lists what forbids closing; ``meet`` meets duties by their defaults (``DONE AUTO``). ``groups`` ties orders of a SET (G17).
    ``default``: what is done for a side whose window this is when it closes and the side has not closed it itself (G25); else nothing.
    A SET of both sides closes when each has closed it for itself; ``default`` is then for either that did not do so by ``DONE`` (G19).
    ``plain``: what a SET held is no secret, so that nothing but a die of its orders ends the atomic part of a script (G7).
    """

    name: str
    clause: str
    actor: str
    mode: Mode = Mode.NOW
    accepts: tuple[On, ...] = ()
    resolves: tuple[Work, ...] = ()
    asks: tuple[Ask, ...] = ()
    enter: Hook | None = None
    leave: Hook | None = None
    when: Callable[[Table], bool] = _always
    idle: Callable[[Table, Side], bool] = _never
    duty: Callable[[Table, Side], tuple[Duty, ...]] = _no_duty
    meet: Callable[[Adjudication, Side], None] | None = None
    default: Callable[[Adjudication, Side], None] | None = None
    groups: Callable[[Table, tuple[Order, ...]], tuple[tuple[Order, ...], ...]] | None = None
    plain: bool = False

    def takes(self, verb: str) -> On | None:
        """How this step takes ``verb``, or None."""
        return next((a for a in self.accepts if a.verb == verb), None)

    @property
    def window(self) -> str:
        """The name of this step in ``ON`` lines: ``REACTION-BARRAGE``."""
        return self.name.upper().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Loop:
    """Steps gone through again until ``until`` holds after a pass, or a pass's first step closes without an order of ``needs`` (G18)."""

    name: str
    steps: tuple[Step, ...]
    until: Callable[[Adjudication], bool]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerTurn:
    """The steps of one side's player-turn."""

    side: Side
    steps: tuple[Step | Loop, ...]
    when: Callable[[Table], bool] = _always


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A step in its place: its player-turn and loop, and whether it is the first or last of the loop."""

    step: Step
    player_turn: PlayerTurn | None = None
    loop: Loop | None = None
    first: bool = False
    last: bool = False
    setup: bool = False

    @property
    def phasing(self) -> Side | None:
        """The side whose player-turn this is."""
        return self.player_turn.side if self.player_turn else None

    def passes_with(self, other: Slot) -> bool:
        """Whether both are steps of the same loop in the same player-turn: the loop itself may stand in that of each side."""
        return self.loop is not None and self.loop is other.loop and self.player_turn is other.player_turn

    def path(self, turn: int, number: int = 1) -> Path:
        """The path of this slot in game-turn ``turn``, pass ``number``."""
        if self.setup:
            return (("setup", self.step.name),)
        head: Path = (("turn", turn),)
        if self.player_turn:
            head = (*head, ("player-turn", self.player_turn.side))
        head = (*head, ("step", self.step.name))
        return (*head, ("pass", number)) if self.loop else head


@dataclass(frozen=True)
class Sequence:
    """A game's sequence of play: set-up steps, then the steps and player-turns of every game-turn."""

    turn: tuple[Step | Loop | PlayerTurn, ...]
    setup: tuple[Step, ...] = ()

    @cached_property
    def setup_slots(self) -> tuple[Slot, ...]:
        """The set-up steps in order."""
        return tuple(Slot(step, setup=True) for step in self.setup)

    @cached_property
    def turn_slots(self) -> tuple[Slot, ...]:
        """The steps of a game-turn in order."""
        return tuple(_slots(self.turn, None))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every step, set-up first."""
        return tuple(slot.step for slot in (*self.setup_slots, *self.turn_slots))

    @cached_property
    def _by_key(self) -> Mapping[tuple[Json, ...], Slot]:
        return {_key(slot.path(0)): slot for slot in (*self.setup_slots, *self.turn_slots)}

    def at(self, path: Path) -> Slot:
        """The slot of a path. KeyError if the game has no such step."""
        return self._by_key[_key(path)]

    def after(self, slot: Slot) -> tuple[Slot, bool]:
        """The slot that follows in order (loops gone through once), and whether a new game-turn begins with it."""
        slots = self.setup_slots if slot.setup else self.turn_slots
        index = slots.index(slot) + 1
        if index < len(slots):
            return slots[index], False
        return self.turn_slots[0], True

    def ahead(self, slot: Slot, side: Side) -> Iterator[Slot]:
        """The slots in which a line of ``side`` may still be read (G3): to the end of its player-turn, this one or else the next."""
        if slot.loop and not slot.last:
            yield from _rest_of_loop(self.turn_slots, slot)
        if slot.loop:
            yield from (s for s in self.turn_slots if s.passes_with(slot))
        within = slot.phasing == side
        here = slot
        for _ in range(2 * len(self.turn_slots) + len(self.setup_slots)):
            here, _ = self.after(here)
            if within and here.phasing != side:
                return
            within = within or here.phasing == side
            yield here


def _key(path: Path) -> tuple[Json, ...]:
    return tuple(part for part in path if part[0] not in ("turn", "pass"))


def _slots(items: tuple[Step | Loop | PlayerTurn, ...], player_turn: PlayerTurn | None) -> Iterator[Slot]:
    for item in items:
        if isinstance(item, Step):
            yield Slot(item, player_turn)
        elif isinstance(item, Loop):
            for n, step in enumerate(item.steps):
                yield Slot(step, player_turn, item, n == 0, n == len(item.steps) - 1)
        else:
            yield from _slots(item.steps, item)


def _rest_of_loop(slots: tuple[Slot, ...], slot: Slot) -> Iterator[Slot]:
    index = slots.index(slot) + 1
    while index < len(slots) and slots[index].passes_with(slot):
        yield slots[index]
        index += 1


def sides_of(step: Step, phasing: Side | None, sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The sides that act in ``step`` when ``phasing`` has the player-turn."""
    if step.actor == NOBODY:
        return ()
    if step.actor == BOTH:
        return sides if phasing is None else (phasing, *(s for s in sides if s != phasing))
    if step.actor == PHASING:
        return (phasing,) if phasing else ()
    if step.actor == NON_PHASING:
        return tuple(s for s in sides if s != phasing)
    return (step.actor,)
