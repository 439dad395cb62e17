"""What the journal knows of mails by where they lay and by their bytes, for sources that have begun to number anew."""

from __future__ import annotations

from sqlalchemy import Engine, func, select

from worker.store.database import reading
from worker.store.tables import messages


def numbered_before(engine: Engine, family: str, prefix: str) -> bool:
    """Whether mails are journaled whose place begins with ``family`` but not with ``prefix``."""
    mine = messages.c.place.startswith(family, autoescape=True) & ~messages.c.place.startswith(prefix, autoescape=True)
    with reading(engine) as connection:
        return connection.execute(select(messages.c.id).where(mine).limit(1)).first() is not None


def is_known(engine: Engine, raw: bytes) -> bool:
    """Whether a mail of exactly these bytes is journaled: the same delivery, for each bears its own trace."""
    same = (func.length(messages.c.raw) == len(raw), messages.c.raw == raw)
    with reading(engine) as connection:
        return connection.execute(select(messages.c.id).where(*same).limit(1)).first() is not None
