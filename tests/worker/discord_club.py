"""A club with Discord: its double, the public door, and a worker behind it over the real rules and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from flask.testing import FlaskClient
from redis import Redis

from services.mail.app import create_hooks_app
from services.mail.config import Config as MailConfig
from services.mail.spool import Spool
from tests.worker.discord_double import Discord, Thread
from tests.worker.whole import AT, Table
from worker import drain
from worker.discord import followups
from worker.post.inboxes import Received
from worker.queues import GameQueues

START = datetime.fromisoformat(AT).timestamp()
DEFERRED = {"type": 5, "data": {"flags": 64}}


class SpoolOf:
    """The spool as the worker's intake sees it."""

    def __init__(self, spool: Spool) -> None:
        self.spool = spool

    def unread(self) -> Iterator[Received]:
        yield from [Received(f"spool:{one.origin}:{one.id}", one.raw) for one in self.spool.waiting(100, 10_000_000)]

    def acknowledge(self, place: str) -> None:
        self.spool.remove(place.rpartition(":")[2])


@dataclass
class Club:
    """Discord, the public door, and a worker behind it with the real rules and words."""

    discord: Discord
    table: Table
    queues: GameQueues
    inbox: SpoolOf

    def at(self, seconds: float) -> None:
        """The clocks stand so long after the beginning."""
        self.discord.now = START + seconds
        moment = datetime.fromtimestamp(self.discord.now, UTC).isoformat()
        self.table.ports = replace(self.table.ports, now=lambda: moment)

    def work(self) -> None:
        """The worker does all that there is."""
        ports = self.table.ports
        woken: list[str] = []
        drain.take_in(ports, self.inbox, self.queues, woken.append)
        for game in dict.fromkeys(woken):
            drain.drain(ports, self.queues, game, woken.append)
        for game in self.table.outbox.games():
            self.table.post(game)
        followups.answer(ports, self.queues, self.discord)

    def link(self, user: str, side: str) -> Thread:
        """A player links his account."""
        self.table.play(1000 + len(self.table.sender.sent), side, "LINK")
        body = self.table.mails_to(side)[-1].get_body(("plain",))
        assert body is not None
        found = re.search(r"ACCEPT ([a-z0-9]{14})\b", body.get_content())
        assert found
        thread = self.discord.give(user, "link", code=found.group(1))
        self.work()
        return thread


def open_club(folder: Path, redis: Redis) -> Club:
    """A club whose game has begun."""
    table = Table(folder)
    discord = Discord(FlaskClient(lambda *_: []), START)
    config = MailConfig(spool=folder / "spool", hooks={"discord": discord.public_key}, server="mx.hexpost.example")
    discord.door = create_hooks_app(config, now=lambda: discord.now).test_client()
    return Club(discord, table, GameQueues(redis, 60.0), SpoolOf(Spool(folder / "spool")))
