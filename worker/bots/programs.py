"""Tokens by which programs act for players: each for one player of one game, until it is revoked or he plays no more.

A token is issued by the operator, or for the code that ``LINK`` mails to the registered address. Its digest alone is kept.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, RowMapping, delete, insert, select

from worker.commands import store
from worker.post.writers import writers_of
from worker.store.bottables import programs
from worker.store.database import reading, writing
from worker.store.journal import Journal
from worker.store.records import Message

PREFIX = "hxp_"
PLACES = ("api:", "spool:discord:")
"""What the places of mails begin with that are made of what came with a token, or from a linked account."""
MOST = 10
"""Tokens of one player in a game; a new one takes the place of the oldest."""


@dataclass(frozen=True, slots=True)
class Program:
    """Whom a token stands for. ``id``: its number in its game's list, which may be another's later; ``mark``: of this token alone;
    ``at``: when it was issued, ISO 8601, UTC.
    """

    id: int
    mark: str
    game: str
    side: str
    address: str
    at: str


def issue(engine: Engine, game: str, side: str, address: str, at: str) -> str:
    """A new token. It is shown this once: nobody can read it afterwards."""
    with writing(engine) as connection:
        return _issued(connection, game, side, address, at)


def _issued(connection: Connection, game: str, side: str, address: str, at: str) -> str:
    token = PREFIX + secrets.token_hex(20)
    theirs = (programs.c.game == game, programs.c.side == side, programs.c.address == address)
    old = connection.execute(select(programs.c.id).where(*theirs).order_by(programs.c.id.desc()).offset(MOST - 1)).scalars().all()
    connection.execute(delete(programs).where(programs.c.id.in_(old)))
    row = {"digest": _digest(token), "game": game, "side": side, "address": address, "at": at}
    connection.execute(insert(programs).values(row))
    return token


def redeem(engine: Engine, code: str, at: str) -> str | None:
    """The token for a code that ``LINK`` mailed; None where that is worth nothing, or not any more. A code is worth one token."""
    offer = store.offer(engine, code, at)
    if offer is None or offer.kind != "link" or offer.side is None:
        return None
    with writing(engine) as connection:
        offer.settled("taken")(connection)
        return _issued(connection, offer.game, offer.side, offer.asker, at)


def find(journal: Journal, token: str) -> Program | None:
    """Whom a token stands for; None if it is none, or whose it is does not write for that side any more."""
    with reading(journal.engine) as connection:
        row = connection.execute(select(programs).where(programs.c.digest == _digest(token))).mappings().first()
    if row is None:
        return None
    found = _program(row)
    return found if may_write(journal, found.game, found.side, found.address) else None


def may_write(journal: Journal, game: str, side: str, address: str) -> bool:
    """Whether an address writes for a side now."""
    return address in journal.addresses(game).get(side, []) or address in writers_of(journal.engine, game).get(side, {})


def of_game(engine: Engine, game: str) -> list[Program]:
    """The tokens of a game, oldest first."""
    query = select(programs).where(programs.c.game == game).order_by(programs.c.id)
    with reading(engine) as connection:
        return [_program(row) for row in connection.execute(query).mappings()]


def wrote(message: Message) -> bool:
    """Whether a mail is made of what a program or a linked account sent."""
    return message.place.startswith(PLACES)


def revoke(engine: Engine, game: str, address: str | None = None, number: int | None = None) -> int:
    """Revoke the tokens of a game, of one player in it, or one alone; how many there were."""
    which = [programs.c.game == game]
    which += [programs.c.address == address] if address is not None else []
    which += [programs.c.id == number] if number is not None else []
    with writing(engine) as connection:
        return connection.execute(delete(programs).where(*which)).rowcount


def _program(row: RowMapping) -> Program:
    return Program(row["id"], row["digest"][:32], row["game"], row["side"], row["address"], row["at"])


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
