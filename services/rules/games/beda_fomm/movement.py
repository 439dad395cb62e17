"""9. Movement: single units and stacks, hex by hex, along a path given or by the cheapest way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Order
from services.rules.engine.positions import adjacent, hex_of, occupied
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import opening
from services.rules.games.beda_fomm.costs import affords, allowance, figures, half_spent, price, surcharge
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.orders import Move
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import ITALIAN, check_once, is_armor, is_parked, moving, not_on_map
from services.rules.games.beda_fomm.state import opening as in_opening
from services.rules.games.beda_fomm.zoc import barred_by_zoc, enemy_zoc

# -- one step --------------------------------------------------------------------------------------------------------------------


def step_fault(table: Table, units: Sequence[str], at: Hex, to: Hex) -> IllegalOrder | None:
    """Why one of the units may not take a step whatever it has to spend: the board, enemies, ZOC, stacking. None if all may."""
    lead = units[0]
    side = table.counters[lead].side
    if to not in adjacent(table, at):
        return IllegalOrder("9.0f", "not-adjacent", unit=lead, **{"from": str(at), "to": str(to)})
    if to in occupied(table, table.enemy(side)):
        return IllegalOrder("9.21a", "enemy-there", hex=str(to))  # 6.12a
    steps = ground(table).steps
    for unit in units:
        if (at, to) not in steps[column_of(table, unit)]:
            return IllegalOrder("9.11a", "prohibited", unit=unit, hex=str(to))  # 2.0g 9.11b 9.12b
    if side == ITALIAN and in_opening(table) and (fault := opening.road_fault(table, lead, at, to)):
        return fault  # 2.0b 16.13b
    if to in enemy_zoc(table, side):
        armor = [unit for unit in units if is_armor(table, unit)]
        for unit in units:
            reason = barred_by_zoc(table, unit, at, to, armor)  # 9.12c
            if reason is not None:
                return IllegalOrder(reason.clause, reason.code, unit=unit, hex=str(to))
    if not room(table, to, units):
        return IllegalOrder("6.13b", "no-room", units=list(units), hex=str(to))  # 9.24a BF-R20
    return None


def check_free(table: Table, unit: str, here: Hex) -> None:
    """IllegalOrder unless a unit may move on from a hex in this phase: not parked, not finished, not stopped by an enemy ZOC."""
    counter = table.counters[unit]
    if is_parked(table, unit):
        raise IllegalOrder("9.42a", "parked", unit=unit)
    if "done" in counter.marks or ("moved" in counter.marks and unit not in moving(table)):
        raise IllegalOrder("9.0h", "moved-already", unit=unit)  # 9.23b 9.44b
    if "moved" in counter.marks and here in enemy_zoc(table, counter.side):
        raise IllegalOrder("5.32a", "must-stop", unit=unit, hex=str(here))  # 9.22a


# -- the order -------------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication, units: Sequence[str]) -> list[Change]:
    """Units set out, or go on: the movement of all others is finished by it (9.0h)."""
    finished = [unit for unit in moving(adj) if unit not in units]
    return [
        *(ch.mark(unit, "done") for unit in finished if hex_of(adj, unit) is not None),
        ch.own("moving", sorted(units)),
    ]


@dataclass
class March:
    """A stack on its way: who moves, who is still in it, where it is, the hexes entered, and what each unit has spent in half MP.
    ``fresh``: this is their first move of the phase."""

    units: tuple[str, ...]
    at: Hex
    bought: dict[str, int]
    fresh: bool
    stack: list[str]
    dropped: Hex | None = None
    entered: list[Hex] = field(default_factory=list)
    infiltrated: set[str] = field(default_factory=set)
    leads: list[tuple[str, Hex]] = field(default_factory=list)


def move(adj: Adjudication, args: Move, _: Order) -> None:
    """Units move as a stack along the path given, or to a hex by the cheapest way; one may drop off on the way."""
    units = args.units
    check_once("9.23a", units)
    start = check_together(adj, units)
    bound = [unit for unit in opening.on_its_way(adj) if unit not in units]
    path = args.path if args.to is None else find(adj, units, start, args)
    if path[:1] == (start,):
        path = path[1:]
    if not path:
        raise IllegalOrder("9.0a", "no-move", unit=units[0])
    _check_drop(args, units, path)
    march = March(
        units,
        start,
        {unit: half_spent(adj, unit) for unit in units},
        all("moved" not in adj.counters[unit].marks for unit in units),
        list(units),
    )
    for n, to in enumerate(path):
        _step(adj, march, args, to, last=n == len(path) - 1)
    _record(adj, march, start, args.drop)
    opening.check_finished(adj, bound)


def check_together(table: Table, units: Sequence[str]) -> Hex:
    """The hex in which the units stand, all of which began the phase in one hex, or go on together. IllegalOrder."""
    for unit in units:
        here = hex_of(table, unit)
        if here is None:
            raise not_on_map(table, "9.0a", unit)
        check_free(table, unit, here)
    start = hex_of(table, units[0])
    assert start is not None
    if any(hex_of(table, unit) != start for unit in units):
        raise IllegalOrder("9.23a", "not-in-one-hex", units=list(units))
    if len({unit in moving(table) for unit in units}) > 1:
        raise IllegalOrder("9.23a", "not-begun-together", units=list(units))
    return start


def _check_drop(args: Move, units: Sequence[str], path: Sequence[Hex]) -> None:
    """IllegalOrder unless the unit to drop off is one of several, and its hex one that they enter and leave again (9.23)."""
    if args.drop is None:
        return
    if args.drop not in units:
        raise IllegalOrder("9.23b", "not-in-the-stack", unit=args.drop)
    if args.drop_at not in path[:-1]:
        raise IllegalOrder("9.23b", "not-on-the-way", unit=args.drop, hex=str(args.drop_at), path=[str(at) for at in path])
    if len(units) == 1:
        raise IllegalOrder("9.23b", "nobody-goes-on", hex=str(args.drop_at))


def _step(adj: Adjudication, march: March, args: Move, to: Hex, last: bool) -> None:
    """One hex further, after a unit has dropped off where that was ordered. IllegalOrder if it cannot be entered or paid for."""
    at, zone = march.at, enemy_zoc(adj, adj.counters[march.units[0]].side)
    first = not march.entered  # 5.32b
    if not first and at in zone:
        raise IllegalOrder("5.32a", "must-stop", unit=march.stack[0], hex=str(at))  # 5.32c 9.22a
    if not first and args.drop_at == at and args.drop in march.stack:
        march.stack.remove(args.drop)
        march.dropped = at
    fault = step_fault(adj, march.stack, at, to)
    if fault is not None:
        raise fault
    step = price(adj, march.stack, at, to)
    for unit in march.stack:
        ends_there = last or (unit == args.drop and to == args.drop_at)
        total = march.bought[unit] + step.costs[unit]
        budget = allowance(adj, unit) - march.bought[unit]  # 9.0c 9.0d
        if not affords(adj, unit, step.costs[unit], step.fire, budget, first and march.fresh and ends_there):
            goal = None if args.to in (None, to) else str(args.to)
            raise IllegalOrder("9.0b", "too-far", unit=unit, hex=str(to), goal=goal, **figures(adj, unit, total))  # BF-R19
        march.bought[unit] = total
    if at in zone and to in zone:
        march.infiltrated.update(march.stack)  # 9.33a
    march.leads.append((march.stack[0], to))
    march.entered.append(to)
    march.at = to


def _record(adj: Adjudication, march: March, start: Hex, drop: str | None) -> None:
    """One event for the whole way."""
    changes = begin(adj, march.units)
    for unit in march.units:
        dropped = march.dropped is not None and unit == drop
        changes.append(ch.place(unit, march.dropped if dropped and march.dropped else march.at))
        if "moved" not in adj.counters[unit].marks:
            changes.append(ch.mark(unit, "moved"))  # 2.0j 2.0k 11.24c BF-R25
        changes.append(ch.number(unit, "spent", Fraction(march.bought[unit], 2)))
        if unit in march.infiltrated:
            changes.append(ch.mark(unit, "infiltrated"))  # 9.33a
    finished = [ch.mark(drop, "done")] if march.dropped is not None and drop is not None else []
    changes += [*finished, ch.own("moving", sorted(march.stack))]  # 9.23b
    data = {
        "side": adj.counters[march.units[0]].side,
        "units": list(march.units),
        "path": [str(start), *(str(at) for at in march.entered)],
        "cost": {unit: print_exact(Fraction(march.bought[unit], 2)) for unit in march.units},
        "infiltrated": sorted(march.infiltrated),
        "drop": {"unit": drop, "hex": str(march.dropped)} if march.dropped else None,
    }
    adj.record("moved", "9.0f", data, changes=changes)
    opening.note_contact(adj, march.leads)
    if march.dropped is not None and drop is not None:
        opening.check_finished(adj, (drop,))


# -- the cheapest way ------------------------------------------------------------------------------------------------------------


def find(table: Table, units: Sequence[str], start: Hex, args: Move) -> tuple[Hex, ...]:
    """The cheapest way of the whole stack to ``args.to``: the dearest of its members' costs counts for each step. IllegalOrder."""
    assert args.to is not None
    budget = min(allowance(table, unit) - half_spent(table, unit) for unit in units)
    found = _way(table, units, start, args, budget)
    if found is None and args.to in adjacent(table, start) and not (args.via or step_fault(table, units, start, args.to)):
        return (args.to,)  # one hex, which may be had for less than it costs (9.12)
    found = found or _way(table, units, start, args, None)  # too far: the refusal tells by how much
    if found is None:
        raise no_way(table, units, start, args)
    return found.path


def no_way(table: Table, units: Sequence[str], start: Hex, args: Move) -> IllegalOrder:
    """Why there is no way: what first bars the cheapest one that the ground alone would allow, from ``start``; or the ground does."""
    assert args.to is not None
    columns = [ground(table).steps[name] for name in sorted({column_of(table, unit) for unit in units})]
    only = ground(table).paths

    def terrain(at: Hex, to: Hex) -> int | None:
        found = [steps.get((at, to)) for steps in columns]
        return None if None in found or (args.road and (at, to) not in only) else max(half for half in found if half is not None)

    open_way = search.cheapest_path(start, args.to, lambda at: adjacent(table, at), terrain, via=args.via)
    zone, at, fault = enemy_zoc(table, table.counters[units[0]].side), start, _goal_taken(table, units, args.to)
    for to in open_way.path if open_way and fault is None else ():
        stops = at != start and at in zone
        fault = IllegalOrder("5.32a", "stops-in-zoc", unit=units[0], hex=str(at)) if stops else step_fault(table, units, at, to)
        if fault is not None:
            break
        at = to
    reason = {"code": fault.code, "details": dict(fault.details)} if fault else None
    return IllegalOrder(fault.clause if fault else "9.0f", "no-way", unit=units[0], to=str(args.to), road=args.road, because=reason)


def _goal_taken(table: Table, units: Sequence[str], to: Hex) -> IllegalOrder | None:
    """Why nobody could end there, whatever the way: enemies, or units enough."""
    if to in occupied(table, table.enemy(table.counters[units[0]].side)):
        return IllegalOrder("9.21a", "enemy-there", hex=str(to))
    return None if room(table, to, units) else IllegalOrder("6.13b", "no-room", units=list(units), hex=str(to))


def _way(table: Table, units: Sequence[str], start: Hex, args: Move, budget: int | None) -> search.Route | None:
    assert args.to is not None
    zone, paths = enemy_zoc(table, table.counters[units[0]].side), ground(table).paths
    return search.cheapest_path(
        start,
        args.to,
        lambda at: adjacent(table, at),
        step_costs(table, units),
        lambda at: at in zone,
        allowance=budget,
        via=args.via,
        only=(lambda at, to: (at, to) in paths) if args.road else None,
    )


def reach(table: Table, units: Sequence[str]) -> tuple[Hex, ...]:
    """Every hex that units in one hex can move to together, by number: with what all have left, or as their one hex (9.12)."""
    start = hex_of(table, units[0])
    assert start is not None
    budgets = {unit: allowance(table, unit) - half_spent(table, unit) for unit in units}
    zone = enemy_zoc(table, table.counters[units[0]].side)

    within = min(budgets.values())
    found = set(search.reachable(start, within, lambda at: adjacent(table, at), step_costs(table, units), lambda at: at in zone))
    if all("moved" not in table.counters[unit].marks for unit in units):
        found.update(to for to in adjacent(table, start) if _one_hex(table, units, start, to, budgets))
    return tuple(sorted(found - {start}))


def _one_hex(table: Table, units: Sequence[str], start: Hex, to: Hex, budgets: Mapping[str, int]) -> bool:
    if step_fault(table, units, start, to) is not None:
        return False
    step = price(table, units, start, to)
    return all(affords(table, unit, step.costs[unit], step.fire, budgets[unit], only=True) for unit in units)


def step_costs(table: Table, units: Sequence[str]) -> Callable[[Hex, Hex], int | None]:
    """What the dearest of the units pays for a step, in half MP; None if one of them may not take it.

    Where nobody stands and no enemy ZOC reaches, nothing but terrain bars a step out of the opening."""
    side = table.counters[units[0]].side
    columns = [ground(table).steps[name] for name in sorted({column_of(table, unit) for unit in units})]
    early = side == ITALIAN and in_opening(table)
    tangled = enemy_zoc(table, side).keys() | occupied(table, side) | occupied(table, table.enemy(side))

    def cost(at: Hex, to: Hex) -> int | None:
        if (early or to in tangled) and step_fault(table, units, at, to) is not None:
            return None
        found = [steps.get((at, to)) for steps in columns]
        paid = [half for half in found if half is not None]
        return max(paid) + surcharge(table, side, to) if len(paid) == len(found) else None

    return cost
