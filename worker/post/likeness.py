"""Hints that two players who oppose each other may be one person: what their mails have in common. For the game master alone.

Of each mail that is surely a player's a few signs are kept, never the words themselves but a keyed hash of 16 letters, at most
``MOST_MARKS`` of a kind for an address, and none that has not been seen for ``DAYS`` days. A household, a club or an office has much in
common, too: a hint is a reason to ask, and no more. What is common to many addresses says nothing, and is left out.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select

from worker import secrets
from worker.canonical import Json
from worker.post.context import header_of
from worker.store.clocktables import traces
from worker.store.database import reading, writing
from worker.store.records import Write
from worker.store.tables import games, players
from worker.waiting.deadlines import ADJUTANT

WEIGHTS: Mapping[str, int] = {"hop": 3, "host": 2, "name": 2, "dkim": 1, "program": 1, "zone": 1}
"""How much each kind of sign says: the first machine that a mail passed, the one that named it, the names of the addresses, the domain that
signs, the mail program, the offset of the clock."""
ENOUGH = 5
MOST_MARKS = 5
MOST_BEARERS = 4
"""A mark that more addresses bear is a provider's."""
MOST_HINTS = 20
DAYS = 90
FRESH_DAYS = 7
"""A mark is written anew only if it was not for so long: most mails write nothing."""
LIKE = 0.8
_SALT = "-"
_PROVIDERS: frozenset[str] = frozenset(
    (
        *("gmail.com", "googlemail.com", "google.com", "outlook.com", "hotmail.com", "live.com", "yahoo.com", "aol.com", "icloud.com"),
        *("me.com", "mac.com", "gmx.net", "gmx.de", "web.de", "t-online.de", "posteo.de", "proton.me", "protonmail.com", "fastmail.com"),
        *("messagingengine.com", "zoho.com", "free.fr", "orange.fr", "libero.it"),
    )
)
"""Hosts and domains that half of all people share."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Two addresses of opposing sides, and the kinds of sign that they share."""

    game: str
    one: str
    other: str
    signs: tuple[str, ...]

    @property
    def weight(self) -> int:
        return sum(WEIGHTS[sign] for sign in self.signs)

    def as_json(self) -> Json:
        """As the wording takes it."""
        return {"game": self.game, "one": self.one, "other": self.other, "signs": list(self.signs)}


def signs_of(raw: bytes) -> dict[str, str]:
    """The signs of a mail by their kind, as they stand in its headers."""
    found = {
        "hop": _hop(header_of(raw, "received")),
        "host": _first(r"@([a-z0-9.-]+)>", header_of(raw, "message-id")[:1]),
        "dkim": _first(r"\bd=([a-z0-9.-]+)", header_of(raw, "dkim-signature")[-1:]),
        "program": " ".join([*header_of(raw, "x-mailer"), *header_of(raw, "user-agent")])[:200].lower(),
        "zone": _first(r"([+-][0-9]{4})\b", header_of(raw, "date")[:1]),
    }
    return {kind: sign for kind, sign in found.items() if sign and not _is_providers(sign)}


def _hop(received: list[str]) -> str:
    """The address of the first machine that a mail passed; none of a private network, which many have."""
    found = re.findall(r"\[(?:ipv6:)?([0-9a-f.:]{7,45})\]", received[-1].lower()) if received else []
    return next((one for one in found if not one.startswith(("10.", "127.", "192.168.", "169.254.", "fe80", "fc", "fd", "::1"))), "")


def _first(pattern: str, values: Iterable[str]) -> str:
    return next((found[1] for value in values if (found := re.search(pattern, value.lower()))), "")


def _is_providers(sign: str) -> bool:
    return any(sign == one or sign.endswith(f".{one}") for one in _PROVIDERS)


# In the journal


def noting(engine: Engine, address: str, raw: bytes, at: str) -> tuple[Write, ...]:
    """What enters the signs of a mail that is surely of an address; nothing where they are known, and fresh."""
    signs = signs_of(raw)
    if not signs or not address:
        return ()
    fresh = _days_before(at, FRESH_DAYS)
    query = select(traces.c.address, traces.c.kind, traces.c.mark, traces.c.at).where(traces.c.address.in_((address, _SALT)))
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    key = next((mark for whose, _, mark, _ in rows if whose == _SALT), None) or _made_salt(engine)
    known = {(kind, mark) for whose, kind, mark, seen in rows if whose == address and seen > fresh}
    marks = {kind: hmac.new(key.encode(), f"{kind} {sign}".encode(), hashlib.sha256).hexdigest()[:16] for kind, sign in signs.items()}
    new = [(kind, mark) for kind, mark in marks.items() if (kind, mark) not in known]

    def write(connection: Connection) -> None:
        connection.execute(delete(traces).where(traces.c.address != _SALT, traces.c.at < _days_before(at, DAYS)))
        for kind, mark in new:
            here = (traces.c.address == address, traces.c.kind == kind)
            connection.execute(delete(traces).where(*here, traces.c.mark == mark))
            older = list(connection.execute(select(traces.c.mark).where(*here).order_by(traces.c.at.desc())).scalars())[MOST_MARKS - 1 :]
            connection.execute(delete(traces).where(*here, traces.c.mark.in_(older)))
            connection.execute(insert(traces).values(address=address, kind=kind, mark=mark, at=at))

    return (write,) if new else ()


def _made_salt(engine: Engine) -> str:
    """The key of the hashes, this installation's own, made where there is none."""
    with writing(engine) as connection:
        found = connection.scalar(select(traces.c.mark).where(traces.c.address == _SALT))
        if found is None:
            found = secrets.new_secret()[:16]
            connection.execute(insert(traces).values(address=_SALT, kind="salt", mark=found, at=""))
    return str(found)


def _days_before(at: str, days: int) -> str:
    return (datetime.fromisoformat(at) - timedelta(days=days)).isoformat()


def hints(engine: Engine) -> list[Hint]:
    """The pairs of players of opposing sides in running games whose mails have enough in common, those with most first."""
    query = select(players.c.game, players.c.side, players.c.address).join(games, games.c.id == players.c.game)
    with reading(engine) as connection:
        rows: list[Any] = list(connection.execute(query.where(games.c.over.is_(False), players.c.address != ADJUTANT)))
        marks = [(str(a), (str(k), str(m))) for a, k, m in connection.execute(select(traces.c.address, traces.c.kind, traces.c.mark))]
    bearers: dict[tuple[str, str], set[str]] = {}
    for address, mark in marks:
        bearers.setdefault(mark, set()).add(address)
    telling: dict[str, set[tuple[str, str]]] = {}
    for address, mark in marks:
        if len(bearers[mark]) <= MOST_BEARERS or mark[0] in ("zone", "program"):
            telling.setdefault(address, set()).add(mark)
    found = []
    for one, other in combinations(sorted({(str(game), str(side), str(address)) for game, side, address in rows}), 2):
        if one[0] == other[0] and one[1] != other[1] and one[2] != other[2]:
            shared = {kind for kind, _ in telling.get(one[2], set()) & telling.get(other[2], set())}
            shared |= {"name"} if _alike(one[2], other[2]) else set()
            found.append(Hint(one[0], one[2], other[2], tuple(sign for sign in WEIGHTS if sign in shared)))
    strong = [one for one in found if one.weight >= ENOUGH and len(one.signs) > 1]
    return sorted(strong, key=lambda hint: (-hint.weight, hint.game, hint.one))[:MOST_HINTS]


def _alike(one: str, other: str) -> bool:
    """Whether the names before the @ are almost the same, figures and dots aside."""
    first, second = (re.sub(r"[^a-z]", "", address.partition("@")[0].partition("+")[0]) for address in (one, other))
    return min(len(first), len(second)) >= 4 and SequenceMatcher(None, first, second).ratio() >= LIKE
