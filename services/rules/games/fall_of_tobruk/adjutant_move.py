"""The adjutant's movement: attacks as long as some promise enough, a pass for each wave; then everybody goes where he is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.hexes import Hex, distance
from services.rules.engine import flow
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map, units_at
from services.rules.games.fall_of_tobruk import movement, phases
from services.rules.games.fall_of_tobruk.adjutant_aims import centre, fed, fortress, mobile, pressure
from services.rules.games.fall_of_tobruk.adjutant_gaps import crossers, gap_goal, guard_goal, keeps_gap
from services.rules.games.fall_of_tobruk.adjutant_goals import goal_of_force, rally, storms
from services.rules.games.fall_of_tobruk.adjutant_ground import (
    FAR,
    before_mines,
    danger,
    fits,
    go,
    near_enemies,
    others_at,
    reach,
    strength,
    way,
)
from services.rules.games.fall_of_tobruk.adjutant_leave import leave, leaving
from services.rules.games.fall_of_tobruk.adjutant_plans import STEP, STORMING, Forces, plans, sources
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import ground
from services.rules.games.fall_of_tobruk.mines import open_gaps
from services.rules.games.fall_of_tobruk.placement import west_of_the_line
from services.rules.games.fall_of_tobruk.stacking import is_artillery
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, combat_value, is_engineer, is_gun, is_tank, value
from services.rules.games.fall_of_tobruk.victory import holder, tobruk

WAVES = 3
"""Passes in which attacks are taken up."""
GARRISON, WITHIN = 2400, 2
"""Hundredths of combat factors that the Allies think enough for Tobruk, and how near to it they are counted."""
STAGED = 20
"""Quarters of an MP that one has gained who stands before mines that lie in his way."""
UNFED = 80
"""Hundredths of its worth that it costs a unit to end its move without supply."""
FEAR, BOLD, STEADY = 60, 40, 15
"""Hundredths by which dangers count for the Allies, for the Axis, which has to take what it wants, and for those who hold the line."""
TOGETHER = 1
"""Hundredths of a combat factor that each factor of friends next to it is worth to a unit."""
NEAR = 80
"""Quarters of an MP from which those who hold the line join the force in what it goes for."""
STUCK = 60
"""Hundredths of its worth that it costs to stay where one must attack though that promises nothing."""


def move(draft: Draft) -> None:
    """A wave of attacks if there is one; else all go to their goals, and those who owe an attack stand."""
    wave = flow.pass_number(draft.table) <= WAVES and _attack(draft)
    if not wave:
        leave(draft)
        _to_goals(draft)
    stands = _owing(draft) if not wave else []
    if stands:
        draft.give("STAND", units=stands)
    draft.done(turn=not wave and not stands)


def _owing(draft: Draft) -> list[str]:
    table = draft.table
    idle = [unit for unit in phases.owing(table, draft.side) if "active" not in table.counters[unit].marks]
    return [unit for unit in idle if movement.can_stand(table, unit)]


# -- attacks -----------------------------------------------------------------------------------------------------------------------


def _attack(draft: Draft) -> bool:
    """Take up the attacks that promise enough; whether there are any."""
    found = False
    forces = _forces(draft)
    for plan in plans(draft, forces):
        found = True
        together: dict[tuple[Hex, Hex, object], list[str]] = {}
        for unit, at in plan.spots:
            start = hex_of(draft.table, unit)
            assert start is not None
            together.setdefault((start, at, movement.left_to(draft.table, unit)), []).append(unit)
        for (start, at, _), units in together.items():
            if start == at:
                draft.give("STAND", units=units)
            else:
                go(draft, units, at)
    return found


def _forces(draft: Draft) -> Forces:
    """Who can be planned with: no guns, nobody who is finished or needed where he stands."""
    table = draft.table
    kept = keeps_gap(draft).keys() | leaving(draft)
    found = {}
    for unit in on_map(table, draft.side):
        if unit.marks & {"done", "moved", "active"} or not combat_value(table, unit.id) or _supports(draft, unit.id):
            continue
        if draft.side == AXIS and is_engineer(table, unit.id):
            continue
        ways = reach(draft, unit.id)
        if draft.side == ALLIED and unit.id not in kept:
            ways = {at: before for at, before in ways.items() if before is None or not west_of_the_line(table, at)}
        if unit.id in kept or (draft.side == ALLIED and _garrison(draft, unit.id)):
            ways = {at: None for at in (hex_of(table, unit.id),) if at is not None}
        if len(ways) > 1 or movement.can_stand(table, unit.id):
            found[unit.id] = ways
    return Forces(found)


def _garrison(draft: Draft, unit: str) -> bool:
    """Whether an Allied unit holds a Box, or Tobruk: it attacks from there alone."""
    at = hex_of(draft.table, unit)
    return at in tobruk(draft.table) or at in ground(draft.table).box_of


# -- goals -------------------------------------------------------------------------------------------------------------------------


def _to_goals(draft: Draft) -> None:
    """Stacks first, those nearest to the enemy before others; guns after them."""
    table = draft.table
    foes = occupied(table, draft.enemy)
    stacks: dict[tuple[Hex, int, bool], list[str]] = {}
    for unit in on_map(table, draft.side):
        if isinstance(unit.place, Hex) and movement.can_set_out(table, unit.id) and "moved" not in unit.marks:
            key = (unit.place, movement.left_to(table, unit.id), _supports(draft, unit.id))
            stacks.setdefault(key, []).append(unit.id)

    def near(at: Hex) -> int:
        return min((distance(at, foe) for foe in foes), default=0)

    parts = [
        (some, at, gun)
        for (at, _, gun), units in sorted(stacks.items(), key=lambda item: (item[0][2], near(item[0][0]), item[0]))
        for some in _parts(draft, at, units, gun)
    ]
    parts.sort(key=lambda one: gap_goal(draft, one[0][0]) is None)
    for some, at, gun in parts:
        goal = _goal(draft, some, at, gun)
        if goal is not None:
            gaps = open_gaps(table)
            _settle(draft, some, at, goal, gun)
            if open_gaps(table) != gaps:
                draft.forget("lines")


def _supports(draft: Draft, unit: str) -> bool:
    """Whether a unit goes where others stand that need it: guns, 88s and self-propelled guns."""
    return is_artillery(draft.table, unit)


def _parts(draft: Draft, at: Hex, units: list[str], gun: bool) -> list[list[str]]:
    """A stack as it marches: engineers with a task of their own alone, guns one by one."""
    if gun:
        return [[unit] for unit in units]
    tasks = keeps_gap(draft).keys() | leaving(draft)
    alone = [unit for unit in units if unit in tasks or gap_goal(draft, unit) is not None or guard_goal(draft, unit) is not None]
    return [*([unit] for unit in alone), *([rest] if (rest := [unit for unit in units if unit not in alone]) else [])]


def _goal(draft: Draft, units: Sequence[str], at: Hex, gun: bool) -> Hex | None:
    """Where a stack is sent; None if it stays."""
    table = draft.table
    first = units[0]
    if first in keeps_gap(draft):
        go(draft, units, keeps_gap(draft)[first])
        return None
    if draft.side == AXIS:
        if (guarded := guard_goal(draft, first)) is not None:
            return guarded
        if (gap := gap_goal(draft, first)) is not None:
            return gap
        if at in tobruk(table):
            return None
        goal = goal_of_force(draft)
        if is_engineer(table, first):
            return centre(draft, AXIS)
        near = way(draft, goal).get(at, FAR) < NEAR
        return goal if mobile(draft, first) or near or (gun and value(table, first, "ma") > 5) else _opposite(draft, at)
    if first in leaving(draft):
        return min(ground(table).east, key=lambda to: (way(draft, to).get(at, FAR), to))
    if holder(table) == ALLIED and _garrison(draft, first) and not _released(draft, at):
        return None
    if holder(table) != ALLIED:
        return fortress(draft)
    return _needed(draft, at, first) if not mobile(draft, first) or at not in ground(table).box_of else rally(draft)


def _opposite(draft: Draft, at: Hex) -> Hex:
    """The enemy hex nearest to those who hold the line."""
    return min(occupied(draft.table, ALLIED), key=lambda to: (way(draft, at, AXIS).get(to, FAR), to), default=fortress(draft))


def _released(draft: Draft, at: Hex) -> bool:
    """Whether a Box may be given up: the enemy has got behind it and is on the way to Tobruk, and nobody is next to it."""
    goal = fortress(draft)
    if at == goal or at in near_enemies(draft):
        return False
    return pressure(draft, goal, AXIS, 1) > 2 * strength(draft, units_at(draft.table, goal)) and way(draft, goal).get(at, FAR) < 60


def _needed(draft: Draft, at: Hex, unit: str) -> Hex:
    """Tobruk if it wants men and the unit is none of armor, else where the others gather."""
    table, goal = draft.table, fortress(draft)
    near = [other.id for other in on_map(table, ALLIED) if isinstance(other.place, Hex) and distance(other.place, goal) <= WITHIN]
    wanted = strength(draft, near) < GARRISON and pressure(draft, goal, AXIS) * 2 > strength(draft, near) * 3
    return goal if wanted and not is_tank(table, unit) else rally(draft)


def _settle(draft: Draft, units: Sequence[str], at: Hex, goal: Hex, gun: bool) -> None:
    """A stack goes where it stands best on its way to its goal."""
    table = draft.table
    there = way(draft, goal)
    ways = reach(draft, units[0])
    worth = sum(draft.worth(unit) for unit in units)
    near = near_enemies(draft)
    fear = (BOLD if draft.side == AXIS else FEAR) if gun or mobile(draft, units[0]) else STEADY
    friends = {} if gun else _friends(draft, units)
    lone_engineer = len(units) == 1 and is_engineer(table, units[0])
    opens = lone_engineer and gap_goal(draft, units[0]) == goal
    fear = fear // 4 if opens else fear
    step = STEP * STORMING // 100 if storms(draft) else STEP

    def score(to: Hex) -> int:
        others = others_at(draft, to, units)
        with_us = danger(draft, to, (*others, *units))
        risk = (with_us * worth - _helped(draft, to, others, with_us)) // 100 * fear // 100
        far = (min(there.get(to, FAR), 400) - (STAGED if before_mines(draft, there, to) else 0)) * step * len(units)
        if to in tobruk(table) and goal == to:
            risk //= 3
        unfed = 0 if fed(draft, to) or opens else worth * UNFED // (400 if storms(draft) else 100)
        stuck = worth * STUCK // 100 if to == at and sources(draft, to) else 0
        cover = 250 if gun and any(not is_gun(table, other) for other in others) else 0
        return cover + friends.get(to, 0) - far - risk - unfed - stuck

    guns = all(is_gun(table, unit) for unit in units)
    if draft.side == ALLIED and mobile(draft, units[0]):
        ways = {to: before for to, before in ways.items() if before is None or not _barred(draft, units[0], to)}
    open_ = [to for to in ways if to == at or to not in near or guns or (lone_engineer and to == goal) or _shelter(draft, to)]
    wanted = crossers(draft, units)
    roomy = [
        to for to in open_ if (to == at and to not in wanted) or fits(draft, {*others_at(draft, to, units), *units, *wanted.get(to, ())})
    ]
    for to in sorted(roomy, key=lambda to: (-score(to), to))[:2]:
        if to == at or go(draft, units, to):
            return


def _barred(draft: Draft, unit: str, at: Hex) -> bool:
    """Whether the mobile force of the Allies keeps out of a hex: beyond the line, and with tanks in a Box, where they are no use."""
    return west_of_the_line(draft.table, at) or (is_tank(draft.table, unit) and at in ground(draft.table).box_of)


def _helped(draft: Draft, at: Hex, others: Sequence[str], with_us: int) -> int:
    """What it saves those who stand in a hex that a stack joins them."""
    if not others:
        return 0
    return max(0, danger(draft, at, others) - with_us) * sum(draft.worth(other) for other in others)


def _friends(draft: Draft, units: Sequence[str]) -> Mapping[Hex, int]:
    """Hex -> what the company of others of the mobile force next to it is worth to a stack."""
    table = draft.table
    if not mobile(draft, units[0]):
        return {}
    weights: dict[Hex, int] = {}
    for unit in on_map(table, draft.side):
        if isinstance(unit.place, Hex) and unit.id not in units and mobile(draft, unit.id):
            weights[unit.place] = weights.get(unit.place, 0) + combat_value(table, unit.id)
    found: dict[Hex, int] = {}
    for at, weight in weights.items():
        for to in adjacent(table, at):
            found[to] = found.get(to, 0) + weight
    return {to: min(60, weight) * TOGETHER * len(units) for to, weight in found.items()}


def _shelter(draft: Draft, at: Hex) -> bool:
    """Whether one may stand next to enemies in a hex without having to attack them: in a Box that is one's own."""
    return at in ground(draft.table).box_of and not sources(draft, at)
