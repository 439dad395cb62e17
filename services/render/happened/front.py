"""Where the day was decided: the part of the map with most of the fighting and moving, chosen from what a view holds and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scenarios.data import Board
from scenarios.hexes import Hex, distance
from services.render.happened.fights import battles
from services.render.happened.flags import changes
from services.render.happened.kinds import KINDS, Shot, Sign
from services.render.happened.losses import losses
from services.render.happened.places import Part, Wanted, place_part
from services.render.happened.reading import Whereabouts
from services.render.happened.ways import moves
from services.render.views import View

_CLOSE = 3
"""Counters of two sides so many hexes apart or less, or else the nearest, make a front where nothing happened."""


def front(view: View, board: Board, widths: Iterable[int], shape: float) -> Part:
    """The part of the board that shows the main front, as wide as the least of ``widths`` (in columns) that will do.

    Battles, whence they were fought and what was lost must be on it; where nothing was fought, where most was moved, or where the sides
    stand close. ``shape``: height in rows of a part one column wide.
    """
    fought, moved = _on_board(_fighting(view), board), _on_board(_moving(view), board)
    must = fought or moved or _on_board(_standing(view), board) or {_middle(board): 1}
    held = [one for one in view.counters if one.hex is not None and _on_board({one.hex: 1}, board)]
    own = frozenset(one.hex for one in held if one.hex is not None and one.side == view.side)
    wanted = Wanted(must, {**moved, **fought}, {one.hex for one in held if one.hex is not None}, own, bool(fought))
    return place_part(board, wanted, widths, shape)


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
    if not out:
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
    """Where nothing happened: the hexes in which the sides stand close to each other, the closer the more, or else all that are held."""
    held: dict[Hex, set[str]] = {}
    for one in view.counters:
        if one.hex is not None:
            held.setdefault(one.hex, set()).add(one.side)
    gaps = {at: min((distance(at, other) for other in held if held[at] != held[other]), default=None) for at in held}
    least = min((gap for gap in gaps.values() if gap is not None), default=0)
    close = {at: max(_CLOSE + 1 - gap, 1) ** 2 for at, gap in gaps.items() if gap is not None and gap <= max(_CLOSE, least)}
    return close or dict.fromkeys(sorted(held), 1)


def _on_board(counted: Mapping[Hex, int], board: Board) -> dict[Hex, int]:
    return {at: n for at, n in counted.items() if 1 <= at.col <= board.columns and 1 <= at.row <= board.rows}


def _middle(board: Board) -> Hex:
    return Hex((board.columns + 1) // 2, (board.rows + 1) // 2)
