"""The adjutant of the Italians: down the road, then every way out past the British; lorries that cannot get on park by the road."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from scenarios.hexes import Hex
from services.rules.engine.positions import occupied, on_map, units_at
from services.rules.games.beda_fomm import arrivals
from services.rules.games.beda_fomm.adjutant_ground import FAR, Reach, Way, exits, reach, reach_in, tolls, way_to
from services.rules.games.beda_fomm.adjutant_view import Draft
from services.rules.games.beda_fomm.ground import column_of
from services.rules.games.beda_fomm.state import BRITISH, ITALIAN, OFF, class_of, is_parked, value
from services.rules.games.beda_fomm.zoc import enemy_zoc

MOST_ROAD = 60
"""Hexes of road ahead that a lorry looks at."""
BLOCKED = 400
"""Half MP of a way that leads through what wheels may not enter."""
ORDER = ("armor", "personnel", "weapons", "transport")
"""Who moves first: armor opens the enemy's ZOC to men on foot, wheels follow."""
TOLLS = {"armor": (8, 14, 40), "personnel": (8, 40, 60), "weapons": (BLOCKED, BLOCKED, BLOCKED)}
"""Half MP that it takes on the way out to pass a ZOC, a ZOC of armor, a hex that is held."""


def way_out(draft: Draft, unit: str) -> Way:
    """The way out over the south edge for a unit's class."""
    kind = column_of(draft.table, unit)
    return draft.lasting(("way-out", kind), lambda: _way_out(draft, kind))


def _way_out(draft: Draft, kind: str) -> Way:
    table = draft.table
    toll = tolls(enemy_zoc(table, ITALIAN), occupied(table, BRITISH), *TOLLS[kind])
    return way_to(table, kind, exits(table, kind), toll)


# -- parking ---------------------------------------------------------------------------------------------------------------------


def park(draft: Draft) -> None:
    """Lorries with nowhere to go park, so that others get past them; when the road is free they are made ready again."""
    table = draft.table
    trucks = [unit.id for unit in on_map(table, ITALIAN) if class_of(table, unit.id) == "transport"]
    for unit in trucks:
        at = draft.place(unit)
        assert at is not None
        free = _road_free(draft, unit, at)
        if is_parked(table, unit):
            if free is None:
                draft.give("UNPARK", unit=unit)
        elif free is not None and free < 1:
            draft.give("PARK", unit=unit)


def _road_free(draft: Draft, unit: str, at: Hex) -> int | None:
    """Hexes of the road ahead of a lorry for which no other waits, up to the enemy's ZOC; None if the road is free to its end."""
    way = way_out(draft, unit)
    if way.of(at) < BLOCKED:
        return None
    zone = enemy_zoc(draft.table, ITALIAN)
    return sum(not _jammed(draft, to) for to in takewhile(lambda to: to not in zone, way.path(at, MOST_ROAD)))


def _jammed(draft: Draft, at: Hex) -> bool:
    """Whether wheels stand in a hex that are not parked."""
    wheels = (unit for unit in units_at(draft.table, at) if class_of(draft.table, unit) in ("transport", "weapons"))
    return any(not is_parked(draft.table, unit) for unit in wheels)


# -- movement --------------------------------------------------------------------------------------------------------------------


def move(draft: Draft) -> None:
    """Everybody moves on, the foremost first; then who is due comes in and moves on; who can leaves the map."""
    table = draft.table
    units = [unit.id for unit in on_map(table, ITALIAN) if not is_parked(table, unit.id)]
    for unit in _in_order(draft, units):
        _go(draft, unit, reach(table, unit))
    waiting = [unit for n in arrivals.uncalled(table)[: arrivals.callable_convoys(table)] for unit in arrivals.units_of(table, n)]
    waiting += arrivals.due(table, ITALIAN)
    for unit in sorted(waiting, key=lambda unit: (ORDER.index(class_of(table, unit)), unit)):
        if table.counters[unit].place == OFF:
            _go(draft, unit, reach_in(table, unit))


def _in_order(draft: Draft, units: Iterable[str]) -> list[str]:
    def rank(unit: str) -> tuple[int, int, str]:
        at = draft.place(unit)
        assert at is not None
        return ORDER.index(class_of(draft.table, unit)), way_out(draft, unit).of(at), unit

    return sorted(units, key=rank)


def _go(draft: Draft, unit: str, there: Reach) -> None:
    """A unit leaves the map if it can get to an edge in this phase; else it goes where its way out is shortest."""
    here, way = draft.place(unit), way_out(draft, unit)
    gates, budget = exits(draft.table, column_of(draft.table, unit)), 2 * value(draft.table, unit, "ma")
    if here in gates and draft.give("EXIT", unit=unit):
        return
    for at in sorted((at for at in there if at in gates), key=lambda at: (there[at][0] + gates[at], at)):
        if there[at][0] + gates[at] <= budget and march(draft, unit, there[at][1]):
            draft.give("EXIT", unit=unit)
            return
    now = way.of(here) if here is not None else FAR + 1
    for at in sorted((at for at in there if way.of(at) < now), key=lambda at: (way.of(at), there[at][0], at)):
        if march(draft, unit, there[at][1]):
            return


def march(draft: Draft, unit: str, path: Iterable[Hex]) -> bool:
    """A unit moves along a path; whether the law lets it."""
    return draft.give("MOVE", units=[unit], path=[str(at) for at in path], to=None, via=[], road=False, drop=None, drop_at=None)
