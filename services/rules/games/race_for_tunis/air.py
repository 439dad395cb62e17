"""17.2 Tactical air support: missions of the phasing side, who can fly, and who comes back when."""

from __future__ import annotations

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import units_at
from services.rules.engine.sequence import NOBODY, Step, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import package
from services.rules.games.race_for_tunis.bases import flies_in_rain
from services.rules.games.race_for_tunis.orders import Air
from services.rules.games.race_for_tunis.state import (
    ALLIED,
    battles,
    heavy_rain,
    kind_of,
    nation_of,
    value,
    weather,
)

SUPPORT, INTERDICT = "SUPPORT", "INTERDICT"
MISSIONS = ("support", "interdict")
"""States of an air unit on a mission."""
NOT_READY = {
    "support": "17.2.2.B",
    "interdict": "17.2.4.A-2",
    "intercept": "17.2.4.B-1",
    "aborted": "17.2.4.D-2",
    "shot-down": "17.2.4.E",
    "base-lost": "17.2.5.A-4",
}
"""Why an air unit in a state is not at hand."""
HOME = ("support", "interdict", "intercept", "aborted")
"""States that end with the enemy's player-turn."""

# -- who can fly -----------------------------------------------------------------------------------------------------------------


def played(table: Table) -> bool:
    """Whether there are air units in the game (17.2)."""
    return bool(table.own["air"])


def grounded(table: Table, unit: str) -> bool:
    """Whether the weather keeps an air unit on the ground."""
    if heavy_rain(table):
        return True  # 17.4.2.A
    return weather(table) == "rain" and not flies_in_rain(table, unit)  # 17.4.1-1


def check_ready(table: Table, unit: str) -> None:
    """IllegalOrder unless an air unit is at hand and may fly."""
    if not played(table):
        raise IllegalOrder("17.2.A-1", "no-air-units")
    record = table.own["air"].get(unit)
    if record is None:
        raise IllegalOrder("17.2.A-1", "no-aircraft", unit=unit)
    if record["state"] != "ready":
        raise IllegalOrder(NOT_READY[record["state"]], "aircraft-not-ready", unit=unit, state=record["state"], back=record["back"])
    if grounded(table, unit):
        clause = "17.4.2.A" if heavy_rain(table) else "17.4.1-1"
        raise IllegalOrder(clause, "grounded", unit=unit, weather=weather(table))


def ready(table: Table, side: Side) -> tuple[str, ...]:
    """The air units of a side that are at hand and may fly."""
    found = [unit for unit, record in table.own["air"].items() if record["state"] == "ready" and table.counters[unit].side == side]
    return tuple(unit for unit in found if not grounded(table, unit))


def on_mission(table: Table, side: Side) -> tuple[str, ...]:
    """The air units of a side that support an attack or interdict a hex now."""
    return tuple(unit for unit, record in table.own["air"].items() if record["state"] in MISSIONS and table.counters[unit].side == side)


# -- missions, in the package ----------------------------------------------------------------------------------------------------


def check_air(adj: Adjudication, args: Air, _: Order) -> None:
    """IllegalOrder unless the air unit may fly that mission beside those ordered already (17.2.2, 17.2.3)."""
    side = adj.phasing
    assert side is not None
    check_ready(adj, args.air)
    if value(adj, args.air, "support") < 1:
        raise IllegalOrder("17.2.B-1", "no-support-value", unit=args.air)  # RT-70
    for order in package.gathered(adj, side):
        other = read_args(Air, order.args) if order.verb == Air.verb else None
        if other and other.air != args.air and other.hex == args.hex:
            both = {other.mission, args.mission}
            clause = "17.2.3.B-2" if len(both) > 1 else "17.2.2.C" if SUPPORT in both else "17.2.3.B-1"  # RT-41
            raise IllegalOrder(clause, "one-aircraft-a-hex", unit=args.air, other=other.air, hex=str(args.hex))
    flak = [unit for unit in units_at(adj, args.hex) if kind_of(adj, unit) == "flak" and nation_of(adj, unit) == "german"]
    if side == ALLIED and flak:
        raise IllegalOrder("17.2.6.A", "flak-there", unit=args.air, hex=str(args.hex), flak=flak)  # RT-44
    if args.mission == INTERDICT:
        if args.battle is not None:
            raise IllegalOrder("17.2.3.A-1", "malformed", field="battle")
        return  # 17.2.3.A-1
    labels = [package.label_of(order) for order in package.attacks(adj, side) if str(args.hex) in order.args["hexes"]]
    if not labels or args.battle not in (None, *labels):
        raise IllegalOrder("17.2.2.A-2", "not-under-attack", unit=args.air, hex=str(args.hex), battle=args.battle, labels=labels)


def fly(adj: Adjudication, args: Air, _: Order) -> None:
    """The air unit is over its hex: it supports one of the attacks there, or interdicts the hex."""
    data = {"side": adj.phasing, "unit": args.air, "mission": args.mission, "hex": str(args.hex)}
    if args.mission == INTERDICT:
        change = ch.own("air", args.air, {"state": "interdict", "hex": str(args.hex), "back": None})
        adj.record("air_mission", "17.2.3.A-1", {**data, "label": None}, changes=[change])
        return
    one = next(one for one in battles(adj) if str(args.hex) in one["hexes"] and args.battle in (None, one["label"]))
    changes = [
        ch.own("air", args.air, {"state": "support", "hex": str(args.hex), "back": None}),
        package.changed(adj, one["label"], air=[*one["air"], args.air]),
    ]
    adj.record("air_mission", "17.2.2.A-1", {**data, "label": one["label"]}, changes=changes)


# -- coming back -----------------------------------------------------------------------------------------------------------------


def interdictors_home(adj: Adjudication) -> None:
    """A player-turn is over: what the other side's aircraft did in it and in their own before it is past, and they are at hand again
    (17.2.2.B, 17.2.3.A-2, 17.2.4.D, RT-39)."""
    side = adj.enemy(adj.phasing or "")
    home = [unit for unit, record in adj.own["air"].items() if record["state"] in HOME and adj.counters[unit].side == side]
    if home:
        adj.record("aircraft_home", "17.2.3.A-2", {"side": side, "units": home}, changes=[ch.own("air", unit, _fresh()) for unit in home])


def due_back(table: Table) -> tuple[str, ...]:
    """The air units whose game-turn to return this is."""
    return tuple(unit for unit, record in table.own["air"].items() if record["back"] is not None and record["back"] <= table.turn)


def weathered(table: Table) -> tuple[str, ...]:
    """The air units on a mission that the weather of this game-turn keeps from flying on."""
    return tuple(unit for side in table.data.sides for unit in on_mission(table, side) if grounded(table, unit))


def come_back(adj: Adjudication) -> None:
    """Air units shot down, or without a base that has been retaken since, return (17.2.4.E, 17.2.5.A-5); interdictors that the new weather
    grounds go home (17.4.1-1, 17.4.2.A, RT-72)."""
    if units := list(due_back(adj)):
        adj.record("aircraft_back", "17.2.4.E", {"units": units}, changes=[ch.own("air", unit, _fresh()) for unit in units])
    if units := list(weathered(adj)):
        data = {"units": units, "weather": weather(adj)}
        clause = "17.4.2.A" if heavy_rain(adj) else "17.4.1-1"
        adj.record("aircraft_grounded", clause, data, changes=[ch.own("air", unit, _fresh()) for unit in units])


def _fresh() -> dict[str, str | None]:
    return {"state": "ready", "hex": None, "back": None}


ON_AIR = on(Air, fly, check=check_air, subject=lambda args: args.air, units=lambda args: (args.air,))
"""``AIR`` in the package."""
TURN_STEPS = (Step("air back", "17.2.4.E", NOBODY, enter=come_back, when=lambda table: bool(due_back(table) or weathered(table))),)
