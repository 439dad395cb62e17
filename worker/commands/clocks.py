"""Time: ZONE POSTPONE DEADLINE, and the game master's TERMS and DECIDE. What changes the other side's time needs its consent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Connection

from worker.canonical import Json
from worker.commands import given
from worker.commands.agreeing import ask_other_side
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice
from worker.commands.masters import running
from worker.commands.offering import Accept
from worker.commands.store import Offer
from worker.store.records import Deadline, Game, Intent, Write
from worker.waiting import deadlines, halts, terms, vacations, zones
from worker.waiting.deadlines import ADJUTANT

FAIR_HOURS = 24.0
"""Nobody has less than that, or than the whole new time, when a deadline that runs is brought forward."""


def zone(desk: Desk, command: Command) -> Effect:
    """ZONE place: in which time zone the sender is told times, in all his mails. ZONE alone tells which it is."""
    engine, config = desk.ports.journal.engine, desk.ports.config
    typed = command.args.get("zone")
    if typed is None:
        return Effect((Said("zone-now", {"zone": zones.zone_of(engine, config, desk.sender), "came": desk.at}),))
    try:
        found = zones.find(typed)
    except zones.NoSuchZone as unknown:
        raise Refused("no-such-zone", zone=typed[:40], why=unknown.why, near=unknown.near) from None
    return Effect((Said("zone-set", {"zone": found, "came": desk.at}),), writes=(zones.wishing(desk.sender, "zone", found),))


# A deadline put off by the one whom it binds


def postpone(desk: Desk, command: Command) -> Effect:
    """POSTPONE n [HOURS], POSTPONE n DAYS: the side's deadline is put off, within what the game allows it, and the other side is told."""
    game, side = playing(desk)
    due = desk.ports.journal.deadlines(game.id).get(side)
    if due is None:
        raise Refused("no-deadline-of-yours")
    if due.due <= desk.at:
        raise Refused("deadline-passed")
    wished, config = _hours(command.args), desk.ports.config
    before = given.given_with(desk.ports.journal.engine, game.id, side, "POSTPONE")
    left = max(0.0, config.grace_hours - sum(_hours(one) for one in before))
    most = min(left, config.grace_once)
    if wished > most:
        raise Refused("postpone-no-more", left=left, once=config.grace_once, most=most, master=bool(config.game_master))
    later = deadlines.moved(due, timedelta(hours=wished))
    fields = {"side": side, "wished": wished, "due": later.due}
    return Effect(
        (Said("postponed", fields | {"left": left - wished}),),
        intents=tuple(_to_others(desk, game, "postponed", Said("other-postponed", fields))),
        deadlines={side: later},
    )


def _hours(args: Json) -> float:
    return float(args["days"] * 24 if args.get("days") else args["hours"])


# The terms of a game


def deadline(desk: Desk, command: Command) -> Effect:
    """DEADLINE hours [REACTION hours] [SETUP hours] [CONSENT hours] [ABSENCE what]: proposed to the other side; alone: told.

    Who has founded a game settles them alone, as long as nobody else has a seat.
    """
    wished = wishes_of(command.args)
    if desk.lobby is not None:
        return _of_lobby(desk, wished)
    if desk.game is None or desk.side is None:
        raise Refused("not-begun")
    if not wished:
        return Effect((_told(desk, desk.game.id, {}),))
    game, side = playing(desk)
    if all(found == [ADJUTANT] for one, found in desk.ports.journal.addresses(game.id).items() if one != side):
        return _changed(desk, game, wished)
    new = terms.default(desk.ports.config).with_({**terms.agreed(desk.ports.journal.engine, game.id), **wished})
    return ask_other_side(desk, game, "terms", {"terms": wished}, Said("terms-asked", {"side": side} | new.as_json()))


def wishes_of(args: Json) -> dict[str, str]:
    """What a command says of the terms, as they are kept."""
    return {key: str(args[key]).lower() for key in terms.KEYS if args.get(key) is not None}


def _of_lobby(desk: Desk, wished: Mapping[str, str]) -> Effect:
    lobby = desk.lobby
    assert lobby is not None
    if not wished:
        return Effect((_told(desk, lobby.id, {}),))
    if lobby.founder != desk.sender:
        raise Refused("not-founder", founder=lobby.founder)
    if len(lobby.seats) > 1:
        raise Refused("terms-too-late")
    return Effect((_told(desk, lobby.id, wished),), writes=(terms.agreeing(lobby.id, wished),))


def _told(desk: Desk, game: str, wished: Mapping[str, str]) -> Said:
    """The terms of a game, with what is agreed on now."""
    found = terms.default(desk.ports.config).with_({**terms.agreed(desk.ports.journal.engine, game), **wished})
    return Said("terms-new" if wished else "terms-now", found.as_json())


def accept_terms(desk: Desk, command: Command, offer: Offer) -> Effect:
    """The other side agrees to other terms."""
    game, _ = playing(desk)
    effect = _changed(desk, game, offer.data["terms"])
    return replace(effect, writes=(offer.settled("taken"), *effect.writes))


def _changed(desk: Desk, game: Game, wished: Mapping[str, str]) -> Effect:
    """Other terms from now on, and the deadlines that run by them."""
    said = _told(desk, game.id, wished)
    new = terms.default(desk.ports.config).with_({**terms.agreed(desk.ports.journal.engine, game.id), **wished})
    return Effect(
        (said,),
        writes=(terms.agreeing(game.id, wished),),
        intents=tuple(_to_others(desk, game, "terms", said)),
        deadlines=_by(desk, game, new),
    )


def _by(desk: Desk, game: Game, new: terms.Terms) -> dict[str, Deadline | None]:
    """The deadlines that run, by new terms; nobody is left with less than a day, or with less than all of his new time."""
    stored, state = desk.ports.journal.deadlines(game.id), desk.ports.journal.state(game.id, game.version)[0]
    found: dict[str, Deadline | None] = {}
    for side, players in desk.ports.journal.addresses(game.id).items():
        view = desk.ports.rules.view(state, side)
        if players == [ADJUTANT] or not deadlines.awaited(view):
            continue
        known, hours = stored.get(side), new.hours(view)
        if not hours:
            found |= {side: None} if known else {}
            continue
        since = known.since if known and known.since else desk.at
        least = deadlines.later(desk.at, min(hours, FAIR_HOURS))
        kept = known or Deadline("", since=since, kind=deadlines.kind_of(view))
        found[side] = replace(kept, due=max(deadlines.later(since, hours), least))
    return vacations.excused(desk.ports.journal.engine, game.id, found, desk.at)


# The game master's


def set_terms(desk: Desk, command: Command) -> Effect:
    """TERMS game ...: the game master settles them, and both sides are told."""
    game = running(desk, command)
    wished = wishes_of(command.args)
    return _changed(desk, game, wished) if wished else Effect((_told(desk, game.id, {}),))


def decide(desk: Desk, command: Command) -> Effect:
    """DECIDE game side ADJUTANT, or NOTHING: the side is played for to the end of its player-turn, or its player-turn ends."""
    game, side, how = running(desk, command), command.args["side"], command.args["how"].lower()
    if side not in game.sides:
        raise Refused("no-such-side", side=side, sides=list(game.sides))
    if halts.current(desk.ports.journal.engine, game.id) is not None:
        raise Refused("paused-no-decision")
    view = desk.ports.rules.view(desk.ports.journal.state(game.id, game.version)[0], side)
    if not deadlines.awaited(view):
        raise Refused("side-not-awaited", side=side)
    place = deadlines.place(f"decided-{how}", game.id, side, str(game.version))

    def write(connection: Connection) -> None:
        deadlines.call(connection, game.id, [place], desk.at)

    once: Write = write
    return Effect((Said("decided", {"side": side, "how": how, "game": game.id}),), writes=(once,))


def playing(desk: Desk) -> tuple[Game, str]:
    """The game that runs, and the sender's side."""
    if desk.game is None or desk.side is None:
        raise Refused("not-begun")
    if desk.game.over:
        raise Refused("game-over")
    return desk.game, desk.side


def _to_others(desk: Desk, game: Game, key: str, said: Said) -> list[Intent]:
    """A notice to all players but the sender."""
    told = []
    for side, players in desk.ports.journal.addresses(game.id).items():
        addresses = [one for one in players if one not in (ADJUTANT, desk.sender)]
        told += notice(desk, side, f"{key}/{side}", said, to=addresses) if addresses else []
    return told


TABLE: Mapping[str, Carry] = {"ZONE": zone, "POSTPONE": postpone, "DEADLINE": deadline, "TERMS": set_terms, "DECIDE": decide}
ACCEPTED: Mapping[str, Accept] = {"terms": accept_terms}
