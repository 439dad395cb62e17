"""A real PostgreSQL server for a test session, from the distribution's package, in a temporary folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

# Processes are killed in tests, not the machine: what a process wrote is there, whether the disk has it or not.
_QUICK = {"fsync": "off", "full_page_writes": "off", "max_connections": "60", "shared_buffers": "32MB", "log_min_messages": "fatal"}
_USER = "hexpost"
ROOM = 2_000_000_000


def binaries() -> Path:
    """Where ``initdb`` and ``postgres`` lie: the newest of Debian's folders, or what is on the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = shutil.which("initdb")
    if not debian and found is None:
        raise AssertionError("the tests need PostgreSQL's server (Debian, Ubuntu: apt-get install postgresql)")
    return debian[-1].parent if debian else Path(str(found)).resolve().parent


class Server:
    """A server on a Unix socket. As root it runs as a user without rights: PostgreSQL refuses root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._bin = binaries()
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0
        self._as: list[str] = []
        if os.getuid() == 0:
            who = next(one for one in ("postgres", "nobody") if _exists(one))
            shutil.chown(folder, who)
            self._as = ["setpriv", f"--reuid={who}", "--regid", str(pwd.getpwnam(who).pw_gid), "--clear-groups", "--pdeathsig", "INT"]
        command = [*self._as, str(self._bin / "initdb"), "-D", str(folder / "data"), "-U", _USER, "-A", "trust"]
        subprocess.run([*command, "-E", "UTF8", "--locale=C", "--no-sync"], check=True, capture_output=True, cwd=folder)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [word for name, value in _QUICK.items() for word in ("-c", f"{name}={value}")]
        command = [
            *self._as,
            str(self._bin / "postgres"),
            "-D",
            str(self.folder / "data"),
            "-k",
            str(self.folder),
            "-c",
            "listen_addresses=",
        ]
        with open(self.folder.parent / f"{self.folder.name}.log", "ab") as log:
            self._process = subprocess.Popen([*command, *settings], stdout=log, stderr=log, cwd=self.folder)
        for _ in range(400):
            try:
                self.run("SELECT 1")
            except psycopg.OperationalError:
                assert self._process.poll() is None, "PostgreSQL ended at once"
                time.sleep(0.02)
            else:
                return
        raise AssertionError("PostgreSQL does not answer")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT ends every connection, SIGQUIT does not even write its files."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(20)

    def run(self, *statements: str) -> None:
        """Carry out statements, each by itself."""
        with psycopg.connect(host=str(self.folder), user=_USER, dbname="postgres", autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def database(self, template: str = "template0") -> str:
        """A new database, a copy of ``template``; its name."""
        self._made += 1
        name = f"t{self._made}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, database: str) -> None:
        """A database is needed no more."""
        self.run(f"DROP DATABASE {database} WITH (FORCE)")

    def url(self, database: str) -> str:
        """As the setting ``database`` takes it."""
        return f"postgresql://{_USER}@/{database}?host={self.folder}"


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


@contextmanager
def serving() -> Iterator[Server]:
    """A server that runs for the time of the block."""
    memory = Path("/dev/shm")  # a busy disk takes seconds for what nobody keeps
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    folder = Path(tempfile.mkdtemp(prefix="hexpost-pg-", dir=memory if roomy else None))  # a socket's path must be short
    try:
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        folder.with_name(f"{folder.name}.log").unlink(missing_ok=True)
