"""Calls, which are no mails and wait among them in the queue of their game: to play for a side, to remind it, to tell that it is silent, to
mail the code of a live board.
"""

from __future__ import annotations

from worker.board import codes
from worker.ports import Ports
from worker.store.records import Message
from worker.waiting import absent, reminders, silence
from worker.waiting.absent import Call, is_call

__all__ = ["handle", "is_call"]
_TELLING = {reminders.WHY: reminders.handle, silence.WHY: silence.handle, codes.WHY: codes.handle}
"""What only tells somebody something, by why it is called."""


def handle(ports: Ports, message: Message) -> str | None:
    """Carry out a call. Raises like ``received.handle``."""
    call = Call.of(message)
    if call.why not in _TELLING:
        return absent.handle(ports, message)
    game = ports.journal.game(call.game)
    assert game is not None
    ports.journal.close(_TELLING[call.why](ports, message, game, call.side, call.key))
    return None
