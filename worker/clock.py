"""The clock: looks for new mails and has the sweeps made, in place of a Celery beat, for a look at a folder is cheaper than a task.

It decides nothing and remembers nothing. Two of them, or one that was away for a day, do no harm: a sweep finds in the journal what is to
be done.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable

from celery import Celery
from redis import Redis

from worker.app import create_app
from worker.config import Config
from worker.hosting.beats import beat
from worker.hosting.broker import check_broker, redis_url
from worker.hosting.fitness import wait_until_fit
from worker.hosting.folders import demand_folder
from worker.hosting.health import Health, serve_health
from worker.hosting.processes import begin
from worker.logs import set_up_logging
from worker.post.inboxes import MaildirInbox
from worker.queues import PAUSE, GameQueues

HANGS = 120.0
"""Seconds without a tick after which the clock must be started anew."""
log = logging.getLogger("hexpost.clock")


class Clock:
    """Ticks every ``poll`` seconds. ``wanted``: whether a look into the Maildir is to be asked for (GameQueues.want_look).

    ``ticked``: when it last ticked, by the clock that only goes forward.
    """

    def __init__(self, config: Config, app: Celery, wanted: Callable[[], bool]) -> None:
        self._config = config
        self._app = app
        self._wanted = wanted
        self._inbox = MaildirInbox(config.inbox, config.max_mail)
        self._swept: float | None = None
        self.ticked = time.monotonic()

    def run(self, stopped: threading.Event) -> None:
        """Tick until ``stopped``."""
        while not stopped.wait(self._config.poll):
            try:
                self.tick(time.monotonic())
            except Exception:  # the broker is away for a moment: the next tick tries again
                log.exception("the clock missed a tick")

    def tick(self, now: float) -> None:
        """Send what is due at ``now``, seconds of a clock that only goes forward: that of the machine may jump."""
        config = self._config
        self.ticked = now
        if self._inbox.has_unread() and self._wanted():
            self._app.send_task("hexpost.take_in", expires=max(PAUSE, config.poll))
        if self._swept is None or now - self._swept >= config.sweep:
            self._app.send_task("hexpost.sweep", expires=config.sweep)
            self._swept = now

    def alive(self) -> bool:
        """Whether it ticks."""
        return time.monotonic() - self.ticked < HANGS


def make_clock(config: Config) -> Clock:
    """The clock of an installation."""
    queues = GameQueues(Redis.from_url(redis_url(config.broker), socket_timeout=5), config.lease)
    return Clock(config, create_app(config), queues.want_look)


def run_clock(config: Config, listen: str = "") -> None:
    """Tick until SIGTERM or SIGINT. ``listen``: where its health is told (``host:port``; empty: nowhere)."""
    check_broker(config.broker)
    demand_folder("inbox", config.inbox)
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    clock = make_clock(config)
    beat("clock", config.broker)
    health = Health(config, lambda: clock.alive() or not health.ready)
    if listen:
        serve_health(listen, health)
    if config.rules:
        wait_until_fit(config, stopped)
    clock.ticked, health.ready = time.monotonic(), True
    clock.run(stopped)


if __name__ == "__main__":
    settings = Config.load()
    set_up_logging(settings)
    begin(lambda: run_clock(settings, *sys.argv[1:2]))
