"""Lines that are kept for later: told as kept, not as done; and what became of them once they could be read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.mail.report import make_report
from services.mail.speech import Speech
from services.mail.stored import stored_lines
from services.mail.wording import load_wording
from tests.mail.reports import RECEIPT, VIEW, event, flat, shown, text

THEIRS = {**VIEW, "path": [["turn", 1], ["player-turn", "allied"], ["step", "build"]], "waiting_for": ["allied"], "step": {"mine": False}}
LINES = ["COMMIT 0", "MOVE PAVIA TO 0505", "DONE TURN", "END"]
KEPT = replace(RECEIPT, view=THEIRS, lines=LINES, events=[event("tail_stored", "", lines=[1, 2, 3])])


def order(line: int, verb: str, **args: Any) -> dict[str, Any]:
    return {"line": line, "verb": verb, "args": args, "guard": [], "else": None, "label": None, "confirm": False}


WAITING = [
    order(1, "COMMIT", n=0),
    order(2, "MOVE", units=["PAVIA"], path=[], to="0505", via=[], road=False, strategic=False, leader=False),
    order(3, "DONE", turn=True, auto=False),
]
TURN = replace(RECEIPT, kind="turn", lines=[], events=[], kept=WAITING)
STOPPED = event("script_stopped", "11.1j", line=2, code="friend-there", details={"unit": "PAVIA", "hex": "0505"}, unread=[3])


def test_orders_that_are_all_kept_are_not_called_done() -> None:
    assert make_report(KEPT).subject == "Kept for later: 3 lines, nothing changed; next: Allied player-turn, build-up"
    for said in (flat(KEPT), shown(KEPT)):
        assert "Your orders are kept for later: nothing has changed yet. First the Allies must act (Allied player-turn · build-up)" in said
        assert "carried out" not in said
    assert "  2  MOVE PAVIA TO 0505   -- kept for later\n" in text(KEPT)


def test_what_was_done_and_what_is_kept_are_counted_apart() -> None:
    some = replace(KEPT, events=[event("tail_stored", "", lines=[2, 3])])
    assert make_report(some).subject == "Done: 1 line, kept for later: 2; next: Allied player-turn, build-up"
    assert "1 line of your orders was carried out; the other 2 are kept for later. First the Allies must act" in flat(some)
    asked = replace(some, view={**THEIRS, "waiting_for": ["axis"]})
    assert "the other 2 are kept for later. First comes what is asked of you now; then what is kept is read" in flat(asked)


def test_a_check_that_ends_at_a_die_says_not_tried() -> None:
    tried = replace(KEPT, status="checked", events=[event("checked_to", "", lines=[2, 3])])
    assert "  2  MOVE PAVIA TO 0505   -- not tried\n" in text(tried)
    assert make_report(tried).subject.startswith("Checked")


def test_kept_lines_that_stop_are_told_in_subject_and_first_sentence_and_shown() -> None:
    request = replace(TURN, events=[STOPPED])
    assert (
        make_report(request).subject
        == "Your kept orders stopped at line 2; your orders, please: Turn 1, March 1941, Axis player-turn, action"
    )
    reason = "One unit to a hex: a unit of yours is in hex 0505, so PAVIA may pass through but not stop there. [11.1j]"
    for said in (flat(request), shown(request)):
        head = said.partition("Awaited")[0]
        assert f"stopped at line 2 (MOVE PAVIA TO 0505): {reason} Not carried out: line 3 below it." in head
    said = text(request)
    assert "YOUR ORDERS THAT WERE KEPT\n  1  COMMIT 0   -- done\n  2  MOVE PAVIA TO 0505   -- stopped here\n" in said
    assert "  3  DONE TURN   -- not read\n" in said
    assert "WHAT HAPPENED" not in said  # the stop is told once


def test_kept_lines_that_were_carried_out_or_still_wait_are_told_so() -> None:
    assert "Your orders that were kept were carried out." in flat(TURN)
    part = replace(TURN, view={**VIEW, "tail": WAITING[2:]})
    assert "Some of your orders that were kept were carried out; 1 line still waits." in flat(part)
    assert "  2  MOVE PAVIA TO 0505   -- done\n  3  DONE TURN   -- kept for later\n" in text(part)
    still = replace(TURN, view={**VIEW, "tail": WAITING})
    assert "Your orders that were kept (3 lines) still wait." in flat(still)
    assert "THAT WERE KEPT" not in text(replace(TURN, kept=[]))


def test_lines_of_two_mails_with_one_number_have_their_fates_in_order() -> None:
    passed = event("line_skipped", "", line=1, code="guard-false")
    skipped = event("line_skipped", "11.1j", line=1, code="friend-there", details={"unit": "PAVIA", "hex": "0505"})
    twice = replace(TURN, kept=[WAITING[0], {**WAITING[1], "line": 1}], events=[passed, skipped])
    assert [(line.text, line.mark, line.tone) for line in stored_lines(twice, Speech(load_wording("en", "holdfast"), {}, "axis"))] == [
        ("COMMIT 0", "passed over", "wait"),
        ("MOVE PAVIA TO 0505", "skipped", "bad"),
    ]
    assert "were read; line 1 could not be done, as marked below." in flat(twice)


def test_of_a_line_and_its_else_the_one_that_was_read_is_done() -> None:
    guarded = {
        **WAITING[1],
        "guard": [{"test": "alive", "unit": "21PZ"}],
        "else": {**WAITING[2], "line": 2},
    }
    first, other = "IF 21PZ ALIVE MOVE PAVIA TO 0505", "ELSE DONE TURN"
    passed = event("line_skipped", "", line=2, code="guard-false")
    found = text(replace(TURN, kept=[guarded], events=[passed]))
    assert f"  2  {first}   -- passed over\n  2  {other}   -- done\n" in found
    assert f"  2  {first}   -- done\n  2  {other}   -- passed over\n" in text(replace(TURN, kept=[guarded]))
    still = replace(TURN, kept=[guarded], view={**VIEW, "tail": [guarded]})
    assert f"  2  {first}   -- kept for later\n  2  {other}   -- kept for later\n" in text(still)
    assert "(1 line) still wait" in flat(still)
