"""The codes by which orders are handed in at a live board, mailed to the registered address: a link alone may have been passed on.

Asking for one is a call in the queue of the game (worker/waiting/called.py): the worker makes the code and mails it. While one works there
is no other, whoever asks; so nobody who has the link can take the player's from him, or fill his mailbox.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, func, insert, select

from worker import secrets
from worker.board.handing import digest_of, working
from worker.canonical import digest
from worker.ports import Ports
from worker.post.links import Link, find
from worker.post.writers import writers_of
from worker.store.clocktables import board_codes
from worker.store.database import reading
from worker.store.journal import Journal
from worker.store.records import Closing, Game, Message
from worker.waiting import telling
from worker.waiting.deadlines import ADJUTANT, place

WHY = "board"
HOURS = 1
"""How long a code works."""


def may_order(journal: Journal, game: Game, link: Link) -> bool:
    """Whether orders may be handed in at a link: it is that of a player of its side, or of one who may write for it."""
    if game.over or link.address == ADJUTANT:
        return False
    return link.address in journal.addresses(game.id).get(link.side, []) or link.address in writers_of(journal.engine, game.id).get(
        link.side, {}
    )


def ask(journal: Journal, link: Link, now: str) -> bool:
    """Ask for a code to be mailed; False where there is one that still works, so that none is."""
    with reading(journal.engine) as connection:
        if working(connection, link, now):
            return False
    # Asked for again before the worker has made it, it is the same call.
    journal.add_message(place(WHY, link.game, link.side, f"{link.token}/{_made(journal.engine, link)}/{now[:13]}"), b"", now, link.game)
    return True


def handle(ports: Ports, message: Message, game: Game, side: str, key: str) -> Closing:
    """Mail a code to the address of a link; not where it is closed meanwhile, its reader gives no orders any more, or he has one."""
    at = message.received_at
    closing = Closing(message.id, game.id, "board:no-code", side, digest=digest(message.place.encode()), at=at)
    link = find(ports.journal.engine, key.partition("/")[0])
    if link is None or not link.open_at(at) or not may_order(ports.journal, game, link):
        return closing
    with reading(ports.journal.engine) as connection:
        if working(connection, link, at):
            return closing
    made = secrets.code(game.secret, WHY, message.id)
    expires = (datetime.fromisoformat(at) + timedelta(hours=HOURS)).isoformat()
    row = {"message": message.id, "link": link.token, "game": game.id, "address": link.address, "digest": digest_of(made)}
    row |= {"at": at, "expires": expires, "used": False}

    def write(connection: Connection) -> None:
        connection.execute(insert(board_codes).values(row))

    facts = {"answers": [telling.part(telling.said("board-code", code=made))]}
    intents = telling.to_side(ports, game, side, f"m{message.id}/code", at, facts, to=[link.address])
    return Closing(message.id, game.id, "board:code", side, digest=closing.digest, at=at, intents=tuple(intents), also=(write,))


def _made(engine: Engine, link: Link) -> int:
    """How many codes the address of a link has got for the game."""
    query = select(func.count()).where(board_codes.c.game == link.game, board_codes.c.address == link.address)
    with reading(engine) as connection:
        return int(connection.scalar(query) or 0)
