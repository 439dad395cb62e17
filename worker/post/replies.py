"""What a player writes otherwise than by mail, by a program or from a chat: it becomes a mail of his, and its answer can be had in words.

So there is one way into a game: the same reading, the same limits, one order in which all is carried out, and one receipt.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from sqlalchemy import select

from worker.canonical import Json
from worker.commands import frame
from worker.play import turn
from worker.ports import Ports, ServiceFailed
from worker.post.context import side_tokens
from worker.post.deliver import words_of
from worker.store.database import reading
from worker.store.records import Closing, Game, Intent, Message, Outgoing, PacketRow
from worker.store.tables import commands, messages, outbox, packets

QUESTIONS = frozenset({"STATUS", "STANDING", "WHO", "MAP", "TEMPLATE", "LEGAL", "HELP"})
"""Commands that change nothing: they can be answered at once, and leave no trace."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes: a registered address of a side."""

    side: str
    address: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of something written. ``status``: ``waiting``, or as of a packet, a command or a refused mail; ``text``: the answer in
    words; ``packet``: the orders, if they were any.
    """

    status: str
    text: str = ""
    packet: PacketRow | None = None


def as_mail(ports: Ports, game: Game, writer: Writer, text: str, number: str) -> bytes:
    """What was written as a mail of the player's to the open game-turn. ``number``: of one delivery: repeated, it is the same mail."""
    local, _, domain = ports.config.address.partition("@")
    to = f"{local}+{game.id.lower()}-t{game.turn:02d}-{side_tokens(game)[writer.side]}@{domain}"
    mail = EmailMessage(policy=SMTP)
    mail["Delivered-To"] = to
    # Whoever holds the player's token, or his linked account, is vouched for as by his own mail server.
    vouched = f"dmarc=pass (by his program or account) header.from={writer.address.rpartition('@')[2]}"
    mail["Authentication-Results"] = f"{ports.config.server}; {vouched}"
    mail["From"], mail["To"], mail["Subject"] = writer.address, to, "orders"
    mail["Date"] = datetime.fromisoformat(ports.now())
    mail["Message-ID"] = f"<{hashlib.sha256(number.encode()).hexdigest()[:32]}.program@{ports.config.server}>"
    mail.set_content(text)
    return mail.as_bytes()


def enter(ports: Ports, game: Game, raw: bytes, place: str) -> tuple[int, bool]:
    """Journal such a mail; its id, and whether it is new."""
    new = ports.journal.add_message(place, raw, ports.now(), game.id)
    if new is not None:
        return new, True
    with reading(ports.journal.engine) as connection:
        return int(connection.execute(select(messages.c.id).where(messages.c.place == place)).scalar_one()), False


def reply_to(ports: Ports, game: Game, writer: Writer, message: int, *, chat: bool = False) -> Reply:
    """What became of a journaled mail of the writer's, in the words that the writer is mailed. ``chat``: without those about mailing."""
    with reading(ports.journal.engine) as connection:
        row = connection.execute(select(messages.c.status, messages.c.verdict).where(messages.c.id == message)).one()
        theirs = (packets.c.message == message, packets.c.game == game.id, packets.c.side == writer.side)
        packet = connection.scalar(select(packets.c.id).where(*theirs))
        keys = [f"m{message}/%", *([f"{packet}/receipt/%"] if packet else [])]
        found: Any = None
        for key in keys:
            query = (
                select(outbox).where(outbox.c.game == game.id, outbox.c.side == writer.side, outbox.c.key.like(key)).order_by(outbox.c.id)
            )
            rows = connection.execute(query).mappings().all()
            found = next((one for one in rows if one["intent"]["to"] == writer.address), rows[0] if rows else found)
    if row.status == "new":
        return Reply("waiting")
    known = ports.journal.packet(packet) if packet else None
    status = known.status if known else _of_commands(ports, message) or str(row.verdict)
    if found is None:
        return Reply(status, "", known)
    named = {key: found[key] for key in ("id", "game", "key", "version", "side", "message_id", "raw", "attempts")}
    return Reply(status, words_of(ports, game, Outgoing(data=found["intent"], **named), chat=chat), known)


def _of_commands(ports: Ports, message: int) -> str:
    """What became of a mail's commands together: ``refused`` if all were, ``asked`` if somebody must agree; empty: it has none."""
    with reading(ports.journal.engine) as connection:
        found = set(connection.execute(select(commands.c.status).where(commands.c.message == message)).scalars())
    return "refused" if found == {"refused"} else next((one for one in ("asked", "done") if one in found), "")


def asked(ports: Ports, game: Game, writer: Writer, text: str, *, chat: bool = False) -> Reply:
    """The answer to a question of ``QUESTIONS``; nothing is entered anywhere."""
    message, seen_as = _read(ports, game, writer, text)
    if seen_as["verdict"] == "accept" and {one["verb"] for one in seen_as.get("commands") or ()} <= QUESTIONS and seen_as["commands"]:
        return _told(ports, game, writer, frame.carry_out(ports, message, seen_as, game), chat)
    return _told(ports, game, writer, turn.unaccepted(ports, message, seen_as, game), chat)


def tried(ports: Ports, game: Game, writer: Writer, text: str, *, chat: bool = False) -> Reply:
    """What orders would lead to, up to the first die; nothing is entered anywhere."""
    message, seen_as = _read(ports, game, writer, f"CHECK\n{text}")
    if seen_as["verdict"] != "accept" or seen_as.get("commands"):
        return _told(ports, game, writer, turn.unaccepted(ports, message, seen_as, game), chat)
    closing = turn.accepted(ports, message, seen_as, game)
    if closing.state is not None:
        raise ServiceFailed("A try was carried out.")
    return _told(ports, game, writer, closing, chat)


def _read(ports: Ports, game: Game, writer: Writer, text: str) -> tuple[Message, Json]:
    message = Message(0, game.id, as_mail(ports, game, writer, text, f"question {ports.now()} {text}"), ports.now())
    return message, turn.build_and_read(ports, message)


def _told(ports: Ports, game: Game, writer: Writer, closing: Closing, chat: bool) -> Reply:
    status = closing.packet.status if closing.packet else str(closing.verdict)
    mine: list[Intent] = [one for one in closing.intents if one.side == writer.side]
    if not mine:
        return Reply(status, "", closing.packet)
    one = next((one for one in mine if one.data["to"] == writer.address), mine[0])
    waiting = Outgoing(0, game.id, one.key, one.data, one.version, one.side, one.message_id, None, 0)
    return Reply(status, words_of(ports, game, waiting, closing.packet, chat=chat), closing.packet)
