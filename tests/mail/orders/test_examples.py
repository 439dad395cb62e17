"""Every example line of the order language, in all four games: read, printed, read again, and known as an order line of a mail."""

from __future__ import annotations

import pytest

from services.mail.orders.parse import parse
from services.mail.orders.recognise import recognise
from tests.mail.orders.examples import BY_GAME, COMMON, EXAMPLES
from tests.mail.orders.words import bare


@pytest.mark.parametrize("game", BY_GAME)
def test_all_example_lines_are_read_and_print_back_to_the_same_orders(game: str) -> None:
    text = COMMON + BY_GAME[game]
    parsed = parse(game, text)
    assert [(d.line, d.text) for d in parsed.diagnostics] == []
    orders = parsed.packet["orders"] + parsed.packet["standing"]
    below = sum(line.startswith("ELSE") for line in text.split("\n"))
    assert len(orders) == sum(bool(line) for line in text.split("\n")) - below
    again = parse(game, parsed.printed)
    assert again.diagnostics == []
    assert bare(again.packet) == bare(parsed.packet)
    assert again.printed == parsed.printed


@pytest.mark.parametrize(("game", "line"), EXAMPLES)
def test_an_example_line_is_known_as_an_order(game: str, line: str) -> None:
    assert recognise(line) == "order"


@pytest.mark.parametrize("line", ["DONE", "end", "check", "Hold", "on fault skip", "APPEND # more", "anyway"])
def test_directives_are_known_as_order_lines(line: str) -> None:
    assert recognise(line) == "order"


@pytest.mark.parametrize("line", ["MOVE 10B-I", "MOVE 10B-I TOO 0907", "ON FAULT", "FIRE 88-1 AT", "Support is on its way, do not worry"])
def test_a_line_that_only_begins_like_an_order_is_faulty(line: str) -> None:
    assert recognise(line) == "faulty"


@pytest.mark.parametrize("line", ["", "Hello Ann,", "# MOVE 10B-I TO 0907", "see you on Sunday", "x" * 501, "\x00\ufffd"])
def test_chatter_is_no_order(line: str) -> None:
    assert recognise(line) is None
