"""15. Arrivals: over the map's edge, by road, by trail, or on the east edge; convoys are called by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Order, Side
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import opening
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.movement import affords, begin, move, surcharge
from services.rules.games.beda_fomm.orders import Delay, Enter, Move
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import ELIMINATED, ITALIAN, OFF, card, occupied, value
from services.rules.games.beda_fomm.state import opening as in_opening
from services.rules.games.beda_fomm.zoc import barred_by_zoc

# -- who is due ------------------------------------------------------------------------------------------------------------------


def _rows(table: Table) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = table.data.scenarios[table.before.scenario].tables["arrivals"]
    return found


def due(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that may enter in this game-turn, in the order of the track, then of the row; convoys called among them."""
    order = {unit: n for n, unit in enumerate(unit for row in _rows(table) for unit in row.get("units", ()))}
    waiting = [c for c in table.counters.values() if c.side == side and c.place == OFF and "due" in c.num]
    found = [c.id for c in waiting if int(c.num["due"]) <= table.turn and not held_back(table, c.id)]
    return tuple(sorted(found, key=lambda unit: (int(table.counters[unit].num["due"]), order.get(unit, 999), unit)))


def held_back(table: Table, unit: str) -> bool:
    """Whether a unit was held back in this game-turn."""
    return bool(table.own["delayed"].get(unit) == table.turn)


def was_delayed(table: Table, unit: str) -> bool:
    """Whether a unit's entry was put off in an earlier game-turn."""
    return unit in table.own["delayed"] and table.own["delayed"][unit] < table.turn


def callable_convoys(table: Table) -> int:
    """How many convoys have appeared on the order of appearance by now and have not been called."""
    turns = table.data.turns
    appeared = sum(int(row.get("convoys", 0)) for row in _rows(table) if turns.index(row["turn"]) + 1 <= table.turn)
    return appeared - int(table.own["called"])


def units_of(table: Table, convoy: int) -> tuple[str, ...]:
    """The units of a convoy, its personnel first. IllegalOrder if there is none of that number."""
    found = table.own["convoys"].get(str(convoy))
    if found is None:
        raise IllegalOrder("14.31a", "no-such-convoy", convoy=convoy, most=len(table.own["convoys"]))
    return (str(found["personnel"]), *map(str, found["transports"]))


def _uncalled(table: Table, convoy: int) -> bool:
    return any("due" not in table.counters[unit].num and table.counters[unit].place == OFF for unit in units_of(table, convoy))


def next_convoy(table: Table) -> int:
    """The lowest number of a convoy that has not been called. StopIteration if all have (our bug)."""
    return next(n for n in sorted(map(int, table.own["convoys"])) if _uncalled(table, n))


def call(adj: Adjudication, convoy: int) -> None:
    """A convoy appears: the Italian's choice among those left (15.23a). IllegalOrder if none appears now."""
    units = units_of(adj, convoy)
    if not _uncalled(adj, convoy):
        return
    if callable_convoys(adj) < 1:
        raise IllegalOrder("15.23a", "no-convoy-due", convoy=convoy)
    changes: list[Change] = [ch.number(unit, "due", adj.turn) for unit in units]
    changes.append(ch.own("called", int(adj.own["called"]) + 1))
    adj.record("convoy_called", "15.23a", {"convoy": convoy, "units": list(units)}, changes=changes)


# -- where they may enter --------------------------------------------------------------------------------------------------------


def entry_of(table: Table, unit: str) -> str:
    """The name of a unit's entry: that of its row, or the road for one that rides in a convoy."""
    if any(unit in (one["personnel"], *one["transports"]) for one in table.own["convoys"].values()):
        return "road"
    return next((str(row["entry"]) for row in _rows(table) if unit in row.get("units", ())), "road")


def entry_hexes(table: Table, unit: str) -> tuple[Hex, ...]:
    """Where a unit may enter now: in the opening by the road, else at its printed hex; a game-turn later where the delayed may; one that
    was kept out by what stood there, at either (BF-R88, BF-R89)."""
    if table.counters[unit].side == ITALIAN and in_opening(table):
        return ground(table).entries["road"].hexes  # 16.11c 16.13a 16.13d BF-R115
    entry = ground(table).entries[entry_of(table, unit)]
    if was_delayed(table, unit):
        return entry.delayed if int(table.own["delayed"][unit]) == table.turn - 1 else (*entry.delayed, *entry.hexes)
    if int(table.counters[unit].num["due"]) < table.turn:
        return (*entry.hexes, *(at for at in entry.delayed if at not in entry.hexes))
    return entry.hexes  # 15.1a 15.21a 15.22a


def check_enter(table: Table, unit: str, at: Hex) -> int:
    """Half MP that a unit pays to enter at a hex. IllegalOrder if it may not enter there now."""
    side = table.counters[unit].side
    if unit not in due(table, side):
        _not_due(table, unit)
    if at not in entry_hexes(table, unit):
        names = [str(one) for one in entry_hexes(table, unit)]
        raise IllegalOrder("15.0b", "not-an-entry", unit=unit, hex=str(at), hexes=names[:10])
    if at in occupied(table, table.enemy(side)):
        raise IllegalOrder("9.21a", "enemy-there", hex=str(at))
    barred = barred_by_zoc(table, unit, at, at, ())
    if barred is not None:
        raise IllegalOrder(barred.clause, barred.code, unit=unit, hex=str(at))
    if not room(table, at, (unit,)):
        raise IllegalOrder("6.13b", "no-room", units=[unit], hex=str(at))  # BF-R93
    cost = ground(table).enters[column_of(table, unit)].get(at)
    if cost is None:
        raise IllegalOrder("9.11a", "prohibited", unit=unit, hex=str(at))
    cost += surcharge(table, side, at)  # 15.0b BF-R42
    allowance = value(table, unit, "ma")
    if not affords(table, unit, cost, surcharge(table, side, at), 2 * allowance, only=True):
        raise IllegalOrder("9.0b", "too-far", unit=unit, hex=str(at), cost=print_exact(Fraction(cost, 2)), allowance=allowance)
    return cost


def _not_due(table: Table, unit: str) -> None:
    counter = table.counters[unit]
    if counter.place != OFF:
        raise IllegalOrder("15.0a", "not-waiting", unit=unit)
    if held_back(table, unit):
        raise IllegalOrder("15.21b", "held-back", unit=unit)
    turn = int(counter.num["due"]) if "due" in counter.num else None
    raise IllegalOrder("15.0a", "not-due", unit=unit, turn=turn)


def may_enter(table: Table, unit: str, at: Hex) -> bool:
    """Whether a unit may enter at a hex now."""
    try:
        check_enter(table, unit, at)
    except IllegalOrder:
        return False
    return True


def ways_in(table: Table, unit: str) -> tuple[Hex, ...]:
    """The hexes at which a unit may enter now, its printed ones first."""
    return tuple(at for at in entry_hexes(table, unit) if may_enter(table, unit, at))


# -- the orders ------------------------------------------------------------------------------------------------------------------


def enter(adj: Adjudication, args: Enter, _: Order) -> None:
    """A due unit enters, or a convoy is called and those of its units that find room enter; the others follow one by one."""
    if args.convoy is None:
        assert args.unit is not None
        put_in(adj, args.unit, args.hex or _printed(adj, args.unit))
        return
    call(adj, args.convoy)
    waiting = [unit for unit in units_of(adj, args.convoy) if adj.counters[unit].place == OFF]
    if not waiting:
        raise IllegalOrder("15.23a", "convoy-has-entered", convoy=args.convoy)
    put_in(adj, waiting[0], args.hex or _printed(adj, waiting[0]))


def _printed(table: Table, unit: str) -> Hex:
    """The hex where a unit enters if none is named: the first that is open to it, else the first."""
    return next(iter(ways_in(table, unit)), entry_hexes(table, unit)[0])


def put_in(adj: Adjudication, unit: str, at: Hex, how: str = "ordered") -> None:
    """A unit enters: it pays for the hex and may go on with what is left (15.0b)."""
    cost = check_enter(adj, unit, at)
    begun = begin(adj, ())
    changes: list[Change] = [
        *begun,
        ch.place(unit, at),
        ch.mark(unit, "moved"),  # 11.24c BF-R25
        ch.number(unit, "spent", Fraction(cost, 2)),
        ch.number(unit, "due", None),
        ch.own("moving", [unit]),
    ]
    data = {"side": card(adj, unit).side, "unit": unit, "hex": str(at), "cost": print_exact(Fraction(cost, 2)), "how": how}
    adj.record("arrived", "15.0b", data, changes=changes)
    opening.note_contact(adj, (unit,), (at,))


def delay(adj: Adjudication, args: Delay, _: Order) -> None:
    """A due unit, or a convoy that appears now, is kept back for one game-turn."""
    if args.convoy is not None:
        call(adj, args.convoy)
        units = [unit for unit in units_of(adj, args.convoy) if adj.counters[unit].place == OFF]
    else:
        assert args.unit is not None
        units = [args.unit]
    for unit in units:
        check_delay(adj, unit)
        adj.record("delayed", "15.21b", {"unit": unit}, changes=[ch.own("delayed", unit, adj.turn)])  # 15.22c BF-R90


def check_delay(table: Table, unit: str) -> None:
    """IllegalOrder unless the unit may be kept back now: an Italian of this turn, once, after first contact."""
    side = table.counters[unit].side
    if side != ITALIAN:
        raise IllegalOrder("15.21b", "only-italians-delay", unit=unit)
    if unit not in due(table, side):
        _not_due(table, unit)
    if in_opening(table):
        raise IllegalOrder("16.12b", "no-delay-in-the-opening", unit=unit)  # BF-R116
    if int(table.counters[unit].num["due"]) < table.turn:
        raise IllegalOrder("15.21d", "delayed-already", unit=unit)  # 15.21d


# -- what must be done -----------------------------------------------------------------------------------------------------------


def must_enter(table: Table, side: Side) -> tuple[str, ...]:
    """Due Italian units that have to come in now and can: in the opening all, later those whose delay is used up (16.12b, BF-R88)."""
    if side != ITALIAN:
        return ()
    forced = [unit for unit in due(table, side) if in_opening(table) or int(table.counters[unit].num["due"]) < table.turn]
    return tuple(unit for unit in forced if ways_in(table, unit))


def convoys_wanting(table: Table) -> int:
    """Convoys that have to be called now: in the opening they may not be kept back (16.12b)."""
    return callable_convoys(table) if in_opening(table) else 0


def enter_by_default(adj: Adjudication, side: Side) -> None:
    """Units that were neither entered nor kept back come in where they can, at their printed hexes first (G27); convoys are called in
    their order. British arrivals may wait (BF-R92)."""
    if side == ITALIAN:
        while callable_convoys(adj):
            call(adj, next_convoy(adj))
    elif adj.options.get("british_hold_back", True):
        return
    for unit in due(adj, side):
        way = next(iter(ways_in(adj, unit)), None)
        if way is not None:
            put_in(adj, unit, way, how="default")


def lose_the_blocked(adj: Adjudication) -> None:
    """By option, a unit that cannot enter on its last turn is lost (BF-R88)."""
    if adj.options.get("blocked_entry", "waits") != "lost" or adj.phasing != ITALIAN:
        return
    for unit in due(adj, ITALIAN):
        if int(adj.counters[unit].num["due"]) < adj.turn:
            adj.record("entry_lost", "15.21d", {"unit": unit}, changes=[ch.place(unit, ELIMINATED)])


def march(adj: Adjudication, args: Move, order: Order) -> None:
    """A movement order; for a due unit that still waits it is its entry and the way on: the first hex of the path is where it enters."""
    waiting = [unit for unit in args.units if unit in adj.counters and adj.counters[unit].place == OFF]
    if not waiting:
        move(adj, args, order)
        return
    unit = waiting[0]
    if len(args.units) > 1:
        raise IllegalOrder("15.0b", "one-unit", units=list(args.units))  # BF-R93
    at = args.path[0] if args.path else _printed(adj, unit)
    put_in(adj, unit, at)
    if len(args.path) > 1 or args.to not in (None, at):
        move(adj, replace(args, path=args.path[1:]), order)
