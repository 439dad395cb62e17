"""9.2.A to 9.2.C Retreats: so many hexes from where a unit stands, every step away from there, within its MP; whoever cannot is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from scenarios.hexes import Hex, distance
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import adjacent, hex_of, occupied, units_at
from services.rules.engine.retreat import retreat_routes
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import stacking
from services.rules.games.race_for_tunis.bases import fallen
from services.rules.games.race_for_tunis.ground import at_of, ground, road_between, step_cost
from services.rules.games.race_for_tunis.losses import eliminate, find, members, spelt, stranger
from services.rules.games.race_for_tunis.movement import allowance
from services.rules.games.race_for_tunis.orders import Retreat
from services.rules.games.race_for_tunis.package import changed
from services.rules.games.race_for_tunis.places import take
from services.rules.games.race_for_tunis.state import is_artillery
from services.rules.games.race_for_tunis.zoc import in_zone

Way = tuple[Hex, ...]
ALL = "ALL"

# -- where to --------------------------------------------------------------------------------------------------------------------


def ways(table: Table, unit: str, hexes: int, *, zones: bool = True, points: bool = True) -> tuple[Way, ...]:
    """The ways of a unit to a hex so many hexes off; ``zones``, ``points`` False: as if enemy ZOC or its MP did not limit it."""
    start, side = at_of(table, unit), table.counters[unit].side
    enemies = occupied(table, table.enemy(side))

    def may_enter(at: Hex, to: Hex) -> bool:
        if to in enemies or (zones and in_zone(table, side, to)):
            return False  # 9.2.B-2 9.2.C-4
        return step_cost(table, unit, at, to) is not None  # 9.2.B-1 9.2.C-4

    found = retreat_routes(start, hexes, lambda at: adjacent(table, at), may_enter)  # 9.2.A-1 9.2.A-2
    if hexes == 1 or not points:
        return found  # 9.2.C-3
    return tuple(way for way in found if cost(table, unit, start, way) <= allowance(table, unit))  # 9.2.C-1


def cost(table: Table, unit: str, start: Hex, way: Way) -> int:
    """Half MP of a way, by road where it follows one."""
    return sum(step_cost(table, unit, at, to) or 0 for at, to in zip((start, *way), way, strict=False))


def living(table: Table, unit: str, hexes: int) -> tuple[Way, ...]:
    """The ways that a unit may retreat: to hexes with room for it if there are any (RT-23). Without any way the unit is lost."""
    found = ways(table, unit, hexes)
    roomy = [way for way in found if stacking.fits(table, (unit, *units_at(table, way[-1])))]
    return tuple(roomy) or found


def ranking(table: Table, unit: str, rally: Sequence[Hex] = (), road: bool = True) -> Callable[[Way], Any]:
    """How a unit ranks its ways: towards the first rally point that some way leads nearer to, by road, over clear ground, then to the
    lowest hex number."""
    start, side = at_of(table, unit), table.counters[unit].side
    kinds = ground(table).kinds

    def rank(way: Way) -> Any:
        steps = list(zip((start, *way), way, strict=False))
        off_road = [to for at, to in steps if not road_between(table, at, to, side)]
        rough = [to for to in (off_road if road else way) if kinds[to] != "clear"]
        there = [distance(way[-1], at) for at in rally]
        return there, len(off_road) if road else 0, len(rough), way

    return rank


def preferred(table: Table, unit: str, found: Sequence[Way], rally: Sequence[Hex] = (), road: bool = True) -> Way:
    """The way of ``found`` that a unit takes of itself, or towards a rally point."""
    start = at_of(table, unit)
    nearer = [at for at in rally if any(distance(way[-1], at) < distance(start, at) for way in found)]
    return min(found, key=ranking(table, unit, nearer[:1], road))


# -- the retreat -----------------------------------------------------------------------------------------------------------------


def waiting(table: Table, one: Mapping[str, Any], role: str) -> tuple[str, ...]:
    """The units of one side of a battle that have not retreated yet."""
    return tuple(unit for unit in members(table, one, role) if unit not in one["moved"])


def retreats(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The units of one side retreat one by one; artillery, and who has no way, is lost (9.2.B-3, 10.4.C)."""
    one = find(adj, work["label"])
    left = waiting(adj, one, work["role"])
    if not left:
        return
    unit = left[0]
    found = living(adj, unit, work["hexes"])
    if is_artillery(adj, unit):
        eliminate(adj, unit, "10.4.C", "artillery", one["label"])
    elif not found:
        _no_way_out(adj, unit, work["hexes"], one["label"])
    else:
        choices = tuple({"unit": unit, "path": [str(at) for at in way]} for way in found)
        best = {"unit": unit, "path": [str(at) for at in preferred(adj, unit, found)]}
        clause = "9.1.1-3" if one["result"] == "AE" else "9.1.2-1" if work["role"] == "attacker" else "9.1.6-1"
        context = {**work, "unit": unit, "result": spelt(one["result"])}
        adj.ask("retreat", adj.counters[unit].side, clause, best, choices=choices, label=one["label"], context=context)
        return
    adj.push("Retreats", **work)


def _no_way_out(adj: Adjudication, unit: str, hexes: int, label: str) -> None:
    """The unit is lost, and its fate named after what barred its way."""
    if ways(adj, unit, hexes, points=False):
        eliminate(adj, unit, "9.2.C-2", "no-points", label)  # 9.2.C-2
    else:
        by_zone = bool(ways(adj, unit, hexes, zones=False, points=False))
        eliminate(adj, unit, "9.2.B-3", "zone" if by_zone else "no-way", label)  # 9.2.B-3


def chosen(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> Mapping[str, Way]:
    """The units that an answer sends off and their ways, that of several at once worked out one by one. IllegalOrder if it names none that
    must retreat, or no lawful way."""
    answer = read_args(Retreat, args)
    hexes = int(decision.context["hexes"])
    left = waiting(adj, find(adj, decision.context["label"]), decision.context["role"])
    if answer.unit is None:
        named = left if answer.units in ((), ALL) else tuple(unit for unit in left if unit in answer.units)
        if not named:
            raise stranger(adj, decision, tuple(answer.units))
        found = {unit: living(adj, unit, hexes) for unit in named if not is_artillery(adj, unit)}
        road = answer.road is not False
        return {unit: preferred(adj, unit, open_, answer.rally, road) for unit, open_ in found.items() if open_}
    if answer.unit not in left:
        if not left or answer.unit == decision.context["unit"]:
            return {}  # broken down meanwhile: its companies retreat, each its own way
        raise stranger(adj, decision, (answer.unit,))
    path = answer.path[1:] if answer.path[:1] == (hex_of(adj, answer.unit),) else answer.path
    open_ = living(adj, answer.unit, hexes)
    if path not in open_:
        ends = sorted({str(way[-1]) for way in open_})
        raise IllegalOrder("9.2.A-1", "no-such-retreat", unit=answer.unit, length=hexes, hexes=ends)
    return {answer.unit: path}


def check_retreat(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the answer sends units that must retreat by lawful ways."""
    chosen(adj, decision, args)


def take_retreat(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The unit goes where its owner sends it; several at once one after another, each where there is room by then."""
    label = str(decision.label)
    work = {name: decision.context[name] for name in ("label", "role", "hexes")}
    single = args.get("unit") is not None
    for unit in chosen(adj, decision, args):
        way = chosen(adj, decision, args if single else {**args, "units": [unit]}).get(unit)  # others have gone before it
        if way is not None:
            _go(adj, label, unit, way)
    adj.push("Retreats", **work)


def _go(adj: Adjudication, label: str, unit: str, way: Way) -> None:
    start, side = at_of(adj, unit), adj.counters[unit].side
    price = print_exact(Fraction(cost(adj, unit, start, way), 2))
    data = {"label": label, "side": side, "unit": unit, "path": [str(at) for at in (start, *way)], "cost": price}
    moved = changed(adj, label, moved=[*find(adj, label)["moved"], unit])
    adj.record("retreated", "9.2.A-1", data, changes=[ch.place(unit, way[-1]), moved])
    take(adj, side, way)
    fallen(adj, side, way)
