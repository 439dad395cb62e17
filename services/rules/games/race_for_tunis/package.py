"""8.0, 8.1, 10.1, 11.1: what attacks may be ordered, alone or together, with which guns; what a battle consists of.

The orders are gathered in private until the package closes (``duty``). A battle is the mapping that ``state`` describes, in
``own["battles"]``; a gathered ``ATTACK`` is looked at as the battle that it would be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, IllegalOrder, Order, Side
from services.rules.engine.positions import hex_of, side_at, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.orders import Attack, CounterBattery, Support
from services.rules.games.race_for_tunis.state import (
    AXIS,
    battles,
    french_restricted,
    interdiction,
    is_artillery,
    is_support,
    nation_of,
    value,
)
from services.rules.games.race_for_tunis.zoc import in_zone

PACKAGE = "package"
Battle = Mapping[str, Any]

# -- a battle --------------------------------------------------------------------------------------------------------------------


def hexes_of(one: Battle) -> tuple[Hex, ...]:
    """The hexes that a battle is fought for."""
    return tuple(map(parse_hex, one["hexes"]))


def defenders(table: Table, one: Battle) -> tuple[str, ...]:
    """The defenders that still stand in one of its hexes; who has come there since adds nothing (RT-34)."""
    hexes = hexes_of(one)
    return tuple(unit for unit in one["defenders"] if hex_of(table, unit) in hexes)


def live_hexes(table: Table, one: Battle) -> tuple[Hex, ...]:
    """Its hexes in which one of its defenders still stands."""
    held = {hex_of(table, unit) for unit in one["defenders"]}
    return tuple(at for at in hexes_of(one) if at in held)


def attackers(table: Table, one: Battle) -> tuple[str, ...]:
    """The attackers that are still next to a hex of it with defenders (RT-34)."""
    live = live_hexes(table, one)
    return tuple(unit for unit in one["units"] if any(next_to(table, unit, at) for at in live))


def next_to(table: Table, unit: str, at: Hex) -> bool:
    """Whether a unit stands on the map next to a hex."""
    here = hex_of(table, unit)
    return here is not None and distance(here, at) == 1


def named(table: Table, text: str) -> Battle | None:
    """The battle of a label, else the only one for a hex or against a unit of that name."""
    return _of_name(battles(table), text)


def _of_name(found: Sequence[Battle], text: str) -> Battle | None:
    by_label = [one for one in found if one["label"] == text]
    others = [one for one in found if text in one["hexes"] or text == one["only"]]
    return by_label[0] if by_label else others[0] if len(others) == 1 else None


def find(table: Table, label: str) -> Battle:
    """The battle of a label. StopIteration if there is none (our bug)."""
    return next(one for one in battles(table) if one["label"] == label)


def changed(table: Table, label: str, **fields: Any) -> Change:
    """The change by which fields of the battle of a label are replaced."""
    return ch.own("battles", [{**one, **fields} if one["label"] == label else one for one in battles(table)])


def unassigned(table: Table) -> Mapping[Hex, tuple[str, ...]]:
    """The support units that are in no battle yet, as all maneuver battalions of their hex are attacked one by one (11.1.B-3)."""
    taken = {unit for one in battles(table) for unit in one["defenders"]}
    hexes = dict.fromkeys(at for one in battles(table) if one["only"] and not one["done"] for at in hexes_of(one))
    found = {at: tuple(unit for unit in units_at(table, at) if unit not in taken) for at in hexes}
    return {at: units for at, units in found.items() if units}


# -- what is gathered ------------------------------------------------------------------------------------------------------------


def gathered(table: Table, side: Side) -> tuple[Order, ...]:
    """What the phasing side has ordered in the package so far."""
    sets = table.sets if isinstance(table, Adjudication) else table.before.sets
    return sets.get(f"{side}/{PACKAGE}", ())


def attacks(table: Table, side: Side, but: Attack | None = None) -> list[Order]:
    """The attacks gathered, without the one whose place ``but`` takes."""
    found = [order for order in gathered(table, side) if order.verb == Attack.verb]
    return [order for order in found if but is None or _name(order) != subject(but)]


def subject(args: Attack | Support) -> str:
    """Of two attacks with the same first hex, and on the same part of its stack, the later one stands; of support that by the same guns.
    For attacks it is the label too, where none is given (G21)."""
    if isinstance(args, Support):
        return "+".join(sorted(args.guns))
    return _named_by(str(args.hexes[0]) if args.hexes else "", args.only, args.rest)


def _named_by(at: str, only: str | None, rest: bool) -> str:
    return "-".join(filter(None, (at, only or ("REST" if rest else ""))))


def _name(order: Order) -> str:
    """The subject of a gathered attack."""
    return _named_by(order.args["hexes"][0], order.args.get("only"), order.args.get("rest", False))


def label_of(order: Order) -> str:
    """The label of a gathered attack."""
    return order.label or _name(order)


def _in_part(order: Order) -> bool:
    """Whether a gathered attack is on a part of a stack."""
    return order.args.get("only") is not None or bool(order.args.get("rest"))


def draft(order: Order) -> dict[str, Any]:
    """The battle that an ``ATTACK`` makes, its defenders not found yet."""
    args = order.args
    return {
        "label": label_of(order),
        "hexes": list(args["hexes"]),
        "units": list(args["units"]),
        "support": list(args.get("support", ())),
        "lower": args.get("lower") or None,
        "only": args.get("only"),
        "rest": bool(args.get("rest")),
        "defenders": [],
        "defence": [],
        "air": [],
        "done": False,
        "result": None,
    }


def drafts(table: Table, lines: Sequence[Order]) -> list[dict[str, Any]]:
    """The battles that gathered lines would make, with the guns of ``SUPPORT`` lines and all defenders."""
    found = {label_of(order): draft(order) for order in lines if order.verb == Attack.verb}
    for order in lines:
        one = _of_name(list(found.values()), order.args["battle"]) if order.verb == Support.verb else None
        if one is not None:
            guns = [*one["support"], *(gun for gun in order.args["guns"] if gun not in one["support"])]
            found[one["label"]] = {**one, "support": guns}
    return with_defenders(table, list(found.values()))


def with_defenders(table: Table, found: Sequence[Battle]) -> list[dict[str, Any]]:
    """Battles with those who defend in them: a unit named alone, or all in the hexes who are not named (8.0.C, 11.1.A). Support units join
    the one battle there is where no other is left (RT-19)."""
    alone = {one["only"] for one in found if one["only"]}
    made = []
    for one in found:
        others = [unit for at in hexes_of(one) for unit in units_at(table, at) if unit not in alone]
        sole = one["only"] and sum(1 for other in found if other["hexes"] == one["hexes"]) == 1
        joining = others if sole and all(is_support(table, unit) for unit in others) else []
        made.append({**one, "defenders": [one["only"], *joining] if one["only"] else others})  # 8.0.C-1 11.1.A-2 11.1.A-3
    return made


def busy_guns(table: Table, side: Side, but: Attack | Support | CounterBattery | None = None) -> Mapping[str, str]:
    """Guns -> the battle or the target for which lines other than the one that ``but`` replaces use them."""
    found: dict[str, str] = {}
    ordered = [draft(order) for order in attacks(table, side, but if isinstance(but, Attack) else None)]
    for one in ordered:
        found |= dict.fromkeys(one["support"], one["label"])
    for order in gathered(table, side):
        guns = order.args.get("guns", ())
        if order.verb == Support.verb and not (isinstance(but, Support) and sorted(guns) == sorted(but.guns)):
            its = _of_name(ordered, order.args["battle"])
            found |= dict.fromkeys(guns, its["label"]) if its else {}  # a line for a battle that has gone falls away
        if order.verb == CounterBattery.verb and not (isinstance(but, CounterBattery) and order.args["target"] == but.target):
            found |= dict.fromkeys(guns, order.args["target"])
    return found


# -- who may attack what ---------------------------------------------------------------------------------------------------------


def check_attack(adj: Adjudication, args: Attack, order: Order) -> None:
    """IllegalOrder unless the attack may be ordered beside those gathered already."""
    side = adj.phasing
    assert side is not None
    for name, given in (("hexes", args.hexes), ("units", args.units)):
        if not given or len(set(given)) != len(given):
            raise IllegalOrder("8.1-1", "malformed", field=name)
    if order.label and order.label.isdecimal() and order.label not in map(str, args.hexes):
        raise IllegalOrder("8.1-1", "label-is-a-hex", label=order.label)
    if args.lower is not None and args.lower < 0:
        raise IllegalOrder("8.2.F", "malformed", field="lower")
    for at in args.hexes:
        if side_at(adj, at) != adj.enemy(side):
            raise IllegalOrder("8.0.A-2", "no-enemy-there", hex=str(at))
    _check_others(adj, side, args, order)
    if args.only is not None or args.rest:
        _check_selective(adj, side, args)
    for unit in args.units:
        check_attacker(adj, unit, args.hexes)
    if not any(all(next_to(adj, unit, at) for at in args.hexes) for unit in args.units):
        raise IllegalOrder("8.4-1", "no-link", hexes=[str(at) for at in args.hexes])  # RT-08
    _check_guns(adj, side, args.support, draft(order), args)


def check_attacker(table: Table, unit: str, hexes: Sequence[Hex]) -> None:
    """IllegalOrder unless a unit may take part in an attack on hexes."""
    here = hex_of(table, unit)
    if here is None:
        raise IllegalOrder("8.0.A-2", "not-on-map", unit=unit)
    if is_artillery(table, unit):
        raise IllegalOrder("10.0-1", "artillery-supports", unit=unit)  # RT-27
    if not any(distance(here, at) == 1 for at in hexes):
        raise IllegalOrder("8.0.A-2", "not-adjacent", unit=unit, **{"from": str(here), "to": str(hexes[0])})
    if nation_of(table, unit) == "french" and french_restricted(table) and not in_zone(table, table.counters[unit].side, here):
        raise IllegalOrder("18.1.7.A", "french-may-not-attack", unit=unit)  # 18.1.7.C-4


def _check_others(adj: Adjudication, side: Side, args: Attack, order: Order) -> None:
    """IllegalOrder if a hex, a unit or the name is another attack's: a hex is attacked once, but part by part in a selective attack."""
    part = args.only is not None or args.rest
    own_names = {order.label or subject(args), subject(args)}
    for other in attacks(adj, side, args):
        hexes, units = other.args["hexes"], other.args["units"]
        both = [str(at) for at in args.hexes if str(at) in hexes]
        if both and not (part and _in_part(other)):
            raise IllegalOrder("8.0.C-1", "attacked-already", hex=both[0], battle=label_of(other))  # RT-08
        taken = own_names & {label_of(other), _name(other), *([] if part else hexes)}
        if taken:
            raise IllegalOrder("8.1-1", "label-taken", label=min(taken), battle=label_of(other))
        for unit in args.units:
            if unit in units:
                raise IllegalOrder("8.1-1", "attacks-elsewhere", unit=unit, battle=label_of(other))


def _check_selective(adj: Adjudication, side: Side, args: Attack) -> None:
    """IllegalOrder unless the attack may single a battalion out, or go for the rest (11.1, RT-19)."""
    if side != AXIS:
        raise IllegalOrder("8.0.C-2", "axis-alone-selects")  # 11.1.A-1
    if len(args.hexes) != 1 or (args.only is not None and args.rest):
        raise IllegalOrder("11.1.A-1", "selects-in-one-hex")
    at = args.hexes[0]
    if args.only is not None:
        if hex_of(adj, args.only) != at:
            raise IllegalOrder("11.1.A-2", "not-in-hex", unit=args.only, hex=str(at))
        if is_support(adj, args.only):
            raise IllegalOrder("11.1.B-2", "support-unit", unit=args.only)
        italians = [unit for unit in args.units if nation_of(adj, unit) == "italian"]
        if italians and not adj.options["italian_selective"]:
            raise IllegalOrder("11.1.A-1", "germans-select", units=italians)
    beside = [order.args for order in attacks(adj, side, args) if str(at) in order.args["hexes"]]
    names = {args.only, *(its.get("only") for its in beside)}
    if (args.rest or any(its.get("rest") for its in beside)) and not [unit for unit in maneuver_at(adj, at) if unit not in names]:
        raise IllegalOrder("11.1.B-3", "no-rest", hex=str(at))


def maneuver_at(table: Table, at: Hex) -> tuple[str, ...]:
    """The maneuver units in a hex."""
    return tuple(unit for unit in units_at(table, at) if not is_support(table, unit))


# -- support ---------------------------------------------------------------------------------------------------------------------


def check_support(adj: Adjudication, args: Support, _: Order) -> None:
    """IllegalOrder unless the guns may support an attack that has been ordered."""
    side = adj.phasing
    assert side is not None
    if args.battle is None or args.maximise or args.deny:
        raise IllegalOrder("10.1.B-1", "malformed", field="battle")
    one = _of_name([draft(order) for order in attacks(adj, side)], args.battle)
    if one is None:
        raise IllegalOrder("10.1.A-1", "no-attack-there", battle=args.battle)
    if not args.guns:
        raise IllegalOrder("10.1.A-1", "malformed", field="guns")
    _check_guns(adj, side, args.guns, one, args)


def _check_guns(table: Table, side: Side, guns: Sequence[str], one: Battle, args: Attack | Support) -> None:
    """IllegalOrder unless the guns may support the battle, and are used for nothing else (10.1)."""
    if len(set(guns)) != len(guns):
        raise IllegalOrder("10.1.A-1", "malformed", field="guns")
    busy = busy_guns(table, side, args) if guns else {}
    for gun in guns:
        if busy.get(gun, one["label"]) != one["label"]:
            raise IllegalOrder("10.1.C-1", "supports-elsewhere", unit=gun, battle=busy[gun])  # 10.1.C-2
        check_gun(table, gun, hexes_of(one))
        strangers = [unit for unit in one["units"] if nation_of(table, unit) != "french"]
        if strangers and nation_of(table, gun) == "french" and french_restricted(table):
            raise IllegalOrder("18.1.7.C-1", "french-guns", unit=gun, units=strangers)


def check_gun(table: Table, gun: str, hexes: Iterable[Hex]) -> None:
    """IllegalOrder unless a unit is artillery, free to fire, and in range of one of the hexes."""
    here = hex_of(table, gun)
    if here is None:
        raise IllegalOrder("10.1.A-1", "not-on-map", unit=gun)
    if not is_artillery(table, gun):
        raise IllegalOrder("10.1.A-1", "no-artillery", unit=gun)
    if interdiction(table, here, table.counters[gun].side):
        raise IllegalOrder("17.2.3.E-1", "interdicted", unit=gun, hex=str(here))
    near = min(hexes, key=lambda at: distance(here, at))
    if distance(here, near) > value(table, gun, "range"):
        figures = {"distance": distance(here, near), "range": value(table, gun, "range")}
        raise IllegalOrder("10.1.A-2", "out-of-range", unit=gun, hex=str(near), **figures)  # 10.1.A-1 10.1.A-3


# -- carried out as the package closes -------------------------------------------------------------------------------------------


def declare(adj: Adjudication, args: Attack, order: Order) -> None:
    """The attack is declared; who defends is found when all are (10.1.B-2)."""
    one = draft(order)
    from_hexes = {unit: str(at_of(adj, unit)) for unit in args.units}
    shown = {name: one[name] for name in ("label", "hexes", "units", "support", "lower", "only", "rest")}
    data = {"side": adj.phasing, **shown, "from": from_hexes}
    adj.record("declared", "8.1-1", data, changes=[ch.own("battles", [*battles(adj), one])])


def add_support(adj: Adjudication, args: Support, _: Order) -> None:
    """Guns support an attack of their side (10.1.B-1, 10.1.D)."""
    one = named(adj, str(args.battle))
    assert one is not None
    guns = [*one["support"], *(gun for gun in args.guns if gun not in one["support"])]
    data = {"label": one["label"], "hexes": one["hexes"], "guns": list(args.guns), "how": "support"}
    adj.record("supported", "10.1.B-1", data, changes=[changed(adj, one["label"], support=guns)])
