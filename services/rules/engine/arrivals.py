"""Reinforcements off the turn record track."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Due:
    """An arrival that may enter now: the unit, the game-turn printed for it, and whether it was held back from an earlier one."""

    unit: str
    turn: int
    delayed: bool


def due(schedule: Mapping[int, Sequence[str]], turn: int, waiting: Iterable[str]) -> tuple[Due, ...]:
    """The arrivals due in ``turn``, in the order of the track, then of the box: all printed up to it that still wait.

    ``schedule``: game-turn -> units. ``waiting``: the units that have not come yet; whoever is not in it has come, or never will.
    """
    still = frozenset(waiting)
    return tuple(Due(unit, at, at < turn) for at in sorted(schedule) if at <= turn for unit in schedule[at] if unit in still)
