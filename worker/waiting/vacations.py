"""Sides that are away: their time to write does not run then. At most so many days a game as the settings allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, insert, select

from worker.store.clocktables import vacations
from worker.store.database import reading
from worker.store.records import Deadline, Write


@dataclass(frozen=True, slots=True)
class Vacation:
    """From when until when a side is away; ISO 8601, UTC."""

    since: str
    until: str

    def overlap(self, start: str, end: str) -> timedelta:
        """How much of the time from ``start`` to ``end`` lies in it."""
        first, last = max(_moment(self.since), _moment(start)), min(_moment(self.until), _moment(end))
        return max(last - first, timedelta(0))

    @property
    def days(self) -> float:
        return (_moment(self.until) - _moment(self.since)) / timedelta(days=1)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def of(engine: Engine, game: str, side: str) -> list[Vacation]:
    """All vacations of a side, past ones too."""
    query = select(vacations.c.since, vacations.c.until).where(vacations.c.game == game, vacations.c.side == side)
    with reading(engine) as connection:
        return [Vacation(since, until) for since, until in connection.execute(query.order_by(vacations.c.since))]


def current(engine: Engine, game: str, side: str, at: str) -> Vacation | None:
    """The vacation of a side that has not ended."""
    return next((one for one in of(engine, game, side) if one.until > at), None)


def put_off(due: str, away: Vacation, at: str) -> str:
    """A deadline that runs ``at`` a moment, put off by what of the vacation is still to come, where it ends within or after."""
    if due <= away.since or at >= away.until:
        return due
    gained = _moment(away.until) - max(_moment(away.since), _moment(at))
    return (_moment(due) + gained).replace(microsecond=0).isoformat()


def excused(engine: Engine, game: str, changed: Mapping[str, Deadline | None], at: str) -> dict[str, Deadline | None]:
    """New deadlines, those of sides that are away put off."""
    found = dict(changed)
    for side, deadline in changed.items():
        away = current(engine, game, side, at) if deadline is not None else None
        if away is not None and deadline is not None:
            found[side] = replace(deadline, due=put_off(deadline.due, away, at))
    return found


def taking(game: str, side: str, away: Vacation) -> Write:
    """Enter a vacation."""

    def write(connection: Connection) -> None:
        connection.execute(insert(vacations).values(game=game, side=side, since=away.since, until=away.until))

    return write


def ending(game: str, side: str, away: Vacation, at: str) -> Write:
    """End a vacation ``at`` a moment; one that has not begun never was."""

    def write(connection: Connection) -> None:
        here = (vacations.c.game == game, vacations.c.side == side, vacations.c.since == away.since)
        connection.execute(delete(vacations).where(*here))
        if away.since < at:
            connection.execute(insert(vacations).values(game=game, side=side, since=away.since, until=at))

    return write
