"""How a composed mail leaves. A sender that is called twice with the same Message-ID sends once, as far as its means allow."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Protocol

from worker.post.inboxes import make_maildir


class PutOff(OSError):
    """A mail cannot leave now; tried again later, it may. ``everybody``: none can."""

    def __init__(self, said: str, *, everybody: bool = False) -> None:
        super().__init__(said)
        self.everybody = everybody


class Undeliverable(Exception):
    """A mail will not be taken for some addresses, however often it is tried. ``refused``: address -> what was said;
    ``dead``: those that take no mail at all.
    """

    def __init__(self, refused: Mapping[str, str], dead: Collection[str] = ()) -> None:
        super().__init__("; ".join(f"{address}: {why}" for address, why in refused.items()))
        self.refused = dict(refused)
        self.dead = frozenset(dead)


class Sender(Protocol):
    """A way out for mails."""

    def send(self, raw: bytes, message_id: str, recipients: Iterable[str]) -> None:
        """Send ``raw``; nothing where a mail of this id has left already. OSError (PutOff) if not now, Undeliverable if never."""
        ...


class SigningSender:
    """Signs what leaves by another sender. ``sign``: a mail -> the same with its signature."""

    def __init__(self, sender: Sender, sign: Callable[[bytes], bytes]) -> None:
        self._sender = sender
        self._sign = sign

    def send(self, raw: bytes, message_id: str, recipients: Iterable[str]) -> None:
        """Sign and send."""
        self._sender.send(self._sign(raw), message_id, recipients)


class MaildirSender:
    """Puts mails into a Maildir: on disk and under a name made of the Message-ID, so that one mail is there once, killed or not."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        make_maildir(folder)

    def send(self, raw: bytes, message_id: str, recipients: Iterable[str]) -> None:
        """Write to ``tmp``, bring to disk, then link into ``new``; a name that is there, read or unread, is left alone."""
        name = f"{hashlib.sha256(message_id.encode()).hexdigest()[:32]}.hexpost"
        if any((self._folder / "cur").glob(f"{name}*")) or (self._folder / "new" / name).exists():
            return
        draft = self._folder / "tmp" / f"{name}.{token_hex(8)}"
        write_durably(draft, raw)
        try:
            os.link(draft, self._folder / "new" / name)
        except FileExistsError:
            pass
        finally:
            draft.unlink(missing_ok=True)
        sync_folder(self._folder / "new")


class RecordingSender:
    """Keeps what it is given, in order: for tests and for looking at mails without sending them."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, tuple[str, ...], bytes]] = []

    def send(self, raw: bytes, message_id: str, recipients: Iterable[str]) -> None:
        """Keep (Message-ID, recipients, raw) unless the id is known."""
        if all(known != message_id for known, _, _ in self.sent):
            self.sent.append((message_id, tuple(recipients), raw))


def write_durably(path: Path, data: bytes) -> None:
    """Write a file and wait until it is on disk."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
