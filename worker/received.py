"""A received mail, from reading to commit: orders to ``turn``, commands to ``commands``, and a word to whoever may have one."""

from __future__ import annotations

from dataclasses import replace

from worker import turn
from worker.commands import frame, store
from worker.ports import Ports
from worker.records import Message


def handle(ports: Ports, message: Message) -> str | None:
    """Carry out one waiting mail. Returns the game that it belongs to where that is another queue's, else None.

    Everything is decided first and committed in one transaction: killed anywhere before, nothing has happened. Raises LostRace where
    another worker was first, and what the services raise.
    """
    seen_as = turn.build_and_read(ports, message)
    commanded = seen_as["verdict"] == "accept" and bool(seen_as.get("commands"))
    # A right in one game is none in another: who answers an offer of another game has no side there until he is given one.
    wanted = (frame.game_of(ports, seen_as) if commanded else None) or seen_as.get("game")
    game = ports.journal.game(wanted) if wanted else None
    lobby = store.lobby(ports.journal.engine, wanted) if wanted and game is None else None
    if wanted and (game or lobby) and wanted != message.game:
        ports.journal.reassign(message.id, wanted)
        return str(wanted)
    if commanded:
        if seen_as.get("game") not in (None, wanted):
            seen_as |= {"side": None, "game": None, "trust": "stranger" if seen_as.get("trust") == "stranger" else "address"}
        closing = frame.carry_out(ports, message, seen_as, game, lobby)
        ports.journal.close(closing)
        return closing.game if closing.game != message.game else None
    if lobby is not None and seen_as["verdict"] == "accept":
        seen_as |= {"verdict": "refuse:not-begun", "reply": "explain"}
    taken = seen_as["verdict"] == "accept" and game is not None
    closing = turn.accepted(ports, message, seen_as, game) if taken and game else turn.unaccepted(ports, message, seen_as, game)
    ports.journal.close(replace(closing, game=str(wanted)) if lobby is not None else closing)
    return None
