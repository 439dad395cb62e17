"""9. Movement, and the exit from the map (4.1). MP are counted in halves inside, and given out exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Order, Side
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import opening
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.orders import Exit, Move
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import (
    EXITED,
    ITALIAN,
    adjacent,
    card,
    flag,
    hex_of,
    interdicted,
    is_armor,
    is_parked,
    moving,
    occupied,
    spent,
    value,
)
from services.rules.games.beda_fomm.state import opening as in_opening
from services.rules.games.beda_fomm.victory import score
from services.rules.games.beda_fomm.zoc import barred_by_zoc, enemy_zoc


@dataclass(frozen=True, slots=True)
class Step:
    """One hex further: what each unit pays in half MP, of which ``fire`` for interdiction."""

    costs: Mapping[str, int]
    fire: int


# -- what a step costs -----------------------------------------------------------------------------------------------------------


def surcharge(table: Table, side: Side, to: Hex) -> int:
    """Half MP that enemy interdiction adds to a hex (10.42)."""
    found = interdicted(table).get(str(to))
    return 2 * int(found["factors"]) if found and found["side"] != side else 0  # 10.42a 10.42b 10.42c BF-R22


def left(table: Table, unit: str) -> int:
    """Half MP that a unit has left in this phase."""
    return 2 * value(table, unit, "ma") - int(2 * spent(table, unit))  # 9.0b 9.0c


def check_step(table: Table, units: Sequence[str], at: Hex, to: Hex) -> None:
    """IllegalOrder if one of the units may not take that step whatever it has to spend: the board, enemies, ZOC, stacking."""
    lead = units[0]
    side = table.counters[lead].side
    if to not in adjacent(table, at):
        raise IllegalOrder("9.0f", "not-adjacent", unit=lead, **{"from": str(at), "to": str(to)})
    if to in occupied(table, table.enemy(side)):
        raise IllegalOrder("9.21a", "enemy-there", hex=str(to))  # 6.12a
    for unit in units:
        if (at, to) not in ground(table).steps[column_of(table, unit)]:
            raise IllegalOrder("9.11a", "prohibited", unit=unit, hex=str(to))  # 2.0g 9.12b
    if in_opening(table) and side == ITALIAN:
        opening.check_road(table, lead, at, to)  # 16.13a
    for unit in units:
        reason = barred_by_zoc(table, unit, at, to, [u for u in units if is_armor(table, u)])
        if reason is not None:
            raise IllegalOrder(reason.clause, reason.code, unit=unit, hex=str(to))
    if not room(table, to, units):
        raise IllegalOrder("6.13b", "no-room", units=list(units), hex=str(to))  # 9.24a BF-R20


def price(table: Table, units: Sequence[str], at: Hex, to: Hex) -> Step:
    """What each unit pays for the step (BF-R19)."""
    fire = surcharge(table, table.counters[units[0]].side, to)
    return Step({unit: ground(table).steps[column_of(table, unit)][at, to] + fire for unit in units}, fire)


def affords(table: Table, unit: str, cost: int, fire: int, budget: int, only: bool) -> bool:
    """Whether a unit can take a step: it has the MP, or it may always make one hex (9.12, 10.44, BF-R08).

    ``only``: the step is its only move of the phase."""
    if cost <= budget:
        return True
    if not only:
        return False
    if "in-zoc" not in table.counters[unit].marks:
        return True  # 9.12a 10.44a
    return table.options.get("one_hex", "anywhere") == "anywhere" and cost - fire <= budget


# -- the order -------------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication, units: Sequence[str]) -> list[Change]:
    """Units set out, or go on. IllegalOrder if one has finished its movement; the movement of all others is finished by it (9.0d)."""
    for unit in units:
        here = hex_of(adj, unit)
        if here is None:
            raise IllegalOrder("9.0a", "not-on-map", unit=unit)
        if is_parked(adj, unit):
            raise IllegalOrder("9.42a", "parked", unit=unit)
        counter = adj.counters[unit]
        if "done" in counter.marks or ("moved" in counter.marks and unit not in moving(adj)):
            raise IllegalOrder("9.0d", "moved-already", unit=unit)  # 9.44b
    finished = [unit for unit in moving(adj) if unit not in units]
    for unit in finished:
        opening.check_finished(adj, unit)
    return [
        *(ch.mark(unit, "done") for unit in finished if hex_of(adj, unit) is not None),
        ch.own("moving", sorted(units)),
    ]


def move(adj: Adjudication, args: Move, _: Order) -> None:
    """Units move as a stack along the path given, or to a hex by the cheapest way; one may drop off on the way."""
    units = tuple(dict.fromkeys(args.units))
    if len(units) != len(args.units):
        raise IllegalOrder("9.23a", "malformed", field="units")
    changes = begin(adj, units)
    start = _together(adj, units)
    if args.drop is not None and args.drop not in units:
        raise IllegalOrder("9.23b", "not-in-the-stack", unit=args.drop)
    path = args.path if args.to is None else find(adj, units, start, args)
    if path[:1] == (start,):
        path = path[1:]
    if not path:
        raise IllegalOrder("9.0a", "no-move", unit=units[0])
    _follow(adj, units, start, path, args, changes)


def _together(table: Table, units: Sequence[str]) -> Hex:
    """The hex in which the units stand, all of which began the phase in one hex, or go on together. IllegalOrder."""
    where = {hex_of(table, unit) for unit in units}
    start = hex_of(table, units[0])
    assert start is not None
    if len(where) > 1:
        raise IllegalOrder("9.23a", "not-in-one-hex", units=list(units))
    if len({unit in moving(table) for unit in units}) > 1:
        raise IllegalOrder("9.23a", "not-begun-together", units=list(units))
    return start


def _follow(adj: Adjudication, units: tuple[str, ...], start: Hex, path: Sequence[Hex], args: Move, begun: Sequence[Change]) -> None:
    """Hex by hex: what may be entered, what it costs, where a unit drops off; then one event for the whole way."""
    stack, at, entered = list(units), start, list[Hex]()
    bought = {unit: int(2 * spent(adj, unit)) for unit in units}
    moved = {unit: "moved" in adj.counters[unit].marks for unit in units}
    infiltrated: set[str] = set()
    dropped: Hex | None = None
    zone = enemy_zoc(adj, adj.counters[units[0]].side)
    for n, to in enumerate(path):
        if n and at in zone:
            raise IllegalOrder("5.32a", "must-stop", unit=stack[0], hex=str(at))
        if args.drop in stack and args.drop_at == at and n:
            stack.remove(args.drop)
            dropped = at
            if not stack:
                raise IllegalOrder("9.23b", "nobody-goes-on", hex=str(at))
        check_step(adj, stack, at, to)
        step = price(adj, stack, at, to)
        for unit in stack:
            only = n == 0 and not moved[unit] and len(path) == 1
            if not affords(adj, unit, step.costs[unit], step.fire, 2 * value(adj, unit, "ma") - bought[unit], only):
                raise IllegalOrder("9.0b", "too-far", unit=unit, hex=str(to), **_figures(adj, unit, bought[unit] + step.costs[unit]))
            bought[unit] += step.costs[unit]
        if at in zone and to in zone:
            infiltrated.update(stack)  # 9.33a
        entered.append(to)
        at = to
    _record(adj, units, stack, start, entered, bought, infiltrated, (args.drop, dropped) if dropped else None, begun)


def _figures(table: Table, unit: str, cost: int) -> Mapping[str, object]:
    return {"cost": print_exact(Fraction(cost, 2)), "allowance": value(table, unit, "ma")}


def _record(
    adj: Adjudication,
    units: tuple[str, ...],
    stack: Sequence[str],
    start: Hex,
    entered: Sequence[Hex],
    bought: Mapping[str, int],
    infiltrated: set[str],
    drop: tuple[str | None, Hex] | None,
    begun: Sequence[Change],
) -> None:
    end = entered[-1]
    changes: list[Change] = list(begun)
    for unit in units:
        place = end if unit in stack else drop[1] if drop else end
        changes.append(ch.place(unit, place))
        if "moved" not in adj.counters[unit].marks:
            changes.append(ch.mark(unit, "moved"))  # 11.24c
        changes.append(ch.number(unit, "spent", Fraction(bought[unit], 2)))
        if unit in infiltrated:
            changes.append(ch.mark(unit, "infiltrated"))  # 9.33a
        if unit not in stack:
            changes.append(ch.mark(unit, "done"))  # 9.23b
    changes.append(ch.own("moving", sorted(stack)))
    data = {
        "side": adj.counters[units[0]].side,
        "units": list(units),
        "path": [str(start), *(str(at) for at in entered)],
        "cost": {unit: print_exact(Fraction(bought[unit], 2)) for unit in units},
        "infiltrated": sorted(infiltrated),
        "drop": {"unit": drop[0], "hex": str(drop[1])} if drop else None,
    }
    adj.record("moved", "9.0f", data, changes=changes)
    opening.note_contact(adj, units, [start, *entered])
    opening.check_stopped(adj, stack)


def find(table: Table, units: tuple[str, ...], start: Hex, args: Move) -> tuple[Hex, ...]:
    """The cheapest way of the whole stack to ``args.to``: the dearest of its members' costs counts for each step. IllegalOrder."""
    assert args.to is not None
    zone = enemy_zoc(table, table.counters[units[0]].side)

    def cost(at: Hex, to: Hex) -> int | None:
        try:
            check_step(table, units, at, to)
        except IllegalOrder:
            return None
        return max(price(table, units, at, to).costs.values())

    def by_road(at: Hex, to: Hex) -> bool:
        return (at, to) in ground(table).paths

    found = search.cheapest_path(
        start,
        args.to,
        lambda at: adjacent(table, at),
        cost,
        lambda at: at in zone,
        via=args.via,
        only=by_road if args.road else None,
    )
    if found is None:
        raise IllegalOrder("9.0f", "no-way", unit=units[0], to=str(args.to))
    return found.path


# -- off the map -----------------------------------------------------------------------------------------------------------------


def leave(adj: Adjudication, args: Exit, _: Order) -> None:
    """A unit leaves over the south edge for the cost of the hex where it stands (4.1)."""
    unit = args.unit
    check_exit(adj, unit)
    changes = begin(adj, (unit,))
    here = hex_of(adj, unit)
    assert here is not None
    side = adj.counters[unit].side
    moved = "moved" in adj.counters[unit].marks
    if moved and here in enemy_zoc(adj, side):
        raise IllegalOrder("5.32a", "must-stop", unit=unit, hex=str(here))  # BF-R24
    if in_opening(adj):
        opening.check_exit(adj, unit, here)
    cost = ground(adj).exits[column_of(adj, unit)].get(here)
    if cost is None:
        raise IllegalOrder("4.1a", "prohibited", unit=unit, hex=str(here))
    only = not moved and "in-zoc" not in adj.counters[unit].marks
    if cost > left(adj, unit) and not only:  # 9.12a BF-R24
        figures = _figures(adj, unit, int(2 * spent(adj, unit)) + cost)
        raise IllegalOrder("4.1a", "too-far", unit=unit, hex=str(here), **figures)
    exit_changes(adj, unit, "4.1a", changes)


def check_exit(table: Table, unit: str) -> None:
    """IllegalOrder unless the unit is an Italian on a hex of the south edge."""
    here = hex_of(table, unit)
    if table.counters[unit].side != ITALIAN:
        raise IllegalOrder("4.0c", "only-italians-leave", unit=unit)
    if here is None:
        raise IllegalOrder("9.0a", "not-on-map", unit=unit)
    if all(str(here) not in row["hexes"] for row in table.data.charts["exits"].values()):
        raise IllegalOrder("4.0c", "not-at-the-exit", unit=unit, hex=str(here))


def exit_changes(adj: Adjudication, unit: str, clause: str, changes: Sequence[Change] = ()) -> None:
    """The unit is off the map for good, and scores (4.1d, 4.1e); at the eleventh point the game is over (4.3c)."""
    here = hex_of(adj, unit)
    gone = [ch.mark(unit, name, False) for name in sorted(adj.counters[unit].marks)]
    rest = [one for one in moving(adj) if one != unit]
    cleared: list[Change] = [*changes, ch.place(unit, EXITED), *gone, ch.number(unit, "spent", None), ch.own("moving", rest)]
    score(adj, unit, clause, {"unit": unit, "hex": str(here), "size": card(adj, unit).values["size"]}, cleared)


def infiltrates(table: Table, unit: str) -> bool:
    """Whether a unit's movement allowance is underlined (9.32)."""
    return flag(table, unit, "infiltrates")
