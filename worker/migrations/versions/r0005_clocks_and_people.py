"""What games agree on about time, since when a side is waited for, what people wish, how reliable they are, what their mails share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "reliability",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("reliability", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reliability_address"), ["address"], unique=False)

    op.create_table(
        "terms",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=20), nullable=False),
        sa.Column("value", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("game", "key"),
    )
    op.create_table(
        "traces",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("mark", sa.String(length=16), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("address", "kind", "mark"),
    )
    op.create_table(
        "wishes",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("key", sa.String(length=20), nullable=False),
        sa.Column("value", sa.String(length=80), nullable=False),
        sa.PrimaryKeyConstraint("address", "key"),
    )
    with op.batch_alter_table("deadlines", schema=None) as batch_op:
        batch_op.add_column(sa.Column("since", sa.String(length=40), nullable=True))
        batch_op.add_column(sa.Column("kind", sa.String(length=20), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("deadlines", schema=None) as batch_op:
        batch_op.drop_column("kind")
        batch_op.drop_column("since")

    op.drop_table("wishes")
    op.drop_table("traces")
    op.drop_table("terms")
    with op.batch_alter_table("reliability", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_reliability_address"))

    op.drop_table("reliability")
