"""Who may write for a side besides its players: other addresses of theirs, and deputies. They get the answers to what they send."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, Engine, and_, delete, insert, select

from worker.bots.ending import ending
from worker.post.links import revoking
from worker.store.database import reading, writing
from worker.store.records import Write
from worker.store.tables import games, writers

ROLES = ("alias", "deputy")


def writers_of(engine: Engine, game: str) -> dict[str, dict[str, str]]:
    """Side -> address -> role."""
    with reading(engine) as connection:
        return writers_in(connection, [game]).get(game, {})


def writers_in(connection: Connection, keys: Collection[str]) -> dict[str, dict[str, dict[str, str]]]:
    """The same for several games, by game."""
    query = select(writers.c.game, writers.c.side, writers.c.address, writers.c.role).where(writers.c.game.in_(keys))
    found: dict[str, dict[str, dict[str, str]]] = {}
    for game, side, address, role in connection.execute(query.order_by(writers.c.address)):
        found.setdefault(game, {}).setdefault(side, {})[address] = role
    return found


def games_of_writers(engine: Engine, addresses: Iterable[str]) -> list[str]:
    """The games that still run and for which one of these addresses may write, newest last."""
    query = select(writers.c.game).join(games, games.c.id == writers.c.game)
    query = query.where(writers.c.address.in_(list(addresses)), games.c.over.is_(False)).order_by(games.c.created_at, games.c.id)
    with reading(engine) as connection:
        return list(dict.fromkeys(connection.execute(query).scalars()))


def set_writer(engine: Engine, game: str, side: str, address: str, role: str | None) -> None:
    """Let an address write for a side, as one of ``ROLES``; None: no more."""
    where = and_(writers.c.game == game, writers.c.side == side, writers.c.address == address.lower())
    with writing(engine) as connection:
        if connection.execute(delete(writers).where(where)).rowcount and role is None:
            revoking(game, side, address.lower())(connection)
            ending(game, side, address.lower())(connection)
        if role is not None:
            connection.execute(insert(writers).values(game=game, side=side, address=address.lower(), role=role))


def forgetting(game: str, side: str) -> Write:
    """What ends that anybody but its players writes for a side."""

    def write(connection: Connection) -> None:
        ending(game, side, *writers_in(connection, [game]).get(game, {}).get(side, {}))(connection)
        connection.execute(delete(writers).where(writers.c.game == game, writers.c.side == side))

    return write
