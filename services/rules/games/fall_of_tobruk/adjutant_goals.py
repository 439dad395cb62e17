"""What the adjutant wants: Tobruk above all, the Boxes that shut the road to it; where the mobile forces go."""

from __future__ import annotations

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import occupied, on_map, units_at
from services.rules.games.fall_of_tobruk.adjutant_aims import centre, defence_at, fed, fortress, pressure
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, danger, strength, way
from services.rules.games.fall_of_tobruk.adjutant_road import line, road
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import ground
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, gaps
from services.rules.games.fall_of_tobruk.victory import holder, tobruk

FORTRESS = 2600
"""What it is worth to take Tobruk, in hundredths of a combat factor; late in the game more."""
BARS, BOX = 1600, 200
"""What it is worth to the Axis that a hex of a Box is empty: one that bars the road, and another."""
GAP = 300
"""What it is worth to the Allies to drive off an engineer that keeps a gap open."""
AHEAD = 3
"""Hexes beyond the end of the line of supply that its mobile force goes."""
RUSH, ENOUGH = 5, 2
"""Game-turns before the end in which the Axis goes for Tobruk whatever its supply; and how many times the garrison is enough for that."""
AWAY = 48
"""Quarters of an MP from the enemy's mass at which the Allies gather: out of reach of one move, so that brigades go in one by one."""
NEAR_TOBRUK = 5
"""Hexes from Tobruk within which every Axis stack is worth driving off."""


def prize(draft: Draft, at: Hex) -> int:
    """What it is worth to a side to empty a hex of enemies, beside what it does to these."""
    return draft.lasting(("prize", at), lambda: _prize(draft, at))


def _prize(draft: Draft, at: Hex) -> int:
    table, here = draft.table, ground(draft.table)
    if at in tobruk(table):
        return FORTRESS * (2 if draft.left < 6 else 1)
    if draft.side == AXIS:
        near = max(0, 6 - distance(at, fortress(draft))) * 40
        planned = road(draft)
        if planned is not None and here.box_of.get(at) in planned.boxes:
            return near + BARS
        return near + (BOX if at in here.box_of else 0)
    engineers = {str(one["engineer"]) for one in gaps(table)}
    found = GAP if engineers & set(units_at(table, at)) else 0
    return found + (150 if distance(at, fortress(draft)) <= NEAR_TOBRUK else 0)


# -- where to ----------------------------------------------------------------------------------------------------------------------


def focus(draft: Draft) -> Hex:
    """The enemy hex that the mobile force of the Axis goes for."""
    return draft.lasting("focus", lambda: _focus(draft))


def _focus(draft: Draft) -> Hex:
    table, here = draft.table, ground(draft.table)
    goal, enemies = fortress(draft), occupied(draft.table, ALLIED)
    from_here = way(draft, centre(draft, AXIS), AXIS)
    if holder(table) == AXIS:
        to_goal = way(draft, goal, AXIS)
        return min(enemies, key=lambda at: (from_here.get(at, FAR) + to_goal.get(at, FAR) // 2, at), default=goal)
    planned = road(draft)
    barring = {at for name in planned.boxes for at in here.boxes[name] if at in enemies} if planned is not None else set()
    return min(barring, key=lambda at: (defence_at(draft, at), from_here.get(at, FAR), at), default=goal)


def goal_of_force(draft: Draft) -> Hex:
    """Where the mobile force of the Axis goes: what it goes for, if that is a Box or near the end of the line of supply, or the days run
    out; else a little way beyond that end, along the road, which it opens and keeps open so."""
    return draft.lasting("force", lambda: _goal_of_force(draft))


def _goal_of_force(draft: Draft) -> Hex:
    goal, planned = focus(draft), road(draft)
    if planned is None or holder(draft.table) == AXIS:
        return goal
    if goal != fortress(draft):
        return _before(draft, goal)
    if storms(draft):
        return goal
    fed_so_far = [n for n, at in enumerate(planned.path) if fed(draft, at)]
    last = next((n for n in fed_so_far if n + 1 not in fed_so_far), 0)
    ahead = planned.path[min(last + AHEAD, len(planned.path) - 1)]
    return goal if distance(ahead, goal) <= NEAR_TOBRUK else ahead


def storms(draft: Draft) -> bool:
    """Whether the Axis goes for Tobruk whatever its supply: the days run out, or enough of it is near."""
    return draft.lasting("storms", lambda: _storms(draft))


def _storms(draft: Draft) -> bool:
    table, goal = draft.table, fortress(draft)
    if draft.side != AXIS or focus(draft) != goal or holder(table) == AXIS:
        return False
    held = [unit.id for unit in on_map(table, ALLIED) if isinstance(unit.place, Hex) and distance(unit.place, goal) <= 2]
    return draft.left < RUSH or pressure(draft, goal, AXIS) > ENOUGH * strength(draft, held)


def _before(draft: Draft, goal: Hex) -> Hex:
    """The hex before a Box from which supply comes to those who attack it."""
    here, enemies = ground(draft.table), occupied(draft.table, ALLIED)
    held = {name for name, hexes in here.boxes.items() if hexes & enemies} - {here.box_of[goal]}
    path = line(draft, goal, held)
    return next((at for at in reversed(path) if at not in here.box_of), goal) if path is not None else goal


def rally(draft: Draft) -> Hex:
    """Where the mobile force of the Allies gathers: a hex of theirs between the enemy's mass and Tobruk, in the open."""
    return draft.lasting("rally", lambda: _rally(draft))


def _rally(draft: Draft) -> Hex:
    table = draft.table
    goal = fortress(draft)
    foe = centre(draft, AXIS)
    to_goal, from_foe = way(draft, goal), way(draft, foe)
    if holder(table) != ALLIED:
        return goal
    held = [at for at in occupied(table, ALLIED) if distance(at, foe) >= 2 and distance(at, goal) > NEAR_TOBRUK]

    def score(at: Hex) -> int:
        detour = to_goal.get(at, FAR) + from_foe.get(at, FAR)
        stands = units_at(table, at)
        return detour + abs(from_foe.get(at, FAR) - AWAY) + danger(draft, at, stands) - strength(draft, stands) // 100

    return min(held, key=lambda at: (score(at), at), default=goal)
