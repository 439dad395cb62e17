"""The adjutant's movement: attacks are taken up first, then everybody goes where he is wanted, and stands where he is not in danger."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import hex_of, on_map, units_at
from services.rules.games.race_for_tunis import arrivals
from services.rules.games.race_for_tunis.adjutant_aims import Aim, aims, assign, danger, power, prize
from services.rules.games.race_for_tunis.adjutant_ground import FAR, Reach, go, kind, reach, way
from services.rules.games.race_for_tunis.adjutant_landings import wanted_landings
from services.rules.games.race_for_tunis.adjutant_plans import Forces, alone, fits, plans, sources
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.state import bridge_blown, defence_value, is_artillery, is_engineer, value

FEAR = {"axis": 70, "allied": 50}
"""Hundredths by which dangers count."""
FEARED = 18
"""Hundredths of a stack, to be lost, from which on its bridge is blown."""
ESCORT = 150
"""What it is worth to stand with guns that are alone."""
COMPANY = (600, 50)
"""Hundredths of factors, at most, and hundredths of what they are, that others count who might come to the same hex."""
STEP = 9
"""Hundredths of a combat factor that half an MP of the way to a place is worth."""
STUCK = 60
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
        if is_engineer(table, unit):
            _work(draft, unit)
    for gun in guns:
        _follow(draft, rest[gun], far[gun])


def _work(draft: Draft, unit: str) -> None:
    """An engineer blows the bridge in its hex where the enemy is about to come, and mends it where he is not (12.0)."""
    table, at = draft.table, draft.place(unit)
    if at is None or at not in ground(table).bridges:
        return
    stack = sum(power(draft, other) for other in units_at(table, at))
    feared = danger(draft, at, stack) >= FEARED
    if feared != bridge_blown(table, at):
        draft.give("BRIDGE", act="BLOW" if feared else "MEND", hex=str(at), unit=unit)


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
        stack = (
            sum(power(draft, other) for other in friends) + power(draft, unit) + min(COMPANY[0], comrades.get(at, 0) * COMPANY[1] // 100)
        )
        risk = danger(draft, at, stack) * worth // 100 * FEAR[draft.side] // 100
        near = min(there.get(at, FAR), 400) * STEP
        if at == aim.at and aim.ours:
            risk //= 3
        bonus = prize(draft, at) // (8 if friends else 2) if at == aim.at or not friends else 0
        if friends and all(is_artillery(table, other) for other in friends):
            bonus += ESCORT
        return bonus - near - risk - (_stuck(draft, unit, at) if at == ways.start else 0)

    _best(draft, ways, score)


def _stuck(draft: Draft, unit: str, at: Hex) -> int:
    """What it costs to stay in the enemy's zone: whoever does must attack, with those who are with him."""
    hexes = sources(draft, at)
    if not hexes:
        return 0
    with_it = [other for other in units_at(draft.table, at) if not is_artillery(draft.table, other)]
    return STUCK + max(0, -alone(draft, hexes, with_it, at)) * draft.worth(unit) // max(1, sum(draft.worth(other) for other in with_it))


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
        risk = danger(draft, at, stack) * draft.worth(gun) // (100 if friends else 50)
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
