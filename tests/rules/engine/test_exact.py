"""Exact numbers on the wire."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.exact import parse_exact, print_exact


@pytest.mark.parametrize(
    ("wire", "number", "printed"),
    [
        (3, 3, 3),
        ("7/2", Fraction(7, 2), "7/2"),
        ("6/4", Fraction(3, 2), "3/2"),
        ("-1/2", Fraction(-1, 2), "-1/2"),
        ("8/2", 4, 4),
        (0, 0, 0),
    ],
)
def test_read_and_print(wire, number, printed):
    assert parse_exact(wire) == number
    assert print_exact(number) == printed
    assert isinstance(parse_exact(wire), int) == (Fraction(number).denominator == 1)


@pytest.mark.parametrize(
    "bad", [1.5, True, None, "1.5", "1/0", "3", "", "1/-2", "1/2/3", " 1/2", "²/3", [1], 10**9 + 1, "9999999999/1", "1" * 5000 + "/2"]
)
def test_refused(bad):
    with pytest.raises(ValueError):
        parse_exact(bad)


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=64))
def test_printed_numbers_read_back(number):
    assert parse_exact(print_exact(number)) == number
