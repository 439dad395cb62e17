"""A received mail, from reading to commit: orders to ``turn``, commands to ``commands``, and a word to whoever may have one."""

from __future__ import annotations

from worker import turn
from worker.commands import frame
from worker.ports import Ports
from worker.records import Message


def handle(ports: Ports, message: Message) -> str | None:
    """Carry out one waiting mail. Returns the game that it belongs to where that is another queue's, else None.

    Everything is decided first and committed in one transaction: killed anywhere before, nothing has happened. Raises LostRace where
    another worker was first, and what the services raise.
    """
    seen_as = turn.build_and_read(ports, message)
    commanded = seen_as["verdict"] == "accept" and bool(seen_as.get("commands"))
    wanted = seen_as.get("game") or (frame.game_of(ports, seen_as) if commanded else None)
    game = ports.journal.game(wanted) if wanted else None
    if game is not None and game.id != message.game:
        ports.journal.reassign(message.id, game.id)
        return game.id
    if commanded:
        closing = frame.carry_out(ports, message, seen_as, game)
        ports.journal.close(closing)
        return closing.game if closing.game != message.game else None
    taken = seen_as["verdict"] == "accept" and game is not None
    ports.journal.close(turn.accepted(ports, message, seen_as, game) if taken and game else turn.unaccepted(ports, message, seen_as, game))
    return None
