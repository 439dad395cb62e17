"""What the adjutant looks at to make up its mind: Tobruk, supply, where either side's mobile force is and what it could bring."""

from __future__ import annotations

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import on_map, units_at
from services.rules.games.fall_of_tobruk.adjutant_ground import way
from services.rules.games.fall_of_tobruk.adjutant_view import SLOW, Draft
from services.rules.games.fall_of_tobruk.ground import ground
from services.rules.games.fall_of_tobruk.state import ALLIED, combat_value, current, is_gun, value
from services.rules.games.fall_of_tobruk.supply import boxes_beside, lines
from services.rules.games.fall_of_tobruk.victory import tobruk


def fortress(draft: Draft) -> Hex:
    """The hex of Tobruk."""
    return min(tobruk(draft.table))


# -- supply ------------------------------------------------------------------------------------------------------------------------


def fed(draft: Draft, at: Hex) -> bool:
    """Whether a unit that stands in a hex would be in supply as things are."""
    if draft.side == ALLIED:
        return True
    table = draft.table
    beside = draft.lasting(("beside", at), lambda: frozenset(boxes_beside(table, at)))
    return at in draft.lasting(("lines", beside), lambda: lines(table, beside))


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
