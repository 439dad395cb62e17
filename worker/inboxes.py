"""Where mails come in: a Maildir. A mail is journaled first and acknowledged (moved from ``new`` to ``cur``) after."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

PER_POLL = 200


@dataclass(frozen=True, slots=True)
class Received:
    """A mail in an inbox: ``place`` names it there, the same at each look."""

    place: str
    raw: bytes


class Inbox(Protocol):
    """A source of mails that keeps each until it is acknowledged."""

    def unread(self) -> Iterator[Received]:
        """Mails that were not acknowledged, oldest first, a bounded number."""
        ...

    def acknowledge(self, place: str) -> None:
        """The mail at ``place`` is journaled; harmless when repeated."""
        ...


class MaildirInbox:
    """A Maildir that a mail server delivers to. Of a mail longer than ``limit`` bytes only that much and one more is read."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        make_maildir(folder)

    def has_unread(self) -> bool:
        """A cheap look: is there anything new?"""
        with os.scandir(self._folder / "new") as entries:
            return any(not entry.name.startswith(".") for entry in entries)

    def unread(self) -> Iterator[Received]:
        """Mails in ``new``, in the order of their arrival as the file system dates it, then of their names."""
        with os.scandir(self._folder / "new") as entries:
            found = sorted(
                (entry.stat().st_mtime_ns, entry.name) for entry in entries if not entry.name.startswith(".") and entry.is_file()
            )
        for _, name in found[:PER_POLL]:
            try:
                with open(self._folder / "new" / name, "rb") as file:
                    raw = file.read(self._limit + 1)
            except FileNotFoundError:  # another worker polls the same inbox
                continue
            yield Received(name, raw)

    def acknowledge(self, place: str) -> None:
        """Move the mail to ``cur``, marked as seen."""
        try:
            os.rename(self._folder / "new" / place, self._folder / "cur" / f"{place}:2,S")
        except FileNotFoundError:
            return


def make_maildir(folder: Path) -> None:
    """The three folders of a Maildir, where they are missing."""
    for part in ("tmp", "new", "cur"):
        (folder / part).mkdir(parents=True, exist_ok=True)
