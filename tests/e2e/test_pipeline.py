"""The whole pipeline with its real parts: Maildir, SQLite, a Redis-compatible server, Celery, the three services over HTTP."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest
from redis import Redis

from worker.app import create_app, make_parts, redis_url
from worker.canonical import Json
from worker.config import Config
from worker.games import new_game
from worker.postbox import Postbox, parts, reply
from worker.serve import Running, running

SECRET = "c0ffee" + "0" * 58
PLAYERS = {"axis": "axis@player.example", "allied": "allied@player.example"}
DATE = "Fri, 27 Mar 2026 21:14:09 +0100"

SESSIONS = (
    ("axis", "COMMIT 0"),
    ("axis", "MOVE 21PZ TO 0509 BY ROAD\nMOVE ARIETE TO Tobruk"),
    ("axis", "MOVE 21PZ TO 0509 BY ROAD\nIF 0805 HELD BY ALLIED MOVE PAVIA TO 0409 BY ROAD"),
    ("axis", "DONE TURN AUTO"),
    ("allied", "MOVE 2ARM 0705"),
    ("allied", "DONE TURN"),
)


@dataclass
class Installation:
    """A running server, its game, and the players' end of the post."""

    found: Running
    box: Postbox
    sent: int = 0

    def write(self, side: str, orders: str) -> tuple[bytes, str]:
        """An orders mail in reply to the last one that the side got, and its Message-ID."""
        self.sent += 1
        self.box.look()
        own = f"<{self.sent}@{side}.example>"
        return reply(self.box.mails_to(PLAYERS[side])[-1], PLAYERS[side], own, f"{orders}\nEND", DATE), own

    def play(self, side: str, orders: str) -> EmailMessage:
        """Send orders and wait for the answer."""
        raw, own = self.write(side, orders)
        self.box.deliver(raw)
        return self.box.wait_for(PLAYERS[side], own)

    def wait_until_idle(self) -> None:
        """Wait until no mail waits to be handled or to leave."""
        worker = make_parts(self.found.config)
        deadline = time.monotonic() + 20
        while worker.ports.journal.waiting_messages() or worker.outbox.games() or any(worker.inbox.unread()):
            assert time.monotonic() < deadline, "mails still wait"
            time.sleep(0.05)
        worker.ports.journal.engine.dispose()

    def ending(self) -> tuple[list[Json], dict[str, tuple[str, bytes]]]:
        """The hash chain, and every mail sent: Message-ID, then text and map."""
        self.wait_until_idle()
        self.box.look()
        journal = make_parts(self.found.config).ports.journal
        chain = [found for _, _, found in journal.chain("G1")]
        assert journal.broken_link("G1") is None
        journal.engine.dispose()
        mails = [mail for address in PLAYERS.values() for mail in self.box.mails_to(address)]
        said = {str(mail["Message-ID"]): (without_dates(parts(mail)[0]), b"".join(data for _, data in parts(mail)[2])) for mail in mails}
        assert len(said) == len(mails)
        return chain, said


@contextmanager
def installation(folder: Path, **services: str) -> Iterator[Installation]:
    """A server over an empty home, with one game begun. ``services``: what it need not start itself."""
    settings = {"address": "orders@desk.example", "poll": "0.02", "sweep": "0.5", "lease": "2", "scale": "600", **services}
    env = {"HEXPOST_HOME": str(folder)} | {f"HEXPOST_{key.upper()}": value for key, value in settings.items()}
    with running(Config.load(None, env)) as found:
        worker = make_parts(found.config)
        game = new_game(worker.ports, "holdfast/campaign-1", {side: [address] for side, address in PLAYERS.items()}, {}, SECRET)
        worker.ports.journal.engine.dispose()
        create_app(found.config).send_task("hexpost.post", (game.id,))
        box = Postbox(found.config.inbox, found.config.outbox)
        for address in PLAYERS.values():
            box.wait_for(address)
        yield Installation(found, box)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation in which nothing goes wrong, all sessions played."""
    with installation(tmp_path_factory.mktemp("calm")) as found:
        for side, orders in SESSIONS:
            found.play(side, orders)
        yield found


@contextmanager
def frozen(process: int) -> Iterator[None]:
    """A process and its children stand still for a while: whoever asks them waits in the middle of his work."""
    family = [*children(process), process]
    for one in family:
        os.kill(one, signal.SIGSTOP)
    try:
        yield
    finally:
        for one in family:
            os.kill(one, signal.SIGCONT)


def without_dates(text: str) -> str:
    """A mail's text without the line of the player's quotation that says when the quoted mail was written."""
    return "\n".join(line for line in text.splitlines() if "hexpost wrote:" not in line)


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def wait_for_lease(shaken: Installation) -> None:
    """Wait until a worker is in the middle of the game's work."""
    redis = Redis.from_url(redis_url(shaken.found.config.broker))
    deadline = time.monotonic() + 10
    while not redis.exists("hexpost:lease:G1"):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    time.sleep(0.1)


def quietly(shaken: Installation, raw: bytes, rules: int) -> None:
    """The mail arrives."""
    shaken.box.deliver(raw)


def doubled(shaken: Installation, raw: bytes, rules: int) -> None:
    """The mail arrives twice."""
    shaken.box.deliver(raw)
    shaken.box.deliver(raw)


def killed(shaken: Installation, raw: bytes, rules: int) -> None:
    """``kill -9`` of the worker in the middle of the task."""
    with frozen(rules):
        shaken.box.deliver(raw)
        wait_for_lease(shaken)
        shaken.found.processes["worker"].kill()
        shaken.found.processes["worker"].wait()
    shaken.found.restart_worker()


def flushed(shaken: Installation, raw: bytes, rules: int) -> None:
    """All that Redis knows is lost in the middle of the task: queues, leases, Celery's own messages."""
    with frozen(rules):
        shaken.box.deliver(raw)
        wait_for_lease(shaken)
        Redis.from_url(redis_url(shaken.found.config.broker)).flushall()


def flushed_at_once(shaken: Installation, raw: bytes, rules: int) -> None:
    """The mail arrives, and whatever was made of it in Redis by then is lost."""
    shaken.box.deliver(raw)
    Redis.from_url(redis_url(shaken.found.config.broker)).flushall()


TROUBLES = (quietly, doubled, killed, flushed, flushed_at_once, doubled)


def test_a_killed_worker_a_doubled_mail_and_a_flushed_queue_change_nothing(tmp_path: Path, calm: Installation) -> None:
    chain, mails = calm.ending()
    assert len(chain) == 6  # the start and five packets; one was refused
    config, rules = calm.found.config, calm.found.processes["rules"].pid
    with installation(tmp_path, rules=config.rules, mail=config.mail, render=config.render, token=config.token) as shaken:
        for (side, orders), trouble in zip(SESSIONS, TROUBLES, strict=True):
            raw, own = shaken.write(side, orders)
            trouble(shaken, raw, rules)
            shaken.box.wait_for(PLAYERS[side], own)
        assert shaken.ending() == (chain, mails)


def test_the_reply_tells_and_shows_what_was_done(calm: Installation) -> None:
    _, mails = calm.ending()
    texts = [text for text, _ in mails.values()]
    assert any("21st Panzer" in text for text in texts)
    assert sum(1 for _, picture in mails.values() if picture.startswith(b"\x89PNG")) >= 6
