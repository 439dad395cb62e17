"""The codes of live boards are looked up by game and address, and wrong ones are not counted any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    with op.batch_alter_table("board_codes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_board_codes_link"))
        batch_op.create_index(batch_op.f("ix_board_codes_game"), ["game"], unique=False)
        batch_op.drop_column("tries")


def downgrade() -> None:
    with op.batch_alter_table("board_codes", schema=None) as batch_op:
        batch_op.add_column(sa.Column("tries", sa.Integer(), nullable=False, server_default="0"))
        batch_op.drop_index(batch_op.f("ix_board_codes_game"))
        batch_op.create_index(batch_op.f("ix_board_codes_link"), ["link"], unique=False)
    with op.batch_alter_table("board_codes", schema=None) as batch_op:
        batch_op.alter_column("tries", server_default=None)
