"""1. New Units: reinforcements, refitted units and reserve tanks come onto the map at the start of a player-turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, IllegalOrder, Order, Side
from services.rules.engine.positions import adjacent, occupied, units_at
from services.rules.engine.sequence import PHASING, Step, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import stacking
from services.rules.games.fall_of_tobruk.orders import Delay, Enter, Refit, Reserve
from services.rules.games.fall_of_tobruk.setup import scenario_of
from services.rules.games.fall_of_tobruk.state import (
    ALLIED,
    DESTROYED,
    OFF,
    REFIT,
    is_gun,
    kind_of,
    nation_of,
    size_of,
    type_of,
)
from services.rules.games.fall_of_tobruk.victory import holder

NAME = "new units"
EDGE = {"allied": "east", "axis": "axis-edge"}
"""Where refitted units and reserve tanks of a side come in (refit.5, reserve.4)."""


# -- where units come in ---------------------------------------------------------------------------------------------------------


def entry_of(table: Table, unit: str) -> str:
    """The entry by which a unit that waits comes in: that of its row, else its side's edge."""
    rows = scenario_of(table).tables.get("arrivals", ())
    named = next((row.get("entry") for row in rows if unit in row["units"]), None)
    return str(named or EDGE[table.counters[unit].side])


def entry_hexes(table: Table, name: str) -> tuple[Hex, ...]:
    """The hexes of an entry, in the order of the list: of the edge, then Tobruk if it offers it and the Allies hold it (FT-60)."""
    row = table.data.charts["entries"][name]
    inland = row.get("inland", ()) if holder(table) == ALLIED else ()
    return tuple(map(parse_hex, (*row["hexes"], *inland)))  # new.2 new.3 new.4


def check_at(table: Table, unit: str, name: str, at: Hex) -> None:
    """IllegalOrder unless a unit may be put onto the map there: a hex of its entry, clear of enemies, with room."""
    side = table.counters[unit].side
    clause = "new.2" if side == ALLIED else "new.4"
    if at not in entry_hexes(table, name):
        lost = str(at) in table.data.charts["entries"][name].get("inland", ())
        raise IllegalOrder("new.3" if lost else clause, "tobruk-is-lost" if lost else "not-an-entry", unit=unit, hex=str(at))
    enemy = occupied(table, table.enemy(side))
    if at in enemy:
        raise IllegalOrder(clause, "enemy-there", hex=str(at))
    beside = units_at(table, at)
    if not stacking.room(table, at, (unit,)):
        raise IllegalOrder("stacking.1", "stacking", hex=str(at), units=[*beside, unit])  # stacking.1
    alone = is_gun(table, unit) and all(is_gun(table, other) for other in beside)
    if alone and any(to in enemy for to in adjacent(table, at)):
        raise IllegalOrder("artillery.14", "guns-need-escort", unit=unit, hex=str(at))  # artillery.14


def ways_in(table: Table, unit: str, name: str) -> tuple[Hex, ...]:
    """The hexes of an entry where a unit may come in now."""
    return tuple(at for at in entry_hexes(table, name) if _open(table, unit, name, at))


def _open(table: Table, unit: str, name: str, at: Hex) -> bool:
    try:
        check_at(table, unit, name, at)
    except IllegalOrder:
        return False
    return True


def _on_map(table: Table, unit: str, at: Hex) -> list[Change]:
    """The changes by which a unit comes onto the map: it has spent no MP and may move (new.6, new.7)."""
    numbers = [ch.number(unit, name, None) for name in ("due", "held") if name in table.counters[unit].num]
    return [ch.place(unit, at), ch.mark(unit, "placed"), *numbers]


# -- reinforcements --------------------------------------------------------------------------------------------------------------


def due_turn(table: Table, unit: str) -> int:
    """The game-turn in which a waiting unit is due (new.8)."""
    return int(table.counters[unit].num.get("due", 999))


def held_back(table: Table, unit: str) -> bool:
    """Whether a unit has been kept back in this game-turn."""
    return table.counters[unit].num.get("held") == table.turn


def waiting(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that are due by now and wait, those that have waited longest first, then in the order of the lists."""
    order = {unit: n for n, unit in enumerate(unit for row in scenario_of(table).tables.get("arrivals", ()) for unit in row["units"])}
    found = [c.id for c in table.counters.values() if c.side == side and c.place == OFF and due_turn(table, c.id) <= table.turn]
    return tuple(sorted(found, key=lambda unit: (due_turn(table, unit), order.get(unit, 999), unit)))


def _check_due(table: Table, unit: str) -> None:
    counter = table.counters.get(unit)
    if counter is None or counter.place != OFF:
        raise IllegalOrder("new.1", "not-waiting", unit=unit)  # new.1
    if due_turn(table, unit) > table.turn:
        raise IllegalOrder("new.8", "not-due", unit=unit, turn=due_turn(table, unit))  # new.8
    if held_back(table, unit):
        raise IllegalOrder("new.8", "held-back", unit=unit)  # new.8


def enter(adj: Adjudication, args: Enter, _: Order) -> None:
    """A due unit comes in, at the first hex of its entry that is open to it if none is named (new.5)."""
    _check_due(adj, args.unit)
    name = entry_of(adj, args.unit)
    at = args.hex or next(iter(ways_in(adj, args.unit, name)), None)
    if at is None:
        raise IllegalOrder("new.2" if adj.phasing == ALLIED else "new.4", "no-way-in", unit=args.unit)
    put_in(adj, args.unit, at, "ordered")


def put_in(adj: Adjudication, unit: str, at: Hex, how: str) -> None:
    """A due unit comes in. IllegalOrder if it may not there."""
    check_at(adj, unit, entry_of(adj, unit), at)
    data = {"side": adj.counters[unit].side, "unit": unit, "hex": str(at), "how": how}
    adj.record("arrived", "new.8", data, changes=_on_map(adj, unit, at))


def delay(adj: Adjudication, args: Delay, _: Order) -> None:
    """A due unit is kept back for a game-turn."""
    _check_due(adj, args.unit)
    adj.record("delayed", "new.8", {"unit": args.unit}, changes=[ch.number(args.unit, "held", adj.turn)])


def enter_by_default(adj: Adjudication) -> None:
    """Due units neither entered nor kept back come in at the first hex of their entry that is open to them; the others wait (G27)."""
    for unit in waiting(adj, str(adj.phasing)):
        room = () if held_back(adj, unit) else ways_in(adj, unit, entry_of(adj, unit))
        if room:
            put_in(adj, unit, room[0], "default")


# -- refitted units --------------------------------------------------------------------------------------------------------------


def refit_class(table: Table, unit: str) -> str:
    """The class of type by which units refit one another: ``infantry``, ``artillery``, ``self-propelled`` or ``tank`` (refit.8, FT-48)."""
    return str(type_of(table, unit)["refit"])


def colour(table: Table, unit: str) -> str:
    """The colour of a unit's counter, which stands for its nationality (pieces.5, refit.7)."""
    return str(next(row["colour"] for row in table.data.charts["nations"] if row["nation"] == nation_of(table, unit)))


def price(table: Table, unit: str) -> int:
    """How many units of its kind are scrapped to refit one; German tanks, by option, one (refit.3, refit.13)."""
    rule: Mapping[str, Any] = table.data.charts["costs"]["refit"]
    german_tank = refit_class(table, unit) == "tank" and colour(table, unit) == "german"
    return int(rule["chart_german_tanks" if german_tank else "scrapped"])


def in_pool(table: Table, unit: str) -> bool:
    """Whether a unit was in its refit pool as this player-turn opened, and is still (FT-48)."""
    counter = table.counters.get(unit)
    return counter is not None and counter.place == REFIT and unit in table.own["opened"]


def check_refit(table: Table, args: Refit) -> None:
    """IllegalOrder unless the units named are in the pool, alike in size, nationality and class, and as many as it takes."""
    units = (args.keep, *args.scrap)
    if missing := [unit for unit in units if not in_pool(table, unit)]:
        raise IllegalOrder("refit.4", "not-in-pool", units=missing)  # refit.4
    if len(set(units)) < len(units) or len(args.scrap) != price(table, args.keep):
        raise IllegalOrder("refit.3", "scraps-so-many", unit=args.keep, need=price(table, args.keep), units=list(args.scrap))  # refit.3
    if refit_class(table, args.keep) == "tank" and not table.options["chart_tank_refit"]:
        raise IllegalOrder("refit.9", "tanks-do-not-refit", unit=args.keep)  # refit.10 refit.12
    for unit in args.scrap:
        if size_of(table, unit) != size_of(table, args.keep):
            raise IllegalOrder("refit.6", "not-of-a-size", unit=unit, other=args.keep)  # refit.6
        if colour(table, unit) != colour(table, args.keep):
            raise IllegalOrder("refit.7", "not-of-a-nation", unit=unit, other=args.keep)  # refit.7
        if refit_class(table, unit) != refit_class(table, args.keep):
            raise IllegalOrder("refit.8", "not-of-a-type", unit=unit, other=args.keep)  # refit.8


def refit(adj: Adjudication, args: Refit, _: Order) -> None:
    """A unit returns at its side's edge; those that pay for it are out for good (refit.3 to refit.5)."""
    check_refit(adj, args)
    side = adj.counters[args.keep].side
    check_at(adj, args.keep, EDGE[side], args.hex)  # refit.5 refit.11 refit.14
    changes = _on_map(adj, args.keep, args.hex)
    changes += [ch.place(unit, DESTROYED) for unit in args.scrap]  # refit.3
    data = {"side": side, "unit": args.keep, "hex": str(args.hex), "scrapped": list(args.scrap)}
    adj.record("refitted", "refit.4", data, changes=changes)


def refits(table: Table, side: Side) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each unit that could be refitted now, with the units that would pay for it: the last of its kind by id."""
    pool = [c.id for c in table.counters.values() if c.side == side and in_pool(table, c.id)]
    kin = {unit: (size_of(table, unit), colour(table, unit), refit_class(table, unit)) for unit in pool}
    for keep in pool:
        scrap = tuple(unit for unit in reversed(pool) if unit != keep and kin[unit] == kin[keep])[: price(table, keep)]
        try:
            check_refit(table, Refit(keep, scrap, Hex(1, 1)))
        except IllegalOrder:
            continue
        yield keep, scrap


# -- reserve tanks ---------------------------------------------------------------------------------------------------------------


def model_of(table: Table, side: Side, word: str) -> Mapping[str, Any]:
    """The row of the Reserve Tanks chart that a word stands for: ``IIIH``, ``PzKw IIIH``, ``grant``. IllegalOrder if a side has none."""

    def bare(text: str) -> str:
        found = "".join(letter for letter in text.lower() if letter.isalnum())
        return found.removeprefix("pzkw").removeprefix("pz")

    rows = [row for row in table.data.charts["reserve"] if row["side"] == side]
    found = next((row for row in rows if bare(word) in (bare(str(row["model"])), bare(str(row["label"])))), None)
    if found is None:
        labels = [str(row["label"]) for row in rows]
        raise IllegalOrder("reserve.14", "no-reserve-of-it", model=word, models=labels)  # reserve.14
    row: Mapping[str, Any] = found
    return row


def destroyed_tanks(table: Table, side: Side, model: str) -> tuple[str, ...]:
    """The tanks of a model that were in their destroyed box as this player-turn opened, and are still (reserve.7, FT-49)."""
    found = (c.id for c in table.counters.values() if c.side == side and c.place == DESTROYED and c.id in table.own["opened"])
    return tuple(unit for unit in found if kind_of(table, unit) == model)


def check_reserve(table: Table, side: Side, row: Mapping[str, Any]) -> str:
    """The tank that a commitment brings in. IllegalOrder if none can come."""
    most = int(table.data.charts["costs"]["reserve"]["a_turn"])
    if int(table.own["committed"]) >= most:
        raise IllegalOrder("reserve.6", "reserve-used-up", most=most)  # reserve.6
    if int(table.own["reserve"][row["model"]]) < 1:
        raise IllegalOrder("reserve.5", "no-stock", model=str(row["label"]))  # reserve.5
    tanks = destroyed_tanks(table, side, str(row["model"]))
    if not tanks:
        raise IllegalOrder("reserve.7", "none-destroyed", model=str(row["label"]))  # reserve.7
    return tanks[0]


def reserve(adj: Adjudication, args: Reserve, _: Order) -> None:
    """A reserve tank comes in: a destroyed one of its model returns, the stock is one lower (reserve.3 to reserve.5)."""
    side = str(adj.phasing)
    row = model_of(adj, side, args.model)
    tank = check_reserve(adj, side, row)
    check_at(adj, tank, EDGE[side], args.hex)  # reserve.4
    left = int(adj.own["reserve"][row["model"]]) - 1
    stock = [ch.own("reserve", row["model"], left), ch.own("committed", int(adj.own["committed"]) + 1)]  # reserve.5
    data = {"side": side, "unit": tank, "model": str(row["label"]), "hex": str(args.hex), "left": left}
    adj.record("reserve_used", "reserve.3", data, changes=[*_on_map(adj, tank, args.hex), *stock])


def reserves(table: Table, side: Side) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The models of which a reserve tank can come in now, each with the tank that would."""
    for row in table.data.charts["reserve"]:
        try:
            if row["side"] == side:
                yield row, check_reserve(table, side, row)
        except IllegalOrder:
            continue


# -- the step --------------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication) -> None:
    """What lies in the boxes as the player-turn opens is what can be refitted and brought in (FT-48, FT-49)."""
    found = [c.id for c in adj.counters.values() if c.side == adj.phasing and c.place in (REFIT, DESTROYED)]
    if found != list(adj.own["opened"]) or adj.own["committed"]:
        adj.record("boxes_opened", "refit.2", {"units": found}, changes=[ch.own("opened", found), ch.own("committed", 0)])  # reserve.2


def nothing_to_order(table: Table, side: Side) -> bool:
    """Whether nobody is due, nothing can be refitted and no reserve tank brought in: the step is passed over."""
    arrivals: Sequence[str] = waiting(table, side)
    return not arrivals and next(refits(table, side), None) is None and next(reserves(table, side), None) is None


NEW_UNITS = Step(
    NAME,
    "seq.2",
    PHASING,
    accepts=(
        on(Enter, enter, units=lambda args: (args.unit,)),
        on(Delay, delay, units=lambda args: (args.unit,)),
        on(Refit, refit, units=lambda args: (args.keep, *args.scrap)),
        on(Reserve, reserve),
    ),
    enter=begin,
    leave=enter_by_default,
    idle=nothing_to_order,
)
