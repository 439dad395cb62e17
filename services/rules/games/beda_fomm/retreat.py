"""12.4 Retreats, and the elimination of units, with what they cost in morale (7.3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenarios.hexes import DIRECTIONS, Hex, distance, neighbours
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import adjacent, hex_of, occupied, on_map, units_at
from services.rules.engine.retreat import retreat_routes
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import opening, orders
from services.rules.games.beda_fomm.exits import exit_changes
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.stacking import LIMIT, load, room
from services.rules.games.beda_fomm.state import ITALIAN, is_parked, lost, morale, parent_of
from services.rules.games.beda_fomm.zoc import enemy_zoc

LENGTH = 2
"""Hexes of a retreat (12.41a)."""

# -- losses ----------------------------------------------------------------------------------------------------------------------


def eliminate(adj: Adjudication, unit: str, clause: str, cause: str, *, morale: bool = True) -> None:
    """A unit is removed from play. ``morale`` False: the failure that it dies of has cost its parent's level already (7.32)."""
    adj.record("eliminated", clause, {"unit": unit, "hex": str(hex_of(adj, unit)), "cause": cause}, changes=lost(adj, unit))
    if morale:
        fall(adj, unit, "7.31b")  # 7.31b 2.0r


def fall(adj: Adjudication, unit: str, clause: str) -> None:
    """The morale level of a unit's parent falls by one, and never below nought (BF-R86)."""
    parent = parent_of(adj, unit)
    level = max(0, morale(adj, parent) - 1)  # 7.31a
    adj.record("morale_fell", clause, {"unit": unit, "parent": parent, "level": level}, changes=[ch.own("morale", parent, level)])


# -- where to --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Route:
    """A retreat: the hexes entered, and whether it goes on over the south edge."""

    path: tuple[Hex, ...]
    off: bool = False

    def wire(self, unit: str) -> dict[str, Json]:
        """As the arguments of a RETREAT order."""
        return {"unit": unit, "path": [str(at) for at in self.path], "exit": self.off}


def routes(table: Table, unit: str, *, zoc: bool = True, stacking: bool = True) -> tuple[Route, ...]:
    """Every lawful retreat of a unit; ``zoc`` and ``stacking`` False: as if enemy ZOC or the stacking limit did not bar any hex."""
    side = table.counters[unit].side
    start = hex_of(table, unit)
    if start is None:
        return ()
    steps = ground(table).steps[column_of(table, unit)]
    enemies, zone = occupied(table, table.enemy(side)), enemy_zoc(table, side) if zoc else {}

    def may_enter(at: Hex, to: Hex) -> bool:
        if to in enemies or to in zone:
            return False  # 12.41c 12.43c 5.62a
        if (at, to) not in steps:
            return False  # 12.43d BF-R80
        return not stacking or room(table, to, (unit,))  # 12.43b

    found = [Route(path) for path in retreat_routes(start, LENGTH, lambda at: adjacent(table, at), may_enter)]  # 12.41b 12.42b BF-R79
    if side == ITALIAN:
        gates = ground(table).exits[column_of(table, unit)]
        last = [(to,) for to in adjacent(table, start) if to in gates and may_enter(start, to)]
        found += [Route(path, True) for path in ([()] if start in gates else last)]  # 4.1c BF-R81
    return tuple(found)


def preferred(
    table: Table, unit: str, found: Collection[Route], dirs: Sequence[str] = (), off: bool | None = None, avoid: Collection[Hex] = ()
) -> Route:
    """The retreat that a unit takes of itself: over the south edge (unless ``off`` is False), clear of ``avoid``, by ``dirs`` in order of
    preference; then furthest from the enemy, by road, in a hex not yet full, toward the south (Italians) or the east (British)."""
    start = hex_of(table, unit)
    assert start is not None
    side = table.counters[unit].side
    enemies = [at for at in (hex_of(table, enemy.id) for enemy in on_map(table, table.enemy(side))) if at is not None]
    paths = ground(table).paths

    def rank(route: Route) -> tuple[Any, ...]:
        end = route.path[-1] if route.path else start
        ways = list(zip((start, *route.path), route.path, strict=False))
        return (
            route.off == (off is False),
            sum(at in avoid for at in route.path),
            [_preference(dirs, at, to) for at, to in ways],
            -min((distance(end, at) for at in enemies), default=0),
            not all(way in paths for way in ways),
            load(table, {*units_at(table, end), unit}) >= LIMIT,
            -(2 * end.row + (end.col % 2 == 0)) if side == ITALIAN else -end.col,
            route.path,
        )

    return min(found, key=rank)


def _preference(dirs: Sequence[str], at: Hex, to: Hex) -> int:
    """How early a step's direction comes in a list of directions; one that is not in it comes after all."""
    name = DIRECTIONS[neighbours(at).index(to)]
    return dirs.index(name) if name in dirs else len(dirs)


# -- the retreat -----------------------------------------------------------------------------------------------------------------


def retreat(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A unit retreats two hexes, by the way its owner chooses; with no lawful way it is eliminated."""
    unit = work["unit"]
    if is_parked(adj, unit):
        eliminate(adj, unit, "12.44a", "parked", morale=False)  # 9.46b 12.44a 7.32a
        return
    found = routes(adj, unit)
    if not found:
        _no_way_out(adj, work)
        return
    adj.ask(
        "retreat",
        adj.counters[unit].side,
        "12.42a",
        preferred(adj, unit, found).wire(unit),  # BF-R82
        label=work["label"],
        choices=tuple(route.wire(unit) for route in found),
        context=dict(work),
    )


def chosen(table: Table, decision: Decision, args: Mapping[str, Json]) -> Route:
    """The retreat that an answer means. IllegalOrder if it is of another unit or no lawful way."""
    answer = read_args(orders.Retreat, args)
    unit = decision.context["unit"]
    found = routes(table, unit)
    if answer.parent is not None and found:
        if answer.parent not in (str(table.data.cards[unit].values["parent"]), "ALL"):
            raise IllegalOrder("12.42a", "another-formation", unit=unit, parent=answer.parent)
        return preferred(table, unit, found, answer.dirs, answer.exit, answer.avoid)
    if answer.unit != unit:
        raise IllegalOrder("12.43a", "another-unit", unit=unit, named=answer.unit)
    start = hex_of(table, unit)
    path = answer.path[1:] if answer.path[:1] == (start,) else answer.path
    if answer.hex is not None:
        fitting = [route for route in found if route.path[-1:] == (answer.hex,) and not route.off]
    elif answer.exit and not path:
        fitting = [route for route in found if route.off]
    else:
        fitting = [route for route in found if route.path == path and route.off == bool(answer.exit)]
    if not fitting:
        ends = sorted({str(route.path[-1]) for route in found if route.path and not route.off})
        raise IllegalOrder("12.42b", "no-such-retreat", unit=unit, hexes=ends, exit=any(route.off for route in found))
    return preferred(table, unit, fitting)


def check_retreat(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the answer is a lawful retreat of the unit."""
    chosen(adj, decision, args)


def take_retreat(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The unit goes where its owner sends it."""
    work = decision.context
    unit, route = work["unit"], chosen(adj, decision, args)
    start = hex_of(adj, unit)
    data = {"unit": unit, "path": [str(at) for at in (start, *route.path)], "exit": route.off}
    end = [ch.place(unit, route.path[-1])] if route.path else []
    friends = _friends(adj, unit, route.path)
    adj.record("retreated", "12.41a", data, changes=end)
    opening.note_contact(adj, [(unit, at) for at in route.path])
    if route.off:
        exit_changes(adj, unit, "4.1c")
    if adj.over is None:
        _check_friends(adj, work, friends)


def _no_way_out(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """No lawful retreat: the unit is eliminated, and its fate named after what barred its way; where only the stacking limit did, the
    friends in whose hex it ends have seen it come (12.45b)."""
    unit = work["unit"]
    crowded = [route for route in routes(adj, unit, stacking=False) if not route.off]
    if not crowded:
        by_zoc = bool(routes(adj, unit, zoc=False))
        eliminate(adj, unit, "5.61a" if by_zoc else "12.43e", "zoc" if by_zoc else "no-way", morale=False)  # 5.61a 7.32c
        return
    ways = [_to_full_hex(adj, unit, route) for route in crowded]
    met = min((_friends(adj, unit, way) for way in ways), key=lambda friends: (len(friends), friends))
    eliminate(adj, unit, "6.14a", "stacking", morale=False)  # 6.14a
    _check_friends(adj, work, met)  # 12.45b


def _to_full_hex(table: Table, unit: str, route: Route) -> tuple[Hex, ...]:
    """The hexes of a way up to the first that has no room for the unit."""
    full = next(n for n, at in enumerate(route.path) if not room(table, at, (unit,)))
    return route.path[: full + 1]


# -- optional rule 12.45 ---------------------------------------------------------------------------------------------------------


def _friends(table: Table, unit: str, path: Sequence[Hex]) -> list[str]:
    """The units in the hexes that a unit enters in its retreat."""
    return [friend for at in path for friend in units_at(table, at) if friend != unit]


def _check_friends(adj: Adjudication, work: Mapping[str, Json], friends: Sequence[str]) -> None:
    """By option, the friends in the hexes entered check morale once the retreat has ended, the deepest first (12.45, BF-R85)."""
    if not adj.options.get("retreat_checks", False):
        return
    if friends:
        results = dict.fromkeys(friends, "M")
        adj.push("Results", label=work["label"], cause="retreat", clause="12.45c", results=results, by=work["unit"])  # 12.45a 12.45c
    if work["by"] is None:
        adj.push("ChainEnd")


def end_chain(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """A chain of retreats is over, and with it who has failed in it."""
    if adj.own["chain"]:
        adj.record("chain_ends", "12.45c", {}, changes=[ch.own("chain", {})])
