"""Reaction windows, sealed answers, nested checks, standing orders, tempo and stored tails, on the test-only game."""

from __future__ import annotations

import pytest

from services.rules.engine.model import Guard, Order
from tests.rules.engine.match import DONE, DONE_TURN, Match, on, order


def move(unit: str, *path: str) -> Order:
    return order("MOVE", unit=unit, path=list(path))


def facing(tempo: str = "normal") -> Match:
    """Red's R1 (5) and R2 (3) face blue's B2 (2) at 0404; the weather is clear, so that every window opens."""
    match = Match(tempo)
    match.put(B2="0404", R1="0202", R2="0304", RG="0105")
    return match


def test_the_other_side_is_asked_in_its_window_and_the_tail_waits() -> None:
    match = facing()
    match.send("red", order("STAND", unit="R2"), DONE, order("STAKE", n=2), order("ATTACK", hex="0404", units=["R2"]))
    assert match.place == "1 red reaction fire 1"
    assert match.kinds()[-1] == "tail_stored"
    assert [o.verb for o in match.state.tails["red"].orders] == ["STAKE", "ATTACK"]


def test_a_window_answered_by_mail_runs_the_waiting_tail() -> None:
    match = facing()
    match.send("red", order("STAND", unit="R2"), DONE, order("STAKE", n=2), order("ATTACK", hex="0404", units=["R2"]), DONE)
    match.send("blue", order("FIRE", unit="B2", at="R2"), DONE, order("STAKE", n=1), dice=[6, 1])
    assert "duel" in match.kinds()  # red's waiting stake and blue's are opened together
    assert [e.data["winner"] for e in match.last.events if e.kind == "duel"] == ["red"]
    assert match.at("B2") != "0404"  # and red's waiting attack went in, with a die of 1: the defender retreats


def test_blitz_never_asks_and_standing_orders_count() -> None:
    match = facing("blitz")
    reaction = on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")
    match.send("blue", standing=[reaction])
    match.send("red", order("STAND", unit="R2"), DONE_TURN, dice=[6])
    assert "fired" in match.kinds()
    assert match.place == "1 red declaration 1"  # DONE TURN lapses at the open duty (G16)
    assert "duty_open" in match.kinds()


def test_standing_orders_run_no_agenda() -> None:
    match = facing()
    outcome = match.send("blue", standing=[on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")])
    assert not outcome.ran
    assert [s.n for s in match.state.standing["blue"]] == [1]
    match.send("blue", order("CANCEL", n=1))
    assert match.state.standing["blue"] == ()
    assert match.send("blue", order("CANCEL", n=1)).rejections[0].code == "no-such-standing-order"


def test_an_illegal_standing_order_falls_through_to_its_else_then_to_the_default() -> None:
    match = facing("blitz")
    far, near = order("FIRE", unit="B1", at="R2"), order("FIRE", unit="B2", at="R2")
    match.send("blue", standing=[on(far, window="REACTION-FIRE", otherwise=near)])
    match.send("red", order("STAND", unit="R2"), DONE, dice=[6])
    assert [e.data["unit"] for e in match.last.events if e.kind == "fired"] == ["B2"]


def test_on_ask_keeps_a_window_open_even_in_blitz() -> None:
    match = facing("blitz")
    match.send("blue", standing=[on(None, window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE)
    assert match.place == "1 red reaction fire 1"


def test_normal_tempo_asks_a_side_once_in_the_others_player_turn() -> None:
    match = facing()
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)  # asked at reaction fire, answers nothing: the duel takes its default
    assert match.state.pending == () or match.state.pending[0].side == "red"
    match.send("red", order("STAKE", n=1))
    assert match.place == "1 red declaration 1"
    assert [e.data["n"] for e in match.last.events if e.kind == "staked" and e.data["side"] == "blue"] == [0]


def test_full_tempo_asks_in_every_window() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    assert sorted(d.side for d in match.state.pending) == ["blue", "red"]


def test_a_sealed_answer_is_stored_unseen_and_the_last_one_counts() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    outcome = match.send("red", order("STAKE", n=2))
    assert not outcome.ran
    assert not [e for e in outcome.events if e.kind in ("staked", "decided")]
    match.send("red", order("STAKE", n=1))
    match.send("blue", order("STAKE", n=1))
    assert [e.data["n"] for e in match.last.events if e.kind == "staked"] == [1, 1]
    assert [e.data["winner"] for e in match.last.events if e.kind == "duel"] == [None]


def test_a_sealed_answer_must_be_a_legal_choice() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    outcome = match.send("red", order("STAKE", n=7))
    assert (outcome.status, outcome.rejections[0].code) == ("refused", "not-a-choice")


def test_checks_run_depth_first_before_anything_older() -> None:
    match = facing("blitz")
    match.put(R2="0304", R1="0204", RG="0203")
    match.send("blue", standing=[on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")])
    # R2 fails (1) and retreats into 0203 (default), where RG checks and fails (2), and so on; all of it before the duel.
    match.send("red", order("STAND", unit="R2"), DONE, dice=[1, 2, 6])
    checks = [e.data["key"][6] for e in match.last.events if e.kind == "rolled" and e.data["why"] == "check"]
    assert checks[0] == "R2"
    assert checks[1:] != []
    kinds = match.kinds()
    assert kinds.index("retreated") < kinds.index("duel")


def test_one_way_to_retreat_is_forced_and_none_eliminates() -> None:
    match = facing("blitz")
    match.put(R2="0102", B2="0202")
    match.send("blue", standing=[on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE, dice=[1])
    assert match.at("R2") == "box:lost"


def test_on_lines_answer_by_label_result_and_guard() -> None:
    match = facing("blitz")
    advance = on(order("ADVANCE", unit="R2", hex="0404"), label="A1", results=["DR"], guard=(Guard("vacated"),))
    match.send(
        "red",
        order("STAND", unit="R2"),
        advance,
        DONE,
        order("ATTACK", hex="0404", units=["R2"], label="A1"),
        DONE,
        dice=[1],
    )
    assert match.at("R2") == "0404"
    assert [e.data["source"] for e in match.last.events if e.kind == "decided" and e.data["kind"] == "advance"] == ["on"]


def test_a_duty_names_its_units_and_done_auto_meets_it() -> None:
    match = facing("blitz")
    match.send("red", order("STAND", unit="R2"), order("PHASE", name="declaration"))
    outcome = match.send("red", DONE)
    assert outcome.rejections[0].details["units"] == ["R2"]
    match.send("red", order("DONE", auto=True), dice=[6])
    assert "declared" in match.kinds()


def test_done_turn_auto_leaves_the_decisions_of_ones_own_steps_to_their_defaults() -> None:
    match = facing()
    match.send("blue", DONE_TURN)
    match.send("red", order("STAND", unit="R2"), order("DONE", turn=True, auto=True), dice=[6])
    own = [e.data for e in match.last.events if e.kind == "decided" and e.data["side"] == "red"]
    assert [(d["kind"], d["source"]) for d in own] == [("stake", "default"), ("retreat", "default")]
    assert match.place == "1 blue arrivals"


def test_a_group_of_a_set_is_dropped_whole() -> None:
    match = facing("blitz")
    match.put(R1="0303")
    match.send("red", order("STAND", unit="R2"), order("PHASE", name="declaration"), order("ATTACK", hex="0404", units=["R2"]))
    match.put(B2="0705")
    match.send("red", DONE)
    skipped = [e for e in match.last.events if e.kind == "line_skipped"]
    assert [e.data["code"] for e in skipped] == ["no-enemy"]


@pytest.mark.parametrize("window", ["REACTION-FIRE"])
def test_done_turn_of_the_other_side_leaves_windows_to_default(window: str) -> None:
    match = facing()
    match.send("blue", DONE_TURN)
    match.send("red", order("STAND", unit="R2"), DONE, order("STAKE", n=0))
    assert match.place == "1 red declaration 1"


def test_g3_orders_for_ones_own_turn_leave_a_window_to_standing_orders() -> None:
    match = facing()
    match.send("blue", move("B1", "0702"), standing=[on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE, dice=[6])
    assert "fired" in match.kinds()
    assert [o.verb for o in match.state.tails["blue"].orders] == ["MOVE"]


def test_g3_a_window_is_not_asked_of_a_side_that_has_gone_on() -> None:
    match = facing()
    match.send("blue", move("B1", "0702"))
    match.send("red", order("STAND", unit="R2"), DONE)
    assert [d.side for d in match.state.pending] == ["red", "blue"]  # the duel is a decision, and that is put to blue


def test_g3_lines_past_an_open_window_close_it() -> None:
    match = facing()
    match.send("red", order("STAND", unit="R2"), DONE)
    assert match.place == "1 red reaction fire 1"
    match.send("blue", order("FIRE", unit="B2", at="R2"), move("B1", "0702"), dice=[6])
    assert match.place == "1 red duel 1"
    assert [o.verb for o in match.state.tails["blue"].orders] == ["MOVE"]


def test_g5_a_standing_order_speaks_to_its_window_only() -> None:
    match = facing("blitz")
    match.send("blue", standing=[on(move("B1", "0702"), window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE)
    skipped = [e for e in match.last.events if e.kind == "line_skipped"]
    assert [e.data["code"] for e in skipped] == ["not-in-this-step"]
    assert match.at("B1") == "0703"
    assert "blue" not in match.state.tails


def test_g5_pass_in_an_on_line_leaves_a_decision_to_its_default() -> None:
    match = facing("full")
    match.send("blue", standing=[on(order("PASS"), window="STAKE"), on(order("PASS"), window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE, order("STAKE", n=1))
    decided = [e.data for e in match.last.events if e.kind == "decided"]
    assert [(d["side"], d["choice"], d["source"]) for d in decided] == [("red", {"n": 1}, "line"), ("blue", {"n": 0}, "standing")]


def test_g7_check_does_not_betray_a_waiting_script_of_the_other_side() -> None:
    match = facing()
    match.send("blue", order("PHASE", name="reaction fire"), order("FIRE", unit="B2", at="R2"))
    assert match.send("red", order("STAND", unit="R2"), DONE, check=True).status == "checked"
    assert "fired" not in match.kinds()


def test_g7_check_does_not_betray_a_sealed_answer() -> None:
    kinds = []
    for answered in (False, True):
        match = facing("full")
        match.send("red", order("STAND", unit="R2"), DONE)
        match.send("blue", DONE)
        if answered:
            match.send("red", order("STAKE", n=2))
        match.send("blue", order("STAKE", n=1), on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE"), check=True)
        kinds.append([(e.kind, e.data) for e in match.last.events])
    assert kinds[0] == kinds[1]


def test_g10_a_sealed_answer_shows_to_nobody_else() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    before = dict(match.state.seq)
    match.send("blue", order("STAKE", n=1))
    assert match.state.seq == {"red": before["red"], "blue": before["blue"] + 1}


def test_g4_an_illegal_or_guarded_line_leaves_its_decision_to_the_default() -> None:
    for line in (order("STAKE", n=7), order("STAKE", n=2, guard=(Guard("alive", {"unit": "R1"}, negated=True),))):
        match = facing("blitz")
        match.send("red", order("STAND", unit="R2"), DONE, line)
        assert [e.data["n"] for e in match.last.events if e.kind == "staked"] == [0, 0]


def test_g14_orders_for_any_time_are_read_while_a_decision_is_open_and_stop_no_tail() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    match.send("red", order("STAKE", n=2), order("ATTACK", hex="0404", units=["R2"]))
    stale = match.state.opened["red"] - 1
    assert match.send("red", order("SPLIT", unit="RG"), seq=stale).status == "done"
    assert "RG-1" in match.state.counters
    assert [o.verb for o in match.state.tails["red"].orders] == ["ATTACK"]
    match.send("blue", order("CONCEDE", confirm=True))
    assert match.state.over is not None


def test_g19_done_after_a_sealed_answer_keeps_the_answer() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    match.send("blue", order("STAKE", n=1), DONE)
    match.send("red", order("STAKE", n=2), DONE)
    assert [e.data["n"] for e in match.last.events if e.kind == "staked"] == [2, 1]
    assert match.place == "1 red declaration 1"


def test_g19_done_alone_gives_the_default_as_sealed_answer() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    assert match.send("red", DONE).status == "done"
    match.send("blue", order("STAKE", n=1))
    assert [e.data["n"] for e in match.last.events if e.kind == "staked"] == [0, 1]
    assert match.place == "1 red declaration 1"


def test_g28_done_turn_of_the_other_side_leaves_its_windows_to_standing_orders() -> None:
    match = facing()
    match.send("blue", DONE_TURN, standing=[on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE, order("STAKE", n=0), dice=[6])
    assert "fired" in match.kinds()
    assert match.place == "1 red declaration 1"


def test_g28_done_turn_as_an_answer_closes_the_later_windows_too() -> None:
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", DONE)
    match.send("blue", DONE_TURN)
    match.send("red", order("STAKE", n=1))
    assert match.state.closing == {"blue": "other"}


def test_g28_what_an_appending_mail_answers_now_goes_before_what_waits() -> None:
    match = facing()
    match.send("blue", move("B1", "0702"), standing=[on(None, window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE)
    match.send("blue", order("FIRE", unit="B2", at="R2"), DONE, append=True, dice=[6])
    assert "fired" in match.kinds()
    assert [o.verb for o in match.state.tails["blue"].orders] == ["MOVE"]


def test_g17_a_group_dropped_at_closing_leaves_its_duty_open() -> None:
    match = facing("blitz")
    match.put(RG="0305")
    match.send("red", order("STAND", unit="R2"), order("PHASE", name="declaration"))
    attack = order("ATTACK", hex="0404", units=["R2", "RG"], label="A1")
    assert match.send("red", attack).status == "done"
    match.send("red", order("SPLIT", unit="RG"))
    outcome = match.send("red", DONE)
    assert (outcome.status, outcome.rejections[0].code) == ("refused", "must-attack")
    assert outcome.rejections[0].details["units"] == ["R2", "RG-1", "RG-2"]


def test_g25_standing_orders_that_all_fall_through_leave_the_default_and_nobody_is_asked() -> None:
    match = facing("full")
    match.send("blue", standing=[on(order("STAKE", n=7), window="STAKE"), on(order("PASS"), window="REACTION-FIRE")])
    match.send("red", order("STAND", unit="R2"), DONE, order("STAKE", n=1))
    decided = [e.data for e in match.last.events if e.kind == "decided" and e.data["side"] == "blue"]
    assert [(d["choice"], d["source"]) for d in decided] == [({"n": 0}, "default")]


def test_g16_lines_below_a_done_turn_that_lapsed_are_read() -> None:
    match = facing("blitz")
    match.send("red", order("STAND", unit="R2"), DONE_TURN, order("ATTACK", hex="0404", units=["R2"]))
    assert "duty_open" in match.kinds()
    assert [o.verb for o in match.state.sets["red/declaration"]] == ["ATTACK"]


def test_done_for_a_step_that_is_yet_to_open_waits_for_it() -> None:
    # Red closes its movement and has to wait for blue's window; the second DONE is for what comes after that.
    match = facing("full")
    match.send("red", order("STAND", unit="R2"), DONE, DONE)
    assert (match.codes(), match.place) == ([], "1 red reaction fire 1")
    assert [line.line for line in match.state.tails["red"].orders] == [3]
    match.send("blue", DONE)
    assert (match.place, match.codes()) == ("1 red duel 1", [])  # what is asked there has to be answered first
