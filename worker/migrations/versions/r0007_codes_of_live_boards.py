"""The codes by which orders are handed in at a live board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "board_codes",
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("link", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.Column("expires", sa.String(length=40), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("message"),
    )
    with op.batch_alter_table("board_codes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_board_codes_link"), ["link"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("board_codes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_board_codes_link"))

    op.drop_table("board_codes")
