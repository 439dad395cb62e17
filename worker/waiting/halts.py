"""Games that stand still since the game master has halted them: their orders are kept, and no deadline of theirs runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from worker.store.clocktables import deadlines, halts
from worker.store.database import reading
from worker.store.records import Deadline, LostRace, Write
from worker.store.tables import games, heard, messages
from worker.waiting.deadlines import OURS

KEPT = "kept:paused"
"""The verdict on orders that came while their game was halted, and on calls to play in it."""
PLACE = f"{OURS}resume/"
"""What the place of a call begins with that ends a halt."""


@dataclass(frozen=True, slots=True)
class Halt:
    """``since``, ``until``: ISO 8601, UTC; None: until the game master says so."""

    game: str
    since: str
    until: str | None
    reason: str

    def written(self) -> Write:
        """Enter it. LostRace if the game is halted already."""
        row = {name: getattr(self, name) for name in self.__slots__}

        def write(connection: Connection) -> None:
            connection.execute(insert(halts).values(row))

        return write

    def ended(self, at: str) -> Write:
        """The game goes on ``at`` a moment: what it has stood still is given back, and what was kept waits to be handled in its order."""

        def write(connection: Connection) -> None:
            if connection.execute(delete(halts).where(halts.c.game == self.game, halts.c.since == self.since)).rowcount != 1:
                raise LostRace(f"{self.game} stands still no more")
            shifted(connection, self.game, None, lasted(self.since, at))
            kept = list(
                connection.execute(
                    select(messages.c.id).where(messages.c.game == self.game, messages.c.verdict == KEPT, messages.c.status == "done")
                ).scalars()
            )
            connection.execute(delete(heard).where(heard.c.message.in_(kept)))
            again = {"status": "new", "received_at": at, "side": None}
            connection.execute(update(messages).where(messages.c.id.in_(kept)).values(again))

        return write


def lasted(since: str, at: str) -> timedelta:
    """The time between two moments."""
    return max(datetime.fromisoformat(at) - datetime.fromisoformat(since), timedelta(0))


def put_off(due: str, by: timedelta) -> str:
    """A moment put off."""
    return (datetime.fromisoformat(due) + by).replace(microsecond=0).isoformat()


def shifted(connection: Connection, game: str, side: str | None, by: timedelta) -> None:
    """Put the deadlines of a game off, or that of one side."""
    query = select(deadlines.c.side, deadlines.c.due).where(deadlines.c.game == game)
    for one, due in connection.execute(query).all():
        if side in (None, one):
            here = (deadlines.c.game == game, deadlines.c.side == one)
            connection.execute(update(deadlines).where(*here).values(due=put_off(due, by)))


def current(engine: Engine, game: str) -> Halt | None:
    """Since when a game stands still; None: it does not."""
    with reading(engine) as connection:
        row = connection.execute(select(halts).where(halts.c.game == game)).mappings().first()
    return None if row is None else Halt(**row)


def kept(engine: Engine, game: str) -> int:
    """How many mails with orders are kept until a game goes on."""
    query = select(func.count()).where(messages.c.game == game, messages.c.verdict == KEPT, ~messages.c.place.like(f"{OURS}%"))
    with reading(engine) as connection:
        return int(connection.scalar(query.where(messages.c.status == "done")) or 0)


def ending(engine: Engine, now: str) -> list[Halt]:
    """The halts whose time is over, of games that are not."""
    query = select(halts).join(games, games.c.id == halts.c.game)
    with reading(engine) as connection:
        rows = connection.execute(query.where(halts.c.until <= now, games.c.over.is_(False))).mappings()
        return [Halt(**row) for row in rows]


def next_due(stored: Mapping[str, Deadline], by: timedelta) -> str | None:
    """The first of the deadlines, put off."""
    return min((put_off(one.due, by) for one in stored.values()), default=None)
