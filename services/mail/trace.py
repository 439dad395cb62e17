"""What a message gets on top when it comes in by a door of ours, as a mail server writes there: who it was for, and what was found out.

What it brings of that kind by itself is made harmless first: a stamp that another wrote must not pass for ours (RFC 8601, section 5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_HEAD = 64_000
SIZE = "X-Hexpost-Size"
"""Marks a message of which only the headers were taken: how many bytes it had."""
_LINE_END = re.compile(rb"\r\n|\r|\n")  # what Python's mail parser takes for one
_STAMP = re.compile(rb"(?:authentication-results|x-hexpost-size)\s*:", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}\Z")


def traced(raw: bytes, server: str, recipients: Sequence[str], results: str = "", *, limit: int, stamped: bool = False) -> bytes:
    """``raw`` with its envelope on top. ``recipients``: addresses of the envelope; ``results``: what ``server`` found (RFC 8601), or "".

    ``limit``: bytes; of a longer message only the headers are kept, marked by ``SIZE``. ``stamped``: our own mail server has stamped it,
    and removed what others did: its stamps stand.
    """
    head, body = _split(raw)
    head = b"".join(line if stamped or not _STAMP.match(line) else b"X-Foreign-" + line for line in _lines(head))
    end = b"\r\n" if b"\r\n" in head else b"\n"
    top = [f"Delivered-To: {one}" for one in recipients if _ADDRESS.match(one)][:1]
    top += [f"Authentication-Results: {server}; {results}"] if results else []
    if len(raw) > limit:
        top, body = [*top, f"{SIZE}: {len(raw)}"], b""
    return b"".join(line.encode() + end for line in top) + head + end + body


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """Headers, each line with its end, and what stands below the empty line after them."""
    at = 0
    while at < len(raw):
        found = _LINE_END.search(raw, at)
        if found is None or found.end() > MAX_HEAD:
            return raw[:MAX_HEAD] + b"\n", raw[MAX_HEAD:]
        if found.start() == at:
            return raw[:at], raw[found.end() :]
        at = found.end()
    return raw, b""


def _lines(head: bytes) -> list[bytes]:
    starts = [0, *(found.end() for found in _LINE_END.finditer(head))]
    return [head[start:end] for start, end in zip(starts, [*starts[1:], len(head)], strict=True)]
