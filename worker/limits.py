"""How much is taken from a side and answered in an hour, whoever writes: what two robots can do to each other, and a flood to a game."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, insert, select

from worker.alerts import Alert, entering
from worker.canonical import Json
from worker.commands.store import Lobby
from worker.database import reading
from worker.ports import Ports
from worker.records import STRAY, Closing, Game, Message
from worker.tables import heard

ANSWERS = frozenset(("receipt", "explain", "confirm", "answer"))
"""The kinds of mail that answer one that came in."""
A_STRANGERS = 3
"""Answers that somebody who plays nowhere gets in a day."""


def taken_from(ports: Ports, game: Game | Lobby, seen_as: Json, message: Message) -> Json:
    """The verdict on a mail of a side, or the refusal of one beyond what a side may send in an hour; the first of those is answered."""
    query = select(func.count()).where(
        heard.c.game == game.id, heard.c.side == seen_as.get("side"), heard.c.at > _ago(message.received_at, hours=1)
    )
    with reading(ports.journal.engine) as connection:
        count = int(connection.scalar(query) or 0)
    if count < ports.config.mails_hour:
        return seen_as
    reply = "explain" if count == ports.config.mails_hour else "none"
    return {**seen_as, "verdict": "refuse:too-many", "reply": reply, "lines": [], "commands": [], "confirms": None}


def within(ports: Ports, message: Message, sender: str, closing: Closing) -> Closing:
    """``closing`` with the entry that the limits are counted by, and without the answers to its mail that are one too many."""
    answers = [one for one in closing.intents if one.data["kind"] in ANSWERS]
    full = bool(answers) and _answered(ports, closing.game, message.received_at, hours=1) >= ports.config.answers_hour
    stranger = closing.game == STRAY and bool(answers)
    if full or (stranger and _answered(ports, STRAY, message.received_at, hours=24, sender=sender) >= A_STRANGERS):
        answers = []
        closing = replace(closing, intents=tuple(one for one in closing.intents if one.data["kind"] not in ANSWERS))
    if full:
        alert = Alert("answers-limit", f"{closing.game} {message.received_at[:13]}", message.received_at, _named(closing.game))
        closing = replace(closing, also=(*closing.also, entering(ports.config, alert)))
    row = {"message": message.id, "game": closing.game, "side": closing.side, "sender": sender[:254] or None}
    row |= {"at": message.received_at, "answered": bool(answers)}

    def write(connection: Connection) -> None:
        connection.execute(insert(heard).values(row))

    return replace(closing, also=(*closing.also, write))


def _answered(ports: Ports, game: str, at: str, hours: int, sender: str | None = None) -> int:
    """How many mails of a game (of one sender's) were answered in the hours before a moment."""
    query = select(func.count()).where(heard.c.game == game, heard.c.answered.is_(True), heard.c.at > _ago(at, hours))
    with reading(ports.journal.engine) as connection:
        return int(connection.scalar(query if sender is None else query.where(heard.c.sender == sender)) or 0)


def _named(game: str) -> str | None:
    return game if game != STRAY else None


def _ago(moment: str, hours: int) -> str:
    return (datetime.fromisoformat(moment) - timedelta(hours=hours)).isoformat()
