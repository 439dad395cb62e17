"""Deadlines and calls in the journal: until when a side is waited for, and that a side is to be played for now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, RowMapping, and_, delete, insert, select

from worker.canonical import Json
from worker.play.news import Views, player_turn
from worker.store.clocktables import deadlines, halts
from worker.store.records import Deadline
from worker.store.tables import games, messages

ADJUTANT = "adjutant"
"""In place of an address: the side is played by it."""
OURS = "ours/"
"""What the place of a call begins with; the inbox's have no slash."""


CLASSES = ("turn", "reaction", "setup")
"""What a side is waited for: the orders of its own player-turn; a decision in another's; its set-up."""
Hours = Callable[[Json], float]
"""How many hours the side of a view has for what it is waited for; 0: there is no deadline."""


def of(connection: Connection, game: str) -> dict[str, Deadline]:
    """Until when each side of a game is waited for."""
    rows = connection.execute(select(deadlines).where(deadlines.c.game == game)).mappings()
    return {row["side"]: _deadline(row) for row in rows}


def _deadline(row: RowMapping) -> Deadline:
    return Deadline(row["due"], row["extended"], row["since"] or "", row["kind"] or "turn")


def before(connection: Connection, now: str) -> list[tuple[str, str, str]]:
    """Game, side and due time of the deadlines that have passed, oldest first; not of games that are over, or that stand still."""
    return [(game, side, found.due) for game, side, found in running(connection) if found.due <= now]


def running(connection: Connection) -> list[tuple[str, str, Deadline]]:
    """Game, side and deadline wherever time runs, by their due times: not in games that are over, or that stand still."""
    query = select(deadlines).join(games, games.c.id == deadlines.c.game)
    query = query.where(games.c.over.is_(False), deadlines.c.game.not_in(select(halts.c.game)))
    rows = connection.execute(query.order_by(deadlines.c.due, deadlines.c.game, deadlines.c.side)).mappings()
    return [(row["game"], row["side"], _deadline(row)) for row in rows]


def moved(deadline: Deadline, delta: timedelta) -> Deadline:
    """A deadline put off by ``delta``."""
    return replace(deadline, due=(datetime.fromisoformat(deadline.due) + delta).replace(microsecond=0).isoformat())


def keep(connection: Connection, game: str, found: Mapping[str, Deadline | None]) -> None:
    """Enter new deadlines; None: the side is waited for no more."""
    for side, deadline in found.items():
        connection.execute(delete(deadlines).where(and_(deadlines.c.game == game, deadlines.c.side == side)))
        if deadline is not None:
            row = {"due": deadline.due, "extended": deadline.extended, "since": deadline.since, "kind": deadline.kind}
            connection.execute(insert(deadlines).values(game=game, side=side, **row))


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


def kind_of(view: Json) -> str:
    """Of ``CLASSES``, what the side of a view is waited for; a decision may name another class than its place in the sequence has."""
    own = [one.get("deadline") for one in view.get("pending", []) if one.get("side") == view.get("side")]
    named = next((one for one in own if one in CLASSES), None)
    path = dict(view.get("path", []))
    if named or "setup" in path:
        return named or "setup"
    return "reaction" if path.get("player-turn", view.get("side")) != view.get("side") else "turn"


def following(stored: Mapping[str, Deadline], was: Views, after: Views, now: str, hours: Hours) -> dict[str, Deadline | None]:
    """How the deadlines change where the views change from ``was`` (empty: the game begins) to ``after``.

    A side has its time from when it is waited for anew: in another player-turn, or after the other side was.
    """
    found: dict[str, Deadline | None] = {}
    for side, view in after.items():
        time = hours(view) if awaited(view) else 0
        if not time:
            found |= {side: None} if side in stored else {}
        elif side not in stored or side not in was or not awaited(was[side]) or player_turn(was[side]) != player_turn(view):
            found[side] = Deadline(later(now, time), since=now, kind=kind_of(view))
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
