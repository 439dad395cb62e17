"""Links to files that had no room in a mail: each for one addressee, with a token that nobody can guess; it expires and can be revoked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, insert, select, update

from worker.canonical import Json
from worker.ports import Ports
from worker.secrets import link_token
from worker.store.database import reading, writing
from worker.store.records import UNSENT, Game, Outgoing, Write
from worker.store.tables import links, outbox, writers

PATH = "/files/"
BOARD = "board"
"""The name of a link that opens a live board (worker/board) and no file."""
REPORTS = ("start", "receipt", "turn")
"""Kinds of mails that tell of the game."""


@dataclass(frozen=True, slots=True)
class Large:
    """A file without room in its mail. ``kind``: what it is, as for a picture or a file for VASSAL."""

    kind: str
    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it stands. ``sha``: the artifact; ``expires``: ISO 8601, UTC."""

    token: str
    game: str
    side: str
    address: str
    sha: str
    name: str
    mime: str
    expires: str
    revoked: bool

    def open_at(self, now: str) -> bool:
        """Whether it gives its file at that time."""
        return not self.revoked and datetime.fromisoformat(now) < datetime.fromisoformat(self.expires)


def publish(ports: Ports, game: Game, waiting: Outgoing, files: Iterable[Large]) -> Json:
    """Make the links of a mail; what its wording must know of them. Made again, it has the same links, and a closed one stays so."""
    rows, described = [], []
    for one in files:
        row = row_of(ports, game, waiting, one.name) | {"sha": ports.artifacts.put(one.kind, one.data), "mime": one.mime}
        rows.append(row)
        url = ports.config.link_base.rstrip("/") + PATH + row["token"]
        described.append({"kind": one.kind, "name": one.name, "url": url, "size": len(one.data)})
    if not rows:
        return {}
    enter(ports, rows)
    return {"links": described, "links_until": rows[0]["expires"]}


def row_of(ports: Ports, game: Game, waiting: Outgoing, name: str) -> Json:
    """The row of a link in a mail, but for what it shows (``sha``, ``mime``)."""
    expires = (datetime.fromisoformat(waiting.data["date"]) + timedelta(days=ports.config.link_days)).isoformat()
    token = link_token(game.secret, game.id, waiting.key, waiting.data["to"], name)
    whose = {"game": game.id, "side": waiting.side, "address": waiting.data["to"]}
    return {"token": token, "name": name, "expires": expires, "revoked": False} | whose


def enter(ports: Ports, rows: list[Json]) -> None:
    """Enter links anew; one that was closed stays so."""
    with writing(ports.journal.engine) as connection:
        ours = links.c.token.in_([row["token"] for row in rows])
        closed = set(connection.execute(select(links.c.token).where(ours, links.c.revoked)).scalars())
        connection.execute(delete(links).where(ours))
        connection.execute(insert(links), [row | {"revoked": row["token"] in closed} for row in rows])


def find(engine: Engine, token: str) -> Link | None:
    """The link of a token, open or not."""
    with reading(engine) as connection:
        row = connection.execute(select(links).where(links.c.token == token)).mappings().first()
    return Link(**row) if row else None


def links_of(engine: Engine, game: str) -> list[Link]:
    """The links of a game, those that live longest first."""
    query = select(links).where(links.c.game == game).order_by(links.c.expires.desc(), links.c.address, links.c.name)
    with reading(engine) as connection:
        return [Link(**row) for row in connection.execute(query).mappings()]


def revoke(engine: Engine, game: str, address: str | None = None, token: str | None = None) -> int:
    """Close the links of a game, or of one addressee in it, or one alone; how many there were."""
    which = [links.c.game == game, links.c.revoked.is_(False)]
    which += [links.c.address == address] if address is not None else []
    which += [links.c.token == token] if token is not None else []
    with writing(engine) as connection:
        return connection.execute(update(links).where(*which).values(revoked=True)).rowcount


def revoking(game: str, side: str, *addresses: str) -> Write:
    """What closes the game to addressees that get mails of a side no more: their links, and the reports to them that have not left."""

    def write(connection: Connection) -> None:
        theirs = (links.c.game == game, links.c.side == side, links.c.address.in_(addresses))
        connection.execute(update(links).where(*theirs).values(revoked=True))
        left = (outbox.c.game == game, outbox.c.side == side, outbox.c.status.in_(("waiting", "made")))
        for key, intent in connection.execute(select(outbox.c.id, outbox.c.intent).where(*left)).all():
            if intent["kind"] in REPORTS and intent["to"] in addresses:
                connection.execute(update(outbox).where(outbox.c.id == key).values(status=UNSENT))

    return write


def revoking_writers(game: str, side: str) -> Write:
    """The same for all that write for a side without being its players."""

    def write(connection: Connection) -> None:
        theirs = select(writers.c.address).where(writers.c.game == game, writers.c.side == side)
        revoking(game, side, *connection.execute(theirs).scalars().all())(connection)

    return write
