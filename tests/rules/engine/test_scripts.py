"""Packets as scripts: the atomic part, faults after it, CHECK, HOLD, ANYWAY, staleness, seq and views, on the test-only game."""

from __future__ import annotations

import json
from dataclasses import replace

from services.rules.engine.changes import apply
from services.rules.engine.model import Guard, Order
from services.rules.engine.view import view, view_events
from tests.rules.engine.match import DONE, DONE_TURN, Match, on, order


def move(unit: str, *path: str) -> Order:
    return order("MOVE", unit=unit, path=list(path))


def fighting() -> Match:
    match = Match("blitz", weather=6)
    match.put(B2="0404", R1="0202", R2="0304", RG="0105")
    return match


def test_up_to_the_first_die_all_or_nothing_and_all_faults_are_listed() -> None:
    match = Match()
    before = match.state
    outcome = match.send("red", move("R1", "0303"), move("R1", "0304"), move("R2", "0808"))
    assert outcome.status == "refused"
    assert match.codes() == ["moved-already", "not-adjacent"]
    assert [r.line for r in outcome.rejections] == [2, 3]
    assert match.state is before


def test_static_faults_refuse_the_packet() -> None:
    match = Match()
    match.send("red", order("JUMP"), move("B1", "0702"), move("XX", "0101"), order("MOVE", unit="R1"))
    assert match.codes() == ["unknown-verb", "not-yours", "unknown-unit", "malformed"]


def test_anyway_drops_illegal_lines_one_by_one() -> None:
    match = Match()
    outcome = match.send("red", move("R1", "0303"), move("R1", "0304"), move("R2", "0404"), anyway=True)
    assert outcome.status == "done"
    assert [(r.line, r.fate) for r in outcome.rejections] == [(2, "dropped")]
    assert match.at("R2") == "0404"


def test_after_a_die_a_fault_stops_the_script_and_the_rest_is_unread() -> None:
    match = fighting()
    outcome = match.send(
        "red",
        order("STAND", unit="R2"),
        order("ATTACK", hex="0404", units=["R2"]),
        order("MOVE", unit="R1", path=["0707"]),
        move("RG", "0104"),
        dice=[1],
    )
    assert outcome.status == "done"
    assert [(r.line, r.fate) for r in outcome.rejections] == [(3, "stopped"), (4, "unread")]
    assert match.at("RG") == "0105"


def test_on_fault_skip_goes_on() -> None:
    match = fighting()
    lines = (order("STAND", unit="R2"), order("ATTACK", hex="0404", units=["R2"]), move("R1", "0707"), move("RG", "0104"))
    outcome = match.send("red", *lines, dice=[1], fault="skip")
    assert [(r.line, r.fate) for r in outcome.rejections] == [(3, "skipped")]
    assert match.at("RG") == "0104"


def test_check_changes_nothing_and_stops_before_the_first_die() -> None:
    match = fighting()
    before = match.state
    lines = (order("STAND", unit="R2"), order("ATTACK", hex="0404", units=["R2"]), DONE, move("RG", "0104"))
    outcome = match.send("red", *lines, check=True)
    assert outcome.status == "checked"
    assert match.state is before
    assert "stood" in match.kinds()
    assert "rolled" not in match.kinds()


def test_hold_keeps_nothing_in_the_state() -> None:
    match = Match()
    before = match.state
    assert match.send("red", move("R1", "0303"), hold=True).status == "held"
    assert match.state is before


def test_a_packet_for_a_player_turn_gone_by_is_stale() -> None:
    match = Match("blitz")
    seen = match.state.seq["red"]
    match.send("red", DONE_TURN, seq=seen)
    outcome = match.send("red", move("R1", "0303"), seq=seen)
    assert (outcome.status, outcome.rejections[0].code) == ("stale", "stale")


def test_two_packets_to_the_same_step_are_both_good() -> None:
    match = Match()
    seen = match.state.seq["red"]
    match.send("red", move("R1", "0303"), seq=seen)
    assert match.send("red", move("R2", "0404"), seq=seen).status == "done"


def test_seq_grows_only_when_what_a_side_sees_changes() -> None:
    match = Match()
    before = dict(match.state.seq)
    match.send("blue", standing=[on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")])
    assert match.state.seq == {"red": before["red"], "blue": before["blue"] + 1}


def test_a_new_packet_replaces_the_waiting_tail_unless_it_appends() -> None:
    match = Match()
    match.send("blue", move("B1", "0702"))
    match.send("blue", move("B2", "0705"), append=True)
    assert len(match.state.tails["blue"].orders) == 2
    match.send("blue", move("B3", "0704"))
    assert [o.args["unit"] for o in match.state.tails["blue"].orders] == ["B3"]


def test_the_events_rebuild_the_board() -> None:
    match = fighting()
    before = match.state
    outcome = match.send(
        "red", order("SPLIT", unit="RG"), order("STAND", unit="R2"), order("ATTACK", hex="0404", units=["R2"]), DONE_TURN, dice=[1]
    )
    counters, own = dict(before.counters), before.own
    for event in outcome.events:
        own = apply(event.changes, counters, own)
    assert counters == outcome.state.counters
    assert own == outcome.state.own


def test_what_a_side_may_not_know_does_not_show() -> None:
    match = fighting()
    match.send("blue", standing=[on(order("FIRE", unit="B2", at="R2"), window="REACTION-FIRE")])
    match.send("blue", move("B1", "0702"))
    other = replace(
        match.state,
        hidden="cd" * 32,
        standing={},
        tails={},
        drawn={"x": 1},
        seq={**match.state.seq, "blue": 99},
        counters={**match.state.counters, "B1": replace(match.state.counters["B1"], num={"cf": 1})},
    )
    seen, unseen = (json.dumps(view(match.module, s, "red"), sort_keys=True) for s in (match.state, other))
    assert seen == unseen
    assert json.dumps(view(match.module, match.state, "blue"), sort_keys=True) != json.dumps(
        view(match.module, other, "blue"), sort_keys=True
    )


def test_events_are_filtered_and_numbered_anew_for_a_viewer() -> None:
    match = Match("blitz")
    match.send("red", DONE_TURN)
    match.send("blue", DONE_TURN, dice=[1])
    outcome = match.send("red", order("DELAY", unit="R3"), DONE)
    red, blue = view_events(outcome.events, "red"), view_events(outcome.events, "blue")
    assert "delayed" in [e["kind"] for e in red]
    assert "delayed" not in [e["kind"] for e in blue]
    assert [e["n"] for e in blue] == list(range(1, len(blue) + 1))


def test_the_same_arguments_give_the_same_outcome() -> None:
    lines = (order("STAND", unit="R2"), order("ATTACK", hex="0404", units=["R2"]), DONE)
    assert fighting().send("red", *lines, dice=[3]) == fighting().send("red", *lines, dice=[3])


def test_no_two_draws_share_a_key() -> None:
    match = fighting()
    match.put(R1="0303", B1="0403")
    lines = (order("STAND", unit="R2"), order("ATTACK", hex="0404", units=["R2"]), order("ATTACK", hex="0403", units=["R1"]), DONE_TURN)
    match.send("red", *lines, dice=[6, 6])
    keys = [json.dumps(e.data["key"]) for e in match.last.events if e.kind == "rolled"]
    assert len(keys) == len(set(keys)) == 2


def test_an_order_that_is_no_standing_order_is_refused_as_such() -> None:
    match = Match()
    match.send("red", standing=[move("R1", "0303")])
    assert match.codes() == ["malformed"]


def test_an_unknown_guard_and_an_order_no_window_takes_are_static_faults() -> None:
    match = Match()
    match.send("red", order("STAND", unit="R1", guard=(Guard("sunny"),)), on(order("NEXT"), window="REACTION-FIRE"))
    assert match.codes() == ["no-such-guard", "malformed"]


def test_counters_in_another_order_give_the_same_events() -> None:
    match, other = fighting(), fighting()
    other.state = replace(other.state, counters=dict(reversed(list(other.state.counters.items()))))
    lines = (order("STAND", unit="R2"), order("STAND", unit="R1"), order("ATTACK", hex="0404", units=["R2"]), DONE_TURN)
    assert match.send("red", *lines, dice=[1]).events == other.send("red", *lines, dice=[1]).events
    assert "marks_off" in match.kinds()


def test_the_events_of_a_check_are_numbered() -> None:
    match = Match()
    match.send("red", move("R1", "0303"), check=True)
    assert [e.n for e in match.last.events] == list(range(1, len(match.last.events) + 1))


def test_check_does_not_tell_of_lines_of_the_other_side_that_do_nothing_that_one_could_see() -> None:
    seen = []
    for lines in ((), (on(order("FIRE", unit="B1", at="R1"), window="REACTION-FIRE"), DONE, move("B1", "0402"))):
        match = Match()
        if lines:
            match.send("blue", *lines)
        seen.append(view_events(match.send("red", DONE_TURN, check=True).events, "red"))
    assert seen[0] == seen[1]  # G7
