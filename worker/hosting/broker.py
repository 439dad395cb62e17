"""What is asked of a Redis before anything stands on it."""

from __future__ import annotations

from redis import Redis
from redis.exceptions import AuthenticationError, RedisError

from worker.hosting.processes import CannotServe

KEEPS = "noeviction"


def redis_url(broker: str) -> str:
    """The broker's URL as the Redis client spells it: Celery writes ``redis+socket://`` for what it calls ``unix://``."""
    return broker.replace("redis+socket://", "unix://").replace("virtual_host=", "db=")


def check_broker(broker: str) -> None:
    """CannotServe if the Redis throws keys out when memory is short, or lets us not in; one that is away is waited for.

    Nothing would be lost with the keys but time: a queue that is thrown out is filled again by the sweep, and every throw is a delay.
    """
    try:
        client = Redis.from_url(redis_url(broker), socket_connect_timeout=5, socket_timeout=5)
    except ValueError:  # the URL is not shown: there may be a password in it
        raise CannotServe("The setting broker is no URL of a Redis: something in it cannot be read.") from None
    try:
        policy = client.info("memory").get("maxmemory_policy", KEEPS)
    except AuthenticationError:
        raise CannotServe("The Redis of the setting broker refuses the login: look at its user and password.") from None
    except (RedisError, OSError):
        return
    finally:
        client.close()
    if policy != KEEPS:
        raise CannotServe(
            f"The Redis of the setting broker has maxmemory-policy {policy}: when memory is short it would throw queues out. "
            f"Set it to {KEEPS}, and keep caches in another Redis."
        )
