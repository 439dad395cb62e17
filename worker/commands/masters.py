"""The game master's commands about time and players: PAUSE, RESUME, EXTEND, REPLACE. Both sides are told of each, with the reason given.

The gate lets them through from the game master alone, and only where it is sure that it is he.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from worker import halts
from worker.canonical import Json
from worker.commands import store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice, to_outsider
from worker.commands.offering import Accept, offered_to, usable
from worker.commands.people import SHOWN, replaced
from worker.commands.store import Offer
from worker.deadlines import ADJUTANT
from worker.halts import Halt, put_off
from worker.records import SPECTATOR, Deadline, Game, Intent

DAY = timedelta(days=1)
FURTHEST = timedelta(days=366)
HOURS = {"HOUR": 1, "HOURS": 1, "DAY": 24, "DAYS": 24}


def running(desk: Desk) -> Game:
    """The game that a command names, if it can be changed."""
    if desk.lobby is not None:
        raise Refused("not-begun")
    if desk.game is None:
        raise Refused("which-game")
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
    return told + (notice(desk, SPECTATOR, f"{key}/{SPECTATOR}", *said, game=game, to=watchers, **shows) if watchers else [])


def reason_of(command: Command) -> str:
    """The reason that was given, or an empty text."""
    return str(command.args.get("reason") or "")[:400]


# Standing still


def pause(desk: Desk, command: Command) -> Effect:
    """PAUSE game [UNTIL date]: orders are kept, and no deadline runs."""
    game = running(desk)
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
    game = running(desk)
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
    game = running(desk)
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


# Another player


def replace_player(desk: Desk, command: Command) -> Effect:
    """REPLACE game side old BY new: the new address is offered the seat, and has it when it says yes. REPLACE OFF takes the offer back."""
    game, side = running(desk), command.args["side"]
    if side not in game.sides:
        raise Refused("no-such-side", side=side, sides=list(game.sides))
    open_offers = [one for one in store.offers_in(desk.ports.journal.engine, desk.at, game.id, "replace") if one.side == side]
    if command.args.get("off"):
        if not open_offers:
            raise Refused("no-substitute-asked")
        return Effect((Said("substitute-off"),), writes=tuple(one.settled("void") for one in open_offers))
    old, new = command.args["old"], command.args["new"]
    players = desk.ports.journal.addresses(game.id)
    if old not in players[side]:
        raise Refused("not-a-player", address=old, side=side, players=[one for one in players[side] if one != ADJUTANT])
    usable(desk, new)
    if any(new in found for found in players.values()):
        raise Refused("plays-already", address=new)
    if any(one.data["old"] == old for one in open_offers):
        raise Refused("proposed-already", kind="replace")
    return _seat_offered(desk, game, side, (old, new), reason_of(command))


def _seat_offered(desk: Desk, game: Game, side: str, who: tuple[str, str], reason: str) -> Effect:
    old, new = who
    title = desk.ports.rules.scenario(game.scenario)["game"].get("title") or game.scenario
    said = Said("asked-to-replace", {"game": game.id, "title": title, "side": side, "turn": game.turn})
    made = Offer(desk.code("replace", new), "replace", game.id, side, new, desk.sender, {"old": old, "because": reason}, desk.at)
    asked = offered_to(desk, made, said)
    told = everybody(desk, game, "replacing", Said("replacing", {"side": side, "because": reason}))
    return replace(asked, said=(Said("replace-asked", {"address": new, "side": side, "old": old}),), intents=(*asked.intents, *told))


def accept_replace(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Somebody takes the seat that the game master has offered him: who had it sees and orders no more."""
    game, old, new = desk.game, str(offer.data["old"]), str(offer.address)
    if game is None or game.over or offer.side is None:
        raise Refused("game-over")
    players = desk.ports.journal.addresses(game.id)
    if old not in players.get(offer.side, []) or any(new in found for found in players.values()):
        raise Refused("no-such-offer", code=offer.code)
    writes, after = replaced(game, offer.side, old, new)
    reason = str(offer.data["because"])
    told = []
    for side in game.sides:
        addresses = [one for one in players[side] if one not in (ADJUTANT, old)]
        said = Said("replaced-other", {"side": offer.side, "because": reason})
        told += notice(desk, side, f"replaced/{side}", said, to=addresses, game=after) if addresses else []
    left = Said("replaced-by-master", {"game": game.id, "side": offer.side, "because": reason})
    told += [
        to_outsider(desk, old, "left", left),
        to_outsider(desk, offer.asker, "taken", Said("replace-taken", {"new": new, "old": old, "side": offer.side, "game": game.id})),
    ]
    return Effect(
        (Said("you-play", {"game": game.id, "side": offer.side}), Said("drafts-void")),
        shows=SHOWN,
        writes=(offer.settled("taken"), *writes),
        intents=tuple(told),
        after=after,
        side=offer.side,
    )


TABLE: Mapping[str, Carry] = {"PAUSE": pause, "RESUME": resume, "EXTEND": extend, "REPLACE": replace_player}
ACCEPTED: Mapping[str, Accept] = {"replace": accept_replace}
