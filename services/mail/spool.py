"""The mail service's only memory: raw received messages, on disk before their sender is told yes, until the worker has journaled them.

A message is a file of the spool's folder, named by its id and its origin. The id is made of the origin's own number for the delivery, so a
delivery that is repeated has the same id: here it is there already, and in the journal the place is known.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

MOST_MAILS = 5_000
MOST_BYTES = 1_000_000_000
ABANDONED = 3600.0
"""Seconds after which nobody is writing a draft any more."""
_NAME = re.compile(r"(?P<id>[0-9a-f]{64})\.(?P<origin>[a-z]{1,20})\Z")


class SpoolFull(Exception):
    """No room: the sender must try again later. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Spooled:
    """A message that waits. ``origin``: the way that it came (``lmtp``, ``mailgun``, ...)."""

    id: str
    origin: str
    raw: bytes


class Spool:
    """A folder of raw messages. ``most_mails``, ``most_bytes``: what it may hold; beyond that nothing is taken."""

    def __init__(self, folder: Path, most_mails: int = MOST_MAILS, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most = (most_mails, most_bytes)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(folder)

    def put(self, origin: str, delivery: bytes, raw: bytes) -> bool:
        """Keep ``raw``; it is on disk when this returns. ``delivery``: what numbers it at its origin. False: it was here already.

        Raises SpoolFull, and OSError where the disk does.
        """
        path = self._folder / f"{spool_id(origin, delivery)}.{origin}"
        if path.exists():
            return False
        self._make_sure_of_room(len(raw))
        draft = self._folder / f"{token_hex(8)}.tmp"
        try:
            with open(draft, "xb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            os.rename(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        self._sync()
        return True

    def waiting(self, most: int, most_bytes: int) -> Iterator[Spooled]:
        """The oldest messages: at most ``most``, and no more after ``most_bytes`` together; at least one, if there is any."""
        size = 0
        for _, name in sorted(self._entries())[:most]:
            found = _NAME.match(name)
            assert found is not None
            try:
                raw = (self._folder / name).read_bytes()
            except FileNotFoundError:  # another worker has acknowledged it meanwhile
                continue
            size += len(raw)
            if size > most_bytes and size != len(raw):
                return
            yield Spooled(found["id"], found["origin"], raw)

    def remove(self, key: str) -> None:
        """Forget a message; harmless when repeated."""
        for _, name in self._entries():
            if name.startswith(f"{key}."):
                (self._folder / name).unlink(missing_ok=True)
        self._sync()

    def _entries(self) -> Iterator[tuple[int, str]]:
        """Time of arrival (nanoseconds) and name of each message."""
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if _NAME.match(entry.name):
                    try:
                        yield entry.stat().st_mtime_ns, entry.name
                    except FileNotFoundError:
                        continue

    def _make_sure_of_room(self, size: int) -> None:
        count, held = 1, size
        for _, name in self._entries():
            count += 1
            try:
                held += (self._folder / name).stat().st_size
            except FileNotFoundError:
                continue
        if count > self._most[0] or held > self._most[1]:
            raise SpoolFull("The spool is full; try again later.")

    def _sync(self) -> None:
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(folder: Path) -> None:
    """Remove what processes left that died while they wrote: its sender was not told yes. Others may be writing now."""
    for left in folder.glob("*.tmp"):
        try:
            if left.stat().st_mtime < time.time() - ABANDONED:
                left.unlink()
        except FileNotFoundError:
            continue


def spool_id(origin: str, delivery: bytes) -> str:
    """The id of a delivery: the same for the same one, whatever else it brings."""
    return hashlib.sha256(origin.encode() + b"\0" + delivery).hexdigest()
