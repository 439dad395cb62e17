"""12.0 to 12.3: attacks are declared at once, closed under the duty to attack what an attacker is next to; guns of both sides support."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenarios.hexes import Hex, distance, neighbours, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map, side_at, units_at
from services.rules.engine.sequence import Duty
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.guns import factor_at, in_range
from services.rules.games.beda_fomm.orders import Attack, Support
from services.rules.games.beda_fomm.state import (
    barraged,
    check_once,
    combat_factor,
    declared,
    has_armor,
    is_artillery,
    may_attack,
    not_on_map,
    ready,
    value,
)

DECLARATION, DEFENSIVE = "declaration", "defensive support"


# -- who may attack what ---------------------------------------------------------------------------------------------------------


def attackable(table: Table, side: Side, at: Hex) -> bool:
    """Whether a side may attack a hex: enemies stand there, and no armor with them (12.0a, 12.0b, 12.0c)."""
    return side_at(table, at) == table.enemy(side) and not has_armor(table, at)  # 12.0a 12.0b 12.0c 12.11a 12.12a


def check_target(table: Table, side: Side, at: Hex) -> None:
    """IllegalOrder unless the hex may be attacked."""
    if side_at(table, at) != table.enemy(side):
        raise IllegalOrder("12.0a", "no-enemy-there", hex=str(at))
    if has_armor(table, at):
        raise IllegalOrder("12.0c", "shielded", hex=str(at))


def check_attacker(table: Table, unit: str, at: Hex) -> None:
    """IllegalOrder unless a unit may join an attack on a hex."""
    here = hex_of(table, unit)
    if here is None:
        raise not_on_map(table, "12.0g", unit)
    if distance(here, at) != 1:
        raise IllegalOrder("12.0g", "not-adjacent", unit=unit, **{"from": str(here), "to": str(at)})
    if is_artillery(table, unit) and not ready(table, unit):
        raise IllegalOrder("12.23a", "fired-already", unit=unit)  # 12.31a 12.31b
    if not may_attack(table, unit):
        raise IllegalOrder("12.22a", "defends-only", unit=unit)
    if "infiltrated" in table.counters[unit].marks:
        raise IllegalOrder("9.33b", "infiltrated", unit=unit)


def may_join(table: Table, unit: str, at: Hex) -> bool:
    """Whether a unit may join an attack on a hex."""
    try:
        check_attacker(table, unit, at)
    except IllegalOrder:
        return False
    return True


def targets(table: Table, side: Side) -> Mapping[Hex, tuple[str, ...]]:
    """Every hex that a side may attack now -> the units that may join."""
    found: dict[Hex, list[str]] = {}
    for unit in on_map(table, side):
        for at in adjacent(table, unit.place) if isinstance(unit.place, Hex) else ():
            if attackable(table, side, at) and may_join(table, unit.id, at):
                found.setdefault(at, []).append(unit.id)
    return {at: tuple(units) for at, units in sorted(found.items())}


# -- support ---------------------------------------------------------------------------------------------------------------------


def next_to_enemy(table: Table, unit: str) -> bool:
    """Whether any enemy unit stands next to a unit (BF-R67)."""
    here = hex_of(table, unit)
    enemies = occupied(table, table.enemy(table.counters[unit].side))
    return here is not None and any(at in enemies for at in neighbours(here))


def check_support(table: Table, gun: str, at: Hex) -> None:
    """IllegalOrder unless a battery may support a combat in a hex: ready, no enemy next to it, in range (12.33, 12.35, 12.36)."""
    if hex_of(table, gun) is None:
        raise not_on_map(table, "12.33a", gun)
    if not is_artillery(table, gun):
        raise IllegalOrder("12.33a", "no-artillery", unit=gun)
    if not ready(table, gun):
        raise IllegalOrder("12.23a", "fired-already", unit=gun)  # 12.31b
    phasing = table.counters[gun].side == table.phasing
    if next_to_enemy(table, gun):
        raise IllegalOrder("12.33a" if phasing else "12.35a", "next-to-enemy", unit=gun)
    here = hex_of(table, gun)
    if here is not None and not in_range(table, gun, at):
        figures = {"distance": distance(here, at), "range": value(table, gun, "range")}
        raise IllegalOrder("12.33a" if phasing else "12.36a", "out-of-range", unit=gun, hex=str(at), **figures)


def may_support(table: Table, gun: str, at: Hex) -> bool:
    """Whether a battery may support a combat in a hex."""
    try:
        check_support(table, gun, at)
    except IllegalOrder:
        return False
    return True


def supported(table: Table, guns: Iterable[str], at: Hex, base: int) -> int:
    """What support adds: the batteries' factors at that distance, at most as much as the strength supported (12.34, 12.37, BF-R70)."""
    return min(sum(factor_at(table, gun, at) for gun in guns), base)  # 12.34a 12.37a 2.0s


# -- the declaration -------------------------------------------------------------------------------------------------------------


def gathered(table: Table, side: Side) -> tuple[Order, ...]:
    """What a side has ordered so far: attacks and support of the phasing side, support of the other."""
    sets = table.sets if isinstance(table, Adjudication) else table.before.sets
    found = sets.get(f"{side}/{DECLARATION if side == table.phasing else DEFENSIVE}", ())
    return tuple(order for order in found if not order.args.get("none"))  # a withdrawn one stands for nothing


def _elsewhere(table: Table, side: Side, args: Attack | Support) -> Mapping[str, str]:
    """Units and guns -> the other hex in whose combat they are ordered to take part by lines that this one does not replace."""
    found: dict[str, str] = {}
    for order in gathered(table, side):
        at, attack = order.args["hex"], order.verb == Attack.verb
        taking = (*order.args["units"], *order.args.get("support", ())) if attack else tuple(order.args["guns"])
        replaced = isinstance(args, Support) and not attack and sorted(taking) == sorted(args.guns)
        if at != str(args.hex) and not replaced:
            found |= dict.fromkeys(taking, at)
    return found


def subject(args: Attack | Support) -> str:
    """Of two attacks on one hex the later one stands, and of two lines of support by the same guns."""
    return str(args.hex) if isinstance(args, Attack) else "+".join(sorted(args.guns))


def check_attack(adj: Adjudication, args: Attack, order: Order) -> None:
    """IllegalOrder unless the attack may be declared beside those gathered already."""
    side = adj.phasing
    assert side is not None
    if args.none:
        _check_withdrawal(adj, side, args.hex)
        return
    check_target(adj, side, args.hex)
    check_once("12.0e", args.units)
    _check_label(adj, side, order)
    busy = _elsewhere(adj, side, args)
    for unit in args.units:
        if unit in busy:
            raise IllegalOrder("12.0d", "attacks-elsewhere", unit=unit, hex=busy[unit])  # BF-R61
        check_attacker(adj, unit, args.hex)
    _check_guns(adj, side, args.support, args)


def _check_withdrawal(adj: Adjudication, side: Side, at: Hex) -> None:
    """IllegalOrder unless there is an attack on a hex to be withdrawn: none is compulsory (12.0f)."""
    if all(order.args["hex"] != str(at) for order in adj.sets.get(f"{side}/{DECLARATION}", ()) if order.verb == Attack.verb):
        raise IllegalOrder("12.0f", "no-attack-there", hex=str(at))


def _check_label(adj: Adjudication, side: Side, order: Order) -> None:
    """IllegalOrder if the label, or the hex that stands for it, is that of another attack."""
    at = order.args["hex"]
    others = [o for o in gathered(adj, side) if o.verb == Attack.verb and o.args["hex"] != at]
    names = {name: o.args["hex"] for o in others for name in (o.label, o.args["hex"]) if name}
    for name in (order.label, at):
        if name in names:
            raise IllegalOrder("12.0d", "label-taken", label=name, hex=names[name])


def _check_guns(adj: Adjudication, side: Side, guns: Sequence[str], args: Attack | Support) -> None:
    """IllegalOrder unless the guns may support the combat, and are in no other: each supports one (BF-R72)."""
    clause = "12.33a" if side == adj.phasing else "12.36a"
    if guns:
        check_once(clause, guns)
    busy = _elsewhere(adj, side, args)
    for gun in guns:
        if gun in busy:
            raise IllegalOrder(clause, "supports-elsewhere", unit=gun, hex=busy[gun])
        check_support(adj, gun, args.hex)


def check_offensive(adj: Adjudication, args: Support, _: Order) -> None:
    """IllegalOrder unless the guns may support an attack that has been ordered."""
    side = adj.phasing
    assert side is not None
    if str(args.hex) not in {o.args["hex"] for o in gathered(adj, side) if o.verb == Attack.verb}:
        raise IllegalOrder("12.33a", "no-attack-there", hex=str(args.hex))  # BF-R71
    _check_guns(adj, side, args.guns, args)


def by_duty(table: Table, orders: tuple[Order, ...]) -> tuple[tuple[Order, ...], ...]:
    """Orders tied to one another: attacks of which one's attacker stands next to another's target, and support with its attack (G17)."""
    groups: list[list[Order]] = []
    for order in orders:
        tied = [group for group in groups if any(_tied(table, order, other) for other in group)]
        groups = [group for group in groups if group not in tied]
        groups.append([*(one for group in tied for one in group), order])
    return tuple(tuple(sorted(group, key=orders.index)) for group in groups)


def _tied(table: Table, a: Order, b: Order) -> bool:
    return a.args["hex"] == b.args["hex"] or _reaches(table, a, b) or _reaches(table, b, a)


def _reaches(table: Table, a: Order, b: Order) -> bool:
    if a.verb != "ATTACK" or b.verb != "ATTACK":
        return False
    target = parse_hex(b.args["hex"])
    return any((at := hex_of(table, unit)) is not None and distance(at, target) == 1 for unit in a.args["units"])


def owed(table: Table, side: Side, orders: Sequence[Order]) -> Mapping[Hex, list[str]]:
    """Hexes that must be attacked too -> the attackers that stand next to them: enemies without armor, not under an attack barrage of the
    phasing side in this phase (12.0g, 12.0h, 12.13)."""
    attacked = {order.args["hex"] for order in orders if order.verb == "ATTACK" and not order.args.get("none")}
    found: dict[Hex, list[str]] = {}
    for order in orders:
        for unit in order.args["units"] if order.verb == "ATTACK" else ():
            here = hex_of(table, unit)
            for at in adjacent(table, here) if here else ():
                if str(at) in attacked or not attackable(table, side, at):
                    continue  # 2.0w 12.13a BF-R62
                if barraged(table).get(str(at)) == side:
                    continue  # 12.0h 12.13b BF-R63
                found.setdefault(at, []).append(unit)  # 12.0g
    return found


def closure(table: Table, side: Side) -> tuple[Duty, ...]:
    """The declaration is closed when every hex that an attacker stands next to is attacked too, or excused."""
    missing = owed(table, side, gathered(table, side))
    if not missing:
        return ()
    units = sorted({unit for found in missing.values() for unit in found})
    details = {"hexes": [str(at) for at in sorted(missing)], "units": units}
    return (Duty("must-attack-too", "12.0g", details, contingent=True),)  # BF-R62


def drop_open(adj: Adjudication, side: Side) -> None:
    """Attacks that are not closed are dropped, whole groups of them (``DONE AUTO``, a deadline): attacking is never compulsory (12.0f)."""
    key = f"{side}/{DECLARATION}"
    while missing := owed(adj, side, adj.sets.get(key, ())):
        orders = adj.sets[key]
        units = {unit for found in missing.values() for unit in found}
        bad = [group for group in by_duty(adj, orders) if any(units & set(o.args.get("units", ())) for o in group)]
        gone = [order for group in bad for order in group]
        adj.record("attacks_dropped", "12.0g", {"hexes": sorted({o.args["hex"] for o in gone})}, owner=side)
        adj.sets[key] = tuple(order for order in orders if order not in gone)


def declare(adj: Adjudication, args: Attack, order: Order) -> None:
    """The attack stands (12.0d, 12.0e), unless it was withdrawn."""
    if args.none:
        return
    label = order.label or str(args.hex)  # G21
    entry = {
        "label": label,
        "hex": str(args.hex),
        "units": list(args.units),
        "support": list(args.support),
        "defence": [],
        "done": False,
    }
    adj.record("declared", "12.0d", {"side": adj.phasing, **entry}, changes=[ch.own("declared", [*declared(adj), entry])])


def add_offensive(adj: Adjudication, args: Support, _: Order) -> None:
    """Guns support an attack of their side."""
    _add(adj, args, "support", "12.33b")


# -- the other side --------------------------------------------------------------------------------------------------------------


def check_defensive(adj: Adjudication, args: Support, _: Order) -> None:
    """IllegalOrder unless the guns may support a hex of theirs that is attacked."""
    side = adj.enemy(adj.phasing or "")
    if str(args.hex) not in {one["hex"] for one in declared(adj)}:
        raise IllegalOrder("12.36a", "no-attack-there", hex=str(args.hex))
    _check_guns(adj, side, args.guns, args)


def add_defensive(adj: Adjudication, args: Support, _: Order) -> None:
    """Guns support a hex of theirs that is attacked."""
    _add(adj, args, "defence", "12.36b")


def _add(adj: Adjudication, args: Support, which: str, clause: str) -> None:
    entries = [dict(one) for one in declared(adj)]
    entry = next(one for one in entries if one["hex"] == str(args.hex))
    entry[which] = [*entry[which], *(gun for gun in args.guns if gun not in entry[which])]
    data: dict[str, Json] = {"label": entry["label"], "hex": str(args.hex), "guns": list(args.guns), "how": which}
    adj.record("supported", clause, data, changes=[ch.own("declared", entries)])


def can_support(table: Table, side: Side) -> bool:
    """Whether a side has a battery that may support one of the hexes attacked."""
    hexes = [parse_hex(one["hex"]) for one in declared(table)]
    return any(may_support(table, unit.id, at) for unit in on_map(table, side) if is_artillery(table, unit.id) for at in hexes)


# -- strengths -------------------------------------------------------------------------------------------------------------------


def attackers(table: Table, one: Mapping[str, Json]) -> tuple[str, ...]:
    """The attackers of a declared combat that are still there, next to the hex (BF-R76)."""
    at = parse_hex(one["hex"])
    return tuple(unit for unit in one["units"] if (here := hex_of(table, unit)) is not None and distance(here, at) == 1)


def strengths(table: Table, one: Mapping[str, Json]) -> tuple[int, int]:
    """Attack and defence of a declared combat as things stand, support and its limits counted (12.0o, 12.0p)."""
    at = parse_hex(one["hex"])
    attack = sum(combat_factor(table, unit) for unit in attackers(table, one))
    defence = sum(combat_factor(table, unit) for unit in units_at(table, at))
    return (
        attack + supported(table, [gun for gun in one["support"] if hex_of(table, gun)], at, attack),
        defence + supported(table, [gun for gun in one["defence"] if hex_of(table, gun)], at, defence),
    )
