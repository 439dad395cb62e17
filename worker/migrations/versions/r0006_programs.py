"""Programs that act for players: their tokens, where they are told of turns, what waits to be told, accounts elsewhere."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "programs",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    with op.batch_alter_table("programs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_programs_game"), ["game"], unique=False)

    op.create_table(
        "listeners",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("form", sa.String(length=10), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("listeners", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_listeners_game"), ["game"], unique=False)

    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("listener", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due", sa.String(length=40), nullable=False),
        sa.Column("said", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["listener"], ["listeners.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("listener", "key"),
    )
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.create_index("notices_queue", ["status", "game", "due"], unique=False)

    op.create_table(
        "accounts",
        sa.Column("place", sa.String(length=10), nullable=False),
        sa.Column("user", sa.String(length=40), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("place", "user", "game"),
    )
    op.create_table(
        "interactions",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("message", sa.Integer(), nullable=True),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("interactions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_interactions_status"), ["status"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("interactions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_interactions_status"))

    op.drop_table("interactions")
    op.drop_table("accounts")
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.drop_index("notices_queue")

    op.drop_table("notices")
    with op.batch_alter_table("listeners", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_listeners_game"))

    op.drop_table("listeners")
    with op.batch_alter_table("programs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_programs_game"))

    op.drop_table("programs")
