"""The adjutant's movement: attacks are taken up first, then everybody goes where he is wanted, and stands where he is not in danger."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import hex_of, on_map, units_at
from services.rules.games.race_for_tunis import arrivals
from services.rules.games.race_for_tunis.adjutant_aims import Aim, aims, assign, power, prize
from services.rules.games.race_for_tunis.adjutant_ground import FAR, Reach, go, kind, reach, threat, way
from services.rules.games.race_for_tunis.adjutant_landings import wanted_landings
from services.rules.games.race_for_tunis.adjutant_plans import Forces, fits, plans, sources
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.state import defence_value, is_artillery, value

FEAR = {"axis": 70, "allied": 60}
"""Hundredths by which dangers count."""
STRIKE = 45
"""Hundredths of what the enemy could bring next to a hex that he will bring there."""
LOST = (4, 10, 18, 28, 40, 50, 60, 70, 80)
"""Hundredths of a stack that are lost where the enemy has odds of 0:1, 1:1, 2:1 and so on against it."""
STEP = 9
"""Hundredths of a combat factor that half an MP of the way to a place is worth."""
STUCK = 250
"""What it is worth to get out of the enemy's zone, where one would have to attack."""


def move(draft: Draft) -> None:
    """Attacks first, then guns and others to their places."""
    side, table = draft.side, draft.table
    later = wanted_landings(draft)
    units = [unit.id for unit in on_map(table, side)]
    waiting = [unit for unit in arrivals.waiting(table, side) if not arrivals.held_back(table, unit) and unit not in later]
    ways = {unit: found for unit in (*units, *waiting) if (found := reach(draft, unit)).found}
    forces = _forces(draft, ways)
    for plan in plans(draft, forces):
        for unit, at in (*plan.spots, *plan.guns):
            go(draft, ways[unit], at)
    rest = {unit: ways[unit] for unit in (*forces.units, *forces.guns) if len(ways[unit].found) > 1 or ways[unit].start is None}
    _to_places(draft, rest)


def _forces(draft: Draft, ways: Mapping[str, Reach]) -> Forces:
    """Who can be planned with; who cannot move keeps his room."""
    table = draft.table
    held = {unit for unit in ways if hex_of(table, unit) and table.counters[unit].marks & {"engaged-attacker", "engaged-defender"}}
    forces = Forces(
        {unit: way_ for unit, way_ in ways.items() if not is_artillery(table, unit) and unit not in held},
        {unit: way_ for unit, way_ in ways.items() if is_artillery(table, unit)},
    )
    for unit in held:
        at = hex_of(table, unit)
        assert at is not None
        forces.room.setdefault(at, []).append(unit)
    return forces


# -- to the places ---------------------------------------------------------------------------------------------------------------


def _to_places(draft: Draft, rest: Mapping[str, Reach]) -> None:
    """Units first, those nearest to their place before others; guns after them, to where others stand."""
    far = {unit: _times(draft, ways) for unit, ways in rest.items()}
    table = draft.table
    fighting = {unit: times for unit, times in far.items() if not is_artillery(table, unit)}
    goals = dict(assign(draft, fighting))
    guns = [unit for unit in rest if is_artillery(table, unit)]
    for unit in sorted(goals, key=lambda unit: (far[unit][goals[unit].at], unit)):
        _settle(draft, rest[unit], goals[unit], _comrades(draft, unit, goals, rest))
    for gun in guns:
        _follow(draft, rest[gun], far[gun])


def _times(draft: Draft, ways: Reach) -> dict[Hex, int]:
    """Game-turns from a unit to every place, in hundredths: from where it stands, or the best hex where it comes in."""
    table = draft.table
    how, ma = kind(table, ways.unit), max(1, 2 * value(table, ways.unit, "ma"))
    starts = [ways.start] if ways.start is not None else [at for at, (_, before) in ways.found.items() if before is None]
    found = {}
    for aim in aims(draft):
        there = way(draft, draft.side, how, aim.at)
        found[aim.at] = min((there.get(at, FAR) for at in starts), default=FAR) * 100 // ma
    return found


def _comrades(draft: Draft, unit: str, goals: Mapping[str, Aim], rest: Mapping[str, Reach]) -> Mapping[Hex, int]:
    """Hex -> factors that others with the same goal could bring there."""
    found: dict[Hex, int] = {}
    for other, aim in goals.items():
        if other == unit or aim.at != goals[unit].at or "moved" in draft.table.counters[other].marks:
            continue
        for at in rest[other].found:
            found[at] = found.get(at, 0) + power(draft, other)
    return found


def _settle(draft: Draft, ways: Reach, aim: Aim, comrades: Mapping[Hex, int]) -> None:
    """A unit goes where it stands best on its way to a place."""
    table, unit = draft.table, ways.unit
    there = way(draft, draft.side, kind(table, unit), aim.at)
    worth = draft.worth(unit)

    def score(at: Hex) -> int:
        friends = [other for other in units_at(table, at) if other != unit]
        stack = sum(power(draft, other) for other in friends) + power(draft, unit) + min(600, comrades.get(at, 0))
        risk = danger(draft, at, stack) * worth // 100 * FEAR[draft.side] // 100
        near = min(there.get(at, FAR), 400) * STEP
        if at == aim.at and aim.ours:
            risk //= 3
        bonus = prize(draft, at) // (2 if not friends else 8) if at == aim.at or prize(draft, at) else 0
        return bonus - near - risk - (STUCK if sources(draft, at) and at == ways.start else 0)

    _best(draft, ways, score)


def _best(draft: Draft, ways: Reach, score) -> None:  # type: ignore[no-untyped-def]
    """A unit goes to the hex of the best score where it may stay: out of the enemy's zone, unless it stays where it is."""
    table, unit = draft.table, ways.unit
    open_ = [
        at
        for at in ways.found
        if (at == ways.start or not sources(draft, at)) and fits(draft, [other for other in units_at(table, at) if other != unit], unit)
    ]
    for at in sorted(open_, key=lambda at: (-score(at), ways.found[at][0], at))[:3]:
        if at == ways.start or go(draft, ways, at):
            return


def danger(draft: Draft, at: Hex, stack: int) -> int:
    """Hundredths of a stack that the enemy may cost it in a hex."""
    times = ground(draft.table).terrain[at].defence
    coming = threat(draft).get(at, 0) * STRIKE // 100
    return LOST[min(len(LOST) - 1, coming // max(1, stack * times))]


def _follow(draft: Draft, ways: Reach, far: Mapping[Hex, int]) -> None:
    """A gun goes where others stand that may need it, behind the foremost."""
    table, gun = draft.table, ways.unit
    enemies = [unit.place for unit in on_map(table, draft.enemy) if isinstance(unit.place, Hex)]
    nearest = min(aims(draft), key=lambda aim: (far[aim.at], aim.at))
    there = way(draft, draft.side, kind(table, gun), nearest.at)
    range_ = value(table, gun, "range")

    def score(at: Hex) -> int:
        friends = [other for other in units_at(table, at) if other != gun and not is_artillery(table, other)]
        stack = sum(power(draft, other) for other in friends) + 100
        risk = danger(draft, at, stack) * draft.worth(gun) // 100
        front = min((distance(at, enemy) for enemy in enemies), default=9)
        reach_ = 30 * sum(1 for enemy in enemies if distance(at, enemy) <= range_)
        covered = sum(defence_value(table, other) for other in units_at(table, at))
        return (150 if friends else 0) + min(covered, 8) * 10 + min(reach_, 150) - 12 * front - risk - min(there.get(at, FAR), 300) * 2

    _best(draft, ways, score)


def landed(draft: Draft) -> None:
    """Those who have been dropped or landed, and have MP left, go to the nearest place that is not held."""
    table = draft.table
    for unit, mp in sorted(table.own["landers"].items()):
        if mp and draft.place(unit) is not None:
            ways = reach(draft, unit)
            aim = min(aims(draft), key=lambda aim: (aim.ours, distance(ways.start or aim.at, aim.at), aim.at))
            _settle(draft, ways, aim, {})
