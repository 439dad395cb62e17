"""The journal's tables about time and people: deadlines, halts, leave, terms, wishes, reliability, and the codes of live boards."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Integer, MetaData, String, Table, Text

metadata = MetaData()
"""All tables: these, and those of ``worker.store.tables``."""

# Until when a side is waited for. extended: once already, because the end of its player-turn would have cost it units.
# since: from when it has been waited for; kind: what for (deadlines.CLASSES).
deadlines = Table(
    "deadlines",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("due", String(40), nullable=False, index=True),
    Column("extended", Boolean, nullable=False),
    Column("since", String(40)),
    Column("kind", String(20)),
)

# Games that the game master has halted. since: their deadlines stand still from then on; until: they go on by themselves then.
halts = Table(
    "halts",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("since", String(40), nullable=False),
    Column("until", String(40)),
    Column("reason", Text, nullable=False),
)

# When a side is away: its deadlines do not end between these moments.
vacations = Table(
    "vacations",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("since", String(40), primary_key=True),
    Column("until", String(40), nullable=False),
)

# What was agreed on for one game, besides the options of its rules; key: of terms.KEYS. A game that waits for players has them too.
terms = Table(
    "terms",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("key", String(20), primary_key=True),
    Column("value", String(40), nullable=False),
)

# What somebody has chosen for all his mails, whatever the game; key: zone, digest, reminders.
wishes = Table(
    "wishes",
    metadata,
    Column("address", String(254), primary_key=True),
    Column("key", String(20), primary_key=True),
    Column("value", String(80), nullable=False),
)

# How a wait for a side ended, for each address that it concerns: in_time, late, or played (for). kind: as of the deadline.
reliability = Table(
    "reliability",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("address", String(254), nullable=False, index=True),
    Column("game", String(32), nullable=False),
    Column("side", String(32), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("outcome", String(10), nullable=False),
    Column("at", String(40), nullable=False),
)

# What the mails of an address have in common, as keyed hashes of 16 letters (worker/post/likeness.py). at: when it was seen last.
traces = Table(
    "traces",
    metadata,
    Column("address", String(254), primary_key=True),
    Column("kind", String(10), primary_key=True),
    Column("mark", String(16), primary_key=True),
    Column("at", String(40), nullable=False),
)

# The codes by which orders are handed in at a live board. message: the call that asked for it; link: the token of the board's link at
# which that was; address: whose it is; digest: SHA-256 of the code.
board_codes = Table(
    "board_codes",
    metadata,
    Column("message", Integer, primary_key=True, autoincrement=False),
    Column("link", String(64), nullable=False),
    Column("game", String(32), nullable=False, index=True),
    Column("address", String(254), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("at", String(40), nullable=False),
    Column("expires", String(40), nullable=False),
    Column("used", Boolean, nullable=False),
)
