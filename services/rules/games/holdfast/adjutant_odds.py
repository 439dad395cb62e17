"""The adjutant's odds: what an attack would do and cost, in thousandths of an RP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Attacker:
    """A unit in an attack: dice it throws, number that hits it, strength, RP a strength point is worth."""

    dice: int
    target: int
    sp: int
    worth: int


@lru_cache(maxsize=4096)
def hits(dice: int, target: int, sp: int) -> tuple[int, int]:
    """Thousandths: the hits expected of ``dice`` on a unit of ``sp`` hit on ``target`` or more, and the chance that they eliminate it."""
    good, bad = 7 - target, target - 1
    ways = [1]
    for _ in range(dice):
        ways = [a * bad + b * good for a, b in zip([*ways, 0], [0, *ways], strict=True)]
    expected = sum(min(n, sp) * way for n, way in enumerate(ways))
    return 1000 * expected // 6**dice, 1000 * sum(ways[sp:]) // 6**dice


def losses(dice: int, attackers: Sequence[Attacker]) -> int:
    """Thousandths of RP that ``dice`` of a defender cost the attackers: each face falls on armor first, where it hits armor (11.2r)."""
    total = 0
    for face in (4, 5, 6):
        struck = [a.worth for a in attackers if face >= a.target]
        total += max(struck, default=0) * dice * 1000 // 6
    return min(total, 1000 * sum(a.sp * a.worth for a in attackers))
