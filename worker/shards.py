"""Which queue a game's tasks go through: the games are spread over ``hexpost.0`` to ``hexpost.n-1`` by their ids.

A queue only wakes. Where the number of shards changes, what lies in a queue that nobody reads any more is woken anew by the next sweep.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from worker.config import ConfigError

EVERYBODY = "hexpost"
"""The queue of the tasks that are about no one game; every worker reads it."""


def queue_of(game: str, shards: int) -> str:
    """The queue of a game's tasks."""
    return f"{EVERYBODY}.{zlib.crc32(game.encode()) % shards}"


def queues_of(shards: Iterable[int]) -> list[str]:
    """The queues that a worker of these shards reads."""
    return [EVERYBODY, *(f"{EVERYBODY}.{one}" for one in shards)]


def parse_shards(text: str, shards: int) -> list[int]:
    """The numbers in ``0,2`` or ``0-3,6``; empty: all there are. ConfigError if one is no shard."""
    found: set[int] = set()
    for part in filter(None, text.replace(" ", "").split(",")):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ConfigError(f"Shards are numbers with commas between (0,2 or 0-3), not {text[:40]!r}.")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers[-1] >= shards:
            raise ConfigError(f"There is no shard {part[:20]}: the setting shards is {shards}, so they are 0 to {shards - 1}.")
        found.update(numbers)
    return sorted(found) or list(range(shards))
