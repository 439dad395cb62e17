"""15. Arrivals: who is due, where they may come in, who must; convoys are called by number. The orders are in ``entering``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, IllegalOrder, Side
from services.rules.engine.positions import occupied
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.costs import entry_price
from services.rules.games.beda_fomm.ground import ground
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import ITALIAN, OFF, is_armor
from services.rules.games.beda_fomm.state import opening as in_opening
from services.rules.games.beda_fomm.zoc import barred_by_zoc

# -- who is due ------------------------------------------------------------------------------------------------------------------


def _rows(table: Table) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = table.data.scenarios[table.before.scenario].tables["arrivals"]
    return found


def due(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that may enter in this game-turn, in the order of the track, then of the row; convoys called among them."""
    order = {unit: n for n, unit in enumerate(unit for row in _rows(table) for unit in row.get("units", ()))}
    found = [c.id for c in table.counters.values() if c.side == side and is_due(table, c.id)]
    return tuple(sorted(found, key=lambda unit: (due_turn(table, unit), order.get(unit, 999), unit)))


def coming(table: Table) -> Mapping[str, list[str]]:
    """Game-turn -> the units that are due then by the order of appearance and wait, and ``convoy`` for each convoy; later turns alone."""
    found: dict[str, list[str]] = {}
    for row in _rows(table):
        turn = table.data.turns.index(row["turn"]) + 1
        units = [unit for unit in row.get("units", ()) if unit in table.counters and due_turn(table, unit) == turn]
        if turn > table.turn and (names := [*units, *["convoy"] * int(row.get("convoys", 0))]):
            found.setdefault(str(turn), []).extend(names)
    return found


def is_due(table: Table, unit: str) -> bool:
    """Whether a unit waits and may enter in this game-turn (15.0a)."""
    turn = due_turn(table, unit)
    return turn is not None and turn <= table.turn and table.counters[unit].place == OFF and not held_back(table, unit)


def due_turn(table: Table, unit: str) -> int | None:
    """The game-turn in which a waiting unit is due; None for one whose convoy has not been called."""
    number = table.counters[unit].num.get("due")
    return None if number is None else int(number)


def is_late(table: Table, unit: str) -> bool:
    """Whether a unit was due in an earlier game-turn: it was kept back then, or could not come in."""
    turn = due_turn(table, unit)
    return turn is not None and turn < table.turn


def held_back(table: Table, unit: str) -> bool:
    """Whether a unit was held back in this game-turn."""
    return bool(table.own["delayed"].get(unit) == table.turn)


# -- convoys ---------------------------------------------------------------------------------------------------------------------


def callable_convoys(table: Table) -> int:
    """How many convoys have appeared on the order of appearance by now and have not been called yet."""
    turns = table.data.turns
    appeared = sum(int(row.get("convoys", 0)) for row in _rows(table) if turns.index(row["turn"]) + 1 <= table.turn)
    return max(0, min(appeared - int(table.own["called"]), len(uncalled(table))))


def units_of(table: Table, convoy: int) -> tuple[str, ...]:
    """The units of a convoy, its personnel first. IllegalOrder if there is none of that number."""
    found = table.own["convoys"].get(str(convoy))
    if found is None:
        raise IllegalOrder("14.31a", "no-such-convoy", convoy=convoy, most=len(table.own["convoys"]))
    return (str(found["personnel"]), *map(str, found["transports"]))


def convoy_of(table: Table, unit: str) -> int | None:
    """The number of the convoy in which a unit rides."""
    return next((int(n) for n, one in table.own["convoys"].items() if unit in (one["personnel"], *one["transports"])), None)


def uncalled(table: Table) -> list[int]:
    """The numbers of the convoys not called yet, the lowest first."""
    return [n for n in sorted(map(int, table.own["convoys"])) if _waits(table, n)]


def _waits(table: Table, convoy: int) -> bool:
    counters = [table.counters.get(unit) for unit in units_of(table, convoy)]
    return any(counter is not None and counter.place == OFF and "due" not in counter.num for counter in counters)


def call(adj: Adjudication, convoy: int) -> bool:
    """A convoy appears: the Italian's choice among those left; False if it has been called before. IllegalOrder if none appears now."""
    units = units_of(adj, convoy)
    if not _waits(adj, convoy):
        return False
    if callable_convoys(adj) < 1:
        raise IllegalOrder("15.23a", "no-convoy-due", convoy=convoy)
    changes: list[Change] = [ch.number(unit, "due", adj.turn) for unit in units]  # 15.23a
    changes.append(ch.own("called", int(adj.own["called"]) + 1))
    adj.record("convoy_called", "15.23a", {"convoy": convoy, "units": list(units)}, changes=changes)
    return True


def call_for(adj: Adjudication, unit: str) -> None:
    """Who names a unit of a convoy that has not been called calls it, where one appears now."""
    convoy = convoy_of(adj, unit)
    if convoy is not None and callable_convoys(adj) and _waits(adj, convoy):
        call(adj, convoy)


# -- where they may enter --------------------------------------------------------------------------------------------------------


def entry_of(table: Table, unit: str) -> str:
    """The name of a unit's entry: that of its row, or the road for one that rides in a convoy."""
    if convoy_of(table, unit) is not None:
        return "road"
    return next((str(row["entry"]) for row in _rows(table) if unit in row.get("units", ())), "road")


def entry_hexes(table: Table, unit: str) -> tuple[Hex, ...]:
    """Where a unit may enter now: in the opening by the road, else at its printed hex; a game-turn later where the delayed may; one that
    was kept out by what stood there, at either (BF-R88, BF-R89)."""
    if table.counters[unit].side == ITALIAN and in_opening(table):
        return ground(table).entries["road"].hexes  # 16.11c 16.13d BF-R115
    entry = ground(table).entries[entry_of(table, unit)]
    if not is_late(table, unit):
        return entry.hexes  # 15.1a 15.21a 15.22a
    if table.own["delayed"].get(unit) == table.turn - 1:
        return entry.delayed  # 15.21c 15.22b 15.23b
    return (*entry.hexes, *(at for at in entry.delayed if at not in entry.hexes))  # BF-R88 BF-R92


def runs(hexes: Sequence[Hex]) -> list[str]:
    """Hexes in words: each run of more than two that lie below one another in a column as its first and last (``3301 to 3340``)."""
    rows: list[list[Hex]] = []
    for at in hexes:
        if rows and (rows[-1][-1].col, rows[-1][-1].row + 1) == (at.col, at.row):
            rows[-1].append(at)
        else:
            rows.append([at])
    return [text for row in rows for text in ([f"{row[0]} to {row[-1]}"] if len(row) > 2 else map(str, row))]


def _entry_clause(table: Table, unit: str) -> str:
    """The clause that says where a unit may enter now."""
    if table.counters[unit].side != ITALIAN:
        return "15.1a"
    if in_opening(table):
        return "16.11c"
    late = table.own["delayed"].get(unit) == table.turn - 1
    if entry_of(table, unit) == "bignami":
        return "15.22b" if late else "15.22a"
    return "15.21c" if late else "15.21a"


def delay_clause(table: Table, unit: str) -> str:
    """The clause by which a unit is kept back: in a convoy, of Bignami's, or any other."""
    if convoy_of(table, unit) is not None:
        return "15.23b"
    return "15.22c" if entry_of(table, unit) == "bignami" else "15.21b"


def check_enter(table: Table, units: Sequence[str], at: Hex) -> Mapping[str, int]:
    """Half MP that each of some units pays to enter together at a hex (BF-R93). IllegalOrder if one may not enter there now."""
    side = table.data.cards[units[0]].side
    for unit in units:
        check_due(table, unit)
        if at not in entry_hexes(table, unit):
            open_to = entry_hexes(table, unit)
            raise IllegalOrder(_entry_clause(table, unit), "not-an-entry", unit=unit, hex=str(at), hexes=runs(open_to))  # 15.0c
    if at in occupied(table, table.enemy(side)):
        raise IllegalOrder("9.21a", "enemy-there", hex=str(at))
    armor = [unit for unit in units if is_armor(table, unit)]
    for unit in units:
        barred = barred_by_zoc(table, unit, None, at, armor)
        if barred is not None:
            raise IllegalOrder(barred.clause, barred.code, unit=unit, hex=str(at))
    if not room(table, at, units):
        raise IllegalOrder("6.13b", "no-room", units=list(units), hex=str(at))
    return {unit: _fare(table, unit, at) for unit in units}


def _fare(table: Table, unit: str, at: Hex) -> int:
    price = entry_price(table, unit, at)
    if price is None:
        raise IllegalOrder("9.11a", "prohibited", unit=unit, hex=str(at))
    return price.costs[unit]  # 15.0b BF-R42


def check_due(table: Table, unit: str) -> None:
    """IllegalOrder unless a unit waits and may enter in this game-turn."""
    if unit not in table.counters or table.counters[unit].place != OFF:
        raise IllegalOrder("15.0a", "not-waiting", unit=unit)
    if held_back(table, unit):
        raise IllegalOrder("15.21b", "held-back", unit=unit)
    if not is_due(table, unit):
        raise IllegalOrder("15.0a", "not-due", unit=unit, turn=due_turn(table, unit))


def may_enter(table: Table, units: Sequence[str], at: Hex) -> bool:
    """Whether some units may enter together at a hex now."""
    try:
        check_enter(table, units, at)
    except IllegalOrder:
        return False
    return True


def ways_in(table: Table, units: Sequence[str]) -> tuple[Hex, ...]:
    """The hexes at which some units may enter together now, their printed ones first."""
    return tuple(at for at in entry_hexes(table, units[0]) if may_enter(table, units, at))


def check_delay(table: Table, unit: str) -> None:
    """IllegalOrder unless the unit may be kept back now: an Italian of this turn, once, after the opening."""
    if table.data.cards[unit].side != ITALIAN:
        raise IllegalOrder("15.21b", "only-italians-delay", unit=unit)
    check_due(table, unit)
    if in_opening(table):
        raise IllegalOrder("16.12b", "no-delay-in-the-opening", unit=unit)  # BF-R116
    if is_late(table, unit):
        raise IllegalOrder("15.21d", "delayed-already", unit=unit)


# -- who must enter --------------------------------------------------------------------------------------------------------------


def must_enter(table: Table, side: Side) -> tuple[str, ...]:
    """Due Italian units that have to come in now and can: in the opening all, later those whose delay is used up (BF-R88)."""
    if side != ITALIAN:
        return ()
    forced = [unit for unit in due(table, side) if in_opening(table) or is_late(table, unit)]  # 15.21d 16.12b
    return tuple(unit for unit in forced if ways_in(table, (unit,)))


def convoys_wanting(table: Table) -> int:
    """Convoys that have to be called now: in the opening they may not be kept back."""
    return callable_convoys(table) if in_opening(table) else 0  # 16.12b
