"""The clock: what it sends, when, and that the machine's own time is no matter."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from worker.app import create_app
from worker.clock import HANGS, Clock
from worker.config import Config
from worker.queues import GameQueues
from worker.store.database import connect, open_database


class Sent:
    """In place of the Celery app."""

    def __init__(self) -> None:
        self.tasks: list[str] = []
        self.away = 0

    def send_task(self, name: str, expires: float) -> None:
        if self.away:
            self.away -= 1
            raise ConnectionError("the broker is away")
        self.tasks.append(name)


def made(folder: Path, **settings: Any) -> tuple[Clock, Sent]:
    sent: Any = Sent()
    return Clock(Config(home=folder, inbox=folder / "in", **settings), sent, lambda: True), sent


def test_a_sweep_is_due_at_once_and_then_after_its_time(tmp_path: Path) -> None:
    clock, sent = made(tmp_path, sweep=30.0)
    for now in (500.0, 500.2, 529.9, 530.0, 545.0, 560.1):
        clock.tick(now)
    assert sent.tasks == ["hexpost.sweep"] * 3


def test_a_mail_in_the_maildir_is_taken_in_at_the_next_tick(tmp_path: Path) -> None:
    clock, sent = made(tmp_path)
    clock.tick(1.0)
    (tmp_path / "in" / "new" / "1.mail").write_bytes(b"From: x\n\n")
    clock.tick(1.2)
    assert sent.tasks == ["hexpost.sweep", "hexpost.take_in"]


def test_a_sweep_that_could_not_be_sent_is_due_still(tmp_path: Path) -> None:
    clock, sent = made(tmp_path)
    sent.away = 2
    for now in (1.0, 1.2):
        with pytest.raises(ConnectionError):
            clock.tick(now)
    clock.tick(1.4)
    assert sent.tasks == ["hexpost.sweep"]


@pytest.mark.filterwarnings("ignore")
def test_it_goes_on_when_the_broker_comes_back_and_tells_whether_it_ticks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, sent = made(tmp_path, poll=0.01)
    sent.away = 3
    stopped = threading.Event()
    thread = threading.Thread(target=clock.run, args=(stopped,))
    thread.start()
    deadline = time.monotonic() + 10
    while not sent.tasks:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    stopped.set()
    thread.join()
    assert clock.alive()
    later = clock.ticked + HANGS + 1
    monkeypatch.setattr("worker.clock.time.monotonic", lambda: later)
    assert not clock.alive()


@pytest.mark.filterwarnings("ignore")  # another application of this process has the same tasks
def test_looks_into_the_maildir_do_not_pile_up_while_nobody_takes_mails_in(
    tmp_path: Path, redis: Redis, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(home=tmp_path, inbox=tmp_path / "in", broker=broker, database=f"sqlite:///{tmp_path / 'x.db'}")
    app = create_app(config)
    clock = Clock(config, app, GameQueues(redis, 1.0).want_look)
    (tmp_path / "in" / "new" / "1.mail").write_bytes(b"From: x\n\n")

    def asked() -> int:
        for _ in range(50):
            clock.tick(1.0)
        names = [json.loads(one)["headers"]["task"] for one in redis.lrange("hexpost", 0, -1)]
        return names.count("hexpost.take_in")

    assert asked() == 1
    database = connect(config.database)  # it has no tables, and never will: as one that is away
    look = app.tasks["hexpost.take_in"]
    monkeypatch.setattr("worker.app.open_database", lambda _: database)
    assert look.apply().state == "FAILURE"
    assert asked() == 1  # the failure asked for nothing, and the clock leaves it alone for a while
    assert 4000 < redis.pttl("hexpost:look") <= 5000
    schema_made = open_database(config.database)
    schema_made.dispose()
    redis.delete("hexpost:look")
    assert asked() == 2
    assert look.apply().state == "SUCCESS"
    assert list((tmp_path / "in" / "new").iterdir()) == []
    (tmp_path / "in" / "new" / "2.mail").write_bytes(b"From: y\n\n")
    assert asked() == 3  # at once
    database.dispose()
