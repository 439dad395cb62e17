"""Random packets for the test-only game: mostly near to what is legal, so that matches go on, and sometimes not near at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hypothesis import strategies as st

from scenarios.hexes import Hex, neighbours, parse_place
from services.rules.engine.adjudication import adjudicate, begin
from services.rules.engine.dice import Dice, ScriptedDice, SeededDice
from services.rules.engine.model import GameState, Guard, Order, Outcome, Packet
from services.rules.engine.module import GameModule
from services.rules.engine.view import view
from tests.rules.engine.match import DONE, numbered, on, order
from tests.rules.engine.mini import module

T = TypeVar("T")
TEMPOS = ("normal", "full", "blitz")
MODULES = {tempo: module(tempo) for tempo in TEMPOS}
RED, BLUE = ("R1", "R2", "R3", "RG", "RG-1", "RG-2"), ("B1", "B2", "B3")
WINDOWS = ("REACTION-FIRE", "RETREAT", "ADVANCE", "STAKE", "DECLARATION")
PHASES = ("movement", "reaction fire", "declaration", "arrivals", "combat", "nowhere")
KINDS = (
    *("MOVE",) * 12,
    *("STAND",) * 14,
    *("ATTACK",) * 10,
    *("FIRE",) * 10,
    *("STAKE",) * 6,
    *("RETREAT",) * 3,
    *("ADVANCE",) * 2,
    *("PLACE",) * 2,
    *("DONE",) * 12,
    *("DONE AUTO",) * 4,
    "DONE TURN",
    "DONE TURN AUTO",
    *("ON",) * 6,
    *("PASS", "NEXT", "NEXT", "PHASE", "PHASE", "CANCEL", "DUTY", "ENTER", "DELAY", "SPLIT", "JOIN", "PARK", "CONCEDE", "RUBBISH"),
)
CLOSE = {"R1": "0303", "R2": "0304", "RG": "0205", "B1": "0403", "B2": "0404", "B3": "0505"}


@dataclass(frozen=True)
class Line:
    """What an order is made of when its turn comes: a kind, and a number that picks among what is there then."""

    kind: str
    n: int
    guard: int
    other: tuple[str, int] | None


@dataclass(frozen=True)
class Mail:
    """A packet in the making; ``who`` 0 to 7: the side that is awaited, else either."""

    who: int
    lines: tuple[Line, ...]
    standing: tuple[int, ...]
    flags: int
    dice: int


@dataclass(frozen=True)
class Jumble:
    """A match in the making."""

    tempo: str
    close: bool
    mails: tuple[Mail, ...]


NUMBERS = st.integers(0, 50_000)
LINES = st.builds(
    Line, st.sampled_from(KINDS), NUMBERS, st.integers(0, 40), st.none() | st.tuples(st.sampled_from(("STAND", "FIRE", "DONE")), NUMBERS)
)
MAILS = st.builds(
    Mail,
    st.integers(0, 9),
    st.lists(LINES, min_size=1, max_size=6).map(tuple),
    st.lists(NUMBERS, max_size=1).map(tuple),
    st.integers(0, 40),
    st.integers(0, 255),
)
JUMBLES = st.builds(
    Jumble, st.sampled_from(TEMPOS), st.sampled_from((True,) * 5 + (False,)), st.lists(MAILS, min_size=1, max_size=8).map(tuple)
)


def start(jumble: Jumble) -> tuple[GameModule, GameState]:
    """The state in which a match begins: at its set-up, or with both sides close together."""
    played = MODULES[jumble.tempo]
    state = played.new_game(played.data, played.data.scenarios["one"], {"tempo": jumble.tempo}, "ab" * 32)
    if not jumble.close:
        return played, begin(played, state, ScriptedDice([])).state
    counters = {u: replace(c, place=parse_place(CLOSE[u])) if u in CLOSE else c for u, c in state.counters.items()}
    state = begin(played, replace(state, counters=counters), ScriptedDice([])).state
    for side in played.data.sides:
        state = adjudicate(played, state, Packet("placed", side, (DONE,)), ScriptedDice([1])).state
    return played, state


def steps(jumble: Jumble) -> Iterator[tuple[GameModule, GameState, Packet, Dice, Outcome]]:
    """Each packet of a match: the state before, the packet, its dice (fresh), the outcome."""
    played, state = start(jumble)
    for number, mail in enumerate(jumble.mails):
        if state.over is not None:
            return
        packet = packet_of(played, state, mail, number)
        outcome = adjudicate(played, state, packet, SeededDice(bytes([mail.dice])))
        yield played, state, packet, SeededDice(bytes([mail.dice])), outcome
        state = outcome.state


def packet_of(played: GameModule, state: GameState, mail: Mail, number: int) -> Packet:
    """The packet that ``mail`` becomes in this state."""
    awaited = [side for side in played.data.sides if side in view(played, state, side)["waiting_for"]]
    side = awaited[mail.who % len(awaited)] if mail.who < 8 and awaited else ("red", "blue")[mail.who % 2]
    lines = [_guarded(state, side, line) for line in mail.lines]
    flags = mail.flags
    return Packet(
        f"p{number}",
        side,
        numbered(lines),
        numbered((_on(state, side, n) for n in mail.standing), 100),
        seq=state.seq[side] if flags == 9 else None,
        fault="skip" if flags in (1, 2) else "stop",
        anyway=3 <= flags <= 20,
        check=flags == 21,
        hold=flags == 22,
        append=flags in (23, 24, 25),
    )


def _guarded(state: GameState, side: str, line: Line) -> Order:
    made = make(state, side, line.kind, line.n)
    if line.guard > 4 or made.verb in ("ON", "DONE"):
        return made
    otherwise = make(state, side, *line.other) if line.other else None
    return replace(made, guard=(guard_of(line.guard, line.n),), otherwise=otherwise)


def guard_of(kind: int, n: int) -> Guard:
    """A guard of one of five kinds."""
    unit = (*RED, *BLUE)[n % 9]
    place = f"0{1 + n % 8}0{1 + n % 6}"
    args: tuple[tuple[str, dict[str, Any]], ...] = (
        ("vacant", {"hex": place}),
        ("alive", {"unit": unit}),
        ("at", {"unit": unit, "hex": place}),
        ("result", {"label": "A1", "in": ["DR"]}),
        ("vacated", {}),
    )
    return Guard(*args[kind], negated=n % 2 == 0)


class Picker:
    """Picks by the digits of one number."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __call__(self, among: Sequence[T]) -> T:
        self.n, digit = divmod(self.n, len(among))
        return among[digit]


def make(state: GameState, side: str, kind: str, n: int) -> Order:
    """An order of a kind, as near to a legal one as ``n`` picks."""
    pick = Picker(n)
    match kind:
        case "DONE" | "DONE TURN" | "DONE AUTO" | "DONE TURN AUTO":
            return order("DONE", turn="TURN" in kind, auto="AUTO" in kind)
        case "PASS" | "NEXT":
            return order(kind)
        case "CONCEDE":
            return order("CONCEDE", confirm=n % 7 == 0)
        case "PHASE":
            return order("PHASE", name=pick(PHASES))
        case "CANCEL":
            return order("CANCEL", n=pick((1, 2, 3, "ALL")))
        case "DUTY":
            return order("DUTY", auto=True)
        case "ON":
            return _on(state, side, n)
        case "STAKE":
            return order("STAKE", n=n % 4)
        case "RETREAT" | "ADVANCE":
            return _answer(state, side, kind, pick)
        case "JOIN":
            return order("JOIN", units=list(pick((("RG-1", "RG-2"), ("RG-1",), ("R1", "R2")))), into=pick(("RG", "R1")))
        case "RUBBISH":
            return pick((order("JUMP"), order("MOVE"), order("MOVE", unit="XX", path=["0101"]), order("MOVE", unit=7, path=3)))
    return _act(state, side, kind, pick)


def _act(state: GameState, side: str, kind: str, pick: Picker) -> Order:
    own = [c.id for c in state.counters.values() if c.side == side and isinstance(c.place, Hex)] or ["R1", "B1"]
    enemies = [c for c in state.counters.values() if c.side != side and isinstance(c.place, Hex)]
    unit = pick((*own, *own, *(RED if side == "red" else BLUE)))
    here = state.counters[unit].place if unit in state.counters else Hex(1, 1)
    around = neighbours(here) if isinstance(here, Hex) else (Hex(3, 4), Hex(6, 2))
    near = [str(c.place) for c in enemies if c.place in around] or [str(around[0])]
    match kind:
        case "MOVE":
            first = pick(around)
            return order("MOVE", unit=unit, path=[str(h) for h in (first, *pick(((), (), (pick(neighbours(first)),))))])
        case "ATTACK":
            label = pick((None, "A1", "A2"))
            return order("ATTACK", hex=pick(near), units=sorted({unit, *pick(((), (), (own[0],)))}), label=label)
        case "FIRE":
            return order("FIRE", unit=unit, at=pick([c.id for c in enemies] or ["R1"]))
        case "PLACE":
            mine = pick(("R2", "R2", "R1") if side == "red" else ("B3", "B3", "B1"))
            return order("PLACE", unit=mine, hex=pick(("0304", "0203", "0101") if side == "red" else ("0805", "0505", "0101")))
    return order(kind, unit="R3" if kind in ("ENTER", "DELAY") and side == "red" else "RG" if kind == "SPLIT" and side == "red" else unit)


def _answer(state: GameState, side: str, verb: str, pick: Picker) -> Order:
    choices = [dict(c) for d in state.pending if d.side == side and d.verb == verb for c in d.choices or ()]
    unit = pick(RED if side == "red" else BLUE)
    return order(verb, **pick(choices or [{"unit": unit, "hex": pick(("0304", "0404", "0505", "0203"))}]))


def _on(state: GameState, side: str, n: int) -> Order:
    pick = Picker(n)
    kind = pick(("FIRE", "FIRE", "RETREAT", "ADVANCE", "STAKE", "ATTACK", "PASS", "MOVE", "ask"))
    by_label = pick((False, False, True))
    guards = pick(((), (), (guard_of(pick(range(5)), n),)))
    then = None if kind == "ask" else make(state, side, kind, pick.n)
    otherwise = pick((None, None, make(state, side, "FIRE", pick.n))) if then else None
    label, window = (pick(("A1", "ANY", "R2")), None) if by_label else (None, pick(WINDOWS))
    results = pick(((), (), ("DR",)))
    return on(then, window=window, label=label, results=results, guard=guards, otherwise=otherwise)
