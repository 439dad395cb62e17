"""Name servers that do not answer: the mail waits, others go on, nothing is believed unproven, and no deadline is taken for missed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from redis import Redis

from services.mail.app import create_app
from services.mail.config import Config as MailConfig
from services.mail.signatures import Unanswered
from tests.mail.test_signatures import KEYS, signed
from tests.worker.conftest import NOW, Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, RealMail, orders_mail
from tests.worker.post import told
from tests.worker.test_identity import did, verdicts
from worker.clients import MailClient
from worker.local import AppCall
from worker.post.unanswered import PAUSES


class Names:
    """The name servers, which answer or do not."""

    def __init__(self) -> None:
        self.silent = True
        self.asked = 0

    def __call__(self, name: str) -> str | None:
        self.asked += 1
        if self.silent:
            raise Unanswered(name)
        return KEYS.get(name)


@pytest.fixture
def names() -> Names:
    return Names()


@pytest.fixture
def post(tmp_path: Path, redis: Redis, names: Names) -> Iterator[Desk]:
    """A worker whose mail service checks signatures, and a game begun in which a side is waited for one hour."""
    made = make_desk(tmp_path, redis, check_dkim=True, deadline_hours=1.0, absence="nothing")
    service = create_app(MailConfig.from_env({}), names)
    made.ports = replace(made.ports, mail=RealMail(MailClient(AppCall(service))))
    made.start()
    yield made
    made.ports.journal.engine.dispose()


def later(desk: Desk, **much: float) -> None:
    """Time goes by, then a sweep comes."""
    desk.now = (datetime.fromisoformat(desk.now) + timedelta(**much)).isoformat()
    desk.sweep()


def ann_writes(desk: Desk, *lines: str, key: str = "<1@ann>") -> None:
    raw = orders_mail(reply_to(desk, ANN), ANN, key, *lines)
    desk.drop(signed(raw.replace(b"\n", b"\r\n"), "example.org"))
    desk.run()


def test_a_mail_waits_for_the_key_of_its_sender_and_is_carried_out_when_it_can_be_had(post: Desk, names: Names) -> None:
    ann_writes(post, "MOVE A 0101")
    assert (did(post), verdicts(post), len(post.mails_to(ANN)), names.asked) == ([], ["None"], 1, 1)
    later(post, seconds=59)
    assert names.asked == 1  # it is looked at after a minute
    later(post, seconds=1)
    assert (did(post), names.asked) == ([], 2)
    names.silent = False
    later(post, minutes=2)
    assert (did(post), verdicts(post)) == (["MOVE A 0101"], ["accept"])
    assert "MOVE A 0101" in told(post.mails_to(ANN)[-1])


def test_mails_of_others_go_on_meanwhile(post: Desk) -> None:
    ann_writes(post, "MOVE A 0101")
    post.drop(orders_mail(reply_to(post, BRUNO), BRUNO, "<1@bruno>", "MOVE B 0202"))  # unsigned: its token is enough
    post.run()
    assert did(post) == ["MOVE B 0202"]


def test_after_an_hour_of_silence_it_is_held_and_the_registered_address_asked(post: Desk, names: Names) -> None:
    post.configure(deadline_hours=0.0)
    ann_writes(post, "MOVE A 0101")
    for pause in PAUSES:
        assert verdicts(post) == ["None"]
        later(post, seconds=pause.total_seconds())
    assert (did(post), verdicts(post)) == ([], ["hold:sender-unverified"])
    assert datetime.fromisoformat(post.now) - datetime.fromisoformat(NOW) == timedelta(hours=1)
    assert names.asked == 7
    assert "MOVE A 0101" in told(post.mails_to(ANN)[-1])


def test_a_forgers_mail_is_not_believed_when_the_key_comes(post: Desk, names: Names) -> None:
    raw = signed(orders_mail(reply_to(post, ANN), ANN, "<1@ann>", "MOVE A 0101").replace(b"\n", b"\r\n"), "example.org")
    post.drop(raw.replace(b"0101", b"0909"))
    post.run()
    names.silent = False
    later(post, minutes=1)
    assert (did(post), verdicts(post)) == ([], ["hold:sender-unverified"])


def test_a_side_whose_mail_waits_has_not_missed_its_deadline(post: Desk, names: Names) -> None:
    later(post, minutes=59)
    ann_writes(post, "MOVE A 0101", "DONE")
    later(post, minutes=2)
    assert did(post) == []
    names.silent = False
    later(post, minutes=2)
    assert did(post) == ["MOVE A 0101", "DONE"]
    assert verdicts(post) == ["accept", "absent:in-time"]


def test_a_worker_that_starts_anew_knows_what_waits(post: Desk, tmp_path: Path, redis: Redis, names: Names) -> None:
    ann_writes(post, "MOVE A 0101")
    redis.flushall()
    names.silent = False
    again = make_desk(tmp_path, redis, check_dkim=True)
    again.ports, again.now = replace(again.ports, mail=post.ports.mail), post.now
    again.sweep()
    assert did(again) == []
    later(again, minutes=1)
    assert did(again) == ["MOVE A 0101"]
