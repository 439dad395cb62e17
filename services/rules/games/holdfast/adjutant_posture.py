"""The adjutant's other moves: cities without a garrison, supply restored, and where each unit stands best until the next turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenarios.hexes import Hex, distance
from services.rules.engine.model import Order
from services.rules.engine.movement import Reach
from services.rules.games.holdfast.adjutant_attack import move
from services.rules.games.holdfast.adjutant_ground import FAR, goals, menaced, miles, power, reach, strikers, supplied, worth
from services.rules.games.holdfast.adjutant_odds import hits
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.state import control, hex_of, is_armor, occupied, on_map, rp, sp, value
from services.rules.games.holdfast.supply import without_supply
from services.rules.games.holdfast.zoc import enemy_zoc

GARRISON = 9000
"""What it is worth to stand in an own city that the enemy can enter."""
TAKE = 12000
"""What it is worth to enter an enemy city."""
STEP = 90
"""What half an MP towards the goal is worth."""
WORTH_A_MOVE = 450
"""What a move must gain."""


def captures(sketch: Sketch) -> Iterator[Order]:
    """Enemy cities that stand empty are entered, by the nearest unit that is in supply there or can stay."""
    for city in goals(sketch, sketch.side):
        found = []
        for unit, strategic, ways in _moves(sketch):
            if city in ways and not _loses_supply(sketch, unit, city):
                found.append((strategic, int(ways[city].cost), is_armor(sketch, unit), unit))
        if found:
            strategic, _, _, unit = min(found)
            sketch.put(unit, city)
            yield move(unit, city, strategic=strategic)
            return


def _moves(sketch: Sketch) -> Iterator[tuple[str, bool, Mapping[Hex, Reach]]]:
    """Each unit that may still move, with its reach without and with strategic movement."""
    for counter in on_map(sketch, sketch.side):
        if "moved" not in counter.marks:
            plain = reach(sketch, counter.id)
            yield counter.id, False, plain
            more = reach(sketch, counter.id, strategic=True)
            yield counter.id, True, {at: way for at, way in more.items() if at not in plain}


def _loses_supply(sketch: Sketch, unit: str, to: Hex) -> bool:
    """Whether more units would be out of supply if the unit stood there."""
    before = len(without_supply(sketch, sketch.side))
    was = sketch.put(unit, to)
    after = len(without_supply(sketch, sketch.side))
    sketch.back(was)
    return after > before


def rescue(sketch: Sketch) -> Iterator[Order]:
    """The move after which fewest units are out of supply, if there is one that mends any."""
    lost = without_supply(sketch, sketch.side)
    if not lost:
        return
    cut = enemy_zoc(sketch, sketch.side) & set(sketch.data.board.road_neighbours)
    safe = supplied(sketch, sketch.side)
    best: tuple[int, int, int, str, Hex, bool] | None = None
    for unit, strategic, ways in _moves(sketch):
        wanted = (safe & set(ways) if unit in lost else frozenset()) | (cut & set(ways))
        for at in sorted(wanted, key=lambda to: (int(ways[to].cost), to))[:12]:
            was = sketch.put(unit, at)
            left = len(without_supply(sketch, sketch.side))
            sketch.back(was)
            key = (left, int(strategic), -stand(sketch, unit, at), unit, at, strategic)
            if left < len(lost) and (best is None or key < best):
                best = key
    if best is not None:
        sketch.put(best[3], best[4])
        yield move(best[3], best[4], strategic=best[5])


def posture(sketch: Sketch, most: int = 4) -> Iterator[Order]:
    """The moves that gain most, one after the other, while RP last and a move is worth it."""
    for _ in range(most):
        if rp(sketch, sketch.side) < 1:
            return
        found = max(_gains(sketch), default=None, key=lambda g: (g[0], g[1], g[2]))
        if found is None:
            return
        _, unit, to, strategic = found
        sketch.put(unit, to)
        yield move(unit, to, strategic=strategic)


def _gains(sketch: Sketch) -> Iterator[tuple[int, str, Hex, bool]]:
    """The best move of each unit that gains enough."""
    safe = supplied(sketch, sketch.side)
    for unit, strategic, ways in _moves(sketch):
        here = hex_of(sketch, unit)
        assert here is not None
        now = stand(sketch, unit, here)
        rows = sorted(((stand(sketch, unit, at), at) for at in ways if at in safe), reverse=True)
        for score, at in rows[:4]:
            if score - now < WORTH_A_MOVE:
                break
            if not _loses_supply(sketch, unit, at):
                yield score - now, unit, at, strategic
                break


def stand(sketch: Sketch, unit: str, at: Hex) -> int:
    """How good it is for a unit to stand in a hex until the side's next turn, in thousandths of an RP."""
    side = sketch.side
    score = -STEP * min(_front(sketch).get(at, FAR), 400)
    held = control(sketch).get(str(at))
    if held == side and at in menaced(sketch, side):
        score += GARRISON
    elif held is not None and held != side:
        score += TAKE
    near = strikers(sketch, side, at)
    if near:
        score -= _danger(sketch, unit, at, near)
    friends = sum(1 for c in on_map(sketch, side) if c.id != unit and isinstance(c.place, Hex) and distance(c.place, at) <= 2)
    return score + 150 * min(friends, 3) - _crowding(sketch, unit, at)


def _crowding(sketch: Sketch, unit: str, at: Hex) -> int:
    """The entry hex is left to those who come, but for a garrison."""
    entry = ground(sketch).entry[sketch.side]
    others = sum(1 for c in on_map(sketch, sketch.side) if c.place == entry and c.id != unit)
    return 20000 if at == entry and others else 0


def _danger(sketch: Sketch, unit: str, at: Hex, near: list[str]) -> int:
    """What the units near may take from a unit, weighed against what it would cost them."""
    dice = sum(value(sketch, enemy, "dice") for enemy in near)
    terrain = sketch.data.board.terrain[at]
    dice += len(near) * ground(sketch).terrain_dice(terrain, "attack")
    expected, kill = hits(max(dice, 0), value(sketch, unit, "target"), sp(sketch, unit))
    back = value(sketch, unit, "dice") + ground(sketch).terrain_dice(terrain, "defence")
    return max(0, expected * worth(sketch, unit) + 2 * kill - 330 * back)


def _front(sketch: Sketch) -> Mapping[Hex, int]:
    """Half MP to what the side now goes for: the next enemy city, or the own city nearest to the enemy if he is much the stronger."""

    def found() -> Mapping[Hex, int]:
        side = sketch.side
        wanted = goals(sketch, side)
        if wanted and 4 * power(sketch, side) >= 3 * power(sketch, sketch.enemy(side)):
            return miles(sketch, wanted[0])
        own = [at for at in ground(sketch).cities if control(sketch)[str(at)] == side]
        there = [miles(sketch, at) for at in sorted(own)]
        enemies = occupied(sketch, sketch.enemy(side))
        return min(there, key=lambda way: min((way.get(at, FAR) for at in enemies), default=FAR))

    return sketch.remembered(("adjutant-front", "goal"), found)
