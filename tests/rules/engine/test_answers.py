"""Answers to decisions given in advance or by mail, and lines that are none, on the test-only game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.rules.engine.model import Guard, Order, Tail
from tests.rules.engine.match import DONE, Match, numbered, on, order


def facing(tempo: str) -> Match:
    """Red's R1 (5) and R2 (3) face blue's B2 (2) at 0404; the weather is clear, so that every window opens."""
    match = Match(tempo)
    match.put(B2="0404", R1="0202", R2="0304", RG="0105")
    return match


def duel() -> Match:
    """Both sides are asked for their stakes."""
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    assert sorted(d.side for d in match.state.pending) == ["blue", "red"]
    return match


def staked(match: Match) -> list[tuple[str, int]]:
    return [(e.data["side"], e.data["n"]) for e in match.last.events if e.kind == "staked"]


def test_pass_answers_with_the_default() -> None:
    match = duel()
    match.send("red", order("PASS"))
    assert match.state.answers["red-1"] == {"args": {"n": 0}, "source": "default"}
    match.send("blue", order("STAKE", n=2))
    assert staked(match) == [("red", 0), ("blue", 2)]


def test_a_side_that_must_decide_is_told_so_when_it_orders_something_else() -> None:
    match = duel()
    outcome = match.send("red", order("MOVE", unit="R1", path=["0303"]))
    (rejection,) = outcome.rejections
    assert (outcome.status, rejection.line, rejection.code, rejection.clause) == ("refused", 1, "decide-first", "d.1")
    assert rejection.details == {"verb": "STAKE", "kind": "stake", "default": {"n": 0}}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (on(order("FIRE", unit="B2", at="R2"), window="STAKE", otherwise=order("STAKE", n=2)), (2, "standing")),
        (on(order("STAKE", n=1), window="STAKE", guard=(Guard("result", {"label": "A9", "in": ["DR"]}),)), (0, "default")),
        (on(order("STAKE", n=1), window="STAKE", guard=(Guard("alive", {"unit": "B2"}),)), (1, "standing")),
    ],
)
def test_a_standing_order_that_does_not_fit_leaves_the_decision_to_its_else_or_the_default(line: Order, answer: tuple[int, str]) -> None:
    match = facing("blitz")
    match.send("blue", standing=[line])
    match.send("red", order("STAND", unit="R2"), DONE)
    (decided,) = [e.data for e in match.last.events if e.kind == "decided" and e.data["side"] == "blue"]
    assert (decided["choice"]["n"], decided["source"]) == answer


def test_on_ask_puts_a_decision_even_in_blitz() -> None:
    match = facing("blitz")
    match.send("blue", standing=[on(None, window="STAKE")])
    match.send("red", order("STAND", unit="R2"), DONE)
    assert [(d.side, d.kind) for d in match.state.pending if d.id not in match.state.answers] == [("blue", "stake")]


def test_cancel_all_takes_back_standing_orders_and_on_lines() -> None:
    match = facing("full")
    line = on(order("STAKE", n=2), window="STAKE")
    match.send("red", line, standing=[line])
    assert (len(match.state.on["red"]), len(match.state.standing["red"])) == (1, 1)
    match.send("red", order("CANCEL", n="ALL"))
    assert (match.state.on.get("red", ()), match.state.standing.get("red", ())) == ((), ())


def test_duty_auto_among_the_orders_stands_from_then_on() -> None:
    match = facing("blitz")
    match.send("red", order("DUTY", auto=True), order("STAND", unit="R2"), order("PHASE", name="declaration"))
    match.send("red", DONE, dice=[6])
    assert "declared" in match.kinds()


@pytest.mark.parametrize(("die", "result", "to"), [(1, "DR", "0104"), (6, "AR", "0105")])
def test_a_guard_tests_the_result_of_a_fight_of_this_player_turn(die: int, result: str, to: str) -> None:
    match = facing("blitz")
    match.put(R1="0303")
    match.send("red", order("STAND", unit="R2"), DONE, order("ATTACK", hex="0404", units=["R2"], label="A1"), DONE, dice=[die])
    assert match.state.results["A1"] == result
    match.send("red", order("MOVE", unit="RG", path=["0104"], guard=(Guard("result", {"label": "A1", "in": ["DR"]}),)))
    assert match.at("RG") == to


def test_a_guard_on_a_fight_that_was_not_fought_is_refused() -> None:
    match = Match()
    outcome = match.send("red", order("STAND", unit="R1", guard=(Guard("result", {"label": "A1", "in": ["DR"]}),)))
    assert [(r.code, r.details) for r in outcome.rejections] == [("no-result-yet", {"label": "A1"})]


def test_a_waiting_line_with_a_guard_that_the_game_lacks_stops_its_script() -> None:
    match = Match("blitz")
    line = order("STAND", unit="B1", guard=(Guard("sunny"),))
    match.state = replace(match.state, tails={"blue": Tail(numbered([line, order("STAND", unit="B2")]))})
    match.send("red", order("DONE", turn=True))
    (stopped,) = [e.data for e in match.last.events if e.kind == "script_stopped"]
    assert (stopped["line"], stopped["code"], stopped["details"], stopped["unread"]) == (1, "no-such-guard", {"test": "sunny"}, [2])


def _on(**args: Any) -> Order:
    given = {"window": None, "label": None, "results": [], "ask": False, **args}
    return Order(0, "ON", given, then=order("PASS"))


@pytest.mark.parametrize(
    ("line", "code", "field"),
    [
        (replace(_on(window="STAKE"), then=None), "malformed", "then"),
        (_on(), "malformed", "window"),
        (replace(_on(label="A1"), otherwise=order("CONCEDE", confirm=True)), "malformed", "else"),
    ],
)
def test_an_on_line_says_what_it_speaks_to_and_what_is_done(line: Order, code: str, field: str) -> None:
    assert [(r.code, r.details) for r in Match().send("red", line).rejections] == [(code, {"field": field})]


def test_a_phase_that_the_game_has_not_is_refused_with_those_it_has() -> None:
    (rejection,) = Match().send("red", order("PHASE", name="tea")).rejections
    assert (rejection.code, rejection.details["name"]) == ("no-such-step", "tea")
    assert {"arrivals", "movement", "declaration"} <= set(rejection.details["steps"])
    assert "combat" not in rejection.details["steps"]


def test_a_phase_gone_by_is_refused() -> None:
    match = Match()
    match.send("red", DONE)
    (rejection,) = match.send("red", order("PHASE", name="arrivals")).rejections
    assert (rejection.code, rejection.details) == ("not-in-this-step", {"verb": "PHASE", "step": "movement", "name": "arrivals"})


def test_next_is_refused_where_there_is_no_pass() -> None:
    (rejection,) = Match().send("red", order("NEXT")).rejections
    assert (rejection.code, rejection.details) == ("not-in-this-step", {"verb": "NEXT", "step": "arrivals"})
