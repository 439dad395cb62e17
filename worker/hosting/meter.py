"""What the workers measure, added up in Redis: any number of them on any machines count together, and one process shows it.

Redis may lose it; then the counters begin at nothing again, as those of a process that was started anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

KEY = "hexpost:meter"
BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
"""Upper bounds of the buckets, seconds."""
MEASURED = {
    "message": "Handling a received mail, from reading it to the commit",
    "message_wait": "From the arrival of a mail to the commit of what it orders",
    "mail": "Making a mail, pictures and all, and sending it",
}
FAILED = "failed:"
SWEPT = "swept"


class Meter:
    """Counts into one Redis. That it is away stops nothing."""

    def __init__(self, redis: Redis) -> None:
        self._redis: Any = redis

    def observe(self, what: str, seconds: float) -> None:
        """Add a measured time (``what``: of ``MEASURED``)."""
        bound = next((str(bound) for bound in BOUNDS if seconds <= bound), "+Inf")
        with suppress(RedisError), self._redis.pipeline(transaction=True) as pipe:
            pipe.hincrby(KEY, f"{what}:{bound}", 1)
            pipe.hincrbyfloat(KEY, f"{what}:sum", seconds)
            pipe.execute()

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Measure the block, if it ends well."""
        began = perf_counter()
        yield
        self.observe(what, perf_counter() - began)

    def failed(self, task: str) -> None:
        """A task has ended in an error."""
        with suppress(RedisError):
            self._redis.hincrby(KEY, FAILED + task, 1)

    def swept(self, at: str) -> None:
        """A sweep has ended ``at`` a time, ISO 8601."""
        with suppress(RedisError):
            self._redis.hset(KEY, SWEPT, at)

    def read(self) -> dict[str, str]:
        """All there is. Raises RedisError."""
        return {key.decode(): value.decode() for key, value in self._redis.hgetall(KEY).items()}


def buckets(found: Mapping[str, str], what: str) -> tuple[list[tuple[str, float]], float]:
    """The buckets of a measured time, each with what is in it and those below it, and the sum, seconds."""
    total, made = 0.0, []
    for bound in (*map(str, BOUNDS), "+Inf"):
        total += int(found.get(f"{what}:{bound}", 0))
        made.append((bound, total))
    return made, float(found.get(f"{what}:sum", 0))
