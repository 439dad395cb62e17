"""Exact numbers on the wire: an integer, or a fraction as text (``"7/2"``). No float ever."""

from __future__ import annotations

import re
from fractions import Fraction

from services.rules.engine.model import Exact, Json

MAX_PART = 10**9
"""The largest numerator and denominator that are read."""
_FRACTION = re.compile(r"(-?[0-9]{1,10})/([0-9]{1,10})", re.ASCII)


def parse_exact(value: Json) -> Exact:
    """The number that ``value`` (an integer, or ``"n/d"``) stands for, whole ones as ``int``. ValueError on anything else."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"not an exact number: {str(value)[:40]!r} (write an integer or a fraction such as 7/2)")
    if isinstance(value, int):
        return _bounded(value)
    match = _FRACTION.fullmatch(value)
    if match is None:
        raise ValueError(f"not an exact number: {value[:40]!r} (write an integer or a fraction such as 7/2)")
    above, below = int(match[1]), int(match[2])
    if below == 0:
        raise ValueError(f"a fraction over zero: {value!r}")
    _bounded(above)
    _bounded(below)
    return simplest(Fraction(above, below))


def print_exact(number: Exact) -> int | str:
    """``number`` as JSON carries it: an integer where it is whole, else ``"n/d"`` in lowest terms."""
    number = simplest(number)
    return number if isinstance(number, int) else f"{number.numerator}/{number.denominator}"


def simplest(number: Exact) -> Exact:
    """``number`` as an ``int`` if it is whole."""
    return int(number) if number.denominator == 1 else number


def _bounded(number: int) -> int:
    if abs(number) > MAX_PART:
        raise ValueError("a number beyond a thousand million")
    return number
