"""Offers to an address: it is mailed what it is asked and a code, and nothing comes of it until it answers. All are bounded in number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from worker import secrets
from worker.canonical import Json
from worker.commands import store
from worker.commands.frame import Command, Desk, Effect, Refused, Said, to_outsider
from worker.commands.store import Offer
from worker.play.games import is_own
from worker.post.bounces import paused_of
from worker.store.records import Game

MOST_OPEN = 3
"""Offers of one kind in a game, and to one address, that wait for an answer."""
MOST_KNOCKS = 30
"""Mails an hour to strangers who knock and whom no domain vouches for, all together."""
MOST_A_DAY = 6
"""Offers to one address, or of one kind to the players of a side, in a day, answered or not."""
KNOCKS = ("new", "join", "spectate")
Accept = Callable[[Desk, Command, Offer], Effect]
"""What the yes to an offer leads to."""


def offered_to(desk: Desk, made: Offer, *said: Said, most: int = MOST_OPEN, word: bool = False) -> Effect:
    """An offer to an address: it is mailed what it is, and how to say yes or no. ``word``: one for the dice may be added."""
    engine = desk.ports.journal.engine
    if paused_of(engine, [str(made.address)]):
        raise Refused("mail-comes-back", address=made.address)
    if len(store.offers_for(engine, desk.at, str(made.address))) >= MOST_OPEN:
        raise Refused("asked-enough", address=made.address)
    if store.offers_lately(engine, day_before(desk.at), address=str(made.address)) >= MOST_A_DAY:
        raise Refused("asked-enough", address=made.address)
    if len(store.offers_in(engine, desk.at, made.game, made.kind)) >= most:
        raise Refused("too-many-invited", most=most)
    lines = (f"ACCEPT {made.code}{' WORD YourOwnWord' if word else ''}", f"REFUSE {made.code}")
    mail = to_outsider(desk, str(made.address), f"{made.kind}/{made.code[:4]}", *said, Said("offer-answer", {"word": word}), text=lines)
    sent = Said("invitation-sent", {"address": made.address, "side": made.side, "waits": desk.lobby is not None})
    return Effect((sent,), writes=(made.written(),), intents=(mail,), status="asked")


def day_before(at: str) -> str:
    """A day before a moment."""
    return (datetime.fromisoformat(at) - timedelta(days=1)).isoformat()


def offer_side(desk: Desk, game: Game, address: str, kind: str, key: str) -> Effect:
    """Ask an address whether it will play on the sender's side: beside him (``player``), or in his place (``substitute``)."""
    if any(address in found for found in desk.ports.journal.addresses(game.id).values()):
        raise Refused("plays-already", address=address)
    title = desk.ports.rules.scenario(game.scenario)["game"].get("title") or game.scenario
    said = Said(key, {"game": game.id, "title": title, "side": desk.side, "host": desk.sender, "turn": game.turn})
    return offered_to(desk, Offer(desk.code(kind, address), kind, game.id, desk.side, address, desk.sender, {}, desk.at), said)


def asked_for(desk: Desk, game: Game, address: str, kind: str, data: Json, said: Said) -> Effect:
    """Ask an address whether it wants something of the sender's side. ``said``: what it is told."""
    made = Offer(desk.code(kind, address), kind, game.id, desk.side, address, desk.sender, data, desk.at)
    return replace(offered_to(desk, made, said), said=(Said("address-asked", {"address": address}),))


def usable(desk: Desk, address: str) -> None:
    """Refused if mails to an address would come back to the server."""
    if is_own(address, desk.ports.config.address.lower()):
        raise Refused("own-address", address=address)


def knock(desk: Desk, kind: str, data: Json, home: str = "-", **fields: Json) -> Effect:
    """A stranger whom no domain vouches for asks for something: the address that he gives is asked whether it was he. Bounded, for it may
    be somebody who writes under another's name.
    """
    engine = desk.ports.journal.engine
    hour = (datetime.fromisoformat(desk.at) - timedelta(hours=1)).isoformat()
    known = store.offers_for(engine, desk.at, desk.sender)
    if len(known) >= MOST_OPEN or any((one.kind, one.data) == (kind, data) for one in known):
        raise Refused("asked-enough", address=desk.sender)
    if store.offers_lately(engine, day_before(desk.at), address=desk.sender) >= MOST_A_DAY:
        raise Refused("asked-enough", address=desk.sender)
    if store.offers_since(engine, hour, KNOCKS) >= MOST_KNOCKS:
        raise Refused("busy")
    code = secrets.code(secrets.new_secret(), kind)
    made = Offer(code, kind, home, None, desk.sender, desk.sender, data, desk.at)
    said = (Said(f"knock-{kind}", fields), Said("knock-answer"))
    mail = to_outsider(desk, desk.sender, f"knock/{code[:4]}", *said, text=(f"ACCEPT {code}",))
    return Effect((), writes=(made.written(),), intents=(mail,), status="asked")
