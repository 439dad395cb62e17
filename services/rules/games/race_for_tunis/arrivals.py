"""14.0.C-F Reinforcements: who is due, where each may come in; the Axis lands at ports and airfields, the Allies enter over the edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import adjacent, occupied, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import movement, stacking
from services.rules.games.race_for_tunis.ground import Entry, ground, step_cost
from services.rules.games.race_for_tunis.orders import Delay, Enter, Land, Move
from services.rules.games.race_for_tunis.places import take
from services.rules.games.race_for_tunis.setup import scenario_of
from services.rules.games.race_for_tunis.state import (
    ALLIED,
    AXIS,
    OFF,
    bridge_blown,
    french_restricted,
    heavy_rain,
    holder,
    interdiction,
    is_artillery,
    is_heavy,
    is_mountaineer,
    kind_of,
    nation_of,
)
from services.rules.games.race_for_tunis.zoc import in_zone

OVER_THE_EDGE = Hex(0, 0)
"""Stands for the place off the map from which arrivals come."""

# -- who is due ------------------------------------------------------------------------------------------------------------------


def waiting(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that are due by now and not in play yet, those that have waited longest first, then in the order of the lists."""
    order = {unit: n for n, unit in enumerate(unit for row in scenario_of(table).tables["arrivals"] for unit in row["units"])}
    found = [c.id for c in table.counters.values() if c.side == side and c.place == OFF and due_turn(table, c.id) <= table.turn]
    return tuple(sorted(found, key=lambda unit: (due_turn(table, unit), order.get(unit, 999), unit)))


def due_turn(table: Table, unit: str) -> int:
    """The game-turn in which a waiting unit is due."""
    return int(table.counters[unit].num.get("due", 999))


def is_late(table: Table, unit: str) -> bool:
    """Whether a waiting unit was due in an earlier game-turn: it was held back, or found every road closed."""
    return due_turn(table, unit) < table.turn


def held_back(table: Table, unit: str) -> bool:
    """Whether a unit has been held back in this game-turn."""
    return table.counters[unit].num.get("held") == table.turn


def check_due(table: Table, unit: str) -> None:
    """IllegalOrder unless a unit waits, is due, and has not been held back in this game-turn."""
    counter = table.counters.get(unit)
    if counter is None or counter.place != OFF:
        raise IllegalOrder("14.0.C", "not-waiting", unit=unit)
    if due_turn(table, unit) > table.turn:
        raise IllegalOrder("14.0.C", "not-due", unit=unit, turn=due_turn(table, unit))
    if held_back(table, unit):
        raise IllegalOrder("14.0.D-2", "held-back", unit=unit)


# -- the Axis --------------------------------------------------------------------------------------------------------------------


def by_sea(table: Table, unit: str) -> bool:
    """Whether a unit lands at a port and nowhere else: panzergrenadiers and all heavy equipment (14.0.E)."""
    return kind_of(table, unit) == "armored-infantry" or is_heavy(table, unit)  # 14.0.E-1


def check_land(table: Table, args: Land) -> None:
    """IllegalOrder unless a due Axis unit may land there: at a port that is held and not at its limit, or at a friendly airfield."""
    unit, at = args.unit, args.hex
    check_due(table, unit)
    if table.counters[unit].side != AXIS:
        raise IllegalOrder("14.0.D-1", "allies-enter", unit=unit)
    here = ground(table)
    port, diverted = here.ports.get(at), table.own["diverted"].get(unit)
    sea = by_sea(table, unit)
    if port is None and at not in here.fields:
        raise IllegalOrder("14.0.E-1" if sea else "14.0.F-1", "no-landing-place", unit=unit, hex=str(at))
    if sea and port is None:
        raise IllegalOrder("14.0.E-1", "by-port-only", unit=unit, hex=str(at))
    if diverted is not None and port != diverted:
        raise IllegalOrder("14.0.F-2", "diverted", unit=unit, port=diverted)
    if holder(table, at) != AXIS:
        raise IllegalOrder("14.0.E-2" if port else "14.0.F-1", "not-held", unit=unit, hex=str(at))  # RT-47 RT-48
    if port is None:
        return
    if not sea and diverted is None:
        raise IllegalOrder("14.0.F-2", "sea-not-declared", unit=unit, hex=str(at))
    limit = table.own["limits"][port] if diverted else table.own["ports"][port]["limit"]
    if limit is not None and limit < 1:
        raise IllegalOrder("14.0.F-3" if diverted else "14.0.E-5", "port-limit", unit=unit, port=port)


def land(adj: Adjudication, args: Land, _: Order) -> None:
    """The unit lands, for nothing, and may move (RT-48, RT-49)."""
    put_ashore(adj, args.unit, args.hex, "ordered")


def put_ashore(adj: Adjudication, unit: str, at: Hex, how: str) -> None:
    """A unit lands; the limit of its port grows smaller. IllegalOrder if it may not."""
    check_land(adj, Land(unit, at))
    port, diverted = ground(adj).ports.get(at), unit in adj.own["diverted"]
    changes = [ch.place(unit, at), *_no_longer_due(adj, unit)]
    if diverted:
        changes += [ch.own("limits", port, adj.own["limits"][port] - 1), ch.own("diverted", unit, None)]
    elif port and adj.own["ports"][port]["limit"] is not None:
        changes.append(ch.own("ports", port, "limit", adj.own["ports"][port]["limit"] - 1))
    adj.record("landed", "14.0.E-1" if port else "14.0.F-1", {"side": AXIS, "unit": unit, "hex": str(at), "how": how}, changes=changes)


def _no_longer_due(table: Table, unit: str) -> list[tuple[object, ...]]:
    return [ch.number(unit, name, None) for name in ("due", "held", "bought") if name in table.counters[unit].num]


def landing_places(table: Table, unit: str) -> tuple[Hex, ...]:
    """The ports and airfields where a due unit may land now, in the order of the lists."""
    return tuple(at for at in (*ground(table).ports, *ground(table).fields) if _may_land(table, unit, at))


def _may_land(table: Table, unit: str, at: Hex) -> bool:
    try:
        check_land(table, Land(unit, at))
    except IllegalOrder:
        return False
    return True


def land_by_default(adj: Adjudication) -> None:
    """Due units not named land in the order of the lists, each at the first place with room for it; the others wait."""
    for unit in waiting(adj, AXIS):
        room = [at for at in landing_places(adj, unit) if stacking.fits(adj, (unit, *units_at(adj, at)))]
        if room:
            put_ashore(adj, unit, room[0], "default")


# -- the Allies ------------------------------------------------------------------------------------------------------------------


def entry_of(table: Table, unit: str) -> Entry:
    """Where an Allied unit comes in: by the lists; one that is bought back and not in them as others of its nation (13.0.C, 18.3.B)."""
    rows = scenario_of(table).tables["arrivals"]
    named = next((row["entry"] for row in rows if unit in row["units"]), None)
    if named is None:
        south = any(row.get("entry") == "south" for row in rows) and nation_of(table, unit) == "american"
        named = "south" if south else "west"
    return ground(table).entries[named]


def entry_hexes(table: Table, unit: str) -> tuple[Hex, ...]:
    """The hexes where a waiting Allied unit may come in: road hexes of the edge when it is due, any of it when it has waited."""
    entry = entry_of(table, unit)
    return entry.delayed if is_late(table, unit) else entry.hexes  # 14.0.D-1 14.0.D-4


def check_enter(table: Table, unit: str, at: Hex) -> int:
    """Half MP of an entry. IllegalOrder unless a due Allied unit may come in there: against enemies, ground and zones as in movement."""
    check_due(table, unit)
    if table.counters[unit].side != ALLIED:
        raise IllegalOrder("14.0.E-1", "axis-lands", unit=unit)
    if at not in entry_hexes(table, unit):
        raise IllegalOrder("14.0.D-1", "not-an-entry", unit=unit, hex=str(at), hexes=[str(one) for one in entry_hexes(table, unit)])
    if at in occupied(table, AXIS):
        raise IllegalOrder("6.3-1", "enemy-there", hex=str(at))
    if in_zone(table, ALLIED, at):
        if is_artillery(table, unit):
            raise IllegalOrder("10.3-1", "artillery-into-zoc", unit=unit, hex=str(at))
        if nation_of(table, unit) == "french" and french_restricted(table):
            raise IllegalOrder("18.1.7.C-2", "french-restricted", unit=unit, hex=str(at))
    return entry_cost(table, unit, at) + movement.zoc_cost(table, unit, at)


def entry_cost(table: Table, unit: str, at: Hex) -> int:
    """Half MP for the hex of entry: along its road when due, by its terrain when the unit has waited (RT-49). IllegalOrder if barred."""
    if not is_late(table, unit) and not is_mountaineer(table, unit) and _road_in(table, at):
        return 1  # 6.2.A-1
    cost = step_cost(table, unit, OVER_THE_EDGE, at)
    if cost is None:
        raise IllegalOrder("6.6.B-1", "prohibited", unit=unit, hex=str(at))
    return cost


def _road_in(table: Table, at: Hex) -> bool:
    """Whether the road that comes in over the edge can be used: neither mud nor an enemy air unit nor a blown bridge forbids it."""
    here = ground(table)
    paved = any((at, to) in here.road for to in adjacent(table, at))
    closed = (heavy_rain(table) and not paved) or bridge_blown(table, at) or interdiction(table, at, ALLIED)
    return at in here.roads_in and not closed


def ways_in(table: Table, unit: str) -> tuple[Hex, ...]:
    """The hexes where a due Allied unit may come in now."""

    def open_to_it(at: Hex) -> bool:
        try:
            check_enter(table, unit, at)
        except IllegalOrder:
            return False
        return True

    return tuple(at for at in entry_hexes(table, unit) if open_to_it(at))


def enter(adj: Adjudication, args: Enter, _: Order) -> None:
    """A due unit comes in, at the first hex that is open to it if none is named, and may go on with what is left (RT-49)."""
    check_due(adj, args.unit)
    at = args.hex or next(iter(ways_in(adj, args.unit)), None)
    put_in(adj, args.unit, at or entry_hexes(adj, args.unit)[0], "ordered")


def put_in(adj: Adjudication, unit: str, at: Hex, how: str) -> None:
    """A unit comes in and pays for its hex; one hex can always be entered (6.4.A). IllegalOrder if it may not."""
    cost = check_enter(adj, unit, at)
    before = adj.own["moving"]
    changes = [
        *([ch.mark(before, "done")] if before in adj.counters and before != unit else []),
        ch.own("moving", unit),
        ch.place(unit, at),
        ch.mark(unit, "moved"),
        ch.mark(unit, "in-zoc", in_zone(adj, ALLIED, at)),
        ch.number(unit, "spent", Fraction(cost, 2)),
        *_no_longer_due(adj, unit),
    ]
    data = {"side": ALLIED, "unit": unit, "hex": str(at), "cost": print_exact(Fraction(cost, 2)), "how": how}
    adj.record("arrived", "14.0.D-1", data, changes=changes)
    take(adj, ALLIED, (at,))


def delay(adj: Adjudication, args: Delay, _: Order) -> None:
    """A due Allied unit is held back for a game-turn, once (14.0.D)."""
    check_due(adj, args.unit)
    if adj.counters[args.unit].side != ALLIED:
        raise IllegalOrder("14.0.D-2", "only-allies-delay", unit=args.unit)
    if is_late(adj, args.unit):
        raise IllegalOrder("14.0.D-2", "delayed-already", unit=args.unit)
    adj.record("delayed", "14.0.D-2", {"unit": args.unit}, changes=[ch.number(args.unit, "held", adj.turn)])


def enter_by_default(adj: Adjudication, units: Sequence[str]) -> None:
    """Due units neither entered nor held back come in where they can: by a hex with room for them; the others wait (14.0.D-3)."""
    for unit in units:
        if held_back(adj, unit):
            continue
        room = [at for at in ways_in(adj, unit) if stacking.fits(adj, (unit, *units_at(adj, at)))]
        if room:
            put_in(adj, unit, room[0], "default")


def march(adj: Adjudication, args: Move, order: Order) -> None:
    """A movement order; to an Allied unit that waits it is its entry and the way on: its path begins with the hex where it comes in."""
    unit = args.units[0] if len(args.units) == 1 else ""
    counter = adj.counters.get(unit)
    if counter is None or counter.place != OFF or counter.side != ALLIED:
        movement.move(adj, args, order)
        return
    first = args.path[:1] or ways_in(adj, unit)[:1] or entry_hexes(adj, unit)[:1]
    put_in(adj, unit, first[0], "ordered")
    rest = replace(args, path=args.path[1:])
    if rest.path or (rest.to is not None and rest.to != first[0]):
        movement.move(adj, rest, order)
