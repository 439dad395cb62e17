"""Two workers that hold no lease against each other: what keeps the order, and once only, is the journal's compare and set."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from dataclasses import replace
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy import select

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from worker.app import redis_url
from worker.post.outgoing import MaildirSender
from worker.store.database import reading
from worker.store.tables import messages, outbox, packets

BOTH = True
PATIENCE = 60.0


def works(folder: Path, url: str, database: str, gate: Barrier, rounds: int) -> None:
    """A worker's process: with a queue of its own it looks for mails and works off what there is, at the same moment as the other."""
    desk = make_desk(folder, Redis.from_url(url), database=database, answers_hour=10_000, mails_hour=10_000)
    desk.ports = replace(desk.ports, sender=MaildirSender(folder / "out"))
    for _ in range(rounds + 1):
        gate.wait(PATIENCE)
        desk.sweep()
        gate.wait(PATIENCE)
    desk.ports.journal.engine.dispose()


@pytest.mark.bug("S01")
def test_two_sides_that_send_at_the_same_moment_are_each_heard_once(
    desk: Desk, broker: str, database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """In each round (``--rounds``) a mail of both sides and two worker processes with queues of their own, so that neither's lease stops
    the other.
    """
    rounds: int = request.config.getoption("rounds")
    desk.start()
    to = {address: reply_to(desk, address) for address in (ANN, BRUNO)}
    fork = multiprocessing.get_context("fork")
    gate = fork.Barrier(3)
    urls = [redis_url(broker).replace("db=0", f"db={number}") for number in (0, 1)]
    workers = [fork.Process(target=works, args=(tmp_path, url, database, gate, rounds)) for url in urls]
    Redis.from_url(urls[1]).flushdb()
    desk.ports.journal.engine.dispose()  # no process uses a connection of another
    for worker in workers:
        worker.start()
    for number in range(rounds + 1):
        for address in (ANN, BRUNO) if number < rounds else ():
            desk.drop(orders_mail(to[address], address, f"<{number}@{address}>", "ROLL"))
        gate.wait(PATIENCE)
        gate.wait(PATIENCE)
    for worker in workers:
        worker.join(PATIENCE)
    assert [worker.exitcode for worker in workers] == [0, 0]
    _each_heard_once(desk, rounds)


def _each_heard_once(desk: Desk, rounds: int) -> None:
    journal = desk.ports.journal
    assert journal.broken_link("G1") is None
    assert (journal.game("G1").version, journal.game("G1").n) == (2 * rounds, 2 * rounds)
    did = journal.state("G1", 2 * rounds)[0]["did"]
    assert Counter(side for side, _, _ in did) == {"axis": rounds, "allied": rounds}
    with reading(journal.engine) as connection:
        assert Counter(connection.execute(select(messages.c.status, messages.c.verdict)).all()) == {("done", "accept"): 2 * rounds}
        assert sorted(connection.execute(select(packets.c.n)).scalars()) == list(range(1, 2 * rounds + 1))
        sent = connection.execute(select(outbox.c.status, outbox.c.message_id)).all()
        order = connection.execute(select(packets.c.message).order_by(packets.c.n)).scalars().all()
    assert {status for status, _ in sent} == {"sent"}
    assert len({key for _, key in sent}) == len(sent) == 2 + 2 * rounds
    assert len(list((desk.folder / "out" / "new").iterdir())) == 2 * rounds  # the first two were sent by the desk
    assert order == sorted(order)  # in the order in which they came
