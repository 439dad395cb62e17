"""The end of all that acts for a player elsewhere: tokens of programs, linked accounts, and where he is told of turns."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, delete, select, update

from worker.store.bottables import accounts, listeners, programs
from worker.store.database import reading
from worker.store.records import Write


def ending(game: str, side: str, *addresses: str) -> Write:
    """What ends it for these addresses, for good: whoever comes back to a side begins with nothing."""

    def write(connection: Connection) -> None:
        for table in (programs, accounts):
            connection.execute(delete(table).where(_theirs(table, game, side, addresses)))
        connection.execute(update(listeners).where(_theirs(listeners, game, side, addresses)).values(status="closed"))

    return write


def count(engine: Engine, game: str, side: str, address: str) -> int:
    """How much of it a player has."""
    with reading(engine) as connection:
        queries = (select(one.c.game).where(_theirs(one, game, side, (address,))) for one in (programs, accounts, listeners))
        return sum(len(connection.execute(query).all()) for query in queries)


def _theirs(table: Table, game: str, side: str, addresses: tuple[str, ...]) -> ColumnElement[bool]:
    mine = and_(table.c.game == game, table.c.side == side, table.c.address.in_(addresses))
    return and_(mine, table.c.status == "open") if "status" in table.c else mine
