"""11.2 Combat: who takes which hit (11.2r to 11.2u, HF-R46). Functions of values; nothing here knows a game in progress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Allotment = tuple[str, ...]
"""The unit that each hitting die takes a step from, dice from 6 down."""
MOST_CHOICES = 60


@dataclass(frozen=True, slots=True)
class Target:
    """An attacking unit as the defender's dice see it."""

    unit: str
    armor: bool
    number: int
    sp: int


def hits_on(dice: Sequence[int], number: int, sp: int) -> int:
    """Hits on a lone unit: dice at or above its target number, at most its strength."""
    return min(sp, sum(die >= number for die in dice))  # 11.2p units.6 HF-R47


def open_to(die: int, targets: Sequence[Target], left: Mapping[str, int], six_lost: bool) -> list[Target]:
    """The units that a die may hit, given the strength each has left: armor first where its number is met, else infantry."""
    struck = [t for t in targets if die >= t.number]
    armor = [t for t in struck if t.armor]
    alive = [t for t in armor if left[t.unit] > 0]
    if alive:
        return alive  # 11.2r 11.2t 11.2x
    if die == 6 and armor and six_lost:
        return []  # HF-R74, option
    return [t for t in struck if not t.armor and left[t.unit] > 0]  # 11.2s 11.2u


def allotted(
    dice: Sequence[int], targets: Sequence[Target], lose: Sequence[str] = (), spare: Sequence[str] = (), six_lost: bool = False
) -> Allotment:
    """Who takes each hit: the units of ``lose`` one hit each in turn, then those of most strength (ties: first in the attack), those of
    ``spare`` last. Dice that can hit nobody are lost."""
    left = {t.unit: t.sp for t in targets}
    taken: list[str] = []
    turn = 0
    for die in sorted(dice, reverse=True):
        able = open_to(die, targets, left, six_lost)
        if not able:
            continue
        names = {t.unit for t in able}
        n = next((n for n in range(turn, turn + len(lose)) if lose[n % len(lose)] in names), None)
        if n is not None:
            unit, turn = lose[n % len(lose)], n + 1
        else:
            unit = max(able, key=lambda t: (t.unit not in spare, left[t.unit])).unit
        left[unit] -= 1  # 11.2v
        taken.append(unit)
    return tuple(taken)


def choices(dice: Sequence[int], targets: Sequence[Target], six_lost: bool = False) -> tuple[Allotment, ...]:
    """One allotment for each way in which the losses can fall, at most ``MOST_CHOICES`` + 1 of them."""
    found: dict[tuple[int, ...], Allotment] = {}
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for taken in _ways(tuple(sorted(dice, reverse=True)), targets, {t.unit: t.sp for t in targets}, six_lost, seen):
        found.setdefault(tuple(taken.count(t.unit) for t in targets), taken)
        if len(found) > MOST_CHOICES:
            break
    return tuple(found.values())


def _ways(
    dice: tuple[int, ...], targets: Sequence[Target], left: Mapping[str, int], six_lost: bool, seen: set[tuple[int, tuple[int, ...]]]
) -> Iterator[Allotment]:
    """Every way, each position (dice left, strengths left) gone through once."""
    key = (len(dice), tuple(left[t.unit] for t in targets))
    if key in seen:
        return
    seen.add(key)
    if not dice:
        yield ()
        return
    able = open_to(dice[0], targets, left, six_lost)
    if not able:
        yield from _ways(dice[1:], targets, left, six_lost, seen)
    for target in able:
        for rest in _ways(dice[1:], targets, {**left, target.unit: left[target.unit] - 1}, six_lost, seen):
            yield (target.unit, *rest)
