"""Mails that cannot be judged before a moment."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "deferrals",
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("until", sa.String(length=40), nullable=False),
        sa.Column("looks", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["message"], ["messages.id"]),
        sa.PrimaryKeyConstraint("message"),
    )


def downgrade() -> None:
    op.drop_table("deferrals")
