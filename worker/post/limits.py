"""How much is taken from a side, and answered about a game, in an hour, whoever writes: what two robots can do, and a flood."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select

from worker.canonical import Json
from worker.commands.store import Lobby
from worker.hosting.alerts import Alert, entering
from worker.ports import Ports
from worker.store.database import reading
from worker.store.records import STRAY, Closing, Game, Message
from worker.store.tables import heard

ANSWERS = frozenset(("receipt", "explain", "confirm", "answer"))
"""The kinds of mail that answer one that came in."""
A_STRANGERS = 3
"""Answers that somebody who plays nowhere gets in a day."""


def taken_from(ports: Ports, game: Game | Lobby, seen_as: Json, message: Message) -> Json:
    """The verdict on a mail of a side, or the refusal of one beyond what a side may send in an hour; the first of those is answered."""
    sure = and_(heard.c.sure.is_(True), heard.c.side == seen_as.get("side"))
    count = _count(ports, game.id, message.received_at, 1, sure)
    if count < ports.config.mails_hour:
        return seen_as
    reply = "explain" if count == ports.config.mails_hour else "none"
    return {**seen_as, "verdict": "refuse:too-many", "reply": reply, "lines": [], "commands": [], "confirms": None, "denies": None}


def share(answers_hour: int, sides: int) -> int:
    """How many answers of an hour are each side's, and everybody's who is of none: together no more than a game may have.

    Each has its own, for the other side must not learn from what it gets how much one has written.
    """
    return max(1, answers_hour // (sides + 1))


def within(ports: Ports, message: Message, sender: str, closing: Closing, home: Game | Lobby | None, *, sure: bool) -> Closing:
    """``closing`` with the entry that the limits are counted by, and without the answers to its mail that are one too many.

    ``home``: what the mail is about.  ``sure``: it is surely its side's.
    """
    answers = [one for one in closing.intents if one.data["kind"] in ANSWERS]
    side = answers[0].side if answers else closing.side
    at = message.received_at
    theirs = and_(heard.c.answered.is_(True), heard.c.side.is_(None) if side is None else heard.c.side == side)
    most = share(ports.config.answers_hour, len(home.sides)) if home is not None else ports.config.answers_hour
    full = bool(answers) and _count(ports, closing.game, at, 1, theirs) >= most
    stranger = bool(answers) and closing.game == STRAY
    if full or (stranger and _count(ports, STRAY, at, 24, and_(theirs, heard.c.sender == sender)) >= A_STRANGERS):
        answers = []
        closing = replace(closing, intents=tuple(one for one in closing.intents if one.data["kind"] not in ANSWERS))
    if full:
        alert = Alert("answers-limit", f"{closing.game} {at[:13]}", at, closing.game if closing.game != STRAY else None)
        closing = replace(closing, also=(*closing.also, entering(ports.config, alert)))
    row = {"message": message.id, "game": closing.game, "side": side, "sender": sender[:254] or None}
    row |= {"at": at, "sure": sure, "answered": bool(answers)}

    def write(connection: Connection) -> None:
        connection.execute(insert(heard).values(row))

    return replace(closing, also=(*closing.also, write))


def _count(ports: Ports, game: str, at: str, hours: int, where: ColumnElement[bool]) -> int:
    """How many such mails of a game there were in the hours before a moment."""
    since = (datetime.fromisoformat(at) - timedelta(hours=hours)).isoformat()
    query = select(func.count()).where(heard.c.game == game, heard.c.at > since, where)
    with reading(ports.journal.engine) as connection:
        return int(connection.scalar(query) or 0)
