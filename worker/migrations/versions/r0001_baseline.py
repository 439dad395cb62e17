"""The tables of before revisions were kept. Only those that are missing are made: such a database needs its stamp alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "alerts",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
        if_not_exists=True,
    )
    op.create_table(
        "artifacts",
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("sha"),
        if_not_exists=True,
    )
    op.create_table(
        "departed",
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("message_id", "address"),
        if_not_exists=True,
    )
    op.create_table(
        "departures",
        sa.Column("domain", sa.String(length=255), nullable=False),
        sa.Column("since", sa.String(length=40), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("domain"),
        if_not_exists=True,
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("scenario", sa.String(length=80), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("branch", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("packets", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    op.create_table(
        "links",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("mime", sa.String(length=120), nullable=False),
        sa.Column("expires", sa.String(length=40), nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("token"),
        if_not_exists=True,
    )
    op.create_index("links_game", "links", ["game", "side", "address"], if_not_exists=True)

    op.create_table(
        "lobbies",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("scenario", sa.String(length=80), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("founder", sa.String(length=254), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("place", sa.String(length=255), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.String(length=40), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(length=80), nullable=True),
        sa.Column("side", sa.String(length=32), nullable=True),
        sa.Column("message_id", sa.String(length=998), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("place"),
        if_not_exists=True,
    )
    op.create_index("messages_queue", "messages", ["game", "status", "id"], if_not_exists=True)

    op.create_table(
        "offers",
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=True),
        sa.Column("asker", sa.String(length=254), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.Column("expires", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("code"),
        if_not_exists=True,
    )
    op.create_index("offers_address", "offers", ["address", "status"], if_not_exists=True)
    op.create_index("offers_game", "offers", ["game", "status"], if_not_exists=True)

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=True),
        sa.Column("intent", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=True),
        sa.Column("raw", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "key"),
        if_not_exists=True,
    )
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"], if_not_exists=True)
    op.create_index("outbox_queue", "outbox", ["status", "game", "id"], if_not_exists=True)

    op.create_table(
        "paused",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("address"),
        if_not_exists=True,
    )
    op.create_table(
        "pauses",
        sa.Column("way", sa.String(length=270), nullable=False),
        sa.Column("since", sa.String(length=40), nullable=False),
        sa.Column("until", sa.String(length=40), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("way"),
        if_not_exists=True,
    )
    op.create_table(
        "commands",
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=True),
        sa.Column("sender", sa.String(length=254), nullable=False),
        sa.Column("verb", sa.String(length=32), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("args", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("said", sa.JSON(), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["message"],
            ["messages.id"],
        ),
        sa.PrimaryKeyConstraint("message", "place"),
        if_not_exists=True,
    )
    op.create_index("ix_commands_game", "commands", ["game"], if_not_exists=True)

    op.create_table(
        "copies",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side", "address"),
        if_not_exists=True,
    )
    op.create_table(
        "deadlines",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("due", sa.String(length=40), nullable=False),
        sa.Column("extended", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side"),
        if_not_exists=True,
    )
    op.create_index("ix_deadlines_due", "deadlines", ["due"], if_not_exists=True)

    op.create_table(
        "epochs",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side"),
        if_not_exists=True,
    )
    op.create_table(
        "heard",
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=True),
        sa.Column("sender", sa.String(length=254), nullable=True),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.Column("sure", sa.Boolean(), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message"],
            ["messages.id"],
        ),
        sa.PrimaryKeyConstraint("message"),
        if_not_exists=True,
    )
    op.create_index("heard_game", "heard", ["game", "at"], if_not_exists=True)

    op.create_table(
        "holds",
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["message"],
            ["messages.id"],
        ),
        sa.PrimaryKeyConstraint("message"),
        if_not_exists=True,
    )
    op.create_index("holds_game", "holds", ["game", "status"], if_not_exists=True)

    op.create_table(
        "looks",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("theme", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side"),
        if_not_exists=True,
    )
    op.create_table(
        "modules",
        sa.Column("mail", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["mail"],
            ["outbox.id"],
        ),
        sa.PrimaryKeyConstraint("mail"),
        if_not_exists=True,
    )
    op.create_index("modules_address", "modules", ["game", "side", "address"], if_not_exists=True)

    op.create_table(
        "packets",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("message", sa.Integer(), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("printed", sa.JSON(), nullable=False),
        sa.Column("packet", sa.JSON(), nullable=True),
        sa.Column("diagnostics", sa.JSON(), nullable=False),
        sa.Column("rejections", sa.JSON(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["message"],
            ["messages.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message"),
        if_not_exists=True,
    )
    op.create_index("packets_drafts", "packets", ["game", "side", "status"], if_not_exists=True)

    op.create_table(
        "players",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side", "address"),
        if_not_exists=True,
    )
    op.create_index("players_address", "players", ["address"], if_not_exists=True)

    op.create_table(
        "preferences",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("key", sa.String(length=20), nullable=False),
        sa.Column("value", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "address", "key"),
        if_not_exists=True,
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("word", sa.String(length=40), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["lobbies.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side"),
        sa.UniqueConstraint("token"),
        if_not_exists=True,
    )
    op.create_index("ix_seats_address", "seats", ["address"], if_not_exists=True)

    op.create_table(
        "snapshots",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "version"),
        if_not_exists=True,
    )
    op.create_table(
        "spectators",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "address"),
        if_not_exists=True,
    )
    op.create_table(
        "tokens",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("token"),
        if_not_exists=True,
    )
    op.create_index("ix_tokens_game", "tokens", ["game"], if_not_exists=True)

    op.create_table(
        "turns",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("packet", sa.String(length=48), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "version"),
        if_not_exists=True,
    )
    op.create_table(
        "undone",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "version"),
        if_not_exists=True,
    )
    op.create_table(
        "vacations",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("since", sa.String(length=40), nullable=False),
        sa.Column("until", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side", "since"),
        if_not_exists=True,
    )
    op.create_table(
        "writers",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("game", "side", "address"),
        if_not_exists=True,
    )
    op.create_index("writers_address", "writers", ["address"], if_not_exists=True)


def downgrade() -> None:
    op.drop_table("writers")
    op.drop_table("vacations")
    op.drop_table("undone")
    op.drop_table("turns")
    op.drop_table("tokens")
    op.drop_table("spectators")
    op.drop_table("snapshots")
    op.drop_table("seats")
    op.drop_table("preferences")
    op.drop_table("players")
    op.drop_table("packets")
    op.drop_table("modules")
    op.drop_table("looks")
    op.drop_table("holds")
    op.drop_table("heard")
    op.drop_table("epochs")
    op.drop_table("deadlines")
    op.drop_table("copies")
    op.drop_table("commands")
    op.drop_table("pauses")
    op.drop_table("paused")
    op.drop_table("outbox")
    op.drop_table("offers")
    op.drop_table("messages")
    op.drop_table("lobbies")
    op.drop_table("links")
    op.drop_table("games")
    op.drop_table("departures")
    op.drop_table("departed")
    op.drop_table("artifacts")
    op.drop_table("alerts")
