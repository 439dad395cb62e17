"""How the adjutant reads the ground: reach, distances, supply at a glance, and what the enemy can strike."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex, distance
from services.rules.engine import movement, supply
from services.rules.engine.model import IllegalOrder, Side
from services.rules.engine.movement import Reach
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.movement import activate, entry_cost
from services.rules.games.holdfast.state import control, is_armor, month, sp, value
from services.rules.games.holdfast.supply import LONGEST, blocked, road_net
from services.rules.games.holdfast.zoc import next_to_enemy

FAR = 10_000
CITY, FINAL = 7000, 4
"""What a city is worth, and how many times as much the one with which the game ends at once."""
LATE = 4
"""Game-turns before the end in which a side that is losing takes risks."""
LEAST, MOST = 20, 300
"""Bounds of caution, per cent."""
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


def lost(sketch: Sketch) -> tuple[str, ...]:
    """The side's units on the map that are out of supply as they stand: what ``supply.without_supply`` finds, in one flood."""
    safe = supplied(sketch, sketch.side)
    return tuple(c.id for c in on_map(sketch, sketch.side) if c.place not in safe)


def lost_after(sketch: Sketch, *moves: tuple[str, Hex]) -> int:
    """How many would be out of supply after some moves."""
    return sketch.after(moves, lambda: len(lost(sketch)))


def miles(sketch: Sketch, goal: Hex) -> Mapping[Hex, int]:
    """Half MP from every hex to ``goal`` for infantry, as if nobody stood in the way."""

    def found() -> Mapping[Hex, int]:
        costs = ground(sketch).free["infantry", "additional"]
        ways = movement.reachable(goal, None, around(sketch), lambda at, to: costs.get((to, at)))
        return {at: int(way.cost) for at, way in ways.items()}

    return sketch.lasting(("miles", goal), found)


def menaced(sketch: Sketch) -> frozenset[Hex]:
    """The hexes that some enemy unit could come to in a turn of strategic movement, if none of the side's stood in the way."""

    def found() -> frozenset[Hex]:
        costs = ground(sketch).free["armor", "additional"]
        seen: set[Hex] = set()
        for start, _, _ in enemies(sketch):
            if start not in seen:
                seen.update(movement.reachable(start, STRIDE, around(sketch), lambda at, to: costs.get((at, to))))
        return frozenset(seen)

    return sketch.lasting("menaced", found)


def garrisoned(sketch: Sketch, at: Hex) -> bool:
    """Whether a hex is a city of the side's that must not stand empty: its source, and what the enemy can come to."""
    return control(sketch).get(str(at)) == sketch.side and (at == ground(sketch).entry[sketch.side] or at in menaced(sketch))


def city_worth(sketch: Sketch, at: Hex, taker: Side) -> int:
    """What a city of the other side's is worth to ``taker``, in thousandths of an RP: more if it is the last, or the turn is."""
    holder = control(sketch).get(str(at))
    if holder is None or holder == taker:
        return 0
    last = sum(side == holder for side in control(sketch).values()) == 1
    return CITY * (FINAL if last else 2 if is_last(sketch) else 1)


def strikers(sketch: Sketch, at: Hex) -> int:
    """The dice that enemy units could throw at ``at`` in their next turn, by a rule of thumb: those of the strongest three near."""

    def found() -> int:
        dice = []
        for place, ma, rating in enemies(sketch):
            if distance(place, at) <= ma:
                dice.append(rating + ground(sketch).terrain_dice(sketch.data.board.terrain[at], "attack"))
        return sum(sorted(dice)[-3:])

    return sketch.lasting(("strikers", at), found)


def enemies(sketch: Sketch) -> list[tuple[Hex, int, int]]:
    """Of each enemy unit: hex, MA, dice."""

    def found() -> list[tuple[Hex, int, int]]:
        foes = on_map(sketch, sketch.enemy(sketch.side))
        return [(c.place, value(sketch, c.id, "ma"), value(sketch, c.id, "dice")) for c in foes if isinstance(c.place, Hex)]

    return sketch.lasting("enemies", found)


def power(table: Table, side: Side) -> int:
    """What a side has on the map: dice, weighted by strength."""
    return sum(value(table, c.id, "dice") * (2 + sp(table, c.id)) for c in on_map(table, side))


def caution(sketch: Sketch) -> int:
    """Per cent by which dangers count: less for the stronger side, which has no time to lose, more for the weaker."""

    def found() -> int:
        if desperate(sketch):
            return LEAST
        mine, his = power(sketch, sketch.side), power(sketch, sketch.enemy(sketch.side))
        return max(LEAST, min(MOST, 100 * his**2 // max(1, mine**2)))

    return sketch.lasting("caution", found)


def worth(table: Table, unit: str) -> int:
    """RP that a strength point of a unit costs."""
    return 2 if is_armor(table, unit) else 1


def goals(table: Sketch, side: Side) -> list[Hex]:
    """The cities that the enemy holds, by the way from the side's own source."""
    way = miles(table, ground(table).entry[side])
    held = [at for at in ground(table).cities if control(table)[str(at)] != side]
    return sorted(held, key=lambda at: (way.get(at, FAR), at))


def turns_left(table: Table) -> int:
    """Game-turns after this one."""
    return table.data.scenarios[table.before.scenario].last_turn - 1 - table.data.turns.index(month(table))


def is_last(table: Table) -> bool:
    """Whether this is the last game-turn."""
    return turns_left(table) == 0


def desperate(sketch: Sketch) -> bool:
    """Whether the end is near and the side does not hold most of the cities: it has nothing to lose."""
    mine = sum(side == sketch.side for side in control(sketch).values())
    return turns_left(sketch) < LATE and 2 * mine < len(control(sketch))
