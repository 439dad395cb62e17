"""The Celery tasks, a line each. A message only says which game has work; running one twice, or not at all, does no harm."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from celery import Celery
from celery.signals import task_failure, task_retry

from worker import drain
from worker.hosting.storage import watched
from worker.ports import Ports
from worker.post.inboxes import Inbox
from worker.queues import GameQueues
from worker.store.outbox import Outbox


@dataclass(frozen=True, slots=True)
class Parts:
    """What the tasks of one process work with."""

    ports: Ports
    outbox: Outbox
    queues: GameQueues
    inbox: Inbox


def register_tasks(app: Celery, parts: Callable[[], Parts], stopping: Callable[[], bool] = lambda: False) -> None:
    """Give ``app`` its tasks. ``parts`` is called by tasks only; ``stopping``: whether this process is to end."""
    # A service that is away comes back: try again for a while; after that the sweep does.
    again: dict[str, Any] = {"shared": False, "autoretry_for": (Exception,), "max_retries": 10, "default_retry_delay": 2}

    def wake(game: str) -> None:
        app.send_task("hexpost.drain", (game,))

    def wake_post(game: str) -> None:
        app.send_task("hexpost.post", (game,))

    @app.task(name="hexpost.take_in", shared=False)  # never tried again by itself: the clock asks anew for what still lies there
    def take_in() -> None:
        queues = parts().queues
        try:
            queues.begin_look()
            with watched(parts().ports):
                drain.take_in(parts().ports, parts().inbox, queues, wake)
        except Exception:
            queues.failed_look()
            raise

    @app.task(name="hexpost.drain", **again)
    def drain_game(game: str) -> None:
        try:
            with watched(parts().ports):
                drain.drain(parts().ports, parts().queues, game, wake, stopping)
        finally:
            wake_post(game)  # what was decided before a failure is told all the same

    @app.task(name="hexpost.post", **again)
    def post(game: str) -> None:
        with watched(parts().ports):
            drain.post(parts().ports, parts().outbox, parts().queues, game, stopping)
        parts().queues.ring()  # calls to others are made by a process of their own (worker/caller.py): no mail waits for them

    @app.task(name="hexpost.sweep", **again)
    def sweep() -> None:
        with watched(parts().ports):
            drain.refill(parts().ports, parts().outbox, parts().queues, wake, wake_post)
            drain.take_in(parts().ports, parts().inbox, parts().queues, wake)  # what is here already is in time
            drain.pass_deadlines(parts().ports, parts().queues, wake)
            drain.keep_time(parts().ports, parts().queues, wake, wake_post)
        parts().queues.meter.swept(parts().ports.now())

    def failed(sender: Any = None, **_: Any) -> None:
        with suppress(Exception):  # what kept the task from its parts keeps it from the meter, too
            parts().queues.meter.failed(str(sender.name).removeprefix("hexpost."))

    task_failure.connect(failed, weak=False)
    task_retry.connect(failed, weak=False)
