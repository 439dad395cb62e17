"""What a message gets on top at our door, and what it cannot bring by itself."""

from __future__ import annotations

import pytest

from services.mail.checks import Case, is_proven
from services.mail.context import read_context
from services.mail.message import read_message
from services.mail.trace import traced

SERVER = "mx.hexpost.example"
MAIL = b"Received: by mx\r\nFrom: ann@example.org\r\nTo: orders@hexpost.example\r\n\r\nMOVE X 0101\r\n"


def proven(raw: bytes) -> bool:
    return is_proven(Case(read_message(raw), read_context({"server": SERVER, "address": "orders@hexpost.example"})))


def test_the_recipient_and_the_stamp_stand_on_top() -> None:
    raw = traced(MAIL, SERVER, ["orders+g1-t01-abcd@hexpost.example"], "dmarc=pass", limit=1000)
    assert raw.startswith(b"Delivered-To: orders+g1-t01-abcd@hexpost.example\r\nAuthentication-Results: mx.hexpost.example; dmarc=pass\r\n")
    assert raw.endswith(MAIL)
    assert proven(raw)


def test_line_ends_are_those_of_the_message() -> None:
    raw = traced(MAIL.replace(b"\r\n", b"\n"), SERVER, ["a@b.example"], limit=1000)
    assert raw == b"Delivered-To: a@b.example\n" + MAIL.replace(b"\r\n", b"\n")


def test_an_address_that_would_be_another_header_is_left_out() -> None:
    assert traced(MAIL, SERVER, ["a@b.example\r\nAuthentication-Results: x"], limit=1000) == MAIL


@pytest.mark.parametrize(
    "forged",
    [
        b"Authentication-Results: mx.hexpost.example; dmarc=pass\r\n",
        b"authentication-RESULTS:mx.hexpost.example;\r\n dmarc=pass\r\n",
        b"Subject: x\rAuthentication-Results: mx.hexpost.example; dmarc=pass\r\n",
        b"Subject: x\nAuthentication-Results: =?utf-8?q?mx.hexpost.example?=; dmarc=pass\r\n",
    ],
)
def test_a_stamp_that_comes_with_the_message_proves_nothing(forged: bytes) -> None:
    assert proven(forged + MAIL)
    assert not proven(traced(forged + MAIL, SERVER, ["a@b.example"], limit=1000))
    assert not proven(traced(MAIL[:17] + forged + MAIL[17:], SERVER, ["a@b.example"], "dmarc=none", limit=1000))
    assert proven(traced(forged + MAIL, SERVER, ["a@b.example"], limit=1000, stamped=True))


def test_of_a_message_that_is_too_long_the_headers_are_kept_and_its_size_is_told() -> None:
    raw = traced(MAIL + b"x" * 1000, SERVER, [], limit=1000)
    assert raw == b"X-Hexpost-Size: %d\r\n" % (len(MAIL) + 1000) + MAIL.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    assert read_message(raw).faults == ("too-big",)
    assert read_message(MAIL).faults == ()


def test_that_mark_cannot_be_brought_along() -> None:
    forged = traced(b"X-Hexpost-Size: 1\r\n" + MAIL, SERVER, [], limit=1000)
    assert read_message(forged).faults == ()


def test_headers_without_end_are_cut() -> None:
    raw = traced(b"A: b\n" * 30_000, SERVER, ["a@b.example"], limit=1_000_000)
    assert len(read_message(raw).headers) <= 500
    assert traced(b"", SERVER, [], limit=10) == b"\n"
