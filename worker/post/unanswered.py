"""Mails that cannot be judged yet, as the name servers that have the sender's key do not answer: they are looked at again, a few times.

The mails behind one go on; only what would be done for a side because it has not written waits for it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, insert, select

from worker.store.database import reading, writing
from worker.store.tables import deferrals

PAUSES = tuple(timedelta(minutes=one) for one in (1, 2, 4, 8, 15, 30))
"""Between two looks: an hour all together. What cannot be judged then is held like a mail whose signature is broken."""


def may_wait(engine: Engine, message: int) -> bool:
    """Whether a mail may be put off once more."""
    with reading(engine) as connection:
        return _looks(connection, message) < len(PAUSES)


def put_off(engine: Engine, message: int, now: str) -> str:
    """Put a mail off; until when."""
    with writing(engine) as connection:
        looks = _looks(connection, message)
        until = (datetime.fromisoformat(now) + PAUSES[min(looks, len(PAUSES) - 1)]).isoformat()
        connection.execute(delete(deferrals).where(deferrals.c.message == message))
        connection.execute(insert(deferrals).values(message=message, until=until, looks=looks + 1))
    return until


def _looks(connection: Connection, message: int) -> int:
    return int(connection.scalar(select(deferrals.c.looks).where(deferrals.c.message == message)) or 0)
