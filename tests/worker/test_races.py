"""Two workers that hold no lease against each other: what keeps the order, and once only, is the journal's compare and set."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy import select

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from worker.app import redis_url
from worker.store.database import reading
from worker.store.tables import messages, outbox, packets

BOTH = True
ROUNDS = 40


def both_at_once(*desks: Desk) -> None:
    """Each worker looks for mails and works off what there is, at the same moment."""
    failed: list[BaseException] = []
    gate = threading.Barrier(len(desks))

    def work(desk: Desk) -> None:
        try:
            gate.wait()
            desk.sweep()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(desk,)) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.mark.bug("S01")
def test_two_sides_that_send_at_the_same_moment_are_each_heard_once(desk: Desk, broker: str, database: str, tmp_path: Path) -> None:
    """Forty rounds, in each a mail of both sides and two workers with queues of their own, so that neither's lease stops the other."""
    desk.configure(answers_hour=1000, mails_hour=1000)
    desk.start()
    elsewhere = Redis.from_url(redis_url(broker).replace("db=0", "db=1"))
    elsewhere.flushdb()
    other = make_desk(tmp_path, elsewhere, database=database, answers_hour=1000, mails_hour=1000)
    to = {address: reply_to(desk, address) for address in (ANN, BRUNO)}
    for number in range(ROUNDS):
        for address in (ANN, BRUNO):
            desk.drop(orders_mail(to[address], address, f"<{number}@{address}>", "ROLL"))
        both_at_once(desk, other)
    both_at_once(desk, other)

    journal = desk.ports.journal
    assert journal.broken_link("G1") is None
    assert (journal.game("G1").version, journal.game("G1").n) == (2 * ROUNDS, 2 * ROUNDS)
    did = journal.state("G1", 2 * ROUNDS)[0]["did"]
    assert Counter(side for side, _, _ in did) == {"axis": ROUNDS, "allied": ROUNDS}
    with reading(journal.engine) as connection:
        assert Counter(connection.execute(select(messages.c.status, messages.c.verdict)).all()) == {("done", "accept"): 2 * ROUNDS}
        assert sorted(connection.execute(select(packets.c.n)).scalars()) == list(range(1, 2 * ROUNDS + 1))
        sent = connection.execute(select(outbox.c.status, outbox.c.message_id)).all()
        order = connection.execute(select(packets.c.message).order_by(packets.c.n)).scalars().all()
    assert {status for status, _ in sent} == {"sent"}
    assert len({key for _, key in sent}) == len(sent) == 2 + 2 * ROUNDS
    assert order == sorted(order)  # in the order in which they came
    other.ports.journal.engine.dispose()
    elsewhere.close()
