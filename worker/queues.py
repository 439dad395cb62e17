"""One Redis list a game, and a lease on the game. Both may be lost at any moment: order and once-only are the journal's."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from worker.hosting.meter import Meter

# Deleted or prolonged only by its holder: a lease that lapsed may be another worker's by now.
_RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
_RENEW = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"

# Counted by the server's clock, so that all processes agree on the minute.
_PACE = """
local now = redis.call('time')
local at = now[1] * 1000000 + now[2]
redis.call('zremrangebyscore', KEYS[1], '-inf', string.format('%.0f', at - 60000000))
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[1]) then
  local first = redis.call('zrange', KEYS[1], 0, 0, 'withscores')
  return math.max(1, math.ceil((first[2] + 60000000 - at) / 1000000))
end
redis.call('zadd', KEYS[1], string.format('%.0f', at), ARGV[2])
redis.call('pexpire', KEYS[1], 61000)
return 0
"""

_LOOKED = "hexpost:looked"
_BELL = "hexpost:bell"
_WANTED = "hexpost:look"
PAUSE = 5.0
"""Seconds between looks into the Maildir that fail, and after which one that was asked for is asked for again."""
_DAY = 86_400


class LeaseLost(Exception):
    """The lease on a game has lapsed: another worker may be at it."""


class Lease:
    """A hold on one name, for a while."""

    def __init__(self, redis: Redis, key: str, seconds: float) -> None:
        self._redis: Any = redis
        self._key = key
        self._ms = int(seconds * 1000)
        self._mark = secrets.token_hex(16)

    def take(self) -> bool:
        """Whether it is ours now."""
        return bool(self._redis.set(self._key, self._mark, nx=True, px=self._ms))

    def renew(self) -> None:
        """Prolong it. LeaseLost if it is not ours any more."""
        if not self._redis.eval(_RENEW, 1, self._key, self._mark, self._ms):
            raise LeaseLost(self._key)

    def give_back(self) -> None:
        """Let it go; nothing where it is not ours any more."""
        self._redis.eval(_RELEASE, 1, self._key, self._mark)


class GameQueues:
    """The lists of waiting mails by game, and the leases."""

    def __init__(self, redis: Redis, seconds: float) -> None:
        self._redis: Any = redis
        self._seconds = seconds
        self.meter = Meter(redis)

    def push(self, game: str, message: int) -> None:
        """Add a mail at the end of its game's list; one that is there stays where it is."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.lrem(_list(game), 0, message)
            pipe.rpush(_list(game), message)
            pipe.execute()

    def head(self, game: str) -> int | None:
        """The first mail of a game's list."""
        found = self._redis.lindex(_list(game), 0)
        return None if found is None else int(found)

    def remove(self, game: str, message: int) -> None:
        """Take a mail out of its list, wherever it stands."""
        self._redis.lrem(_list(game), 0, message)

    def want_look(self, seconds: float = PAUSE) -> bool:
        """Whether a look into the Maildir is to be asked for now: not while one is asked for, nor soon after one that failed."""
        return bool(self._redis.set(_WANTED, 1, nx=True, px=int(seconds * 1000)))

    def begin_look(self) -> None:
        """The look that was asked for begins: what comes from now on wants another."""
        self._redis.delete(_WANTED)

    def failed_look(self) -> None:
        """The look failed: the next one has time."""
        with suppress(RedisError):
            self._redis.set(_WANTED, 1, px=int(PAUSE * 1000))

    def looked(self, source: str, at: str) -> None:
        """A source of mails was looked into ``at`` a time, and nothing was left there."""
        self._redis.hset(_LOOKED, source, at)

    def looks(self) -> dict[str, str]:
        """When each way in was last looked into and left empty, without the names of mailboxes."""
        found = self._redis.hgetall(_LOOKED).items()
        return {"imap" if b" at imap" in source else "spool": at.decode() for source, at in found}

    def ring(self) -> None:
        """There may be something to tell others: wakes who does it, now or when he next listens. That Redis is away stops nothing."""
        with suppress(RedisError), self._redis.pipeline(transaction=True) as pipe:
            pipe.rpush(_BELL, 1).ltrim(_BELL, 0, 0).execute()

    def hear(self, seconds: int) -> bool:
        """Wait for the bell, so long at most; whether it rang. Raises RedisError."""
        return self._redis.blpop([_BELL], timeout=seconds) is not None

    def oldest_look(self) -> str | None:
        """When every source had been looked into: what came before that is journaled. None where nobody looks, or that was lost."""
        return min((at.decode() for at in self._redis.hvals(_LOOKED)), default=None)

    def pace(self, caller: str, most: int) -> int:
        """Count a call of a caller's who may call ``most`` times in any minute: 0, or after how many seconds he may call again."""
        return int(self._redis.eval(_PACE, 1, f"hexpost:calls:{caller}", most, secrets.token_hex(8)))

    @contextmanager
    def surviving(self, message: int) -> Iterator[int]:
        """Count this try of a mail, unless the block ends, well or in an error: what is counted then are the tries that killed a worker.

        Yields how many there were before, for all that Redis knows.
        """
        key, died = f"hexpost:tried:{message}", 0
        with suppress(RedisError), self._redis.pipeline(transaction=True) as pipe:
            died = int(pipe.incr(key).expire(key, _DAY).execute()[0]) - 1
        try:
            yield died
        except Exception:
            self._forget(key)
            raise
        self._forget(key)

    def _forget(self, key: str) -> None:
        with suppress(RedisError):
            self._redis.delete(key)

    @contextmanager
    def lease(self, name: str) -> Iterator[Lease | None]:
        """The lease on a name for the time of the block, or None where another worker has it."""
        lease = Lease(self._redis, f"hexpost:lease:{name}", self._seconds)
        if not lease.take():
            yield None
            return
        try:
            yield lease
        finally:
            lease.give_back()


def _list(game: str) -> str:
    return f"hexpost:queue:{game}"
