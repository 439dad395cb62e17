"""Ends a worker that has ceased to take tasks, so that whatever started it starts it anew.

After a restart of Redis a Celery worker may stay connected and take nothing. It is known by this: something waits in a queue of the
worker's, it is at no task, and it takes none for a minute. A task that goes on for a quarter of an hour hangs, too. To be killed does
no harm.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from celery.signals import task_received
from celery.worker import state
from redis import Redis
from redis.exceptions import RedisError

IDLE = 60.0
"""Seconds that tasks may wait before a worker that is at none."""
STUCK = 900.0
"""Seconds that one task may take."""
LOOK = 5.0
HUNG = 70
"""The exit code."""
log = logging.getLogger("hexpost.watchdog")


@dataclass
class Watchdog:
    """What was seen of a worker. ``waiting``: how many tasks wait for it (None: the queue is away); ``busy``: the ids of the tasks that it
    is at; ``taken``: how many it has taken so far. Times are seconds of a clock that only goes forward.
    """

    waiting: Callable[[], int | None]
    busy: Callable[[], Collection[str]]
    taken: Callable[[], int]
    clock: Callable[[], float] = time.monotonic
    idle_since: float | None = None
    seen: int = 0

    def __post_init__(self) -> None:
        self._began: dict[str, float] = {}

    def fault(self) -> str:
        """One look: what is wrong with the worker, in words for the log; empty: nothing."""
        now, busy, taken = self.clock(), self.busy(), self.taken()
        self._began = {task: self._began.get(task, now) for task in busy}
        if any(now - began > STUCK for began in self._began.values()):
            return f"a task has gone on for {STUCK:g} s"
        if busy or taken != self.seen or not self.waiting():
            self.seen, self.idle_since = taken, None
            return ""
        if self.idle_since is None:
            self.idle_since = now
        return f"tasks have waited for {IDLE:g} s, and it takes none" if now - self.idle_since > IDLE else ""


def watch_worker(url: str, queues: Collection[str]) -> None:
    """Watch the Celery worker of this process from a thread. ``url``: of Redis; ``queues``: those that the worker reads."""
    client: Any = Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3)
    count = [0]

    def received(**_: Any) -> None:
        count[0] += 1

    def waiting() -> int | None:
        try:
            return sum(int(client.llen(queue)) for queue in queues)
        except (RedisError, OSError):
            return None

    task_received.connect(received, weak=False)
    dog = Watchdog(waiting, lambda: [str(one.id) for one in tuple(state.active_requests)], lambda: count[0])

    def watch() -> None:
        while True:
            time.sleep(LOOK)
            said = dog.fault()
            if said:
                log.critical("the worker ends, to be started anew: %s", said)
                logging.shutdown()
                os._exit(HUNG)

    threading.Thread(target=watch, name="watchdog", daemon=True).start()
