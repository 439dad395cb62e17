"""Who is told of turns by a POST: programs of players, of their side alone, and channels, of what all may know."""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass, field

from sqlalchemy import Engine, insert, select, update

from worker.bots.calling import target_of
from worker.bots.programs import may_write
from worker.store.bottables import listeners
from worker.store.database import reading, writing
from worker.store.journal import Journal
from worker.store.records import SPECTATOR, Game

FORMS = ("standard", "slack", "matrix", "discord")
"""How one is told: as JSON that is signed after Standard Webhooks, or as the incoming webhook of a chat takes it."""
MOST = 8
"""Listeners of one player of a side; and of a game, those of channels."""


class TooMany(Exception):
    """A player, or a game's channels, have as many listeners as they may."""


@dataclass(frozen=True, slots=True)
class Listener:
    """``side``: whose view it is told, or ``SPECTATOR``; ``address``: whose it is (of a channel: empty); ``form``: of ``FORMS``.

    ``secret``: of the signature (``whsec_...``); of Discord's form the id of the channel, once it is known. ``version``: up to which the
    game was looked at for it; ``failing``: since when it has taken nothing that it was told, ISO 8601, UTC.
    """

    id: int
    game: str
    side: str
    address: str
    form: str
    url: str = field(repr=False)  # whoever has a chat's URL can write there
    secret: str = field(repr=False)
    version: int
    status: str
    failing: str | None = None


def add(engine: Engine, game: Game, side: str, address: str, form: str, url: str) -> Listener:
    """A new listener from now on. One of the same player and side at the same URL is replaced: nobody is told twice. Those of others are
    none of his business, whatever their URL: he neither closes them nor learns how many there are. Raises calling.Forbidden for a URL
    that is not called, and TooMany.
    """
    target_of(url)
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode() if form == "standard" else ""
    row = {"game": game.id, "side": side, "address": address, "form": form, "url": url, "secret": secret}
    with writing(engine) as connection:
        mine = (listeners.c.game == game.id, listeners.c.side == side, listeners.c.address == address, listeners.c.status == "open")
        connection.execute(update(listeners).where(*mine, listeners.c.url == url).values(status="closed"))
        if len(connection.execute(select(listeners.c.id).where(*mine)).all()) >= MOST:
            raise TooMany
        values = row | {"version": game.version, "status": "open"}
        key = connection.execute(insert(listeners).values(values).returning(listeners.c.id)).scalar_one()
        return Listener(id=int(key), version=game.version, status="open", **row)


def of_game(engine: Engine, game: str) -> list[Listener]:
    """The open listeners of a game, oldest first."""
    query = select(listeners).where(listeners.c.game == game, listeners.c.status == "open").order_by(listeners.c.id)
    with reading(engine) as connection:
        return [Listener(**row) for row in connection.execute(query).mappings()]


def may_be_told(journal: Journal, listener: Listener) -> bool:
    """Whether it may still be told: of a side only while whose it is writes for it."""
    if listener.status != "open":
        return False
    return listener.side == SPECTATOR or may_write(journal, listener.game, listener.side, listener.address)


def of_number(engine: Engine, number: int) -> Listener | None:
    """The listener of this number."""
    with reading(engine) as connection:
        row = connection.execute(select(listeners).where(listeners.c.id == number)).mappings().first()
    return None if row is None else Listener(**row)


def close(engine: Engine, game: str, number: int, side: str | None = None, address: str | None = None) -> bool:
    """Close a listener (of this side and address); whether there was one."""
    which = [listeners.c.game == game, listeners.c.id == number, listeners.c.status == "open"]
    which += [listeners.c.side == side] if side is not None else []
    which += [listeners.c.address == address] if address is not None else []
    with writing(engine) as connection:
        return connection.execute(update(listeners).where(*which).values(status="closed")).rowcount == 1


def settle_channel(engine: Engine, listener: Listener, channel: str) -> bool:
    """Note the channel in which a post of Discord's form arrived. False: another open listener of the game writes there already, and this
    one is closed: a channel is told once.
    """
    with writing(engine) as connection:
        here = (listeners.c.game == listener.game, listeners.c.status == "open", listeners.c.form == "discord")
        other = connection.execute(
            select(listeners.c.id).where(*here, listeners.c.secret == channel, listeners.c.id != listener.id)
        ).first()
        values = {"status": "closed"} if other else {"secret": channel}
        connection.execute(update(listeners).where(listeners.c.id == listener.id).values(values))
        return other is None
