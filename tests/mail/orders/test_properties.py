"""Whatever the text: reading never raises, faults lie within their lines, and what was read prints back to the same orders."""

from __future__ import annotations

import random  # noqa: TID251  # the type of what hypothesis hands over
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.mail.orders.languages import LANGUAGES
from services.mail.orders.parse import Parsed, parse
from services.mail.orders.printing import print_orders
from services.mail.orders.recognise import recognise
from tests.mail.orders.examples import EXAMPLES
from tests.mail.orders.jumbles import JUMBLES
from tests.mail.orders.words import bare, holdfast_words

_VOCABULARIES = st.sampled_from([None, "axis", "allied", ""])
_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 30) | st.text(max_size=5) | st.sampled_from(["21PZ", "1204", "1/0", "A\nDONE"]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=4), below, max_size=2),
    max_leaves=5,
)
_GAMES = st.sampled_from(sorted(LANGUAGES))


def _check(text: str, game: str, side: str | None) -> Parsed:
    """Reads a text and holds the result against what must always be so."""
    words = None if side is None else holdfast_words(side or "axis") | ({} if side else {"side": None})
    parsed = parse(game, text, words)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for found in parsed.diagnostics:
        assert 0 <= found.line <= len(lines)
        if found.line:
            assert 1 <= found.column < found.end <= len(lines[found.line - 1]) + 2
        assert found.text
    again = parse(game, parsed.printed, words)
    assert again.diagnostics == []
    assert bare(again.packet) == bare(parsed.packet)
    assert again.printed == parsed.printed
    return parsed


@given(st.text(max_size=300), _GAMES, _VOCABULARIES)
def test_any_text_is_read_without_raising(text: str, game: str, side: str | None) -> None:
    _check(text, game, side)
    recognise(text)


@given(JUMBLES, _GAMES, _VOCABULARIES)
def test_any_jumble_of_order_words_is_read_without_raising(text: str, game: str, side: str | None) -> None:
    _check(text, game, side)
    recognise(text)


@st.composite
def _mutated(draw: st.DrawFn) -> tuple[str, str]:
    """An example line with a few characters taken out, put in, doubled or exchanged."""
    game, line = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(line) - 1)))
        put = draw(st.one_of(st.text(max_size=2), st.sampled_from([" ", ",", "+", "-", ":", line[at : at + 2][::-1]])))
        line = line[:at] + put + line[at + draw(st.integers(0, 2)) :]
    return game, line


@given(_mutated(), _VOCABULARIES)
def test_an_order_with_slips_of_the_pen_is_read_without_raising(case: tuple[str, str], side: str | None) -> None:
    game, line = case
    _check(line, game, side)
    recognise(line)


@given(st.sampled_from([line for game, line in EXAMPLES if game == "holdfast"]), st.randoms(use_true_random=False))
def test_case_blanks_and_dashes_make_no_difference(line: str, chance: random.Random) -> None:
    blanks, dashes = [" ", "  ", "\t", "\u00a0", " \u2009"], "-\u2013\u2011\u2212"
    dressed = "".join(chance.choice(blanks if c == " " else dashes if c == "-" else [c.lower(), c.upper()]) for c in line)
    plain = parse("holdfast", line)
    assert parse("holdfast", dressed).packet == plain.packet
    assert plain.diagnostics == [] or line.startswith("ELSE")


_ARGS = st.dictionaries(
    st.sampled_from(
        ["unit", "units", "hex", "path", "to", "via", "road", "n", "table", "k", "lose", "label", "window", "results", "ask", "turn"]
    ),
    _JSON,
    max_size=4,
)
_PLAIN = st.fixed_dictionaries({"verb": st.sampled_from(["MOVE", "ATTACK", "COMMIT", "STEP", "LOSE", "DONE", "ON", "X"]), "args": _ARGS})
_ORDERS = st.one_of(
    _JSON,
    _PLAIN,
    st.tuples(_PLAIN, st.dictionaries(st.sampled_from(["guard", "else", "then", "label", "confirm"]), st.one_of(_JSON, _PLAIN))).map(
        lambda both: both[0] | both[1]
    ),
)


@given(_ORDERS)
def test_any_json_is_printed_to_lines_that_can_be_read_or_refused(order: Any) -> None:
    try:
        lines = print_orders("holdfast", [order])
    except ValueError:
        return
    assert all("\n" not in line and "#" not in line and ";" not in line for line in lines)
    assert 1 <= len(lines) <= 2
