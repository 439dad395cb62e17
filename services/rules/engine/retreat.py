"""Retreat routes, given where a retreating unit may go."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scenarios.hexes import Hex, distance


def retreat_routes(
    start: Hex,
    length: int,
    neighbours: Callable[[Hex], Iterable[Hex]],
    may_enter: Callable[[Hex, Hex], bool],
    may_end: Callable[[Hex], bool] | None = None,
) -> tuple[tuple[Hex, ...], ...]:
    """Every route of ``length`` hexes that ends ``length`` hexes from ``start``, so that each step leads further from it.

    ``may_enter(from, to)`` bars hexes and hexsides on the way, ``may_end`` hexes that may be passed and not held. Routes come in
    the order of ``neighbours``; there are at most a few hundred for the lengths (1 to 4) that the games print.
    """
    routes: list[tuple[Hex, ...]] = [()]
    for far in range(1, length + 1):
        routes = [
            (*route, to)
            for route in routes
            for at in (route[-1] if route else start,)
            for to in neighbours(at)
            if distance(start, to) == far and may_enter(at, to)
        ]
    return tuple(route for route in routes if may_end is None or may_end(route[-1] if route else start))


def ends_of(routes: Iterable[tuple[Hex, ...]]) -> tuple[Hex, ...]:
    """The hexes where ``routes`` end, each once, lowest first."""
    return tuple(sorted({route[-1] for route in routes if route}))
