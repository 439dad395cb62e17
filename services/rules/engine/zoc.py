"""Zones of control, given who projects and across which hexsides."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scenarios.hexes import Hex
from services.rules.engine.model import Counter

Crosses = Callable[[Counter, Hex, Hex], bool]
"""Whether a unit's ZOC reaches from its hex into a neighbouring one."""


def projected_by(unit: Counter, neighbours: Callable[[Hex], Iterable[Hex]], crosses: Crosses) -> frozenset[Hex]:
    """The hexes of ``unit``'s ZOC; none if it is off the map. Its own hex is not among them."""
    at = unit.place
    if not isinstance(at, Hex):
        return frozenset()
    return frozenset(to for to in neighbours(at) if crosses(unit, at, to))


def hexes_in_zoc(units: Iterable[Counter], neighbours: Callable[[Hex], Iterable[Hex]], crosses: Crosses) -> frozenset[Hex]:
    """Every hex that lies in the ZOC of at least one of ``units``."""
    return frozenset(to for unit in units for to in projected_by(unit, neighbours, crosses))
