"""Mails that no mail brought about: notices of the desk's own to the players of a side, or to somebody who plays nowhere."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, insert, select

from worker.canonical import Json
from worker.play.turn import mails
from worker.ports import Ports
from worker.store.records import STRAY, Game, Intent, Write
from worker.store.tables import outbox


def said(key: str, **fields: Json) -> Json:
    """A sentence of the wording's table ``commands``, and what it speaks of."""
    return {"key": key, "fields": fields}


def part(*sentences: Json, title: Json = None, listed: Iterable[Json] = (), text: Iterable[str] = ()) -> Json:
    """A part of a notice. ``title``: a sentence, too."""
    found = {"line": "", "status": "done", "said": list(sentences), "listed": list(listed), "text": list(text), "hint": ""}
    return found | ({"title": title} if title else {})


def thread(ports: Ports, game: Game, side: str) -> Json:
    """What puts a mail behind those that a side has got."""
    earlier = [key for key, _ in ports.journal.mails_to(game.id, side)]
    return {"in_reply_to": earlier[-1] if earlier else None, "references": [*earlier[:1], *earlier[1:][-10:]]}


def to_side(
    ports: Ports, game: Game, side: str, key: str, at: str, facts: Json, kind: str = "notice", to: list[str] | None = None
) -> list[Intent]:
    """A mail to the players of a side, or to some of them, in its thread; it tells no news. ``key``: unique in the game."""
    told = ports.journal.told(game.id, side)
    data: Json = {"kind": kind, "date": at, "facts": facts, "subject": "", "after": told} | thread(ports, game, side)
    return mails(ports, game, side, ports.journal.addresses(game.id)[side] if to is None else to, data, key, told)


def to_anybody(address: str, key: str, at: str, *parts: Json, kind: str = "notice") -> Write:
    """What enters a mail to one address, without a token; once for each ``key``."""
    data: Json = {"kind": kind, "to": address, "date": at, "facts": {"answers": list(parts)}, "subject": ""}
    data |= {"in_reply_to": None, "references": []}
    row = {"game": STRAY, "key": key, "side": None, "intent": data, "version": 0, "message_id": None, "status": "waiting", "attempts": 0}

    def write(connection: Connection) -> None:
        if connection.execute(select(outbox.c.id).where(outbox.c.game == STRAY, outbox.c.key == key)).first() is None:
            connection.execute(insert(outbox).values(row))

    return write
