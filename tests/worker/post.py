"""A worker over the toy game with the real mail service: mails in, the plain text of what is answered out."""

from __future__ import annotations

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import headers, orders_mail

MASTER, DESK = "max@club.example", "orders@toy.example"


def told(raw: bytes) -> str:
    """The plain text of a mail that was sent, on one line."""
    plain = headers(raw).get_body(("plain",))
    return " ".join(plain.get_content().split())


def stamped(to: str, sender: str, message_id: str, *lines: str) -> bytes:
    """A mail whose sender's domain vouches for him, as the toy's mail server says."""
    stamp = f"Authentication-Results: hexpost.invalid; dmarc=pass header.from={sender.partition('@')[2]}\n"
    return stamp.encode() + orders_mail(to, sender, message_id, *lines)


def deliver(desk: Desk, raw: bytes) -> bytes:
    """A mail comes in; the last that its sender gets thereupon, or got before."""
    desk.drop(raw)
    desk.run()
    mails = desk.mails_to(str(headers(raw)["From"]))
    return mails[-1] if mails else b""


def write(desk: Desk, sender: str, *lines: str, to: str | None = None, key: str = "") -> bytes:
    """A player answers his last mail; what he gets thereupon."""
    return deliver(desk, orders_mail(to or reply_to(desk, sender), sender, f"<{key or desk.count}@{sender.partition('@')[0]}>", *lines))


def rule(desk: Desk, *lines: str, key: str = "") -> str:
    """The game master writes, and his domain vouches for him; what he is answered."""
    return told(deliver(desk, stamped(DESK, MASTER, f"<{key or desk.count}@max>", *lines)))


def subject(raw: bytes) -> str:
    """The subject of a mail without its tag."""
    return str(headers(raw)["Subject"]).rpartition("] ")[2]


def verbs(desk: Desk) -> list[tuple[str, str, str]]:
    """The commands that were given: verb, status and sender."""
    return [(one["verb"], one["status"], one["sender"]) for one in desk.ports.journal.commands("G1")]


def of_game(post: Desk, who: str, game: str) -> str:
    """Where the last mail to somebody about a game wants its answer."""
    return next(str(headers(raw)["Reply-To"]) for raw in reversed(post.mails_to(who)) if f"[{game} " in str(headers(raw)["Subject"]))
