"""How often a caller may call: so many times in any minute, whichever process he comes to."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Protocol

from redis import RedisError

from worker.queues import GameQueues

MOST_CALLERS = 10_000
AWAY = 10.0
"""Seconds after which a Redis that was away is tried again."""


class Counts(Protocol):
    """Counts calls by caller."""

    def wait(self, caller: str) -> int:
        """Count a call: 0, or after how many seconds the caller may call again; then it does not count."""
        ...


class Shared:
    """Counts in Redis, for all processes together. While it is away each counts for itself."""

    def __init__(self, queues: GameQueues, most: int) -> None:
        self._queues = queues
        self._most = most
        self._alone = Limit(most)
        self._again = 0.0

    def wait(self, caller: str) -> int:
        """As ``Counts`` has it."""
        if monotonic() >= self._again:  # no call waits for a server that was away a moment ago
            try:
                return self._queues.pace(caller, self._most)
            except (RedisError, OSError):
                self._again = monotonic() + AWAY
        return self._alone.wait(caller)


class Limit:
    """Counts calls by caller in this process. ``most``: in a minute; ``clock``: seconds."""

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._clock = clock
        self._calls: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait(self, caller: str) -> int:
        """Count a call: 0, or after how many seconds the caller may call again; then it does not count."""
        now = self._clock()
        with self._lock:
            if len(self._calls) > MOST_CALLERS:
                self._calls = {key: calls for key, calls in self._calls.items() if calls and calls[-1] > now - 60}
            calls = self._calls.setdefault(caller, deque())
            while calls and calls[0] <= now - 60:
                calls.popleft()
            if len(calls) >= self._most:
                return max(1, math.ceil(calls[0] + 60 - now))
            calls.append(now)
            return 0
