"""The journal's tables of programs that act for players (worker/store/tables.py says what they keep to)."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from worker.store.clocktables import metadata as metadata

# Tokens by which a program acts for a player: what is kept is only their SHA-256.
programs = Table(
    "programs",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False, index=True),
    Column("side", String(32), nullable=False),
    Column("address", String(254), nullable=False),
    Column("at", String(40), nullable=False),
)

# Who is told of a game by a POST. side: or "spectator", what all may know. form: how it is told. secret: of the signature, or empty.
# version: up to which it was looked at whether there is something to tell. status: open, closed. failing: since when it has taken nothing
# that it was told, or null.
listeners = Table(
    "listeners",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False, index=True),
    Column("side", String(32), nullable=False),
    Column("address", String(254), nullable=False),
    Column("form", String(10), nullable=False),
    Column("url", Text, nullable=False),
    Column("secret", String(80), nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("failing", String(40)),
)

# What listeners are told. key: the event's id. status: waiting, sent, failed. due: when it is tried next; said: why it was not taken.
# waits: how often the receiver has asked for time.
notices = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("listener", Integer, ForeignKey("listeners.id"), nullable=False),
    Column("game", String(32), nullable=False),
    Column("key", String(80), nullable=False),
    Column("body", Text, nullable=False),
    Column("status", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due", String(40), nullable=False),
    Column("said", String(200), nullable=False),
    Column("waits", Integer, nullable=False, server_default="0"),
    UniqueConstraint("listener", "key"),
    Index("notices_queue", "status", "game", "due"),
)

# Accounts of players elsewhere. place: discord.
accounts = Table(
    "accounts",
    metadata,
    Column("place", String(10), primary_key=True),
    Column("user", String(40), primary_key=True),
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), nullable=False),
    Column("address", String(254), nullable=False),
    Column("at", String(40), nullable=False),
)

# Commands from Discord that want an answer. message: the mail that they were made, whose answer it is. status: waiting, done, lapsed.
interactions = Table(
    "interactions",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("body", JSON, nullable=False),
    Column("message", Integer),
    Column("at", String(40), nullable=False),
    Column("status", String(8), nullable=False, index=True),
    Column("attempts", Integer, nullable=False),
    Column("due", String(40), nullable=False),
)
