"""Adjudication: one packet carried out on a working copy of the state, by the sequence of play.

``adjudicate`` is the one entry. Order handlers, hooks and work items of the games get the ``Adjudication``: they look at it as at a
``Table``, ``record`` events (the only way to change the board), ``roll``, ``push`` work onto the agenda and ``ask`` for decisions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from services.rules.engine import changes as ch
from services.rules.engine import flow, script, windows
from services.rules.engine.dice import Dice
from services.rules.engine.model import (
    Change,
    Counter,
    Decision,
    Event,
    Frame,
    GameState,
    IllegalOrder,
    Json,
    Order,
    Outcome,
    Over,
    Packet,
    Rejection,
    Side,
    Standing,
    Tail,
)
from services.rules.engine.module import GameModule
from services.rules.engine.sequence import Step, sides_of
from services.rules.engine.table import Table
from services.rules.engine.view import view

MAX_WORK = 20_000
"""Work items that one packet may run; more is a rule that goes round in circles (our bug)."""


class Stop(Exception):
    """The script is only tested, and its atomic part is at its end."""


def begin(module: GameModule, state: GameState, dice: Dice) -> Outcome:
    """Enter the first step of a new game and go on to the first that waits for somebody."""
    adj = Adjudication(module, state, Packet("start", module.data.sides[0]), dice)
    flow.advance(adj)
    adj.run()
    return adj.outcome("done")


def adjudicate(module: GameModule, state: GameState, packet: Packet, dice: Dice) -> Outcome:
    """Carry out ``packet``, or say why not. Same arguments, same outcome, always.

    A refused, stale, checked or held packet leaves the state as it was. DiceExhausted if scripted dice run out.
    """
    faults = script.static_faults(module, state, packet)
    if faults and (not packet.anyway or faults[0].line == 0):
        stale = faults[0].code == "stale"
        return Outcome("stale" if stale else "refused", state, rejections=tuple(faults))
    adj = Adjudication(module, state, packet, dice)
    for fault in faults:
        adj.rejections.append(replace(fault, fate="dropped"))
    script.load(adj, packet, {fault.line for fault in faults})
    with suppress(Stop):
        adj.run()
    tail = adj.tails.get(packet.side)
    if tail is not None and tail.orders:
        code = "checked_to" if adj.testing else "tail_stored"
        adj.record(code, "", {"lines": [order.line for order in tail.orders]}, owner=packet.side)
    if adj.faulted:
        return Outcome("refused", state, rejections=tuple(sorted(adj.rejections, key=lambda r: r.line)))
    if packet.check or packet.hold:
        return Outcome("held" if packet.hold else "checked", state, _numbered(adj.events), tuple(adj.rejections))
    return adj.outcome("done")


class Adjudication(Table):
    """The umpire's working copy for one packet; thrown away with it."""

    def __init__(self, module: GameModule, state: GameState, packet: Packet, dice: Dice) -> None:
        super().__init__(module, state)
        self.packet = packet
        self.dice = dice
        self.counters: dict[str, Counter] = dict(sorted(state.counters.items()))  # in whatever order the state came
        self.agenda: list[Frame] = list(state.agenda)
        self.pushed: list[Frame] = []
        self.unsettled: list[Decision] = []
        self.answers: dict[str, Mapping[str, Json]] = dict(state.answers)
        self.sets: dict[str, tuple[Order, ...]] = dict(state.sets)
        self.standing: dict[Side, tuple[Standing, ...]] = dict(state.standing)
        self.on: dict[Side, tuple[Order, ...]] = dict(state.on)
        self.tails: dict[Side, Tail] = dict(state.tails)
        self.drawn: dict[str, int] = dict(state.drawn)
        self.asked: dict[Side, str] = dict(state.asked)
        self.closing: dict[Side, str] = dict(state.closing)
        self.results: dict[str, Json] = dict(state.results)
        self.ids: dict[Side, int] = dict(state.ids)
        self.over: Over | None = state.over
        self.events: list[Event] = []
        self.rejections: list[Rejection] = []
        self.ran = False
        self.revealed = False
        self.faulted = False
        self.testing = packet.check or packet.hold
        self.resolving = False
        self.speaker: Side = packet.side
        """The side whose order is being checked or carried out: in a SET of both sides nothing else tells (G19)."""

    # -- what handlers, hooks and work items use --------------------------------------------------------------------------

    def record(
        self,
        kind: str,
        clause: str,
        data: Mapping[str, Json] | None = None,
        *,
        owner: Side | None = None,
        public: Mapping[str, Json] | None = None,
        changes: Sequence[Change] = (),
    ) -> None:
        """Something happened: note the event and make its changes. The only way to change the board."""
        self.events.append(Event(kind, clause, data or {}, owner, public, tuple(changes), self.path))
        if changes:
            if any(c[0] in ch.BOARD for c in changes):
                self.memo.clear()
            self.own = ch.apply(changes, self.counters, self.own)

    def reveal(self) -> None:
        """A fact is about to be revealed: the atomic part of a script ends here (G7)."""
        if self.testing or self.faulted:
            raise Stop
        self.revealed = True

    def roll(
        self,
        clause: str,
        why: str,
        count: int = 1,
        *,
        sides: int = 6,
        site: str = "",
        who: str = "",
        modifiers: Sequence[Mapping[str, Json]] = (),
    ) -> tuple[int, ...]:
        """Throw ``count`` dice of one throw. ``site``, ``who`` and ``why`` make the draw's key (G11); in fog they name nothing hidden."""
        self.reveal()
        place = [part[1] for part in self.path]
        pass_number = place.pop() if self.path[-1][0] == "pass" else 0
        fields = (self.turn, self.phasing or "", place[-1], pass_number, clause, site, who, why)
        text = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
        n = self.drawn.get(text, 0)
        self.drawn[text] = n + 1
        key = (*fields, n)
        dice = self.dice.throw(key, sides, count)
        self.record(
            "rolled", clause, {"why": why, "site": site, "dice": list(dice), "sides": sides, "modifiers": list(modifiers), "key": list(key)}
        )
        return dice

    def push(self, kind: str, **args: Json) -> None:
        """Put a work item on the agenda: before anything older, after what this item has pushed already (G1)."""
        self.pushed.append((kind, args))

    def ask(self, kind: str, side: Side, clause: str, default: Mapping[str, Json], **more: Any) -> None:
        """A side must decide; until it has, the agenda waits. ``more``: fields of ``Decision`` (choices, rule, window, label, group...)."""
        self.ids[side] = self.ids.get(side, 0) + 1
        more.setdefault("window", kind.upper())
        asked = self.module.asks[kind]
        self.unsettled.append(
            Decision(f"{side}-{self.ids[side]}", kind, side=side, clause=clause, verb=asked.verb, default=default, **more),
        )

    def result(self, label: str, result: Json) -> None:
        """Note the result of a fight, for guards that test it."""
        self.results[label] = result

    def end(self, winner: Side | None, level: str, why: str) -> None:
        """The game ends at once, in mid-step if need be: agenda, decisions, sets and tails are emptied (G13)."""
        for side in self.data.sides:
            gathered = [order for key, orders in self.sets.items() if key.partition("/")[0] == side for order in orders]
            waiting = self.tails[side].orders if side in self.tails else ()
            if gathered or waiting:
                self.record("not_done", why, {"lines": [o.line for o in (*gathered, *waiting)]}, owner=side)
        self.over = Over(winner, level, why)
        self.record("ended", why, {"winner": winner, "level": level, "why": why})
        self.agenda, self.pushed, self.unsettled, self.pending = [], [], [], ()
        self.sets, self.tails, self.on, self.answers = {}, {}, {}, {}

    # -- the engine's own ---------------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step:
        """The step in which the game stands."""
        return self.slot.step

    def acting(self) -> tuple[Side, ...]:
        """The sides that act in this step."""
        return sides_of(self.step, self.phasing, self.data.sides)

    def run(self) -> None:
        """Work, settle and read on until somebody must be waited for."""
        for _ in range(MAX_WORK):
            if self.over is not None:
                return
            if self.pending or self.unsettled:
                if not (windows.settle(self) or script.read_line(self, any_time=True)):
                    return
            elif self.agenda:
                self.work(*self.agenda.pop())
            elif not (script.read_line(self) or flow.move_on(self)):
                return
        raise RuntimeError(f"more than {MAX_WORK} work items: {self.path}")

    def work(self, kind: str, args: Mapping[str, Json]) -> None:
        """Do one work item, then put what it pushed on the agenda."""
        if kind.startswith("@"):
            flow.WORK[kind](self, args)
        else:
            self.module.works[kind](self, args)
        self.flush()

    def flush(self) -> None:
        """Put what was pushed on the agenda, first pushed on top. After the end of the game nothing is left to do."""
        if self.over is None:
            self.agenda.extend(reversed(self.pushed))
        self.pushed.clear()

    def attempt(self, act: Callable[[], None]) -> IllegalOrder | None:
        """Do ``act()``; if it is illegal, nothing of it is kept and the reason is returned."""
        counters, own, drawn, ids, results = dict(self.counters), self.own, dict(self.drawn), dict(self.ids), dict(self.results)
        events, pushed, unsettled = len(self.events), len(self.pushed), len(self.unsettled)
        try:
            act()
        except IllegalOrder as illegal:
            self.counters, self.own, self.drawn, self.ids, self.results = counters, own, drawn, ids, results
            del self.events[events:], self.pushed[pushed:], self.unsettled[unsettled:]
            self.memo.clear()
            return illegal
        return None

    def outcome(self, status: str) -> Outcome:
        """What came of it: the new state, with each side's ``seq`` raised if what it sees has changed (G10)."""
        state = replace(
            self.before,
            path=self.path,
            counters=self.counters,
            own=self.own,
            agenda=tuple(self.agenda),
            pending=self.pending,
            answers=self.answers,
            sets=self.sets,
            standing=self.standing,
            on={side: lines for side, lines in self.on.items() if lines},
            tails={side: tail for side, tail in self.tails.items() if tail.orders or tail.last},
            drawn=self.drawn,
            asked=self.asked,
            closing=self.closing,
            results=self.results,
            ids=self.ids,
            over=self.over,
        )
        return Outcome(status, self._counted(state), _numbered(self.events), tuple(self.rejections), self.ran)

    def _counted(self, state: GameState) -> GameState:
        if not self.before.path:
            return replace(state, seq=dict.fromkeys(self.data.sides, 1), opened=dict.fromkeys(self.data.sides, 1))
        seq, opened = dict(state.seq), dict(state.opened)
        turn_before, turn_after = self.before.path[:2], state.path[:2]
        for side in self.data.sides:
            if view(self.module, self.before, side) != view(self.module, state, side):
                seq[side] = seq.get(side, 0) + 1
            ended = turn_before != turn_after and (side != self.packet.side or turn_before[-1:] == (("player-turn", side),))
            if ended:
                opened[side] = seq.get(side, 0)
        return replace(state, seq=seq, opened=opened)


def _numbered(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(replace(event, n=n) for n, event in enumerate(events, 1))
