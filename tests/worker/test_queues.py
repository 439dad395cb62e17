"""Queues and leases against a real server."""

from __future__ import annotations

import pytest
from redis import Redis

from worker.queues import GameQueues, LeaseLost


def test_a_queue_keeps_order_and_each_mail_once(redis: Redis) -> None:
    queues = GameQueues(redis, 60)
    for message in (3, 5, 3, 4):
        queues.push("G1", message)
    queues.push("G2", 9)
    seen = []
    while (head := queues.head("G1")) is not None:
        seen.append(head)
        queues.remove("G1", head)
    assert seen == [5, 3, 4]
    assert queues.head("G2") == 9


def test_a_lease_is_held_by_one_and_given_back(redis: Redis) -> None:
    queues = GameQueues(redis, 60)
    with queues.lease("G1") as first:
        assert first is not None
        with queues.lease("G1") as second, queues.lease("G2") as other:
            assert second is None
            assert other is not None
        first.renew()
    with queues.lease("G1") as again:
        assert again is not None


def test_a_lease_that_lapsed_is_not_taken_from_its_next_holder(redis: Redis) -> None:
    queues = GameQueues(redis, 60)
    with queues.lease("G1") as slow:
        redis.delete("hexpost:lease:G1")
        with queues.lease("G1") as quick:
            assert slow is not None
            assert quick is not None
            with pytest.raises(LeaseLost):
                slow.renew()
            slow.give_back()
            quick.renew()
