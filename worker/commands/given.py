"""What was done before in a game, as the journal tells it: commands that were given, sides that were played for."""

from __future__ import annotations

from sqlalchemy import Engine, func, select

from worker.canonical import Json
from worker.store.database import reading
from worker.store.tables import commands, messages


def times_absent(engine: Engine, game: str) -> dict[str, int]:
    """How often each side was played for since its deadline had passed."""
    query = select(messages.c.side, func.count()).where(messages.c.game == game, messages.c.place.like("ours/deadline/%"))
    query = query.where(messages.c.verdict.in_([f"absent:{how}" for how in ("draft", "refused", "adjutant", "nothing")]))
    with reading(engine) as connection:
        return {str(side): int(n) for side, n in connection.execute(query.group_by(messages.c.side))}


def times_given(engine: Engine, game: str, side: str, verb: str, since: str) -> int:
    """How often a side has given a command since a moment, refused ones not counted."""
    here = (
        commands.c.game == game,
        commands.c.side == side,
        commands.c.verb == verb,
        commands.c.at >= since,
        commands.c.status != "refused",
    )
    with reading(engine) as connection:
        return int(connection.scalar(select(func.count()).select_from(commands).where(*here)) or 0)


def given_with(engine: Engine, game: str, side: str, verb: str) -> list[Json]:
    """The arguments of a command each time that a side has given it, refused ones left out."""
    here = (commands.c.game == game, commands.c.side == side, commands.c.verb == verb, commands.c.status != "refused")
    with reading(engine) as connection:
        return list(connection.execute(select(commands.c.args).where(*here)).scalars())
