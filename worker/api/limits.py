"""How often a caller may call: so many times in any minute."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic

MOST_CALLERS = 10_000


class Limit:
    """Counts calls by caller. ``most``: in a minute; ``clock``: seconds."""

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
