"""Reminders: a side that is waited for hears of it again before its deadline, once for each of the settings' hours, in its thread.

Each is a call in the queue of its game (worker/waiting/called.py), so that none is made twice.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from worker.canonical import digest
from worker.ports import Ports
from worker.store.database import reading
from worker.store.records import Closing, Deadline, Game, Message
from worker.waiting import deadlines, halts, telling, terms, vacations, waits, zones
from worker.waiting.deadlines import ADJUTANT, place

WHY = "remind"


def call_reminders(ports: Ports) -> list[tuple[str, int]]:
    """Enter a call for each reminder that is due; game and id of those that were not known already."""
    now, found = ports.now(), []
    if not ports.config.remind_at:
        return []
    with reading(ports.journal.engine) as connection:
        running = deadlines.running(connection)
    silent = waits.silent_sides(ports.journal.engine) if running else {}
    for game, side, deadline in running:
        hours = due_hours(deadline, ports.config.remind_at, now)
        if hours is None or not waits.are_acted_on(ports, game, silent):
            continue
        key = ports.journal.add_message(place(WHY, game, side, f"{hours:g}h/{deadline.due}"), b"", now, game)
        found += [] if key is None else [(game, key)]
    return found


def due_hours(deadline: Deadline, remind_at: list[float], now: str) -> float | None:
    """The hours of the reminder that is due ``now``: the last of those whose moment has come. None where the whole time was not longer."""
    moment, due = datetime.fromisoformat(now), datetime.fromisoformat(deadline.due)
    begun = datetime.fromisoformat(deadline.since) if deadline.since else None
    if moment >= due:
        return None
    come = [hours for hours in remind_at if due - timedelta(hours=hours) <= moment]
    hours = min(come, default=None)
    if hours is None or (begun is not None and due - begun <= timedelta(hours=hours)):
        return None
    return hours


def handle(ports: Ports, message: Message, game: Game, side: str, key: str) -> Closing:
    """Remind the players of a side who want it; not where they have written since, are away, or the game stands still or is over."""
    closing = Closing(message.id, game.id, "remind:not-needed", side, digest=digest(message.place.encode()), at=message.received_at)
    now, due = ports.now(), key.partition("/")[2]
    deadline = ports.journal.deadlines(game.id).get(side)
    halted = halts.current(ports.journal.engine, game.id) is not None
    away = vacations.current(ports.journal.engine, game.id, side, now)
    gone = away is not None and away.since <= now
    if game.over or halted or gone or deadline is None or deadline.due != due or deadline.due <= now:
        return closing
    players = [one for one in ports.journal.addresses(game.id)[side] if one != ADJUTANT]
    unwilling = {one for one, wish in zones.wishes_for(ports.journal.engine, "reminders", players).items() if wish == "off"}
    to = [one for one in players if one not in unwilling]
    left = (datetime.fromisoformat(deadline.due) - datetime.fromisoformat(now)) / timedelta(hours=1)
    agreed = terms.of(ports.journal.engine, ports.config, game.id).as_json()
    agreed |= {"grace": int(min(ports.config.grace_once, ports.config.grace_hours))}
    facts = {"deadline": deadline.due, "hours": max(1, round(left)), "terms": agreed}
    intents = telling.to_side(ports, game, side, f"m{message.id}/reminder", now, facts, "reminder", to)
    verdict = "remind:sent" if intents else closing.verdict
    return Closing(message.id, game.id, verdict, side, digest=closing.digest, at=message.received_at, intents=tuple(intents))
