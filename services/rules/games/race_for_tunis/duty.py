"""4.2.B, 5.1.B, 8.0.B, 8.2.E: who must attack what, and what forbids the package to close (RT-06)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Json, Order, Side
from services.rules.engine.positions import adjacent, on_map, side_at, units_at
from services.rules.engine.sequence import Duty
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import engaged, orders, package
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.odds import base, strengths
from services.rules.games.race_for_tunis.state import is_artillery
from services.rules.games.race_for_tunis.zoc import in_zone, zones

# -- what is owed ----------------------------------------------------------------------------------------------------------------


def in_zones(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that must attack for the zones they are in: all but artillery and defenders in an engagement (RT-06)."""
    found = [unit.id for unit in on_map(table, side) if isinstance(unit.place, Hex) and in_zone(table, side, unit.place)]  # 4.2.B 5.1.B-3
    return tuple(unit for unit in found if not is_artillery(table, unit) and not engaged.exempt(table, unit))


def obliged(table: Table, side: Side) -> Mapping[str, frozenset[Hex]]:
    """The units of a side that must take part in an attack -> the hexes of which it must be one."""
    found = {unit: frozenset(enemies_next_to(table, side, unit)) for unit in in_zones(table, side)}
    found |= {unit: hexes for sets in engaged.together(table, side) for unit in sets.units if (hexes := _beside(table, unit, sets.hexes))}
    return {**found, **engaged.renewals(table, side)}


def due(table: Table, side: Side) -> Mapping[Hex, tuple[str, ...]]:
    """The enemy hexes that a side must attack -> its units for whose sake: those in their zones (8.0.B), attackers in an engagement with
    them (9.1.4.B-2), newcomers between engaged attackers (9.1.4.D)."""
    found: dict[Hex, list[str]] = {}
    reach = zones(table, side)
    for unit in in_zones(table, side):
        for other in reach[at_of(table, unit)]:
            found.setdefault(at_of(table, other), []).append(unit)  # 5.1.B-1 5.1.B-2
    for unit, hexes in engaged.renewals(table, side).items():
        for at in hexes:
            found.setdefault(at, []).append(unit)
    for sets in engaged.together(table, side):
        for at in sets.hexes:
            found.setdefault(at, []).extend(sets.units)
    return {at: tuple(sorted(set(units))) for at, units in sorted(found.items())}


def enemies_next_to(table: Table, side: Side, unit: str) -> tuple[Hex, ...]:
    """The enemy hexes next to a unit of a side."""
    return tuple(at for at in adjacent(table, at_of(table, unit)) if side_at(table, at) == table.enemy(side))


def _beside(table: Table, unit: str, hexes: frozenset[Hex]) -> frozenset[Hex]:
    return frozenset(at for at in hexes if package.next_to(table, unit, at))


def lone_guns(table: Table, side: Side) -> tuple[str, ...]:
    """The guns of a side that stand in an enemy ZOC without a friend in their hex and are in no engagement (10.3-2, RT-27)."""
    guns = [unit.id for unit in on_map(table, side) if is_artillery(table, unit.id)]
    alone = [gun for gun in guns if len(units_at(table, at_of(table, gun))) == 1 and in_zone(table, side, at_of(table, gun))]
    return tuple(gun for gun in alone if not engaged.exempt(table, gun))


# -- the duty --------------------------------------------------------------------------------------------------------------------


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """What forbids the package to close."""
    doomed = lone_guns(table, side)  # they are lost as the attacks are declared, and support none
    lines = package.drafts(table, package.gathered(table, side))
    planned = [{**one, "support": [gun for gun in one["support"] if gun not in doomed]} for one in lines]
    owing = obliged(table, side)
    return (
        *_unattacked(table, side, planned),
        *_idlers(table, side, planned, owing),
        *_apart(table, side, planned),
        *_rest(table, planned),
        *_too_weak(table, planned, owing),
    )


def _duty(code: str, clause: str, **details: Json) -> Duty:
    return Duty(code, clause, details, contingent=True)


def _unattacked(table: Table, side: Side, planned: Sequence[package.Battle]) -> tuple[Duty, ...]:
    attacked = {at for one in planned for at in one["hexes"]}
    missing = {at: units for at, units in due(table, side).items() if str(at) not in attacked}
    if not missing:
        return ()
    units = sorted({unit for found in missing.values() for unit in found})
    return (_duty("must-attack", _why(table, side, units, "8.0.B"), hexes=[str(at) for at in missing], units=units),)  # 5.1.B-2


def _why(table: Table, side: Side, units: Iterable[str], clause: str) -> str:
    """The clause of a duty of units: of engaged attackers alone it is theirs."""
    return "9.1.4.B-2" if set(units) <= engaged.renewals(table, side).keys() else clause


def _idlers(table: Table, side: Side, planned: Sequence[package.Battle], owing: Mapping[str, frozenset[Hex]]) -> tuple[Duty, ...]:
    """Units that must take part in an attack on a hex of theirs and do not."""
    theirs = {unit: set(one["hexes"]) for one in planned for unit in one["units"]}
    idle = sorted(unit for unit, hexes in owing.items() if not theirs.get(unit, set()) & set(map(str, hexes)))
    if not idle:
        return ()
    hexes = sorted({str(at) for unit in idle for at in owing[unit]})
    return (_duty("must-take-part", _why(table, side, idle, "5.1.B-3"), units=idle, hexes=hexes),)  # 4.2.B 9.1.4.B-2 5.2.D-3


def _apart(table: Table, side: Side, planned: Sequence[package.Battle]) -> tuple[Duty, ...]:
    """Sets that must be attacked in one battle and are not (RT-17)."""
    for sets in engaged.together(table, side):
        if not any(sets.hexes <= set(map(parse_hex, one["hexes"])) and sets.units <= set(one["units"]) for one in planned):
            hexes = [str(at) for at in sorted(sets.hexes)]
            return (_duty("must-attack-together", "9.1.4.D-1", hexes=hexes, units=sorted(sets.units)),)  # 9.1.4.D-2 9.1.4.D-3
    return ()


def _rest(table: Table, planned: Sequence[package.Battle]) -> tuple[Duty, ...]:
    """Hexes of which a battalion is singled out and others are not attacked (8.0.C-1, RT-19)."""
    attacked = {unit for one in planned for unit in one["defenders"]}
    for one in planned:
        left = [unit for at in package.hexes_of(one) for unit in package.maneuver_at(table, at) if unit not in attacked]
        if one["only"] and left:
            return (_duty("rest-not-attacked", "11.1.A-3", hex=one["hexes"][0], units=left),)
    return ()


def _too_weak(table: Table, planned: Sequence[package.Battle], owing: Mapping[str, Any]) -> tuple[Duty, ...]:
    """Battles below 1:5: refused if nobody in them must attack; else those who must die, which is to be confirmed (8.2.E, RT-24)."""
    found = []
    for one in planned:
        attack, defence = strengths(table, one)
        if base(table, attack, defence) is not None:
            continue
        figures = {"battle": one["label"], "attack": print_exact(attack), "defence": print_exact(defence)}
        dying = [unit for unit in one["units"] if unit in owing]
        if dying:
            found.append(Duty("dies-below-1-5", "8.2.E-2", {**figures, "units": dying}, confirmable=True, contingent=True))
        else:
            found.append(_duty("below-1-5", "8.2.E-1", **figures))
    return tuple(sorted(found, key=lambda one: one.confirmable))


def groups(table: Table, lines: tuple[Order, ...]) -> tuple[tuple[Order, ...], ...]:
    """Orders tied to one another: the attacks on one hex, and each attack with its guns and aircraft (G17)."""
    made: list[list[Order]] = []
    for order in lines:
        tied = [group for group in made if any(_names(order) & _names(other) for other in group)]
        made = [group for group in made if group not in tied]
        made.append([*(one for group in tied for one in group), order])
    return tuple(tuple(sorted(group, key=lines.index)) for group in made)


def _names(order: Order) -> set[str]:
    if order.verb == orders.Attack.verb:
        only = {order.args["only"]} if order.args.get("only") else set()
        return {package.label_of(order), *map(str, order.args["hexes"]), *only}
    if order.verb == orders.Support.verb:
        return {str(order.args["battle"])}
    if order.verb == orders.Air.verb and order.args["mission"] == "SUPPORT":
        return {str(order.args.get("battle") or order.args["hex"])}
    return {f"line {order.line}"}
