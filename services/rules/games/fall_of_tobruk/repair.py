"""3. Tank Repair: wrecks recovered, scrapped and demolished, once a player-turn, before its first movement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Change, IllegalOrder, Order, Side
from services.rules.engine.positions import adjacent, hex_of, side_at
from services.rules.engine.sequence import PHASING, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import paralysis
from services.rules.games.fall_of_tobruk.orders import Demolish, Free, Recover, Scrap
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, DESTROYED, first_day, kind_of, wrecks
from services.rules.games.fall_of_tobruk.victory import taken
from services.rules.games.fall_of_tobruk.zoc import in_zone

NAME = "repair"
AUTO, TRY = "AUTO", "TRY"


# -- wrecks ----------------------------------------------------------------------------------------------------------------------


def wreck_of(table: Table, tank: str) -> Mapping[str, Any]:
    """The wreck marker under which a tank lies. IllegalOrder if it lies under none."""
    found = next((wreck for wreck in wrecks(table) if any(one["unit"] == tank for one in wreck["tanks"])), None)
    if found is None:
        raise IllegalOrder("repair.5", "no-such-wreck", tank=tank)  # repair.5
    wreck: Mapping[str, Any] = found
    return wreck


def numbered(table: Table, word: str) -> Mapping[str, Any]:
    """The own wreck marker of a number, written ``7`` or ``W7``. IllegalOrder if the Allies have none of it."""
    found = next((one for one in wrecks(table) if one["side"] == ALLIED and word.upper().removeprefix("W") == str(one["n"])), None)
    if found is None:
        raise IllegalOrder("repair.26", "no-such-marker", wreck=word)  # repair.26
    wreck: Mapping[str, Any] = found
    return wreck


def without(table: Table, tanks: Sequence[str]) -> list[Change]:
    """The changes that take tanks from under their markers; a marker with none left comes off the map."""
    left = []
    for wreck in wrecks(table):
        rest = [one for one in wreck["tanks"] if one["unit"] not in tanks]
        if rest:
            left.append({**wreck, "tanks": rest})
    return [ch.own("wrecks", left)]


def _lost_today(table: Table, wreck: Mapping[str, Any], tank: str) -> bool:
    """Whether a tank was lost on this day (FT-52)."""
    return any(one["unit"] == tank and int(one["turn"]) == table.turn for one in wreck["tanks"])


# -- recovery --------------------------------------------------------------------------------------------------------------------


def check_wreck(table: Table, side: Side, tank: str) -> Mapping[str, Any]:
    """The marker of an own tank that can be recovered as units stand. IllegalOrder if it cannot."""
    wreck = wreck_of(table, tank)
    at = parse_hex(wreck["hex"])
    if wreck["side"] != side:
        raise IllegalOrder("repair.9" if side == AXIS else "repair.18", "not-your-wreck", tank=tank)
    if _lost_today(table, wreck, tank):
        raise IllegalOrder("repair.2", "lost-today", tank=tank)  # repair.2
    beside = [side_at(table, to) for to in adjacent(table, at)]
    if side == AXIS:
        if side_at(table, at) == ALLIED:
            raise IllegalOrder("repair.10", "enemy-on-wreck", tank=tank, hex=str(at))  # repair.10
        if side_at(table, at) != AXIS and AXIS not in beside:
            raise IllegalOrder("repair.9", "nobody-at-wreck", tank=tank, hex=str(at))  # repair.9
        return wreck
    if side_at(table, at) != ALLIED:
        raise IllegalOrder("repair.18", "nobody-on-wreck", tank=tank, hex=str(at))  # repair.18
    if AXIS in beside:
        raise IllegalOrder("repair.19", "enemy-beside-wreck", tank=tank, hex=str(at))  # repair.19
    return wreck


def gathered(table: Table, side: Side) -> tuple[Order, ...]:
    """The orders gathered so far in this step."""
    sets = table.sets if isinstance(table, Adjudication) else table.before.sets
    return sets.get(f"{side}/{NAME}", ())


def _recoveries(adj: Adjudication, side: Side) -> list[Recover]:
    return [read_args(Recover, order.args) for order in gathered(adj, side) if order.verb == Recover.verb]


def check_recover(adj: Adjudication, args: Recover, _: Order) -> None:
    """IllegalOrder unless the tank can be recovered so, and no more are than may be in a player-turn."""
    side, rule = str(adj.phasing), adj.data.charts["costs"]["repair"]
    wreck = check_wreck(adj, side, args.tank)
    if args.mode not in (AUTO, TRY):
        raise IllegalOrder("", "malformed", field="mode")
    if args.mode == AUTO and side == ALLIED:
        raise IllegalOrder("repair.20", "only-axis-auto", tank=args.tank)  # repair.20
    most = int(rule["axis_auto"] if args.mode == AUTO else rule[f"{side}_tries"])  # repair.11 repair.12 repair.20
    others = [one.tank for one in _recoveries(adj, side) if one.mode == args.mode and one.tank != args.tank]
    if len(others) >= most:
        clause = "repair.11" if args.mode == AUTO else "repair.12" if side == AXIS else "repair.20"
        raise IllegalOrder(clause, "no-more-recoveries", tank=args.tank, most=most, mode=args.mode, others=others)
    for order in gathered(adj, side):
        if order.verb == Demolish.verb:
            raise IllegalOrder("repair.33", "demolition-forfeits", tank=args.tank, other=order.args["tank"])  # repair.33
        if order.verb == Scrap.verb and numbered(adj, order.args["wreck"])["n"] == wreck["n"]:
            raise IllegalOrder("repair.27", "scrapped-anyway", tank=args.tank, wreck=f"W{wreck['n']}")  # repair.27


def recover(adj: Adjudication, args: Recover, _: Order) -> None:
    """The tank is recovered, at once or by a die (repair.11 to repair.24)."""
    side = str(adj.phasing)
    wreck = check_wreck(adj, side, args.tank)
    at, clause = parse_hex(wreck["hex"]), "repair.11"
    if args.mode == TRY:
        (die,) = adj.roll("repair.14" if side == AXIS else "repair.21", "repair", site=str(at), who=args.tank)
        row = next(row for row in adj.data.charts["repair"] if int(row["die"]) == die)
        if row[side] != "recovered":  # repair.15 repair.22
            data = {"side": side, "unit": args.tank, "hex": str(at), "die": die}
            changes = [ch.place(args.tank, DESTROYED), *without(adj, [args.tank])]
            adj.record("unrecovered", "repair.15" if side == AXIS else "repair.22", data, changes=changes)
            return
        clause = "repair.14" if side == AXIS else "repair.21"
    else:
        die = 0
    data = {"side": side, "unit": args.tank, "hex": str(at), "die": die}
    adj.record("recovered", clause, data, changes=[*_recovered(adj, side, args.tank, at), *without(adj, [args.tank])])
    if side == AXIS:
        taken(adj, side, (at,))  # victory.1


def _recovered(table: Table, side: Side, tank: str, at: Hex) -> list[Change]:
    """Axis tanks are back in their hex and may move and fight; an Allied one raises the stock of its model."""
    if side == AXIS:
        return [ch.place(tank, at)]  # repair.16 repair.17
    model = kind_of(table, tank)
    stock = int(table.own["reserve"].get(model, 0)) + 1  # repair.24 reserve.8
    return [ch.place(tank, DESTROYED), ch.own("reserve", model, stock)]  # repair.23


# -- scrapping and demolition ----------------------------------------------------------------------------------------------------


def check_scrap(adj: Adjudication, args: Scrap, _: Order) -> None:
    """IllegalOrder unless it is an own wreck marker of the Allies, and none of its tanks is to be recovered."""
    if adj.phasing != ALLIED:
        raise IllegalOrder("repair.26", "only-allies-scrap", wreck=args.wreck)  # repair.26
    wreck = numbered(adj, args.wreck)
    for one in _recoveries(adj, ALLIED):
        if any(tank["unit"] == one.tank for tank in wreck["tanks"]):
            raise IllegalOrder("repair.27", "recovered-instead", wreck=args.wreck, tank=one.tank)  # repair.27


def scrap(adj: Adjudication, args: Scrap, _: Order) -> None:
    """All tanks under the marker go into the destroyed box; no stock grows by it (repair.28)."""
    wreck = numbered(adj, args.wreck)
    tanks = [str(one["unit"]) for one in wreck["tanks"]]
    changes = [*(ch.place(tank, DESTROYED) for tank in tanks), *without(adj, tanks)]
    adj.record("scrapped", "repair.26", {"side": ALLIED, "wreck": int(wreck["n"]), "hex": wreck["hex"], "units": tanks}, changes=changes)


def check_demolish(adj: Adjudication, args: Demolish, _: Order) -> None:
    """IllegalOrder unless an own unit stands on the enemy wreck, free of enemy zones, and nothing is recovered in this player-turn."""
    check_target(adj, str(adj.phasing), args.tank, args.unit)
    if recoveries := _recoveries(adj, str(adj.phasing)):
        raise IllegalOrder("repair.33", "recovery-forfeits", tank=args.tank, others=[one.tank for one in recoveries])  # repair.33


def check_target(table: Table, side: Side, tank: str, unit: str) -> Mapping[str, Any]:
    """The marker of an enemy tank that a unit can demolish as units stand. IllegalOrder if it cannot."""
    wreck = wreck_of(table, tank)
    at = parse_hex(wreck["hex"])
    if wreck["side"] == side:
        raise IllegalOrder("repair.30", "not-an-enemy-wreck", tank=tank)  # repair.30
    if hex_of(table, unit) != at:
        raise IllegalOrder("repair.30", "not-on-wreck", tank=tank, unit=unit, hex=str(at))  # repair.30
    if in_zone(table, side, at):
        raise IllegalOrder("repair.31", "wreck-in-zone", tank=tank, hex=str(at))  # repair.31
    return wreck


def demolish(adj: Adjudication, args: Demolish, _: Order) -> None:
    """One tank under the marker goes into its destroyed box (repair.32)."""
    wreck = check_target(adj, str(adj.phasing), args.tank, args.unit)
    changes = [ch.place(args.tank, DESTROYED), *without(adj, [args.tank])]
    adj.record("demolished", "repair.32", {"side": adj.phasing, "unit": args.unit, "tank": args.tank, "hex": wreck["hex"]}, changes=changes)


# -- the step --------------------------------------------------------------------------------------------------------------------


def recoverable(table: Table, side: Side) -> Iterator[str]:
    """The own tanks that can be recovered as units stand."""
    for wreck in wrecks(table):
        for one in wreck["tanks"]:
            try:
                check_wreck(table, side, str(one["unit"]))
            except IllegalOrder:
                continue
            yield str(one["unit"])


def targets(table: Table, side: Side) -> Iterator[tuple[str, str]]:
    """The enemy tanks that can be demolished as units stand, each with a unit that stands on it."""
    for wreck in wrecks(table):
        unit = next((c.id for c in table.counters.values() if c.side == side and c.place == parse_hex(wreck["hex"])), None)
        if wreck["side"] != side and unit is not None and not in_zone(table, side, parse_hex(wreck["hex"])):
            yield from ((str(one["unit"]), unit) for one in wreck["tanks"])


def scrappable(table: Table, side: Side) -> tuple[str, ...]:
    """The wreck markers that a side may scrap: the Allies their own."""
    return tuple(f"W{one['n']}" for one in wrecks(table) if side == ALLIED == one["side"])


def nothing_to_order(table: Table, side: Side) -> bool:
    """Whether nothing can be recovered, scrapped or demolished, and no brigade be freed: the step is passed over."""
    if side == ALLIED and first_day(table) and not table.own["freed"]:
        return False  # paralysis.3
    found = next(recoverable(table, side), None) or next(targets(table, side), None) or scrappable(table, side)
    return not found


REPAIR = Step(
    NAME,
    "repair.34",
    PHASING,
    Mode.SET,
    accepts=(
        on(Recover, recover, check=check_recover, subject=lambda args: args.tank),
        on(Scrap, scrap, check=check_scrap, subject=lambda args: "scrap"),  # repair.29
        on(Demolish, demolish, check=check_demolish, subject=lambda args: "demolish", units=lambda args: (args.unit,)),  # repair.32
        on(Free, paralysis.free, check=paralysis.check_free, subject=lambda args: "free"),
    ),
    idle=nothing_to_order,
    plain=True,
)
"""Tanks to be tried for are all named before a die is thrown (repair.13)."""
