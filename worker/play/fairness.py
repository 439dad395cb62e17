"""How dice fell: how often each face, and how often fair dice fall at least as unevenly (a chi-square test)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, lgamma, log

LEAST = 5
"""So often each face must be expected for the test to say anything."""
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class Tally:
    """Dice of one kind. ``faces``: how often 1, 2, ... fell."""

    name: str
    faces: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many dice there were."""
        return sum(self.faces)

    @property
    def mean(self) -> float:
        """Of what they showed; 0 without any."""
        return sum(face * times for face, times in enumerate(self.faces, start=1)) / self.count if self.count else 0.0

    @property
    def chance(self) -> float | None:
        """How often fair dice fall at least as unevenly, from 0 to 1; None where they are too few to say."""
        expected = self.count / len(self.faces)
        if expected < LEAST:
            return None
        return chi_square_chance(sum((times - expected) ** 2 / expected for times in self.faces), len(self.faces) - 1)


def tally(name: str, sides: int, dice: Iterable[int]) -> Tally:
    """Count dice of ``sides`` faces."""
    faces = [0] * sides
    for die in dice:
        faces[die - 1] += 1
    return Tally(name, tuple(faces))


def chi_square_chance(found: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is ``found`` or more."""
    if found <= 0:
        return 1.0
    a, x = freedom / 2, found / 2
    return 1.0 - _by_series(a, x) if x < a + 1 else _by_fraction(a, x)


def _by_series(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function, for small ``x``."""
    term = total = 1 / a
    n = a
    while term > total * _CLOSE:
        n += 1
        term *= x / n
        total += term
    return total * exp(-x + a * log(x) - lgamma(a))


def _by_fraction(a: float, x: float) -> float:
    """The regularised upper one, for large ``x``, by Lentz's continued fraction."""
    b = x + 1 - a
    c, d = 1e300, 1 / b
    found = d
    for i in range(1, 10_000):
        factor = -i * (i - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        found *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return found * exp(-x + a * log(x) - lgamma(a))
