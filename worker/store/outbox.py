"""The outbox: mails that were decided on in a commit and have not left yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Engine, delete, insert, select, update

from worker.store.database import reading, writing
from worker.store.records import UNSENT, Outgoing, Write
from worker.store.tables import modules, outbox


class Outbox:
    """Reads and marks the outbox of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def next(self, game: str, put_off: Collection[str] = ()) -> Outgoing | None:
        """The oldest mail of a game that has not left, of those that go to none of the addresses ``put_off``."""
        where = (outbox.c.game == game, outbox.c.status.in_(("waiting", "made")))
        query = select(outbox).where(*where).order_by(outbox.c.id)
        with reading(self._engine) as connection:
            rows = connection.execute(query if put_off else query.limit(1)).mappings()
            row = next((one for one in rows if one["intent"]["to"] not in put_off), None)
        if row is None:
            return None
        named = {key: row[key] for key in ("id", "game", "key", "version", "side", "message_id", "raw", "attempts")}
        return Outgoing(data=row["intent"], **named)

    def newer(self, waiting: Outgoing) -> bool:
        """Whether a mail to the same side about something later waits behind this one."""
        where = (outbox.c.game == waiting.game, outbox.c.side == waiting.side, outbox.c.id > waiting.id, outbox.c.status == "waiting")
        with reading(self._engine) as connection:
            keys = connection.execute(select(outbox.c.key).where(*where)).scalars()
            # The last part of a key numbers the players of a side: their mails tell the same.
            return any(key.rpartition("/")[0] != waiting.key.rpartition("/")[0] for key in keys)

    def games(self) -> list[str]:
        """The games that have mails waiting."""
        query = select(outbox.c.game).where(outbox.c.status.in_(("waiting", "made"))).distinct().order_by(outbox.c.game)
        with reading(self._engine) as connection:
            return list(connection.execute(query).scalars())

    def made(self, waiting: Outgoing, message_id: str, raw: str, module: str = "") -> None:
        """The mail is composed and stored as artifact ``raw``; it brings the module for VASSAL of this version."""
        with writing(self._engine) as connection:
            values = {"status": "made", "message_id": message_id, "raw": raw}
            connection.execute(update(outbox).where(outbox.c.id == waiting.id).values(**values))
            connection.execute(delete(modules).where(modules.c.mail == waiting.id))
            if module:
                row = {"mail": waiting.id, "game": waiting.game, "side": waiting.side, "address": waiting.data["to"], "version": module}
                connection.execute(insert(modules).values(row))

    def module(self, waiting: Outgoing) -> str:
        """The version of the module for VASSAL that the addressee was sent last for this side, before this mail; empty: none."""
        whose = (modules.c.game == waiting.game, modules.c.side == waiting.side, modules.c.address == waiting.data["to"])
        query = select(modules.c.version).where(*whose, modules.c.mail < waiting.id).order_by(modules.c.mail.desc()).limit(1)
        with reading(self._engine) as connection:
            return str(connection.scalar(query) or "")

    def sent(self, key: int) -> None:
        """The mail has left."""
        self._set(key, status="sent")

    def unsent(self, key: int, also: Iterable[Write] = ()) -> None:
        """The mail does not leave: nothing goes to its address. What it was to tell is told by the next one that does."""
        with writing(self._engine) as connection:
            connection.execute(update(outbox).where(outbox.c.id == key).values(status=UNSENT))
            for write in also:
                write(connection)

    def parked(self, key: int) -> None:
        """The mail cannot be made: the operator must look at it, and the ones behind it go on."""
        self._set(key, status="parked")

    def retry_parked(self) -> int:
        """Have every parked mail wait again, with all its attempts before it; how many there were."""
        with writing(self._engine) as connection:
            parked = update(outbox).where(outbox.c.status == "parked")
            return connection.execute(parked.values(status="waiting", attempts=0, raw=None)).rowcount

    def failed_attempt(self, key: int) -> int:
        """Count a failure to make or send a mail; how many there are now."""
        with writing(self._engine) as connection:
            connection.execute(update(outbox).where(outbox.c.id == key).values(attempts=outbox.c.attempts + 1))
            return int(connection.scalar(select(outbox.c.attempts).where(outbox.c.id == key)) or 0)

    def _set(self, key: int, **values: Any) -> None:
        with writing(self._engine) as connection:
            connection.execute(update(outbox).where(outbox.c.id == key).values(**values))
