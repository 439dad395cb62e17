"""What a caller of a door or a service can cost: size of line, headers and body, and time, however slowly he sends or reads."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from services.mail.spool import Spool
from tests.mail.hooked import SECRET
from worker.config import Config, inherited_environment
from worker.hosting import doors
from worker.hosting.processes import start, stop, wait_until
from worker.store.database import open_database

TIME = 2
TOKEN = "a-token-for-this-test"
pytestmark = pytest.mark.timeout(180)


@dataclass(frozen=True)
class Door:
    """A door that serves: where it listens, its folder, and how it and the other door were started."""

    port: int
    folder: Path
    commands: list[list[str]]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def ask(self, request: bytes) -> bytes:
        """The whole answer to some bytes."""
        with self.connect() as client:
            with suppress(OSError):  # it may hang up while we send
                client.sendall(request)
            return _rest(client)


def _rest(client: socket.socket) -> bytes:
    found = b""
    with suppress(OSError):
        while data := client.recv(100_000):
            found += data
    return found


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def opened(folder: Path) -> Iterator[Door]:
    """The door of the webhooks and that of the links as ``hexpost serve`` starts them, but that each request may take ``TIME`` seconds."""
    port = free_port()
    config = Config(home=folder, database=f"sqlite:///{folder / 'journal.db'}", artifacts=folder / "artifacts", spool=folder / "spool")
    config = replace(config, hooks=f"127.0.0.1:{port}", hook_orders=SECRET, token=TOKEN)
    config = replace(config, links=f"127.0.0.1:{free_port()}", link_base="https://play.example.org")
    open_database(config.database).dispose()
    started: list[list[str]] = []
    processes: dict[str, subprocess.Popen[bytes]] = {}

    def hurried(name: str, command: list[str], log: Path, env: dict[str, str]) -> subprocess.Popen[bytes]:
        at = command.index("--timeout") + 1
        started.append(command)
        return start(name, [*command[:at], str(TIME), *command[at + 1 :]], log, env)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doors, "start", hurried)
        patch.setattr(doors, "start_intake", lambda config, logs: None)
        doors.start_doors(config, folder / "log", processes)
    try:
        yield Door(port, folder, started)
    finally:
        for process in processes.values():
            if process is not None:
                stop(process)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with opened(tmp_path_factory.mktemp("door")) as found:
        yield found


def alive(door: Door) -> bool:
    return door.ask(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200")


def test_at_both_doors_a_request_has_a_minute(door: Door) -> None:
    assert [command[command.index("--timeout") + 1] for command in door.commands] == ["60", "60"]
    assert [command[command.index("--worker-class") + 1] for command in door.commands] == ["worker.hosting.doorkeeper.Doorkeeper"] * 2


def test_callers_who_send_a_byte_now_and_then_are_left_and_hold_nobody_up(door: Door) -> None:
    began = monotonic()
    slow = [door.connect() for _ in range(10)]  # more than it has threads
    for number, client in enumerate(slow):
        client.sendall(b"POST /v1/hooks/orders HTTP/1.1\r\nHost: x\r\n" + (b"Content-Length: 1000\r\n\r\n" if number % 2 else b"X-"))
    left = set(slow)
    while left and monotonic() - began < 40:
        sleep(0.2)
        for client in list(left):
            try:
                client.sendall(b"a")
                client.setblocking(False)
                with suppress(BlockingIOError):
                    if not client.recv(1000):
                        left.discard(client)
                client.setblocking(True)
            except OSError:
                left.discard(client)
    assert not left
    assert monotonic() - began < 10 * TIME + 10
    assert alive(door)
    for client in slow:
        client.close()


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /" + b"a" * 5_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"414"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(200)) + b"\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 10_000 + b"\r\n\r\n", b"431"),
        (b"POST /v1/hooks/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", b""),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"400"),
        (b"rubbish\r\n\r\n", b"400"),
    ],
)
def test_what_is_larger_or_other_than_a_request_may_be_is_refused(door: Door, request_: bytes, status: bytes) -> None:
    answer = door.ask(request_)
    found = answer.split(b" ", 2)[1] if answer.startswith(b"HTTP/1.1 ") else b""
    assert found == status or (not status and found in (b"413", b"405", b"404")), answer[:200]
    assert alive(door)


def test_a_body_that_is_cut_off_by_the_end_of_its_time_is_no_message(door: Door) -> None:
    with door.connect() as client:
        client.sendall(b"POST /v1/hooks/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{}")
        answer = _rest(client)
    assert b" 200 " not in answer.partition(b"\r\n")[0]
    assert list(Spool(door.folder / "spool").waiting(9, 10**6)) == []
    assert alive(door)


def test_a_service_ends_a_request_that_takes_too_long_and_goes_on(tmp_path: Path) -> None:
    # the services are for the worker alone: one request at a time, and gunicorn replaces a process that hangs
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", "1", "--no-control-socket"]
    env = inherited_environment() | {"HEXPOST_SERVICE_TOKEN": TOKEN}
    process = start("mail", [*command, "--timeout", str(TIME), "worker.local:mail_app()"], tmp_path / "log", env)
    service = Door(port, tmp_path, [command])
    try:
        wait_until(lambda: _listens(port), {"mail": process}, tmp_path)
        assert alive(service)
        with service.connect() as slow:
            slow.sendall(b"POST /v1/orders/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
            began = monotonic()
            _rest(slow)
            assert monotonic() - began < 20 * TIME
        assert alive(service)
    finally:
        stop(process)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
    except OSError:
        return False
    return True
