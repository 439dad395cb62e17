"""Odds, die-roll modifiers, and readers of the two charts of combat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from services.rules.engine.model import Exact, Json


class Odds(NamedTuple):
    """Attack to defence as a table prints it: one of the two is 1."""

    attack: int
    defence: int

    def __str__(self) -> str:
        return f"{self.attack}:{self.defence}"

    @property
    def rank(self) -> Fraction:
        """For comparing: 1:2 lies below 1:1 below 2:1."""
        return Fraction(self.attack, self.defence)


def odds(attack: Exact, defence: Exact) -> Odds:
    """``attack`` to ``defence`` rounded in favour of the defender: 7 to 2 is 3:1, 2 to 7 is 1:4. ValueError unless both are above 0."""
    if attack <= 0 or defence <= 0:
        raise ValueError(f"odds of {attack} to {defence}")
    if attack >= defence:
        return Odds(floor(Fraction(attack) / defence), 1)
    return Odds(1, ceil(Fraction(defence) / attack))


def parse_odds(text: str) -> Odds:
    """``"3:1"`` or ``"3-1"`` as odds. ValueError on anything else."""
    left, _, right = text.strip().replace("-", ":").partition(":")
    if (
        not (left.isascii() and left.isdigit() and right.isascii() and right.isdigit())
        or 1 not in (int(left), int(right))
        or "0" in (left, right)
    ):
        raise ValueError(f"not odds: {text!r}")
    return Odds(int(left), int(right))


@dataclass(frozen=True, slots=True)
class Modifier:
    """What changes a die roll or a number of dice, with its reason and clause."""

    n: int
    why: str
    clause: str

    def wire(self) -> dict[str, Json]:
        """As an event carries it."""
        return {"n": self.n, "why": self.why, "clause": self.clause}


def total(modifiers: Iterable[Modifier]) -> int:
    """The sum of the modifiers."""
    return sum(modifier.n for modifier in modifiers)


@dataclass(frozen=True, slots=True)
class CombatResultsTable:
    """A CRT: the odds columns in order, and a row of results for each die total."""

    columns: tuple[Odds, ...]
    rows: Mapping[int, tuple[str, ...]]

    @classmethod
    def read(cls, table: Sequence[Sequence[str]]) -> CombatResultsTable:
        """From rows of text as printed: a heading (``die``, then odds), then a die total and its results. ValueError names a bad cell."""
        columns = tuple(parse_odds(cell) for cell in table[0][1:])
        if list(columns) != sorted(set(columns), key=lambda column: column.rank) or not columns:
            raise ValueError("the odds columns must rise from left to right")
        rows: dict[int, tuple[str, ...]] = {}
        for line in table[1:]:
            if len(line) != len(columns) + 1 or not line[0].strip().lstrip("-").isdigit() or int(line[0]) in rows:
                raise ValueError(f"a bad row: {','.join(line)!r}")
            rows[int(line[0])] = tuple(cell.strip() for cell in line[1:])
        if sorted(rows) != list(range(min(rows), max(rows) + 1)):
            raise ValueError("the die totals have a gap")
        return cls(columns, rows)

    @classmethod
    def of_chart(cls, rows: Sequence[Mapping[str, Json]]) -> CombatResultsTable:
        """From the rows of a package's chart, each a mapping of column to cell, the die total first. ValueError names a bad cell."""
        return cls.read([[str(key) for key in rows[0]], *([str(cell) for cell in row.values()] for row in rows)])

    def column(self, ratio: Odds, shift: int = 0) -> int | None:
        """The index of the last column not above ``ratio``, shifted and kept within the table; None if the odds lie below it."""
        fitting = [n for n, column in enumerate(self.columns) if column.rank <= ratio.rank]
        if not fitting:
            return None
        return max(0, min(len(self.columns) - 1, fitting[-1] + shift))

    def result(self, column: int, die: int) -> str:
        """The result of a modified ``die`` total; beyond the printed rows the nearest counts."""
        return self.rows[max(min(self.rows), min(max(self.rows), die))][column]


@dataclass(frozen=True, slots=True)
class TerrainEffectsChart:
    """A TEC: terrain by what is looked up ("infantry", "attack", ...)."""

    cells: Mapping[str, Mapping[str, Json]]

    def value(self, terrain: str, what: str) -> Json:
        """The cell, or None where the chart has none. KeyError if the terrain is not in the chart."""
        return self.cells[terrain].get(what)
