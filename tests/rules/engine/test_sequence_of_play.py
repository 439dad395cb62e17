"""Steps, loops, set-up by orders, arrivals, an end in mid-step: the sequence of play as data, on the test-only game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from services.rules.engine.model import Guard, Order
from tests.rules.engine.match import DONE, DONE_TURN, Match, order


def move(unit: str, *path: str) -> Order:
    return order("MOVE", unit=unit, path=list(path))


def test_set_up_is_gathered_privately_and_done_together() -> None:
    match = Match(placed=False)
    assert match.place == "red placement"
    outcome = match.send("red", order("PLACE", unit="R2", hex="0101"))
    assert not outcome.ran
    assert match.at("R2") == "box:set-up"
    match.send("red", order("PLACE", unit="R2", hex="0304"), DONE)  # the later line takes the older one's place
    assert match.at("R2") == "0304"
    assert [e.kind for e in match.last.events].count("placed") == 1
    assert match.place == "blue placement"


def test_a_set_up_duty_names_the_units_left() -> None:
    match = Match(placed=False)
    outcome = match.send("red", DONE)
    assert outcome.status == "refused"
    assert outcome.rejections[0].details["units"] == ["R2"]
    assert match.place == "red placement"


def test_an_illegal_placement_is_refused_with_its_clause() -> None:
    match = Match(placed=False)
    outcome = match.send("red", order("PLACE", unit="R2", hex="0704"))
    assert (outcome.status, outcome.rejections[0].clause, outcome.rejections[0].code) == ("refused", "s.2", "wrong-half")


def test_weather_is_rolled_on_the_way_to_the_first_player_turn() -> None:
    match = Match(weather=6)
    assert match.state.own["dust"] is True
    assert match.place == "1 red arrivals"


def test_a_later_verb_closes_the_step_as_by_done() -> None:
    match = Match()
    match.send("red", move("R1", "0303"))
    assert match.place == "1 red movement 1"
    assert match.at("R1") == "0303"


def test_a_line_for_a_step_gone_by_is_refused() -> None:
    match = Match()
    match.send("red", move("R1", "0303"))
    outcome = match.send("red", order("ENTER", unit="R3"))
    assert (outcome.status, outcome.rejections[0].code) == ("refused", "not-in-this-step")


def test_exact_costs_road_and_cliff() -> None:
    match = Match()
    match.send("red", move("R1", "0302", "0401", "0402"))
    assert match.state.counters["R1"].num["spent"] == 3
    match.send("red", move("R2", "0403", "0402"))  # uphill over the cliff: 1 + 3/2
    assert match.state.counters["R2"].num["spent"] == Fraction(5, 2)


def test_half_a_movement_point_too_much_is_too_much() -> None:
    match = Match()
    outcome = match.send("red", move("R2", "0403", "0402", "0401", "0302"))  # 1 + 3/2 + 1 + 1 = 9/2
    assert outcome.rejections[0].details == {"cost": "9/2", "allowance": "7/2"}


def test_a_delayed_arrival_enters_a_turn_later_and_by_default_when_due() -> None:
    match = Match(tempo="blitz")
    match.send("red", move("R1", "0303"), DONE_TURN)
    match.send("blue", DONE_TURN, dice=[1])
    assert match.place == "2 red arrivals"
    match.send("red", order("DELAY", unit="R3"), DONE_TURN)
    assert match.at("R3") == "edge:west"
    match.send("blue", DONE_TURN, dice=[1])
    match.send("red", DONE)  # its step closes: the due arrival enters (G27)
    assert match.at("R3") == "0103"


def test_an_arrival_that_is_not_due_is_refused() -> None:
    match = Match()
    assert match.send("red", order("ENTER", unit="R3")).rejections[0].code == "not-due"


def test_a_pass_without_a_needed_order_ends_the_loop() -> None:
    match = Match(tempo="blitz")
    match.send("red", DONE)
    match.send("red", DONE)
    assert match.place == "1 blue arrivals"


def test_next_begins_another_pass() -> None:
    match = Match(tempo="blitz", weather=6)
    match.send("red", move("R1", "0303"), order("NEXT"), move("R2", "0404"))
    assert match.place == "1 red movement 2"
    assert match.at("R2") == "0404"


def test_the_second_side_passes_again_in_its_own_player_turn() -> None:
    match = Match(tempo="blitz", weather=6)
    match.send("red", DONE_TURN)
    match.send("blue", move("B1", "0803"), order("NEXT"), move("B2", "0803"))
    assert match.place == "1 blue movement 2"
    assert match.at("B2") == "0803"


def test_a_line_for_an_earlier_step_of_the_pass_begins_the_next() -> None:
    match = Match(tempo="blitz", weather=6)
    match.put(B2="0403")
    match.send("red", move("R1", "0303"), order("PHASE", name="declaration"), order("ATTACK", hex="0403", units=["R1"]))
    assert match.place == "1 red declaration 1"
    match.send("red", order("ATTACK", hex="0403", units=["R2"]), move("RG", "0104"), dice=[1])
    assert match.place == "1 red movement 2"


def test_the_loop_ends_when_no_unit_can_move() -> None:
    match = Match(tempo="blitz", weather=6)
    match.send("red", order("STAND", unit="R1"), order("STAND", unit="R2"), order("PARK", unit="RG"))
    assert match.place == "1 blue arrivals"
    assert match.at("RG") == "box:depot"


def test_done_turn_closes_all_own_steps() -> None:
    match = Match(tempo="blitz")
    match.send("red", move("R1", "0303"), DONE_TURN)
    assert match.place == "1 blue arrivals"


def test_done_after_a_step_that_closed_by_itself_does_not_close_the_next() -> None:
    match = Match(tempo="blitz", weather=6)
    match.send("red", order("STAND", unit="R1"), order("STAND", unit="R2"), order("STAND", unit="RG"), DONE)
    assert match.place == "1 blue arrivals"
    match.send("blue", DONE)
    assert match.place == "1 blue movement 1"


def test_done_out_of_turn_says_whom_the_game_waits_for() -> None:
    match = Match()
    outcome = match.send("blue", DONE)
    assert outcome.rejections[0].code == "nothing-open"
    assert outcome.rejections[0].details == {"waiting_for": ["red"]}


def test_an_end_in_mid_step_empties_everything_and_says_what_was_not_done() -> None:
    match = Match()
    match.put(R1="0802")
    outcome = match.send("red", move("R1", "0803"), move("R2", "0404"))
    assert match.state.over is not None
    assert (match.state.over.winner, match.state.over.why) == ("red", "x.1")
    assert not match.state.tails
    assert not match.state.agenda
    assert match.at("R2") == "0304"
    assert [e.data for e in outcome.events if e.kind == "not_done"] == [{"lines": [2]}]
    assert match.send("red", DONE).rejections[0].code == "game-over"


def test_concede_needs_confirm_and_is_taken_at_any_time() -> None:
    match = Match()
    assert match.send("blue", order("CONCEDE")).rejections[0].code == "needs-confirm"
    match.send("blue", order("CONCEDE", confirm=True))
    assert match.state.over is not None
    assert (match.state.over.winner, match.state.over.level) == ("red", "concession")


def test_a_draw_is_nobodys_victory_and_needs_confirm() -> None:
    match = Match()
    assert match.send("blue", order("DRAW")).rejections[0].code == "needs-confirm"
    match.send("blue", order("DRAW", confirm=True))
    assert match.state.over is not None
    assert (match.state.over.winner, match.state.over.level) == (None, "agreement")


def test_split_at_any_time_shares_exactly_and_keeps_marks() -> None:
    match = Match()
    match.send("red", move("RG", "0304"))
    match.send("red", order("SPLIT", unit="RG"))
    assert "RG" not in match.state.counters
    halves = [match.state.counters[p] for p in ("RG-1", "RG-2")]
    assert [h.num["cf"] for h in halves] == [2, 2]
    assert all("moved" in h.marks for h in halves)


def test_joining_conserves_strength_and_parts() -> None:
    match = Match()
    match.send("red", order("SPLIT", unit="RG"), order("JOIN", units=["RG-1", "RG-2"], into="RG"))
    whole = match.state.counters["RG"]
    assert (whole.num["cf"], whole.parts) == (4, ("RG-1", "RG-2"))


def test_last_turn_ends_the_game() -> None:
    match = Match(tempo="blitz")
    for _ in range(3):
        match.send("red", DONE_TURN)
        match.send("blue", DONE_TURN, dice=[1])
    assert match.state.over is not None
    assert match.state.over.winner == "blue"


@pytest.mark.parametrize("held", [True, False])
def test_guards_choose_the_line_or_its_else(held: bool) -> None:
    match = Match()
    guard = (Guard("at", {"unit": "R1", "hex": "0202"}, negated=not held),)
    match.send("red", order("MOVE", unit="R1", path=["0303"], guard=guard, otherwise=order("STAND", unit="R1")))
    assert match.at("R1") == ("0303" if held else "0202")
    assert "moved" in match.state.counters["R1"].marks


def test_g18_a_step_that_is_skipped_keeps_the_number_of_the_pass() -> None:
    match = Match(tempo="blitz", weather=6)  # in dust there is no reaction fire and no duel
    match.put(B2="0505")
    match.send("red", order("STAND", unit="R1"), order("NEXT"), move("R2", "0404"), order("PHASE", name="declaration"))
    assert match.place == "1 red declaration 2"


def test_g16_done_turn_of_the_set_up_ends_with_it() -> None:
    match = Match(placed=False)
    match.send("red", order("PLACE", unit="R2", hex="0304"), DONE_TURN)
    match.send("blue", order("PLACE", unit="B3", hex="0805"), DONE_TURN, dice=[1])
    assert match.place == "1 red arrivals"
    assert match.state.closing == {}


def test_g13_the_end_names_gathered_orders_too() -> None:
    match = Match(placed=False)
    match.send("red", order("PLACE", unit="R2", hex="0304"))
    match.send("blue", order("CONCEDE", confirm=True))
    assert [(e.owner, e.data) for e in match.last.events if e.kind == "not_done"] == [("red", {"lines": [1]})]
    assert not match.state.sets
