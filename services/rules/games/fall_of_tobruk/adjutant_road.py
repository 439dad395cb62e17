"""The adjutant's road to Tobruk: by which Boxes, and through which minefields, Axis supply is to come there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from scenarios.hexes import Hex
from services.rules.engine import movement as search
from services.rules.engine.positions import occupied, units_at
from services.rules.games.fall_of_tobruk.adjutant_aims import fortress
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.ground import Ground, Pair, ground, quarters, terrain_cost
from services.rules.games.fall_of_tobruk.mines import open_gaps
from services.rules.games.fall_of_tobruk.state import ALLIED, combat_value, is_tank, value
from services.rules.games.fall_of_tobruk.supply import NOWHERE

GAP_COST = 8
"""Quarters of an MP that a line may be longer to save a gap."""
MOST_BOXES = 2
"""Boxes that are planned to be taken at most."""
PER_FACTOR, PER_GUN = 2, 1
"""What each combat and each antitank factor in a Box counts."""


@dataclass(frozen=True)
class Road:
    """A line of supply as it should be: the hexes from the edge to Tobruk, and the Boxes that must fall before it is open."""

    path: tuple[Hex, ...]
    boxes: frozenset[str]

    def mines(self, here: Ground) -> list[Pair]:
        """The mined sides that it passes, from the edge on."""
        return [pair for pair in pairwise(self.path) if pair in here.mines]


def road(draft: Draft) -> Road | None:
    """The road whose Boxes are the least trouble; None if there is none within the reach of supply."""
    return draft.lasting("road", lambda: _road(draft))


def _road(draft: Draft) -> Road | None:
    table, here = draft.table, ground(draft.table)
    enemies = occupied(table, ALLIED)
    held = sorted(name for name, hexes in here.boxes.items() if hexes & enemies)
    price = {name: _price(draft, name) for name in held}
    found: list[tuple[int, Road]] = []
    for n in range(MOST_BOXES + 1):
        for boxes in combinations(held, n):
            path = line(draft, fortress(draft), frozenset(held) - set(boxes))
            if path is not None:
                found.append((sum(price[name] for name in boxes), Road(path, frozenset(boxes))))
        if found:
            break
    return min(found, key=lambda one: (one[0], sorted(one[1].boxes)))[1] if found else None


def _price(draft: Draft, box: str) -> int:
    """The trouble of a Box: what holds the stronger of its hexes, tanks apart, which come and go. Where the own force is does not count
    either: so the mind is made up once."""
    table = draft.table

    def held(at: Hex) -> int:
        foot = [unit for unit in units_at(table, at) if not is_tank(table, unit)]
        return sum(PER_FACTOR * combat_value(table, unit) + PER_GUN * value(table, unit, "antitank") for unit in foot)

    return max(held(at) for at in ground(table).boxes[box])


def line(draft: Draft, goal: Hex, held: Iterable[str]) -> tuple[Hex, ...] | None:
    """The hexes of a line of supply to a goal that keeps away from some Boxes, with as few new gaps as may be."""
    table = draft.table
    gaps, escarpments = open_gaps(table), str(table.options["escarpment_move"])
    most = quarters(table.data.charts["costs"]["supply"]["mp"])
    shut = frozenset(at for name in held for at in ground(table).near[name])
    for more in (GAP_COST, 0):
        found = _lines(ground(table), escarpments, shut, gaps, more)
        if goal not in found:
            continue
        path = search.way(found, goal)
        closed = sum(1 for pair in pairwise(path) if pair in ground(table).mines and pair not in gaps)
        if found[goal].cost - more * closed <= most:
            return path
    return None


@lru_cache(maxsize=400)
def _lines(here: Ground, escarpments: str, shut: frozenset[Hex], gaps: frozenset[Pair], more: int) -> Mapping[Hex, search.Reach]:
    def neighbours(at: Hex) -> Iterable[Hex]:
        return sorted(here.sources) if at == NOWHERE else here.adjacent[at]

    def cost(at: Hex, to: Hex) -> int | None:
        if at == NOWHERE:
            return 0
        step = terrain_cost(here, escarpments, at, to)
        return step if step is None or (at, to) not in here.mines or (at, to) in gaps else step + more

    return search.reachable(NOWHERE, None, neighbours, cost, lambda at: at in shut)
