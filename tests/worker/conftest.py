"""A real Redis-compatible server for the session, and a worker over toy services whose wake-ups the test runs by hand."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from redis import Redis
from sqlalchemy import Engine

from tests.worker.fakes import ANN, BRUNO, RealMail, ToyMail, ToyRender, ToyRules, headers
from tests.worker.postgresql import Server, serving
from worker import drain
from worker.app import redis_url
from worker.commands import store
from worker.commands.store import Lobby
from worker.config import Config
from worker.hosting.processes import stop
from worker.local import local_mail
from worker.play.games import new_game
from worker.ports import Ports
from worker.post.inboxes import MaildirInbox
from worker.post.outgoing import RecordingSender
from worker.queues import GameQueues
from worker.serve import Running, _start_broker
from worker.store import database as databases
from worker.store.artifacts import ArtifactStore
from worker.store.database import open_database
from worker.store.journal import Journal
from worker.store.outbox import Outbox

SECRET = "5a" * 32
NOW = "2026-03-27T20:14:09+00:00"


@pytest.fixture(autouse=True, scope="session")
def _no_power_cut() -> Iterator[None]:
    """Processes die here, not the machine: waiting for the disk at each of some thousand commits would prove nothing more, and on a
    busy disk it takes longer than a test may.
    """

    def hurried(connection: Any, record: Any) -> None:
        usual(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    usual = databases._prepare
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(databases, "_prepare", hurried)
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server of this session's own."""
    home = tmp_path_factory.mktemp("broker")
    found = Running(Config(home=home), home / "log")
    url = _start_broker(found)
    yield url
    stop(found.processes["broker"])


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server of this session's own."""
    with serving() as server:
        yield server


@pytest.fixture(scope="session")
def filled(postgresql: Server) -> str:
    """The name of a PostgreSQL database that has the tables, to be copied: quicker than making them for each test."""
    name = postgresql.database()
    open_database(postgresql.url(name)).dispose()
    return name


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of a module that says ``BOTH = True``, or names them there, are run with each kind of database, where they use one."""
    both = getattr(metafunc.module, "BOTH", ())
    if "database" in metafunc.fixturenames and (both is True or metafunc.function.__name__ in both):
        metafunc.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of this test's database: SQLite's, or a PostgreSQL one that has its tables. What a test leaves open is closed."""
    engines: list[Engine] = []
    made = sqlalchemy.create_engine

    def kept(*args: Any, **kwargs: Any) -> Engine:
        engines.append(made(*args, **kwargs))
        return engines[-1]

    monkeypatch.setattr(databases, "create_engine", kept)
    name = ""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite:///{tmp_path / 'journal.db'}"
    else:
        server: Server = request.getfixturevalue("postgresql")
        name = server.database(request.getfixturevalue("filled"))
        yield server.url(name)
    for engine in engines:
        engine.dispose()
    if name:
        server.drop(name)


@pytest.fixture
def redis(broker: str) -> Iterator[Redis]:
    """The server, emptied."""
    client = Redis.from_url(redis_url(broker))
    client.flushall()
    yield client
    client.close()


@dataclass
class Desk:
    """A worker over toy services. ``woken``: wake-ups not run yet, as Celery would hold them."""

    ports: Ports
    outbox: Outbox
    queues: GameQueues
    inbox: MaildirInbox
    rules: ToyRules
    render: ToyRender
    sender: RecordingSender
    folder: Path
    woken: deque[tuple[str, str]] = field(default_factory=deque)
    count: int = 0
    now: str = NOW

    def __post_init__(self) -> None:
        self.ports = replace(self.ports, now=lambda: self.now)

    def drop(self, raw: bytes) -> None:
        """A mail server delivers a mail."""
        self.count += 1
        (self.folder / "in" / "new" / f"{self.count:04d}.mail").write_bytes(raw)

    def wake(self, game: str) -> None:
        self.woken.append(("drain", game))

    def wake_post(self, game: str) -> None:
        self.woken.append(("post", game))

    def take_in(self) -> None:
        """Poll the inbox."""
        drain.take_in(self.ports, self.inbox, self.queues, self.wake)

    def run_drain(self, game: str) -> None:
        """Handle the waiting mails of a game, and send nothing."""
        drain.drain(self.ports, self.queues, game, self.wake)

    def run(self) -> None:
        """Poll, then run wake-ups until none is left."""
        self.take_in()
        while self.woken:
            what, game = self.woken.popleft()
            if what == "drain":
                drain.drain(self.ports, self.queues, game, self.wake)
                self.wake_post(game)
            else:
                drain.post(self.ports, self.outbox, self.queues, game)

    def sweep(self) -> None:
        """Refill the queues from the journal, then run."""
        drain.refill(self.ports, self.outbox, self.queues, self.wake, self.wake_post)
        drain.pass_deadlines(self.ports, self.queues, self.wake)
        drain.keep_time(self.ports, self.queues, self.wake, self.wake_post)
        self.run()

    def sweep_quietly(self) -> None:
        """Sweep; what fails is left for the next one, as Celery would leave it."""
        try:
            self.sweep()
        except Exception:
            self.woken.clear()

    def start(self, axis: str = ANN, allied: str = BRUNO) -> str:
        """Start a toy game and send its first mails; its id."""
        game = new_game(self.ports, "toy/one", {"axis": [axis], "allied": [allied]}, {}, SECRET)
        self.wake_post(game.id)
        self.run()
        return game.id

    def configure(self, **settings: Any) -> None:
        """Other settings from now on."""
        self.ports = replace(self.ports, config=replace(self.ports.config, **settings))

    def lobby(self, key: str) -> Lobby | None:
        """A game that waits for players."""
        return store.lobby(self.ports.journal.engine, key)

    def mails_to(self, address: str) -> list[bytes]:
        """What was sent to somebody, in order."""
        return [raw for _, recipients, raw in self.sender.sent if address in recipients]


def make_desk(folder: Path, redis: Any, **settings: Any) -> Desk:
    """A desk over the files in ``folder``: made anew over the same folder, it is the worker after a restart."""
    config = replace(Config(home=folder, address="orders@toy.example", inbox=folder / "in", vassal=0, digest_day="never"), **settings)
    engine = open_database(config.database or f"sqlite:///{folder / 'journal.db'}")
    rules, render, sender = ToyRules(), ToyRender(), RecordingSender()
    ports = Ports(
        config=config,
        journal=Journal(engine),
        artifacts=ArtifactStore(folder / "artifacts", engine),
        rules=rules,
        mail=ToyMail(),
        render=render,
        sender=sender,
        now=lambda: NOW,
    )
    inbox = MaildirInbox(config.inbox, config.max_mail)
    return Desk(ports, Outbox(engine), GameQueues(redis, config.lease), inbox, rules, render, sender, folder)


@pytest.fixture
def desk(tmp_path: Path, redis: Redis, database: str) -> Iterator[Desk]:
    """A worker with an empty journal."""
    made = make_desk(tmp_path, redis, database=database)
    yield made
    made.ports.journal.engine.dispose()


@pytest.fixture(scope="session")
def real_mail() -> RealMail:
    """The mail service in this process."""
    return RealMail(local_mail())


@pytest.fixture
def post(desk: Desk, real_mail: RealMail) -> Desk:
    """The worker with the real mail service, and rules and pictures of the toy game."""
    desk.ports = replace(desk.ports, mail=real_mail)
    return desk


@pytest.fixture
def club(post: Desk) -> Desk:
    """A game whose game master has an address, with deadlines of three days."""
    post.configure(game_master="max@club.example", deadline_hours=72.0)
    post.start()
    return post


def reply_to(desk: Desk, address: str) -> str:
    """Where the last mail to somebody wants its answer."""
    return str(headers(desk.mails_to(address)[-1])["Reply-To"])
