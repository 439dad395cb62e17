"""``/metrics`` for Prometheus: one small process that counts in the journal and in Redis what all the others do.

It names no game, no player, no address: who reads it learns how much there is to do, and nothing of whom.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from importlib.metadata import version
from typing import Any

from flask import Flask, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from worker.app import utc_now
from worker.config import Config
from worker.hosting.broker import redis_url
from worker.hosting.meter import FAILED, MEASURED, SWEPT, Meter, buckets
from worker.logs import error_words
from worker.post.routes import SERVER
from worker.queues import GameQueues
from worker.shards import queues_of
from worker.store.database import connect, reading
from worker.store.tables import alerts, games, lobbies, messages, outbox, packets, paused, pauses
from worker.waiting import deadlines, waits

FRESH = 5.0
"""Seconds for which an answer is good: however many ask, the database is asked once."""
LATE = 300.0
"""Seconds after which a deadline that nobody acted on is worth a word."""
log = logging.getLogger("hexpost.metrics")


class Counts(Collector):
    """Reads journal and queues when it is asked. ``now``: the time, UTC, ISO 8601."""

    def __init__(self, config: Config, engine: Engine, redis: Redis, now: Callable[[], str] = utc_now) -> None:
        self._config = config
        self._engine = engine
        self._redis: Any = redis
        self._now = now
        self._read_at = -FRESH
        self._found: list[Metric] = []

    def collect(self) -> Iterator[Metric]:
        """All that is shown, anew or of a few seconds ago."""
        if time.monotonic() - self._read_at >= FRESH:
            self._found = [*self._of("hexpost_database_up", self._journal), *self._of("hexpost_queue_up", self._queues)]
            self._found.append(GaugeMetricFamily("hexpost_build_info", "The version that runs", labels=["version"]))
            self._found[-1].add_sample("hexpost_build_info", {"version": version("hexpost")}, 1)
            self._read_at = time.monotonic()
        yield from self._found

    def _of(self, up: str, read: Callable[[], list[Metric]]) -> list[Metric]:
        """What ``read`` finds, and whether it could: half of the picture is better than none."""
        said = "Whether it answers"
        try:
            return [*read(), GaugeMetricFamily(up, said, value=1)]
        except (SQLAlchemyError, RedisError, OSError) as error:
            log.warning("not all can be shown: %s", error_words(error))
            return [GaugeMetricFamily(up, said, value=0)]

    def _journal(self) -> list[Metric]:
        now = _seconds(self._now())
        with reading(self._engine) as connection:
            return [
                _labelled("hexpost_games", "Games", "state", _games(connection)),
                _labelled("hexpost_messages", "Received mails that are not done", "status", _open_messages(connection)),
                GaugeMetricFamily("hexpost_message_oldest_seconds", "How long the oldest waits", value=_oldest(connection, now)),
                _labelled("hexpost_packets", "Packets of orders", "status", _by(connection, packets.c.status)),
                _labelled("hexpost_outbox", "Mails to players", "status", _by(connection, outbox.c.status)),
                GaugeMetricFamily(
                    "hexpost_alerts_open", "Alerts that nobody has seen to", value=_count(connection, alerts.c.done.is_(False))
                ),
                GaugeMetricFamily("hexpost_addresses_paused", "Addresses at which mail does not arrive", value=_rows(connection, paused)),
                GaugeMetricFamily("hexpost_mail_server_paused_seconds", "Since when no mail leaves", value=_pause(connection, now)),
                GaugeMetricFamily("hexpost_deadlines_late", "Deadlines that nobody acts on", value=self._late(connection, now)),
            ]

    def _late(self, connection: Connection, now: float) -> int:
        """Deadlines that passed a while ago, of games that do not stand still and by whose own terms there are any."""
        late = [game for game, _, one in deadlines.running(connection) if now - _seconds(one.due) > LATE]
        silent = waits.silent_sides(self._engine) if late else {}
        counting = {game for game in set(late) if waits.count(self._engine, self._config, game, silent)}
        return sum(1 for game in late if game in counting)

    def _queues(self) -> list[Metric]:
        found = Meter(self._redis).read()
        every = queues_of(range(self._config.shards))
        looks = GaugeMetricFamily("hexpost_inbox_look_timestamp_seconds", "When a way in was last empty", labels=["way"])
        for way, at in sorted(GameQueues(self._redis, 1.0).looks().items()):
            looks.add_metric([way], _seconds(at))
        failures = CounterMetricFamily("hexpost_task_failures", "Tasks that ended in an error", labels=["task"])
        for key in sorted(one for one in found if one.startswith(FAILED)):
            failures.add_metric([key.removeprefix(FAILED)], int(found[key]))
        swept = _seconds(found[SWEPT]) if SWEPT in found else 0.0
        return [
            _labelled("hexpost_queue_length", "Tasks that wait", "queue", {one: int(self._redis.llen(one)) for one in every}),
            GaugeMetricFamily("hexpost_sweep_timestamp_seconds", "When the last sweep ended", value=swept),
            looks,
            failures,
            *(_histogram(f"hexpost_{what}_seconds", said, *buckets(found, what)) for what, said in MEASURED.items()),
        ]


def metrics_app() -> Flask:
    """The application of an installation, settings from the environment."""
    config = Config.load()
    return make_app(Counts(config, connect(config.database), Redis.from_url(redis_url(config.broker), socket_timeout=5)))


def make_app(counts: Collector) -> Flask:
    """The application that shows what is counted."""
    app = Flask("hexpost.metrics", static_folder=None)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(counts)

    @app.get("/metrics")
    def shown() -> Response:
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

    @app.get("/healthz")
    @app.get("/readyz")
    def healthz() -> Response:
        return Response("ok\n", mimetype="text/plain")

    return app


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _labelled(name: str, said: str, label: str, found: dict[str, int]) -> Metric:
    made = GaugeMetricFamily(name, said, labels=[label])
    for value, count in sorted(found.items()):
        made.add_metric([value], count)
    return made


def _histogram(name: str, said: str, found: Sequence[tuple[str, float]], total: float) -> Metric:
    return HistogramMetricFamily(name, said, buckets=list(found), sum_value=total)


def _by(connection: Connection, column: Any) -> dict[str, int]:
    return {str(value): int(count) for value, count in connection.execute(select(column, func.count()).group_by(column))}


def _games(connection: Connection) -> dict[str, int]:
    over = {bool(one): int(count) for one, count in connection.execute(select(games.c.over, func.count()).group_by(games.c.over))}
    open_ = connection.scalar(select(func.count()).where(lobbies.c.status == "open"))
    return {"running": over.get(False, 0), "over": over.get(True, 0), "open": int(open_ or 0)}


def _open_messages(connection: Connection) -> dict[str, int]:
    query = select(messages.c.status, func.count()).where(messages.c.status != "done").group_by(messages.c.status)
    return {"new": 0, "parked": 0} | {str(status): int(count) for status, count in connection.execute(query)}


def _oldest(connection: Connection, now: float) -> float:
    first = select(func.min(messages.c.id)).where(messages.c.status == "new").scalar_subquery()
    at = connection.scalar(select(messages.c.received_at).where(messages.c.id == first))
    return max(0.0, now - _seconds(at)) if at else 0.0


def _pause(connection: Connection, now: float) -> float:
    since = connection.scalar(select(pauses.c.since).where(pauses.c.way == SERVER))
    return max(0.0, now - _seconds(since)) if since else 0.0


def _rows(connection: Connection, table: Any) -> int:
    return int(connection.scalar(select(func.count()).select_from(table)) or 0)


def _count(connection: Connection, where: Any) -> int:
    return int(connection.scalar(select(func.count()).where(where)) or 0)
