"""Supply lines, given what is open to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from scenarios.hexes import Hex

Open = Callable[[Hex], bool]


def trace(
    start: Hex, ends: Callable[[Hex], bool], limit: int | None, neighbours: Callable[[Hex], Iterable[Hex]], open_to: Open
) -> tuple[Hex, ...] | None:
    """The shortest line from ``start`` to a hex where ``ends`` holds, or None if none has at most ``limit`` hexes.

    The line is the hexes entered, so the start's own hex is neither counted nor asked ``open_to``; an empty line means that the
    start is itself an end. Equal lines are settled by the order of ``neighbours``.
    """
    if ends(start):
        return ()
    before: dict[Hex, Hex] = {start: start}
    queue: deque[tuple[Hex, int]] = deque([(start, 0)])
    while queue:
        at, length = queue.popleft()
        if limit is not None and length >= limit:
            continue
        for to in neighbours(at):
            if to in before or not open_to(to):
                continue
            before[to] = at
            if ends(to):
                return _line(before, start, to)
            queue.append((to, length + 1))
    return None


def connected(sources: Iterable[Hex], neighbours: Callable[[Hex], Iterable[Hex]], open_to: Open) -> frozenset[Hex]:
    """Every hex joined to an open one of ``sources`` by a chain of open hexes, of any length: a road net that leads home."""
    found = {source for source in sources if open_to(source)}
    queue = deque(sorted(found))
    while queue:
        for to in neighbours(queue.popleft()):
            if to not in found and open_to(to):
                found.add(to)
                queue.append(to)
    return frozenset(found)


def within(targets: Iterable[Hex], limit: int, neighbours: Callable[[Hex], Iterable[Hex]], open_to: Open) -> frozenset[Hex]:
    """Every hex from which ``trace`` would find one of ``targets`` within ``limit``: one flood for many units.

    ``targets`` must themselves be open. A hex that is not open may be such a start, and no line runs on through it.
    """
    far: dict[Hex, int] = dict.fromkeys(sorted(targets), 0)
    queue = deque(far)
    while queue:
        at = queue.popleft()
        if far[at] >= limit or not open_to(at):
            continue
        for to in neighbours(at):
            if to not in far:
                far[to] = far[at] + 1
                queue.append(to)
    return frozenset(far)


def _line(before: dict[Hex, Hex], start: Hex, end: Hex) -> tuple[Hex, ...]:
    path = [end]
    while before[path[-1]] != start:
        path.append(before[path[-1]])
    return tuple(reversed(path))
