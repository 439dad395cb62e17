"""The Celery application, and the process that runs it: ``python -m worker.app [--caller] [SHARDS [HOST:PORT]]``."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_ready, worker_shutting_down
from redis import Redis
from sqlalchemy import Engine

from worker.clients import HttpCall, MailClient, RenderClient, RulesClient
from worker.config import Config
from worker.hosting.alerts import teller
from worker.hosting.beats import beat
from worker.hosting.broker import check_broker
from worker.hosting.broker import redis_url as redis_url
from worker.hosting.fitness import wait_until_fit
from worker.hosting.folders import demand_folders
from worker.hosting.health import Health, serve_health
from worker.hosting.processes import begin, keep
from worker.hosting.watchdog import HUNG, watch_worker
from worker.logs import set_up_logging
from worker.ports import Ports
from worker.post.inboxes import MaildirInbox
from worker.post.outgoing import MaildirSender, Sender, SigningSender
from worker.post.routes import Routes
from worker.post.signing import signer
from worker.post.smtp import Relay, SmtpSender
from worker.queues import GameQueues
from worker.roles import caller_command, worker_environment
from worker.shards import EVERYBODY, parse_shards, queue_of, queues_of
from worker.store.artifacts import open_artifacts
from worker.store.database import open_database
from worker.store.journal import Journal
from worker.store.outbox import Outbox
from worker.tasks import Parts, register_tasks

READY_KEY = "hexpost:worker:ready"
VISIBILITY = 60
log = logging.getLogger("hexpost.worker")


def create_app(config: Config, stopping: threading.Event | None = None) -> Celery:
    """The Celery app for these settings. Nothing is connected before the first task.

    ``stopping``: set when this process has been told to end; a task then stops after the mail that it is at.
    """
    app = Celery("hexpost", broker=config.broker, set_as_current=False)
    app.conf.update(
        task_default_queue=EVERYBODY,
        task_routes=(lambda name, args, *_, **__: {"queue": queue_of(str(args[0]), config.shards)} if args else None,),
        task_ignore_result=True,
        # A task that dies with its worker is run again; the journal makes that harmless.
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_disable_prefetch=True,
        task_time_limit=VISIBILITY - 10,
        worker_soft_shutdown_timeout=5,
        worker_redirect_stdouts=False,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # a broker that is away comes back, tomorrow perhaps
        broker_transport_options={"visibility_timeout": VISIBILITY, "unacked_restore_interval": 1, "unacked_restore_throttle": 1},
        beat_schedule={
            "take in": {"task": "hexpost.take_in", "schedule": config.poll, "options": {"expires": max(1.0, config.poll)}},
            "sweep": {"task": "hexpost.sweep", "schedule": config.sweep, "options": {"expires": config.sweep}},
        },
    )
    parts: list[Parts] = []

    def lazily() -> Parts:
        # One set a process, made by its first task: a forked worker must not share its parent's connections.
        if not parts:
            parts.append(make_parts(config))
        return parts[0]

    register_tasks(app, lazily, stopping.is_set if stopping else lambda: False)
    return app


def make_parts(config: Config) -> Parts:
    """The worker's parts over the database, Redis, Maildir and HTTP of these settings."""
    engine = open_database(config.database)
    calls = {name: HttpCall(name, getattr(config, name), config.token, config.timeout) for name in ("rules", "mail", "render")}
    ports = Ports(
        config=config,
        journal=Journal(engine),
        artifacts=open_artifacts(config, engine),
        rules=RulesClient(calls["rules"]),
        mail=MailClient(calls["mail"]),
        render=RenderClient(calls["render"]),
        sender=make_sender(config, engine),
        now=utc_now,
    )
    redis = Redis.from_url(redis_url(config.broker))
    inbox = MaildirInbox(config.inbox, config.max_mail)
    return Parts(ports, Outbox(engine), GameQueues(redis, config.lease), inbox)


def make_sender(config: Config, engine: Engine) -> Sender:
    """How mails leave by these settings: by SMTP or into the Maildir, signed or not. ConfigError if the key cannot be used."""
    sender: Sender = MaildirSender(config.outbox)
    if config.smtp:
        named = {"user": config.smtp_user, "password_file": config.smtp_password_file, "token_file": config.smtp_token_file}
        relay = Relay(config.smtp, config.address, ca_file=config.smtp_ca_file, minute=config.smtp_minute, **named)
        sender = SmtpSender(relay, Routes(engine, config.smtp_pause), utc_now, teller(engine, config, utc_now))
    if config.dkim_key_file:
        domain = config.address.rpartition("@")[2].lower()
        sender = SigningSender(sender, signer(config.dkim_key_file, config.dkim_selector, domain))
    return sender


def utc_now() -> str:
    """The time in UTC to the second, ISO 8601."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def run_worker(config: Config, shards: Collection[int], listen: str = "", *, caller: bool = False) -> None:
    """Run a Celery worker for these shards until it is told to stop. ``listen``: where its health is told (``host:port``; empty: nowhere).
    ``caller``: a process that calls others (worker/caller.py) runs beside it.

    Told to stop by SIGTERM, it finishes the mail that it is at and ends; what it leaves waits in the journal.
    """
    check_broker(config.broker)
    demand_folders(config)
    parts = make_parts(config)  # one that cannot be used is told now, not by each task
    parts.ports.journal.engine.dispose()
    stopping = threading.Event()
    app = create_app(config, stopping)

    def ready(**_: Any) -> None:
        Redis.from_url(redis_url(config.broker)).set(READY_KEY, utc_now())
        health.ready = True

    def told(**_: Any) -> None:
        stopping.set()

    health = Health(config, services=("rules", "mail", "render"))
    setup_logging.connect(lambda **_: set_up_logging(config), weak=False)  # in place of Celery's own
    worker_ready.connect(ready, weak=False)
    worker_shutting_down.connect(told, weak=False)
    queues = queues_of(shards)
    if listen:
        serve_health(listen, health)
    beat("worker", config.broker)
    wait_until_fit(config, stopping)
    watch_worker(redis_url(config.broker), queues)
    if caller:
        keep("caller", caller_command(), worker_environment(config, "caller"))
    pool = ["--pool", "solo"] if config.workers == 1 else ["--pool", "prefork", "--concurrency", str(config.workers)]
    quiet = ["--without-mingle", "--without-gossip", "--without-heartbeat"]
    work: Callable[[list[str]], None] = app.worker_main
    work(["--quiet", "worker", "--loglevel", "WARNING", "--queues", ",".join(queues), *pool, *quiet])
    if not stopping.is_set():  # Celery gives up where Redis takes nothing more, and says that all is well
        log.critical("the worker has ended by itself, to be started anew")
        sys.exit(HUNG)


def main(arguments: list[str]) -> None:
    """The process: ``arguments`` are the shards (none: all) and where health is told; before them ``--caller``, if it brings one."""
    config = Config.load()
    set_up_logging(config)
    caller = arguments[:1] == ["--caller"]
    shards, listen = [*arguments[caller:], "", ""][:2]
    begin(lambda: run_worker(config, parse_shards(shards, config.shards), listen, caller=caller))


if __name__ == "__main__":
    main(sys.argv[1:])
