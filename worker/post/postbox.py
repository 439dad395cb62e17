"""A player's end of the post, for the demo: reads the mails that were sent to him, and writes replies as a mail program does."""

from __future__ import annotations

import email
import email.policy
import time
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from worker.post.outgoing import sync_folder, write_durably

PATIENCE = 90.0


class NoReply(Exception):
    """No mail came within reasonable time; the message says which was waited for."""


class Postbox:
    """Both ends of an installation's mail folders: what it sent lies in ``outbox``, what it is to read goes into ``inbox``."""

    def __init__(self, inbox: Path, outbox: Path) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._read: dict[str, EmailMessage] = {}
        self._count = 0

    def look(self) -> list[EmailMessage]:
        """Mails that arrived since the last look, oldest first."""
        fresh = []
        for path in sorted((self._outbox / "new").iterdir(), key=lambda one: one.stat().st_mtime_ns):
            if path.name not in self._read:
                mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
                assert isinstance(mail, EmailMessage)
                self._read[path.name] = mail
                fresh.append(mail)
        return fresh

    def mails(self) -> list[EmailMessage]:
        """All mails that were looked at, in the order of their arrival."""
        return list(self._read.values())

    def mails_to(self, address: str) -> list[EmailMessage]:
        """All mails to somebody that were looked at."""
        return [mail for mail in self._read.values() if address in str(mail["To"])]

    def wait_for(self, address: str, answers: str | None = None) -> EmailMessage:
        """The first mail to somebody (that answers the mail of that Message-ID). Raises NoReply."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.look()
            for mail in self.mails_to(address):
                if answers is None or str(mail["In-Reply-To"]).strip() == answers:
                    return mail
            time.sleep(0.01)
        raise NoReply(
            f"No mail to {address} in {PATIENCE:g} s{f' that answers {answers}' if answers else ''}. "
            "The machine may be slow: try again; or the logs, beside the inbox, tell what is wrong."
        )

    def deliver(self, raw: bytes) -> None:
        """Put a mail into the inbox, as a mail server does: whole, by renaming."""
        self._count += 1
        name = f"{time.time_ns():020d}.{self._count}.demo"
        write_durably(self._inbox / "tmp" / name, raw)
        (self._inbox / "tmp" / name).rename(self._inbox / "new" / name)
        sync_folder(self._inbox / "new")


def reply(to: EmailMessage, sender: str, message_id: str, orders: str, date: str) -> bytes:
    """A reply to a mail of the server's: to its Reply-To, in its thread, the old mail quoted below the orders."""
    mail = EmailMessage(policy=email.policy.SMTP)
    mail["From"] = sender
    mail["To"] = str(to["Reply-To"])
    mail["Subject"] = f"Re: {to['Subject']}"
    mail["Date"] = date
    mail["Message-ID"] = message_id
    mail["In-Reply-To"] = str(to["Message-ID"])
    mail["References"] = f"{to['References'] or ''} {to['Message-ID']}".strip()
    plain = to.get_body(("plain",))
    quoted = "\n".join(f"> {line}" for line in (plain.get_content() if plain else "").splitlines()[:40])
    mail.set_content(f"{orders.strip()}\n\nOn {to['Date']}, hexpost wrote:\n{quoted}\n")
    return mail.as_bytes()


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A picture or another file in a mail. ``cid``: under which its HTML shows it; empty for one that is only a file."""

    name: str
    cid: str
    data: bytes


def parts(mail: EmailMessage) -> tuple[str, str, list[Enclosed]]:
    """The plain text, the HTML, and the pictures of a mail."""
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    found = []
    for part in mail.walk():
        data = part.get_payload(decode=True) if part.get_content_maintype() == "image" else None
        if isinstance(data, bytes) and part.get_filename():
            found.append(Enclosed(str(part.get_filename()), str(part["Content-ID"] or "").strip("<> "), data))
    return (plain.get_content() if plain else ""), (html.get_content() if html else ""), found


def files(mail: EmailMessage, endings: tuple[str, ...]) -> list[Enclosed]:
    """The files of a mail whose names end so."""
    named = [(str(part.get_filename() or ""), part.get_payload(decode=True)) for part in mail.walk()]
    return [Enclosed(name, "", data) for name, data in named if name.endswith(endings) and isinstance(data, bytes)]
