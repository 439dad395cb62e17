"""Mails and calls of a game that stands still: what would change it is kept, and a call ends the halt when its time is over."""

from __future__ import annotations

from dataclasses import replace

from worker.canonical import digest
from worker.commands import frame
from worker.commands.frame import Desk, Said
from worker.commands.masters import resumed
from worker.ports import Ports
from worker.store.records import Closing, Game, Message
from worker.waiting import halts
from worker.waiting.halts import KEPT, PLACE, Halt


def kept(ports: Ports, message: Message, closing: Closing, game: Game, halt: Halt) -> Closing:
    """What follows from orders that would change the game: they are kept as they came, and their sender is told. ``closing``: what would
    have followed.
    """
    desk = Desk(ports, message, game, closing.side, "", "token", True)
    lines = tuple(closing.packet.lines[:100]) if closing.packet is not None else ()
    said = Said("orders-kept", {"lines": len(lines), "until": halt.until})
    answer = {"line": "", "status": "done", "said": [said.as_json()], "listed": [], "text": list(lines), "hint": ""}
    to = [
        str(one.data["to"]) for one in closing.intents if one.side == closing.side and one.data["kind"] == "receipt" and one.data["token"]
    ]
    told = frame.letter(desk, game, closing.side, to, "answer", {"answers": [answer]}, f"kept/{message.received_at}")
    bare = Closing(message.id, game.id, KEPT, closing.side, closing.message_id, closing.digest)
    return replace(bare, intents=tuple(frame.numbered(ports, game, tuple(told))))


def call_ended(ports: Ports) -> list[tuple[str, int]]:
    """Enter a call for every halt whose time is over; game and id of those that were not known already."""
    now = ports.now()
    found = []
    for halt in halts.ending(ports.journal.engine, now):
        key = ports.journal.add_message(f"{PLACE}{halt.game}/-/{halt.since}", b"", now, halt.game)
        found += [] if key is None else [(halt.game, key)]
    return found


def handle(ports: Ports, message: Message) -> bool:
    """Carry out a call that is a matter of halts: one that ends a halt, or one to play in a game that stands still, which waits until it
    goes on. False: it is another's.
    """
    game = ports.journal.game(message.game)
    if game is None:
        return False
    halt = halts.current(ports.journal.engine, game.id)
    closing = Closing(message.id, game.id, "resumed", digest=digest(message.place.encode()), at=message.received_at)
    if message.place.startswith(PLACE):
        if halt is not None and halt.since == message.place.rpartition("/")[2] and not game.over:
            effect = resumed(Desk(ports, message, game, None, "", "master", True), game, halt, "")
            closing = replace(closing, also=effect.writes, intents=frame.numbered(ports, game, effect.intents))
        ports.journal.close(closing)
        return True
    if halt is None or game.over:
        return False
    ports.journal.close(replace(closing, verdict=KEPT))
    return True
