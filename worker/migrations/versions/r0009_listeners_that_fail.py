"""Listeners that take nothing: since when, and how often one has asked for time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    with op.batch_alter_table("listeners", schema=None) as batch_op:
        batch_op.add_column(sa.Column("failing", sa.String(length=40), nullable=True))

    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.add_column(sa.Column("waits", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("notices", schema=None) as batch_op:
        batch_op.drop_column("waits")

    with op.batch_alter_table("listeners", schema=None) as batch_op:
        batch_op.drop_column("failing")
