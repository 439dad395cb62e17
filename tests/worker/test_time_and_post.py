"""Clocks that jump, two clocks that tick, a mail server that is down for hours: the games and their mails end as if nothing had been."""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from redis import Redis

from tests.worker.conftest import NOW, Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.smtp_server import smtp_server
from tests.worker.test_crashes import Ending, desk_of, ending, prepare
from worker.app import redis_url
from worker.clock import Clock
from worker.config import Config
from worker.hosting import alerts
from worker.post.routes import Routes
from worker.post.smtp import Relay, SmtpSender

HOUR = timedelta(hours=1)


def at(hours: float) -> str:
    return (datetime.fromisoformat(NOW) + hours * HOUR).isoformat()


def session(prepared: Path, redis: Redis, hours: list[float]) -> Ending:
    """The session of both sides, a mail taken in at each of these hours in turn (by the worker's clock)."""
    folder = prepared.with_name(f"{prepared.name}-{len(list(prepared.parent.iterdir()))}")
    shutil.copytree(prepared, folder)
    redis.flushall()
    desk = desk_of(folder, redis)
    waiting = sorted((folder / "in" / "new").iterdir())
    held = folder / "held"
    held.mkdir()
    mails = [path.rename(held / path.name) for path in waiting]
    for number, path in enumerate(mails):
        path.rename(folder / "in" / "new" / path.name)
        desk.now = at(hours[number % len(hours)])
        desk.sweep()
    found = ending(desk)
    desk.ports.journal.engine.dispose()
    return found


@pytest.mark.parametrize("hours", [[0, 8760, 1, 9000], [0, -3, -30, -8760], [5, 4, 3, 2, 1]], ids=["on and back", "back", "back each time"])
def test_a_clock_that_jumps_changes_neither_dice_nor_order_nor_mails(tmp_path: Path, redis: Redis, hours: list[float]) -> None:
    prepared = prepare(tmp_path / "session", redis, whole=True)
    chain, mails = session(prepared, redis, [0])
    jumped_chain, jumped_mails = session(prepared, redis, hours)
    assert len(chain) == 6
    assert jumped_chain == chain
    # The answer to a stranger is no mail of a game: its id is made of what it says, its date among that.
    assert {key for key in jumped_mails if key.startswith("<g1.")} == {key for key in mails if key.startswith("<g1.")}
    assert len(jumped_mails) == len(mails) == 11


def test_a_clock_that_was_a_year_ahead_for_a_moment_reminds_and_plays_for_nobody_twice(desk: Desk) -> None:
    """What is overdue by a wrong clock is called once: put back, the side that was played for has its whole time again."""
    desk.configure(deadline_hours=48.0, absence="nothing")
    desk.start()
    desk.now = at(8760)
    desk.sweep()
    turned = desk.ports.journal.game("G1").version
    desk.now = at(1)
    for _ in range(3):
        desk.sweep()
    assert desk.ports.journal.game("G1").version == turned == 1
    assert desk.ports.journal.broken_link("G1") is None
    desk.drop(orders_mail(reply_to(desk, BRUNO), BRUNO, "<1@bruno>", "MOVE B"))
    desk.run()
    assert desk.ports.journal.state("G1", 2)[0]["did"][-1] == ["allied", "MOVE", "B"]


def test_two_clocks_and_two_workers_pass_a_deadline_once(desk: Desk, broker: str, tmp_path: Path, database: str) -> None:
    settings = {"deadline_hours": 48.0, "absence": "nothing"}
    desk.configure(**settings)
    desk.start()
    elsewhere = Redis.from_url(redis_url(broker).replace("db=0", "db=1"))  # other leases: neither worker keeps the other out
    elsewhere.flushdb()
    other = make_desk(tmp_path, elsewhere, database=database, **settings)
    before = Counter(address for one in (desk, other) for _, to, _ in one.sender.sent for address in to)
    for hours in (30, 47, 49, 49.1):  # a reminder is due, another, then the deadline
        desk.now = other.now = at(hours)
        threads = [threading.Thread(target=one.sweep) for one in (desk, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert desk.ports.journal.game("G1").version == 1
    assert desk.ports.journal.broken_link("G1") is None
    ids = {str(headers(raw)["Message-ID"]): to for one in (desk, other) for _, to, raw in one.sender.sent}
    told = Counter(address for to in ids.values() for address in to)
    assert before == {ANN: 1, BRUNO: 1}
    assert told == {ANN: 1 + 2 + 1, BRUNO: 1 + 1}  # start; two reminders; that the player-turn is over
    other.ports.journal.engine.dispose()
    elsewhere.close()


class Told:
    """In place of Celery: the tasks that two clocks ask for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def send_task(self, name: str, expires: float) -> None:
        self.asked.append(name)


def test_a_clock_keeps_its_pace_whatever_the_machines_clock_says(tmp_path: Path) -> None:
    """It goes by the clock that only goes forward: 0, 10 and 29.9 s after a sweep there is none, 30 s after there is one."""
    asked = Told()
    clock = Clock(Config(home=tmp_path, inbox=tmp_path / "in", sweep=30.0), asked, lambda: True)
    for now, count in ((100.0, 1), (100.0, 1), (110.0, 1), (129.9, 1), (130.0, 2), (131.0, 2)):
        clock.tick(now)
        assert asked.asked.count("hexpost.sweep") == count


def test_a_mail_server_that_is_down_for_six_hours_gets_every_mail_once_and_in_order(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "smtp").mkdir()
    with smtp_server(tmp_path / "smtp") as server:
        engine = desk.ports.journal.engine
        tell = alerts.teller(engine, desk.ports.config, lambda: desk.now)
        relay = Relay(f"smtp+plain://127.0.0.1:{server.port}", "orders@toy.example", minute=0)
        sender = SmtpSender(relay, Routes(engine, 30.0), lambda: desk.now, tell)
        desk.ports = replace(desk.ports, sender=sender)
        desk.start()
        assert [mail.recipients for mail in server.script.taken] == [[ANN], [BRUNO]]
        to = str(headers(server.script.taken[0].raw)["Reply-To"])
        server.script.says["MAIL"].extend(["421 4.3.2 Shutting down"] * 500)
        for step in range(36):  # every ten minutes a sweep; every hour orders
            desk.now = at(step / 6)
            if step % 6 == 0:
                desk.drop(orders_mail(to, ANN, f"<{step // 6}@ann>", f"MOVE A{step // 6}"))
            desk.sweep()
        assert desk.ports.journal.game("G1").version == 6  # the game went on
        assert len(server.script.taken) == 2
        assert server.script.heard["MAIL"] < 20  # with pauses, not at each sweep
        assert len(alerts.waiting(engine)) == 1  # told once
        server.script.says["MAIL"].clear()
        for step in range(36, 44):
            desk.now = at(step / 6)
            desk.sweep()
        answers = [str(headers(mail.raw)["In-Reply-To"]) for mail in server.script.taken[2:]]
        assert answers == [f"<{number}@ann>" for number in range(6)]
        assert desk.outbox.games() == []
        sender.close()
