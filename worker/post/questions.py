"""Whether a mail in somebody's name is his own: the game master is asked by a code, and a no is an alert."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Engine, select

from worker import secrets
from worker.canonical import Json
from worker.commands import frame, store
from worker.commands.frame import Desk, Said, answers
from worker.commands.store import Offer
from worker.hosting.alerts import Alert, entering
from worker.play import turn
from worker.ports import Ports
from worker.post import context, holds
from worker.store.database import reading
from worker.store.records import STRAY, Closing, Game, Message
from worker.store.tables import messages

KIND = "master"
"""The kind of the offer that is the question to the game master."""
MOST_ASKED = 6
"""Questions to the game master in a day: whoever writes in his name does not fill his mailbox."""


def asked_master(ports: Ports, message: Message, seen_as: Json) -> Closing:
    """A command in the game master's name that nothing vouches for: he is asked at his address. Nothing is done before he says yes."""
    engine, at = ports.journal.engine, message.received_at
    master, named = ports.config.game_master.lower(), str(seen_as.get("named") or "")
    game = ports.journal.game(named) if named else None
    closing = turn.closing_of(message, seen_as | {"side": None}, game)
    day = (datetime.fromisoformat(at) - timedelta(days=1)).isoformat()
    if store.offers_lately(engine, day, address=master) >= MOST_ASKED:
        alert = Alert("master-flood", at[:10], at)
        return replace(closing, also=(*closing.also, entering(ports.config, alert)))
    code = secrets.code(secrets.new_secret(), KIND, message.id)
    offer = Offer(code, KIND, game.id if game else STRAY, None, master, master, {"message": message.id}, at)
    lines = [str(line) for one in seen_as.get("sources", []) for line in one["lines"]][:20]
    desk = Desk(ports, message, game, None, master, "master", True)
    said = Said("master-asked", {"lines": lines, "subject": str(seen_as.get("subject") or "")[:200]})
    mail = frame.to_outsider(desk, master, f"{KIND}/{code[:4]}", said, text=(f"ACCEPT {code}", f"REFUSE {code}"))
    return replace(closing, intents=(mail,), also=(*closing.also, offer.written()))


def masters_own(ports: Ports, message: Message, seen_as: Json) -> tuple[Json, Offer] | None:
    """What the mail says that the game master now says is his own, read anew; None where he says nothing of the kind."""
    given = seen_as["commands"]
    if len(given) != 1 or given[0]["verb"] != "ACCEPT" or not given[0]["args"].get("code"):
        return None
    offer = store.offer(ports.journal.engine, given[0]["args"]["code"], message.received_at)
    sender = str(seen_as.get("sender") or "").lower()
    if offer is None or offer.kind != KIND or offer.address != sender or sender != ports.config.game_master.lower():
        return None
    raw = _raw(ports.journal.engine, int(offer.data["message"]))
    known = context.build_context(ports.journal, ports.config, raw, message.received_at, offer.game) | {"vouched": True}
    again = ports.mail.read(raw, known)
    return again | {"message_id": seen_as["message_id"], "digest": seen_as["digest"], "sender": sender}, offer


def _raw(engine: Engine, message: int) -> bytes:
    with reading(engine) as connection:
        return bytes(connection.execute(select(messages.c.raw).where(messages.c.id == message)).scalar_one())


def is_repeated(engine: Engine, message: Message, seen_as: Json) -> bool:
    """Whether a mail of the game master's was carried out before: relays deliver twice, and signed mails can be sent again by anybody."""
    here = (messages.c.message_id == seen_as["message_id"], messages.c.digest == seen_as["digest"], messages.c.id != message.id)
    with reading(engine) as connection:
        found = connection.execute(select(messages.c.id).where(*here, messages.c.verdict == "accept", messages.c.status == "done"))
        return bool(seen_as["message_id"]) and found.first() is not None


def denied(ports: Ports, message: Message, seen_as: Json, game: Game) -> Closing:
    """The registered address says that a held mail is not its own: it is thrown away, and the game master hears of it."""
    closing = turn.closing_of(message, seen_as, game)
    found = holds.held(ports.journal.engine, game.id, int(seen_as["denies"]))
    if found is None:  # settled since it was read: the copy of an answer
        return closing
    side, sender = str(seen_as["side"]), str(seen_as["sender"])
    desk = Desk(ports, message, game, side, sender, "token", True)
    effect = frame.Effect((Said("question-denied"),))
    told = answers(desk, game, side, [(frame.Command("NO", "", {}), effect)], [])
    alert = forged(game.id, found.id, message.received_at, side=side, name=context.sender_of(found.raw) or "")
    also = (*closing.also, holds.denying(found.id), entering(ports.config, alert))
    return replace(closing, intents=frame.numbered(ports, game, tuple(told)), also=also)


def forged(game: str | None, held: int, at: str, *, side: str | None, name: str) -> Alert:
    """The alert that somebody writes in another's name."""
    return Alert("forged", f"{game} {held}", at, game, {"side": side, "name": name})
