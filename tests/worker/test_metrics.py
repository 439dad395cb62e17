"""What ``/metrics`` counts, in numbers; that half of it is shown when the rest is away; and that it tells of nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from worker import drain
from worker.config import Config
from worker.hosting.alerts import Alert, raise_alert
from worker.hosting.meter import BOUNDS, Meter, buckets
from worker.hosting.metrics import Counts, make_app
from worker.ports import ServiceFailed
from worker.post.routes import SERVER, Routes
from worker.store.database import connect, writing
from worker.store.records import Write
from worker.waiting import terms
from worker.waiting.halts import Halt

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def shown(counts: Counts) -> tuple[Samples, str]:
    """The samples by name and labels, and the text that they came as."""
    answer = make_app(counts).test_client().get("/metrics")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    families = text_string_to_metric_families(answer.text)
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples}, answer.text


def of(found: Samples, name: str, **labels: str) -> float:
    return found[(name, tuple(sorted(labels.items())))]


def counts_of(desk: Desk, redis: Any) -> Counts:
    return Counts(desk.ports.config, desk.ports.journal.engine, redis, desk.ports.now)


def test_a_new_installation_has_nothing_to_show_and_shows_that(desk: Desk, redis: Redis) -> None:
    found, _ = shown(counts_of(desk, redis))
    assert [of(found, "hexpost_games", state=state) for state in ("running", "over", "open")] == [0, 0, 0]
    assert (of(found, "hexpost_database_up"), of(found, "hexpost_queue_up")) == (1, 1)
    assert of(found, "hexpost_message_oldest_seconds") == 0
    assert of(found, "hexpost_message_seconds_count") == 0


def test_games_mails_and_waits_are_counted(desk: Desk, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise ServiceFailed("no")

    desk.configure(shards=2, deadline_hours=24)
    game = desk.start()  # a mail to each
    token = reply_to(desk, ANN)
    desk.drop(orders_mail(token, ANN, "<1@ann>", "MOVE A"))
    desk.run()  # a receipt
    with monkeypatch.context() as patch:
        patch.setattr(type(desk.rules), "adjudicate", broken)
        desk.drop(orders_mail(token, ANN, "<2@ann>", "MOVE A"))
        for _ in range(3):
            desk.sweep_quietly()
    desk.drop(orders_mail(token, ANN, "<3@ann>", "MOVE A"))
    drain.take_in(desk.ports, desk.inbox, desk.queues, lambda game: None)
    for about in ("one", "two"):
        raise_alert(desk.ports.journal.engine, desk.ports.config, Alert("operator", about, desk.now, None, {"part": "x", "said": "y"}))
    desk.now = "2026-03-27T20:16:19+00:00"  # two minutes and ten seconds later
    Meter(redis).swept("2026-03-27T20:16:00+00:00")
    desk.queues.looked("orders@desk.example at imaps://mail.example", "2026-03-27T20:15:00+00:00")
    for _ in range(3):
        redis.rpush("hexpost.1", "a task")
    found, text = shown(counts_of(desk, redis))
    assert of(found, "hexpost_games", state="running") == 1
    assert of(found, "hexpost_messages", status="new") == 1
    assert of(found, "hexpost_messages", status="parked") == 1
    assert of(found, "hexpost_message_oldest_seconds") == 130
    assert of(found, "hexpost_packets", status="done") == 1
    assert of(found, "hexpost_outbox", status="sent") == len(desk.sender.sent)
    assert of(found, "hexpost_alerts_open") == 3  # the parked mail is one
    assert of(found, "hexpost_message_seconds_count") == 1  # the failures are none
    assert of(found, "hexpost_message_wait_seconds_count") == 1
    assert of(found, "hexpost_mail_seconds_count") == len(desk.sender.sent)
    assert of(found, "hexpost_sweep_timestamp_seconds") == 1774642560
    assert of(found, "hexpost_inbox_look_timestamp_seconds", way="imap") == 1774642500
    assert [of(found, "hexpost_queue_length", queue=one) for one in ("hexpost", "hexpost.0", "hexpost.1")] == [0, 0, 3]
    assert of(found, "hexpost_deadlines_late") == 0
    desk.now = "2026-03-28T20:19:10+00:00"  # the deadline was at 20:14:09
    assert of(shown(counts_of(desk, redis))[0], "hexpost_deadlines_late") == 1
    secrets = (ANN, BRUNO, game, token.partition("@")[0], "5a" * 32, "desk.example", "MOVE")
    assert [one for one in secrets if one in text] == []


def test_a_deadline_is_late_by_the_terms_of_its_game_and_not_while_that_stands_still(desk: Desk, redis: Redis) -> None:
    def late() -> float:
        return of(shown(counts_of(desk, redis))[0], "hexpost_deadlines_late")

    def write(*writes: Write) -> None:
        with writing(desk.ports.journal.engine) as connection:
            for one in writes:
                one(connection)

    desk.configure(deadline_hours=24)
    game = desk.start()
    desk.now = "2026-03-28T20:19:10+00:00"  # the deadline was at 20:14:09
    assert late() == 1
    write(Halt(game, desk.now, None, "a holiday").written())
    assert late() == 0
    write(Halt(game, desk.now, None, "a holiday").ended(desk.now))
    assert late() == 1
    write(terms.agreeing(game, {"turn": "0"}))  # both agreed to wait for ever
    assert late() == 0
    desk.configure(deadline_hours=0)
    assert late() == 0
    write(terms.agreeing(game, {"turn": "24"}))  # a hurry of this game alone
    assert late() == 1


def test_a_mail_server_that_takes_nothing_and_tasks_that_fail_are_seen(desk: Desk, redis: Redis) -> None:
    from datetime import datetime

    routes = Routes(desk.ports.journal.engine, 30.0)
    routes.failed(SERVER, datetime.fromisoformat(desk.now))
    desk.now = "2026-03-27T21:14:09+00:00"
    for _ in range(2):
        Meter(redis).failed("drain")
    found, _ = shown(counts_of(desk, redis))
    assert of(found, "hexpost_mail_server_paused_seconds") == 3600
    assert of(found, "hexpost_task_failures_total", task="drain") == 2


def test_times_fall_into_buckets_that_hold_those_below(redis: Redis) -> None:
    meter = Meter(redis)
    for seconds in (0.05, 0.06, 0.3, 9.0, 9000.0):
        meter.observe("message", seconds)
    found, total = buckets(meter.read(), "message")
    assert dict(found) == dict(zip((*map(str, BOUNDS), "+Inf"), (1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5), strict=True))
    assert round(total, 3) == 9009.41


def test_what_is_away_leaves_the_rest_to_be_seen_and_stops_no_worker(tmp_path: Path, desk: Desk, redis: Redis) -> None:
    gone = Redis(host="127.0.0.1", port=1)
    found, _ = shown(replace_redis(desk, gone))
    assert (of(found, "hexpost_queue_up"), of(found, "hexpost_database_up")) == (0, 1)
    Meter(gone).observe("message", 1.0)
    Meter(gone).failed("drain")
    (tmp_path / "folder.db").mkdir()
    found, _ = shown(Counts(replace(Config(), shards=1), connect(f"sqlite:///{tmp_path}/folder.db"), redis, desk.ports.now))
    assert (of(found, "hexpost_queue_up"), of(found, "hexpost_database_up")) == (1, 0)


def replace_redis(desk: Desk, redis: Any) -> Counts:
    return Counts(desk.ports.config, desk.ports.journal.engine, redis, desk.ports.now)


def test_the_database_is_asked_once_however_many_ask(desk: Desk, redis: Redis) -> None:
    counts = counts_of(desk, redis)
    shown(counts)
    desk.start()
    assert of(shown(counts)[0], "hexpost_games", state="running") == 0
    assert of(shown(counts_of(desk, redis))[0], "hexpost_games", state="running") == 1
