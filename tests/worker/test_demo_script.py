"""The orders of the demo, played through the real rules and words in this process: each mail is answered as the demo says."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

from worker import turn
from worker.artifacts import ArtifactStore
from worker.canonical import Json
from worker.config import Config
from worker.database import open_database
from worker.deliver import deliver_next
from worker.demo_script import ADDRESSES, SCENARIO, SECRET, SESSIONS
from worker.games import new_game
from worker.journal import Journal
from worker.local import local_mail, local_rules
from worker.outbox import Outbox
from worker.outgoing import RecordingSender
from worker.ports import Ports
from worker.postbox import reply

DATE = "Fri, 27 Mar 2026 21:14:09 +0100"


class NoPictures:
    """Maps are no matter here."""

    def map(self, body: Json) -> bytes:
        return b"\x89PNG"


class Table:
    """The game of the demo without processes."""

    def __init__(self, folder: Path) -> None:
        engine = open_database(f"sqlite:///{folder / 'journal.db'}")
        config = Config(home=folder, address="orders@hexpost.example", server="mx.hexpost.example")
        self.sender = RecordingSender()
        store = ArtifactStore(folder / "artifacts", engine)
        self.journal = Journal(engine)
        self.ports = Ports(
            config, self.journal, store, local_rules(), local_mail(), NoPictures(), self.sender, lambda: "2026-01-01T00:00:00+00:00"
        )
        self.outbox = Outbox(engine)
        self.game = new_game(self.ports, SCENARIO, {side: [address] for side, address in ADDRESSES.items()}, {}, SECRET).id
        self.post()

    def post(self) -> None:
        while deliver_next(self.ports, self.outbox, self.game):
            pass

    def mails_to(self, side: str) -> list[EmailMessage]:
        found = []
        for _, recipients, raw in self.sender.sent:
            if ADDRESSES[side] in recipients:
                mail = email.message_from_bytes(raw, policy=email.policy.default)
                assert isinstance(mail, EmailMessage)
                found.append(mail)
        return found

    def play(self, number: int, side: str, orders: str) -> str:
        """Send orders; the subject of the answer without its tag."""
        raw = reply(self.mails_to(side)[-1], ADDRESSES[side], f"<{number}@player.example>", orders, DATE)
        self.journal.add_message(str(number), raw, "2026-01-01T00:00:00+00:00", self.game)
        waiting = self.journal.next_message(self.game)
        assert waiting is not None
        turn.handle(self.ports, waiting)
        self.post()
        answers = [mail for mail in self.mails_to(side) if mail["In-Reply-To"] == f"<{number}@player.example>"]
        return str(answers[0]["Subject"]).partition("] ")[2]


def test_every_mail_of_the_demo_is_answered_as_it_says_and_the_game_comes_to_its_fourth_month(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for number, session in enumerate(SESSIONS, start=1):
        subject = table.play(number, session.side, session.orders)
        assert subject.startswith(session.answer), f"mail {number}: {subject}"
    game = table.journal.game(table.game)
    assert game is not None
    assert game.turn == 4
    events = table.journal.events(table.game, -1, game.version)
    kinds = [one["kind"] for one in events]
    for kind, least in {"battle": 3, "malta": 3, "rebuilt": 2, "arrived": 1, "line_skipped": 1, "eliminated": 2}.items():
        assert kinds.count(kind) >= least, kind
    table.journal.engine.dispose()
