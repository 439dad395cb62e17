"""Movement: what a mover can reach, the cheapest way to a place, and the cost of a given path.

A game passes its own ``entry_cost(from, to)`` (None: barred) and ``must_stop(hex)``. Costs are exact and never negative; whole
numbers are the fastest, so a game with half points counts in halves. Equal costs are settled by fewer hexes, then by the lower hex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from scenarios.hexes import Hex
from services.rules.engine.model import Exact

Neighbours = Callable[[Hex], Iterable[Hex]]
EntryCost = Callable[[Hex, Hex], Exact | None]
MustStop = Callable[[Hex], bool]


class Reach(NamedTuple):
    """The cheapest way into a hex: total cost, hexes entered, and the hex before it (None at the start)."""

    cost: Exact
    hexes: int
    before: Hex | None


def never(_: Hex) -> bool:
    """For movers that no hex stops."""
    return False


def reachable(
    start: Hex,
    allowance: Exact | None,
    neighbours: Neighbours,
    entry_cost: EntryCost,
    must_stop: MustStop = never,
    goal: Hex | None = None,
) -> Mapping[Hex, Reach]:
    """Every hex that can be entered from ``start`` for at most ``allowance`` (None: no limit), ``start`` included.

    ``must_stop`` ends movement in a hex that was entered; it does not hold a mover in ``start``. The search ends when ``goal`` is
    found; without ``goal`` and ``allowance`` the neighbours must be those of a board with an end.
    """
    found: dict[Hex, Reach] = {}
    # The order of the fields is the tie-break: cost, hexes entered, the hex, the hex before it.
    queue: list[tuple[Exact, int, Hex, Hex | None]] = [(0, 0, start, None)]
    while queue:
        cost, hexes, at, before = heappop(queue)
        if at in found:
            continue
        found[at] = Reach(cost, hexes, before)
        if at == goal:
            break
        if before is not None and must_stop(at):
            continue
        for to in neighbours(at):
            if to in found:
                continue
            step = entry_cost(at, to)
            if step is None:
                continue
            total = cost + step
            if allowance is None or total <= allowance:
                heappush(queue, (total, hexes + 1, to, at))
    return found


def way(found: Mapping[Hex, Reach], goal: Hex) -> tuple[Hex, ...]:
    """The hexes entered on the way to ``goal`` (the start left out). KeyError if it is out of reach."""
    path: list[Hex] = []
    at = goal
    while (before := found[at].before) is not None:
        path.append(at)
        at = before
    return tuple(reversed(path))


@dataclass(frozen=True, slots=True)
class Route:
    """A way found: the hexes entered (the start left out), and what it costs."""

    path: tuple[Hex, ...]
    cost: Exact


def cheapest_path(
    start: Hex,
    goal: Hex,
    neighbours: Neighbours,
    entry_cost: EntryCost,
    must_stop: MustStop = never,
    *,
    allowance: Exact | None = None,
    via: Sequence[Hex] = (),
    only: Callable[[Hex, Hex], bool] | None = None,
) -> Route | None:
    """The cheapest way from ``start`` to ``goal`` by way of ``via``, in that order; None if there is none within ``allowance``.

    ``only`` limits the steps that may be taken, as "by road" does. A hex that stops the mover may be the goal, not a way-point.
    """

    def limited(at: Hex, to: Hex) -> Exact | None:
        return entry_cost(at, to) if only is None or only(at, to) else None

    cost = entry_cost if only is None else limited
    path: tuple[Hex, ...] = ()
    total: Exact = 0
    at = start
    for point in (*via, goal):
        if path and must_stop(at):
            return None
        found = reachable(at, None if allowance is None else allowance - total, neighbours, cost, must_stop, point)
        if point not in found:
            return None
        path += way(found, point)
        total += found[point].cost
        at = point
    return Route(path, total)


@dataclass(frozen=True, slots=True)
class PathCost:
    """What a path costs: the total by step as far as it goes, and where and why it breaks off (``broken`` None: it does not).

    ``why``: "not-adjacent", "barred", "must-stop" (the hex before ``broken`` ends movement) or "too-far" (``cost`` then holds
    the total up to and with ``broken``).
    """

    steps: tuple[Exact, ...]
    cost: Exact
    broken: int | None = None
    why: str | None = None


def path_cost(
    start: Hex, path: Sequence[Hex], allowance: Exact | None, neighbours: Neighbours, entry_cost: EntryCost, must_stop: MustStop = never
) -> PathCost:
    """Follow ``path`` (the start left out) step by step; ``broken`` is the index in it of the first hex that cannot be entered."""
    steps: list[Exact] = []
    total: Exact = 0
    at = start
    for n, to in enumerate(path):
        if to not in neighbours(at):
            return PathCost(tuple(steps), total, n, "not-adjacent")
        if n and must_stop(at):
            return PathCost(tuple(steps), total, n, "must-stop")
        step = entry_cost(at, to)
        if step is None:
            return PathCost(tuple(steps), total, n, "barred")
        total += step
        if allowance is not None and total > allowance:
            return PathCost(tuple(steps), total, n, "too-far")
        steps.append(step)
        at = to
    return PathCost(tuple(steps), total)
