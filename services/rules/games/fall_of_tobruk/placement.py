"""Setting Up the Game: each side's "Anywhere" units placed by orders, the Allies' first, the Axis seeing where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenarios.hexes import Hex, distance, neighbours, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import adjacent, occupied, units_at
from services.rules.engine.sequence import Duty, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import mines, stacking
from services.rules.games.fall_of_tobruk.orders import Place
from services.rules.games.fall_of_tobruk.setup import scenario_of
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, SET_UP

STEP_OF = {ALLIED: "allied placement", AXIS: "axis placement"}


def to_place(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that it sets up by orders and that lie in their box, in the order of the lists."""
    rows = (row for row in scenario_of(table).tables.get("placements", ()) if row["side"] == side)
    named = (unit for row in rows for unit in row["units"])
    return tuple(unit for unit in named if unit in table.counters and table.counters[unit].place == SET_UP)


def check_place(adj: Adjudication, args: Place, _: Order) -> None:
    """IllegalOrder unless the unit is one of free placement, and the hex is open to it beside those of this mail."""
    counter = adj.counters.get(args.unit)
    if counter is None or counter.place != SET_UP:
        raise IllegalOrder("setup.4", "not-placed-by-orders", unit=args.unit)  # setup.4
    check_hex(adj, counter.side, args.unit, args.hex)
    mail = [order for order in gathered(adj, counter.side) if order in adj.packet.orders]
    beside = [order.args["unit"] for order in mail if order.args["hex"] == str(args.hex)]
    units = tuple(dict.fromkeys((*units_at(adj, args.hex), *beside, args.unit)))
    if not stacking.fits(adj, units):
        raise IllegalOrder("setup.7", "stacking", hex=str(args.hex), units=list(units))  # setup.7


def check_hex(table: Table, side: Side, unit: str, at: Hex) -> None:
    """IllegalOrder unless a unit of free placement may be put into a hex, whoever of its side is there."""
    enemy = occupied(table, table.enemy(side))
    if at in enemy:
        raise IllegalOrder("setup.8", "enemy-there", hex=str(at))  # setup.8
    if any(to in enemy for to in adjacent(table, at)):
        raise IllegalOrder("setup.8", "next-to-the-enemy", unit=unit, hex=str(at))  # setup.8
    if side == ALLIED and west_of_the_line(table, at):
        raise IllegalOrder("setup.9", "beyond-the-line", unit=unit, hex=str(at), side=side)  # setup.9
    if side == AXIS and not west_of_the_line(table, at):
        raise IllegalOrder("setup.10", "beyond-the-line", unit=unit, hex=str(at), side=side)  # setup.10
    if side == AXIS and any(mines.mined(table, at, to) for to in neighbours(at)):
        raise IllegalOrder("setup.11", "next-to-mines", unit=unit, hex=str(at))  # setup.11


def west_of_the_line(table: Table, at: Hex) -> bool:
    """Whether a hex lies west of the set-up line, which itself is the Allies' (FT-65)."""
    bound: Mapping[int, int] = table.remembered(
        "set-up line", lambda: {int(row["row"]): int(row["column"]) for row in table.data.charts["line"]}
    )
    return at.row in bound and at.col < bound[at.row]


def place(adj: Adjudication, args: Place, _: Order) -> None:
    """The unit is set up."""
    adj.record(
        "placed",
        "setup.5" if adj.counters[args.unit].side == ALLIED else "setup.6",
        {"unit": args.unit, "hex": str(args.hex)},
        changes=[ch.place(args.unit, args.hex)],
    )


def gathered(table: Table, side: Side) -> tuple[Order, ...]:
    """The placements gathered so far of a side."""
    sets = table.sets if isinstance(table, Adjudication) else table.before.sets
    return sets.get(f"{side}/{STEP_OF[side]}", ())


def placements(table: Table, side: Side) -> Mapping[str, Hex]:
    """Unit -> the hex that the orders gathered so far give it."""
    return {order.args["unit"]: parse_hex(order.args["hex"]) for order in gathered(table, side)}


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """Stacks within the limits (setup.7); and who is left in the box is to be confirmed, for he takes no part in the game."""
    given = placements(table, side)
    found = []
    for at in sorted(set(given.values())):
        units = (*units_at(table, at), *sorted(unit for unit, where in given.items() if where == at))
        if not stacking.fits(table, units):
            found.append(Duty("stacking", "setup.7", {"hex": str(at), "units": list(units)}))
    if left := [unit for unit in to_place(table, side) if unit not in given]:
        found.append(Duty("units-not-placed", "setup.5" if side == ALLIED else "setup.6", {"units": left}, confirmable=True))
    return tuple(found)


def meet_duties(adj: Adjudication, side: Side) -> None:
    """All of a side's units are placed (``AUTO``): first as ordered, as far as they fit beside those before them, then each of the others
    in the first hex of ``_by_choice`` that has room. Who finds none is told; he stays in the box."""
    given: dict[str, Hex] = {}
    kept: list[Order] = []
    for order in gathered(adj, side):
        at = parse_hex(order.args["hex"])
        if _fits(adj, given, order.args["unit"], at):
            given[order.args["unit"]] = at
            kept.append(order)
    left = [unit for unit in to_place(adj, side) if unit not in given]
    for unit in left:
        found = next((at for at in _by_choice(adj, side, unit, given) if _fits(adj, given, unit, at)), None)
        if found is not None:
            given[unit] = found
            kept.append(Order(0, Place.verb, {"unit": unit, "hex": str(found)}))
    adj.sets[f"{side}/{STEP_OF[side]}"] = tuple(kept)
    if out := [unit for unit in left if unit not in given]:
        adj.record("unplaced", "setup.5" if side == ALLIED else "setup.6", {"side": side, "units": out})


def _fits(table: Table, given: Mapping[str, Hex], unit: str, at: Hex) -> bool:
    """Whether a unit has room in a hex beside those there and those that are given it."""
    return stacking.fits(table, (*units_at(table, at), *(other for other, where in given.items() if where == at), unit))  # setup.7


def _by_choice(table: Table, side: Side, unit: str, given: Mapping[str, Hex]) -> Sequence[Hex]:
    """The hexes in which a unit may be placed: those with others of its side, or next to them, first; of these the nearest to the enemy."""
    mine, enemies = occupied(table, side) | set(given.values()), occupied(table, table.enemy(side))

    def rank(at: Hex) -> tuple[int, int, Hex]:
        return _away(at, mine), _away(at, enemies), at

    return sorted((at for at in table.data.board.terrain if _legal(table, side, unit, at)), key=rank)


def _away(at: Hex, others: Iterable[Hex]) -> int:
    """How far a hex is from the nearest of others; 0 if there are none."""
    return min((distance(at, other) for other in others), default=0)


def _legal(table: Table, side: Side, unit: str, at: Hex) -> bool:
    try:
        check_hex(table, side, unit, at)
    except IllegalOrder:
        return False
    return True


def _step(side: Side, clause: str) -> Step:
    taken = on(Place, place, check=check_place, subject=lambda args: args.unit, units=lambda args: (args.unit,))
    return Step(
        STEP_OF[side],
        clause,
        side,
        Mode.SET,
        accepts=(taken,),
        idle=lambda table, one: not to_place(table, one),
        duty=duties,
        meet=meet_duties,
    )


STEPS: Sequence[Step] = (_step(ALLIED, "setup.5"), _step(AXIS, "setup.6"))
"""The Allies first, then the Axis, which sees where they stand (setup.5, setup.6)."""
