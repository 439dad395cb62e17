"""What holds for any packets whatever, on the test-only game: properties, tried with random matches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.adjudication import adjudicate
from services.rules.engine.changes import apply
from services.rules.engine.dice import DiceExhausted, ScriptedDice, SeededDice
from services.rules.engine.lines import WINDOW
from services.rules.engine.model import Counter, GameState, Outcome, Packet, Standing, Tail
from services.rules.engine.sequence import sides_of
from services.rules.engine.view import view, view_events
from services.rules.schemas.position import check_position
from services.rules.schemas.state import load_state, state_bytes
from tests.rules.engine.jumbles import JUMBLES, MAILS, MODULES, Jumble, Mail, packet_of, start, steps
from tests.rules.engine.match import DONE, on, order
from tests.rules.engine.mini import wire

SIDES = ("red", "blue")
MANY = settings(max_examples=settings().max_examples)
SOME = settings(max_examples=settings().max_examples * 6 // 10)
FEW = settings(max_examples=settings().max_examples * 4 // 10)


def strength(counters: dict[str, Counter], side: str) -> Fraction:
    return sum((Fraction(c.num["cf"]) for c in counters.values() if c.side == side), Fraction(0))


def smallest(counters: dict[str, Counter]) -> list[str]:
    return sorted(part for c in counters.values() for part in (c.parts or (c.id,)))


def bytes_of(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


@given(JUMBLES)
@MANY
def test_events_tell_everything_and_nothing_is_lost(jumble: Jumble) -> None:
    keys: set[str] = set()
    for played, before, _, _, outcome in steps(jumble):
        after = outcome.state
        if outcome.status != "done":
            assert after is before
            assert not outcome.ran
            continue
        counters, own = dict(before.counters), before.own
        for n, event in enumerate(outcome.events, 1):
            own = apply(event.changes, counters, own)
            assert event.n == n
        assert (counters, own) == (after.counters, after.own)
        assert smallest(counters) == ["B1", "B2", "B3", "R1", "R2", "R3", "RG-1", "RG-2"]
        assert [strength(counters, side) for side in SIDES] == [Fraction(14), Fraction(9)]
        drawn = [bytes_of(e.data["key"]) for e in outcome.events if e.kind == "rolled"]
        assert len({*keys, *drawn}) == len(keys) + len(drawn)
        keys.update(drawn)
        assert outcome.ran or not (drawn or counters != before.counters)
        for side in SIDES:
            moved = view(played, before, side) != {**view(played, after, side), "seq": before.seq[side]}
            assert after.seq[side] == before.seq[side] + moved
        if after.over is not None:
            assert not any((after.agenda, after.pending, after.sets, after.tails, after.on, after.answers))
        else:
            assert any(side in view(played, after, side)["waiting_for"] for side in SIDES)


@given(JUMBLES)
@SOME
def test_a_state_that_went_through_json_plays_on_the_same(jumble: Jumble) -> None:
    for played, before, packet, dice, outcome in steps(jumble):
        read = load_state(json.loads(state_bytes(before)))
        check_position(played, read, wire.SCHEMAS)
        assert read == before
        again = adjudicate(played, read, packet, dice)
        assert again == replace(outcome, state=again.state)
        assert state_bytes(again.state) == state_bytes(outcome.state)


@given(JUMBLES, MAILS)
@SOME
def test_what_a_side_may_not_know_changes_nothing_for_it(jumble: Jumble, mail: Mail) -> None:
    played, state = start(jumble)
    for _, _, _, _, outcome in steps(jumble):
        state = outcome.state
    for side, foe in (SIDES, SIDES[::-1]):
        for other in hidden_otherwise(state, foe):
            assert bytes_of(view(played, state, side)) == bytes_of(view(played, other, side))
            assert bytes_of(view(played, state, None)) == bytes_of(view(played, other, None))
            packet = replace(packet_of(played, state, mail, 99), side=side, check=True, hold=False)
            answers = [adjudicate(played, s, packet, ScriptedDice([])) for s in (state, other)]
            assert told(answers[0], side) == told(answers[1], side)


def told(outcome: Outcome, side: str) -> str:
    """What the sender of a checked packet is told."""
    return bytes_of([outcome.status, view_events(outcome.events, side), [str(r) for r in outcome.rejections]])


def hidden_otherwise(state: GameState, foe: str) -> Iterator[GameState]:
    """States that differ only in what the enemies of ``foe`` may not know."""
    fire, stake = order("FIRE", unit=f"{foe[0].upper()}1", at="R2" if foe == "blue" else "B2"), order("STAKE", n=2)
    lines = on(fire, window="REACTION-FIRE"), on(stake, window="STAKE")
    over = state.over is not None  # then the counters are open to all
    yield replace(
        state,
        hidden="cd" * 32,
        drawn={"x": 1},
        seq={**state.seq, foe: 99},
        ids={**state.ids},
        standing={**state.standing, foe: tuple(Standing(n, o) for n, o in enumerate(lines, 1))},
        on={**state.on, foe: lines[::-1]},
        counters={
            u: replace(c, num={**c.num, "cf": c.num["cf"] + 1}) if c.side == foe and not over and "seen" not in c.marks else c
            for u, c in state.counters.items()
        },
    )
    if state.over is not None:
        return
    slot = MODULES["normal"].sequence.at(state.path)
    tails = {key: tail for key, tail in state.tails.items() if not key.startswith(foe)}
    yield replace(state, tails=tails, standing={**state.standing, foe: ()}, on={**state.on, foe: ()})
    if (
        foe not in sides_of(slot.step, slot.phasing, SIDES) and foe + WINDOW not in state.tails
    ):  # a script that could go on would have done so
        yield replace(state, tails={**tails, foe: Tail((fire, DONE, stake))})
    answers = {d.id: {"args": {"n": 1}, "source": "line"} for d in state.pending if d.side == foe and d.sealed}
    waiting = any(d.sealed and d.side != foe and d.id not in state.answers for d in state.pending)
    if answers and waiting:
        yield replace(state, answers={**state.answers, **answers})
    sets = {key: () for key in state.sets if key.startswith(foe)}
    yield replace(state, sets={**state.sets, **sets})


@given(JUMBLES)
@SOME
def test_done_turn_auto_of_those_awaited_ends_any_game(jumble: Jumble) -> None:
    played, state = start(jumble)
    for _, _, _, _, outcome in steps(jumble):
        state = outcome.state
    for number in range(60):
        if state.over is not None:
            return
        side = next(s for s in SIDES if s in view(played, state, s)["waiting_for"])
        place = (order("PLACE", unit="R2", hex="0101"), order("PLACE", unit="B3", hex="0806"))[SIDES.index(side)]
        lines = (*((place,) if state.path[0][0] == "setup" and not jumble.close else ()), order("DONE", turn=True, auto=True))
        outcome = adjudicate(played, state, Packet("x", side, lines), SeededDice(bytes([number])))
        assert outcome.status == "done", outcome.rejections
        state = outcome.state
    raise AssertionError(f"the game goes on for ever: {state.path}")


@given(JUMBLES, st.lists(st.integers(1, 6), max_size=3))
@FEW
def test_scripted_dice_may_run_out_and_nothing_else_is_raised(jumble: Jumble, dice: list[int]) -> None:
    for played, before, packet, _, outcome in steps(jumble):
        try:
            adjudicate(played, before, packet, ScriptedDice(dice))
        except DiceExhausted:
            assert any(e.kind == "rolled" for e in outcome.events)


@given(JUMBLES)
@FEW
def test_check_foretells_and_changes_nothing(jumble: Jumble) -> None:
    for played, before, packet, _, outcome in steps(jumble):
        checked = adjudicate(played, before, replace(packet, check=True, hold=False), ScriptedDice([]))
        assert checked.state is before
        assert not any(e.kind == "rolled" for e in checked.events)
        if not (packet.check or packet.hold):
            assert (checked.status == "refused") == (outcome.status == "refused")
            assert checked.status == "checked" or checked.rejections == outcome.rejections
