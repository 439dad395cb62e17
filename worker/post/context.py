"""Which games a raw mail touches, by its headers alone, and what the mail service must know of them."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterable
from email.message import Message as Mime
from email.utils import getaddresses
from functools import lru_cache

from sqlalchemy import select

from worker import secrets
from worker.canonical import Json
from worker.commands import store
from worker.config import Config
from worker.post.holds import open_holds
from worker.post.writers import games_of_writers, writers_in
from worker.store.database import reading
from worker.store.journal import Journal
from worker.store.records import STRAY, Game
from worker.store.several import games_in, mails_in, players_in, seen_in, tokens_in
from worker.store.tables import holds

MAX_HEAD = 64_000
MAX_GAMES = 20
_WORD = re.compile(r"[a-z0-9]{4,64}")
_ID = re.compile(r"<[^<>\s]{1,250}>")
# What can stand in a mail of ours: an answer to a mail that bears anything else is sent without its thread, or not at all.
_CLEAN_ID = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~@:\[\]-]{3,250}>\Z")
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\Z")
_TO = ("delivered-to", "x-original-to", "envelope-to", "to", "cc", "resent-to", "subject")


def touched_games(journal: Journal, raw: bytes) -> list[str]:
    """The games whose tokens, Message-IDs or players' addresses stand in the headers, the surest sign first; a bounded number."""
    with reading(journal.engine):
        return _touched(journal, raw)


def _touched(journal: Journal, raw: bytes) -> list[str]:
    head = _head(raw)
    words = words_of_address(raw)
    ids = [key for name in ("in-reply-to", "references") for value in _values(head, name) for key in _ID.findall(value)]
    found = journal.games_of_tokens(words) + store.lobbies_of(journal.engine, tokens=words)
    found += journal.games_of_mails(ids[-50:])
    # The newest game first: who writes without any sign most likely means that one.
    senders = _addresses(_values(head, "from"))[:10]
    found += reversed(journal.games_of_addresses(senders))
    found += reversed(games_of_writers(journal.engine, senders))
    found += [key for one in senders for key in reversed(store.lobbies_of(journal.engine, address=one))]
    return list(dict.fromkeys(found))[:MAX_GAMES]


def words_of_address(raw: bytes) -> list[str]:
    """The words of the addresses and of the subject of a mail, among which its token is."""
    return [word for name in _TO for value in _values(_head(raw), name) for word in _WORD.findall(value.lower())][:200]


def queue_of(journal: Journal, raw: bytes) -> str:
    """The game in whose queue a mail waits."""
    return next(iter(touched_games(journal, raw)), STRAY)


def build_context(journal: Journal, config: Config, raw: bytes, now: str, home: str) -> Json:
    """The context of ``hexpost read``: the games that the headers touch, ``home`` (the queue it waits in) first among them."""
    with reading(journal.engine):
        return _context(journal, config, raw, now, home)


def _context(journal: Journal, config: Config, raw: bytes, now: str, home: str) -> Json:
    keys = touched_games(journal, raw)
    if home != STRAY:
        keys = [home, *(key for key in keys if key != home)]
    return {
        "server": config.server,
        "address": config.address,
        "former": config.former.split(),
        "now": now,
        "demand_pass": config.demand_pass,
        "check_dkim": config.check_dkim,
        "masters": [config.game_master] if config.game_master else [],
        **_known(journal, keys),
    }


def _known(journal: Journal, keys: list[str]) -> Json:
    """What is known of the games, and which of their mails were seen: as one moment has it, with one query for all of them."""
    with reading(journal.engine) as connection:
        begun, seen = games_in(connection, keys), seen_in(connection, keys)
        players, more = players_in(connection, keys), writers_in(connection, keys)
        known, sent = tokens_in(connection, keys), mails_in(connection, keys)
        asking = set(connection.execute(select(holds.c.game).where(holds.c.game.in_(keys), holds.c.status == "open")).scalars())
    found = []
    for key in keys:
        if (game := begun.get(key)) is None:
            found.append(_waiting(journal, key))
            continue
        live, asked = side_tokens(game), open_holds(journal.engine, key) if key in asking else []
        sides = {}
        for side, addresses in players.get(key, {}).items():
            mails = sent.get(key, {}).get(side, [])
            # After a ROLLBACK or another player the game-turn is the same: what bears another token of it is old all the same.
            dead = {one for one in known.get(key, {}).get(side, []) if one != live.get(side)} - {one.token for one in asked}
            gone = journal.mails_with(key, side, dead) if game.branch or game.epochs else set()
            sides[side] = {
                "addresses": [*addresses, *more.get(key, {}).get(side, {})],
                "token": live.get(side, ""),
                "old_tokens": [one for one in known.get(key, {}).get(side, []) if one != live.get(side)],
                "mails": [one for one, turn in mails if turn == game.turn and one not in gone],
                "old_mails": [one for one, turn in mails if turn != game.turn or one in gone],
                "asked": {name: str(one.message) for one in asked if one.side == side for name in (one.token, *one.mails)},
            }
        found.append({"id": key, "turn": game.turn, "deadline": None, "sides": sides})
    return {"games": [one for one in found if one is not None], "seen": [one for key in keys for one in seen.get(key, [])]}


def _waiting(journal: Journal, key: str) -> Json | None:
    """A game that waits for players, as turn 0 of one."""
    lobby = store.lobby(journal.engine, key)
    if lobby is None:
        return None
    sides = {
        one.side: {"addresses": [one.address], "token": one.token, "mails": [sent for sent, _ in journal.mails_to(key, one.side)]}
        for one in lobby.seats
    }
    return {"id": key, "turn": 0, "deadline": None, "sides": sides}


def side_tokens(game: Game) -> dict[str, str]:
    """The token of each side in the game's present turn."""
    return {side: secrets.token(game.secret, game.id, game.branch, game.turn, side, game.epochs.get(side, 0)) for side in game.sides}


def sender_of(raw: bytes) -> str | None:
    """The address in ``From``, lower case, or None where it is none that can be written to. Nobody is trusted for it."""
    return next((one for one in _addresses(_values(_head(raw), "from")) if ADDRESS.match(one)), None)


def thread_of(raw: bytes) -> tuple[str | None, list[str], str]:
    """Message-ID, References and Subject of a mail, for answering it in its thread."""
    head = _head(raw)
    own, references = ([key for value in _values(head, name) for key in _ID.findall(value)] for name in ("message-id", "references"))
    subject = "".join(letter if letter.isprintable() else " " for letter in next(iter(_values(head, "subject")), ""))
    clean = [key for key in references if _CLEAN_ID.match(key)]
    return (own[0] if own and _CLEAN_ID.match(own[0]) else None), clean[-20:], " ".join(subject.split())[:200]


def header_of(raw: bytes, name: str) -> list[str]:
    """The values of a header of a mail, topmost first; none where they cannot be read."""
    return _values(_head(raw), name)


def _head(raw: bytes) -> Mime:
    return _parsed(raw[:MAX_HEAD])


@lru_cache(maxsize=4)  # each mail is asked a dozen times
def _parsed(head: bytes) -> Mime:
    try:
        return email.message_from_bytes(head, policy=email.policy.compat32)
    except Exception:  # whatever strangers send: such a mail touches no game
        return Mime()


def _values(head: Mime, name: str) -> list[str]:
    try:
        return [str(value)[:8_000] for value in head.get_all(name) or []]
    except Exception:  # a header that the parser chokes on names nothing
        return []


def _addresses(values: Iterable[str]) -> list[str]:
    try:
        return [found.strip().lower() for _, found in getaddresses(list(values)) if found.count("@") == 1]
    except Exception:  # malformed beyond the parser
        return []
