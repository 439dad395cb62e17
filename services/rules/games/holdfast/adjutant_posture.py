"""The adjutant's other moves: cities without a garrison, supply restored, and where each unit stands best until the next turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scenarios.hexes import Hex, distance
from services.rules.engine.model import Order
from services.rules.engine.movement import Reach
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.games.holdfast.adjutant_attack import KILL, move
from services.rules.games.holdfast.adjutant_ground import (
    FAR,
    caution,
    city_worth,
    desperate,
    garrisoned,
    goals,
    is_last,
    lost,
    lost_after,
    miles,
    power,
    reach,
    strikers,
    supplied,
    worth,
)
from services.rules.games.holdfast.adjutant_odds import hits
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.state import control, is_armor, rp, sp, value
from services.rules.games.holdfast.zoc import enemy_zoc

GARRISON = 15000
"""What it is worth to stand in an own city that the enemy can enter."""
STEP = 90
"""What half an MP towards the goal is worth."""
AHEAD, BEHIND = 140, 90
"""Per cent of the enemy's power with which the side goes for another city, if it holds most of them, or not."""
CALM = 1
"""By what a danger is divided, and by one more for each friend near: the enemy cannot strike everywhere."""
WORTH_A_MOVE = 150
"""What a move must gain."""


def capture(sketch: Sketch) -> Order | None:
    """An enemy city that stands empty is entered, by the nearest unit, if that costs no supply or it is the last game-turn."""
    for city in goals(sketch, sketch.side):
        found = []
        for unit, strategic, ways in _moves(sketch):
            if city in ways and (is_last(sketch) or not _loses_supply(sketch, unit, city)):
                found.append((strategic, int(ways[city].cost), is_armor(sketch, unit), unit))
        if found:
            strategic, _, _, unit = min(found)
            return move(unit, city, strategic=strategic)
    return None


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
    return lost_after(sketch, (unit, to)) > len(lost(sketch))


def rescue(sketch: Sketch) -> Iterator[Order]:
    """The move after which fewest units are out of supply, if there is one that mends any."""
    cut_off = lost(sketch)
    if not cut_off:
        return
    cut = enemy_zoc(sketch, sketch.side) & set(sketch.data.board.road_neighbours)
    safe = supplied(sketch, sketch.side)
    best: tuple[int, int, int, str, Hex, bool] | None = None
    for unit, strategic, ways in _moves(sketch):
        wanted = (safe & set(ways) if unit in cut_off else frozenset()) | (cut & set(ways))
        for at in sorted(wanted, key=lambda to: (int(ways[to].cost), to))[:12]:
            left = lost_after(sketch, (unit, at))
            key = (left, int(strategic), -stand(sketch, unit, at), unit, at, strategic)
            if left < len(cut_off) and (best is None or key < best):
                best = key
    if best is not None:
        sketch.put(best[3], best[4])
        yield move(best[3], best[4], strategic=best[5])


def posture(sketch: Sketch, most: int = 4) -> Iterator[Order]:
    """The moves that gain most, one after the other, while RP last and a move is worth it."""
    rows = sorted(_gains(sketch), key=lambda row: (-row[0], *row[1:]))
    for _ in range(min(most, rp(sketch, sketch.side))):
        found = next(((unit, to, how) for _, unit, to, how in rows if _still_good(sketch, unit, to, how)), None)
        if found is None:
            return
        unit, to, strategic = found
        sketch.put(unit, to)
        yield move(unit, to, strategic=strategic)


def _still_good(sketch: Sketch, unit: str, to: Hex, strategic: bool) -> bool:
    """Whether a move is still possible and good, now that others have been made."""
    here = hex_of(sketch, unit)
    assert here is not None
    if "moved" in sketch.counters[unit].marks or to not in reach(sketch, unit, strategic):
        return False
    return stand(sketch, unit, to) - stand(sketch, unit, here) >= WORTH_A_MOVE and not _loses_supply(sketch, unit, to)


def _gains(sketch: Sketch) -> Iterator[tuple[int, str, Hex, bool]]:
    """The best hexes for each unit, with what it gains there."""
    safe = supplied(sketch, sketch.side)
    for unit, strategic, ways in _moves(sketch):
        here = hex_of(sketch, unit)
        assert here is not None
        now = stand(sketch, unit, here)
        rows = sorted(((stand(sketch, unit, at) - now, at) for at in ways if at in safe), reverse=True)
        yield from ((gain, unit, at, strategic) for gain, at in rows[:6] if gain >= WORTH_A_MOVE)


def stand(sketch: Sketch, unit: str, at: Hex) -> int:
    """How good it is for a unit to stand in a hex until the side's next turn, in thousandths of an RP."""
    side = sketch.side
    score = -STEP * min(_front(sketch).get(at, FAR), 400)
    if garrisoned(sketch, at):
        score += GARRISON
    friends = sum(1 for c in on_map(sketch, side) if c.id != unit and isinstance(c.place, Hex) and distance(c.place, at) <= 2)
    return (
        score
        + 100 * min(friends, 3)
        - _danger(sketch, unit, at) * caution(sketch) // (100 * (CALM + min(friends, 3)))
        - _crowding(sketch, unit, at)
    )


def _crowding(sketch: Sketch, unit: str, at: Hex) -> int:
    """The entry hex is left to those who come, but for a garrison."""
    entry = ground(sketch).entry[sketch.side]
    others = sum(1 for c in on_map(sketch, sketch.side) if c.place == entry and c.id != unit)
    return 20000 if at == entry and others else 0


def _danger(sketch: Sketch, unit: str, at: Hex) -> int:
    """What the enemy near may take from a unit, weighed against what it would cost him."""
    dice = strikers(sketch, at)
    if dice < 1:
        return 0
    expected, kill = hits(dice, value(sketch, unit, "target"), sp(sketch, unit))
    back = value(sketch, unit, "dice") + ground(sketch).terrain_dice(sketch.data.board.terrain[at], "defence")
    fall = KILL + city_worth(sketch, at, sketch.enemy(sketch.side))
    return max(0, expected * worth(sketch, unit) + kill * fall // 1000 - 330 * back)


def _front(sketch: Sketch) -> Mapping[Hex, int]:
    """Half MP to what the side now goes for: the next enemy city, or the own city nearest to the enemy if he is much the stronger."""

    def found() -> Mapping[Hex, int]:
        side = sketch.side
        wanted = goals(sketch, side)
        share = AHEAD if len(wanted) < 3 else 0 if desperate(sketch) else BEHIND
        if wanted and 100 * power(sketch, side) >= share * power(sketch, sketch.enemy(side)):
            return miles(sketch, wanted[0])
        own = [at for at in ground(sketch).cities if control(sketch)[str(at)] == side]
        there = [miles(sketch, at) for at in sorted(own)]
        enemies = occupied(sketch, sketch.enemy(side))
        return min(there, key=lambda way: min((way.get(at, FAR) for at in enemies), default=FAR))

    return sketch.lasting("front", found)
