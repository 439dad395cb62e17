"""The codes by which orders are handed in at a live board, mailed to the registered address: a link alone may have been passed on.

Asking for one is a call in the queue of the game (worker/waiting/called.py): the worker makes the code and mails it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, func, insert, select

from worker import secrets
from worker.board.handing import digest_of
from worker.canonical import digest
from worker.ports import Ports
from worker.post.links import Link, find
from worker.store.clocktables import board_codes
from worker.store.database import reading
from worker.store.journal import Journal
from worker.store.records import Closing, Game, Message
from worker.waiting import telling
from worker.waiting.deadlines import place

WHY = "board"
HOURS = 1
"""How long a code works."""
MOST_A_DAY = 12
"""Codes that one address gets of a game in a day, whoever asks for them."""


def ask(journal: Journal, link: Link, now: str) -> bool:
    """Ask for a code to be mailed; whether none was asked for in these ten minutes."""
    key = place(WHY, link.game, link.side, f"{link.token}/{now[:15]}")
    return journal.add_message(key, b"", now, link.game) is not None


def handle(ports: Ports, message: Message, game: Game, side: str, key: str) -> Closing:
    """Mail a code to the address of a link; not where it is closed meanwhile, or its reader gives no orders any more."""
    at = message.received_at
    closing = Closing(message.id, game.id, "board:no-code", side, digest=digest(message.place.encode()), at=at)
    link = find(ports.journal.engine, key.partition("/")[0])
    if link is None or not link.open_at(at) or game.over or link.address not in ports.journal.addresses(game.id).get(side, []):
        return closing
    if _given_lately(ports.journal.engine, link, at) >= MOST_A_DAY:
        return closing
    made = secrets.code(game.secret, WHY, message.id)
    expires = (datetime.fromisoformat(at) + timedelta(hours=HOURS)).isoformat()
    row = {"message": message.id, "link": link.token, "game": game.id, "address": link.address, "digest": digest_of(made)}
    row |= {"at": at, "expires": expires, "tries": 0, "used": False}

    def write(connection: Connection) -> None:
        connection.execute(insert(board_codes).values(row))

    facts = {"answers": [telling.part(telling.said("board-code", code=made))]}
    intents = telling.to_side(ports, game, side, f"m{message.id}/code", at, facts, to=[link.address])
    return Closing(message.id, game.id, "board:code", side, digest=closing.digest, at=at, intents=tuple(intents), also=(write,))


def _given_lately(engine: Engine, link: Link, now: str) -> int:
    day = (datetime.fromisoformat(now) - timedelta(days=1)).isoformat()
    query = select(func.count()).where(board_codes.c.game == link.game, board_codes.c.address == link.address, board_codes.c.at > day)
    with reading(engine) as connection:
        return int(connection.scalar(query) or 0)
