"""Legal orders of fire and combat, and legal answers to decisions, for ``legal``: worked out by trying the law."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import Decision, IllegalOrder, Json, Order, Packet, Side
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import advance, antitank, barrage, declaration, guns, interdiction
from services.rules.games.beda_fomm.orders import Attack, Support
from services.rules.games.beda_fomm.state import declared, is_artillery

Found = Callable[[Table, Side], Iterator[Order]]


def _passes(check: Callable[..., object], *args: object) -> bool:
    try:
        check(*args)
    except IllegalOrder:
        return False
    return True


def _trial(table: Table, side: Side) -> Adjudication:
    """The position as checks want it that look at what has been gathered."""
    return Adjudication(table.module, table.before, Packet("legal", side), ScriptedDice(()))


def stacks(table: Table, side: Side) -> Iterator[tuple[str, ...]]:
    """The ready batteries of a side, those that stand together first as one, then one by one."""
    held: dict[Hex | None, list[str]] = {}
    for gun in guns.ready_guns(table, side):
        held.setdefault(hex_of(table, gun), []).append(gun)
    for together in held.values():
        yield tuple(together)
        if len(together) > 1:
            yield from ((gun,) for gun in together)


def interdict(table: Table, side: Side) -> Iterator[Order]:
    """Hexes that guns may interdict, of those where the enemy stands or may step."""
    enemies = occupied(table, table.enemy(side))
    wanted = sorted({to for at in enemies for to in (at, *adjacent(table, at))})
    for stack in stacks(table, side):
        for at in wanted:
            if _passes(interdiction.check_interdict, table, side, stack, at):
                yield Order(0, "INTERDICT", {"guns": list(stack), "hex": str(at)})


def bombard(table: Table, side: Side) -> Iterator[Order]:
    """Hexes of the enemy that guns may fire an attack barrage at."""
    for stack in stacks(table, side):
        for at in sorted(occupied(table, table.enemy(side))):
            if _passes(barrage.check_barrage, table, side, stack, at):
                args = {"guns": list(stack), "target": str(at), "within": None, "else_target": None, "hold_fire": False}
                yield Order(0, "BARRAGE", args)


def fire(table: Table, side: Side) -> Iterator[Order]:
    """Armored enemies, with all the units that can fire at each, then with one."""
    ready = antitank.ready_to_fire(table, side)
    for target in antitank.exposed(table, side, ready):
        able = [unit for unit in ready if antitank.may_shoot(table, unit, target)]
        for units in (able, *([unit] for unit in able if len(able) > 1)):
            yield Order(0, "FIRE", {"units": units, "target": target, "mass": None})


def attack(table: Table, side: Side) -> Iterator[Order]:
    """Hexes that may be attacked, with all the units that are free for each, without and with the guns that may support it."""
    trial = _trial(table, side)

    def may(at: Hex, units: Sequence[str], batteries: Sequence[str] = ()) -> bool:
        order = _attack(at, units, batteries)
        return _passes(declaration.check_attack, trial, Attack(at, tuple(units), tuple(batteries)), order)

    for at, able in declaration.targets(table, side).items():
        free = [unit for unit in able if may(at, [unit])]
        if free:
            yield _attack(at, free)
            helpers = [unit.id for unit in on_map(table, side) if is_artillery(table, unit.id) and unit.id not in free]
            helpers = [gun for gun in helpers if may(at, free, [gun])]
            if helpers:
                yield _attack(at, free, helpers)


def _attack(at: Hex, units: Sequence[str], batteries: Sequence[str] = ()) -> Order:
    return Order(0, "ATTACK", {"hex": str(at), "units": list(units), "support": list(batteries)})


def support(table: Table, side: Side) -> Iterator[Order]:
    """Batteries that may support a hex that is attacked."""
    trial = _trial(table, side)
    for one in declared(table):
        for gun in (unit.id for unit in on_map(table, side) if is_artillery(table, unit.id)):
            if _passes(declaration.check_defensive, trial, Support((gun,), parse_hex(one["hex"])), Order(0, "SUPPORT")):
                yield Order(0, "SUPPORT", {"guns": [gun], "hex": one["hex"]})


def answers(table: Table, decision: Decision) -> Iterator[Order]:
    """Legal answers to a decision: its choices where it has them, else its default, and of an advance each unit alone too."""
    for choice in decision.choices or (decision.default,):
        yield Order(0, decision.verb, choice)
    if decision.kind == "advance":
        for unit in decision.context["units"]:
            args: Mapping[str, Json] = {"units": [unit], "hex": decision.context["hex"], "none": False}
            if _passes(advance.check_advance, _trial(table, decision.side), decision, args):
                yield Order(0, decision.verb, args)


FINDERS: Mapping[str, Found] = {
    "interdiction": interdict,
    "reaction barrage": bombard,
    "barrage": bombard,
    "reaction antitank": fire,
    "antitank": fire,
    declaration.DECLARATION: attack,
    declaration.DEFENSIVE: support,
}
"""Step -> what finds its orders."""
