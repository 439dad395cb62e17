"""Every kind of mail that we make passes the checker of tests/mail/spam.py, and the checker finds what it is for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from services.mail.compose import Attachment, Letter, Picture, compose
from services.mail.report import ReportRequest, make_report
from tests.mail.spam import spam_faults
from tests.mail.test_looks import FULL, KINDS, PICTURES

MIMES = {"gif": "image/gif", "png": "image/png"}
LINKS = [
    {"kind": "map", "name": "m.png", "url": "https://club.example/hexpost/files/" + "ab" * 20, "size": 1_234_567},
    {"kind": "module", "name": "holdfast-1.vmod", "url": "https://club.example/hexpost/files/" + "cd" * 20, "size": 999},
]
LINKED = replace(FULL, links=LINKS, links_until="2026-04-26T20:14:09+00:00")


def mail_of(request: ReportRequest, **more: Any) -> bytes:
    """A report as it leaves, with its pictures and a file."""
    report = make_report(request)
    pictures = [Picture(one["name"], one["kind"], MIMES[one["name"][-3:]], b"\x89PNG" + bytes(500)) for one in request.pictures]
    tagged = {"game": "G17", "turn": 4, "token": "w7x2"} if request.side else {}
    letter = Letter(
        to="bruno@post.example.net",
        address="orders@pbem.example.com",
        subject=report.subject,
        text=report.text,
        html=report.html,
        message_id="<g17.t04.axis.w7x2.r1@pbem.example.com>",
        date="2026-03-27T21:20:40+01:00",
        in_reply_to="<m9@post.example.net>",
        references=["<g17.t04.axis.w7x2@pbem.example.com>"],
        replied=request.kind not in ("start", "turn"),
        pictures=pictures,
        attachments=[Attachment("G17-t04-axis-0007.vsav", "application/octet-stream", b"PK" + bytes(500))] if tagged else [],
        **tagged,
        **more,
    )
    return compose(letter)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", [*KINDS, "linked"])
def test_no_mail_of_ours_does_what_filters_hold_against_it(kind: str, theme: str) -> None:
    request = replace((KINDS | {"linked": LINKED})[kind], theme=theme)
    assert spam_faults(mail_of(request), ("club.example",)) == []


def swapped(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(raw: bytes) -> bytes:
        assert old in raw, old
        return raw.replace(old, new, 1)

    return change


def in_page(old: str, new: str) -> Callable[[bytes], bytes]:
    """A change of the page before it is put into the mail."""

    def change(_raw: bytes) -> bytes:
        report = make_report(LINKED)
        assert old in report.html, old
        letter = Letter("b@post.example", "orders@pbem.example.com", report.subject, report.text, report.html.replace(old, new, 1), "", "")
        pictures = [Picture(one["name"], one["kind"], MIMES[one["name"][-3:]], b"GIF") for one in PICTURES]
        return compose(replace(letter, message_id="<1@pbem.example.com>", date="2026-03-27T21:20:40+01:00", pictures=pictures))

    return change


def attached(name: str, mime: str) -> Callable[[bytes], bytes]:
    def change(raw: bytes) -> bytes:
        return raw.replace(b"application/octet-stream", mime.encode()).replace(b"G17-t04-axis-0007.vsav", name.encode())

    return change


FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "a line does not end with CRLF": swapped(b"\r\n\r\n", b"\r\n\r\n\n"),
    "a NUL": lambda raw: raw + b"\0",
    "8-bit bytes": lambda raw: raw + "ü".encode(),
    "a line of more than 998 bytes": lambda raw: raw + b"x" * 999,
    "more bytes than servers take": lambda raw: raw + b"x\r\n" * 3_400_000,
    "Subject stands twice": swapped(b"\r\nSubject:", b"\r\nSubject: x\r\nSubject:"),
    "Auto-Submitted is missing": swapped(b"\r\nAuto-Submitted: auto-replied", b""),
    "Precedence marks bulk": swapped(b"\r\nDate:", b"\r\nPrecedence: bulk\r\nDate:"),
    "a header line of more than": swapped(b"\r\nDate:", b"\r\nX-Long: " + b"x" * 100 + b"\r\nDate:"),
    "an encoded word of more": swapped(b"\r\nDate:", b"\r\nX-Word: =?utf-8?q?" + b"x" * 76 + b"?=\r\nDate:"),
    "From is not one address": swapped(b"From: hexpost <", b"From: <"),
    "another domain than the sender's": swapped(
        b"Reply-To: hexpost <orders+g17-t04-w7x2@pbem", b"Reply-To: hexpost <orders+g17-t04-w7x2@other"
    ),
    "the Message-ID is not one": swapped(b"r1@pbem.example.com>", b"r1@localhost>"),
    "the date cannot be read": swapped(b"Date: Fri, ", b"Date: someday "),
    "a subject in capitals": swapped(b"Subject: [G17 T04 #w7x2] ", b"Subject: [G17 T04 #w7x2] ORDERS CARRIED OUT\r\nX-Rest: "),
    "a subject that shouts": swapped(b"Subject: [G17 T04 #w7x2] ", b"Subject: [G17 T04 #w7x2] Won!!\r\nX-Rest: "),
    "a subject that claims an answer": lambda raw: swapped(b"References:", b"X-Ref:")(swapped(b"Subject: [", b"Subject: Re: [")(raw)),
    "Auto-Submitted does not say": swapped(b"Auto-Submitted: auto-replied", b"Auto-Submitted: no"),
    "not plain text first": swapped(b"text/plain", b"text/html"),
    "without charset utf-8": swapped(b'charset="utf-8"', b'charset="us-ascii"'),
    "text in base64": swapped(b"Content-Transfer-Encoding: quoted-printable", b"Content-Transfer-Encoding: base64"),
    "a file that filters fear": attached("turn.exe", "application/octet-stream"),
    "a file of a type that filters open": attached("turn.vsav", "application/zip"),
    "characters that nobody sees": in_page("<h1", f"<div style='display:none'>{'word ' * 50}</div><h1"),
    "the plain part does not say": in_page("<h1", "<p>" + " ".join(f"entirely{n}" for n in range(900)) + "</p><h1"),
    "HTML that web mailers clip": in_page("<h1", "<!--" + "x" * 90_000 + "--><h1"),
    "HTML without doctype": in_page("<!DOCTYPE html>", ""),
    "HTML without a title": in_page("<title>", "<title></title><i>"),
    "an element form": in_page("<h1", "<form action='https://club.example'></form><h1"),
    "an element script": in_page("<h1", "<script>1</script><h1"),
    "something that runs": in_page("<h1", "<i onclick='x()'>x</i><h1"),
    "letters of less than 12": in_page("<h1", "<i style='font-size:3px'>x</i><h1"),
    "a picture from elsewhere": in_page('src="cid:map@hexpost"', 'src="https://club.example/pixel.gif"'),
    "a picture without words": in_page('<img src="cid:map@hexpost" alt="', '<img src="cid:map@hexpost" alt="" title="'),
    "a picture that is not there": in_page("cid:map@hexpost", "cid:other@hexpost"),
    "the page does not show": in_page("cid:map@hexpost", "cid:front@hexpost"),
    "a link that is not https": in_page('href="https://club', 'href="http://club'),
    "a link to a number": in_page('href="https://club.example', 'href="https://203.0.113.9'),
    "a link to another host": in_page('href="https://club.example', 'href="https://short.example'),
    "a link that says it leads elsewhere": in_page(">The map in full size</a>", ">https://bank.example/</a>"),
    "a link without words": in_page(">The map in full size</a>", "></a>"),
}


@pytest.mark.parametrize("said", FAULTS)
def test_the_checker_finds_what_it_is_for(said: str) -> None:
    assert any(said in fault for fault in spam_faults(FAULTS[said](mail_of(LINKED)), ("club.example",)))


def test_a_mail_of_hardly_a_word_is_found() -> None:
    bare = Letter("b@post.example", "orders@pbem.example.com", "x", "Look", "<!DOCTYPE html><html><body>Look</body></html>", "", "")
    assert "hardly a word" in spam_faults(compose(replace(bare, message_id="<1@pbem.example.com>", date="2026-03-27T21:20:40+01:00")))
