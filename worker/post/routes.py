"""Whether a mail may leave now: ways that fail are left alone for a while, and no domain gets more mails a minute than it may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from worker.store.database import reading, writing
from worker.store.tables import departed, departures, pauses

LONGEST = timedelta(hours=1)
"""Between two tries of a way that fails, however often it has failed."""
UNSAID = timedelta(hours=1)
"""So long a way may fail before the operator hears of it, where it may mend itself."""
MINUTE = timedelta(minutes=1)
SERVER = "server"
T = TypeVar("T")


def address_way(address: str) -> str:
    """The name of the way to one address."""
    return f"to:{address.lower()}"[:270]


@dataclass(frozen=True, slots=True)
class Pause:
    """A way that fails: since when, how often, until when it is left alone. ``told``: the operator knows."""

    since: datetime
    failures: int
    until: datetime
    told: bool


class Routes:
    """Kept in the journal, so that several workers, and those after a restart, keep to it. ``first``: seconds of the first pause."""

    def __init__(self, engine: Engine, first: float) -> None:
        self._engine = engine
        self._first = timedelta(seconds=first)

    def closed(self, way: str, now: datetime) -> Pause | None:
        """The pause that a way has now."""
        with reading(self._engine) as connection:
            found = _pause(connection, way)
        return found if found is not None and found.until > now else None

    def failed(self, way: str, now: datetime, *, at_once: bool = False) -> tuple[Pause, bool]:
        """A way failed: its pause, twice the last one; and whether the operator is to be told now.

        ``at_once``: nobody but he can mend it, so he is told at the first failure.
        """
        return self._entered(lambda connection: self._paused_longer(connection, way, now, at_once=at_once))

    def _paused_longer(self, connection: Connection, way: str, now: datetime, *, at_once: bool) -> tuple[Pause, bool]:
        last = _pause(connection, way, change=True)
        failures = last.failures + 1 if last else 1
        since = last.since if last else now
        tell = not (last and last.told) and (at_once or now - since >= UNSAID)
        pause = Pause(since, failures, now + min(LONGEST, self._first * 2 ** min(failures - 1, 20)), tell or bool(last and last.told))
        row = {"way": way, "since": since.isoformat(), "until": pause.until.isoformat(), "failures": failures, "told": pause.told}
        connection.execute((update(pauses).where(pauses.c.way == way) if last else insert(pauses)).values(row))
        return pause, tell

    def _entered(self, enter: Callable[[Connection], T]) -> T:
        """What ``enter`` gives, in a transaction. Where two workers enter the first row of a way at the same moment, as PostgreSQL lets
        them, the second finds that of the first.
        """
        try:
            with writing(self._engine) as connection:
                return enter(connection)
        except IntegrityError:
            with writing(self._engine) as connection:
                return enter(connection)

    def well(self, way: str) -> bool:
        """A way works; whether the operator was told that it did not."""
        with reading(self._engine) as connection:
            last = _pause(connection, way)
        if last is None:
            return False
        with writing(self._engine) as connection:
            connection.execute(delete(pauses).where(pauses.c.way == way))
        return last.told

    def forget(self) -> None:
        """Every way is tried again at once: what was wrong may have been mended."""
        with writing(self._engine) as connection:
            connection.execute(delete(pauses))

    def take_turn(self, domain: str, now: datetime, most: int) -> float:
        """Count one more mail to a domain in this minute; the seconds to wait where ``most`` have left already (0: none, it counts)."""
        if not most:
            return 0.0
        return self._entered(lambda connection: _turn(connection, domain, now, most))

    def taken(self, message_id: str, addresses: list[str], now: datetime) -> None:
        """The mail server has taken a mail for these addresses."""

        def note(connection: Connection) -> None:
            known = set(connection.execute(select(departed.c.address).where(departed.c.message_id == message_id)).scalars())
            rows = [{"message_id": message_id, "address": one, "at": now.isoformat()} for one in addresses if one not in known]
            if rows:
                connection.execute(insert(departed), rows)

        self._entered(note)

    def was_taken(self, message_id: str) -> set[str]:
        """The addresses that the mail server has taken a mail for."""
        with reading(self._engine) as connection:
            return set(connection.execute(select(departed.c.address).where(departed.c.message_id == message_id)).scalars())


def _turn(connection: Connection, domain: str, now: datetime, most: int) -> float:
    row = connection.execute(select(departures).where(departures.c.domain == domain).with_for_update()).mappings().first()
    if row is None:
        connection.execute(insert(departures).values(domain=domain, since=now.isoformat(), n=1))
        return 0.0
    since, n = datetime.fromisoformat(row["since"]), int(row["n"])
    if not timedelta(0) <= now - since < MINUTE:
        since, n = now, 0
    if n >= most:
        return (since + MINUTE - now).total_seconds()
    connection.execute(update(departures).where(departures.c.domain == domain).values(since=since.isoformat(), n=n + 1))
    return 0.0


def _pause(connection: Connection, way: str, *, change: bool = False) -> Pause | None:
    found = select(pauses).where(pauses.c.way == way)
    row = connection.execute(found.with_for_update() if change else found).mappings().first()
    if row is None:
        return None
    return Pause(datetime.fromisoformat(row["since"]), row["failures"], datetime.fromisoformat(row["until"]), row["told"])
