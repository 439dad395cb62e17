"""Where mails come in: what every source keeps to, and the Maildir.

A mail is journaled first and acknowledged (in a Maildir: moved from ``new`` to ``cur``) after.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

PER_POLL = 200
LONGEST_NAME = 200
"""Bytes of a file's name up to which it is kept as it is."""


ASIDE = ".hx-"
_ASIDE = re.compile(r"\.hx-[0-9a-f]{8}\Z")
MAX_HEAD = 64_000
SIZE = "X-Hexpost-Size"
"""Marks a mail of which only the headers were fetched: how many bytes it has. The mail service refuses it as too large."""
_GAP = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Received:
    """A mail in an inbox: ``place`` names it there, the same at each look.

    ``renumbered``: the source has begun to number anew, so this may be a mail that was journaled under another place.
    ``reusable``: a name may be given again there, so that other bytes under it are another mail.
    """

    place: str
    raw: bytes
    renumbered: bool = False
    reusable: bool = False


class SourceAway(Exception):
    """A source cannot be read now. The message is one sentence for the operator; ``least``: seconds to leave it alone at least."""

    def __init__(self, said: str, least: float = 0.0) -> None:
        super().__init__(said)
        self.least = least


class Inbox(Protocol):
    """A source of mails that keeps each until it is acknowledged."""

    def unread(self) -> Iterator[Received]:
        """Mails that were not acknowledged, oldest first, a bounded number."""
        ...

    def acknowledge(self, place: str) -> None:
        """The mail at ``place`` is journaled; harmless when repeated."""
        ...


class Source(Inbox, Protocol):
    """An inbox that lies elsewhere, and may be away: its calls raise SourceAway."""

    @property
    def name(self) -> str:
        """What the operator knows it by."""
        ...

    def wait(self, stopped: threading.Event) -> None:
        """Return when there may be something new, or after a while, or when ``stopped`` is set."""
        ...

    def close(self) -> None:
        """Let go of what is open; the next call begins anew."""
        ...


class MaildirInbox:
    """A Maildir that a mail server delivers to. Of a mail longer than ``limit`` bytes only the headers are read."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._read: dict[str, tuple[str, tuple[int, int, int]]] = {}
        make_maildir(folder)

    def has_unread(self) -> bool:
        """A cheap look: is there anything new?"""
        with os.scandir(self._folder / "new") as entries:
            return any(map(_is_mail, entries))

    def unread(self) -> Iterator[Received]:
        """Mails in ``new``, in the order of their arrival as the file system dates it, then of their names."""
        with os.scandir(self._folder / "new") as entries:
            found = sorted((arrived, entry.name) for entry in entries if _is_mail(entry) and (arrived := _arrived(entry)) is not None)
        for _, name in found[:PER_POLL]:
            try:
                with open(self._folder / "new" / name, "rb") as file:
                    known = os.fstat(file.fileno())
                    size = known.st_size
                    raw = file.read(self._limit) if size <= self._limit else headers_alone(file.read(MAX_HEAD), size)
            except FileNotFoundError:  # another worker polls the same inbox
                continue
            place = place_of(name)
            self._read[place] = name, _identity(known)
            yield Received(place, raw, reusable=True)

    def acknowledge(self, place: str) -> None:
        """Move the mail that was read to ``cur``, marked as seen. Another one that has come under its name meanwhile stays, under a name of
        its own: at whatever moment this ends, it is read at the next look.
        """
        new = self._folder / "new"
        if place not in self._read:  # not read here, or acknowledged before
            return
        name, read = self._read.pop(place)
        aside = new / f"{place}{ASIDE}{secrets.token_hex(4)}"
        try:
            os.rename(new / name, aside)
            if _identity(os.stat(aside)) == read:
                os.rename(aside, self._folder / "cur" / f"{place}:2,S")
        except FileNotFoundError:  # another worker has done so
            return


def headers_alone(head: bytes, size: int) -> bytes:
    """The headers of a mail too large to be fetched, marked with its ``size``. ``head``: how it begins."""
    found = _GAP.search(head)
    headers = head[: found.start()] if found else head
    return f"{SIZE}: {size}\n".encode() + headers + b"\n\n"


def waiting_files(inbox: Path, spool: Path) -> Iterator[tuple[str, Path]]:
    """The files of received mails that may not be journaled yet, each with ``inbox`` or ``spool``."""
    for where, folder in (("inbox", inbox / "new"), ("spool", spool)):
        if folder.is_dir():
            with os.scandir(folder) as entries:
                yield from sorted((where, Path(one.path)) for one in entries if _is_mail(one) and not one.name.endswith(".tmp"))


def _is_mail(entry: os.DirEntry[str]) -> bool:
    """A link is none: it would have another file of this machine read."""
    return not entry.name.startswith(".") and entry.is_file(follow_symlinks=False)


def _arrived(entry: os.DirEntry[str]) -> int | None:
    """When a file was written, in nanoseconds; None where another worker has taken it away since the folder was listed."""
    try:
        return entry.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def _identity(found: os.stat_result) -> tuple[int, int, int]:
    """What tells a file from another that has taken its name."""
    return found.st_ino, found.st_size, found.st_mtime_ns


def place_of(name: str) -> str:
    """A file's name, or its digest where it cannot stand in the journal, or not take the mark of a mail that was seen. One that was put
    aside on its way to ``cur`` has the place that it had.
    """
    name = _ASIDE.sub("", name)
    raw = os.fsencode(name)
    return name if len(raw) <= LONGEST_NAME and name.isprintable() else hashlib.sha256(raw).hexdigest()


def make_maildir(folder: Path) -> None:
    """The three folders of a Maildir, where they are missing."""
    for part in ("tmp", "new", "cur"):
        (folder / part).mkdir(parents=True, exist_ok=True)
