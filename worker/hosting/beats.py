"""Which parts of an installation run, whatever machines they are on: each says so in Redis every few seconds."""

from __future__ import annotations

import atexit
import os
import socket
import threading
import time
from contextlib import suppress
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from worker.hosting.broker import redis_url

EVERY = 10.0
LASTS = 30
"""Seconds after which a part that says nothing more counts as gone."""
_KEY = "hexpost:alive:"


def beat(role: str, broker: str) -> None:
    """Have this process say that it runs as a part of ``role``, from a thread, until it ends. ``broker``: the setting."""
    client: Any = Redis.from_url(redis_url(broker), socket_connect_timeout=3, socket_timeout=3)
    key = f"{_KEY}{role} on {socket.gethostname()}, process {os.getpid()}"

    def say() -> None:
        while True:
            with suppress(RedisError, OSError):
                client.set(key, 1, ex=LASTS)
            time.sleep(EVERY)

    def gone() -> None:
        with suppress(RedisError, OSError):
            client.delete(key)

    threading.Thread(target=say, name="beat", daemon=True).start()
    atexit.register(gone)


def alive(broker: str) -> list[str] | None:
    """The parts that run, a few words each; None where Redis does not answer."""
    client: Any = Redis.from_url(redis_url(broker), socket_connect_timeout=3, socket_timeout=3)
    try:
        return sorted(key.decode(errors="replace").removeprefix(_KEY) for key in client.scan_iter(f"{_KEY}*", count=1000))
    except (RedisError, OSError):
        return None
    finally:
        client.close()
