"""``hexpost run ROLE``: one part of an installation in the foreground, for containers, systemd and many machines.

The part takes this process's place, so that signals and exit code are its own. Its settings go along as environment variables.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from worker import local
from worker.config import LISTENS, Config, ConfigError, inherited_environment
from worker.hosting.folders import demand_folder
from worker.hosting.processes import patience_with_a_call
from worker.shards import parse_shards
from worker.store.artifacts import open_artifacts
from worker.store.database import open_database

Command = Callable[[Config, str, str], list[str]]
"""Settings, shards, where to listen -> what is run."""
THREADS = ("--worker-class", "worker.hosting.doorkeeper.Doorkeeper", "--threads", "8")
"""How a door to the net serves."""
LOOPBACK = ("127.", "localhost:", "[::1]:")


@dataclass(frozen=True, slots=True)
class Role:
    """``wants``: settings without which it cannot work; ``place``: the setting that says where it listens, or ``listen``: where it does
    unless ``--listen`` says so (empty: nowhere).
    """

    command: Command
    wants: tuple[str, ...] = ()
    place: str = ""
    listen: str = ""


def gunicorn(config: Config, place: str, app: str, *more: str) -> list[str]:
    """The command that serves a WSGI application at ``place``."""
    grace = ["--graceful-timeout", str(int(patience_with_a_call(config.timeout)))]
    command = [sys.executable, "-m", "gunicorn", "--bind", place, *more]
    command += ["--logger-class", "worker.hosting.gunicorn_log.GunicornLogger"]
    return [*command, "--no-control-socket", "--timeout", "60", *grace, "--log-level", "warning", app]


def worker_command(shards: str = "", listen: str = "", *, caller: bool = False) -> list[str]:
    """The command of a Celery worker; ``shards`` as ``parse_shards`` takes them; ``caller``: it has a caller beside it."""
    return [sys.executable, "-m", "worker.app", *(["--caller"] if caller else []), shards, listen]


def caller_command(listen: str = "") -> list[str]:
    """The command of a caller."""
    return [sys.executable, "-m", "worker.caller", *filter(None, [listen])]


def worker_environment(config: Config, part: str = "worker") -> dict[str, str]:
    """What a part's process gets: its share of the settings, and, for a worker with children, that SIGTERM gives it seconds to finish.

    The services ask for the installation's token. At the public door nothing is open by it: it has one that nobody knows.
    """
    remapped = {"REMAP_SIGTERM": "SIGQUIT"} if config.workers > 1 else {}
    known = secrets.token_urlsafe(24) if part == "hooks" else config.token if part in SERVICES else ""
    token = {"HEXPOST_SERVICE_TOKEN": known} if known else {}
    return inherited_environment() | config.environment(part) | token | remapped


def _service(name: str) -> Command:
    return lambda config, _, listen: gunicorn(config, listen, f"worker.local:{name}_app()", "--workers", str(config.workers))


def _door(setting: str, app: str) -> Command:
    return lambda config, _, __: gunicorn(config, getattr(config, setting), app, *THREADS)


def _module(name: str) -> Command:
    return lambda _, __, listen: [sys.executable, "-m", name, *filter(None, [listen])]


SERVICES = ("rules", "mail", "render")
ROLES = {
    "rules": Role(_service("rules"), listen="127.0.0.1:8001"),
    "mail": Role(_service("mail"), listen="127.0.0.1:8002"),
    "render": Role(_service("render"), listen="127.0.0.1:8003"),
    "worker": Role(lambda _, shards, listen: worker_command(shards, listen), wants=("broker", *SERVICES)),
    "caller": Role(lambda _, __, listen: caller_command(listen), wants=("broker", *SERVICES)),
    "clock": Role(_module("worker.clock"), wants=("broker",)),
    "intake": Role(_module("worker.post.intake"), wants=("broker", *SERVICES)),
    "hooks": Role(_door("hooks", "worker.local:hooks_app()"), place="hooks"),
    "lmtp": Role(_module("worker.local"), place="lmtp"),
    "web": Role(_door("links", "worker.web:links_app()"), place="links"),
    "api": Role(_door("api", "worker.api.app:api_app()"), wants=("broker", *SERVICES), place="api"),
    "metrics": Role(_door("metrics", "worker.hosting.metrics:metrics_app()"), wants=("broker",), place="metrics"),
}


def prepared(role: str, config: Config, shards: str = "", listen: str = "", *, caller: bool = True) -> list[str]:
    """The command of a role. ``caller``: whether a worker brings its own. ConfigError if the settings do not say what it needs, or leave it
    open to strangers.
    """
    found = ROLES[role]
    missing = [name for name in (*found.wants, *filter(None, [found.place])) if not getattr(config, name)]
    if missing:
        raise ConfigError(f"hexpost run {role} needs the settings {', '.join(missing)}: where are these?")
    if role == "intake" and not (config.imap or config.takes_in):
        raise ConfigError("hexpost run intake has nothing to look into: none of the settings imap, hooks and lmtp is there.")
    if shards and role != "worker":
        raise ConfigError(f"Shards are for the role worker, not for {role}.")
    if not caller and role != "worker":
        raise ConfigError(f"--no-caller is for the role worker, not for {role}.")
    if listen and found.place:
        raise ConfigError(f"The role {role} listens where the setting {found.place} says.")
    if listen and not LISTENS.match(listen):
        raise ConfigError(f"The place to listen at must be host:port, not {listen[:80]!r}.")
    listen = listen or found.listen
    if role in SERVICES and not config.token and not listen.startswith(LOOPBACK):
        raise ConfigError("Setting token is empty: a service that other machines reach must ask for one.")
    parse_shards(shards, config.shards)
    if role == "worker" and config.dkim_key_file:
        from worker.post.signing import check_key  # it takes its while to load

        check_key(config)
    if role in SERVICES or role in ("hooks", "lmtp"):
        local.check_service(role, worker_environment(config, role))
    return worker_command(shards, listen, caller=caller) if role == "worker" else found.command(config, shards, listen)


def run_role(role: str, config: Config, shards: str = "", listen: str = "", *, caller: bool = True) -> None:
    """Become the process of a role. Raises ConfigError; else it does not return."""
    command = prepared(role, config, shards, listen, caller=caller)
    if role in ("mail", "hooks", "lmtp"):
        demand_folder("spool", config.spool)
    if role in ("rules", "render") and config.overlays:
        faults = local.check_scenarios(None, Path(config.overlays))
        if faults:
            raise ConfigError("The overlays cannot be used:\n" + "\n".join(faults))
    if role in ("web", "api"):  # gunicorn would tell it in a traceback
        engine = open_database(config.database)
        open_artifacts(config, engine)
        engine.dispose()
    if role not in SERVICES:  # these keep nothing
        config.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.execve(command[0], command, worker_environment(config, role))
