"""Sequences of play of one or two steps: what the engine does where the test-only game never goes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from services.rules.engine import adjudication
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import Decision, Guard, IllegalOrder, Order
from services.rules.engine.sequence import (
    BOTH,
    NOBODY,
    NON_PHASING,
    PHASING,
    Ask,
    Duty,
    Mode,
    PlayerTurn,
    Sequence,
    Step,
    Work,
    on,
    sides_of,
)
from tests.rules.engine.match import DONE, DONE_TURN, Match, order
from tests.rules.engine.mini.law import check_place, one, place
from tests.rules.engine.mini.orders import Place


@dataclass(frozen=True)
class Wave:
    """An order that names no unit of the sender's own."""

    verb: ClassVar[str] = "WAVE"
    to: str


def wave(adj: Adjudication, args: Wave, _: Order) -> None:
    adj.record("waved", "w.1", {"to": args.to})
    if args.to == "victory":
        adj.end("red", "wave", "w.2")


WAVE = on(Wave, wave)


def started(sequence: Sequence, tempo: str = "blitz") -> Match:
    """A match that is at the first step of ``sequence`` for which somebody must be waited."""
    match = Match(tempo, placed=False)
    match.module = replace(match.module, sequence=sequence)
    start = match.module.new_game(match.module.data, match.module.data.scenarios["one"], {"tempo": tempo}, "ab" * 32)
    match.last = adjudication.begin(match.module, start, ScriptedDice([]))
    match.state = match.last.state
    return match


def turn(*steps: Step) -> Sequence:
    return Sequence(turn=tuple(PlayerTurn(side, steps) for side in ("red", "blue")))


def waved(match: Match) -> list[str]:
    return [event.data["to"] for event in match.last.events if event.kind == "waved"]


@pytest.mark.parametrize(
    ("actor", "phasing", "sides"),
    [
        (NOBODY, "red", ()),
        (PHASING, "blue", ("blue",)),
        (PHASING, None, ()),
        (NON_PHASING, "blue", ("red",)),
        (BOTH, "blue", ("blue", "red")),
        (BOTH, None, ("red", "blue")),
        ("blue", "red", ("blue",)),
    ],
)
def test_who_acts_in_a_step(actor: str, phasing: str | None, sides: tuple[str, ...]) -> None:
    assert sides_of(Step("step", "s.1", actor), phasing, ("red", "blue")) == sides


def test_orders_of_a_set_without_a_check_and_without_units_are_gathered_and_carried_out_together() -> None:
    match = started(turn(Step("greeting", "g.1", PHASING, Mode.SET, accepts=(WAVE,))))
    match.send("red", order("WAVE", to="B1"), order("WAVE", to="R9"))
    assert waved(match) == []
    match.send("red", DONE)
    assert waved(match) == ["B1", "R9"]
    assert match.place == "1 blue greeting"


def test_the_end_of_the_game_leaves_the_rest_of_a_set_undone() -> None:
    match = started(turn(Step("greeting", "g.1", PHASING, Mode.SET, accepts=(WAVE,))))
    match.send("red", order("WAVE", to="victory"), order("WAVE", to="B1"), DONE)
    assert waved(match) == ["victory"]
    assert match.state.over is not None
    assert match.state.over.level == "wave"


def alone(adj: Adjudication, args: Place, given: Order) -> None:
    if any(counter.place == args.hex for counter in adj.counters.values()):
        raise IllegalOrder("s.4", "taken", hex=str(args.hex))
    place(adj, args, given)


def test_an_order_of_a_set_that_an_older_one_made_illegal_is_passed_over() -> None:
    placing = on(Place, alone, check=check_place, subject=lambda p: p.unit, units=one)
    match = started(turn(Step("placing", "s.1", PHASING, Mode.SET, accepts=(placing, WAVE))))
    match.send("red", order("PLACE", unit="R2", hex="0202"), order("WAVE", to="B1"), DONE)  # R1 stands at 0202
    (skipped,) = [event for event in match.last.events if event.kind == "line_skipped"]
    assert (skipped.clause, skipped.owner) == ("s.4", "red")
    assert skipped.data == {"lines": [1], "line": 1, "code": "taken", "details": {"hex": "0202"}}
    assert match.at("R2") == "box:set-up"
    assert waved(match) == ["B1"]


def test_orders_of_a_set_are_carried_out_verb_by_verb_as_the_step_takes_them() -> None:
    def wave_at_a_neighbour(adj: Adjudication, args: Any, given: Order) -> None:
        assert str(adj.counters["R2"].place) == "0303"  # whatever came first, it has been placed
        WAVE.carry(adj, args, given)

    placing = on(Place, place, check=check_place, subject=lambda p: p.unit, units=one)
    match = started(turn(Step("placing", "s.1", PHASING, Mode.SET, accepts=(placing, replace(WAVE, carry=wave_at_a_neighbour)))))
    match.send("red", order("WAVE", to="B1"), order("PLACE", unit="R2", hex="0303"), order("WAVE", to="R9"), DONE)
    assert waved(match) == ["B1", "R9"]


@pytest.mark.parametrize(("idle", "at"), [(("blue",), "1 third"), ((), "1 second")])
def test_done_turn_closes_a_step_of_both_where_the_other_has_nothing_to_order(idle: tuple[str, ...], at: str) -> None:
    second = Step("second", "b.2", BOTH, accepts=(WAVE,), idle=lambda table, side: side in idle)
    steps = (Step("first", "b.1", BOTH, accepts=(WAVE,)), second, Step("third", "b.3", "blue", accepts=(WAVE,)))
    match = started(Sequence(turn=steps))
    match.send("red", DONE_TURN)
    assert match.place == at


def test_a_sequence_without_a_step_that_opens_is_our_bug() -> None:
    with pytest.raises(RuntimeError, match="no step of the sequence opens"):
        started(turn(Step("never", "n.1", PHASING, accepts=(WAVE,), when=lambda table: False)))


def echo(adj: Adjudication, args: Mapping[str, Any]) -> None:
    adj.push("Echo", **args)


def test_work_that_goes_round_in_circles_is_our_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjudication, "MAX_WORK", 50)
    shout = Step("shouting", "e.1", NOBODY, resolves=(Work("Echo", echo),), enter=lambda adj: adj.push("Echo"))
    with pytest.raises(RuntimeError, match="more than 50 work items"):
        started(turn(shout))


def sealed(choices: Mapping[str, Iterable[int]], winner: str | None = None) -> Step:
    """A step that asks both sides for a number, unseen; ``winner``: the side whose answer ends the game."""

    def ask(adj: Adjudication) -> None:
        for side, numbers in choices.items():
            adj.ask("bid", side, "d.1", {"n": 0}, choices=tuple({"n": n} for n in numbers), group="bids", sealed=True)

    def take(adj: Adjudication, decision: Decision, args: Mapping[str, Any]) -> None:
        adj.record("bid", "d.1", {"side": decision.side, "n": args["n"]})
        if decision.side == winner:
            adj.end(winner, "bid", "d.2")

    return Step("bidding", "d.1", BOTH, Mode.ASK, asks=(Ask("bid", "STAKE", take),), enter=ask)


def bids(match: Match) -> list[tuple[str, int]]:
    return [(event.data["side"], event.data["n"]) for event in match.last.events if event.kind == "bid"]


@pytest.mark.parametrize("order_of", [("red", "blue"), ("blue", "red")])
def test_a_sealed_decision_without_a_choice_is_passed_over_and_its_group_opens_without_it(order_of: tuple[str, str]) -> None:
    numbers: Mapping[str, Iterable[int]] = {"red": (), "blue": (0, 1, 2)}
    match = started(turn(sealed({side: numbers[side] for side in order_of}), Step("rest", "r.1", PHASING, accepts=(WAVE,))), "full")
    assert [d.side for d in match.state.pending] == ["blue"]
    match.send("blue", order("STAKE", n=2))
    assert bids(match) == [("blue", 2)]
    assert match.place == "1 red rest"


def test_a_sealed_group_whose_only_answer_is_forced_opens_at_once() -> None:
    match = started(turn(sealed({"blue": (1,), "red": ()}), Step("rest", "r.1", PHASING, accepts=(WAVE,))), "full")
    assert bids(match) == [("blue", 1)]
    assert match.place == "1 red rest"


def test_the_end_of_the_game_leaves_the_other_answers_of_a_group_unread() -> None:
    match = started(turn(sealed({"red": range(3), "blue": range(3)}, winner="red")), "full")
    match.send("red", order("STAKE", n=2))
    match.send("blue", order("STAKE", n=1))
    assert bids(match) == [("red", 2)]
    assert match.state.over is not None
    assert match.state.pending == ()


# -- lines that fall through -----------------------------------------------------------------------------------------------------


def paired(contingent: bool) -> Step:
    """A SET in which a wave to ``a`` needs one to ``b``; met by default, all are dropped."""

    def gathered(table: Any, side: str) -> set[str]:
        return {given.args["to"] for given in table.sets.get(f"{side}/vote", ())}

    def duty(table: Any, side: str) -> tuple[Duty, ...]:
        lacking = "a" in gathered(table, side) and "b" not in gathered(table, side)
        return (Duty("needs-b", "v.1", contingent=contingent),) if lacking else ()

    def meet(adj: Adjudication, side: str) -> None:
        adj.sets.pop(f"{side}/vote", None)

    return Step("vote", "v.1", PHASING, Mode.SET, accepts=(WAVE,), duty=duty, meet=meet)


NEVER = (Guard("alive", {"unit": "R9"}),)


def test_what_a_failed_guard_leaves_open_is_met_by_default_where_the_duty_is_contingent() -> None:
    lines = (order("WAVE", to="a"), order("WAVE", to="b", guard=NEVER), DONE)
    match = started(turn(paired(True), Step("rest", "r.1", PHASING, accepts=(WAVE,))))
    match.send("red", lines[0], DONE)
    assert [r.code for r in match.last.rejections] == ["needs-b"]  # without a guard it is refused
    match.send("red", *lines)
    assert match.place == "1 red rest"
    assert waved(match) == []
    strict = started(turn(paired(False), Step("rest", "r.1", PHASING, accepts=(WAVE,))))
    strict.send("red", *lines)
    assert [r.code for r in strict.last.rejections] == ["needs-b"]


def test_it_is_met_by_the_packet_that_lost_the_line_and_by_no_later_one() -> None:
    match = started(turn(paired(True), Step("rest", "r.1", PHASING, accepts=(WAVE,))))
    match.send("red", order("WAVE", to="a"), order("WAVE", to="b", guard=NEVER))
    match.send("red", DONE)
    assert [r.code for r in match.last.rejections] == ["needs-b"]


def test_an_answer_that_no_decision_came_for_is_told_and_does_not_wait() -> None:
    def take(adj: Adjudication, decision: Decision, args: Mapping[str, Any]) -> None:
        raise AssertionError

    bidding = Step("bidding", "b.1", PHASING, Mode.ASK, asks=(Ask("bid", "STAKE", take),), enter=lambda adj: adj.reveal())
    match = started(turn(Step("rest", "r.1", PHASING, accepts=(WAVE,)), bidding, Step("last", "l.1", PHASING, accepts=(WAVE,))))
    match.send("red", DONE, order("STAKE", n=1), order("STAKE", n=2), order("WAVE", to="x"))
    assert [(r.code, r.details["verb"]) for r in match.last.rejections] == [("nothing-to-answer", "STAKE")] * 2
    assert (match.place, waved(match)) == ("1 red last", ["x"])
