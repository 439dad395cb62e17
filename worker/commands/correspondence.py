"""Letters and leave: SAY and VACATION."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from worker.commands import given, store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice, to_outsider
from worker.store.records import Deadline, Game, Intent
from worker.waiting import vacations, zones
from worker.waiting.deadlines import ADJUTANT, moved
from worker.waiting.vacations import Vacation

MOST_LETTERS = 20
"""Letters of one side in a day."""
DAY = timedelta(days=1)
_TO_ADDRESS = re.compile(r"\W*(?:\d{1,2}[.)]\s+)?SAY\W+(?:UNSIGNED\W+)?TO\W+(?:MAILTO:)?[^\s@]+@\w", re.IGNORECASE)
CLOCKS_CHANGE = 0.05
"""The part of a day, a little over an hour, by which days that are counted by somebody's clock may be longer or shorter."""


def say(desk: Desk, command: Command) -> Effect:
    """SAY text: to the other side. SAY TO side, TO ALL, TO MASTER; UNSIGNED: not told from whom."""
    game, side = _playing(desk)
    if not command.args.get("to") and _TO_ADDRESS.match(command.line):
        raise Refused("letter-to-address", sides=list(game.sides))
    journal, text = desk.ports.journal, str(command.args["text"])
    yesterday = (datetime.fromisoformat(desk.at) - DAY).isoformat()
    if given.times_given(journal.engine, game.id, side, "SAY", yesterday) >= MOST_LETTERS:
        raise Refused("too-many-letters", most=MOST_LETTERS)
    unsigned, wanted = bool(command.args.get("unsigned")), command.args.get("to")
    said = Said("letter-unsigned" if unsigned else "letter", {"side": side, "game": game.id})
    told, to = _letters(desk, game, side, wanted, said, (text,))
    if not told:
        raise Refused("nobody-to-write-to")
    return Effect((Said("letter-sent", {"to": to, "unsigned": unsigned}),), intents=tuple(told))


def _letters(desk: Desk, game: Game, side: str, wanted: str | None, said: Said, text: tuple[str, ...]) -> tuple[list[Intent], list[str]]:
    """The letters, and to whom they go: sides, ``spectators``, ``master``."""
    if wanted == "master":
        master = desk.ports.config.game_master
        return ([to_outsider(desk, master, "letter/master", said, text=text)] if master else []), ["master"]
    if wanted not in (None, "all", *game.sides):
        raise Refused("no-such-side", side=wanted, sides=list(game.sides))
    sides = [one for one in game.sides if wanted in ("all", one) or (wanted is None and one != side)]
    players = desk.ports.journal.addresses(game.id)
    told, to = [], []
    for one in sides:
        addresses = [address for address in players[one] if address not in (ADJUTANT, desk.sender)]
        if addresses:
            told += notice(desk, one, f"letter/{one}", said, to=addresses, text=text)
            to.append(one)
    watchers = store.spectators_of(desk.ports.journal.engine, game.id) if wanted == "all" else []
    told += [to_outsider(desk, address, f"letter/watch{n}", said, text=text) for n, address in enumerate(watchers)]
    return told, [*to, *(["spectators"] if watchers else [])]


def _playing(desk: Desk) -> tuple[Game, str]:
    if desk.game is None or desk.side is None:
        raise Refused("not-begun")
    return desk.game, desk.side


# Leave


def vacation(desk: Desk, command: Command) -> Effect:
    """VACATION n DAYS [FROM date], VACATION UNTIL date [FROM date], VACATION OFF: the side's deadlines are put off by that time."""
    game, side = _playing(desk)
    if game.over:
        raise Refused("game-over")
    engine = desk.ports.journal.engine
    known = vacations.current(engine, game.id, side, desk.at)
    if command.args.get("off"):
        if known is None:
            raise Refused("not-away")
        return _back(desk, game, side, known)
    if known is not None:
        raise Refused("away-already", since=known.since, until=known.until)
    away = _wished(desk, command)
    most = desk.ports.config.vacation_days
    used = sum(one.days for one in vacations.of(engine, game.id, side))
    if used + away.days > most + CLOCKS_CHANGE:
        raise Refused("too-long-away", most=most, left=max(0, int(most - used + CLOCKS_CHANGE)))
    due = desk.ports.journal.deadlines(game.id).get(side)
    later = {side: replace(due, due=vacations.put_off(due.due, away, desk.at))} if due is not None else {}
    fields = {"side": side, "since": away.since, "until": away.until, "due": later[side].due if later else None}
    return Effect(
        (Said("away", fields | {"left": max(0, int(most - used - away.days + CLOCKS_CHANGE))}),),
        writes=(vacations.taking(game.id, side, away),),
        intents=tuple(_told(desk, game, side, Said("other-away", fields))),
        deadlines=later,
    )


def _wished(desk: Desk, command: Command) -> Vacation:
    """The time that is asked for; days begin at midnight in the sender's zone."""
    now = datetime.fromisoformat(desk.at).replace(microsecond=0)
    clock = zones.clock_of(desk.ports.journal.engine, desk.ports.config, desk.sender)
    since, until = command.args.get("since"), command.args.get("until")
    try:
        begin = max(_midnight(since, clock), now) if since else now
        end = _midnight(until, clock, days=1) if until else _days_after(begin, command.args["days"], clock)
    except OverflowError:
        raise Refused("no-such-time") from None
    if end <= begin or begin > now + timedelta(days=365):
        raise Refused("no-such-time")
    return Vacation(begin.isoformat(), end.isoformat())


def _midnight(day: str, clock: ZoneInfo, days: int = 0) -> datetime:
    """When a day begins by somebody's clock (``days`` later), in UTC."""
    return (datetime.fromisoformat(day) + timedelta(days=days)).replace(tzinfo=clock).astimezone(UTC)


def _days_after(begin: datetime, days: int, clock: ZoneInfo) -> datetime:
    """So many days later at the same hour of somebody's clock, in UTC: where the clocks are changed, a day has 23 hours or 25."""
    return (begin.astimezone(clock) + timedelta(days=days)).astimezone(UTC)


def _back(desk: Desk, game: Game, side: str, away: Vacation) -> Effect:
    """Back before the time: what was put off for the rest of it is due sooner again."""
    due = desk.ports.journal.deadlines(game.id).get(side)
    sooner: dict[str, Deadline | None] = {}
    if due is not None and due.due > away.since:
        rest = datetime.fromisoformat(away.until) - max(datetime.fromisoformat(away.since), datetime.fromisoformat(desk.at))
        sooner = {side: moved(due, -rest)}
    fields = {"side": side, "due": next((one.due for one in sooner.values() if one), None)}
    return Effect(
        (Said("back", fields),),
        writes=(vacations.ending(game.id, side, away, desk.at),),
        intents=tuple(_told(desk, game, side, Said("other-back", fields))),
        deadlines=sooner,
    )


def _told(desk: Desk, game: Game, side: str, said: Said) -> list[Intent]:
    """The other players hear of it, those of the side too."""
    players = desk.ports.journal.addresses(game.id)
    told = []
    for one in game.sides:
        addresses = [address for address in players[one] if address not in (ADJUTANT, desk.sender)]
        told += notice(desk, one, f"away/{one}", said, to=addresses) if addresses else []
    return told


TABLE: Mapping[str, Carry] = {"SAY": say, "VACATION": vacation}
