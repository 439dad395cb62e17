"""Movement: units move once in a player-turn, in one of its passes; others stand to take part in a pass, or leave over the east edge.

MP are counted in quarters, and given out exact. Who may not move at all is told by ``check_free``, what bars a step by ``step_fault``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import flow
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Json, Order, Side
from services.rules.engine.positions import adjacent, hex_of, occupied, units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import paralysis, supply, victory
from services.rules.games.fall_of_tobruk.ground import QUARTERS, along, ground, quarters, step_cost
from services.rules.games.fall_of_tobruk.mines import gaps_after_move, hinders
from services.rules.games.fall_of_tobruk.orders import Exit, Move, Stand
from services.rules.games.fall_of_tobruk.stacking import room
from services.rules.games.fall_of_tobruk.state import AXIS, EXITED, current, is_gun, spent, unmarked
from services.rules.games.fall_of_tobruk.supply import unsupplied
from services.rules.games.fall_of_tobruk.zoc import beside, in_zone, lone_guns, zones

# -- who may move, and how far -----------------------------------------------------------------------------------------------------


def allowance(table: Table, unit: str) -> int:
    """Quarters of an MP that a unit may spend in this player-turn: printed, halved if disrupted, three MP at most out of supply (FT-62)."""
    factor = quarters(current(table, unit, "ma"))
    if not unsupplied(table, unit):
        return factor  # move.1
    return min(factor, quarters(table.data.charts["costs"]["supply"]["ma"]))  # supply.3 supply.12


def bought(table: Table, unit: str) -> int:
    """Quarters of an MP that a unit has spent in this player-turn."""
    return quarters(spent(table, unit))


def check_free(table: Table, unit: str) -> Hex:
    """The hex from which a unit may move now. IllegalOrder if it may not."""
    at = hex_of(table, unit)
    if at is None:
        raise IllegalOrder("move.3", "not-on-map", unit=unit)
    marks = table.counters[unit].marks
    if marks & {"engaged-attacker", "engaged-defender"}:
        raise IllegalOrder("crt.eng.2", "engaged", unit=unit)  # crt.eng.2
    if "done" in marks:
        raise IllegalOrder("seq.8", "finished", unit=unit)  # seq.8
    if "shelled" in marks:
        raise IllegalOrder("artillery.10", "has-bombarded", unit=unit)  # seq.4
    if not paralysis.may_move(table, unit):
        raise IllegalOrder("paralysis.4", "paralysed", unit=unit)  # paralysis.4
    if "moved" in marks and not table.options["split_move"]:
        raise IllegalOrder("seq.12", "moved-already", unit=unit)  # seq.12 move.3 move.6
    if "placed" in marks and in_zone(table, table.counters[unit].side, at):
        raise IllegalOrder("zoc.2", "must-stop", unit=unit, hex=str(at))  # zoc.2
    return at


def can_set_out(table: Table, unit: str) -> bool:
    """Whether nothing forbids a unit to move."""
    try:
        check_free(table, unit)
    except IllegalOrder:
        return False
    return True


# -- what bars a step --------------------------------------------------------------------------------------------------------------


def step_fault(table: Table, units: Sequence[str], at: Hex, to: Hex) -> IllegalOrder | None:
    """Why units may not step together into a hex, whatever they have to spend; mines apart. None if they may."""
    side = table.counters[units[0]].side
    if to not in adjacent(table, at):
        return IllegalOrder("move.4", "not-adjacent", unit=units[0], **{"from": str(at), "to": str(to)})  # move.4
    if to in occupied(table, table.enemy(side)):
        return IllegalOrder("advance.5", "enemy-there", hex=str(to))  # advance.5
    if step_cost(table, at, to) is None:
        return IllegalOrder("move.2", "prohibited", unit=units[0], hex=str(to))  # move.2
    if lone_guns(table, units, to):
        return IllegalOrder("artillery.14", "guns-alone", units=list(units), hex=str(to))  # artillery.14
    return None


# -- the order ---------------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class March:
    """A stack on its way: where it is, who still goes, what each has spent, and who dropped off."""

    units: tuple[str, ...]
    at: Hex
    bought: dict[str, int]
    stack: list[str]
    path: list[Hex] = field(default_factory=list)
    dropped: Hex | None = None
    crossed: bool = False


def move(adj: Adjudication, args: Move, _: Order) -> None:
    """Units of one hex move as a stack along the path given, or to a hex by the cheapest way; one may drop off on the way."""
    units = tuple(args.units)
    start = check_together(adj, units)
    supply.judge(adj, *units)  # supply.15
    path = args.path if args.to is None else find(adj, units, start, args)
    if path[:1] == (start,):
        path = path[1:]
    if not path:
        raise IllegalOrder("move.5", "no-move", unit=units[0])  # move.5
    _check_drop(args, units, path)
    march = March(units, start, {unit: bought(adj, unit) for unit in units}, list(units), [start])
    for n, to in enumerate(path):
        _step(adj, march, args, to, len(path), n)
    _check_stops(adj, march, args)
    _record(adj, march, args)


def check_together(table: Table, units: Sequence[str]) -> Hex:
    """The hex in which units stand that may set out together. IllegalOrder."""
    if not units or len(set(units)) != len(units):
        raise IllegalOrder("move.3", "named-twice", units=list(units))
    starts = [check_free(table, unit) for unit in units]
    if len(set(starts)) != 1:
        raise IllegalOrder("move.3", "not-in-one-hex", units=list(units))  # move.3
    return starts[0]


def _check_drop(args: Move, units: Sequence[str], path: Sequence[Hex]) -> None:
    """IllegalOrder unless the unit to drop off is one of several, and its hex one that they enter and leave again."""
    if args.drop is None:
        return
    if args.drop not in units or len(units) == 1:
        raise IllegalOrder("move.3", "not-in-the-stack", unit=args.drop)  # move.3
    if args.drop_at not in path[:-1]:
        raise IllegalOrder("move.3", "not-on-the-way", unit=args.drop, hex=str(args.drop_at))  # move.3


def _step(adj: Adjudication, march: March, args: Move, to: Hex, length: int, n: int) -> None:
    """One hex further, after a unit has dropped off where that was ordered. IllegalOrder if it cannot be entered or paid for."""
    at, side = march.at, adj.counters[march.units[0]].side
    if n and in_zone(adj, side, at):
        raise IllegalOrder("zoc.2", "must-stop", unit=march.stack[0], hex=str(at))  # zoc.2
    if n and args.drop in march.stack and args.drop_at == at:
        march.stack.remove(str(args.drop))
        march.dropped = at
    fault = step_fault(adj, march.stack, at, to)
    if fault is not None:
        raise fault
    if hinders(adj, march.stack[0], at, to):
        _check_crossing(adj, march, to, length, n)
        march.crossed = True
    cost = step_cost(adj, at, to)
    assert cost is not None
    for unit in march.stack:
        march.bought[unit] += cost
        if march.bought[unit] > allowance(adj, unit):  # FT-64
            figures = {"cost": _mp(march.bought[unit]), "allowance": _mp(allowance(adj, unit))}
            raise IllegalOrder("supply.12" if unsupplied(adj, unit) else "move.3", "too-far", unit=unit, hex=str(to), **figures)
    march.path.append(to)
    march.at = to


def _check_crossing(table: Table, march: March, to: Hex, length: int, n: int) -> None:
    """IllegalOrder unless the mines are crossed as the first and only hex of a move, by units that stood before them already (FT-45)."""
    if n:
        raise IllegalOrder("minefields.1", "halts-at-mines", unit=march.stack[0], hex=str(march.at), to=str(to))  # minefields.1
    if length > 1:
        raise IllegalOrder("minefields.3", "halts-beyond-mines", unit=march.stack[0], hex=str(to))  # minefields.3
    late = [unit for unit in march.stack if table.counters[unit].marks & {"placed", "moved"}]
    if late:
        raise IllegalOrder("minefields.2", "came-to-mines-now", units=late, hex=str(march.at), to=str(to))  # minefields.2


def _mp(count: int) -> int | str:
    return print_exact(Fraction(count, QUARTERS))


def _check_stops(table: Table, march: March, args: Move) -> None:
    """IllegalOrder unless there is room where units stop, and no gun drops off alone beside an enemy."""
    if march.dropped is not None and lone_guns(table, [str(args.drop)], march.dropped):
        raise IllegalOrder("artillery.14", "guns-alone", units=[args.drop], hex=str(march.dropped))  # artillery.14
    if table.options["voluntary_overstack"] == "disrupt":
        return
    stops = [(march.at, march.stack), *([(march.dropped, [str(args.drop)])] if march.dropped is not None else [])]
    for at, units in stops:
        if not room(table, at, units):  # stacking.1 stacking.11 FT-59
            raise IllegalOrder("stacking.11", "stacking", hex=str(at), units=sorted({*units_at(table, at), *units}))  # stacking.11


def _record(adj: Adjudication, march: March, args: Move) -> None:
    """One event for the whole way; then what the move opens, stirs and takes."""
    side = adj.counters[march.units[0]].side
    changes: list[Change] = []
    for unit in march.units:
        gone = unit not in march.stack and march.dropped is not None
        ends = march.dropped if gone and march.dropped is not None else march.at
        used_up = march.crossed or in_zone(adj, side, ends)  # minefields.3 zoc.2
        mp = max(march.bought[unit], allowance(adj, unit)) if used_up else march.bought[unit]
        changes += [ch.place(unit, ends), ch.mark(unit, "moved"), ch.mark(unit, "active")]
        changes += [ch.number(unit, "spent", Fraction(mp, QUARTERS)), ch.number(unit, "pass", flow.pass_number(adj))]
    data: dict[str, Json] = {
        "side": side,
        "units": list(march.units),
        "path": [str(at) for at in march.path],
        "cost": {unit: _mp(march.bought[unit]) for unit in march.units},
        "drop": {"unit": args.drop, "hex": str(march.dropped)} if march.dropped is not None else None,
    }
    adj.record("moved", "move.3", data, changes=changes)
    gaps_after_move(adj, march.stack, march.path)
    if side == AXIS:
        paralysis.rouse_beside(adj, march.path[1:])
    victory.taken(adj, side, [at for at in (march.at, march.dropped) if at is not None])


# -- the cheapest way --------------------------------------------------------------------------------------------------------------


def step_costs(table: Table, units: Sequence[str]) -> Callable[[Hex, Hex], int | None]:
    """What a step costs units that go together, in quarters of an MP; None if they may not take it or mines are in the way."""
    side = table.counters[units[0]].side
    enemies = occupied(table, table.enemy(side))
    guns = all(is_gun(table, unit) for unit in units)

    def cost(at: Hex, to: Hex) -> int | None:
        if to in enemies or hinders(table, units[0], at, to) or (guns and lone_guns(table, units, to)):
            return None
        return step_cost(table, at, to)

    return cost


def find(table: Table, units: Sequence[str], start: Hex, args: Move) -> tuple[Hex, ...]:
    """The cheapest way of a stack to ``args.to`` round all mines; across them if it stands before them. IllegalOrder if there is none."""
    assert args.to is not None
    budget = min(allowance(table, unit) - bought(table, unit) for unit in units)
    found = _way(table, units, start, args, budget)
    if found is None and args.to in adjacent(table, start) and not args.via and not args.road:
        return (args.to,)
    found = found or _way(table, units, start, args, None)  # too far: the refusal tells by how much
    if found is None:
        raise IllegalOrder("move.4", "no-way", unit=units[0], to=str(args.to), road=args.road)  # move.4
    return found.path


def _way(table: Table, units: Sequence[str], start: Hex, args: Move, budget: int | None) -> search.Route | None:
    assert args.to is not None
    zone = zones(table, table.counters[units[0]].side)
    return search.cheapest_path(
        start,
        args.to,
        lambda at: adjacent(table, at),
        step_costs(table, units),
        lambda at: at in zone,
        allowance=budget,
        via=args.via,
        only=(lambda at, to: along(table, at, to)) if args.road else None,
    )


def left_to(table: Table, unit: str) -> int:
    """Quarters of an MP that a unit could spend if it set out now, when its supply would be judged (supply.15)."""
    factor = quarters(current(table, unit, "ma"))
    most = factor if supply.supplied(table, unit) else min(factor, quarters(table.data.charts["costs"]["supply"]["ma"]))
    return most - bought(table, unit)


def within(table: Table, units: Sequence[str]) -> tuple[Hex, ...]:
    """Every hex that units of one hex could come to together, by number: within what all have left, or across mines."""
    start = hex_of(table, units[0])
    assert start is not None
    budget = min(left_to(table, unit) for unit in units)
    zone = zones(table, table.counters[units[0]].side)
    found = set(search.reachable(start, budget, lambda at: adjacent(table, at), step_costs(table, units), lambda at: at in zone))
    if not any(table.counters[unit].marks & {"placed", "moved"} for unit in units):
        found.update(to for to in adjacent(table, start) if _can_cross(table, units, start, to, budget))
    return tuple(sorted(found - {start}))


def may_end(table: Table, units: Sequence[str], at: Hex) -> bool:
    """Whether units may end a move together in a hex: there is room, or crowding is a choice (FT-59)."""
    return not units_at(table, at) or table.options["voluntary_overstack"] == "disrupt" or room(table, at, units)


def reach(table: Table, units: Sequence[str]) -> tuple[Hex, ...]:
    """Every hex in which units of one hex could end a move together, by number: within what all have left, or across mines, with room."""
    return tuple(at for at in within(table, units) if may_end(table, units, at))


def _can_cross(table: Table, units: Sequence[str], start: Hex, to: Hex, budget: int) -> bool:
    cost = step_cost(table, start, to)
    return hinders(table, units[0], start, to) and cost is not None and cost <= budget and step_fault(table, units, start, to) is None


# -- standing, leaving -------------------------------------------------------------------------------------------------------------


def check_stand(table: Table, unit: str) -> None:
    """IllegalOrder unless a unit may take part in this pass where it stands: it is not finished, and an enemy is beside it (FT-06)."""
    if hex_of(table, unit) is None:
        raise IllegalOrder("seq.11", "not-on-map", unit=unit)
    if "done" in table.counters[unit].marks:
        raise IllegalOrder("seq.8", "finished", unit=unit)  # seq.8
    if not beside(table, unit):
        raise IllegalOrder("seq.11", "nobody-beside", unit=unit)  # seq.11


def can_stand(table: Table, unit: str) -> bool:
    """Whether a unit may take part in this pass where it stands."""
    try:
        check_stand(table, unit)
    except IllegalOrder:
        return False
    return True


def stand(adj: Adjudication, args: Stand, _: Order) -> None:
    """Units take part in this pass without having moved in it."""
    for unit in args.units:
        check_stand(adj, unit)
    stand_by(adj, args.units)


def stand_by(adj: Adjudication, units: Iterable[str]) -> None:
    """Units are of this pass. The pass counts, as if they had been ordered to."""
    found = [unit for unit in units if "active" not in adj.counters[unit].marks]
    if found:
        adj.record("stands", "seq.11", {"units": found}, changes=[ch.mark(unit, "active") for unit in found])
    adj.results[flow.pass_key(adj)] = True


def check_exit(table: Table, unit: str) -> None:
    """IllegalOrder unless an Allied unit may leave here: in a hex of the east edge, free to move or come there by its move (FT-55)."""
    at = hex_of(table, unit)
    if table.counters[unit].side == AXIS:
        raise IllegalOrder("withdrawal.4", "not-at-the-east-edge", unit=unit)  # withdrawal.4
    if at not in ground(table).east:
        raise IllegalOrder("withdrawal.1", "not-at-the-east-edge", unit=unit)  # withdrawal.1
    if "moved" not in table.counters[unit].marks:
        check_free(table, unit)
    elif "done" in table.counters[unit].marks:
        raise IllegalOrder("seq.8", "finished", unit=unit)  # seq.8
    elif in_zone(table, table.counters[unit].side, at):
        raise IllegalOrder("zoc.2", "must-stop", unit=unit, hex=str(at))  # zoc.2


def leave(adj: Adjudication, args: Exit, _: Order) -> None:
    """An Allied unit leaves over the east edge, for good; it counts for its quota."""
    check_exit(adj, args.unit)
    at = hex_of(adj, args.unit)
    changes = unmarked(adj, args.unit)
    changes.append(ch.place(args.unit, EXITED))  # withdrawal.2 withdrawal.3
    changes += victory.exited(adj, args.unit)  # withdrawal.5 victory.7
    data: Mapping[str, Json] = {"unit": args.unit, "hex": str(at), "class": victory.exit_class(adj, args.unit)}
    adj.record("exited", "withdrawal.1", data, changes=changes)


def can_leave(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that may leave over the east edge now."""

    def may(unit: str) -> bool:
        try:
            check_exit(table, unit)
        except IllegalOrder:
            return False
        return True

    return tuple(
        unit for at in sorted(ground(table).east) for unit in units_at(table, at) if table.counters[unit].side == side and may(unit)
    )
