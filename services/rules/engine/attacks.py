"""Attacks in the making, for adjutants of games in which some attacks must be made: changed for the better, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scenarios.hexes import Hex
from services.rules.engine.model import Exact

WORTHWHILE = 5
"""What a change must add to be made, in hundredths of a combat factor."""


@dataclass(frozen=True)
class Fight:
    """An attack in the making: on which hexes, with which units, and with which guns in support, where a game has such."""

    hexes: frozenset[Hex]
    units: frozenset[str]
    guns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Board:
    """What attacks are made from.

    ``near``: who may attack -> the enemy hexes next to him.  ``owing``: who must attack -> the hexes of which he must attack one.
    ``due``: the hexes that must be attacked.  ``value``: what an attack promises, in hundredths of a combat factor.  ``counts``: what a
    unit counts in an attack on some hexes.  ``tied``: units that stay in the attack that they are in.  ``whole``: hexes that must be
    attacked together."""

    near: Mapping[str, frozenset[Hex]]
    owing: Mapping[str, frozenset[Hex]]
    due: frozenset[Hex]
    value: Callable[[Fight], int]
    counts: Callable[[str, frozenset[Hex]], Exact]
    tied: frozenset[str] = frozenset()
    whole: tuple[frozenset[Hex], ...] = ()
    _worth: dict[Fight, int] = field(default_factory=dict)

    def worth(self, fight: Fight) -> int:
        """What an attack promises, worked out once."""
        if fight not in self._worth:
            self._worth[fight] = self.value(fight)
        return self._worth[fight]


Change = tuple[list[Fight], list[Fight]]
"""Attacks, and what may take their place."""


def improved(board: Board, fights: list[Fight], *, rounds: int, eager: int) -> list[Fight]:
    """Attacks changed for the better, as long as a change helps and at most so many times. ``eager``: what one must promise that nobody
    must make."""
    for _ in range(rounds):
        best: tuple[int, list[Fight], list[Fight]] | None = None
        for old, new in _changes(board, fights):
            if not all(_lawful(board, one) for one in new):
                continue
            more = sum(board.worth(one) for one in new) - sum(board.worth(one) for one in old)
            if more > (WORTHWHILE if old else eager) and (best is None or more > best[0]):
                best = more, old, new
        if best is None:
            break
        fights = [*(one for one in fights if one not in best[1]), *best[2]]
    return fights


def _lawful(board: Board, fight: Fight) -> bool:
    """Whether an attack may be ordered: somebody next to all its hexes, everybody next to one, who owes one of them there."""
    if not fight.units or not any(fight.hexes <= board.near[unit] for unit in fight.units):
        return False
    return all(board.near[unit] & fight.hexes and (unit not in board.owing or board.owing[unit] & fight.hexes) for unit in fight.units)


def _changes(board: Board, fights: Sequence[Fight]) -> Iterator[Change]:
    busy = {unit for one in fights for unit in one.units}
    attacked = {at for one in fights for at in one.hexes}
    free = [unit for unit in sorted(board.near) if unit not in busy]
    for one in fights:
        for unit in free:
            if board.near[unit] & one.hexes:
                yield [one], [replace(one, units=one.units | {unit})]
        for unit in sorted(one.units - board.tied):
            if unit not in board.owing and len(one.units) > 1:
                yield [one], [replace(one, units=one.units - {unit})]
            for other in fights:
                if other is not one and board.near[unit] & other.hexes and len(one.units) > 1:
                    yield [one, other], [replace(one, units=one.units - {unit}), replace(other, units=other.units | {unit})]
        if not one.units & board.owing.keys() and not one.hexes & board.due:
            yield [one], []
        yield from _merged(fights, one)
        if not any(one.hexes >= hexes for hexes in board.whole):
            yield from _divided(board, one)
    for at in sorted({at for unit in free for at in board.near[unit]} - attacked):
        able = frozenset(unit for unit in free if at in board.near[unit] and (unit not in board.owing or at in board.owing[unit]))
        yield [], [Fight(frozenset({at}), able)]


def _merged(fights: Sequence[Fight], one: Fight) -> Iterator[Change]:
    for other in fights:
        if other is not one and min(one.hexes) < min(other.hexes):
            yield [one, other], [Fight(one.hexes | other.hexes, one.units | other.units, (*one.guns, *other.guns))]


def _divided(board: Board, one: Fight) -> Iterator[Change]:
    """An attack on several hexes as two; the guns stay with the rest."""
    if len(one.hexes) < 2 or len(one.units) < 2:
        return
    for at in sorted(one.hexes):
        alone, rest = frozenset({at}), one.hexes - {at}
        must = [unit for unit in one.units if not board.near[unit] & rest]
        able = [unit for unit in one.units if at in board.near[unit] and unit not in must]
        may = sorted(able, key=lambda unit: (board.counts(unit, rest), unit))
        for n in range(len(may) + 1):
            here = frozenset([*must, *may[:n]])
            if here and one.units - here:
                yield [one], [Fight(alone, here), Fight(rest, one.units - here, one.guns)]
