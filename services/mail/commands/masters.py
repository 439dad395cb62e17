"""The commands that the game master gives, and those about time: as in ``players``."""

from __future__ import annotations

from services.mail.commands.players import Row

COMMANDS: tuple[Row, ...] = ()
