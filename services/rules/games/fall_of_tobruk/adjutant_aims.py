"""What the adjutant wants: Tobruk above all, the Boxes, and what shuts the way of supply."""

from __future__ import annotations

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import adjacent, occupied, on_map, units_at
from services.rules.games.fall_of_tobruk.adjutant_ground import danger, strength, way
from services.rules.games.fall_of_tobruk.adjutant_view import SLOW, Draft
from services.rules.games.fall_of_tobruk.ground import ground
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, combat_value, current, gaps, is_gun, value
from services.rules.games.fall_of_tobruk.supply import lines
from services.rules.games.fall_of_tobruk.victory import holder, tobruk

FORTRESS = 2600
"""What it is worth to take Tobruk, in hundredths of a combat factor; late in the game more."""
BOX = 400
"""What it is worth to the Axis that a Box is empty; as much again for one that lies in the way of supply."""
GAP = 300
"""What it is worth to the Allies to drive off an engineer that keeps a gap open."""
NEAR_TOBRUK = 5
"""Hexes from Tobruk within which every Axis stack is worth driving off."""


def fortress(draft: Draft) -> Hex:
    """The hex of Tobruk."""
    return min(tobruk(draft.table))


def prize(draft: Draft, at: Hex) -> int:
    """What it is worth to a side to empty a hex of enemies, beside what it does to these."""
    return draft.lasting(("prize", at), lambda: _prize(draft, at))


def _prize(draft: Draft, at: Hex) -> int:
    table, here = draft.table, ground(draft.table)
    if at in tobruk(table):
        return FORTRESS * (2 if draft.left < 6 else 1)
    if draft.side == AXIS:
        near = max(0, 6 - distance(at, fortress(draft))) * 40
        return near + ((BOX * (2 if _shuts_supply(draft, here.box_of[at]) else 1)) if at in here.box_of else 0)
    engineers = {str(one["engineer"]) for one in gaps(table)}
    found = GAP if engineers & set(units_at(table, at)) else 0
    return found + (150 if distance(at, fortress(draft)) <= NEAR_TOBRUK else 0)


def _shuts_supply(draft: Draft, box: str) -> bool:
    """Whether tracks run by a Box."""
    here = ground(draft.table)
    return sum(1 for at, _ in here.ways if at in here.near[box]) > 12


# -- supply ------------------------------------------------------------------------------------------------------------------------


def fed(draft: Draft, at: Hex) -> bool:
    """Whether a unit that stands in a hex would be in supply as things are."""
    return draft.side == ALLIED or at in draft.lasting("lines", lambda: lines(draft.table))


# -- the enemy's weight ------------------------------------------------------------------------------------------------------------


def mobile(draft: Draft, unit: str) -> bool:
    """Whether a unit marches and fights: neither a gun nor one of those who hold the line."""
    table = draft.table
    return not is_gun(table, unit) and value(table, unit, "ma") > SLOW


def pressure(draft: Draft, at: Hex, side: str, turns: int = 2) -> int:
    """Hundredths of combat factors of a side's mobile units that could be at a hex within so many game-turns."""
    there = way(draft, at, side)
    table, found = draft.table, 0
    for unit in on_map(table, side):
        here, most = unit.place, 4 * value(table, unit.id, "ma") * turns
        if isinstance(here, Hex) and mobile(draft, unit.id) and there.get(here, 10**6) <= most:
            found += 100 * combat_value(table, unit.id)
    return found


def centre(draft: Draft, side: str) -> Hex:
    """Where the mobile units of a side are, by their weight."""

    def found() -> Hex:
        table = draft.table
        weights: dict[Hex, int] = {}
        for unit in on_map(table, side):
            if isinstance(unit.place, Hex) and mobile(draft, unit.id) and not (side == ALLIED and unit.place in ground(table).box_of):
                weights[unit.place] = weights.get(unit.place, 0) + combat_value(table, unit.id)
        if not weights:
            return fortress(draft)
        near = {at: sum(n for other, n in weights.items() if distance(at, other) <= 4) for at in weights}
        return max(near, key=lambda at: (near[at], at))

    return draft.lasting(("centre", side), found)


def defence_at(draft: Draft, at: Hex) -> int:
    """Hundredths of factors that defend a hex now, a Box as much as counts across its mines."""
    table = draft.table
    found = sum((current(table, unit, "combat") for unit in units_at(table, at)), 0)
    return int(found * 100 * (2 if at in ground(table).box_of else 1))


def _neighbours(draft: Draft, at: Hex) -> int:
    """Hundredths of factors that could come to the help of an enemy hex: a part of what stands near."""
    table, found = draft.table, 0
    for unit in on_map(table, draft.enemy):
        if isinstance(unit.place, Hex) and 0 < distance(at, unit.place) <= 3 and not is_gun(table, unit.id):
            found += 100 * combat_value(table, unit.id) // (1 + distance(at, unit.place))
    return found


# -- where to ----------------------------------------------------------------------------------------------------------------------


def focus(draft: Draft) -> Hex:
    """The enemy hex that the mobile force of the Axis goes for."""
    return draft.lasting("focus", lambda: _focus(draft))


def _focus(draft: Draft) -> Hex:
    table = draft.table
    goal, here = fortress(draft), centre(draft, AXIS)
    to_goal, from_here = way(draft, goal, AXIS), way(draft, here, AXIS)
    if holder(table) == AXIS:
        enemies = occupied(table, ALLIED)
        return min(enemies, key=lambda at: (from_here.get(at, 10**6) + to_goal.get(at, 10**6) // 2, at), default=goal)
    haste = 3 if draft.left < 12 else 2
    force = sum(100 * combat_value(table, unit.id) for unit in on_map(table, AXIS) if mobile(draft, unit.id))

    def score(at: Hex) -> int:
        held = max(100, defence_at(draft, at) + _neighbours(draft, at))
        odds = min(8, 4 * force // (5 * held))
        worth = sum(draft.worth(unit) for unit in units_at(table, at)) // 4 + prize(draft, at)
        if not any(fed(draft, to) for to in adjacent(table, at)):
            worth //= 8
        return worth * odds // 5 - 10 * from_here.get(at, 10**6) - 2 * haste * to_goal.get(at, 10**6)

    return max({*occupied(table, ALLIED), goal}, key=lambda at: (score(at), at))


def rally(draft: Draft) -> Hex:
    """Where the mobile force of the Allies gathers: a hex of theirs between the enemy's mass and Tobruk."""
    return draft.lasting("rally", lambda: _rally(draft))


def _rally(draft: Draft) -> Hex:
    table = draft.table
    goal = fortress(draft)
    foe = centre(draft, AXIS)
    to_goal, from_foe = way(draft, goal), way(draft, foe)
    if holder(table) != ALLIED:
        return goal
    held = [at for at in occupied(table, ALLIED) if distance(at, foe) >= 2]

    def score(at: Hex) -> int:
        detour = to_goal.get(at, 10**6) + from_foe.get(at, 10**6)
        stands = units_at(table, at)
        return detour + abs(from_foe.get(at, 10**6) - 24) + danger(draft, at, stands) - strength(draft, stands) // 100

    return min(held, key=lambda at: (score(at), at), default=goal)
