"""Orders handed in at a live board with a code: they are journaled like a mail of the player's, for which the code vouches."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256

from sqlalchemy import Connection, Engine, RowMapping, insert, select, update

from worker.config import Config
from worker.post.context import side_tokens
from worker.post.links import Link
from worker.store.clocktables import board_codes
from worker.store.database import writing
from worker.store.records import Game, Message
from worker.store.tables import messages

HANDED_IN = "board/"
"""What the place of a mail begins with that was handed in at a board: no inbox has such places."""


def hand_in(engine: Engine, config: Config, link: Link, game: Game, lines: Sequence[str], code: str, now: str) -> bool:
    """Journal orders as a mail of the link's player, if the code is right; whether it was.

    A code is right once, at each link of its address in its game. A wrong one changes nothing, so that who has the link cannot spoil the
    player's: with 70 bits no number of tries in an hour finds it.
    """
    given = digest_of("".join(code.lower().split()))
    with writing(engine) as connection:
        row = next((one for one in working(connection, link, now) if hmac.compare_digest(one["digest"], given)), None)
        if row is None:
            return False
        here = (board_codes.c.message == row["message"], board_codes.c.used.is_(False))
        if connection.execute(update(board_codes).where(*here).values(used=True)).rowcount != 1:
            return False  # somebody else was first
        raw = as_mail(config, link, game, lines, str(row["message"]), now)
        values = {"place": f"{HANDED_IN}{row['message']}", "raw": raw, "received_at": now, "game": game.id, "status": "new", "attempts": 0}
        connection.execute(insert(messages).values(values))
        return True


def working(connection: Connection, link: Link, now: str) -> Sequence[RowMapping]:
    """The codes that the address of a link has for the game and that can be used, newest first."""
    query = select(board_codes).where(board_codes.c.game == link.game, board_codes.c.address == link.address)
    query = query.where(board_codes.c.used.is_(False), board_codes.c.expires > now)
    return connection.execute(query.order_by(board_codes.c.message.desc())).mappings().all()


def is_handed_in(message: Message) -> bool:
    """Whether a mail was handed in at a board, with a code."""
    return message.place.startswith(HANDED_IN)


def as_mail(config: Config, link: Link, game: Game, lines: Sequence[str], key: str, now: str) -> bytes:
    """Orders as the mail that their player would have written. ``key``: makes its Message-ID."""
    local, _, domain = config.address.partition("@")
    mail = EmailMessage(policy=SMTP)
    mail["From"] = link.address
    mail["To"] = f"{local}+{game.id.lower()}-t{game.turn:02d}-{side_tokens(game)[link.side]}@{domain}"
    mail["Subject"] = f"[{game.id}] live board"
    mail["Date"] = format_datetime(datetime.fromisoformat(now))
    mail["Message-ID"] = f"<board.{sha256(f'{link.token} {key}'.encode()).hexdigest()[:40]}@{domain}>"
    mail.set_content("\n".join(lines) + "\n")
    return mail.as_bytes()


def digest_of(code: str) -> str:
    """What is kept of a code."""
    return sha256(code.encode()).hexdigest()
