"""Antitank Fire: the defender's first fire, then all other shots at once (FT-08 to FT-13). The targets are tanks next to those who fire.

The orders of either part are gathered in secret until it closes. A shot is a work item; in the first part its result is felt at once, in
the second when all have been rolled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scenarios.hexes import Hex, distance
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.combat import CombatResultsTable, Modifier, Odds, odds, total
from services.rules.engine.exact import parse_exact, print_exact
from services.rules.engine.model import Exact, IllegalOrder, Json, Order, Side
from services.rules.engine.positions import hex_of, on_map
from services.rules.engine.sequence import BOTH, NON_PHASING, Mode, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import supply
from services.rules.games.fall_of_tobruk.fallen import living
from services.rules.games.fall_of_tobruk.ground import at_of
from services.rules.games.fall_of_tobruk.mines import shielded
from services.rules.games.fall_of_tobruk.orders import Attack, Fire
from services.rules.games.fall_of_tobruk.paralysis import rouse
from services.rules.games.fall_of_tobruk.state import current, disrupted, is_gun, is_tank, kind_of, type_of, value
from services.rules.games.fall_of_tobruk.wrecks import CROWD, lose_unit
from services.rules.games.fall_of_tobruk.zoc import beside

FIRST, SIMULTANEOUS = "first fire", "antitank"
"""The steps of the two parts."""
ENOUGH = Fraction(3)
"""Odds at which, by default, no more units are put to one tank."""

# -- who may fire ----------------------------------------------------------------------------------------------------------------


def active(table: Table, unit: str) -> bool:
    """Whether a unit of the phasing side takes part in this pass: it has moved in it or stands, and has not finished (FT-06)."""
    marks = table.counters[unit].marks
    return "active" in marks and "done" not in marks


def attacked(table: Table, unit: str) -> bool:
    """Whether an active unit of the phasing side stands beside a unit of the other (FT-08)."""
    return any(active(table, enemy) for enemy in beside(table, unit))


def check_shooter(table: Table, unit: str) -> None:
    """IllegalOrder if a unit may not fire in this segment at all."""
    if hex_of(table, unit) is None:
        raise IllegalOrder("at.9", "not-on-map", unit=unit)
    if value(table, unit, "antitank") < 1:
        raise IllegalOrder("at.3", "no-antitank-factor", unit=unit)  # at.3
    if is_gun(table, unit) and disrupted(table, unit):
        raise IllegalOrder("disrupt.14", "disrupted-gun", unit=unit)  # disrupt.14
    marks = table.counters[unit].marks
    if "fired" in marks:
        raise IllegalOrder("at.11", "shot-already", unit=unit)  # at.10 at.11
    if table.counters[unit].side == table.phasing:
        if "done" in marks:
            raise IllegalOrder("seq.8", "finished", unit=unit)  # seq.8
        if not active(table, unit):
            raise IllegalOrder("at.1", "not-active", unit=unit)  # at.1
        if "moved" in marks and type_of(table, unit)["fires_moved"] != "yes":  # at.7
            raise IllegalOrder("at.6", "moved-no-antitank", unit=unit)  # at.6
    elif not attacked(table, unit):
        raise IllegalOrder("seq.10", "not-attacked", unit=unit)  # seq.10 at.2


def check_shot(table: Table, unit: str, target: str, *, first: bool) -> None:
    """IllegalOrder unless a unit may fire at a target, in the one part or the other."""
    check_shooter(table, unit)
    check_target(table, unit, target, first=first)


def check_target(table: Table, unit: str, target: str, *, first: bool) -> None:
    """IllegalOrder unless a target is one for a unit that may fire."""
    at, to = at_of(table, unit), hex_of(table, target)
    if to is None or table.counters[target].side == table.counters[unit].side:
        raise IllegalOrder("at.4", "no-such-target", unit=target)
    if not is_tank(table, target):
        raise IllegalOrder("at.4", "not-a-tank", unit=target)  # at.4
    if distance(at, to) != 1:
        raise IllegalOrder("at.9", "not-adjacent", unit=unit, **{"from": str(at), "to": str(to)})  # at.9
    if first and not entitled(table, unit, target):
        raise IllegalOrder("firstfire.2", "no-first-fire", unit=unit, target=target)  # firstfire.2


def entitled(table: Table, unit: str, target: str) -> bool:
    """Whether a unit may fire at a target before the others do: a self-propelled gun or an 88 at any, all others at an active one beyond
    mines (FT-09)."""
    if type_of(table, unit)["first_fire"] == "yes":
        return True  # firstfire.3 firstfire.4
    return shielded(table, target, at_of(table, target), at_of(table, unit)) and active(table, target)  # firstfire.2


def may_shoot(table: Table, unit: str, target: str, *, first: bool) -> bool:
    """Whether a unit may fire at a target."""
    try:
        check_shot(table, unit, target, first=first)
    except IllegalOrder:
        return False
    return True


def exposed(table: Table, unit: str, *, first: bool) -> tuple[str, ...]:
    """The tanks that a unit may fire at now."""
    return tuple(target for target in beside(table, unit) if is_tank(table, target) and may_shoot(table, unit, target, first=first))


def shooters(table: Table, side: Side, *, first: bool) -> Mapping[str, tuple[str, ...]]:
    """The units of a side that may fire, each with the tanks that it may fire at."""
    found = ((unit.id, exposed(table, unit.id, first=first)) for unit in on_map(table, side))
    return {unit: targets for unit, targets in found if targets}


# -- odds ------------------------------------------------------------------------------------------------------------------------


def fire_factor(table: Table, unit: str) -> Exact:
    """What a unit fires with: halved if disrupted, and if it is Axis, attacks and has no supply. A Matilda's is as printed (matilda.2)."""
    return current(table, unit, "antitank") * supply.factor(table, unit)  # supply.13


def target_factor(table: Table, target: str) -> Exact:
    """What a tank resists with: its own antitank factor, a Matilda's doubled; never changed by want of supply (supply.2)."""
    if kind_of(table, target) == "matilda":
        return current(table, target, "antitank") * int(table.data.charts["costs"]["modifiers"]["matilda"])  # matilda.1
    return current(table, target, "antitank")  # at.5


def at_table(table: Table) -> CombatResultsTable:
    """The Antitank Table."""
    return table.remembered("antitank", lambda: CombatResultsTable.of_chart(table.data.charts["antitank"]))


def ratio(table: Table, units: Iterable[str], targets: Iterable[str]) -> Odds | None:
    """The odds of a shot, fractions to the good of the targets; None below the table (attable.3)."""
    fire = [fire_factor(table, unit) for unit in units]  # at.13 at.16
    against = [target_factor(table, target) for target in targets]  # at.18
    found = odds(sum(fire, Fraction(0)), sum(against, Fraction(0))) if any(against) else at_table(table).columns[-1]  # at.14
    return found if found.rank >= at_table(table).columns[0].rank else None


def modifiers(table: Table, units: Sequence[str], target: Hex) -> tuple[Modifier, ...]:
    """What is added to the die: for the phasing side, if one of those who fire does so across mines (FT-12)."""
    phasing = table.counters[units[0]].side == table.phasing  # minefields.6
    across = any(shielded(table, unit, at, target) for unit in units if (at := hex_of(table, unit)) is not None)
    drm = int(table.data.charts["costs"]["antitank"]["mine_drm"])
    return (Modifier(drm, "minefield", "at.15"),) if phasing and across else ()  # at.15 minefields.5


def hits(table: Table, found: Odds, die: int) -> bool:
    """Whether a modified die kills; beyond the last row nothing does (FT-04)."""
    column = at_table(table).column(found)
    assert column is not None
    return die in at_table(table).rows and at_table(table).result(column, die) == "X"  # attable.2 attable.4


# -- the orders ------------------------------------------------------------------------------------------------------------------


class Shot(NamedTuple):
    """Units that fire together at tanks in one hex."""

    units: tuple[str, ...]
    targets: tuple[str, ...]


def subject(args: Fire) -> str:
    """A later line for the same units takes the place of an older one, and so does a policy."""
    return "+".join(sorted(args.units)) or "policy"


def check_fire(adj: Adjudication, args: Fire, _: Order) -> None:
    """IllegalOrder unless the units may fire so, at the targets or at the others named, and fire at nothing else."""
    if args.policy is not None:
        return
    if not args.units or len(set(args.units)) != len(args.units):
        raise IllegalOrder("at.16", "malformed", field="units")
    for order in adj.sets.get(f"{adj.speaker}/{adj.step.name}", ()):
        other = read_args(Fire, order.args)
        twice = sorted(set(args.units) & set(other.units)) if subject(other) != subject(args) else []
        if twice:
            raise IllegalOrder("at.11", "shot-already", unit=twice[0])  # at.11
    aimed(adj, args, first=adj.step.name == FIRST)


def aimed(table: Table, args: Fire, *, first: bool) -> Shot:
    """The shot that an order makes: at the first of its two groups of targets that may be fired at. IllegalOrder if neither may."""
    faults: list[IllegalOrder] = []
    for targets, at in ((args.targets, args.hex), (args.else_targets, None)):
        try:
            if targets or not faults:
                return _shot(table, args.units, targets, at, first=first)
        except IllegalOrder as illegal:
            faults.append(illegal)
    raise faults[0]


def _shot(table: Table, units: Sequence[str], targets: Sequence[str], at: Hex | None, *, first: bool) -> Shot:
    if not targets or len(set(targets)) != len(targets):
        raise IllegalOrder("at.17", "malformed", field="targets")
    standing = tuple(target for target in targets if hex_of(table, target) is not None)
    if not standing:
        raise IllegalOrder("at.4", "no-such-target", unit=targets[0])
    for unit in units:
        for target in standing:
            check_shot(table, unit, target, first=first)
    hexes = sorted({str(hex_of(table, target)) for target in standing} | ({str(at)} if at else set()))
    if len(hexes) > 1:
        raise IllegalOrder("at.17", "targets-in-one-hex", units=list(standing), hexes=hexes)  # at.17
    if ratio(table, units, standing) is None:
        raise IllegalOrder("attable.3", "below-the-table", units=list(units), targets=list(standing))  # attable.3
    return Shot(tuple(units), standing)


def declare(adj: Adjudication, args: Fire, _: Order) -> None:
    """An order takes effect as its step closes: it is a shot, or as many as its policy makes."""
    first = adj.step.name == FIRST
    if args.policy is None:
        shot = aimed(adj, args, first=first)
        others = args.else_targets if shot.targets != args.else_targets else ()
        adj.push("Shot", units=list(shot.units), targets=list(shot.targets), others=list(others))
    elif args.policy != "NO":  # firstfire.6
        taken = {unit for kind, work in adj.pushed if kind == "Shot" for unit in work["units"]}
        for shot in planned(adj, adj.speaker, args, taken, first=first):
            adj.push("Shot", units=list(shot.units), targets=list(shot.targets), others=[])


# -- by a policy -----------------------------------------------------------------------------------------------------------------


def planned(table: Table, side: Side, args: Fire, taken: Iterable[str] = (), *, first: bool) -> list[Shot]:
    """The shots that a policy makes of the units not ``taken``: at one tank after another, the highest first, with as few units as reach
    3:1. In the simultaneous part those left over then fire too."""
    ready = {unit: _meant(table, side, unit, seen) for unit, seen in shooters(table, side, first=first).items() if unit not in taken}
    found: list[Shot] = []
    while shots := list(_round(table, ready, args)):
        found += shots
        ready = {unit: seen for unit, seen in ready.items() if not any(unit in shot.units for shot in shots)}
        if first:
            break
    return found


def _round(table: Table, ready: Mapping[str, Sequence[str]], args: Fire) -> Iterator[Shot]:
    """One shot at each tank, as far as the units go."""
    left = sorted(ready, key=lambda unit: (len(ready[unit]), -fire_factor(table, unit), unit))
    for target in sorted({target for seen in ready.values() for target in seen}, key=lambda target: _rank(table, target, args.by)):
        able = [unit for unit in left if target in ready[unit]]
        units = _massed(table, able, target, args)
        if units:
            left = [unit for unit in left if unit not in units]
            yield Shot(tuple(units), (target,))


def _massed(table: Table, able: Sequence[str], target: str, args: Fire) -> Sequence[str]:
    """As many of the units as reach 3:1 at a tank, or all; only one if they are not pooled; none below the odds asked for."""
    wanted = Fraction(parse_exact(args.min)) if args.min is not None else Fraction(0)
    if args.pool is False:
        return next(([unit] for unit in able if (found := ratio(table, (unit,), (target,))) and found.rank >= wanted), ())
    for n in range(1, len(able) + 1):
        found = ratio(table, able[:n], (target,))
        if found is not None and found.rank >= max(wanted, ENOUGH):
            return able[:n]
    last = ratio(table, able, (target,)) if able else None
    return able if last is not None and last.rank >= wanted else ()


def _rank(table: Table, target: str, by: str | None) -> tuple[Any, ...]:
    """Which tanks a policy fires at first: those with the highest antitank factor as it stands; ``TYPE``: as printed, one model after
    another."""
    if by == "TYPE":
        return (-value(table, target, "antitank"), kind_of(table, target), target)
    return (-target_factor(table, target), target)


def _meant(table: Table, side: Side, unit: str, seen: tuple[str, ...]) -> tuple[str, ...]:
    """Of the tanks that a unit may fire at those in the hex that it will attack, by the lines that wait; all, if there are none."""
    waiting = table.tails.get(side) if isinstance(table, Adjudication) and side == table.phasing else None
    lines = [order.args for order in waiting.orders if order.verb == Attack.verb] if waiting else []
    hexes = {at for args in lines if unit in args["units"] for at in args["hexes"]}
    return tuple(target for target in seen if str(hex_of(table, target)) in hexes) or seen


def fire_by_default(adj: Adjudication, side: Side) -> None:
    """A side that has said nothing fires with all that it can."""
    key = f"{side}/{adj.step.name}"
    if not adj.sets.get(key):
        adj.sets[key] = (Order(0, Fire.verb, {"policy": "ALL"}),)


# -- the dice --------------------------------------------------------------------------------------------------------------------


def shoot(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """One shot: a die on the column of its odds. Tanks hit by first fire die at once; all others when all have fired (FT-10)."""
    first = adj.step.name == FIRST
    units = tuple(work["units"])
    targets = _standing(adj, work["targets"]) or _others(adj, units, work["others"], first=first)
    found = ratio(adj, units, targets) if targets else None
    fired = [ch.mark(unit, "fired") for unit in units]  # at.10 at.11
    if found is None:
        adj.record("shot_wasted", "at.9", {"units": list(units), "targets": list(work["targets"])}, changes=fired)
        return
    at = at_of(adj, targets[0])
    rouse(adj, targets)
    drm = modifiers(adj, units, at)
    why = "first shot" if first else "volley"
    (die,) = adj.roll("attable.2", why, site=str(at), who=min(units), modifiers=[one.wire() for one in drm])
    hit = hits(adj, found, die + total(drm))
    data: dict[str, Json] = {
        "side": adj.counters[units[0]].side,
        "hex": str(at),
        "units": [{"unit": unit, "factor": print_exact(fire_factor(adj, unit))} for unit in units],
        "targets": [{"unit": target, "factor": print_exact(target_factor(adj, target))} for target in targets],
        "odds": str(found),
        "column": str(at_table(adj).columns[at_table(adj).column(found) or 0]),
        "die": die,
        "modifiers": [one.wire() for one in drm],
        "result": "X" if hit else "-",
        "hit": hit,
    }
    shots = [*adj.own["shots"], {"units": list(units), "targets": list(targets)}] if hit and not first else adj.own["shots"]
    changes = [*fired, ch.own("shots", shots)]
    adj.record("first_shot" if first else "shot", "firstfire.1" if first else "at.9", data, changes=changes)
    if hit and first:  # firstfire.5
        _kill(adj, targets)


def _standing(table: Table, targets: Iterable[str]) -> tuple[str, ...]:
    return tuple(target for target in targets if hex_of(table, target) is not None)


def _others(table: Table, units: Sequence[str], targets: Iterable[str], *, first: bool) -> tuple[str, ...]:
    """Those of the targets named besides at which the units may all fire; none if they stand in several hexes."""

    def fits(unit: str, target: str) -> bool:
        try:
            check_target(table, unit, target, first=first)
        except IllegalOrder:
            return False
        return True

    found = tuple(target for target in targets if all(fits(unit, target) for unit in units))
    return found if len({hex_of(table, target) for target in found}) == 1 else ()


def _kill(adj: Adjudication, targets: Iterable[str]) -> None:
    """Every tank that a shot named is destroyed (FT-11)."""
    for target in targets:
        lose_unit(adj, target, "at.20", "antitank")  # at.20 at.21 attable.2


def settle(adj: Adjudication) -> None:
    """All have fired: the tanks that were hit die together (at.12)."""
    shots: Sequence[Mapping[str, Any]] = adj.own["shots"]
    if not shots:
        return
    killed = tuple(dict.fromkeys(target for shot in shots for target in shot["targets"]))
    adj.record("volley", "at.12", {"units": list(killed)}, changes=[ch.own("shots", [])])
    _kill(adj, killed)  # at.12


# -- the steps -------------------------------------------------------------------------------------------------------------------


def somebody_entitled(table: Table) -> bool:
    """Whether a unit of the side that does not move has a first shot."""
    return bool(shooters(table, table.enemy(table.phasing or ""), first=True))


def nobody_fires(table: Table, side: Side) -> bool:
    """Whether no unit of a side may fire."""
    return not shooters(table, side, first=table.slot.step.name == FIRST)


FIRE = on(Fire, declare, check=check_fire, subject=subject, units=lambda args: args.units, living=living)
STEPS = (
    Step(
        FIRST,
        "firstfire.1",
        NON_PHASING,
        Mode.SET,
        accepts=(FIRE,),
        resolves=(Work("Shot", shoot), CROWD),
        when=somebody_entitled,
        default=fire_by_default,
    ),
    Step(
        SIMULTANEOUS, "at.9", BOTH, Mode.SET, accepts=(FIRE,), resolves=(CROWD,), leave=settle, idle=nobody_fires, default=fire_by_default
    ),
)
