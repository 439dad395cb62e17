"""The game master's commands about time: PAUSE, RESUME, EXTEND; and what all of his have in common: both sides are told, with the reason.

The gate lets them through from the game master alone, and only where it is sure that it is he.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from worker.canonical import Json
from worker.commands import store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice
from worker.store.records import SPECTATOR, Deadline, Game, Intent
from worker.waiting import halts
from worker.waiting.deadlines import ADJUTANT
from worker.waiting.halts import Halt, put_off

DAY = timedelta(days=1)
FURTHEST = timedelta(days=366)
HOURS = {"HOUR": 1, "HOURS": 1, "DAY": 24, "DAYS": 24}


def running(desk: Desk, command: Command) -> Game:
    """The game that a command names, if it can be changed."""
    named = str(command.args["game"])
    if (home := desk.game or desk.lobby) is None or home.id != named:
        engine = desk.ports.journal.engine
        known = desk.ports.journal.game(named) is not None or store.lobby(engine, named) is not None
        raise Refused("one-game" if known else "no-game", game=named)
    if desk.game is None:
        raise Refused("not-begun")
    if desk.game.over:
        raise Refused("game-over")
    return desk.game


def everybody(desk: Desk, game: Game, key: str, *said: Said, **facts: Json) -> list[Intent]:
    """A notice to the players of all sides, and to who watches. ``game``: as it stands then; ``facts``: as a mail's."""
    players = desk.ports.journal.addresses(game.id)
    told: list[Intent] = []
    for side in game.sides:
        addresses = [one for one in players[side] if one != ADJUTANT]
        told += notice(desk, side, f"{key}/{side}", *said, game=game, to=addresses, **facts) if addresses else []
    watchers = store.spectators_of(desk.ports.journal.engine, game.id)
    shows = {key: value for key, value in facts.items() if key != "shows"}
    watched = [replace(one, fields=one.fields | {"watching": True}) for one in said]
    return told + (notice(desk, SPECTATOR, f"{key}/{SPECTATOR}", *watched, game=game, to=watchers, **shows) if watchers else [])


def reason_of(command: Command) -> str:
    """The reason that was given, or an empty text."""
    return str(command.args.get("reason") or "")[:400]


# Standing still


def pause(desk: Desk, command: Command) -> Effect:
    """PAUSE game [UNTIL date]: orders are kept, and no deadline runs."""
    game = running(desk, command)
    known = halts.current(desk.ports.journal.engine, game.id)
    if known is not None:
        raise Refused("paused-already", since=known.since, until=known.until)
    until = _end_of(desk, command.args["until"]) if command.args.get("until") else None
    made = Halt(game.id, desk.at, until, reason_of(command))
    said = Said("paused", {"until": until, "because": made.reason})
    told = everybody(desk, game, "paused", said, deadline=None)
    return Effect((Said("pause-done", {"game": game.id, "until": until}),), writes=(made.written(),), intents=tuple(told))


def resume(desk: Desk, command: Command) -> Effect:
    """RESUME game: its time runs again, and what was kept is carried out in its order."""
    game = running(desk, command)
    halt = halts.current(desk.ports.journal.engine, game.id)
    if halt is None:
        raise Refused("not-paused")
    return resumed(desk, game, halt, reason_of(command))


def resumed(desk: Desk, game: Game, halt: Halt, reason: str) -> Effect:
    """A game goes on; each side has the time that it had left."""
    due = halts.next_due(desk.ports.journal.deadlines(game.id), halts.lasted(halt.since, desk.at))
    kept = halts.kept(desk.ports.journal.engine, game.id)
    said = Said("resumed", {"because": reason, "since": halt.since})
    told = everybody(desk, game, "resumed", said, deadline=due, resumed=True)
    done = Said("resume-done", {"game": game.id, "kept": kept, "due": due})
    return Effect((done,), writes=(halt.ended(desk.at),), intents=tuple(told))


def _end_of(desk: Desk, date: str) -> str:
    """The end of a day, UTC. Refused if it is past, or more than a year away."""
    end = datetime.fromisoformat(date).replace(tzinfo=UTC) + DAY
    now = datetime.fromisoformat(desk.at)
    if end <= now or end > now + FURTHEST:
        raise Refused("no-such-time")
    return end.isoformat()


# More time


def extend(desk: Desk, command: Command) -> Effect:
    """EXTEND game [side] BY n HOURS or DAYS, or UNTIL date: a side is waited for longer; without one, all that are waited for."""
    game = running(desk, command)
    side = command.args.get("side")
    if side is not None and side not in game.sides:
        raise Refused("no-such-side", side=side, sides=list(game.sides))
    known = {one: due for one, due in desk.ports.journal.deadlines(game.id).items() if side in (None, one)}
    if not known:
        raise Refused("no-deadline", side=side)
    if command.args.get("until") and halts.current(desk.ports.journal.engine, game.id) is not None:
        raise Refused("paused-no-date")
    later: dict[str, Deadline | None] = {one: replace(due, due=_later(desk, due, command.args)) for one, due in known.items()}
    dues = {one: found.due for one, found in later.items() if found is not None}
    said = Said("extended", {"dues": dues, "because": reason_of(command)})
    first = min(found.due for found in {**desk.ports.journal.deadlines(game.id), **later}.values() if found is not None)
    told = everybody(desk, game, "extended", said, deadline=first)
    return Effect((Said("extend-done", {"dues": dues}),), deadlines=later, intents=tuple(told))


def _later(desk: Desk, known: Deadline, args: Json) -> str:
    """The deadline that is asked for. Refused if it is none, or sooner than the one that there is: what was promised is not taken back."""
    due = _end_of(desk, args["until"]) if args.get("until") else put_off(known.due, timedelta(hours=args["n"] * HOURS[args["unit"]]))
    if due <= known.due:
        raise Refused("not-later", due=known.due)
    if datetime.fromisoformat(due) > datetime.fromisoformat(desk.at) + FURTHEST:
        raise Refused("no-such-time")
    return due


TABLE: Mapping[str, Carry] = {"PAUSE": pause, "RESUME": resume, "EXTEND": extend}
