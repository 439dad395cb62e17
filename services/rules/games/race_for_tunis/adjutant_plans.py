"""The adjutant's attacks as it moves: who could stand where, next to whom, and what a battle from there would bring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map, units_at
from services.rules.games.race_for_tunis import engaged, supply
from services.rules.games.race_for_tunis.adjutant_aims import prize
from services.rules.games.race_for_tunis.adjutant_ground import Reach
from services.rules.games.race_for_tunis.adjutant_odds import Prospect, gain
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.ground import elevation
from services.rules.games.race_for_tunis.odds import defence_factor, reduction
from services.rules.games.race_for_tunis.state import (
    attack_value,
    defence_value,
    french_restricted,
    is_artillery,
    is_company,
    is_support,
    nation_of,
    value,
)
from services.rules.games.race_for_tunis.zoc import zones

EAGER = {"axis": 60, "allied": 30}
"""What an attack must promise, in hundredths of a combat factor."""
MOST_HEXES = 3
"""Enemy hexes that are attacked from one set of hexes at most."""
GUNS = 60
"""Hundredths of the enemy's guns in range that count for the defence of a hex."""
Spot = tuple[str, Hex]


@dataclass(frozen=True)
class Target:
    """An enemy hex: what it defends with, guns in range apart; what these would add; what its units count for losses, and are worth."""

    at: Hex
    defence: Fraction
    support: Fraction
    cf: int
    worth: int
    guns: int
    prize: int


def target(draft: Draft, at: Hex) -> Target:
    """An enemy hex as it can be attacked."""
    return draft.lasting(("target", at), lambda: _target(draft, at))


def _target(draft: Draft, at: Hex) -> Target:
    table = draft.table
    units = units_at(table, at)
    worth = sum(draft.worth(unit) for unit in units)
    guns = sum(draft.worth(unit) for unit in units if is_artillery(table, unit))
    defence = sum((defence_factor(table, unit) for unit in units), Fraction(0))
    cf = sum(defence_value(table, unit) for unit in units)
    return Target(at, defence, _helping(draft, at), cf, worth, guns, prize(draft, at))


def _helping(draft: Draft, at: Hex) -> Fraction:
    """What the enemy's guns in range would add to the defence of a hex."""
    table = draft.table
    found = 0
    for unit in on_map(table, draft.enemy):
        assert isinstance(unit.place, Hex)
        if unit.place != at and is_artillery(table, unit.id) and distance(unit.place, at) <= value(table, unit.id, "range"):
            found += attack_value(table, unit.id)
    return Fraction(found * GUNS, 100)


def factor(draft: Draft, unit: str, here: Hex, at: Hex) -> Fraction:
    """What a unit would attack with from one hex against another."""
    table = draft.table
    terms = draft.lasting(("reduction", unit, here, at), lambda: reduction(table, unit, here, at))
    return attack_value(table, unit) * terms * supply.kept(table, unit, "attack")


def gun_factor(draft: Draft, gun: str, here: Hex, at: Hex) -> Fraction:
    """What a gun would add from one hex to an attack on another."""
    table = draft.table
    half = elevation(table, at) > elevation(table, here)
    return attack_value(table, gun) * Fraction(1, 2 if half else 1) * supply.kept(table, gun, "attack")


# -- a plan ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Who attacks some hexes from where, with which guns, and what that promises."""

    hexes: frozenset[Hex]
    spots: tuple[Spot, ...]
    guns: tuple[Spot, ...]
    gain: int


@dataclass
class Forces:
    """Who is free to be planned with: units and guns -> where they can go; ``room``: who will stand in a hex for good."""

    units: dict[str, Reach]
    guns: dict[str, Reach]
    room: dict[Hex, list[str]] = field(default_factory=dict)
    done: set[Hex] = field(default_factory=set)


def plans(draft: Draft, forces: Forces) -> Iterable[Plan]:
    """Attacks worth making, the best first, each with units that those before it have left."""
    found = [plan for hexes in groups(draft, forces) if (plan := _plan(draft, forces, hexes)) is not None]
    found.sort(key=lambda plan: (-plan.gain, sorted(plan.hexes)))
    for old in found:
        if old.hexes & forces.done or old.gain < EAGER[draft.side]:
            continue
        plan = _plan(draft, forces, old.hexes)
        if plan is None or plan.gain < EAGER[draft.side]:
            continue
        for unit, at in plan.spots:
            forces.units.pop(unit, None)
            forces.room.setdefault(at, []).append(unit)
        for gun, at in plan.guns:
            forces.guns.pop(gun, None)
            forces.room.setdefault(at, []).append(gun)
        forces.done |= plan.hexes
        yield plan


def sources(draft: Draft, at: Hex) -> frozenset[Hex]:
    """The enemy hexes whose ZOC reaches a hex: all of them must be attacked by somebody if a unit stands there."""
    table = draft.table
    zone = draft.lasting(("zone", draft.side), lambda: zones(table, draft.side))
    return draft.lasting(("sources", at), lambda: frozenset(here for one in zone.get(at, ()) if (here := hex_of(table, one)) is not None))


def groups(draft: Draft, forces: Forces) -> list[frozenset[Hex]]:
    """Sets of enemy hexes that come to be attacked together, by the hexes from which they are."""
    table = draft.table
    enemies = draft.lasting(("enemies", draft.side), lambda: occupied(table, draft.enemy))
    near = {to for at in enemies for to in adjacent(table, at) if to not in enemies}
    reached = {at for ways in forces.units.values() for at in ways.found if at in near}
    found = {sources(draft, at) for at in reached}
    found |= {one | other for one in found for other in found if len(one) == 1 and len(other) == 1 and distance(min(one), min(other)) <= 1}
    return sorted((one for one in found if 0 < len(one) <= MOST_HEXES), key=sorted)


def _plan(draft: Draft, forces: Forces, hexes: frozenset[Hex]) -> Plan | None:
    """The best attack on some hexes with who is free: units are added while that helps."""
    spots_of = _spots(draft, forces, hexes)
    if not spots_of:
        return None
    guns = _guns(draft, forces, hexes)
    targets = {at: target(draft, at) for at in sorted(hexes)}
    chosen: list[tuple[str, Hex, Hex]] = []
    best: tuple[int, int] | None = None
    left = dict(spots_of)
    room = {at: list(units) for at, units in forces.room.items()}
    while left and len(chosen) < 6 * len(hexes) + 3:
        pick = _next(draft, targets, chosen, left, room)
        if pick is None:
            break
        chosen.append(pick)
        del left[pick[0]]
        room.setdefault(pick[1], []).append(pick[0])
        if len({aimed for _, _, aimed in chosen}) == len(targets):
            made = _gain(draft, targets, chosen, guns)
            if best is None or made > best[0] + 10:
                best = (made, len(chosen))
    if best is None:
        return None
    kept = chosen[: best[1]]
    return Plan(hexes, tuple((unit, at) for unit, at, _ in kept), tuple(guns), best[0])


def _spots(draft: Draft, forces: Forces, hexes: frozenset[Hex]) -> dict[str, list[Hex]]:
    """Units -> the hexes from which they could attack: next to some of the enemies, and in the zone of no others."""
    table = draft.table
    able = {to for at in hexes for to in adjacent(table, at) if to not in occupied(table, draft.enemy) and sources(draft, to) <= hexes}
    restricted = french_restricted(table)
    found: dict[str, list[Hex]] = {}
    for unit, ways in forces.units.items():
        if restricted and nation_of(table, unit) == "french" and (ways.start is None or not sources(draft, ways.start)):
            continue
        spots = [at for at in ways.found if at in able]
        if spots:
            found[unit] = sorted(spots)
    return found


def fits(draft: Draft, units: Sequence[str], unit: str) -> bool:
    """Whether one more unit may stand in a hex with others."""
    table = draft.table
    thirds = [(1 if is_company(table, one) else 3, is_support(table, one)) for one in (*units, unit)]
    return sum(n for n, _ in thirds) <= 12 and sum(n for n, support in thirds if not support) <= 9


def _next(
    draft: Draft,
    targets: Mapping[Hex, Target],
    chosen: Sequence[tuple[str, Hex, Hex]],
    left: Mapping[str, Sequence[Hex]],
    room: Mapping[Hex, Sequence[str]],
) -> tuple[str, Hex, Hex] | None:
    """The next unit, its hex and its target: first those for whom nobody is there, then where most is lacking; from where it counts most,
    and shuts a way of retreat."""
    have = {at: sum((factor(draft, unit, here, at) for unit, here, aimed in chosen if aimed == at), Fraction(0)) for at in targets}
    wanted = min(targets.values(), key=lambda one: (have[one.at] / max(one.defence + one.support, Fraction(1)), one.at))
    used = {here for _, here, _ in chosen}
    best: tuple[tuple[int, int, int], str, Hex] | None = None
    for unit, spots in left.items():
        for here in spots:
            if distance(here, wanted.at) != 1 or not fits(draft, room.get(here, ()), unit):
                continue
            opens = (
                0
                if here in used
                else 1 + sum(distance(here, other) == 2 for other in used) + 2 * sum(distance(here, other) > 2 for other in used)
            )
            rank = (int(100 * factor(draft, unit, here, wanted.at)), opens + prize(draft, here) // 100, -draft.worth(unit))
            if best is None or rank > best[0]:
                best = rank, unit, here
    return None if best is None else (best[1], best[2], wanted.at)


def _guns(draft: Draft, forces: Forces, hexes: frozenset[Hex]) -> list[Spot]:
    """Guns that can come into range of some of the hexes, out of the enemy's zones, and from where."""
    table = draft.table
    found: list[Spot] = []
    for gun, ways in sorted(forces.guns.items()):
        far = value(table, gun, "range")
        spots = [at for at in ways.found if min(distance(at, to) for to in hexes) <= far and (not sources(draft, at) or at == ways.start)]
        spots = [at for at in spots if fits(draft, forces.room.get(at, ()), gun)]
        if spots:
            best = max(spots, key=lambda at: (min(distance(at, to) for to in hexes), elevation(table, at), -ways.found[at][0], at))
            found.append((gun, best))
    return found


def trapped(draft: Draft, at: Hex, from_hexes: Iterable[Hex]) -> bool:
    """Whether units in a hex that is attacked from some hexes would have nowhere to go."""
    table = draft.table
    taken = set(from_hexes)
    own = draft.lasting(("zone", draft.enemy), lambda: zones(table, draft.enemy))
    shut = taken | {to for here in taken for to in adjacent(table, here)}
    return all(to in shut or (to in own and not _only_movers(draft, own[to])) for to in adjacent(table, at))


def _only_movers(draft: Draft, units: Iterable[str]) -> bool:
    """Whether a zone is only that of units which may yet move away."""
    return all(not draft.table.counters[unit].marks & {"moved", "done", "engaged-attacker"} for unit in units)


def _gain(draft: Draft, targets: Mapping[Hex, Target], chosen: Sequence[tuple[str, Hex, Hex]], guns: Sequence[Spot]) -> int:
    """What the battles promise, one for each hex; the guns help where they are needed most."""
    spare = list(guns)
    total = 0
    for at, one in sorted(targets.items()):
        ours = [(unit, here) for unit, here, aimed in chosen if aimed == at]
        attack = sum((factor(draft, unit, here, at) for unit, here in ours), Fraction(0))
        near = [(gun, here) for gun, here in spare if distance(here, at) <= value(draft.table, gun, "range")]
        spare = [spot for spot in spare if spot not in near]
        attack += sum((gun_factor(draft, gun, here, at) for gun, here in near), Fraction(0))
        total += gain(draft.table, prospect(draft, one, attack, [unit for unit, _ in ours], [here for _, here, _ in chosen]))
    return total + sum(prize(draft, here) // 10 for here in {here for _, here, _ in chosen})


def prospect(draft: Draft, one: Target, attack: Fraction, ours: Sequence[str], from_hexes: Sequence[Hex]) -> Prospect:
    """The battle against one hex."""
    table = draft.table
    return Prospect(
        attack,
        one.defence + one.support,
        sum(draft.worth(unit) for unit in ours),
        sum(attack_value(table, unit) for unit in ours),
        one.worth,
        one.cf,
        one.guns,
        trapped(draft, one.at, from_hexes),
        one.prize,
    )


def bound(draft: Draft) -> frozenset[str]:
    """Attackers of the side that are held in an engagement, and attack again where they stand."""
    return frozenset(engaged.renewals(draft.table, draft.side))
