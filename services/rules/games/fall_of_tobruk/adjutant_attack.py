"""The adjutant's declaration: attacks that must be made, at the best that can be made of them, and those that promise something."""

from __future__ import annotations

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import flow
from services.rules.engine.attacks import Board, Fight, improved
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


def attack(draft: Draft) -> None:
    """Attacks, then hexes that fire has emptied."""
    table, side = draft.table, draft.side
    near = {unit: frozenset(enemies_next_to(table, unit)) for unit in duty.taking_part(table, side) if not is_gun(table, unit)}
    board = Board(
        {unit: hexes for unit, hexes in near.items() if hexes},
        duty.obliged(table, side),
        frozenset(duty.due(table, side)),
        lambda fight: gain(table, draft.lasting("results", lambda: results(table)), _prospect(draft, fight)),
        lambda unit, hexes: _factor(draft, unit, hexes),
    )
    start = [Fight(frozenset(map(parse_hex, one.args["hexes"])), frozenset(one.args["units"])) for one in compulsory.missing(table, side)]
    for fight in sorted(improved(board, start, rounds=ROUNDS, eager=EAGER), key=lambda one: (-board.worth(one), sorted(one.hexes))):
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
