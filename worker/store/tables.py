"""The journal's tables (SQLAlchemy Core). No SQL that PostgreSQL lacks; times are UTC, ISO 8601 text.

Each change here needs a revision in ``worker/migrations``.
"""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text, UniqueConstraint

from worker.store.bottables import metadata as metadata

# version: counts the states of the game; whoever commits one must have seen the one before. n: the last numbered packet.
games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("scenario", String(80), nullable=False),
    Column("options", JSON, nullable=False),
    Column("sides", JSON, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("words", JSON, nullable=False),
    Column("branch", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("packets", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("head", String(64), nullable=False),
    Column("created_at", String(40), nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("address", String(254), primary_key=True),
    Index("players_address", "address"),
)

# Games that another server has now. address: where it takes orders.
moved = Table(
    "moved",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("address", String(254), nullable=False),
    Column("at", String(40), nullable=False),
)

# The look of the pictures that a side is sent; a side without a row has that of the settings.
looks = Table(
    "looks",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("theme", String(20), nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False, index=True),
    Column("side", String(32), nullable=False),
    Column("turn", Integer, nullable=False),
)

# place: the inbox's name for the mail, so that one that is polled again is not journaled again; "ours/...": no mail, but a side is
# to be played for (worker/waiting/absent.py).
# status: new, done, parked.  game: "-" while no header names one.
messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("place", String(255), nullable=False, unique=True),
    Column("raw", LargeBinary, nullable=False),
    Column("received_at", String(40), nullable=False),
    Column("game", String(32), nullable=False),
    Column("status", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("verdict", String(80)),
    Column("side", String(32)),
    Column("message_id", String(998)),
    Column("digest", String(64)),
    Index("messages_queue", "game", "status", "id"),
)

# status: done, refused, checked, held, played (a draft that was carried out), lapsed (one that died with its turn, and that was told),
# stale.  n: None where it ran no agenda.
packets = Table(
    "packets",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("message", Integer, ForeignKey("messages.id"), nullable=False, unique=True),
    Column("side", String(32), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("n", Integer),
    Column("lines", JSON, nullable=False),
    Column("printed", JSON, nullable=False),
    Column("packet", JSON),
    Column("diagnostics", JSON, nullable=False),
    Column("rejections", JSON, nullable=False),
    Column("events", JSON, nullable=False),
    Index("packets_drafts", "game", "side", "status"),
)

# Append-only. hash = SHA-256(previous hash, record): the chain.
turns = Table(
    "turns",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("packet", String(48), nullable=False),
    Column("record", Text, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("hash", String(64), nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("state", LargeBinary, nullable=False),
    Column("digest", String(64), nullable=False),
)

# status: waiting, made (raw: the artifact that is the mail), sent, parked, unsent (its address takes no mail), moved (another server
# sends it).
outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", String(32), nullable=False),
    Column("key", String(255), nullable=False),
    Column("side", String(32)),
    Column("intent", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("message_id", String(255), index=True),
    Column("raw", String(64)),
    UniqueConstraint("game", "key"),
    Index("outbox_queue", "status", "game", "id"),
)

# The module for VASSAL that a mail brought (or told where to fetch), so that it is sent again only when it has changed.
modules = Table(
    "modules",
    metadata,
    Column("mail", Integer, ForeignKey("outbox.id"), primary_key=True, autoincrement=False),
    Column("game", String(32), nullable=False),
    Column("side", String(32), nullable=False),
    Column("address", String(254), nullable=False),
    Column("version", String(40), nullable=False),
    Index("modules_address", "game", "side", "address"),
)

# Commands to the campaign, as they were given and answered. game: "-" for those that are about none.
# status: done, refused, asked (somebody else must agree).
commands = Table(
    "commands",
    metadata,
    Column("message", Integer, ForeignKey("messages.id"), primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("game", String(32), nullable=False, index=True),
    Column("side", String(32)),
    Column("sender", String(254), nullable=False),
    Column("verb", String(32), nullable=False),
    Column("line", Text, nullable=False),
    Column("args", JSON, nullable=False),
    Column("status", String(8), nullable=False),
    Column("said", JSON, nullable=False),
    Column("at", String(40), nullable=False),
)

# Versions that were taken back: their events are told to nobody any more. by: the version that did it.
undone = Table(
    "undone",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("by", Integer, nullable=False),
)

# Games that wait for their players; started ones keep their row. status: open, started, dropped.
lobbies = Table(
    "lobbies",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("scenario", String(80), nullable=False),
    Column("options", JSON, nullable=False),
    Column("sides", JSON, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("founder", String(254), nullable=False),
    Column("status", String(8), nullable=False),
    Column("created_at", String(40), nullable=False),
)

# Who has taken a side of a game that waits. word: what the dice are mixed with; token: in the reply address of his mails.
seats = Table(
    "seats",
    metadata,
    Column("game", String(32), ForeignKey("lobbies.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("address", String(254), nullable=False, index=True),
    Column("word", String(40), nullable=False),
    Column("token", String(64), nullable=False, unique=True),
)

# What somebody must say yes or no to: an address (a stranger's, too) by the code that it was mailed, or the players of a side.
# game: "-" where it is about none. status: open, taken, refused, void.
offers = Table(
    "offers",
    metadata,
    Column("code", String(40), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("game", String(32), nullable=False),
    Column("side", String(32)),
    Column("address", String(254)),
    Column("asker", String(254), nullable=False),
    Column("data", JSON, nullable=False),
    Column("status", String(8), nullable=False),
    Column("at", String(40), nullable=False),
    Column("expires", String(40), nullable=False),
    Index("offers_address", "address", "status"),
    Index("offers_game", "game", "status"),
)

# Who watches a game.
spectators = Table(
    "spectators",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("address", String(254), primary_key=True),
)

# Who gets copies of the mails to a side, without the right to order.
copies = Table(
    "copies",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("address", String(254), primary_key=True),
)

# What a player has chosen for his mails of a game; key: notify, ...
preferences = Table(
    "preferences",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("address", String(254), primary_key=True),
    Column("key", String(20), primary_key=True),
    Column("value", String(80), nullable=False),
)

# How often the players of a side were replaced: each time its tokens are new, so that whoever left knows none.
epochs = Table(
    "epochs",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("n", Integer, nullable=False),
)

# Ways by which mails do not leave for now: the mail server ("server"), or one address ("to:..."). since: when it began to fail;
# until: when it is tried again; told: the operator knows.
pauses = Table(
    "pauses",
    metadata,
    Column("way", String(270), primary_key=True),
    Column("since", String(40), nullable=False),
    Column("until", String(40), nullable=False),
    Column("failures", Integer, nullable=False),
    Column("told", Boolean, nullable=False),
)

# How many mails have left for a domain in the minute that began at since.
departures = Table(
    "departures",
    metadata,
    Column("domain", String(255), primary_key=True),
    Column("since", String(40), nullable=False),
    Column("n", Integer, nullable=False),
)

# Mails that the mail server took, by addressee: none is handed over twice.
departed = Table(
    "departed",
    metadata,
    Column("message_id", String(255), primary_key=True),
    Column("address", String(254), primary_key=True),
    Column("at", String(40), nullable=False),
)

# Files that had no room in a mail: whoever has the token may fetch one until it expires or is revoked.
links = Table(
    "links",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("side", String(32), nullable=False),
    Column("address", String(254), nullable=False),
    Column("sha", String(64), nullable=False),
    Column("name", String(100), nullable=False),
    Column("mime", String(120), nullable=False),
    Column("expires", String(40), nullable=False),
    Column("revoked", Boolean, nullable=False),
    Index("links_game", "game", "side", "address"),
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("sha", String(64), primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("size", Integer, nullable=False),
)

# Mails that were heard, for the limits of an hour. game: "-": of none.  side: that it is about, and that an answer went to.
# sure: it was surely the side's own.
heard = Table(
    "heard",
    metadata,
    Column("message", Integer, ForeignKey("messages.id"), primary_key=True, autoincrement=False),
    Column("game", String(32), nullable=False),
    Column("side", String(32)),
    Column("sender", String(254)),
    Column("at", String(40), nullable=False),
    Column("sure", Boolean, nullable=False),
    Column("answered", Boolean, nullable=False),
    Index("heard_game", "game", "at"),
)

# Mails whose sender is in doubt, about which the registered address was asked. status: open, confirmed, denied, lapsed (its game-turn is
# over, and the side was told).
holds = Table(
    "holds",
    metadata,
    Column("message", Integer, ForeignKey("messages.id"), primary_key=True, autoincrement=False),
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("side", String(32), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("token", String(64), nullable=False),
    Column("status", String(10), nullable=False),
    Index("holds_game", "game", "status"),
)

# Addresses at which mail does not arrive: nothing is sent there until somebody writes from it.
paused = Table(
    "paused",
    metadata,
    Column("address", String(254), primary_key=True),
    Column("at", String(40), nullable=False),
)

# Mails that cannot be judged before a moment; looks: how often it was tried.
deferrals = Table(
    "deferrals",
    metadata,
    Column("message", Integer, ForeignKey("messages.id"), primary_key=True, autoincrement=False),
    Column("until", String(40), nullable=False),
    Column("looks", Integer, nullable=False),
)

# Who may write for a side besides its players. role: alias (another address of a player's), deputy.
writers = Table(
    "writers",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("address", String(254), primary_key=True),
    Column("role", String(10), nullable=False),
    Index("writers_address", "address"),
)

# What the game master must hear of. key: what it is about, so that the same is told once.  done: he has seen to it.
alerts = Table(
    "alerts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("at", String(40), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("game", String(32)),
    Column("facts", JSON, nullable=False),
    Column("done", Boolean, nullable=False),
)
