"""Where the day was decided: the part of the map with most of the fighting and moving, chosen from what a view holds and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scenarios.data import Board
from scenarios.hexes import Hex, distance
from services.render.draw.geometry import Point
from services.render.happened.fights import battles
from services.render.happened.flags import changes
from services.render.happened.kinds import KINDS, Shot, Sign
from services.render.happened.losses import losses
from services.render.happened.reading import Whereabouts
from services.render.happened.ways import moves
from services.render.views import View

_ENOUGH = 0.8
"""The narrowest part of the map is shown that holds this share of what counts."""
_EDGE = 0.5
"""How much less counts what lies at the edge of a part, not in its middle."""
_CLOSE = 3
"""Counters of two sides so many hexes apart or less make a front where nothing happened."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a map: its middle and its width and height, in hex units (one a column, one a row)."""

    middle: Point
    wide: float
    high: float


def front(view: View, board: Board, widths: Iterable[int], shape: float) -> Part:
    """The part of the board that shows the main front, as wide as the least of ``widths`` (in columns) that will do.

    ``shape``: height in rows of a part one column wide.
    """
    counted = _on_board(_weights(view), board) or _on_board(_standing(view), board) or {_middle(board): 1}
    whole = sum(counted.values())
    part, held = Part(_units(_middle(board)), 1, shape), 0
    for wide in widths:
        part, held = _best(counted, wide, wide * shape, board)
        if held >= whole * _ENOUGH:
            break
    return part


def _weights(view: View) -> Mapping[Hex, int]:
    """How much each hex counts: battles most, then losses and changes of control, then movements; all movements together not more than
    half of what was fought, if anything was."""
    fought, walked = _fighting(view), _moving(view)
    many = max(-(-2 * walked.total() // fought.total()), 1) if fought else 1
    return Counter({at: n * many for at, n in fought.items()}) + walked


def _moving(view: View) -> Counter[Hex]:
    out: Counter[Hex] = Counter()
    for move in moves(view.events, dict.fromkeys(_sides(view)), view.counters):
        out[move.path[-1]] += 2
        out[move.path[0]] += 1
    return out


def _fighting(view: View) -> Counter[Hex]:
    out: Counter[Hex] = Counter()

    def count(at: Hex, n: int) -> None:
        out[at] += n

    for battle in battles(view.events):
        count(battle.hex, 10)
        for origin in battle.origins:
            count(origin, 2)
    for at, _ in losses(view.events):
        count(at, 6)
    for at in changes(view.events):
        count(at, 5)
    where = Whereabouts(view.counters, view.events)
    for event in view.events:
        kind = KINDS.get(event.kind)
        if isinstance(kind, Sign | Shot):
            for found in (where.find(event.data.get(key)) for key in kind.target):
                if found is not None:
                    count(found, 2)
    return out


def _sides(view: View) -> set[str]:
    return {one.side for one in view.counters} | {str(event.data.get("side")) for event in view.events}


def _standing(view: View) -> dict[Hex, int]:
    """Where nothing happened: the hexes in which the sides stand close to each other, or else all that are held."""
    held: dict[Hex, set[str]] = {}
    for one in view.counters:
        if one.hex is not None:
            held.setdefault(one.hex, set()).add(one.side)
    close = {at for at in held for other in held if held[at] != held[other] and distance(at, other) <= _CLOSE}
    return dict.fromkeys(sorted(close or held), 1)


def _on_board(counted: Mapping[Hex, int], board: Board) -> dict[Hex, int]:
    return {at: n for at, n in counted.items() if 1 <= at.col <= board.columns and 1 <= at.row <= board.rows}


def _middle(board: Board) -> Hex:
    return Hex((board.columns + 1) // 2, (board.rows + 1) // 2)


def _units(at: Hex) -> Point:
    return float(at.col), at.row + (0.0 if at.col % 2 else 0.5)


def _best(counted: Mapping[Hex, int], wide: float, high: float, board: Board) -> tuple[Part, int]:
    """The part of this size that shows most of what counts, near its middle rather than at its edge, and how much it holds."""
    points = [(*_units(at), n) for at, n in sorted(counted.items())]
    best: tuple[float, int, Part] | None = None
    for u in _places([one[0] for one in points], wide, board.columns + 1):
        within = [one for one in points if abs(one[0] - u) <= wide / 2 - 0.8]
        for v in _places([one[1] for one in points], high, board.rows + 1.5):
            inside = [one for one in within if abs(one[1] - v) <= high / 2 - 0.6]
            seen = sum(n * (1 - _EDGE * max(abs(x - u) / wide, abs(y - v) / high) * 2) for x, y, n in inside)
            if best is None or seen > best[0]:
                best = seen, sum(n for _, _, n in inside), Part((u, v), wide, high)
    assert best is not None
    return best[2], best[1]


def _places(at: list[float], long: float, whole: float) -> list[float]:
    """Where the middle of a stretch so ``long`` may lie to show some of the points, and nothing beyond the board unless it is as long."""
    first, last = min(long / 2, whole / 2), max(whole - long / 2, whole / 2)
    low, high = int(min(at) - long / 2), int(max(at) + long / 2) + 1
    return sorted({min(max(float(k), first), last) for k in range(low, high + 1)})
