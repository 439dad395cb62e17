"""Mails whose sender is in doubt: the registered address is asked, its answer has them carried out, and with their game-turn they lapse."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, insert, select, update

from worker import secrets
from worker.store.database import reading
from worker.store.records import Game, LostRace, Message, Write
from worker.store.tables import holds, messages, outbox, tokens

MOST_OPEN = 5
"""Questions that a side has at once. Whoever writes in its name without end does not fill its mailbox with more."""
NO_TURN = -1
"""The game-turn that the token of a question is entered with: it opens none."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A held mail about which its side was asked: by ``token`` in the reply address, in the mails of these Message-IDs."""

    message: int
    side: str
    turn: int
    token: str
    mails: tuple[str, ...] = ()


def open_holds(engine: Engine, game: str) -> list[Hold]:
    """The held mails of a game that may still be confirmed."""
    query = select(holds).where(holds.c.game == game, holds.c.status == "open").order_by(holds.c.message)
    with reading(engine) as connection:
        found = [Hold(row.message, row.side, row.turn, row.token) for row in connection.execute(query)]
        return [_with_mails(connection, game, one) for one in found]


def _with_mails(connection: Connection, game: str, hold: Hold) -> Hold:
    asked = select(outbox.c.message_id).where(outbox.c.game == game, outbox.c.key.like(f"{question_key(hold.message)}/%"))
    ids = tuple(one for one in connection.execute(asked).scalars() if one)
    return Hold(hold.message, hold.side, hold.turn, hold.token, ids)


def question_key(message: int) -> str:
    """The key, less the number of its addressee, of the mail that asks about a held one."""
    return f"m{message}/confirm"


def is_full(engine: Engine, game: str, side: str) -> bool:
    """Whether a side has as many open questions as it may."""
    return sum(one.side == side for one in open_holds(engine, game)) >= MOST_OPEN


def question(game: Game, message: Message) -> str:
    """The token of the question about a held mail."""
    return secrets.question(game.secret, game.id, message.id)


def asking(game: Game, side: str, message: Message) -> Write:
    """What enters that a side is asked about a mail."""
    token = question(game, message)
    row = {"message": message.id, "game": game.id, "side": side, "turn": game.turn, "token": token, "status": "open"}

    def write(connection: Connection) -> None:
        connection.execute(insert(holds).values(row))
        connection.execute(insert(tokens).values(token=token, game=game.id, side=side, turn=NO_TURN))

    return write


def held(engine: Engine, game: str, message: int) -> Message | None:
    """The mail of an open question."""
    query = select(messages).join(holds, holds.c.message == messages.c.id)
    query = query.where(messages.c.id == message, holds.c.game == game, holds.c.status == "open")
    with reading(engine) as connection:
        row = connection.execute(query).mappings().first()
    kept = ("id", "game", "raw", "received_at", "verdict", "place")
    return None if row is None else Message(**{key: row[key] for key in kept})


def is_answered(engine: Engine, game: str, words: Collection[str]) -> bool:
    """Whether one of some words is the token of a question that had its answer."""
    query = select(holds.c.message).where(holds.c.game == game, holds.c.token.in_(words), holds.c.status.in_(("confirmed", "denied")))
    with reading(engine) as connection:
        return connection.execute(query).first() is not None


def settling(message: int, verdict: str) -> Write:
    """What enters that a held mail was confirmed, and what it came to: from now on it is one that was taken. LostRace if it is settled."""

    def write(connection: Connection) -> None:
        settled = update(holds).where(holds.c.message == message, holds.c.status == "open").values(status="confirmed")
        if connection.execute(settled).rowcount != 1:
            raise LostRace(f"message {message} is confirmed already")
        connection.execute(update(messages).where(messages.c.id == message).values(verdict=verdict[:80]))

    return write


def denying(message: int) -> Write:
    """What enters that a held mail is nobody's. LostRace if it is settled."""

    def write(connection: Connection) -> None:
        settled = update(holds).where(holds.c.message == message, holds.c.status == "open").values(status="denied")
        if connection.execute(settled).rowcount != 1:
            raise LostRace(f"message {message} is settled already")

    return write


def lapsed(engine: Engine, game: Game) -> set[str]:
    """The sides with held mails of an earlier game-turn that were not confirmed, and that were not told so."""
    return {one.side for one in open_holds(engine, game.id) if one.turn < game.turn or game.over}


def lapsing(game: Game, sides: Collection[str]) -> Write:
    """What enters that these sides are told of their held mails that have lapsed."""
    where = (holds.c.game == game.id, holds.c.status == "open", holds.c.side.in_(list(sides)))
    past = where if game.over else (*where, holds.c.turn < game.turn)

    def write(connection: Connection) -> None:
        connection.execute(update(holds).where(*past).values(status="lapsed"))

    return write


def voiding(game: str, side: str) -> Write:
    """What ends that the held mails of a side can be confirmed: its player was replaced."""

    def write(connection: Connection) -> None:
        connection.execute(
            update(holds).where(holds.c.game == game, holds.c.side == side, holds.c.status == "open").values(status="lapsed")
        )

    return write
