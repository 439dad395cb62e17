"""15. The orders of arrivals: to enter, alone or as a stack, and march on, to be kept back; and what is done for those not named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Order, Side
from services.rules.engine.positions import adjacent, card
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import opening
from services.rules.games.beda_fomm.arrivals import (
    call,
    call_for,
    callable_convoys,
    check_delay,
    check_due,
    check_enter,
    delay_clause,
    due,
    entry_hexes,
    held_back,
    is_late,
    runs,
    uncalled,
    units_of,
    ways_in,
)
from services.rules.games.beda_fomm.ground import ground
from services.rules.games.beda_fomm.movement import begin, move, no_way, step_costs
from services.rules.games.beda_fomm.orders import Delay, Enter, Move
from services.rules.games.beda_fomm.state import BRITISH, ELIMINATED, ITALIAN, OFF, check_once
from services.rules.games.beda_fomm.zoc import enemy_zoc

THE_EDGE = Hex(0, 0)
"""Stands for the place off the map, where the search for the cheapest way in begins."""


def enter(adj: Adjudication, args: Enter, _: Order) -> None:
    """A due unit enters; of a convoy, which is called by it, the first unit that still waits. A convoy that finds the way blocked has
    appeared all the same, and waits (BF-R88)."""
    if args.convoy is None:
        assert args.unit is not None
        call_for(adj, args.unit)
        unit = args.unit
    else:
        new = call(adj, args.convoy)
        unit = _waiting(adj, args.convoy)[0]
        if new and args.hex is None and not ways_in(adj, (unit,)):
            return
    put_in(adj, (unit,), args.hex or _printed(adj, (unit,)))


def _waiting(table: Table, convoy: int) -> list[str]:
    """The units of a convoy that may still come in now. IllegalOrder if there is none."""
    units = [unit for unit in units_of(table, convoy) if unit in table.counters]
    found = [unit for unit in units if table.counters[unit].place == OFF and not held_back(table, unit)]
    if not found:
        raise IllegalOrder("15.23a", "nobody-waits", convoy=convoy)
    return found


def _printed(table: Table, units: Sequence[str]) -> Hex:
    """The hex where units enter if none is named: the first that is open to them, else the first."""
    check_due(table, units[0])
    if table.counters[units[0]].side == BRITISH:  # any hex of an edge: which one is not the umpire's to say (15.1)
        raise IllegalOrder("15.1a", "name-a-hex", unit=units[0], hexes=runs(entry_hexes(table, units[0])))
    return next(iter(ways_in(table, units)), entry_hexes(table, units[0])[0])


def put_in(adj: Adjudication, units: Sequence[str], at: Hex, how: str = "ordered") -> None:
    """Units enter together: each pays for the hex and may go on with what is left (15.0b, BF-R93)."""
    costs = check_enter(adj, units, at)
    first, bound = begin(adj, ()), opening.on_its_way(adj)
    for unit in units:
        cost = Fraction(costs[unit], 2)
        changes: list[Change] = [
            *(first if unit == units[0] else ()),
            ch.place(unit, at),
            ch.mark(unit, "moved"),  # 11.24c BF-R25
            ch.number(unit, "spent", cost),  # 15.0b
            ch.number(unit, "due", None),
        ]
        if unit == units[-1]:
            changes.append(ch.own("moving", sorted(units)))
        data = {"side": card(adj, unit).side, "unit": unit, "hex": str(at), "cost": print_exact(cost), "how": how}
        adj.record("arrived", "15.0b", data, changes=changes)
    opening.note_contact(adj, [(units[0], at)])
    opening.check_finished(adj, bound)


def march(adj: Adjudication, args: Move, order: Order) -> None:
    """A movement order; for due units that still wait it is their entry and the way on: the first hex of the path is where they enter."""
    waiting = [unit for unit in args.units if unit in adj.counters and adj.counters[unit].place == OFF]
    if not waiting:
        move(adj, args, order)
        return
    if len(waiting) < len(args.units):
        raise IllegalOrder("9.23a", "not-in-one-hex", units=list(args.units))
    check_once("9.23a", waiting)
    for unit in waiting:
        call_for(adj, unit)
        check_due(adj, unit)
    if args.to is None:
        put_in(adj, waiting, args.path[0])
        rest = replace(args, path=args.path[1:])
    else:
        path = way_in(adj, waiting, args)
        put_in(adj, waiting, path[0])
        rest = replace(args, to=None, via=(), road=False, path=path[1:])
    if rest.path or args.drop is not None:
        move(adj, rest, order)


def way_in(table: Table, units: Sequence[str], args: Move) -> tuple[Hex, ...]:
    """The cheapest way of arrivals to ``args.to`` over any hex where they may enter, that hex first. IllegalOrder if there is none."""
    assert args.to is not None
    paths, zone = ground(table).paths, enemy_zoc(table, table.counters[units[0]].side)
    gates = {at: max(check_enter(table, units, at).values()) for at in ways_in(table, units)}
    if not gates:
        check_enter(table, units, entry_hexes(table, units[0])[0])  # says why not

    def around(at: Hex) -> Sequence[Hex]:
        return tuple(gates) if at == THE_EDGE else adjacent(table, at)

    inland = step_costs(table, units)

    def cost(at: Hex, to: Hex) -> int | None:
        return gates.get(to) if at == THE_EDGE else inland(at, to)

    only = (lambda at, to: at == THE_EDGE or (at, to) in paths) if args.road else None
    found = search.cheapest_path(THE_EDGE, args.to, around, cost, lambda at: at in zone, via=args.via, only=only)
    if found is None:
        raise no_way(table, units, next(iter(gates)), args)
    return found.path


def delay(adj: Adjudication, args: Delay, _: Order) -> None:
    """A due unit, or what waits of a convoy that appears now, is kept back for one game-turn."""
    if args.convoy is not None:
        call(adj, args.convoy)
        units = _waiting(adj, args.convoy)
    else:
        assert args.unit is not None
        call_for(adj, args.unit)
        units = [args.unit]
    for unit in units:
        check_delay(adj, unit)
        adj.record("delayed", delay_clause(adj, unit), {"unit": unit}, changes=[ch.own("delayed", unit, adj.turn)])  # 15.22c 15.23b BF-R90


# -- those not named -------------------------------------------------------------------------------------------------------------


def enter_by_default(adj: Adjudication, side: Side) -> None:
    """Units that were neither entered nor kept back come in where they can, at their printed hexes first (G27); convoys are called in
    their order. British arrivals may wait (BF-R92)."""
    if side == ITALIAN:
        while callable_convoys(adj):
            call(adj, uncalled(adj)[0])
    elif adj.options.get("british_hold_back", True):
        return
    for unit in due(adj, side):
        way = next(iter(ways_in(adj, (unit,))), None)
        if way is not None:
            put_in(adj, (unit,), way, how="default")


def tell_the_kept_out(adj: Adjudication, side: Side) -> None:
    """Units that were to come in and could not are named with the reason; British ones that wait of their own will are not (BF-R88)."""
    if side != ITALIAN and adj.options.get("british_hold_back", True):
        return
    found: dict[tuple[str, str, Hex], list[str]] = {}
    for unit in due(adj, side):
        at = entry_hexes(adj, unit)[0]
        try:
            check_enter(adj, (unit,), at)
        except IllegalOrder as illegal:
            found.setdefault((illegal.clause, illegal.code, at), []).append(unit)
    for (clause, code, at), units in found.items():
        adj.record("kept_out", clause, {"side": side, "units": units, "hex": str(at), "code": code})


def lose_the_blocked(adj: Adjudication) -> None:
    """By option, a unit that cannot enter on its last turn is lost (BF-R88)."""
    if adj.options.get("blocked_entry", "waits") != "lost" or adj.phasing != ITALIAN:
        return
    for unit in due(adj, ITALIAN):
        if is_late(adj, unit):
            changes = [ch.place(unit, ELIMINATED), ch.number(unit, "due", None)]
            adj.record("entry_lost", "15.21d", {"unit": unit}, changes=changes)
