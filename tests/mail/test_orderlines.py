"""Order lines among the player's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.mail.orderlines import MAX_ORDER_LINES, is_order, looks_misspelt, normalise, read_lines


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("move\u00a010B\u2013I  to\u202f0907", "MOVE 10B-I TO 0907"),
        ("\ufeffMOVE 10B\u2011I TO 0907", "MOVE 10B-I TO 0907"),
        ("MO\u200bVE 10B-I TO 0907 # the long way", "MOVE 10B-I TO 0907"),
        ("ＭＯＶＥ 10B-I TO ０９０７", "MOVE 10B-I TO 0907"),
        ("• MOVE 10B-I TO 0907;later", "MOVE 10B-I TO 0907"),
        ("MOVE 10B\x96I TO\x0b0907", "MOVE 10B-I TO 0907"),
        ("- MOVE 10B-I TO 0907", "MOVE 10B-I TO 0907"),
        ("2) MOVE 10B-I TO 0907", "MOVE 10B-I TO 0907"),
        ("on A1 in (DR2,DR3) advance 5-I to 1214", "ON A1 IN (DR2,DR3) ADVANCE 5-I TO 1214"),
        ("# only a comment", ""),
    ],
)
def test_a_line_is_levelled(typed: str, plain: str) -> None:
    assert normalise(typed) == plain


@pytest.mark.parametrize(
    "line",
    [
        "MOVE 21PZ TO 1204 BY ROAD",
        "ATTACK 1307 WITH PAVIA,TRENTA AIR X1 LOSE TRENTA,PAVIA",
        "COMMIT 2",
        "STEP ARIETE",
        "DONE",
        "DONE TURN AUTO",
        "ON FAULT SKIP",
        "ON LOSSES SPARE 21PZ",
        "ON A1 IF VACATED ADVANCE 7H TO 1823",
        "ON MALTA ASK",
        "STANDING ON LOSSES SPARE 21PZ LOSE PAVIA,TRENTA",
        "IF 1307 VACANT MOVE 21PZ TO 1307",
        "ELSE ATTACK 1307 WITH 21PZ",
        "CANCEL ALL",
        "CANCEL ATTACK 1307",
        "PHASE ACTION",
        "CONCEDE CONFIRM",
        "DONE CONFIRM",
        "DONE TURN AUTO CONFIRM",
        "CHECK",
        "END",
    ],
)
def test_an_order_is_known(line: str) -> None:
    assert is_order(line)


@pytest.mark.parametrize(
    "line",
    [
        "GOOD EVENING",
        "HOLD ON A MOMENT",
        "END YOUR REVIEW NOW",
        "CHECK THIS PLEASE",
        "ON THU, 26 MAR 2026 AT 18:02 ANN WROTE:",
        "ON MONDAY I WILL ATTACK",
        "IF YOU CAN READ THIS, HELLO",
        "DONE AND DUSTED",
        "PASS ME THE SALT",
        "NEXT TIME I SHALL WIN",
        "REVIEW NOW AND MOVE IT TO THE BIN.",
        "STANDING BY",
    ],
)
def test_chatter_is_no_order(line: str) -> None:
    assert not is_order(line)
    assert not looks_misspelt(line)


@pytest.mark.parametrize("line", ["MVOE 10B-I TO 0907", "ATACK 1307 WITH 21PZ", "MOVEE 21PZ 1204", "SUPORT 78FA FOR 1215"])
def test_a_misspelt_order_is_handed_on_so_that_it_is_not_lost_in_silence(line: str) -> None:
    assert looks_misspelt(line)
    assert read_lines([line]).lines == (line,)


def test_a_line_that_ends_open_goes_on_in_the_next() -> None:
    assert read_lines(["ATTACK 1307 WITH PAVIA,", "TRENTA", "MOVE 21PZ TO", "1204", "END"]).lines == (
        "ATTACK 1307 WITH PAVIA, TRENTA",
        "MOVE 21PZ TO 1204",
        "END",
    )


def test_what_follows_end_is_not_read() -> None:
    reading = read_lines(["MOVE 21PZ TO 1204", "end", "MOVE PAVIA TO 1204"])
    assert reading.lines == ("MOVE 21PZ TO 1204", "END")
    assert [(piece.why, piece.text) for piece in reading.cut] == [("after-end", "MOVE PAVIA TO 1204")]


def test_chatter_and_comments_are_told() -> None:
    reading = read_lines(["Hello!", "  see you", "# MOVE 21PZ TO 1204", "DONE"])
    assert reading.lines == ("DONE",)
    assert [(piece.why, piece.text) for piece in reading.cut] == [("chatter", "Hello!\nsee you"), ("comment", "# MOVE 21PZ TO 1204")]


def test_more_lines_than_a_turn_needs_are_not_taken_in_part() -> None:
    assert len(read_lines(["STEP ARIETE"] * MAX_ORDER_LINES).lines) == MAX_ORDER_LINES
    reading = read_lines(["STEP ARIETE"] * (MAX_ORDER_LINES + 1))
    assert (reading.lines, reading.too_many) == ((), True)


@given(st.lists(st.text(max_size=80), max_size=12))
def test_no_text_makes_it_stumble_and_what_comes_out_is_level(lines: list[str]) -> None:
    for line in read_lines(lines).lines:
        assert normalise(line) == line


@pytest.mark.parametrize(
    "typed",
    ["CHECK.", "*CHECK*", "CHECK:", "**Check**", "_CHECK_", '"CHECK"', "CHEKC", "CEHCK", "Check please", "check these orders", "[CHECK]"],
)
def test_check_keeps_orders_from_being_carried_out_however_it_is_decorated(typed: str) -> None:
    assert read_lines([typed, "CONCEDE CONFIRM"]).lines == ("CHECK", "CONCEDE CONFIRM")


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("HOLD!", ("HOLD", "MOVE 21PZ 0310")),
        ("*hold*", ("HOLD", "MOVE 21PZ 0310")),
        ("HOLD 21PZ", ("HOLD 21PZ", "MOVE 21PZ 0310")),  # of a unit
        ("Hold on, mate", ("MOVE 21PZ 0310",)),
        ("Check your mail, Bob", ("MOVE 21PZ 0310",)),
        ("cold", ("MOVE 21PZ 0310",)),
        ("CHECKS", ("MOVE 21PZ 0310",)),  # a verb of its own
    ],
)
def test_hold_is_a_word_alone(typed: str, lines: tuple[str, ...]) -> None:
    assert read_lines([typed, "MOVE 21PZ 0310"]).lines == lines
