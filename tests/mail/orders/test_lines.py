"""What mail programs and phones do to a line, levelled; and the way back to the columns as typed."""

from __future__ import annotations

import pytest

from services.mail.orders.lines import normalise, split, tokens
from services.mail.orders.parse import parse
from tests.mail.orders.words import SMALL


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("  move\t21pz   to\u00a01204 ", "MOVE 21PZ TO 1204"),
        ("MOVE\u202f10B\u2013I TO\u20030907", "MOVE 10B-I TO 0907"),
        ("MOVE 10B\u2212I\u200b TO\ufeff 0907", "MOVE 10B-I TO 0907"),
        ("move 10b\u00ad-i to \uff10\uff19\uff10\uff17", "MOVE 10B-I TO 0907"),
        ("move x to \u0660\u0669\u0660\u0667", "MOVE X TO 0907"),
        ("DONE # that is all; really", "DONE"),
        ("DONE ; that is all # really", "DONE"),
        ("# only a comment", ""),
        ("IF RP \u2265 3 PASS", "IF RP >= 3 PASS"),
    ],
)
def test_a_line_is_levelled(typed: str, plain: str) -> None:
    assert normalise(typed) == plain


def test_words_and_signs_know_their_columns_as_typed() -> None:
    # A zero-width space before, an arrow that becomes two signs, a ligature that becomes two letters.
    found = tokens("\u200bmove x\u2192\ufb01n, (3)")
    assert [(t.text, t.start, t.end) for t in found] == [
        ("MOVE", 2, 6),
        ("X", 7, 8),
        ("->", 8, 9),
        ("FIN", 9, 11),
        (",", 11, 12),
        ("(", 13, 14),
        ("3", 14, 15),
        (")", 15, 16),
    ]


def test_quotes_bullets_and_a_full_stop_are_dropped() -> None:
    assert [t.text for t in tokens("- \u2022 *MOVE* \u201c21st Panzer\u201d TO 'Tobruk'.")] == ["MOVE", "21ST", "PANZER", "TO", "TOBRUK"]


def test_a_path_joined_by_hyphens_is_taken_apart_and_a_unit_id_is_not() -> None:
    assert [(t.text, t.start) for t in tokens("MOVE 10B-I 0901-0902-0903")][1:] == [("10B-I", 6), ("0901", 12), ("0902", 17), ("0903", 22)]


def test_a_text_is_split_whatever_ends_its_lines() -> None:
    assert split("a\r\nb\rc\nd") == ["a", "b", "c", "d"]


def test_a_diagnostic_points_into_the_line_as_it_was_typed() -> None:
    parsed = parse("holdfast", ["", "\u200b  move\u00a0\u00a021\u2013pq to 0409"], SMALL)
    (found,) = parsed.diagnostics
    assert (found.line, found.column, found.end, found.code) == (2, 10, 15, "unknown-unit")
