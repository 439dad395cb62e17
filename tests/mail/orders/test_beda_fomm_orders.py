"""Lines of Beda Fomm that say that something shall not be done."""

from __future__ import annotations

import pytest

from services.mail.orders.languages import language_of
from services.mail.orders.parse import parse
from services.mail.orders.printing import order_lines


@pytest.mark.parametrize("window", ["REACTION-ANTITANK", "DEFENSIVE-SUPPORT"])
def test_a_window_whose_default_does_something_is_declined_by_done(window: str) -> None:
    read = parse("beda-fomm", [f"STANDING ON {window} DONE"])
    assert read.diagnostics == []
    (order,) = read.packet["standing"]
    assert order["then"]["verb"] == "DONE"
    assert order_lines(language_of("beda-fomm"), order) == [f"ON {window} DONE"]


def test_one_whose_default_is_nothing_needs_no_such_line() -> None:
    assert [found.code for found in parse("beda-fomm", ["ON ADVANCE DONE"]).diagnostics] == ["no-answer"]


def test_an_attack_is_withdrawn_by_naming_nobody() -> None:
    read = parse("beda-fomm", ["ATTACK 2404 WITH NONE"])
    (order,) = read.packet["orders"]
    assert (order["verb"], order["args"]) == ("ATTACK", {"hex": "2404", "none": True})
    assert order_lines(language_of("beda-fomm"), order) == ["ATTACK 2404 WITH NONE"]
    for game in ("race-for-tunis", "fall-of-tobruk"):
        read = parse(game, ["ATTACK 1215 WITH NONE"])
        (order,) = read.packet["orders"]
        assert (order["verb"], order["args"]) == ("ATTACK", {"hexes": ["1215"], "none": True})
        assert order_lines(language_of(game), order) == ["ATTACK 1215 WITH NONE"]


def test_the_column_of_massed_fire_is_printed_as_it_is_on_the_table() -> None:
    (order,) = parse("beda-fomm", ["FIRE 106RHA AT BEST MASS 3"]).packet["orders"]
    assert order_lines(language_of("beda-fomm"), order) == ["FIRE 106RHA AT BEST MASS 3:1"]
