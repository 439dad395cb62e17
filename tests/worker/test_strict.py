"""What PostgreSQL holds to and SQLite lets pass: lengths, and characters that no text may have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, orders_mail
from worker.store.database import reading
from worker.store.tables import messages

BOTH = True  # with SQLite to show that they are answered alike


def verdicts(desk: Desk) -> list[tuple[str, str]]:
    with reading(desk.ports.journal.engine) as connection:
        rows = connection.execute(select(messages.c.status, messages.c.verdict).order_by(messages.c.id))
        return [(status, verdict) for status, verdict in rows]


def test_a_mail_in_a_place_with_a_long_name_is_journaled_once(desk: Desk) -> None:
    place = "imap://" + "n" * 300
    assert desk.ports.journal.add_message(place, b"raw", desk.now, "-") == 1
    assert desk.ports.journal.add_message(place, b"raw", desk.now, "-") is None
    assert desk.ports.journal.add_message(place + "n", b"raw", desk.now, "-") is not None


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda raw: raw.replace(b"<1@ann>", b"<1\0@ann>"),
        lambda raw: raw.replace(b"<1@ann>", b"<" + b"x" * 3000 + b"@ann>"),
        lambda raw: raw.replace(b"Subject: ", b"Subject: \0\0"),
        lambda raw: raw.replace(b"ann@", b"a\0nn@"),
        lambda raw: raw.replace(b"ann@", b"a" * 400 + b"@"),
        lambda raw: raw.replace(b"STATUS", b"STATUS \0" + b"x" * 3000),
        lambda raw: raw.replace(b"STATUS", b"NOTIFY " + b"x" * 3000),
        lambda raw: raw.replace(b"STATUS", b"SUBSTITUTE " + b"x" * 300 + b"@example.org"),
        lambda raw: raw.replace(b"STATUS", b"NEW " + b"x" * 300 + b" y\0z"),
        lambda raw: raw.replace(b"STATUS", b"SAY hello \0 world"),
        lambda raw: raw.replace(b"STATUS", b"MOVE \0A"),
        lambda raw: raw.replace(b"STATUS", b"ROLL\0\nDONE"),
    ],
)
def test_spoiled_mails_are_answered_and_none_is_parked(post: Desk, spoiled: Callable[[bytes], bytes]) -> None:
    post.start()
    post.drop(spoiled(orders_mail(reply_to(post, ANN), ANN, "<1@ann>", "STATUS")))
    post.run()
    [(status, verdict)] = verdicts(post)
    assert status == "done"
    assert verdict.startswith(("accept", "hold:"))
    assert len(post.mails_to(ANN)) == 2  # the start, and the answer or the question
