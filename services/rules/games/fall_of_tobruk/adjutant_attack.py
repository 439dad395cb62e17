"""The adjutant's declaration: attacks that must be made, at the best that can be made of them, and those that promise something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import flow
from services.rules.games.fall_of_tobruk import compulsory, declaration, duty
from services.rules.games.fall_of_tobruk.adjutant_ground import fits
from services.rules.games.fall_of_tobruk.adjutant_odds import Prospect, gain, results
from services.rules.games.fall_of_tobruk.adjutant_plans import target, trapped
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.assault import enemies_next_to
from services.rules.games.fall_of_tobruk.ground import at_of, shift
from services.rules.games.fall_of_tobruk.mines import mined
from services.rules.games.fall_of_tobruk.overrun import compared
from services.rules.games.fall_of_tobruk.state import combat_value, current, is_engineer, is_gun, is_tank
from services.rules.games.fall_of_tobruk.supply import factor as kept

ROUNDS = 30
"""Changes for the better that are looked for at most."""
EAGER = 30
"""What an attack must promise that nobody must make, in hundredths of a combat factor."""


@dataclass(frozen=True)
class Fight:
    """An attack in the making."""

    hexes: frozenset[Hex]
    units: frozenset[str]


@dataclass
class Board:
    """What the attacks are made from: who may attack what; who must attack one of which hexes; which hexes must be attacked."""

    near: dict[str, frozenset[Hex]]
    owing: dict[str, frozenset[Hex]]
    due: frozenset[Hex]
    worth: dict[Fight, int] = field(default_factory=dict)


def attack(draft: Draft) -> None:
    """Attacks, then hexes that fire has emptied."""
    table, side = draft.table, draft.side
    near = {unit: frozenset(enemies_next_to(table, unit)) for unit in duty.taking_part(table, side) if not is_gun(table, unit)}
    board = Board({unit: hexes for unit, hexes in near.items() if hexes}, dict(duty.obliged(table, side)), frozenset(duty.due(table, side)))
    start = [Fight(frozenset(map(parse_hex, one.args["hexes"])), frozenset(one.args["units"])) for one in compulsory.missing(table, side)]
    for fight in sorted(_improved(draft, board, start), key=lambda one: (-_worth(draft, board, one), sorted(one.hexes))):
        draft.gather("ATTACK", hexes=[str(at) for at in sorted(fight.hexes)], units=sorted(fight.units))
    _occupy(draft)


def _occupy(draft: Draft) -> None:
    """Tanks go into hexes that fire has emptied, where nobody else is near. In the first pass alone: later no view tells when a hex with
    wrecks was emptied."""
    table = draft.table
    if flow.pass_number(table) > 1:
        return
    free: dict[Hex, list[str]] = {}
    for at, unit in declaration.emptied(table, draft.side):
        if is_tank(table, unit) and not enemies_next_to(table, unit):
            free.setdefault(at, []).append(unit)
    for at, units in sorted(free.items()):
        going = [unit for n, unit in enumerate(units) if fits(draft, units[: n + 1])]
        draft.gather("OCCUPY", hex=str(at), units=going)


# -- what an attack is worth -------------------------------------------------------------------------------------------------------


def _worth(draft: Draft, board: Board, fight: Fight) -> int:
    if fight not in board.worth:
        board.worth[fight] = gain(draft.table, draft.lasting("results", lambda: results(draft.table)), _prospect(draft, fight))
    return board.worth[fight]


def _prospect(draft: Draft, fight: Fight) -> Prospect:
    table = draft.table
    targets = [target(draft, at) for at in sorted(fight.hexes)]
    found = compared(table, [str(at) for at in fight.hexes], fight.units)
    overrun = found.tanks > found.antitank
    return Prospect(
        sum(_factor(draft, unit, fight.hexes) for unit in fight.units) * (2 if overrun else 1),
        sum(one.defence for one in targets),
        sum(draft.worth(unit) for unit in fight.units),
        sum(combat_value(table, unit) for unit in fight.units),
        sum(one.worth for one in targets),
        sum(one.cf for one in targets),
        max(shift(table, one.at) for one in targets),
        all(one.boxed for one in targets),
        all(not one.boxed and trapped(draft, one.at, [at_of(table, unit) for unit in fight.units]) for one in targets),
        overrun,
        sum(one.prize for one in targets),
    )


def _factor(draft: Draft, unit: str, hexes: frozenset[Hex]) -> int:
    """What a unit counts in an attack, in eighths."""
    table, here = draft.table, at_of(draft.table, unit)
    found = 8 * current(table, unit, "combat") * kept(table, unit)
    across = not is_engineer(table, unit) and any(mined(table, here, at) for at in hexes if distance(here, at) == 1)
    return int(found / 2 if across else found)


# -- for the better ----------------------------------------------------------------------------------------------------------------


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
    for one in fights:
        for unit in free:
            if board.near[unit] & one.hexes:
                yield [one], [replace(one, units=one.units | {unit})]
        for unit in sorted(one.units):
            if unit not in board.owing and len(one.units) > 1:
                yield [one], [replace(one, units=one.units - {unit})]
            for other in fights:
                if other is not one and board.near[unit] & other.hexes and len(one.units) > 1:
                    yield [one, other], [replace(one, units=one.units - {unit}), replace(other, units=other.units | {unit})]
        if not one.units & board.owing.keys() and not one.hexes & board.due:
            yield [one], []
        yield from _merged(fights, one)
        yield from _divided(draft, board, one)
    for at in sorted({at for unit in free for at in board.near[unit]} - attacked):
        able = frozenset(unit for unit in free if at in board.near[unit] and (unit not in board.owing or at in board.owing[unit]))
        yield [], [Fight(frozenset({at}), able)]


def _merged(fights: Sequence[Fight], one: Fight) -> Iterator[tuple[list[Fight], list[Fight]]]:
    for other in fights:
        if other is not one and min(one.hexes) < min(other.hexes):
            yield [one, other], [Fight(one.hexes | other.hexes, one.units | other.units)]


def _divided(draft: Draft, board: Board, one: Fight) -> Iterator[tuple[list[Fight], list[Fight]]]:
    """An attack on several hexes as two."""
    if len(one.hexes) < 2 or len(one.units) < 2:
        return
    for at in sorted(one.hexes):
        alone, rest = frozenset({at}), one.hexes - {at}
        must = [unit for unit in one.units if not board.near[unit] & rest]
        may = sorted(
            (unit for unit in one.units if at in board.near[unit] and unit not in must), key=lambda unit: (_factor(draft, unit, rest), unit)
        )
        for n in range(len(may) + 1):
            here = frozenset([*must, *may[:n]])
            if here and one.units - here:
                yield [one], [Fight(alone, here), Fight(rest, one.units - here)]
