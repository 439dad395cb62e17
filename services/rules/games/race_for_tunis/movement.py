"""6. Movement, unit by unit, with bridges (12.0) and the passage through zones (11.3). MP are counted in halves, and given out exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import movement as search
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Json, Order
from services.rules.engine.positions import adjacent, hex_of, occupied
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import supply
from services.rules.games.race_for_tunis.bases import fallen
from services.rules.games.race_for_tunis.companies import family
from services.rules.games.race_for_tunis.ground import at_of, barred_by, ground, road_between, step_cost
from services.rules.games.race_for_tunis.orders import Bridge, Move
from services.rules.games.race_for_tunis.places import take
from services.rules.games.race_for_tunis.state import (
    bridge_blown,
    french_restricted,
    is_artillery,
    is_engineer,
    is_mountaineer,
    nation_of,
    spent,
    value,
)
from services.rules.games.race_for_tunis.zoc import in_zone, passes_through

# -- what a step costs -----------------------------------------------------------------------------------------------------------


def allowance(table: Table, unit: str) -> int:
    """Half MP that a unit may spend in this phase: printed, or what a landing (17.6.3) or want of supply has left it."""
    left = table.own["landers"].get(unit)
    if left is not None:
        return 2 * int(left)
    return int(2 * value(table, unit, "ma") * supply.kept(table, unit, "ma"))  # 6.0.A-2


def zoc_cost(table: Table, unit: str, to: Hex) -> int:
    """Half MP more for a hex in an enemy ZOC, once a hex, none for mountaineers (6.1, 6.5, RT-10)."""
    side = table.counters[unit].side
    if is_mountaineer(table, unit) or not in_zone(table, side, to):
        return 0  # 6.5.B-2
    return ground(table).zoc_mp[side]  # 6.1.A-1 6.1.A-2


def check_step(table: Table, unit: str, at: Hex, to: Hex) -> int:
    """Half MP of a step. IllegalOrder if the unit may not take it whatever it has to spend."""
    side = table.counters[unit].side
    if to not in adjacent(table, at):
        raise IllegalOrder("6.0.C-1", "not-adjacent", unit=unit, **{"from": str(at), "to": str(to)})
    if to in occupied(table, table.enemy(side)):
        raise IllegalOrder("6.3-1", "enemy-there", hex=str(to))
    cost = step_cost(table, unit, at, to)
    if cost is None:
        raise IllegalOrder(barred_by(table, unit, at, to), "prohibited", unit=unit, hex=str(to))
    if in_zone(table, side, to):
        if is_artillery(table, unit):
            raise IllegalOrder("10.3-1", "artillery-into-zoc", unit=unit, hex=str(to))
        if nation_of(table, unit) == "french" and french_restricted(table):
            raise IllegalOrder("18.1.7.C-2", "french-restricted", unit=unit, hex=str(to))
    return cost + zoc_cost(table, unit, to)


# -- the order -------------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication, unit: str) -> list[Change]:
    """A unit sets out, or goes on. IllegalOrder if it may not; the movement of the one before it is finished by it (6.0.B). Companies of a
    battalion that broke down on its way go on one after another (RT-21)."""
    if hex_of(adj, unit) is None:
        raise IllegalOrder("6.0.A-1", "not-on-map", unit=unit)
    marks = adj.counters[unit].marks
    if marks & {"engaged-attacker", "engaged-defender"}:
        raise IllegalOrder("9.1.4.A-4", "engaged", unit=unit)
    before = adj.own["moving"]
    kin = family(adj, before) if before else ()
    if "done" in marks or ("moved" in marks and unit not in kin):
        raise IllegalOrder("6.0.B-2", "moved-already", unit=unit)
    others = (before,) if unit in kin else kin
    finished = [one for one in others if one != unit and hex_of(adj, one) is not None and "moved" in adj.counters[one].marks]
    return [*(ch.mark(one, "done") for one in finished), ch.own("moving", unit)]


def move(adj: Adjudication, args: Move, _: Order) -> None:
    """A unit moves along the path given, or to a hex by the cheapest way; an engineer may do its work on the way."""
    if len(args.units) != 1 or args.drop is not None:
        raise IllegalOrder("6.0.B-1", "one-unit", units=list(args.units))
    unit = args.units[0]
    begun = begin(adj, unit)
    start = hex_of(adj, unit)
    assert start is not None
    path = args.path if args.to is None else find(adj, unit, start, args)
    if path[:1] == (start,):
        path = path[1:]
    if not path and args.bridge_at is None:
        raise IllegalOrder("6.0.A-1", "no-move", unit=unit)
    if args.bridge is None or args.bridge_at is None:
        _walk(adj, unit, path, begun)
        return
    if args.bridge_at not in (start, *path):
        raise IllegalOrder("12.0.A-1", "bridge-not-on-the-way", unit=unit, hex=str(args.bridge_at))
    n = (start, *path).index(args.bridge_at)
    if n:
        _walk(adj, unit, path[:n], begun, alone=False)
    _work(adj, unit, args.bridge_at, args.bridge.lower(), () if n else begun)
    if path[n:]:
        _walk(adj, unit, path[n:], (), alone=False)


def _walk(adj: Adjudication, unit: str, path: Sequence[Hex], begun: Sequence[Change], *, alone: bool = True) -> None:
    """Hex by hex along a path; ``alone``: not on the way to work or from it."""
    side = adj.counters[unit].side
    budget, bought = allowance(adj, unit), int(2 * spent(adj, unit))
    entered, only = "in-zoc" in adj.counters[unit].marks, alone and len(path) == 1 and fresh(adj, unit)
    at = start = at_of(adj, unit)
    for n, to in enumerate(path):
        if (n or entered) and stops(adj, unit, at):  # 6.1.C-1
            raise IllegalOrder("6.1.B", "must-stop", unit=unit, hex=str(at))
        bought += check_step(adj, unit, at, to)
        if bought > budget and not only:  # 6.4.A RT-11
            raise IllegalOrder("6.0.C-2", "too-far", unit=unit, hex=str(to), **_figures(bought, budget))
        at = to
    changes = [*begun, ch.place(unit, at), *_spent(unit, bought), ch.mark(unit, "in-zoc", in_zone(adj, side, at))]
    data = {"side": side, "units": [unit], "path": [str(start), *map(str, path)], "cost": {unit: print_exact(Fraction(bought, 2))}}
    adj.record("moved", "6.0.C-1", data, changes=changes)
    take(adj, side, path)
    fallen(adj, side, path)


def fresh(table: Table, unit: str) -> bool:
    """Whether a unit has its whole allowance still, so that it may enter one hex whatever that costs (6.4, RT-11): it has not moved, and
    has not been dropped or landed, which uses half of it (17.6.3)."""
    return "moved" not in table.counters[unit].marks and unit not in table.own["landers"]  # 17.6.3.A-4


def _spent(unit: str, bought: int) -> list[Change]:
    """The changes by which a unit has moved and has spent so many half MP in all."""
    return [ch.mark(unit, "moved"), ch.number(unit, "spent", Fraction(bought, 2))]


def stops(table: Table, unit: str, at: Hex) -> bool:
    """Whether a unit that has entered a hex may not go on from it: an enemy ZOC reaches it, and not one that it may pass through (11.3)."""
    return in_zone(table, table.counters[unit].side, at) and not passes_through(table, unit, at)  # 6.1.B 11.3.A-2


def _figures(cost: int, budget: int) -> Mapping[str, Json]:
    return {"cost": print_exact(Fraction(cost, 2)), "allowance": print_exact(Fraction(budget, 2))}


def find(table: Table, unit: str, start: Hex, args: Move) -> tuple[Hex, ...]:
    """The cheapest way of a unit to ``args.to``. IllegalOrder if there is none."""
    assert args.to is not None
    side = table.counters[unit].side

    def cost(at: Hex, to: Hex) -> int | None:
        try:
            return check_step(table, unit, at, to)
        except IllegalOrder:
            return None

    found = search.cheapest_path(
        start,
        args.to,
        lambda at: adjacent(table, at),
        cost,
        lambda at: stops(table, unit, at),
        via=args.via,
        only=(lambda at, to: road_between(table, at, to, side)) if args.road else None,
    )
    if found is None:
        raise IllegalOrder("6.0.C-1", "no-way", unit=unit, to=str(args.to))
    return found.path


# -- bridges ---------------------------------------------------------------------------------------------------------------------


def bridge(adj: Adjudication, args: Bridge, _: Order) -> None:
    """An engineer blows or mends the bridge in its hex, for MP (12.0)."""
    begun = begin(adj, args.unit)
    at = hex_of(adj, args.unit)
    assert at is not None
    if at != args.hex:
        raise IllegalOrder("12.0.A-1", "bridge-not-on-the-way", unit=args.unit, hex=str(args.hex))
    _work(adj, args.unit, at, args.act.lower(), begun)


def _work(adj: Adjudication, unit: str, at: Hex, act: str, begun: Sequence[Change]) -> None:
    """The engineer works on the bridge in its hex. IllegalOrder if that cannot be done."""
    here, budget, bought = ground(adj), allowance(adj, unit), int(2 * spent(adj, unit))
    if not is_engineer(adj, unit):
        raise IllegalOrder("12.0.A-1", "no-engineer", unit=unit)
    if at not in here.bridges:
        raise IllegalOrder("12.0.A-1", "no-bridge", hex=str(at))
    if str(at) in adj.own["worked"]:
        raise IllegalOrder("12.0.C", "worked-already", hex=str(at))  # RT-53
    if (act == "blow") == bridge_blown(adj, at):
        raise IllegalOrder("12.0.A-1" if act == "blow" else "12.0.A-3", "bridge-is-so", hex=str(at), act=act)
    bought += here.blow if act == "blow" else here.mend  # 12.0.A-2 12.0.A-4
    if bought > budget:
        raise IllegalOrder("12.0.A-2" if act == "blow" else "12.0.A-4", "too-far", unit=unit, hex=str(at), **_figures(bought, budget))
    now = sorted({*adj.own["blown"], str(at)} if act == "blow" else {*adj.own["blown"]} - {str(at)})
    changes = [*begun, *_spent(unit, bought), ch.own("blown", now), ch.own("worked", [*adj.own["worked"], str(at)])]
    adj.record("bridge", "12.0.B-1", {"unit": unit, "hex": str(at), "state": "blown" if act == "blow" else "mended"}, changes=changes)
