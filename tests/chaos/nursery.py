"""A process that has loaded what the parts of an installation are made of, and forks one when it is told to.

To load it takes a part most of a second and a half of processor, and a run of the chaos starts a dozen. What is forked is the part that
``hexpost run`` starts: the same arguments, environment, signals and log, in a process of its own that can be killed.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from worker.config import inherited_environment
from worker.hosting.processes import start, stop

LOADED = (
    "worker.app",
    "worker.clock",
    "worker.local",
    "services.rules.app",
    "services.mail.app",
    "services.render.app",
    "gunicorn.app.wsgiapp",
    "gunicorn.arbiter",
    "gunicorn.workers.sync",
    "worker.hosting.gunicorn_log",
    "celery.bin.worker",
    "celery.bin.amqp",
    "celery.apps.worker",
    "celery.concurrency.solo",
    "celery.worker.consumer",
    "celery.worker.components",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.events",
    "celery.fixups.django",
    "kombu.transport.redis",
    "psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "sqlalchemy.dialects.postgresql.psycopg",
)
_PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """A part that was forked; as much of ``subprocess.Popen`` as is needed."""

    nursery: Nursery
    pid: int
    returncode: int | None = None

    def poll(self) -> int | None:
        """How it ended, or None."""
        return self._asked("poll")

    def wait(self) -> int | None:
        """Wait until it has ended."""
        return self._asked("wait")

    def _asked(self, how: str) -> int | None:
        if self.returncode is None:
            self.returncode = self.nursery.ask({how: self.pid})
        return self.returncode


class Nursery:
    """The process, as seen by whoever has parts forked."""

    def __init__(self, line: socket.socket) -> None:
        self._file = line.makefile("rw", encoding="utf-8")

    def ask(self, request: Mapping[str, object]) -> int | None:
        """A request's answer: a number, or nothing."""
        print(json.dumps(request), file=self._file, flush=True)
        answer: int | None = json.loads(self._file.readline())
        return answer

    def start(self, command: Sequence[str], log: Path, env: Mapping[str, str]) -> Child:
        """Fork what ``command`` would run: ``python -m MODULE ARGUMENTS``."""
        assert command[:2] == [sys.executable, "-m"], command
        log.parent.mkdir(parents=True, exist_ok=True)
        pid = self.ask({"run": list(command[2:]), "log": str(log), "env": dict(env)})
        assert pid is not None
        return Child(self, pid)


@contextmanager
def nursery(log: Path) -> Iterator[Nursery]:
    """A nursery for the time of the block; what it forked ends with it."""
    ours, its = socket.socketpair()
    command = [sys.executable, "-m", "tests.chaos.nursery", str(its.fileno())]
    process = start("nursery", command, log, inherited_environment(), keep=[its.fileno()])
    its.close()
    try:
        yield Nursery(ours)
    finally:
        ours.close()
        stop(process)


def _serve(line: socket.socket) -> None:
    with line.makefile("rw", encoding="utf-8") as file:
        for request in file:
            asked = json.loads(request)
            if "run" in asked:
                pid = os.fork()
                if not pid:
                    line.detach()
                    _become(asked["run"], asked["log"], asked["env"])
                answer: int | None = pid
            else:
                ended, status = os.waitpid(asked.get("wait") or asked["poll"], 0 if "wait" in asked else os.WNOHANG)
                answer = os.waitstatus_to_exitcode(status) if ended else None
            print(json.dumps(answer), file=file, flush=True)


def _become(command: Sequence[str], log: str, env: Mapping[str, str]) -> NoReturn:
    """Be ``python -m COMMAND``."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for old, new in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(old, new)
    os.closerange(3, 256)
    ours = os.environ  # noqa: TID251  # it is set here, not read
    ours.clear()
    ours.update(env)
    warnings.simplefilter("ignore", RuntimeWarning)  # of runpy's, that the module was loaded before
    sys.argv = list(command)
    code = 1
    try:
        runpy.run_module(command[0], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    for name in LOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))
