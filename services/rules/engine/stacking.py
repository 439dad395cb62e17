"""Stacking, given the game's value of a counter and limit of a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scenarios.hexes import Place
from services.rules.engine.model import Counter, Exact


def over_limit(
    counters: Iterable[Counter], value: Callable[[Counter], Exact], limit: Callable[[Place], Exact | None]
) -> Mapping[Place, Exact]:
    """The places that hold more than they may, with the surplus; ``limit`` None: any number may lie there."""
    held: dict[Place, Exact] = {}
    for counter in counters:
        held[counter.place] = held.get(counter.place, 0) + value(counter)
    surplus: dict[Place, Exact] = {}
    for place, total in held.items():
        most = limit(place)
        if most is not None and total > most:
            surplus[place] = total - most
    return surplus
