"""Queues by game: every game has one, whoever asks, and a worker reads those that it is told to."""

from __future__ import annotations

import zlib
from collections import Counter
from pathlib import Path

import pytest

from worker.app import create_app
from worker.config import Config, ConfigError
from worker.shards import parse_shards, queue_of, queues_of


def test_the_games_are_spread_over_the_queues_by_their_ids() -> None:
    # 0xcbf43926 is the published check value of CRC-32 for these nine digits; by 7 it leaves 2.
    assert zlib.crc32(b"123456789") == 0xCBF43926
    assert queue_of("123456789", 7) == f"hexpost.{0xCBF43926 % 7}"
    found = Counter(queue_of(f"G{number}", 4) for number in range(1, 401))
    assert set(found) == {"hexpost.0", "hexpost.1", "hexpost.2", "hexpost.3"}
    assert min(found.values()) >= 80  # a hundred each would be even
    assert {queue_of(f"G{number}", 1) for number in range(50)} == {"hexpost.0"}


@pytest.mark.parametrize(
    ("text", "found"), [("", [0, 1, 2, 3]), ("2", [2]), ("0,2", [0, 2]), ("0-1, 3", [0, 1, 3]), ("1,1-2", [1, 2]), ("3-3", [3])]
)
def test_the_shards_of_a_worker_are_numbers_and_spans(text: str, found: list[int]) -> None:
    assert parse_shards(text, 4) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [("4", "0 to 3"), ("0-4", "0 to 3"), ("2-1", "no shard 2-1"), ("x", "not 'x'"), ("1-", "not '1-'"), ("-1", "not '-1'")],
)
def test_what_is_no_shard_is_said(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_shards(text, 4)


def test_a_worker_reads_its_shards_and_what_is_for_everybody() -> None:
    assert queues_of([0, 2]) == ["hexpost", "hexpost.0", "hexpost.2"]


def test_tasks_go_to_the_queue_of_their_game(tmp_path: Path, broker: str) -> None:
    from redis import Redis

    from worker.hosting.broker import redis_url

    app = create_app(Config(home=tmp_path, broker=broker, shards=3))
    client = Redis.from_url(redis_url(broker))
    client.flushall()
    for name, args in (("hexpost.drain", ("G1",)), ("hexpost.post", ("G1",)), ("hexpost.drain", ("-",)), ("hexpost.sweep", ())):
        app.send_task(name, args)
    lengths = Counter({queue: client.llen(queue) for queue in ("hexpost", "hexpost.0", "hexpost.1", "hexpost.2")})
    assert +lengths == Counter({"hexpost": 1}) + Counter([queue_of("G1", 3)] * 2 + [queue_of("-", 3)])
    client.flushall()
    client.close()
    app.close()
