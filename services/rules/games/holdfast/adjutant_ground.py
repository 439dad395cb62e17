"""How the adjutant reads the ground: reach, distances, supply at a glance, and what the enemy can strike."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex, distance
from services.rules.engine import movement, supply
from services.rules.engine.model import IllegalOrder, Side
from services.rules.engine.movement import Reach
from services.rules.engine.table import Table
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.movement import activate, entry_cost
from services.rules.games.holdfast.state import control, hex_of, is_armor, occupied, on_map, sp, value
from services.rules.games.holdfast.supply import LONGEST, blocked, road_net
from services.rules.games.holdfast.zoc import next_to_enemy

FAR = 10_000
STRIDE = 32
"""Half MP that the fastest unit has in strategic movement."""


def reach(sketch: Sketch, unit: str, strategic: bool = False, leader: bool = False) -> Mapping[Hex, Reach]:
    """The hexes in which a unit may end a move now, its own and those of friends left out; none if it cannot be activated so."""
    here = hex_of(sketch, unit)
    if here is None or (strategic and (leader or _unsure(sketch, here))):
        return {}
    try:
        mover = activate(sketch, unit, strategic, leader)
    except IllegalOrder:
        return {}

    def found() -> Mapping[Hex, Reach]:
        friends = occupied(sketch, mover.side)
        everywhere = movement.reachable(mover.at, mover.allowance, around(sketch), entry_cost(sketch, mover))
        return {at: way for at, way in everywhere.items() if at not in friends}

    return sketch.remembered(("reach", unit, strategic, leader), found)


def _unsure(sketch: Sketch, here: Hex) -> bool:
    """Where zones are not told, strategic movement from beside an enemy may be refused."""
    return sketch.zones is None and next_to_enemy(sketch, sketch.side, here)


def supplied(table: Table, side: Side) -> frozenset[Hex]:
    """The hexes in which a unit of a side would be in supply, as its others stand; one flood."""

    def found() -> frozenset[Hex]:
        shut = blocked(table, side)
        return ground(table).havens | supply.within(road_net(table, side), LONGEST, around(table), lambda at: at not in shut)

    return table.remembered(("adjutant-supplied", side), found)


def miles(table: Table, goal: Hex) -> Mapping[Hex, int]:
    """Half MP from every hex to ``goal`` for infantry, as if nobody stood in the way."""

    def found() -> Mapping[Hex, int]:
        costs = ground(table).free["infantry", "additional"]
        return {at: int(way.cost) for at, way in movement.reachable(goal, None, around(table), lambda at, to: costs.get((to, at))).items()}

    return table.remembered(("adjutant-miles", goal), found)


def menaced(table: Table, side: Side) -> frozenset[Hex]:
    """The hexes that some enemy unit could enter in its next turn by strategic movement, past the zones of ``side``."""

    def found() -> frozenset[Hex]:
        enemy = table.enemy(side)
        costs = ground(table).free["armor", "additional"]
        mine = occupied(table, side)
        zones = frozenset(to for at in mine for to in around(table)(at))

        def cost(at: Hex, to: Hex) -> int | None:
            return None if to in mine else costs.get((at, to))

        seen: set[Hex] = set()
        for start in sorted(occupied(table, enemy)):
            if start not in seen or start in zones:
                seen.update(movement.reachable(start, STRIDE, around(table), cost, zones.__contains__))
        return frozenset(seen)

    return table.remembered(("adjutant-menaced", side), found)


def strikers(table: Table, side: Side, at: Hex) -> list[str]:
    """The enemy units that could attack ``at`` in their next turn, by a rule of thumb: the nearest and strongest three."""
    near = []
    for counter in on_map(table, table.enemy(side)):
        assert isinstance(counter.place, Hex)
        far = distance(counter.place, at)
        if far <= value(table, counter.id, "ma"):
            near.append((far > 1, -value(table, counter.id, "dice"), far, counter.id))
    return [unit for *_, unit in sorted(near)[:3]]


def power(table: Table, side: Side) -> int:
    """What a side has on the map: dice, weighted by strength."""
    return sum(value(table, c.id, "dice") * (2 + sp(table, c.id)) for c in on_map(table, side))


def worth(table: Table, unit: str) -> int:
    """RP that a strength point of a unit costs."""
    return 2 if is_armor(table, unit) else 1


def goals(table: Table, side: Side) -> list[Hex]:
    """The cities that the enemy holds, by the way from the side's own source."""
    way = miles(table, ground(table).entry[side])
    held = [at for at in ground(table).cities if control(table)[str(at)] != side]
    return sorted(held, key=lambda at: (way.get(at, FAR), at))
