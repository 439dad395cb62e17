"""The adjutant's package: attacks that must be made, at the best that can be made of them, and those that promise something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.attacks import Board, Fight, improved
from services.rules.engine.positions import adjacent, hex_of, on_map, side_at
from services.rules.games.race_for_tunis import compulsory, duty, engaged
from services.rules.games.race_for_tunis.adjutant_odds import Prospect, gain
from services.rules.games.race_for_tunis.adjutant_plans import Target, factor, gun_factor, target
from services.rules.games.race_for_tunis.adjutant_selective import parted
from services.rules.games.race_for_tunis.adjutant_support import fly, silence
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.state import attack_value, french_restricted, interdiction, is_artillery, nation_of, value
from services.rules.games.race_for_tunis.zoc import in_zone, zones

ROUNDS = 40
"""Changes for the better that are looked for at most."""
EAGER = 30
"""What an attack must promise that nobody must make, in hundredths of a combat factor."""


SPARE = 25
"""What a gun must add to an attack not to be left for counterbattery, where that is played."""


def attack(draft: Draft) -> None:
    """Attacks, with guns, aircraft and counterbattery."""
    board = _board(draft)
    fights = improved(board, _start(draft, board), rounds=ROUNDS, eager=EAGER)
    fights = _with_guns(draft, board, fights)
    fights = improved(board, fights, rounds=ROUNDS, eager=EAGER)
    given = [fight for fight in sorted(fights, key=lambda one: (-board.worth(one), sorted(one.hexes))) if _give(draft, board, fight)]
    silence(draft, [one.hexes for one in given], {gun for one in given for gun in one.guns})
    fly(draft, [(one.hexes, prospect(draft, one)) for one in given])


def _give(draft: Draft, board: Board, fight: Fight) -> bool:
    """Order an attack, in two parts where that promises more; whether the law takes it."""
    hexes = sorted(fight.hexes)
    parts = parted(draft, hexes[0], sorted(fight.units), fight.guns, board.worth(fight)) if len(hexes) == 1 else None
    if parts is not None and all(_order(draft, hexes, one.units, one.guns, one.only, rest=one.only is None) for one in parts):
        return True
    return parts is None and _order(draft, hexes, sorted(fight.units), fight.guns, None, rest=False)


def _order(draft: Draft, hexes: Sequence[Hex], units: Sequence[str], guns: Sequence[str], only: str | None, *, rest: bool) -> bool:
    on = [str(at) for at in hexes]
    return draft.gather("ATTACK", hexes=on, units=list(units), support=list(guns), lower=None, only=only, rest=rest)


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
    tied = engaged.together(table, side)
    return Board(
        near,
        duty.obliged(table, side),
        frozenset(duty.due(table, side)),
        lambda fight: gain(table, prospect(draft, fight)),
        lambda unit, hexes: _factor(draft, unit, hexes),
        frozenset(unit for one in tied for unit in one.units),
        tuple(one.hexes for one in tied),
    )


def _start(draft: Draft, board: Board) -> list[Fight]:
    """What must be attacked, as the rule would have it."""
    orders = compulsory.missing(draft.table, draft.side)
    return [Fight(frozenset(map(parse_hex, order.args["hexes"])), frozenset(order.args["units"])) for order in orders]


# -- what an attack is worth -----------------------------------------------------------------------------------------------------


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
            more = board.worth(replace(one, guns=(*one.guns, gun))) - board.worth(one)
            if best is None or more > best[0]:
                best = more, one
        if best is not None and best[0] >= (SPARE if table.options["counterbattery"] else 0):
            fights = [replace(one, guns=(*one.guns, gun)) if one is best[1] else one for one in fights]
    return fights


def _may_support(draft: Draft, gun: str, one: Fight) -> bool:
    table, here = draft.table, _at(draft, gun)
    if interdiction(table, here, draft.side) or min(distance(here, at) for at in one.hexes) > value(table, gun, "range"):
        return False
    french = nation_of(table, gun) == "french" and french_restricted(table)
    return not (french and any(nation_of(table, unit) != "french" for unit in one.units))
