"""Mails at which something fails, hangs or dies each time: put aside after so many tries and told; none waits behind them for ever."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, ToyRules, body, orders_mail
from worker.drain import DEATHS
from worker.hosting import alerts
from worker.ports import ServiceBroke, ServiceDown, ServiceFailed, ServiceSlow
from worker.queues import GameQueues

MASTER = "max@club.example"
PARKED = ["explain", "refuse:parked"]


class Killed(BaseException):
    """The worker's process is gone: nothing catches it."""


@pytest.fixture
def told(desk: Desk) -> Desk:
    """A game with a game master, and two mails of orders: the first is poison, the second is not."""
    desk.configure(game_master=MASTER)
    desk.start()
    address = reply_to(desk, ANN)
    desk.drop(orders_mail(address, ANN, "<1@ann>", "POISON"))
    desk.drop(orders_mail(address, ANN, "<2@ann>", "MOVE A"))
    return desk


def poisoned(desk: Desk, monkeypatch: pytest.MonkeyPatch, death: BaseException) -> list[int]:
    """From now on the rules service ends like this at the poison; counts how often it does."""
    adjudicate = ToyRules.adjudicate
    met = [0]

    def dies(self: ToyRules, asked: Any) -> Any:
        if "POISON" in [one["verb"] for one in asked["packet"]["orders"]]:
            met[0] += 1
            raise death
        return adjudicate(self, asked)

    monkeypatch.setattr(ToyRules, "adjudicate", dies)
    return met


def sweep_until_done(desk: Desk, most: int) -> None:
    for _ in range(most):
        if not desk.ports.journal.waiting_messages() and not any((desk.folder / "in" / "new").iterdir()):
            break
        desk.sweep_quietly()
    desk.sweep_quietly()


def sentences(desk: Desk) -> list[str]:
    return [alert.facts["said"] for _, alert in alerts.waiting(desk.ports.journal.engine)]


@pytest.mark.parametrize(
    ("death", "tries"), [(ServiceFailed("x"), 3), (ServiceSlow("x"), 30), (ServiceBroke("x"), 30), (ValueError("x"), 3)]
)
def test_a_mail_that_fails_or_hangs_is_put_aside_and_the_game_master_told(
    told: Desk, monkeypatch: pytest.MonkeyPatch, death: Exception, tries: int
) -> None:
    met = poisoned(told, monkeypatch, death)
    sweep_until_done(told, 40)
    assert met == [tries]
    assert [body(mail)[:2] for mail in told.mails_to(ANN)[1:]] == [PARKED, ["receipt", "done"]]
    name = type(death).__name__
    said = f"Mail 1 of G1 cannot be handled and is put aside ({name}). When the cause is mended, hexpost retry tries it again."
    assert sentences(told) == [said]
    assert len(told.mails_to(MASTER)) == 1
    assert told.ports.journal.retry_parked() == 0  # she has sent other orders since


def test_a_service_that_is_away_is_waited_for_however_long(told: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    met = poisoned(told, monkeypatch, ServiceDown("x"))
    sweep_until_done(told, 60)
    assert met == [61]
    assert sentences(told) == []
    monkeypatch.undo()
    told.sweep()
    assert [body(mail)[:2] for mail in told.mails_to(ANN)[1:]] == [["receipt", "done"]] * 2


def killed_again_and_again(desk: Desk) -> int:
    """A worker after the other, each killed at the mail, until one lives; how many died."""
    for deaths in range(20):
        try:
            desk.sweep()
        except Killed:
            desk.woken.clear()
            desk.queues._redis.delete("hexpost:lease:G1")  # it ends some time
        else:
            return deaths
    raise AssertionError("each worker dies")


def test_a_mail_that_kills_each_worker_is_put_aside_after_five(told: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    met = poisoned(told, monkeypatch, Killed())
    assert killed_again_and_again(told) == DEATHS == 5
    assert met == [5]
    assert [body(mail)[:2] for mail in told.mails_to(ANN)[1:]] == [PARKED, ["receipt", "done"]]
    assert "(5 workers have died at it)" in sentences(told)[0]


def test_one_that_cannot_even_be_read_is_put_aside_unread(told: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    read = type(told.ports.mail).read

    def dies(self: Any, raw: bytes, known: Any) -> Any:
        if b"POISON" in raw:
            raise Killed
        return read(self, raw, known)

    monkeypatch.setattr(type(told.ports.mail), "read", dies)
    assert killed_again_and_again(told) == DEATHS + 1
    assert [body(mail)[:2] for mail in told.mails_to(ANN)[1:]] == [["receipt", "done"]]
    assert "(6 workers have died at it)" in sentences(told)[0]


def test_deaths_that_have_other_causes_are_forgotten_with_the_first_try_that_ends(redis: Redis) -> None:
    queues = GameQueues(redis, 60)

    def ends(how: BaseException, expected: int) -> None:
        with queues.surviving(7) as before:
            assert before == expected
            raise how

    for died in range(4):
        with pytest.raises(Killed):
            ends(Killed(), died)
    with pytest.raises(ServiceDown):
        ends(ServiceDown("x"), 4)
    with queues.surviving(7) as before, queues.surviving(8) as other:
        assert (before, other) == (0, 0)
    assert redis.keys("hexpost:tried:*") == []


@pytest.mark.parametrize(("death", "tries"), [(ServiceFailed("x"), 3), (ServiceSlow("x"), 60), (ServiceBroke("x"), 60)])
def test_a_report_at_which_the_mail_service_fails_or_hangs_is_put_aside_and_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, death: Exception, tries: int
) -> None:
    desk.configure(game_master=MASTER)
    report = type(desk.ports.mail).report
    met = [0]

    def fails(self: Any, asked: Any) -> Any:
        if asked.get("side") == "axis":
            met[0] += 1
            raise death
        return report(self, asked)

    monkeypatch.setattr(type(desk.ports.mail), "report", fails)
    with pytest.raises(type(death)):
        desk.start()
    for _ in range(tries + 1):
        desk.sweep_quietly()
    assert met == [tries]
    assert (len(desk.mails_to(ANN)), len(desk.mails_to(BRUNO)), len(desk.mails_to(MASTER))) == (0, 1, 1)
    name = type(death).__name__
    assert sentences(desk) == [f"Mail v0/start/axis/1 of G1 cannot be made and is put aside ({name}); hexpost retry tries it again."]


def test_a_worker_made_anew_goes_by_what_redis_knows_of_the_deaths(told: Desk, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    poisoned(told, monkeypatch, Killed())
    for _ in range(DEATHS):
        with pytest.raises(Killed):
            told.sweep()
        told.woken.clear()
        redis.delete("hexpost:lease:G1")
    again = make_desk(told.folder, redis, game_master=MASTER)
    again.sweep()
    assert [body(mail)[:2] for mail in again.mails_to(ANN)] == [PARKED, ["receipt", "done"]]
    again.ports.journal.engine.dispose()
