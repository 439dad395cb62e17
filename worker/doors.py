"""The processes of ``hexpost serve`` at the outside: webhooks and LMTP of the mail service, the worker's intake and links."""

from __future__ import annotations

import secrets
import socket
import sys
from functools import partial
from pathlib import Path
from subprocess import Popen

from worker.config import Config, inherited_environment
from worker.processes import start, wait_until

DOORS = ("hooks", "lmtp", "links")
INTAKE = "intake"


def start_doors(config: Config, logs: Path, processes: dict[str, Popen[bytes]]) -> None:
    """Add to ``processes`` what the settings ask for; the doors answer when this returns. Raises CannotServe.

    ``config``: with every URL filled in.
    """
    for name, place, app in (("hooks", config.hooks, "worker.local:hooks_app()"), ("links", config.links, "worker.web:links_app()")):
        if place:
            command = [sys.executable, "-m", "gunicorn", "--bind", place, "--worker-class", "gthread", "--threads", "8"]
            command += ["--no-control-socket", "--timeout", "60", "--graceful-timeout", "5", "--log-level", "warning"]
            processes[name] = start(name, [*command, app], logs / f"{name}.log", _environment(config, name))
    if config.lmtp:
        processes["lmtp"] = start("lmtp", [sys.executable, "-m", "services.mail.lmtp"], logs / "lmtp.log", _environment(config, "lmtp"))
    for name, place in (("hooks", config.hooks), ("lmtp", config.lmtp), ("links", config.links)):
        if place:
            wait_until(partial(_answers, place), {name: processes[name]}, logs)
    if config.imap or config.takes_in:
        processes[INTAKE] = start_intake(config, logs)


def start_intake(config: Config, logs: Path) -> Popen[bytes]:
    """The process that takes in from every source but the Maildir. ``config``: with every URL filled in."""
    return start(INTAKE, [sys.executable, "-m", "worker.intake"], logs / "intake.log", _environment(config, INTAKE))


def _environment(config: Config, part: str) -> dict[str, str]:
    """What a process gets. At the public door nothing is open by the services' token: it has one that nobody knows."""
    token = secrets.token_urlsafe(24) if part == "hooks" else ""
    return inherited_environment() | config.environment(part) | ({"HEXPOST_SERVICE_TOKEN": token} if token else {})


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
