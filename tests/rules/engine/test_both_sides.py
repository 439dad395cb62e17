"""A step that gathers orders of both sides in secret: each closes it for itself, and all take effect together (G19)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Order
from services.rules.engine.sequence import BOTH, PHASING, Mode, PlayerTurn, Sequence, Step, on
from services.rules.engine.view import view
from tests.rules.engine.match import DONE, DONE_TURN, Match, order
from tests.rules.engine.match import on as beforehand
from tests.rules.engine.test_small_games import started


@dataclass(frozen=True)
class Bid:
    """An order that says nothing of who gives it."""

    verb: ClassVar[str] = "BID"
    n: int


@dataclass(frozen=True)
class Greet:
    """An order for the step after the bids."""

    verb: ClassVar[str] = "GREET"
    to: str


def bid(adj: Adjudication, args: Bid, _: Order) -> None:
    adj.record("bid", "b.1", {"side": adj.speaker, "n": args.n})


def greet(adj: Adjudication, args: Greet, _: Order) -> None:
    adj.record("greeted", "b.2", {"to": args.to})


def least(adj: Adjudication, side: str) -> None:
    if not adj.sets.get(f"{side}/bids"):
        adj.sets[f"{side}/bids"] = (Order(0, "BID", {"n": 1}),)


BIDS = Step("bids", "b.1", BOTH, Mode.SET, accepts=(on(Bid, bid, subject=lambda b: "bid"),), default=least)
AFTER = Step("after", "b.2", PHASING, accepts=(on(Greet, greet),))
GREETING = order("GREET", to="all")


def bidding(tempo: str = "normal", **more: Any) -> Match:
    """Red's player-turn begins with the bids of both sides."""
    step = Step(BIDS.name, BIDS.clause, BIDS.actor, BIDS.mode, BIDS.accepts, default=BIDS.default, **more)
    return started(Sequence(turn=(PlayerTurn("red", (step, AFTER)), PlayerTurn("blue", (step, AFTER)))), tempo)


def bids(match: Match) -> list[tuple[str, int]]:
    return [(event.data["side"], event.data["n"]) for event in match.last.events if event.kind == "bid"]


def bidden(n: int) -> Order:
    return order("BID", n=n)


def test_each_side_closes_for_itself_and_all_orders_take_effect_together() -> None:
    match = bidding()
    match.send("red", bidden(3), DONE)
    assert (bids(match), match.place) == ([], "1 red bids")
    match.send("blue", bidden(2), DONE)
    assert (bids(match), match.place) == ([("red", 3), ("blue", 2)], "1 red after")


def test_the_other_side_may_close_first_and_does_not_close_it_for_both() -> None:
    match = bidding()
    match.send("blue", bidden(2), DONE)
    assert (bids(match), match.place) == ([], "1 red bids")
    match.send("red", bidden(3), DONE)
    assert bids(match) == [("red", 3), ("blue", 2)]


def test_a_line_for_a_later_step_closes_ones_own_half_and_waits() -> None:
    match = bidding()
    match.send("red", bidden(3), GREETING)
    assert (bids(match), match.place) == ([], "1 red bids")
    match.send("blue", bidden(2), DONE)
    assert bids(match) == [("red", 3), ("blue", 2)]
    assert "greeted" in match.kinds()


def test_a_second_done_is_for_the_step_after() -> None:
    match = bidding()
    match.send("red", bidden(3), DONE, DONE)
    match.send("blue", bidden(2), DONE)
    assert match.place == "1 blue bids"


def test_what_one_side_gathers_and_that_it_has_closed_is_hidden_from_the_other() -> None:
    match = bidding()
    before = match.state
    match.send("blue", bidden(2), DONE)
    assert view(match.module, match.state, "red") == view(match.module, before, "red")
    assert view(match.module, match.state, "blue")["sets"]["bids"][0]["args"] == {"n": 2}


def test_who_is_waited_for() -> None:
    match = bidding()
    assert view(match.module, match.state, "red")["waiting_for"] == ["red"]
    match.send("red", bidden(3), DONE)
    seen = view(match.module, match.state, "blue")
    assert (seen["waiting_for"], seen["step"]["mine"]) == (["blue"], True)
    assert view(match.module, match.state, "red")["step"]["mine"] is False


def test_a_side_that_has_closed_gives_no_more_orders_in_the_step() -> None:
    match = bidding()
    match.send("red", bidden(3), DONE)
    match.send("red", bidden(9))
    match.send("blue", bidden(2), DONE)
    assert bids(match) == [("red", 3), ("blue", 2)]


def test_the_default_is_for_either_side_that_has_not_closed_by_done() -> None:
    match = bidding("blitz")
    match.send("red", GREETING)
    assert bids(match) == [("red", 1), ("blue", 1)]
    match = bidding("blitz")
    match.send("red", DONE)
    assert bids(match) == [("blue", 1)]
    match = bidding("blitz")
    match.send("red", DONE_TURN)
    assert bids(match) == [("red", 1), ("blue", 1)]


def test_standing_orders_answer_the_other_half() -> None:
    match = bidding()
    match.send("blue", standing=[beforehand(bidden(5), window="BIDS")])
    match.send("red", bidden(3), DONE)
    assert bids(match) == [("red", 3), ("blue", 5)]


def test_a_side_with_nothing_to_order_is_not_waited_for() -> None:
    match = bidding(idle=lambda table, side: side == "red")
    assert view(match.module, match.state, None)["waiting_for"] == ["blue"]
    match.send("blue", bidden(2), DONE)
    assert ("blue", 2) in bids(match)
    assert match.place == "1 red after"


def test_closing_ones_half_runs_nothing_and_takes_no_number() -> None:
    match = bidding()
    assert match.send("red", bidden(3), DONE).ran is False
    assert match.send("blue", bidden(2), DONE).ran is True
