"""The commands that the game master gives: as in ``players``."""

from __future__ import annotations

from services.mail.commands.players import Row

COMMANDS: tuple[Row, ...] = ()
