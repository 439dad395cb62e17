"""Sides that no mail reaches: the others are told, and the absence rule begins even where nobody is pressed for time."""

from __future__ import annotations

from dataclasses import replace

from worker.canonical import digest
from worker.ports import Ports
from worker.store.records import Closing, Deadline, Game, Message
from worker.waiting import deadlines, telling, terms, waits
from worker.waiting.deadlines import ADJUTANT, place

WHY = "silent"


def call_silent(ports: Ports) -> list[tuple[str, int]]:
    """Enter a call for each side that mail does not reach any more; game and id of those that were not known already."""
    found = []
    for game, sides in waits.silent_sides(ports.journal.engine).items():
        for side, since in sides.items():
            key = ports.journal.add_message(place(WHY, game, side, since), b"", ports.now(), game)
            found += [] if key is None else [(game, key)]
    return found


def handle(ports: Ports, message: Message, game: Game, side: str, key: str) -> Closing:
    """Tell the other sides; a side that is waited for without a deadline gets one."""
    closing = Closing(message.id, game.id, "silent:not-any-more", side, digest=digest(message.place.encode()), at=message.received_at)
    if game.over or waits.silent_sides(ports.journal.engine, game.id).get(game.id, {}).get(side) != key:
        return closing
    now, known = ports.now(), ports.journal.deadlines(game.id).get(side)
    view = ports.rules.view(ports.journal.state(game.id, game.version)[0], side)
    if known is None and deadlines.awaited(view):
        known = Deadline(deadlines.later(now, ports.config.silent_hours), since=now, kind=deadlines.kind_of(view))
        closing = replace(closing, deadlines={side: known})
    agreed = terms.of(ports.journal.engine, ports.config, game.id)
    told = telling.said("other-silent", side=side, until=known.due if known else None, absence=agreed.absence)
    intents = []
    for other, players in ports.journal.addresses(game.id).items():
        if other != side and players != [ADJUTANT]:
            facts = {"answers": [telling.part(told)]}
            intents += telling.to_side(ports, game, other, f"m{message.id}/silent/{other}", now, facts)
    return replace(closing, verdict="silent:told", intents=tuple(intents))
