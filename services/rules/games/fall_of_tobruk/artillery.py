"""Artillery: guns fire at a hex that they need not stand next to, and each unit there is rolled for (FT-24 to FT-28)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.combat import Modifier, total
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Exact, IllegalOrder, Json, Order, Side
from services.rules.engine.positions import hex_of, on_map, side_at, units_at
from services.rules.engine.sequence import PHASING, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import engaged, losses
from services.rules.games.fall_of_tobruk.disruption import disrupt
from services.rules.games.fall_of_tobruk.ground import box_at
from services.rules.games.fall_of_tobruk.orders import Barrage
from services.rules.games.fall_of_tobruk.paralysis import rouse
from services.rules.games.fall_of_tobruk.state import disrupted, is_gun, is_tank, value
from services.rules.games.fall_of_tobruk.wrecks import CROWD

# -- who may fire at what --------------------------------------------------------------------------------------------------------


def check_gun(table: Table, gun: str) -> Hex:
    """Where a gun fires from. IllegalOrder if it may not bombard in this player-turn."""
    at = hex_of(table, gun)
    if at is None:
        raise IllegalOrder("artillery.1", "not-on-map", unit=gun)
    if not is_gun(table, gun):
        raise IllegalOrder("artillery.15", "not-artillery", unit=gun)  # artillery.15
    if disrupted(table, gun):
        raise IllegalOrder("disrupt.13", "disrupted-gun", unit=gun)  # disrupt.13
    if "shelled" in table.counters[gun].marks:
        raise IllegalOrder("artillery.1", "bombarded-already", unit=gun)  # FT-27
    return at


def check_range(table: Table, gun: str, target: Hex) -> None:
    """IllegalOrder if a hex is beyond the range of a gun."""
    at = check_gun(table, gun)
    far, reach = distance(at, target), value(table, gun, "range")
    if far > reach:
        raise IllegalOrder("artillery.2", "out-of-range", unit=gun, hex=str(target), distance=far, range=reach)  # artillery.2


def targets_in(table: Table, side: Side, target: Hex) -> tuple[str, ...]:
    """The units that a side bombards in a hex: all that are there, in a Box the artillery alone (FT-28). In the order of their ids."""
    units = tuple(unit for unit in sorted(units_at(table, target)) if table.counters[unit].side != side)
    if box_at(table, target) is not None:
        return tuple(unit for unit in units if is_gun(table, unit))  # boxes.3
    return units


def check_target(table: Table, side: Side, target: Hex) -> None:
    """IllegalOrder unless a side may bombard a hex, whatever with."""
    if side_at(table, target) != table.enemy(side):
        raise IllegalOrder("artillery.1", "no-enemy-there", hex=str(target))  # artillery.1
    if not targets_in(table, side, target):
        raise IllegalOrder("boxes.3", "no-artillery-in-box", hex=str(target), box=box_at(table, target))  # boxes.3
    if str(target) in table.own["shelled"] and not table.options["multi_salvo"]:
        raise IllegalOrder("artillery.3", "shelled-already", hex=str(target))  # FT-27


# -- factors ---------------------------------------------------------------------------------------------------------------------


def halved(table: Table, gun: str, far: int) -> bool:
    """Whether a gun counts half at a distance: as the table of ranges says; beyond half its range if it is not there (FT-26)."""
    reach = value(table, gun, "range")
    row = next((row for row in table.data.charts["ranges"] if int(row["range"]) == reach), None)
    if row is None:
        return 2 * far > reach  # artillery.16
    return str(row["halved_from"]) != "never" and far >= int(row["halved_from"])  # artillery.17 artillery.18 artillery.19 artillery.20


def factor(table: Table, gun: str, target: Hex) -> Exact:
    """What a gun counts at a hex. Want of supply does nothing to it."""
    at = hex_of(table, gun)
    assert at is not None
    printed = value(table, gun, "factor")
    return Fraction(printed, 2) if halved(table, gun, distance(at, target)) else printed  # artillery.16


def salvo(table: Table, guns: Iterable[str], target: Hex) -> Exact:
    """What guns count together at a hex."""
    return sum((factor(table, gun, target) for gun in guns), Fraction(0))  # artillery.3


def least(table: Table) -> int:
    """The fewest factors that may fire."""
    return int(table.data.charts["costs"]["artillery"]["least"])


def column(table: Table, factors: Exact) -> int | None:
    """The column of the Artillery Table, by its lower bound: 11 1/2 is the column of 8; None below the lowest. The last has no upper bound
    (artillery.9)."""
    bounds = [int(name) for name in table.data.charts["artillery"][0] if name.isdigit()]
    return max((bound for bound in bounds if bound <= factors), default=None)  # arttable.1 artillery.9


def result(table: Table, found: int, die: int) -> bool:
    """Whether a modified die disrupts in a column; beyond the last row nothing does (FT-04)."""
    row = next((row for row in table.data.charts["artillery"] if int(row["die"]) == die), None)
    return row is not None and row[str(found)] == "D"  # arttable.3


# -- the order -------------------------------------------------------------------------------------------------------------------


def bombard(adj: Adjudication, args: Barrage, _: Order) -> None:
    """Guns fire at a hex, or at the other one named if no enemy is there any more; they do not move after it."""
    side = adj.phasing
    assert side is not None
    if not args.guns or len(set(args.guns)) != len(args.guns):
        raise IllegalOrder("artillery.3", "malformed", field="guns")
    empty = args.else_hex is not None and side_at(adj, args.hex) != adj.enemy(side)
    target = args.else_hex if empty and args.else_hex is not None else args.hex
    for gun in args.guns:
        check_range(adj, gun, target)
    check_target(adj, side, target)
    factors = salvo(adj, args.guns, target)
    if factors < least(adj):
        raise IllegalOrder("artillery.8", "too-few-factors", hex=str(target), factors=print_exact(factors), least=least(adj))  # artillery.8
    found = column(adj, factors)
    assert found is not None
    worth = [{"unit": gun, "factor": print_exact(factor(adj, gun, target))} for gun in args.guns]
    data: dict[str, Json] = {"side": side, "hex": str(target), "guns": worth, "factors": print_exact(factors), "column": found}
    changes = [ch.mark(gun, "shelled") for gun in args.guns]  # seq.4 artillery.10
    if str(target) not in adj.own["shelled"]:
        changes.append(ch.own("shelled", [*adj.own["shelled"], str(target)]))
    adj.record("shelled", "artillery.3", data, changes=changes)
    adj.push("Bombard", hex=str(target), column=found)


def fall(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A die for each unit that is fired at, whose result is its own."""
    side = adj.phasing
    assert side is not None
    units = targets_in(adj, side, parse_hex(work["hex"]))
    rouse(adj, units)
    for unit in units:  # artillery.6
        drm = int(adj.data.charts["costs"]["artillery"]["tank_drm"])
        modifiers = [Modifier(drm, "tank", "artillery.5")] if is_tank(adj, unit) else []  # artillery.5
        wire = [one.wire() for one in modifiers]
        (die,) = adj.roll("artillery.4", "bombardment", site=work["hex"], who=unit, modifiers=wire)
        if result(adj, work["column"], die + total(modifiers)):
            disrupt(adj, (unit,), "disrupt.3", "bombardment")  # artillery.7 disrupt.3


# -- the step --------------------------------------------------------------------------------------------------------------------


def guns(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that may still bombard."""
    found = []
    for unit in on_map(table, side):
        try:
            check_gun(table, unit.id)
        except IllegalOrder:
            continue
        found.append(unit.id)
    return tuple(found)


def salvos(table: Table, side: Side) -> Mapping[Hex, Sequence[str]]:
    """The hexes that a side may bombard, each with the guns that reach it and together are enough."""
    ready = {gun: hex_of(table, gun) for gun in guns(table, side)}
    found: dict[Hex, Sequence[str]] = {}
    for target in sorted({at for unit in on_map(table, table.enemy(side)) if ready and isinstance(at := unit.place, Hex)}):
        near = [gun for gun, at in ready.items() if at is not None and distance(at, target) <= value(table, gun, "range")]
        try:
            check_target(table, side, target)
        except IllegalOrder:
            continue
        if near and salvo(table, near, target) >= least(table):
            found[target] = near
    return found


def nothing_to_shell(table: Table, side: Side) -> bool:
    """Whether a side has no guns that together can fire at anything."""
    return not salvos(table, side)


BOMBARDMENT = Step(
    "bombardment",
    "seq.3",
    PHASING,
    accepts=(on(Barrage, bombard, units=lambda args: args.guns),),
    resolves=(Work("Bombard", fall), losses.LOSSES, CROWD),
    asks=(losses.ASK_LOSSES,),
    leave=engaged.tidy,  # crt.eng.2
    idle=nothing_to_shell,
)
