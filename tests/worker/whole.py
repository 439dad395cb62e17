"""The whole way of a mail in this process: the real rules and words over a journal, without queues, sockets and pictures."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Mapping
from dataclasses import replace
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

from tests.worker.fakes import ToyRender
from worker.canonical import Json
from worker.config import Config
from worker.desk.demo_script import ADDRESSES, SCENARIO, SECRET
from worker.local import local_mail, local_rules
from worker.play.games import new_game
from worker.ports import Mail, Ports, Render, Rules
from worker.post import received
from worker.post.context import queue_of
from worker.post.deliver import deliver_next
from worker.post.outgoing import RecordingSender
from worker.post.postbox import reply
from worker.store.artifacts import ArtifactStore
from worker.store.database import open_database
from worker.store.journal import Journal
from worker.store.outbox import Outbox

AT = "2026-01-01T00:00:00+00:00"
DATE = "Fri, 27 Mar 2026 21:14:09 +0100"


@cache
def services() -> tuple[Rules, Mail]:
    """Rules and mail, which keep nothing between calls: made once for every table."""
    return local_rules(), local_mail()


class Table:
    """The game of the demo, or another, without processes. ``addresses``: those of its sides; ``more``: other settings."""

    def __init__(
        self,
        folder: Path,
        rules: Rules | None = None,
        render: Render | None = None,
        animation: str = "webp",
        *,
        scenario: str = SCENARIO,
        addresses: Mapping[str, str] = ADDRESSES,
        options: Json | None = None,
        more: Json | None = None,
    ) -> None:
        self.addresses = addresses
        self.count = 0
        engine = open_database(f"sqlite:///{folder / 'journal.db'}")
        # Its clock stands still: no hour is over.
        settings: dict[str, Any] = {"scale": 400, "animation": animation, "vassal": 0, "answers_hour": 10_000, "mails_hour": 10_000}
        settings |= more or {}
        config = replace(Config(home=folder, address="orders@hexpost.example", server="mx.hexpost.example"), **settings)
        self.sender = RecordingSender()
        store = ArtifactStore(folder / "artifacts", engine)
        self.journal = Journal(engine)
        pictures = render or ToyRender(said=lambda kind, body: "")  # they are no matter here
        real, mail = services()
        self.ports = Ports(config, self.journal, store, rules or real, mail, pictures, self.sender, lambda: AT)
        self._read: list[EmailMessage] = []
        self.outbox = Outbox(engine)
        self.game = new_game(self.ports, scenario, {side: [address] for side, address in addresses.items()}, options or {}, SECRET).id
        self.post(self.game)

    def post(self, game: str) -> None:
        """Send all that waits."""
        while deliver_next(self.ports, self.outbox, game):
            pass

    def mails_to(self, side: str) -> list[EmailMessage]:
        """What a side got."""
        for _, _, raw in self.sender.sent[len(self._read) :]:
            mail = email.message_from_bytes(raw, policy=email.policy.default)
            assert isinstance(mail, EmailMessage)
            self._read.append(mail)
        sent = zip(self.sender.sent, self._read, strict=True)
        return [mail for (_, recipients, _), mail in sent if self.addresses[side] in recipients]

    def play(self, number: int, side: str, orders: str) -> str:
        """Send orders; the subject of the answer without its tag."""
        self.take(str(number), reply(self.mails_to(side)[-1], self.addresses[side], f"<{number}@player.example>", orders, DATE))
        answers = [mail for mail in self.mails_to(side) if mail["In-Reply-To"] == f"<{number}@player.example>"]
        return str(answers[0]["Subject"]).partition("] ")[2]

    def take(self, place: str, raw: bytes) -> None:
        """Journal a raw mail, handle it, and send what follows."""
        queue = queue_of(self.journal, raw)
        self.journal.add_message(place, raw, AT, queue)
        waiting = self.journal.next_message(queue)
        assert waiting is not None
        assert received.handle(self.ports, waiting) is None
        for game in self.outbox.games():
            self.post(game)
