"""What Redis must be like, and that one without room loses nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, orders_mail
from worker.app import READY_KEY
from worker.config import Config, ConfigError
from worker.hosting.broker import check_broker, redis_url
from worker.hosting.processes import CannotServe, start, stop, wait_until
from worker.hosting.watchdog import HUNG
from worker.roles import worker_command, worker_environment
from worker.serve import Running, _start_broker

ROOM = 300_000


@pytest.fixture
def own(tmp_path: Path) -> Iterator[str]:
    """A server that no other test uses."""
    found = Running(Config(home=tmp_path), tmp_path / "log")
    yield _start_broker(found)
    stop(found.processes["broker"])


def fill(client: Redis) -> None:
    """What a cache would do."""
    for number in range(1000):
        client.set(f"cache:{number}", "x" * 1000)


@pytest.mark.bug("C07")
def test_a_redis_that_throws_out_what_it_was_given_is_refused(own: str) -> None:
    client = Redis.from_url(redis_url(own))
    check_broker(own)
    for policy in ("allkeys-lru", "volatile-ttl"):
        client.config_set("maxmemory-policy", policy)
        with pytest.raises(CannotServe, match=f"maxmemory-policy {policy}.*Set it to noeviction"):
            check_broker(own)
    client.config_set("maxmemory-policy", "noeviction")
    check_broker(own)
    client.config_set("requirepass", "sesame")
    with pytest.raises(CannotServe, match="refuses the login"):
        check_broker(own)
    check_broker(own.replace("redis+socket://", "redis+socket://:sesame@"))


def test_a_redis_that_is_away_is_waited_for(tmp_path: Path) -> None:
    check_broker(f"redis+socket://{tmp_path}/none.sock?virtual_host=0")


@pytest.mark.bug("C07")
def test_a_redis_without_room_keeps_mails_waiting_and_loses_none(own: str, tmp_path: Path) -> None:
    client = Redis.from_url(redis_url(own))
    desk: Desk = make_desk(tmp_path, client)
    desk.start()
    client.config_set("maxmemory", int(client.info("memory")["used_memory"]) + ROOM)
    with pytest.raises(OutOfMemoryError):
        fill(client)
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
    sent = len(desk.mails_to(ANN))
    with pytest.raises(OutOfMemoryError):
        desk.take_in()
    for _ in range(5):
        desk.sweep_quietly()
    assert len(desk.mails_to(ANN)) == sent
    assert len(desk.ports.journal.waiting_messages()) == 1
    client.delete(*client.keys("cache:*"))
    desk.sweep()
    assert len(desk.mails_to(ANN)) == sent + 1
    assert desk.ports.journal.waiting_messages() == []
    desk.ports.journal.engine.dispose()


def test_a_worker_that_ends_as_redis_takes_nothing_more_does_not_say_that_all_is_well(own: str, tmp_path: Path) -> None:
    client = Redis.from_url(redis_url(own))
    config = Config(home=tmp_path, broker=own, database=f"sqlite:///{tmp_path / 'journal.db'}", rules="http://127.0.0.1:9")
    worker = start("worker", worker_command(), tmp_path / "worker.log", worker_environment(config))
    try:
        wait_until(lambda: bool(client.exists(READY_KEY)), {"worker": worker}, tmp_path)
        client.config_set("min-replicas-to-write", 1)  # as with a full disk: what would be written is refused
        assert worker.wait(30) == HUNG
    finally:
        stop(worker)
    assert "the worker has ended by itself" in (tmp_path / "worker.log").read_text()


@pytest.mark.parametrize(
    "broker", ["redis://127.0.0.1:port/0", "redis://:s3cret/x@127.0.0.1:70000/0", "redis://127.0.0.1:99999/0", "redis://[::1/0"]
)
def test_a_bad_port_or_host_is_a_sentence_without_the_password(broker: str) -> None:
    with pytest.raises(ConfigError, match="Setting broker is no URL of a Redis: its host must be") as told:
        Config.load(Path(os.devnull), {"BROKER_URL": broker})
    assert "s3cret" not in str(told.value)
    with pytest.raises(CannotServe, match="The setting broker is no URL of a Redis"):
        check_broker(broker)
