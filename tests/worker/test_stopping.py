"""A worker that is told to end finishes the mail that it is at; what is left waits for another."""

from __future__ import annotations

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, orders_mail
from worker import drain


def test_the_mail_at_hand_is_finished_and_the_next_left_to_another_worker(desk: Desk) -> None:
    game = desk.start()
    for number in (1, 2):
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, f"<{number}@ann>", "MOVE A"))
    desk.take_in()
    desk.woken.clear()
    sent = len(desk.sender.sent)
    told = iter((False, False, True, True))  # by the second look for a mail the signal has come
    drain.drain(desk.ports, desk.queues, game, desk.wake, lambda: next(told))
    assert [message for _, message in desk.ports.journal.waiting_messages()] == [2]
    assert list(desk.woken) == [("drain", game)]
    with desk.queues.lease(game) as lease:
        assert lease is not None  # it was given back: nobody waits until it lapses
    drain.post(desk.ports, desk.outbox, desk.queues, game, lambda: True)
    assert len(desk.sender.sent) == sent
    desk.run()
    desk.wake_post(game)
    desk.run()
    assert desk.ports.journal.waiting_messages() == []
    assert len(desk.sender.sent) == sent + 2  # a receipt each


def test_one_that_is_told_before_it_began_does_nothing(desk: Desk) -> None:
    game = desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
    desk.take_in()
    desk.woken.clear()
    drain.drain(desk.ports, desk.queues, game, desk.wake, lambda: True)
    assert len(desk.ports.journal.waiting_messages()) == 1
    assert list(desk.woken) == [("drain", game)]
