"""What befalls an installation, by seed: each thing when the games are so far, however fast the machine is."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random  # noqa: TID251  # no dice: what befalls a run, the same for a seed each time
from typing import Any

from redis.exceptions import RedisError

from tests.chaos.world import WORKERS, World
from worker.roles import SERVICES

WINDOW = 1.0
"""Seconds for which wake-ups are dropped or doubled."""
FROZEN = 5.5
"""Longer than a lease, shorter than SQLite waits for a lock."""
USUAL = (
    *(("kill", name) for name in (*WORKERS, *WORKERS, *SERVICES)),
    ("kill", "workers"),
    ("kill", "clock"),
    ("kill child", "rules"),
    ("kill child", "mail"),
    ("kill child", "render"),
    ("kill", "redis"),
    ("empty", "redis"),
    ("flush", "redis"),
    ("flush", "redis"),
    ("drop", "wake-ups"),
    ("double", "wake-ups"),
    ("double", "mails"),
    ("double", "mails"),
    ("freeze", "worker-a"),
)


@dataclass(frozen=True, slots=True)
class Disturbance:
    """``after``: so many letters of the players'; then so many seconds (``delay``). ``length``: how long it lasts, seconds."""

    after: int
    delay: float
    what: str
    whom: str
    length: float


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that a worker may not notice, or not survive, while it sends a mail: when, and how many workers. ``surely``: it was sending
    one.
    """

    at: float
    workers: int
    surely: bool = False


def disturbances(seed: int, letters: int, count: int, *, smtp: bool = False, database: bool = False) -> list[Disturbance]:
    """What a run has to bear, in order. The first is the one of its seed in ``USUAL``, so that as many runs have met everything."""
    chance = Random(seed)
    kinds = [
        *USUAL,
        *([*[("down", "smtp")] * 2, *[("cut", "smtp")] * 2] if smtp else []),
        *([("restart", "database")] * 3 if database else []),
    ]
    chosen = [kinds[seed % len(kinds)], *(chance.choice(kinds) for _ in range(count - 1))]
    found = [Disturbance(chance.randrange(letters), chance.uniform(0, 0.8), what, whom, chance.uniform(0.1, 1.5)) for what, whom in chosen]
    return sorted(found, key=lambda one: (one.after, one.delay))


@dataclass
class Fate:
    """Has the disturbances happen to a world while letters are sent (``sent``: how many). ``again``: has some mail
    delivered once more, by a number."""

    world: World
    coming: list[Disturbance]
    again: Callable[[int], None]
    due: list[tuple[float, Disturbance]] = field(default_factory=list)
    windows: dict[str, float] = field(default_factory=dict)
    happened: list[str] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    _doubled: set[str] = field(default_factory=set)

    def tick(self, sent: int) -> None:
        """Do what is due."""
        now = time.monotonic()
        while self.coming and self.coming[0].after < sent:
            one = self.coming.pop(0)
            self.due.append((now + one.delay, one))
        for at, one in [pair for pair in self.due if pair[0] <= now]:
            self.due.remove((at, one))
            self.happened.append(f"{one.what} {one.whom} at letter {sent}")
            self._do(one, now)
        for what in [what for what, until in self.windows.items() if until <= now]:
            self._end(what)
        with suppress(RedisError, OSError, ValueError):
            if "drop" in self.windows:
                self._drop()
            if "double" in self.windows:
                self._double()

    @property
    def over(self) -> bool:
        """Whether all has happened."""
        return not (self.coming or self.due or self.windows)

    def _do(self, one: Disturbance, now: float) -> None:
        world = self.world
        if one.whom in (*WORKERS, "workers", "redis", "database"):
            self.hits.append(Hit(now, 1 if one.whom in WORKERS else 2))
        if one.what == "kill":
            for name in WORKERS if one.whom == "workers" else (one.whom,):
                world.kill(name, one.length)
        elif one.what == "kill child":
            world.kill_children(one.whom)
        elif one.what == "empty":
            world.kill("redis", one.length)
            shutil.rmtree(Path(world.config.home) / "appendonlydir", ignore_errors=True)
        elif one.what == "flush":
            with suppress(RedisError, OSError):
                world.redis.flushall()
        elif one.what == "freeze":
            world.freeze(one.whom, FROZEN)
        elif one.what == "restart":
            world.stop_database(one.length)
        elif one.whom == "mails":
            self.again(int(one.delay * 1e6))
        elif one.what == "down":
            assert world.sink is not None
            world.sink.down = True
            self.windows["down"] = now + 2 * one.length
        elif one.what == "cut":
            assert world.sink is not None
            world.sink.cut = self._cut
        else:
            self.windows[one.what] = now + WINDOW

    def _cut(self) -> None:
        """The workers are killed while one waits to hear that its mail was taken: it cannot know, and must send it again. Called by the
        thread of the mail server.
        """
        self.hits.append(Hit(time.monotonic(), len(WORKERS), surely=True))
        for name in WORKERS:
            with suppress(ProcessLookupError):
                os.kill(self.world.processes[name].pid, signal.SIGKILL)

    def _end(self, what: str) -> None:
        del self.windows[what]
        if what == "down" and self.world.sink is not None:
            self.world.sink.down = False

    def _queues(self) -> list[str]:
        return ["hexpost", *(f"hexpost.{n}" for n in range(self.world.config.shards))]

    def _drop(self) -> None:
        """Wake-ups that wait, and those that a worker has taken and not acknowledged, are gone."""
        self.world.redis.delete("unacked", "unacked_index", *self._queues())

    def _double(self) -> None:
        """Each wake-up that waits is there once more, with the same id."""
        redis: Any = self.world.redis
        for queue in self._queues():
            for raw in redis.lrange(queue, 0, -1):
                key = str(json.loads(raw)["headers"]["id"])
                if key not in self._doubled:
                    self._doubled.add(key)
                    redis.lpush(queue, raw)
