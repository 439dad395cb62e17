"""Reply addresses and subject tags: made here, read here. A token is opaque: it is looked up, never taken apart.

``orders+g17-t04-k3v9@pbem.example.com`` and ``[G17 T04 #k3v9]`` name game, game-turn and token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import getaddresses

_TAG = re.compile(r"([a-z0-9][a-z0-9_.]{0,31})-t(\d{1,3})-([a-z0-9]{4,64})\Z")
_SUBJECT = re.compile(r"\[\s*([A-Za-z0-9][A-Za-z0-9_.-]{0,31})\s+T(\d{1,3})(?:\s+#([A-Za-z0-9]{4,64}))?\s*\]")
_ID = re.compile(r"<[^<>\s]{1,250}>")


@dataclass(frozen=True, slots=True)
class Tag:
    """What an address, a subject or a reference names: a game in lower case, a game-turn, and a token (None: a subject without one)."""

    game: str
    turn: int | None
    token: str | None


def reply_address(address: str, game: str, turn: int, token: str) -> str:
    """The address that answers to one turn mail. ValueError if a part would not be read back as it was."""
    local, _, domain = address.partition("@")
    tag = f"{game.lower()}-t{turn:02d}-{token}"
    if not _TAG.match(tag) or not local or not domain:
        raise ValueError(f"not a tag that can be read back: {tag!r}")
    return f"{local}+{tag}@{domain}"


def subject_tag(game: str, turn: int, token: str) -> str:
    """``[G17 T04 #k3v9]``, the same identity for mail systems that strip what stands behind the plus sign."""
    return f"[{game} T{turn:02d} #{token}]"


def read_address(candidate: str, own: str) -> Tag | None:
    """The tag in ``candidate`` if it is ``own`` with one, else None. Case counts for nothing."""
    local, _, domain = own.lower().partition("@")
    name, _, at = candidate.lower().partition("@")
    base, plus, tag = name.partition("+")
    found = _TAG.match(tag) if plus else None
    if base != local or at != domain or found is None:
        return None
    return Tag(found[1], int(found[2]), found[3])


def read_subject(subject: str) -> Tag | None:
    """The first tag of a subject, or None."""
    found = _SUBJECT.search(subject)
    return Tag(found[1].lower(), int(found[2]), found[3].lower() if found[3] else None) if found else None


def addresses(*values: str) -> list[str]:
    """The bare addresses of header values, lower case, in order; what is no address is left out. Never raises."""
    try:
        pairs = getaddresses(list(values))
    except Exception:  # malformed beyond the parser: nobody is named
        return []
    return [found.strip().lower() for _, found in pairs if found.count("@") == 1 and not found.startswith("@") and not found.endswith("@")]


def message_ids(*values: str) -> list[str]:
    """The ``<...>`` ids of header values, in order, each once."""
    return list(dict.fromkeys(found for value in values for found in _ID.findall(value)))
