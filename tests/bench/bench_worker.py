"""The worker: the command's start, the journal, and a mail's way through the whole pipeline with every service running."""

from __future__ import annotations

import atexit
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from sqlalchemy import insert

from tests.bench.harness import Bench
from worker.app import create_app, make_parts
from worker.config import Config
from worker.play.games import new_game
from worker.post.postbox import Postbox, reply
from worker.serve import running
from worker.store.database import open_database, writing
from worker.store.tables import messages

_stack = ExitStack()
atexit.register(_stack.close)


def benches() -> list[Bench]:
    """The command, one durable append, and mail to reply, warm."""
    folder = Path(_stack.enter_context(tempfile.TemporaryDirectory(prefix="hexpost-bench-")))
    return [
        Bench("worker: hexpost --help", 0.5, "s", _help, repeat=10),
        Bench("worker: journal append, one commit", 1, "ms", _append(folder), repeat=300),
        Bench("worker: mail to reply with map, warm", 1, "s", _mail_to_reply(folder), repeat=10),
    ]


def _help() -> None:
    subprocess.run([sys.executable, "-m", "worker.cli", "--help"], check=True, capture_output=True)


def _append(folder: Path) -> Callable[[], object]:
    engine = open_database(f"sqlite:///{folder / 'append.db'}")
    numbers = itertools.count()

    def run() -> None:
        row = {"place": str(next(numbers)), "raw": b"x" * 1400, "received_at": "2026-01-01T00:00:00+00:00", "game": "G1"}
        with writing(engine) as connection:
            connection.execute(insert(messages).values(**row, status="new", attempts=0))

    return run


def _mail_to_reply(folder: Path) -> Callable[[], object]:
    config = Config(home=folder / "server", address="orders@hexpost.example", poll=0.02)._settled(folder)
    found = _stack.enter_context(running(config))
    box = Postbox(config.inbox, config.outbox)
    game = new_game(
        make_parts(found.config).ports, "holdfast/campaign-1", {"axis": ["a@player.example"], "allied": ["b@player.example"]}, {}
    )
    create_app(found.config).send_task("hexpost.post", (game.id,))
    start = box.wait_for("a@player.example")
    numbers = itertools.count()

    def run() -> None:
        own = f"<bench-{next(numbers)}@player.example>"
        # Standing orders are done at once and leave the game where it is, so that each run is like the one before.
        box.deliver(reply(start, "a@player.example", own, "STANDING ON LOSSES LOSE PAVIA\nEND", format_datetime(datetime.now(UTC))))
        box.wait_for("a@player.example", own)

    return run
