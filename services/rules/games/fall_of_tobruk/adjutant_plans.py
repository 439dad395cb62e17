"""The adjutant's attacks as it moves: who could stand where, next to whom, and what fire and battle from there would bring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import adjacent, hex_of, occupied, units_at
from services.rules.games.fall_of_tobruk.adjutant_aims import fed, mobile
from services.rules.games.fall_of_tobruk.adjutant_goals import goal_of_force, prize, storms
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, Reach, danger, fits, way
from services.rules.games.fall_of_tobruk.adjutant_odds import Prospect, gain, results
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import box_at, same_box, shift
from services.rules.games.fall_of_tobruk.mines import mined
from services.rules.games.fall_of_tobruk.stacking import weight
from services.rules.games.fall_of_tobruk.state import (
    AXIS,
    combat_value,
    current,
    disrupted,
    formation_of,
    is_engineer,
    is_gun,
    is_tank,
    kind_of,
    nation_of,
)
from services.rules.games.fall_of_tobruk.zoc import enemy_hexes, zones

EAGER = {"axis": 40, "allied": 200}
"""What an attack must promise, in hundredths of a combat factor."""
STEP = 6
"""Hundredths of a combat factor that a quarter of an MP of the way to a goal is worth to a unit."""
ASIDE, STORMING = 50, 300
"""Hundredths of that by which the way counts that an attack leads the Axis to or from its goal, and while it goes for Tobruk."""
STORM = 400
"""What an attack on a Box must promise, which is made with all that can be gathered or not at all."""
FEAR, IN_STORM = {"axis": 60, "allied": 90}, 40
"""Hundredths by which the danger counts in which an attack leaves those who make it, and in which the storm of a Box leaves the Axis."""
BRIGADES = {"axis": 99, "allied": 1}
"""Formations that take part in one attack at most: Allied brigades are not used to fighting together."""
MOST_HEXES = 3
"""Enemy hexes that are attacked from one set of hexes at most."""
KILLS, KILLS_IN_MINES = 28, 12
"""Hundredths of a tank that as many antitank factors kill as it has, across mines less."""
WRECK = 75
"""Hundredths of a tank's worth that are lost with it: wrecks can be recovered."""
Pick = tuple[str, Hex, Hex]
"""A unit, where it will stand, and the hex that it attacks."""


@dataclass(frozen=True)
class Target:
    """An enemy hex: what it defends with, in eighths; its antitank factors; its tanks and what they resist with; what its units count for
    losses, and are worth; what it is worth to empty it; whether it is a hex of a Box."""

    at: Hex
    defence: int
    antitank: Fraction
    fires: Fraction
    tanks: int
    armor: Fraction
    tank_worth: int
    cf: int
    worth: int
    prize: int
    boxed: bool


def target(draft: Draft, at: Hex) -> Target:
    """An enemy hex as it can be attacked."""
    return draft.lasting(("target", at), lambda: _target(draft, at))


def _target(draft: Draft, at: Hex) -> Target:
    table = draft.table
    units = units_at(table, at)
    tanks = [unit for unit in units if is_tank(table, unit)]
    zero = Fraction(0)
    return Target(
        at,
        int(8 * sum((current(table, unit, "combat") for unit in units), zero)),
        sum((Fraction(current(table, unit, "antitank")) for unit in units), zero),
        sum((Fraction(current(table, unit, "antitank")) for unit in units if not (is_gun(table, unit) and disrupted(table, unit))), zero),
        len(tanks),
        sum((resists(draft, unit) for unit in tanks), zero),
        sum(draft.worth(unit) for unit in tanks),
        sum(combat_value(table, unit) for unit in units),
        sum(draft.worth(unit) for unit in units),
        prize(draft, at),
        box_at(table, at) is not None,
    )


def resists(draft: Draft, tank: str) -> Fraction:
    """What a tank resists antitank fire with."""
    return Fraction(current(draft.table, tank, "antitank") * (2 if kind_of(draft.table, tank) == "matilda" else 1))


def factor(draft: Draft, unit: str, here: Hex, at: Hex) -> int:
    """What a unit would attack with from one hex against another, in eighths."""
    return draft.lasting(("factor", unit, here, at), lambda: _factor(draft, unit, here, at))


def _factor(draft: Draft, unit: str, here: Hex, at: Hex) -> int:
    table = draft.table
    found = 8 * Fraction(current(table, unit, "combat"))
    if mined(table, here, at) and not is_engineer(table, unit):
        found /= 2
    start = hex_of(table, unit)
    if draft.side == AXIS and start is not None and not fed(draft, start):
        found /= 2
    return int(found)


# -- a plan ------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Who attacks some hexes from where, and what that promises."""

    hexes: frozenset[Hex]
    spots: tuple[tuple[str, Hex], ...]
    gain: int


@dataclass
class Forces:
    """Who is free to be planned with -> where it can go; ``room``: who will stand in a hex for good; ``done``: hexes that are attacked."""

    units: dict[str, Reach]
    room: dict[Hex, list[str]] = field(default_factory=dict)
    done: set[Hex] = field(default_factory=set)


def plans(draft: Draft, forces: Forces) -> Iterable[Plan]:
    """Attacks worth making, the best first, each with units that those before it have left."""
    found = [plan for hexes in groups(draft, forces) if (plan := _plan(draft, forces, hexes)) is not None]
    found.sort(key=lambda plan: (-plan.gain, sorted(plan.hexes)))
    for old in found:
        least = STORM if any(target(draft, at).boxed for at in old.hexes) else EAGER[draft.side]
        if old.hexes & forces.done or old.gain < least:
            continue
        plan = _plan(draft, forces, old.hexes) if forces.done else old
        if plan is None or plan.gain < least:
            continue
        for unit, at in plan.spots:
            forces.units.pop(unit, None)
            forces.room.setdefault(at, []).append(unit)
        forces.done |= plan.hexes
        yield plan


def sources(draft: Draft, at: Hex) -> frozenset[Hex]:
    """The enemy hexes next to a hex that must all be attacked if units there take part: out of a Box none, but those in it."""

    def found() -> frozenset[Hex]:
        table = draft.table
        around = enemy_hexes(table, draft.side, at)
        return frozenset(to for to in around if box_at(table, at) is None or same_box(table, at, to))

    return draft.lasting(("sources", at), found)


def groups(draft: Draft, forces: Forces) -> list[frozenset[Hex]]:
    """Sets of enemy hexes that come to be attacked together, where enough units can come near."""
    table = draft.table
    enemies = occupied(table, draft.enemy)
    near: dict[Hex, int] = {}
    for at in enemies:
        around = set(adjacent(table, at)) - enemies
        able = [unit for unit, ways in forces.units.items() if not around.isdisjoint(ways)]
        near[at] = sum(8 * combat_value(table, unit) for unit in able)
    weak = {at for at, power in near.items() if 2 * power >= 3 * target(draft, at).defence * (2 if target(draft, at).boxed else 1)}
    reached = {to for at in weak for to in adjacent(table, at) if to not in enemies}
    found = {sources(draft, to) | ({at} if box_at(table, to) else set()) for at in weak for to in adjacent(table, at) if to in reached}
    found |= {frozenset({at}) for at in weak}
    return sorted((one for one in found if 0 < len(one) <= MOST_HEXES and one <= weak | forces.done), key=sorted)


def _plan(draft: Draft, forces: Forces, hexes: frozenset[Hex]) -> Plan | None:
    """The best attack on some hexes with who is free: units are added while that helps."""
    left = _spots(draft, forces, hexes)
    if not left:
        return None
    targets = {at: target(draft, at) for at in sorted(hexes)}
    chosen: list[Pick] = []
    best: tuple[int, int] | None = None
    room = {at: list(units) for at, units in forces.room.items()}
    while left and len(chosen) < 18 * len(hexes) + 6:
        pick = _next(draft, targets, chosen, left, room, forces)
        if pick is None:
            break
        chosen.append(pick)
        del left[pick[0]]
        room.setdefault(pick[1], []).append(pick[0])
        if len({aimed for _, _, aimed in chosen}) == len(targets):
            made = _gain(draft, targets, chosen)
            if best is None or made > best[0] + 5:
                best = (made, len(chosen))
    if best is None:
        return None
    return Plan(hexes, tuple((unit, at) for unit, at, _ in chosen[: best[1]]), best[0])


def _spots(draft: Draft, forces: Forces, hexes: frozenset[Hex]) -> dict[str, list[Hex]]:
    """Units -> the hexes from which they could attack: next to some of the enemies, and to no others that must be attacked."""
    table = draft.table
    enemies = occupied(table, draft.enemy)
    able = {to for at in hexes for to in adjacent(table, at) if to not in enemies and sources(draft, to) <= hexes}
    found: dict[str, list[Hex]] = {}
    for unit, ways in forces.units.items():
        spots = [at for at in able if at in ways]
        if spots:
            found[unit] = sorted(spots)
    return found


def _next(
    draft: Draft,
    targets: Mapping[Hex, Target],
    chosen: Sequence[Pick],
    left: Mapping[str, Sequence[Hex]],
    room: Mapping[Hex, Sequence[str]],
    forces: Forces,
) -> Pick | None:
    """The next unit, its hex and its target: where most is lacking, who counts most for his room, from where a way of retreat is shut."""
    have = dict.fromkeys(targets, 0)
    for unit, here, aimed in chosen:
        have[aimed] += factor(draft, unit, here, aimed)
    used = {here for _, here, _ in chosen}
    brigades = {formation_of(draft.table, unit) for unit, _, _ in chosen}
    if len(brigades) >= BRIGADES[draft.side]:
        left = {unit: spots for unit, spots in left.items() if formation_of(draft.table, unit) in brigades}
    seen: set[tuple[object, ...]] = set()
    for one in sorted(targets.values(), key=lambda one: (Fraction(have[one.at], max(1, one.defence)), one.at)):
        ranked = []
        for unit, spots in left.items():
            start = hex_of(draft.table, unit)
            like = (start, draft.table.counters[unit].card if not is_tank(draft.table, unit) else kind_of(draft.table, unit))
            if like in seen:
                continue
            seen.add(like)
            for here in spots:
                if distance(here, one.at) == 1:
                    ranked.append(((-_dense(draft, unit, factor(draft, unit, here, one.at)), -_shuts(here, used), here, unit), unit, here))
        for _, unit, here in sorted(ranked):
            if _roomy(draft, forces, room, here, unit):
                return unit, here, one.at
        seen.clear()
    return None


def _dense(draft: Draft, unit: str, factors: int) -> Fraction:
    """Factors for the room that a unit takes: tanks fill a hex best."""
    german = nation_of(draft.table, unit) == "german"
    return factors / draft.lasting(("weight", unit), lambda: weight(draft.table, unit, german))


def _shuts(here: Hex, used: set[Hex]) -> int:
    """How well one more hex shuts the ways of retreat: one that is used already least."""
    return 0 if here in used else 1 + sum(min(2, distance(here, other) - 1) for other in used)


def _roomy(draft: Draft, forces: Forces, room: Mapping[Hex, Sequence[str]], here: Hex, unit: str) -> bool:
    """Whether one more unit has room beside those that will stand in a hex: who stands there now and may go away does not count."""
    staying = [other for other in units_at(draft.table, here) if other not in forces.units and other != unit]
    start = hex_of(draft.table, unit)
    if start == here:
        return True
    return fits(draft, {*staying, *room.get(here, ()), *(o for o in units_at(draft.table, here) if o in forces.units), unit})


def trapped(draft: Draft, at: Hex, from_hexes: Iterable[Hex]) -> bool:
    """Whether units in a hex that is attacked from some hexes would have nowhere to go but through zones."""
    table = draft.table
    taken = set(from_hexes)
    shut = taken | {to for here in taken for to in adjacent(table, here)}
    own = draft.lasting(("zone", draft.enemy), lambda: zones(table, draft.enemy))
    return all(to in shut or to in own for to in adjacent(table, at))


def _gain(draft: Draft, targets: Mapping[Hex, Target], chosen: Sequence[Pick]) -> int:
    """What fire and battles promise, one for each hex, less the danger that the attackers are in beside that which they are in already."""
    total = 0
    from_hexes = {here for _, here, _ in chosen}
    for at, one in targets.items():
        total += battle(draft, one, [(unit, here) for unit, here, aimed in chosen if aimed == at], from_hexes)
    risk = 0
    for here in from_hexes:
        stack = [unit for unit, spot, _ in chosen if spot == here]
        worth = sum(draft.worth(unit) for unit in stack)
        risk += danger(draft, here, {*stack, *units_at(draft.table, here)}) * worth // 100 - sum(_risk_now(draft, unit) for unit in stack)
        if not fed(draft, here):
            total -= worth // 25
    fear = IN_STORM if draft.side == AXIS and any(one.boxed for one in targets.values()) else FEAR[draft.side]
    return total - max(0, risk) * fear // 100 - _aside(draft, chosen)


def _aside(draft: Draft, chosen: Sequence[Pick]) -> int:
    """What it costs the mobile force of the Axis that an attack leads it away from its goal."""
    if draft.side != AXIS:
        return 0
    there = way(draft, goal_of_force(draft))
    more = 0
    for unit, here, _ in chosen:
        start = hex_of(draft.table, unit)
        if mobile(draft, unit) and start is not None:
            more += min(there.get(here, FAR), 400) - min(there.get(start, FAR), 400)
    return more * STEP * (STORMING if storms(draft) else ASIDE) // 100


def _risk_now(draft: Draft, unit: str) -> int:
    """What danger a unit is in if it stays where it stands, in hundredths of a combat factor."""

    def found() -> int:
        at = hex_of(draft.table, unit)
        assert at is not None
        return danger(draft, at, units_at(draft.table, at)) * draft.worth(unit) // 100

    return draft.lasting(("risk", unit), found)


def battle(draft: Draft, one: Target, ours: Sequence[tuple[str, Hex]], from_hexes: Iterable[Hex]) -> int:
    """What the fire and the battle against one hex bring."""
    table = draft.table
    tanks = [(unit, here) for unit, here in ours if is_tank(table, unit)]
    mines = any(mined(table, here, one.at) for _, here in tanks)
    fire = sum((Fraction(current(table, unit, "antitank")) for unit, _ in tanks), Fraction(0))
    armor = sum((resists(draft, unit) for unit, _ in tanks), Fraction(0))
    killed = _killed(fire, one.armor, one.tanks, KILLS_IN_MINES if mines else KILLS)
    lost = _killed(one.fires, armor, len(tanks), KILLS)
    if mines and tanks:
        lost = min(Fraction(len(tanks)), lost + Fraction(2, 3))
    tank_worth = sum(draft.worth(unit) for unit, _ in tanks)
    total = int((one.tank_worth * killed / one.tanks if one.tanks else 0) - (tank_worth * lost / len(tanks) if tanks else 0)) * WRECK // 100
    attack = sum(factor(draft, unit, here, one.at) for unit, here in ours)
    if tanks:
        attack -= int(sum(factor(draft, unit, here, one.at) for unit, here in tanks) * lost / len(tanks))
    left = Fraction(len(tanks)) - lost
    overrun = left > one.antitank - (one.antitank * killed / (2 * one.tanks) if one.tanks else 0)
    share = killed / (2 * one.tanks) if one.tanks else Fraction(0)
    one_prospect = Prospect(
        attack * (2 if overrun else 1),
        max(1, int(one.defence * (1 - share))),
        sum(draft.worth(unit) for unit, _ in ours),
        sum(combat_value(table, unit) for unit, _ in ours),
        int(one.worth * (1 - share)),
        one.cf,
        shift(table, one.at),
        one.boxed,
        not one.boxed and trapped(draft, one.at, from_hexes),
        overrun,
        one.prize,
    )
    rows = draft.lasting("results", lambda: results(table))
    return total + gain(table, rows, one_prospect)


def _killed(fire: Fraction, armor: Fraction, tanks: int, times: int) -> Fraction:
    """How many tanks that resist with so much together antitank factors may kill."""
    if not tanks or not armor:
        return Fraction(0)
    return min(Fraction(tanks), fire * tanks / armor * times / 100)
