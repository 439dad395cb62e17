"""The processes of ``hexpost serve`` at the outside: webhooks and LMTP of the mail service, the worker's intake and links."""

from __future__ import annotations

import socket
import sys
from functools import partial
from pathlib import Path
from subprocess import Popen

from worker.config import Config
from worker.hosting.processes import start, wait_until
from worker.roles import THREADS, gunicorn, worker_environment

DOORS = ("hooks", "lmtp", "links", "metrics", "api")
INTAKE = "intake"


def start_doors(config: Config, logs: Path, processes: dict[str, Popen[bytes]]) -> None:
    """Add to ``processes`` what the settings ask for; the doors answer when this returns. Raises CannotServe.

    ``config``: with every URL filled in.
    """
    apps = {"hooks": "worker.local:hooks_app()", "links": "worker.web:links_app()", "metrics": "worker.hosting.metrics:metrics_app()"}
    apps["api"] = "worker.api.app:api_app()"
    for name, app in apps.items():
        if place := getattr(config, name):
            command = gunicorn(config, place, app, *THREADS)
            processes[name] = start(name, command, logs / f"{name}.log", worker_environment(config, name))
    if config.lmtp:
        processes["lmtp"] = start("lmtp", [sys.executable, "-m", "worker.local"], logs / "lmtp.log", worker_environment(config, "lmtp"))
    for name in DOORS:
        if place := getattr(config, name):
            wait_until(partial(_answers, place), {name: processes[name]}, logs)
    if config.imap or config.takes_in:
        processes[INTAKE] = start_intake(config, logs)


def start_intake(config: Config, logs: Path) -> Popen[bytes]:
    """The process that takes in from every source but the Maildir. ``config``: with every URL filled in."""
    return start(INTAKE, [sys.executable, "-m", "worker.post.intake"], logs / "intake.log", worker_environment(config, INTAKE))


def _answers(place: str) -> bool:
    """Whether somebody listens at ``host:port`` or ``unix:path``."""
    path = place.removeprefix("unix:")
    try:
        if path != place:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(2)
                client.connect(path)
        else:
            host, _, port = place.rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), 2).close()
    except OSError:
        return False
    return True
