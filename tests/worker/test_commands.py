"""Commands to the campaign, through journal and outbox with the real mail service: who may, what is entered, what is answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from redis import Redis

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, ToyMail, headers, orders_mail
from worker.canonical import Json
from worker.clients import MailClient
from worker.local import local_mail
from worker.ports import Mail


class RealMail(ToyMail):
    """The real mail service; only orders are those of the toy game."""

    def __init__(self, real: MailClient) -> None:
        self.real = real

    def read(self, raw: bytes, context: Json) -> Json:
        return self.real.read(raw, context)

    def report(self, body: Json) -> Json:
        return self.real.report(body)

    def compose(self, body: Json) -> Json:
        return self.real.compose(body)


@pytest.fixture(scope="module")
def mail() -> Mail:
    """The mail service in this process."""
    return RealMail(local_mail())


@pytest.fixture
def post(tmp_path: Path, redis: Redis, mail: Mail) -> Iterator[Desk]:
    """A worker with the real mail service and the rules of the toy game."""
    made = make_desk(tmp_path, redis)
    made.ports = replace(made.ports, mail=mail)
    yield made
    made.ports.journal.engine.dispose()


def told(raw: bytes) -> str:
    """The plain text of a mail that was sent, on one line."""
    plain = headers(raw).get_body(("plain",))
    return " ".join(plain.get_content().split())


def write(desk: Desk, sender: str, *lines: str, to: str | None = None, key: str = "") -> bytes:
    """A player writes; the last mail that he gets thereupon."""
    desk.drop(orders_mail(to or reply_to(desk, sender), sender, f"<{key or desk.count}@{sender.partition('@')[0]}>", *lines))
    desk.run()
    return desk.mails_to(sender)[-1]


def test_a_question_is_answered_to_its_sender_in_his_thread_and_changes_nothing(post: Desk) -> None:
    post.start()
    first = headers(post.mails_to(ANN)[-1])
    answer = write(post, ANN, "Hello,", "map", "Ann")
    assert headers(answer)["In-Reply-To"] == "<0@ann>"
    assert headers(answer)["Auto-Submitted"] == "auto-replied"
    assert headers(answer)["Reply-To"] == first["Reply-To"]
    assert "> map -- done The map below is the position now" in told(answer)
    assert "not an order: | Hello," in told(answer)
    assert len(post.mails_to(BRUNO)) == 1
    assert post.ports.journal.game("G1").version == 0
    (entered,) = post.ports.journal.commands("G1")
    assert (entered["verb"], entered["side"], entered["sender"], entered["status"]) == ("MAP", "axis", ANN, "done")


def test_a_command_that_cannot_be_read_is_told_with_the_way_to_write_it(post: Desk) -> None:
    post.start()
    answer = told(write(post, ANN, "INVITE bob"))
    assert "INVITE bob -- refused" in answer
    assert "expected a mail address. Did you mean" not in answer
    assert "expected a mail address. Write: INVITE address [TO game] [AS side]" in answer
    assert post.ports.journal.commands("G1")[0]["status"] == "refused"


def test_a_question_from_an_old_thread_or_without_token_is_answered_to_the_registered_address(post: Desk) -> None:
    post.start()
    answer = write(post, ANN, "HELP UNDO", to="orders@toy.example")
    assert "takes your last orders back" in told(answer)


def test_a_stranger_is_not_answered(post: Desk) -> None:
    post.start()
    post.drop(orders_mail("orders@toy.example", "eve@example.com", "<1@eve>", "HELP"))
    post.drop(orders_mail(reply_to(post, ANN), "eve@example.com", "<2@eve>", "MAP"))
    post.run()
    assert post.mails_to("eve@example.com") == []
    # her mail with Ann's token is asked about at Ann's address
    assert "Did you send this mail?" in str(headers(post.mails_to(ANN)[-1])["Subject"])
