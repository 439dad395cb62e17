"""Ways that several counters shared for a while, as one ribbon that they join and leave: a column on a road is no bundle of lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scenarios.hexes import Hex
from services.render.happened.ways import Move

SHARED = 4
"""So many hexes on end that counters of a side went through one after the other make one ribbon of their ways."""
_MOST = 60
"""So many ribbons are looked for at most."""
_Run = tuple[Hex, ...]


def merged(found: Iterable[Move]) -> list[list[Move]]:
    """The ways in groups: a way of its own alone; ways that share ``SHARED`` hexes or more together, as the pieces that come to the ribbon,
    the ribbon with all their counters, and the pieces that leave it. A piece has no head where it joins and no tail where it leaves."""
    groups = [[one] for one in found]
    for _ in range(_MOST):
        run = _shared([one for group in groups for one in group])
        if run is None:
            break
        groups = _joined(groups, *run)
    return groups


def _windows(one: Move) -> set[_Run]:
    return {one.path[k : k + SHARED] for k in range(len(one.path) - SHARED + 1)}


def _shared(pieces: list[Move]) -> tuple[Move, _Run] | None:
    """The hexes in which most counters of a side went the same way, as long a run as all of them share, and one of their ways."""
    users: dict[tuple[str, str, _Run], list[Move]] = {}
    for one in pieces:
        for window in sorted(_windows(one)):
            users.setdefault((one.side, one.shaft, window), []).append(one)
    several = {key: ways for key, ways in users.items() if len(ways) > 1}
    if not several:
        return None
    key = min(several, key=lambda key: (-sum(one.count for one in several[key]), key))
    ways, run = several[key], key[2]
    for ahead in (True, False):
        while (longer := {_longer(one.path, run, ahead) for one in ways}) != {None} and len(longer) == 1:
            (step,) = longer
            assert step is not None
            if step in run:
                break
            run = (*run, step) if ahead else (step, *run)
    return ways[0], run


def _longer(path: _Run, run: _Run, ahead: bool) -> Hex | None:
    """The hex after a run in a path, or before it; None at its end."""
    k = _at(path, run)
    at = k + len(run) if ahead else k - 1
    return path[at] if 0 <= at < len(path) else None


def _at(path: _Run, run: _Run) -> int:
    """Where a run begins in a path; -1 if it is not in it."""
    return next((k for k in range(len(path) - len(run) + 1) if path[k : k + len(run)] == run), -1)


def _joined(groups: list[list[Move]], like: Move, run: _Run) -> list[list[Move]]:
    """The groups, those with a way through a run become one with the ribbon in it."""
    apart: list[list[Move]] = []
    ribbon: list[Move] = []
    pieces: list[Move] = []
    for group in groups:
        through = [one for one in group if (one.side, one.shaft) == (like.side, like.shaft) and _at(one.path, run) >= 0]
        if not through:
            apart.append(group)
            continue
        ribbon += through
        pieces += [one for one in group if one not in through]
        pieces += [piece for one in through for piece in _cut(one, run)]
    ends = [one.head and one.off is None and one.path[-1] == run[-1] for one in ribbon]
    starts = [one.tail and one.path[0] == run[0] for one in ribbon]
    units = tuple(unit for one in ribbon for unit in one.units or ("",))
    return [*apart, [*pieces, replace(like, path=run, units=units, off=None, head=any(ends), tail=any(starts))]]


def _cut(one: Move, run: _Run) -> list[Move]:
    """What of a way lies before a run and after it."""
    k = _at(one.path, run)
    before, after = one.path[: k + 1], one.path[k + len(run) - 1 :]
    out = [replace(one, path=before, head=False, off=None)] if len(before) > 1 else []
    return [*out, replace(one, path=after, tail=False)] if len(after) > 1 or one.off is not None else out
