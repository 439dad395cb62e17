"""Deadlines and calls in the journal: until when a side is waited for, and that a side is to be played for now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, delete, insert, select

from worker.canonical import Json
from worker.news import Views, player_turn
from worker.records import Deadline
from worker.tables import deadlines, games, halts, messages

ADJUTANT = "adjutant"
"""In place of an address: the side is played by it."""
OURS = "ours/"
"""What the place of a call begins with; the inbox's have no slash."""


def of(connection: Connection, game: str) -> dict[str, Deadline]:
    """Until when each side of a game is waited for."""
    rows = connection.execute(select(deadlines).where(deadlines.c.game == game)).mappings()
    return {row["side"]: Deadline(row["due"], row["extended"]) for row in rows}


def before(connection: Connection, now: str) -> list[tuple[str, str, str]]:
    """Game, side and due time of the deadlines that have passed, oldest first; not of games that are over or stand still."""
    query = select(deadlines.c.game, deadlines.c.side, deadlines.c.due).join(games, games.c.id == deadlines.c.game)
    query = query.where(deadlines.c.due <= now, games.c.over.is_(False), deadlines.c.game.not_in(select(halts.c.game)))
    query = query.order_by(deadlines.c.due, deadlines.c.game)
    return [(game, side, due) for game, side, due in connection.execute(query)]


def keep(connection: Connection, game: str, found: Mapping[str, Deadline | None]) -> None:
    """Enter new deadlines; None: the side is waited for no more."""
    for side, deadline in found.items():
        connection.execute(delete(deadlines).where(and_(deadlines.c.game == game, deadlines.c.side == side)))
        if deadline is not None:
            connection.execute(insert(deadlines).values(game=game, side=side, due=deadline.due, extended=deadline.extended))


def call(connection: Connection, game: str, places: Iterable[str], at: str) -> None:
    """Enter calls to play for a side, in the queue of its game."""
    for place in places:
        row = {"place": place, "raw": b"", "received_at": at, "game": game, "status": "new", "attempts": 0}
        connection.execute(insert(messages).values(row))


def later(moment: str, hours: float) -> str:
    """``hours`` after a moment, but a second at least, as no two deadlines of a side may be the same; both ISO 8601, UTC, to the second."""
    return (datetime.fromisoformat(moment) + max(timedelta(hours=hours), timedelta(seconds=1))).replace(microsecond=0).isoformat()


def awaited(view: Json) -> bool:
    """Whether the view's side is waited for."""
    return view.get("side") in view.get("waiting_for", []) and not view.get("over")


def following(stored: Mapping[str, Deadline], was: Views, after: Views, now: str, hours: float) -> dict[str, Deadline | None]:
    """How the deadlines change where the views change from ``was`` (empty: the game begins) to ``after``.

    A side has its time from when it is waited for anew: in another player-turn, or after the other side was.
    """
    found: dict[str, Deadline | None] = {}
    for side, view in after.items():
        if not awaited(view) or not hours:
            found |= {side: None} if side in stored else {}
        elif side not in stored or side not in was or not awaited(was[side]) or player_turn(was[side]) != player_turn(view):
            found[side] = Deadline(later(now, hours))
    return found


def adjutants(addresses: Mapping[str, list[str]]) -> set[str]:
    """The sides that the adjutant plays."""
    return {side for side, players in addresses.items() if players == [ADJUTANT]}


def without(views: Views, sides: Collection[str]) -> dict[str, Json]:
    """The views of the other sides."""
    return {side: view for side, view in views.items() if side not in sides}


def calls(game: str, version: int, after: Views, sides: Collection[str]) -> tuple[str, ...]:
    """The calls to play now for those of the sides that are waited for."""
    return tuple(place("adjutant", game, side, str(version)) for side in after if side in sides and awaited(after[side]))


def place(why: str, game: str, side: str, key: str) -> str:
    """The place of a call. ``key``: the deadline that passed, or the version of the game at which it is to be played."""
    return f"{OURS}{why}/{game}/{side}/{key}"


def next_due(stored: Mapping[str, Deadline], changed: Mapping[str, Deadline | None]) -> str | None:
    """The first of the moments until which somebody is waited for."""
    return min((one.due for one in {**stored, **changed}.values() if one is not None), default=None)
