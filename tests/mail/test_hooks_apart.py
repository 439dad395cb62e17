"""Providers' calls without the raw message: put together from their parts, or refused with advice."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from services.mail.message import read_message
from tests.mail import hooked
from tests.mail.hooked import NOW, SERVER, TO, Call, Door


@pytest.mark.parametrize(
    ("hook", "call", "said"),
    [
        ("mailgun/mime", lambda: form_without("body-mime"), "/mime"),
        ("postmark", lambda: hooked.postmark(RawEmail=None, TextBody=None), "Include raw email content"),
        ("sendgrid", lambda: hooked.sendgrid(email=""), "POST the raw, full MIME message"),
        ("ses", lambda: hooked.sns(json.dumps({"notificationType": "Received", "receipt": {}})), "SNS action"),
        ("ses", lambda: hooked.sns("Successfully validated SNS topic for Amazon SES event publishing."), "JSON"),
    ],
)
def test_a_provider_that_sends_no_raw_message_is_told_what_to_switch_on(door: Door, hook: str, call: Callable[[], Call], said: str) -> None:
    status, problem = door.post(hook, *call())
    assert status in (400, 422)
    assert said in problem["detail"]
    assert door.spooled() == []


def form_without(name: str) -> Call:
    body, headers = hooked.mailgun()
    return body.replace(f'name="{name}"'.encode(), b'name="other"'), headers


def test_a_message_that_postmark_has_taken_apart_is_put_together_again(door: Door) -> None:
    named = {"Message-ID": "<9@mail.example.org>", "In-Reply-To": "<g1@hexpost.example>", "Auto-Submitted": "no", "MIME-Version": "1.0"}
    named |= {"DKIM-Signature": "v=1; d=mail.example.org", "Authentication-Results": f"{SERVER}; dmarc=pass", "From": "eve@x.example"}
    named |= {"X-Odd": "a\r\nBcc: all@x.example\r\n\r\nMOVE EVE", "Content-Type": "text/html; charset=utf-16"}
    file = {"Name": "orders.txt", "ContentType": "text/plain; charset=utf-8", "Content": base64.b64encode(b"MOVE 15PZ 0311\n").decode()}
    call = hooked.postmark(
        RawEmail=None,
        TextBody="MOVE 21PZ 0310\nEND\n-- \nJürgen",
        HtmlBody="<p>MOVE 21PZ 0310</p>",
        Subject="Zug für Ann",
        Headers=[{"Name": name, "Value": value} for name, value in named.items()],
        Attachments=[file],
    )
    assert door.post("postmark", *call) == (200, {"status": "taken"})
    (raw,) = door.spooled()
    read = read_message(raw)
    kept = {
        "from": ("Ann <ann@mail.example.org>",),
        "to": (TO,),
        "message-id": ("<9@mail.example.org>",),
        "in-reply-to": ("<g1@hexpost.example>",),
    }
    gone: dict[str, tuple[str, ...]] = dict.fromkeys(("bcc", "dkim-signature", "authentication-results"), ())
    assert {name: read.all(name) for name in kept | gone} == kept | gone
    assert read.first("subject") == "Zug für Ann"
    assert [(part.mime, part.attached, part.text.strip().replace("\r\n", "\n")) for part in read.parts] == [
        ("text/plain", False, "MOVE 21PZ 0310\nEND\n-- \nJürgen"),
        ("text/html", False, "<p>MOVE 21PZ 0310</p>"),
        ("text/plain", True, "MOVE 15PZ 0311"),
    ]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"Headers": "x"}, "Headers is missing"),
        ({"Attachments": [{"Content": "%%"}]}, "not base64"),
        ({"Attachments": [{}] * 51}, "at most 50 files"),
        ({"TextBody": 7}, "TextBody is missing"),
    ],
)
def test_parts_of_postmarks_that_are_none_are_refused(door: Door, more: dict[str, Any], said: str) -> None:
    status, answer = door.post("postmark", *hooked.postmark(**{"RawEmail": None, **more}))
    assert (status, said in answer["detail"], door.spooled()) == (422, True, [])


def with_file(call: Call, name: str, data: bytes) -> Call:
    """A form with a file more."""
    head = (
        f'--{hooked.BOUNDARY}\r\nContent-Disposition: form-data; name="attachment-1"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
    )
    return head.encode() + data + b"\r\n" + call[0], call[1]


def told_of(raw: bytes) -> tuple[str, str, list[tuple[str, bool, str]]]:
    """Sender, Message-ID and parts of a message."""
    read = read_message(raw)
    texts = [(part.mime, part.attached, part.text.strip().replace("\r\n", "\n")) for part in read.parts]
    return read.first("from"), read.first("message-id"), texts


PARTS = [("text/plain", False, "MOVE 21PZ 0310\nJürgen"), ("text/html", False, "<p>x</p>"), ("text/plain", True, "MOVE 15PZ 0311")]


def test_a_message_that_mailgun_has_taken_apart_is_put_together_again(door: Door) -> None:
    named = [
        ["From", "Ann <ann@mail.example.org>"],
        ["Message-Id", "<9@mail.example.org>"],
        ["Dkim-Signature", "v=1"],
        ["Mime-Version", "1.0"],
    ]
    text = {"body-plain": "MOVE 21PZ 0310\nJürgen", "body-html": "<p>x</p>"}
    body, _ = hooked.mailgun()
    fields = {"recipient": TO, "message-headers": json.dumps(named), **text}
    signed = {name: body.split(f'name="{name}"\r\n\r\n'.encode())[1].split(b"\r\n")[0] for name in ("timestamp", "token", "signature")}
    call = with_file(hooked.form(fields | signed), "orders.txt", b"MOVE 15PZ 0311")
    assert [door.post("mailgun", *call)[1]["status"] for _ in range(2)] == ["taken", "known"]
    (raw,) = door.spooled()
    assert told_of(raw) == ("Ann <ann@mail.example.org>", "<9@mail.example.org>", PARTS)
    assert b"\nDkim" not in raw
    for wrong in ('{"From": "x"}', "[1]", "%"):
        status, _ = door.post("mailgun", *hooked.form({"recipient": TO, "message-headers": wrong, **signed}))
        assert status in (400, 422)
    status, answer = door.post("mailgun", *hooked.form({"recipient": TO, **signed}))
    assert (status, "end in /mime" in answer["detail"]) == (422, True)


def test_a_message_that_sendgrid_has_taken_apart_is_put_together_again_and_is_one_however_often_it_comes(door: Door) -> None:
    named = "From: Ann <ann@mail.example.org>\nMessage-ID: <9@mail.example.org>\nDKIM-Signature: v=1;\n b=x\nContent-Type: text/html\n"
    fields: dict[str, bytes | str] = {"headers": named, "text": "MOVE 21PZ 0310\nJürgen".encode("latin-1"), "html": "<p>x</p>"}
    fields |= {"from": "ann@mail.example.org", "envelope": json.dumps({"to": [TO]}), "dkim": "{@mail.example.org : pass}"}
    fields |= {"charsets": json.dumps({"text": "iso-8859-1", "html": "no-such"})}
    body, headers = with_file(hooked.form(fields), "orders.txt", b"MOVE 15PZ 0311")
    call = body, headers | hooked.sendgrid_signature(body, f"{NOW:.0f}")
    assert [door.post("sendgrid", *call)[1]["status"] for _ in range(2)] == ["taken", "known"]
    (raw,) = door.spooled()
    assert told_of(raw) == ("Ann <ann@mail.example.org>", "<9@mail.example.org>", PARTS)
    assert read_message(raw).all("authentication-results") == (f"{SERVER}; dkim=pass header.d=mail.example.org",)
    assert read_message(raw).all("dkim-signature") == ()


def test_a_message_that_ses_has_laid_into_s3_is_refused_with_advice(door: Door) -> None:
    told = json.loads(hooked.received())
    del told["content"]
    told["receipt"]["action"] = {"type": "S3", "topicArn": hooked.TOPIC, "bucketName": "mails", "objectKey": "1"}
    status, answer = door.post("ses", *hooked.sns(json.dumps(told)))
    assert (status, door.spooled()) == (422, [])
    assert "lies in S3" in answer["detail"]
