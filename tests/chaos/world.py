"""An installation of real processes that a test may kill: Redis, the three services, two workers, a clock, and the mail server that mails
leave by; PostgreSQL, where the journal lies in it. Whatever ends is started again after a while, as systemd or Kubernetes would do it.
"""

from __future__ import annotations

import email
import email.policy
import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Protocol

import requests
from aiosmtpd.controller import Controller
from redis import Redis
from redis.exceptions import RedisError

from tests.chaos.nursery import Nursery
from tests.worker.postgresql import Server
from worker.app import READY_KEY
from worker.config import Config, inherited_environment
from worker.hosting.broker import redis_url
from worker.hosting.processes import find_broker_binary, start
from worker.post.postbox import Postbox
from worker.roles import SERVICES, gunicorn, prepared, worker_environment

WORKERS = ("worker-a", "worker-b")
SKETCHES = "sketches"
"""The render service that draws nothing, as it is named among the served ones; in a run it is ``render``."""
AGAIN = 0.3
"""Seconds after which what ended is started again, if nobody says otherwise."""
PATIENCE = 120.0
ROOM = 2_000_000_000
MEMORY = Path("/dev/shm")


class Process(Protocol):
    """What is needed of a process."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...

    def wait(self) -> int | None: ...


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder for a run, in memory if there is room: processes are killed here, not the machine, and a busy disk takes its while for
    what nobody keeps. Its path is short.
    """
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    with tempfile.TemporaryDirectory(prefix="hexpost-chaos-", dir=MEMORY if roomy else None) as folder:
        yield Path(folder)


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Sink:
    """A mail server that keeps what it takes, and when. ``down``: it takes nothing for now; ``cut``: done when it has taken the next
    mail, before it says so.
    """

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self.times: list[float] = []
        self.down = False
        self.cut: Callable[[], None] | None = None

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        envelope.rcpt_tos.append(address)
        return "421 4.3.2 Shutting down" if self.down else "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.down:
            return "421 4.3.2 Shutting down"
        self.times += [time.monotonic()] * len(envelope.rcpt_tos)  # first: a mail that is there has its time
        self.taken += [(address, bytes(envelope.content)) for address in envelope.rcpt_tos]
        cut, self.cut = self.cut, None
        if cut is not None:
            cut()
        return "250 OK"


@dataclass
class World:
    """What runs. ``due``: when each process that was ended on purpose is to be started again, by the clock that only goes forward.

    ``nursery``: forks the parts; without it each is started as a program. ``server``: PostgreSQL, where the journal lies in it.
    ``sketches``: where the render service that draws nothing is served.
    """

    config: Config
    sink: Sink | None = None
    processes: dict[str, Process] = field(default_factory=dict)
    due: dict[str, float] = field(default_factory=dict)
    stopped: dict[str, float] = field(default_factory=dict)
    nursery: Nursery | None = None
    server: Server | None = None
    database_due: float | None = None
    sketches: str = ""

    @property
    def redis(self) -> Redis:
        return Redis.from_url(redis_url(self.config.broker), socket_timeout=5)

    def command(self, name: str) -> tuple[list[str], dict[str, str]]:
        """How a process is started: as ``hexpost run`` does it."""
        if name == "redis":
            where = self.config.broker.removeprefix("redis+socket://").partition("?")[0]
            folder = str(Path(where).parent)
            command = [
                str(find_broker_binary()),
                "--port",
                "0",
                "--unixsocket",
                where,
                "--dir",
                folder,
                "--appendonly",
                "yes",
                "--save",
                "",
            ]
            return command, inherited_environment()
        role = "worker" if name.startswith("worker") else name
        listen = getattr(self.config, name).removeprefix("http://") if name in SERVICES else ""
        if name == SKETCHES or (name == "render" and self.config.render == self.sketches):
            return gunicorn(self.config, self.sketches.removeprefix("http://"), "tests.chaos.sketches:app()"), inherited_environment()
        return prepared(role, self.config, listen=listen), worker_environment(self.config, role)

    def start(self, name: str) -> None:
        """Start a process; it need not be ready."""
        self.due.pop(name, None)
        command, env = self.command(name)
        log = self.config.home / "log" / f"{name}.log"
        forked = self.nursery is not None and name != "redis"
        self.processes[name] = self.nursery.start(command, log, env) if self.nursery and forked else start(name, command, log, env)

    def kill(self, name: str, again: float = AGAIN) -> None:
        """SIGKILL for a process and its children; started ``again`` after so many seconds."""
        self.stopped.pop(name, None)
        process = self.processes.get(name)
        if process is not None:
            ended = [process.pid, *children(process.pid)]
            for one in ended:
                with suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            process.wait()
        self.due[name] = time.monotonic() + again

    def stop_database(self, again: float) -> None:
        """PostgreSQL ends at once, and every connection with it; it is started again after so many seconds."""
        assert self.server is not None
        if self.database_due is None:
            self.server.stop(signal.SIGQUIT)
        self.database_due = time.monotonic() + again

    def kill_children(self, name: str) -> None:
        """SIGKILL for what a service's master has started; it starts others."""
        for one in children(self.processes[name].pid):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)

    def freeze(self, name: str, seconds: float) -> None:
        """SIGSTOP: the process stands still, its leases run out, and it goes on after so many seconds as if nothing had been."""
        process = self.processes[name]
        if process.poll() is None and name not in self.due:
            os.kill(process.pid, signal.SIGSTOP)
            self.stopped[name] = time.monotonic() + seconds

    def tick(self) -> None:
        """Start and thaw what is due, and what has ended by itself."""
        now = time.monotonic()
        if self.server is not None and self.database_due is not None and self.database_due <= now:
            self.database_due = None
            self.server.start()
        for name, process in self.processes.items():
            if process.poll() is not None and name not in self.due:
                self.due[name] = now + AGAIN
        for name in [name for name, at in self.stopped.items() if at <= now]:
            del self.stopped[name]
            with suppress(ProcessLookupError):
                os.kill(self.processes[name].pid, signal.SIGCONT)
        for name in [name for name, at in self.due.items() if at <= now]:
            self.start(name)

    def settle(self) -> None:
        """Start whatever is down, and thaw whatever is frozen."""
        self.due = dict.fromkeys(self.due, 0.0)
        self.stopped = dict.fromkeys(self.stopped, 0.0)
        if self.database_due is not None:
            self.database_due = 0.0
        if self.sink is not None:
            self.sink.down = False
        self.tick()

    def answers(self) -> bool:
        """Whether Redis and the services answer, and a worker has said that it is ready."""
        with suppress(RedisError, OSError):
            healthy = (requests.get(f"{getattr(self.config, name)}/healthz", timeout=5).ok for name in SERVICES)
            return bool(self.redis.exists(READY_KEY)) and all(healthy)
        return False

    @property
    def whole(self) -> bool:
        """Whether nothing is down or frozen on purpose."""
        return not (self.due or self.stopped or self.database_due is not None or (self.sink is not None and self.sink.down))

    def wait_for(self, ready: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until ``ready()``; AssertionError if that takes longer, or a process ends meanwhile."""
        until = time.monotonic() + seconds
        while not ready():
            ended = [f"{name} ended with {process.returncode}" for name, process in self.processes.items() if process.poll() is not None]
            assert not ended, ended
            assert time.monotonic() < until, f"not ready after {seconds:g} s"
            time.sleep(0.02)


def children(process: int) -> list[int]:
    """The processes that a process has started and that are there still."""
    with suppress(OSError):
        return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()]
    return []


def settings(folder: Path, services: Mapping[str, str], *, smtp: int = 0, **more: Any) -> Config:
    """Settings by which everything that is tried again is so soon. ``services``: their URLs; ``smtp``: the port of a mail server; 0: mails
    leave into a folder; ``more``: others.
    """
    named: dict[str, Any] = {**services}
    named |= {"smtp": f"smtp+plain://127.0.0.1:{smtp}", "smtp_minute": 0, "smtp_pause": 1.0} if smtp else {}
    named |= {"broker": f"redis+socket://{folder}/r.sock?virtual_host=0", "database": f"sqlite:///{folder}/hexpost.db"}
    named |= {"home": folder, "artifacts": str(folder / "artifacts")} | {key: folder / key for key in ("inbox", "outbox", "spool")}
    pace = {"poll": 0.05, "sweep": 1.0, "lease": 4.0, "timeout": 20.0, "shards": 3}
    # Three game-turns in a minute are more mails than an hour has.
    small = {"scale": 400, "vassal": 0, "answers_hour": 10_000, "mails_hour": 10_000, "digest_day": "never"}
    address = {"address": "orders@hexpost.example", "server": "mx.hexpost.example", "token": "a-token-of-the-tests"}
    return Config(**{**named, **pace, **small, **address, **more})


@contextmanager
def services(folder: Path, workers: int = 1, parts: Nursery | None = None) -> Iterator[World]:
    """The three services (of so many processes each), started, and ended with the block. They keep nothing: one installation after another
    is served by them. ``parts``: forks them, and all of the installations; with it there is the one that draws nothing, too.
    """
    urls = {name: f"http://127.0.0.1:{free_port()}" for name in (*SERVICES, SKETCHES)}
    sketches = urls.pop(SKETCHES)
    found = World(settings(folder, urls, workers=workers), nursery=parts, sketches=sketches)
    try:
        for name in (*SERVICES, *([SKETCHES] if parts else [])):
            found.start(name)
        yield found
    finally:
        for name in found.processes:
            found.kill(name)


@contextmanager
def installation(
    served: World,
    folder: Path,
    *,
    smtp: bool = False,
    drawn: bool = True,
    workers: Sequence[str] = WORKERS,
    server: Server | None = None,
    **more: Any,
) -> Iterator[World]:
    """Everything over ``folder``, started and ready. Its path must be short: a socket lies in it. The services live on after the block.
    ``drawn``: whether maps are drawn; ``workers``: their names; ``server``: PostgreSQL; ``more``: other settings.
    """
    sink = Sink() if smtp else None
    controller = Controller(sink, "127.0.0.1", free_port(), ident="chaos") if sink else None
    urls = {name: str(getattr(served.config, name)) for name in SERVICES} | ({} if drawn else {"render": served.sketches})
    config = settings(folder, urls, smtp=controller.port if controller else 0, **more)
    using = {name: served.processes[SKETCHES if name == "render" and not drawn else name] for name in SERVICES}
    found = World(config, sink, dict(using), nursery=served.nursery, server=server, sketches=served.sketches)
    try:
        if controller is not None:
            controller.start()
        found.start("redis")
        found.wait_for(lambda: _pings(found))
        for name in (*workers, "clock"):
            found.start(name)
        found.wait_for(found.answers)
        yield found
    finally:
        found.settle()
        for name in set(found.processes) - set(SERVICES):
            found.kill(name)
        served.processes |= {SKETCHES if name == "render" and not drawn else name: found.processes[name] for name in SERVICES}
        if controller is not None:
            controller.stop(no_assert=True)


def _pings(found: World) -> bool:
    with suppress(RedisError, OSError):
        return bool(found.redis.ping())
    return False


class Post:
    """The players' end of the mails: what has arrived, by Message-ID, and how often each came."""

    def __init__(self, found: World) -> None:
        self.world = found
        self.box = Postbox(found.config.inbox, found.config.outbox)
        self.arrived: dict[str, EmailMessage] = {}
        self.copies: list[tuple[str, str]] = []
        self.times: list[float] = []
        self.raw: dict[str, bytes] = {}
        self._seen = 0

    def look(self) -> None:
        """Take what has arrived since the last look."""
        for to, raw, at in self._fresh():
            mail = _parsed(raw)
            key = str(mail["Message-ID"]).strip()
            self.copies.append((to, key))
            self.times.append(at)
            self.arrived.setdefault(key, mail)
            assert self.raw.setdefault(key, raw) == raw, f"two mails of one Message-ID: {key}"

    def _fresh(self) -> Sequence[tuple[str, bytes, float]]:
        if (sink := self.world.sink) is not None:
            taken = sink.taken[self._seen :]
            found = [(to, raw, sink.times[self._seen + n]) for n, (to, raw) in enumerate(taken)]
        else:
            found = [(str(mail["To"]), mail.as_bytes(), time.monotonic()) for mail in self.box.look()]
        self._seen += len(found)
        return found


def _parsed(raw: bytes) -> EmailMessage:
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return mail
