"""Reports: what a player reads. Each sentence, table and mark follows from the events and lines that went in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.mail.lines import order_lines
from services.mail.report import MAX_HTML, ReportRequest, make_report
from services.mail.speech import Speech
from services.mail.wording import UnknownLanguage, load_wording
from tests.mail.reports import ACTION, BUILD, MARK, RECEIPT, VIEW, event, flat, shown, text


def test_the_top_says_game_turn_side_who_is_awaited_and_until_when_in_two_zones() -> None:
    said = text(RECEIPT)
    assert said.startswith(f"{MARK}Holdfast: North Africa 1941-42\nG1 · Turn 1, March 1941 · Axis\n")
    assert "Awaited: Axis (Axis player-turn · action)" in said
    assert "Until: Sun 29 Mar 2026 22:00 CEST, 20:00 UTC" in said
    assert "Until: Sun 29 Mar 2026 20:00 UTC\n" in text(replace(RECEIPT, zone=None))
    assert "Until: Sun 29 Mar 2026 20:00 UTC\n" in text(replace(RECEIPT, zone="No/Where"))
    assert "Until: no deadline is set\n" in text(replace(RECEIPT, deadline=None))


def test_a_missing_map_and_a_draft_that_died_are_told_at_the_top_in_a_sentence_each() -> None:
    request = replace(RECEIPT, notes=["no_map", "draft_lapsed"])
    for said in (flat(request), shown(request)):
        head = said.partition("Awaited")[0]
        assert "The map of this position could not be drawn" in head
        assert "A draft (HOLD) of yours was not carried out" in head
    assert "could not be drawn" not in text(RECEIPT)


def test_every_line_is_repeated_with_its_fate() -> None:
    said = text(RECEIPT)
    assert "  1  STEP PAVIA 1   -- done\n  2  ATTACK 0805 WITH 21PZ AS A1   -- done\n  3  END\n" in said
    assert make_report(RECEIPT).subject == "Done: 2 lines; next: Axis player-turn, action"


def test_a_line_that_stopped_the_script_is_explained_with_its_clause() -> None:
    rejections = [
        {"line": 2, "code": "not-yours", "clause": "fog.1", "details": {"unit": "2ARM"}, "fate": "stopped"},
        {"line": 3, "code": "unread", "clause": "", "details": {}, "fate": "unread"},
    ]
    said = text(replace(RECEIPT, rejections=rejections, lines=["STEP PAVIA 1", "MOVE 2ARM TO 0805", "DONE"]))
    assert "Some of your orders were carried out" in said
    assert "  2  MOVE 2ARM TO 0805   -- stopped here\n     2ARM is not your unit. [fog.1]" in said
    assert "  3  DONE   -- not read" in said


@pytest.mark.parametrize("status", ["refused", "checked", "held", "stale"])
def test_a_receipt_that_changed_nothing_says_so(status: str) -> None:
    request = replace(RECEIPT, status=status, events=[])
    assert "nothing has changed" in text(request)
    assert "nothing has changed" in shown(request)
    assert make_report(request).subject != make_report(RECEIPT).subject


def test_the_canonical_lines_are_shown_where_they_differ() -> None:
    said = text(
        replace(RECEIPT, lines=["STEP PAVIA 1", "ATTACK MSUS WITH 21PZ AS A1"], printed=["STEP PAVIA 1", "ATTACK 0805 WITH 21PZ AS A1"])
    )
    assert "  1  STEP PAVIA 1   -- done\n  2  ATTACK MSUS WITH 21PZ AS A1   -- done\n     read as ATTACK 0805 WITH 21PZ AS A1\n" in said
    assert said.count("STEP PAVIA 1") == 1
    assert "read as" not in text(replace(RECEIPT, printed=RECEIPT.lines))


@pytest.mark.parametrize(
    ("lines", "printed"), [(["PASS", "HOLD", "DONE"], ["HOLD", "DONE"]), (["STEP PAVIA", "HOLD"], ["HOLD", "STEP PAVIA 1"])]
)
def test_canonical_lines_that_do_not_stand_beside_the_players_are_shown_apart(lines: list[str], printed: list[str]) -> None:
    said = text(replace(RECEIPT, events=[], lines=lines, printed=printed)).partition("HOW TO ORDER")[0]
    assert "read as" not in said
    assert said.count("HOLD") == 1
    assert ("UNDERSTOOD AS\n    | STEP PAVIA 1\n" in said) == ("STEP PAVIA 1" in printed)


def test_a_diagnostic_points_at_the_columns() -> None:
    fault = {
        "line": 1,
        "column": 6,
        "end": 11,
        "code": "unknown-unit",
        "text": 'There is no unit "PAVIO".',
        "expected": [],
        "nearest": ["PAVIA"],
    }
    said = text(replace(RECEIPT, status="refused", events=[], lines=["STEP PAVIO 1", "STEP PAVIA 1"], diagnostics=[fault]))
    assert "  2  STEP PAVIA 1   -- not done\n" in said
    assert '  1  STEP PAVIO 1   -- refused\n          ^^^^^\n     There is no unit "PAVIO".' in said
    assert make_report(replace(RECEIPT, status="refused", diagnostics=[fault])).subject == "Refused: 1 fault (line 1), nothing changed"


def test_a_fault_that_comes_as_diagnostic_and_as_rejection_is_told_once() -> None:
    fault = {"line": 1, "column": 6, "end": 11, "code": "unknown-unit", "text": 'There is no unit "PAVIO".', "expected": [], "nearest": []}
    rejection = {"line": 1, "code": "unknown-unit", "clause": None, "details": fault, "fate": "refused"}
    report = make_report(replace(RECEIPT, status="refused", lines=["STEP PAVIO 1"], diagnostics=[fault], rejections=[rejection]))
    assert report.text.count("There is no unit") == 1
    assert report.subject == "Refused: 1 fault (line 1), nothing changed"


def test_a_fault_of_the_whole_packet_is_told_apart_from_the_lines() -> None:
    rejection = {"line": 0, "code": "game-over", "clause": "13a", "details": {}, "fate": "refused"}
    assert "This game is over; it takes no more orders. [13a]" in text(replace(RECEIPT, status="refused", rejections=[rejection]))


def test_a_line_that_was_passed_over_is_told_once() -> None:
    passed = event("line_skipped", "", line=1, code="guard-false")
    request = replace(RECEIPT, events=[passed], lines=["IF 2ARM ALIVE STEP PAVIA 1"])
    assert "IF 2ARM ALIVE STEP PAVIA 1   -- passed over" in text(request)
    assert text(request).count("passed over") == 1
    assert "Line 1 was passed over" in text(replace(request, kind="turn"))


def test_a_stop_is_told_with_its_clause_once() -> None:
    stopped = event("script_stopped", "13a", line=2, code="game-over", details={}, unread=[3])
    said = flat(replace(RECEIPT, kind="turn", events=[stopped], lines=[]))
    assert "Your orders stopped at line 2: This game is over; it takes no more orders. Not carried out: 1 line below it (3). [13a]" in said
    assert said.count("[13a]") == 1


def test_the_other_side_reads_no_lines_and_no_cut() -> None:
    request = replace(RECEIPT, kind="turn", side="allied", cut=[{"why": "chatter", "text": "secret"}])
    said = text(replace(request, cut=[]))
    assert "YOUR ORDERS" not in said
    assert "STEP PAVIA 1" not in said
    assert make_report(request).subject == "What happened: Turn 1, March 1941; next: Axis player-turn, action"
    assert make_report(replace(request, side="axis")).subject == "Your orders, please: Turn 1, March 1941, Axis player-turn, action"


def test_what_was_cut_is_shown_with_its_reason() -> None:
    said = text(replace(RECEIPT, cut=[{"why": "signature", "text": "Bruno\nKeller"}]))
    assert "LEFT OUT OF YOUR MAIL\n  signature:\n    | Bruno\n    | Keller" in said


def test_what_was_cut_is_shown_by_reason_and_in_short() -> None:
    quoted = [{"why": "quotation", "text": f"> line {n}"} for n in range(40)] + [{"why": "quotation", "text": ">"}]
    request = replace(RECEIPT, cut=[*quoted[:20], {"why": "chatter", "text": "Dear Bruno"}, *quoted[20:]])
    said = text(request)
    assert said.count("quoted from another mail") == shown(request).count("quoted from another mail") == 1
    assert "    | > line 0\n    | > line 1\n    | > line 2\n    ... and 37 more lines\n  not an order:\n    | Dear Bruno\n" in said
    assert "line 3\n" not in said
    meant = text(replace(RECEIPT, cut=[{"why": "chatter", "text": "\n".join(f"word {n}" for n in range(13))}]))
    assert "word 11\n    ... and 1 more line\n" in meant


def test_a_step_left_open_is_told_unless_done_was_given() -> None:
    assert "Your step (action) is open: no DONE was given for it." in flat(RECEIPT)
    assert "no DONE was given" not in flat(replace(RECEIPT, lines=["DONE"]))
    assert "Nothing is wanted from you now" in text(replace(RECEIPT, view={**VIEW, "waiting_for": ["allied"]}))


def test_a_decision_is_put_with_its_choices_and_what_counts_without_an_answer() -> None:
    decision = {
        "kind": "malta-axis",
        "verb": "COMMIT",
        "side": "axis",
        "choices": [{"n": 0}, {"n": 1}],
        "default": {"n": 0},
        "clause": "rp.11",
    }
    said = flat(replace(RECEIPT, view={**VIEW, "pending": [decision]}))
    assert "Air units to Malta: answer with COMMIT: 0 or 1. Without an answer: 0. [rp.11]" in said
    assert "COMMIT" not in text(replace(RECEIPT, side="allied", view={**VIEW, "pending": [decision]}))


def test_what_an_owner_has_laid_over_the_package_is_said() -> None:
    owned = {**RECEIPT.vocabulary, "game": {**RECEIPT.vocabulary["game"], "overlaid": ["counters.csv", "rp.csv"]}}
    said = "in place of what comes with hexpost: counters.csv and rp.csv."
    assert said in flat(replace(RECEIPT, vocabulary=owned))
    assert said in shown(replace(RECEIPT, vocabulary=owned))
    assert "copy of the game" not in text(RECEIPT)


def test_what_is_reconstructed_is_said() -> None:
    assert "reconstructed, not printed in the rulebook: the map." in text(RECEIPT)
    assert "reconstructed" not in text(replace(RECEIPT, vocabulary={}))


def test_the_template_is_made_of_the_legal_orders() -> None:
    counters = [{"id": "21PZ", "known": "own", "place": "0805", "num": {"sp": 4}, "marks": []}]
    legal = [{"verb": "MOVE", "args": {"units": ["21PZ"], "path": ["0905"], "to": None}}]
    said = text(replace(RECEIPT, view={**VIEW, "counters": counters, "side": "axis"}, legal=legal))
    assert "ORDERS TEMPLATE\n# AXIS, turn 1, step ACTION." in said
    assert "MOVE 21PZ 0905" in said


def test_a_refused_mail_is_explained_with_what_to_do() -> None:
    sources = [{"name": "body", "lines": ["MOVE A 0101"]}, {"name": "orders.txt", "lines": ["MOVE A 0102"]}]
    said = text(replace(RECEIPT, kind="explain", verdict="refuse:ambiguous-sources", events=[], lines=[], sources=sources))
    assert "Neither was taken, and nothing was changed." in " ".join(said.split())
    assert "  body:\n    | MOVE A 0101\n  orders.txt:\n    | MOVE A 0102" in said
    parked = flat(replace(RECEIPT, kind="explain", verdict="refuse:parked", events=[], lines=[]))
    assert "has put them aside. Nothing was changed." in parked
    assert "The fault is not yours: tell the organiser." in parked
    stale = flat(replace(RECEIPT, kind="explain", verdict="refuse:stale-turn", events=[], lines=[]))
    assert "Turn 1 is open now; your stored orders are untouched." in stale
    assert make_report(replace(RECEIPT, kind="explain", verdict="refuse:stale-turn")).subject == (
        "Your mail was not used: it answers an earlier turn"
    )


def test_every_reason_to_refuse_a_mail_has_its_sentence_its_advice_and_its_subject() -> None:
    words = load_wording("en", "holdfast").common
    assert words["refusals"].keys() == words["advice"].keys() == words["refused_because"].keys()


def test_the_registered_address_is_asked_about_a_mail_in_its_name() -> None:
    said = flat(
        replace(RECEIPT, kind="confirm", verdict="hold:sender-unregistered", sender="x@y.example", subject="orders", events=[], lines=[])
    )
    assert "from an address that is not registered for this game: x@y.example" in said
    assert "nothing has changed" in said


def test_the_first_mail_says_who_plays_what_and_how_the_dice_are_bound() -> None:
    said = text(replace(RECEIPT, kind="start", commitment="ab" * 32, events=[], lines=[]))
    assert "Welcome to Holdfast: North Africa 1941-42. You play the Axis in game G1." in said
    assert "ab" * 32 in said


def test_the_end_is_told_and_asks_for_nothing_more() -> None:
    over = {"winner": "allied", "level": "marginal", "why": "13b"}
    request = replace(
        RECEIPT,
        view={**VIEW, "over": over, "waiting_for": []},
        events=[event("ended", "13b", winner="allied", level="marginal", why="13b")],
        secret="cd" * 32,
    )
    said = flat(request)
    assert "The game is over: The Allies win, a marginal victory. [13b]" in said
    assert "Awaited" not in said
    assert f"The secret of the dice was {'cd' * 32}" in said


def test_nothing_that_a_player_wrote_is_markup() -> None:
    evil = "<script>alert(1)</script>{{ 7*7 }}"
    request = replace(
        RECEIPT, lines=[evil], cut=[{"why": evil, "text": evil}], subject=evil, kind="explain", verdict="refuse:no-orders", title=evil
    )
    html = make_report(request).html
    assert "<script>" not in html
    assert "49" not in shown(request)
    assert "{{ 7*7 }}" in html


def test_the_html_form_stays_below_what_mail_programs_clip_and_the_text_is_whole() -> None:
    many = [event("stepped", "repl.6", BUILD, unit=f"U{n}", k=1, sp=3) for n in range(2000)]
    report = make_report(replace(RECEIPT, events=many))
    assert len(report.html.encode()) <= MAX_HTML < 90_000
    assert "its plain-text part has them all" in report.html
    assert all(f"U{n} gains" in report.text for n in range(2000))
    assert "Awaited" in report.html


def test_equal_requests_give_equal_reports_and_an_unknown_language_is_an_error() -> None:
    assert make_report(RECEIPT) == make_report(replace(RECEIPT))
    with pytest.raises(UnknownLanguage):
        make_report(replace(RECEIPT, language="../en"))
    with pytest.raises(UnknownLanguage):
        make_report(replace(RECEIPT, language="tlh"))


SCALARS = st.one_of(st.none(), st.integers(-5, 99), st.text(max_size=6), st.booleans())
DATA = st.dictionaries(
    st.sampled_from(
        [
            "unit",
            "units",
            "side",
            "path",
            "hex",
            "dice",
            "modifiers",
            "attackers",
            "defender",
            "choice",
            "n",
            "k",
            "sp",
            "lines",
            "code",
            "details",
        ]
    ),
    st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.text(max_size=4), SCALARS, max_size=2)),
)
KINDS = sorted({*load_wording("en", "holdfast").common["events"], *load_wording("en", "holdfast").game["events"], "strange"})


@given(st.lists(st.tuples(st.sampled_from(KINDS), DATA), max_size=6))
def test_no_event_however_strange_keeps_a_report_from_being_made(events: list[tuple[str, dict[str, Any]]]) -> None:
    strange = [{"kind": kind, "clause": "1.1", "path": ACTION, "data": data} for kind, data in events]
    assert make_report(replace(RECEIPT, events=strange)).text


def test_a_stranger_is_told_nothing_of_any_game() -> None:
    said = text(ReportRequest(game="none", kind="explain", verdict="refuse:unknown-sender", subject="hello"))
    assert said == (
        f"{MARK}hexpost\n\nThis address is not registered for any game that is open here. Nothing\nwas changed.\n"
        "Write from the address that you gave when you joined, or ask the\norganiser to register this one.\n"
        "The subject of that mail: hello\n"
    )


@pytest.mark.parametrize(
    ("passed", "fate", "fates"),
    [
        (False, None, ["done", "passed over", "done"]),
        (True, None, ["passed over", "done", "done"]),
        (False, "stopped", ["stopped here", "not read", "done"]),
        (True, "stopped", ["stopped here", "stopped here", "done"]),
    ],
)
def test_an_else_line_has_the_fate_that_its_if_line_leaves_it(passed: bool, fate: str | None, fates: list[str]) -> None:
    request = replace(
        RECEIPT,
        lines=["IF 0310 VACANT MOVE 21PZ 0310", "ELSE MOVE 21PZ 0409", "DONE"],
        printed=[],
        events=[event("line_skipped", "", line=1, code="guard-false")] if passed else [],
        rejections=[{"line": 1, "code": "too-far", "clause": "11.1e", "details": {}, "fate": fate}] if fate else [],
    )
    speech = Speech(load_wording("en", "holdfast"), request.vocabulary, request.side)
    assert [line.mark for line in order_lines(request, speech)] == fates


def test_the_last_report_opens_every_counter_and_no_other_report_does() -> None:
    counters = [
        {"id": "21PZ", "alias": "G1", "side": "axis", "card": "21PZ", "place": "1803", "num": {"sp": 4}, "known": "own"},
        {"id": "2ARM", "alias": None, "side": "allied", "card": "2ARM", "place": "box:pool-allied", "num": {"sp": 0}, "known": "open"},
    ]
    over = {"winner": "axis", "level": "marginal", "why": "13"}
    request = replace(RECEIPT, view={**VIEW, "counters": counters, "over": over})
    assert "  Axis counters    21PZ (21st Panzer) 4 SP, Tobruk (1803)\n" in text(request)
    assert "  Allied counters  the Allied replacement pool: 2ARM\n" in text(request)
    assert "the Allied replacement pool: 2ARM" in shown(request)
    assert " counters  " not in text(replace(request, view={**VIEW, "counters": counters}))


def test_lines_that_wait_from_two_mails_are_counted_and_a_switch_has_no_fate() -> None:
    kept = replace(RECEIPT, lines=["APPEND", "MOVE PAVIA TO 0310"], events=[event("tail_stored", "", lines=[1, 2, 2])])
    assert "  1  APPEND\n  2  MOVE PAVIA TO 0310   -- kept for later\n" in text(kept)
    assert "3 lines are kept until the way is clear, those of earlier mails among them." in flat(kept)
    assert "2 lines are kept until the way is clear (lines 1 and 2)." in flat(
        replace(kept, events=[event("tail_stored", "", lines=[1, 2])])
    )
    ended = [event("not_done", "", lines=[1, 2, 2])]
    assert "The game ended before 3 lines of several mails could be read." in flat(replace(kept, events=ended))


def test_a_beginner_and_whoever_was_refused_are_told_where_orders_are_explained() -> None:
    page = "(docs/players/README.md), which your game master has."
    for told in (replace(RECEIPT, kind="start", events=[], lines=[]), replace(RECEIPT, status="refused", events=[])):
        assert page in flat(told)
    assert page not in flat(RECEIPT)


def test_ones_own_comments_are_not_listed_as_left_out() -> None:
    said = text(replace(RECEIPT, cut=[{"why": "comment", "text": "# the panzers lead"}, {"why": "chatter", "text": "Dear Bruno"}]))
    assert "Dear Bruno" in said
    assert "the panzers lead" not in said


def test_times_by_the_readers_clock_and_in_utc_whatever_the_day_and_the_name_of_the_zone() -> None:
    cases = {
        ("2026-03-28T23:30:00+00:00", "Europe/Rome"): "Sun 29 Mar 2026 00:30 CET, Sat 28 Mar 23:30 UTC",
        ("2026-03-29T00:59:00+00:00", "Europe/Rome"): "Sun 29 Mar 2026 01:59 CET, 00:59 UTC",
        ("2026-03-29T01:00:00+00:00", "Europe/Rome"): "Sun 29 Mar 2026 03:00 CEST, 01:00 UTC",
        ("2026-10-25T00:30:00+00:00", "Europe/Rome"): "Sun 25 Oct 2026 02:30 CEST, 00:30 UTC",
        ("2026-10-25T01:30:00+00:00", "Europe/Rome"): "Sun 25 Oct 2026 02:30 CET, 01:30 UTC",
        ("2026-12-03T19:00:00+00:00", "America/Sao_Paulo"): "Thu 3 Dec 2026 16:00 UTC-03, 19:00 UTC",
        ("2026-12-31T23:30:00+00:00", "Asia/Tokyo"): "Fri 1 Jan 2027 08:30 JST, Thu 31 Dec 23:30 UTC",
        ("2026-07-01T12:00:00+00:00", "Europe/London"): "Wed 1 Jul 2026 13:00 BST, 12:00 UTC",
        ("2026-01-01T12:00:00+00:00", "Europe/London"): "Thu 1 Jan 2026 12:00 GMT, 12:00 UTC",
    }
    for (moment, zone), said in cases.items():
        assert f"Until: {said}\n" in text(replace(RECEIPT, deadline=moment, zone=zone)).replace("\n    ", " ").replace("\n  ", " ")


def test_a_reminder_says_how_long_is_left_and_what_comes_then() -> None:
    asked = replace(RECEIPT, kind="reminder", lines=[], events=[], hours=4, terms={"absence": "nothing", "grace": 0})
    said = " ".join(text(asked).split())
    assert "4 hours are left" in said
    assert "without one your player-turn ends. NOTIFY REMINDERS OFF" in said
