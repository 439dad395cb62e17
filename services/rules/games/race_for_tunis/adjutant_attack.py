"""The adjutant's package: attacks that must be made, at the best that can be made of them, and those that promise something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.positions import adjacent, hex_of, on_map, side_at
from services.rules.games.race_for_tunis import compulsory, duty, engaged
from services.rules.games.race_for_tunis.adjutant_odds import Prospect, gain
from services.rules.games.race_for_tunis.adjutant_plans import Target, factor, gun_factor, target
from services.rules.games.race_for_tunis.adjutant_support import fly, silence
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.state import attack_value, french_restricted, interdiction, is_artillery, nation_of, value
from services.rules.games.race_for_tunis.zoc import in_zone, zones

ROUNDS = 40
"""Changes for the better that are looked for at most."""
EAGER = 30
"""What an attack must promise that nobody must make, in hundredths of a combat factor."""


@dataclass(frozen=True)
class Fight:
    """An attack in the making."""

    hexes: frozenset[Hex]
    units: frozenset[str]
    guns: tuple[str, ...] = ()


@dataclass
class Board:
    """What the attacks are made from: who may attack what; who must attack one of which hexes; which hexes must be attacked."""

    near: dict[str, frozenset[Hex]]
    owing: dict[str, frozenset[Hex]]
    due: frozenset[Hex]
    tied: tuple[engaged.Together, ...]
    worth: dict[tuple[frozenset[Hex], frozenset[str], tuple[str, ...]], int] = field(default_factory=dict)


def attack(draft: Draft) -> None:
    """Attacks, with guns, aircraft and counterbattery."""
    board = _board(draft)
    fights = _improved(draft, board, _start(draft, board))
    fights = _with_guns(draft, board, fights)
    fights = _improved(draft, board, fights)
    given = []
    for fight in sorted(fights, key=lambda one: (-_worth(draft, board, one), sorted(one.hexes))):
        hexes = [str(at) for at in sorted(fight.hexes)]
        units, guns = sorted(fight.units), list(fight.guns)
        if draft.gather("ATTACK", hexes=hexes, units=units, support=guns, lower=None, only=None, rest=False):
            given.append(fight)
    silence(draft, [one.hexes for one in given], {gun for one in given for gun in one.guns})
    fly(draft, [(one.hexes, prospect(draft, one)) for one in given])


def _board(draft: Draft) -> Board:
    table, side = draft.table, draft.side
    near: dict[str, frozenset[Hex]] = {}
    for unit in on_map(table, side):
        at = unit.place
        if is_artillery(table, unit.id) or not isinstance(at, Hex):
            continue
        if nation_of(table, unit.id) == "french" and french_restricted(table) and not in_zone(table, side, at):
            continue
        hexes = frozenset(to for to in adjacent(table, at) if side_at(table, to) == draft.enemy)
        if hexes:
            near[unit.id] = hexes
    return Board(near, dict(duty.obliged(table, side)), frozenset(duty.due(table, side)), engaged.together(table, side))


def _start(draft: Draft, board: Board) -> list[Fight]:
    """What must be attacked, as the rule would have it."""
    orders = compulsory.missing(draft.table, draft.side)
    return [Fight(frozenset(map(parse_hex, order.args["hexes"])), frozenset(order.args["units"])) for order in orders]


# -- what an attack is worth -----------------------------------------------------------------------------------------------------


def _worth(draft: Draft, board: Board, fight: Fight) -> int:
    key = (fight.hexes, fight.units, fight.guns)
    if key not in board.worth:
        board.worth[key] = gain(draft.table, prospect(draft, fight))
    return board.worth[key]


def prospect(draft: Draft, fight: Fight) -> Prospect:
    """An attack as it may come."""
    table = draft.table
    targets = [target(draft, at) for at in sorted(fight.hexes)]
    attack_ = sum((_factor(draft, unit, fight.hexes) for unit in fight.units), Fraction(0))
    if attack_:
        attack_ += sum((min(gun_factor(draft, gun, _at(draft, gun), at) for at in fight.hexes) for gun in fight.guns), Fraction(0))
    return Prospect(
        attack_,
        sum((one.defence for one in targets), Fraction(0)) + max(one.support for one in targets),
        sum(draft.worth(unit) for unit in fight.units),
        sum(attack_value(table, unit) for unit in fight.units),
        sum(one.worth for one in targets),
        sum(one.cf for one in targets),
        sum(one.guns for one in targets),
        all(_trapped(draft, one) for one in targets),
        sum(one.prize for one in targets),
    )


def _factor(draft: Draft, unit: str, hexes: frozenset[Hex]) -> Fraction:
    here = _at(draft, unit)
    return min((factor(draft, unit, here, at) for at in hexes if distance(here, at) == 1), default=Fraction(0))


def _at(draft: Draft, unit: str) -> Hex:
    at = hex_of(draft.table, unit)
    assert at is not None
    return at


def _trapped(draft: Draft, one: Target) -> bool:
    """Whether units in a hex have nowhere to go."""
    table = draft.table
    zone = zones(table, draft.enemy)
    return all(to in zone or side_at(table, to) == draft.side for to in adjacent(table, one.at))


# -- for the better --------------------------------------------------------------------------------------------------------------


def _improved(draft: Draft, board: Board, fights: list[Fight]) -> list[Fight]:
    """Attacks changed for the better, one thing at a time, while there is a change that helps."""
    for _ in range(ROUNDS):
        best: tuple[int, list[Fight], list[Fight]] | None = None
        for old, new in _changes(draft, board, fights):
            if not all(_lawful(board, one) for one in new):
                continue
            more = sum(_worth(draft, board, one) for one in new) - sum(_worth(draft, board, one) for one in old)
            if more > (EAGER if not old else 5) and (best is None or more > best[0]):
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


def _changes(draft: Draft, board: Board, fights: Sequence[Fight]) -> Iterator[tuple[list[Fight], list[Fight]]]:
    """Pairs of attacks and what could take their place."""
    busy = {unit for one in fights for unit in one.units}
    attacked = {at for one in fights for at in one.hexes}
    free = [unit for unit in sorted(board.near) if unit not in busy]
    tied = {unit for one in board.tied for unit in one.units}
    for one in fights:
        for unit in free:
            if board.near[unit] & one.hexes:
                yield [one], [replace(one, units=one.units | {unit})]
        for unit in sorted(one.units - tied):
            if unit not in board.owing and len(one.units) > 1:
                yield [one], [replace(one, units=one.units - {unit})]
            for other in fights:
                if other is not one and board.near[unit] & other.hexes and len(one.units) > 1:
                    yield [one, other], [replace(one, units=one.units - {unit}), replace(other, units=other.units | {unit})]
        if not one.units & board.owing.keys() and not one.hexes & board.due:
            yield [one], []
        yield from _merged(fights, one)
        if not any(one.hexes >= sets.hexes for sets in board.tied):
            yield from _divided(draft, board, one)
    for at in sorted({at for unit in free for at in board.near[unit]} - attacked):
        able = frozenset(unit for unit in free if at in board.near[unit])
        yield [], [Fight(frozenset({at}), able)]


def _merged(fights: Sequence[Fight], one: Fight) -> Iterator[tuple[list[Fight], list[Fight]]]:
    for other in fights:
        if other is not one and min(one.hexes) < min(other.hexes):
            yield [one, other], [Fight(one.hexes | other.hexes, one.units | other.units, (*one.guns, *other.guns))]


def _divided(draft: Draft, board: Board, one: Fight) -> Iterator[tuple[list[Fight], list[Fight]]]:
    """An attack on several hexes as two."""
    if len(one.hexes) < 2 or len(one.units) < 2:
        return
    for at in sorted(one.hexes):
        alone, rest = frozenset({at}), one.hexes - {at}
        must = [unit for unit in one.units if not board.near[unit] & rest]
        may = sorted(
            (unit for unit in one.units if at in board.near[unit] and unit not in must), key=lambda unit: _factor(draft, unit, rest)
        )
        for n in range(len(may) + 1):
            here = frozenset([*must, *may[:n]])
            if here and one.units - here:
                yield [one], [Fight(alone, here), Fight(rest, one.units - here, one.guns)]


# -- guns ------------------------------------------------------------------------------------------------------------------------


def _with_guns(draft: Draft, board: Board, fights: list[Fight]) -> list[Fight]:
    """Each gun supports the attack where it helps most."""
    table = draft.table
    guns = [unit.id for unit in on_map(table, draft.side) if is_artillery(table, unit.id)]
    for gun in sorted(guns, key=lambda gun: (-attack_value(table, gun), gun)):
        best: tuple[int, Fight] | None = None
        for one in fights:
            if not _may_support(draft, gun, one):
                continue
            more = _worth(draft, board, replace(one, guns=(*one.guns, gun))) - _worth(draft, board, one)
            if best is None or more > best[0]:
                best = more, one
        if best is not None and best[0] >= 0:
            fights = [replace(one, guns=(*one.guns, gun)) if one is best[1] else one for one in fights]
    return fights


def _may_support(draft: Draft, gun: str, one: Fight) -> bool:
    table, here = draft.table, _at(draft, gun)
    if interdiction(table, here, draft.side) or min(distance(here, at) for at in one.hexes) > value(table, gun, "range"):
        return False
    french = nation_of(table, gun) == "french" and french_restricted(table)
    return not (french and any(nation_of(table, unit) != "french" for unit in one.units))
