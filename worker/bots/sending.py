"""Sending notices to listeners: the oldest of each first, signed anew at each try, and tried again with longer and longer pauses.

What a listener's server answers, or fails to, is its own matter: whatever it is, it costs one try. One that takes nothing for days, or says
that it is gone, is told nothing more, and whose it is hears of that once.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update

from worker.bots import calling, listeners
from worker.bots.calling import Answer, Forbidden, NoAnswer, asked_to_wait
from worker.bots.listeners import Listener
from worker.bots.noticeforms import FORMS
from worker.canonical import Json, decode
from worker.hosting.alerts import Alert, entering
from worker.ports import Ports
from worker.queues import GameQueues, LeaseLost
from worker.store.bottables import listeners as listening
from worker.store.bottables import notices
from worker.store.database import reading, writing
from worker.store.records import SPECTATOR, Write
from worker.store.tables import moved
from worker.waiting import telling

Post = Callable[[str, bytes, Mapping[str, str]], Answer]
"""URL, body and headers -> the answer. Raises calling.Forbidden and calling.NoAnswer."""
PAUSES = (5, 60, 300, 1800, 7200, 18_000, 36_000, 36_000)
"""Seconds before each new try; after the last a notice has failed."""
LONGEST_WAIT = 3600
"""Seconds for which a receiver is left alone at most because it asks for it."""
WAITS = 20
"""So often a receiver may ask for time; from then on that is a try like any other."""
GIVEN_UP = timedelta(days=3)
"""A listener that has taken nothing for so long ends with the next notice that fails."""
SLICE = 20.0
"""Seconds after which one listener lets others go first."""
log = logging.getLogger("hexpost.notices")


@dataclass(frozen=True, slots=True)
class Head:
    """The oldest notice of a listener that waits. ``due``: when it is tried next; ``whose``: the player, or the channels of a game;
    ``failing``: whether the listener has taken nothing lately.
    """

    listener: int
    whose: str
    due: str
    failing: bool


def heads(engine: Engine) -> list[Head]:
    """What waits, the oldest notice of each listener, in the order in which they are due. Games that moved away are left out."""
    first = select(func.min(notices.c.id)).where(notices.c.status == "waiting").group_by(notices.c.listener)
    query = select(notices.c.listener, notices.c.due, listening.c.game, listening.c.address, listening.c.failing)
    query = query.join(listening, listening.c.id == notices.c.listener).outerjoin(moved, moved.c.game == notices.c.game)
    query = query.where(notices.c.id.in_(first), moved.c.game.is_(None)).order_by(notices.c.due, notices.c.id)
    with reading(engine) as connection:
        rows = connection.execute(query).mappings().all()
    whose = [row["address"] or f"channels of {row['game']}" for row in rows]
    return [Head(row["listener"], one, row["due"], row["failing"] is not None) for row, one in zip(rows, whose, strict=True)]


def send(ports: Ports, queues: GameQueues, listener: int, post: Post = calling.post, stopping: Callable[[], bool] = lambda: False) -> bool:
    """Send what a listener is due, one after the other, until one is not taken. False where another process is at it.

    ``stopping``: whether this process is to end; what is left then is another's.
    """
    with queues.lease(f"tell:{listener}") as lease:
        if lease is None:
            return False
        ends = monotonic() + SLICE
        try:
            while not stopping() and monotonic() < ends and send_next(ports, listener, post):
                lease.renew()
        except LeaseLost:
            return False
    return True


def send_next(ports: Ports, listener: int, post: Post) -> bool:
    """Try the oldest notice of a listener if it is due; whether it was taken. No later one leaves before it."""
    engine, now = ports.journal.engine, ports.now()
    query = select(notices).where(notices.c.status == "waiting", notices.c.listener == listener).order_by(notices.c.id)
    with reading(engine) as connection:
        row = connection.execute(query.limit(1)).mappings().first()
    if row is None or row["due"] > now:
        return False
    found = listeners.of_number(engine, listener)
    if found is None or not listeners.may_be_told(ports.journal, found):
        with writing(engine) as connection:
            _drop(connection, listener, "the listener is closed")
        return False
    try:
        answer = _called(ports, found, row, post, now)
    except Forbidden as error:
        _ended(ports, found, row, str(error))
    except NoAnswer as error:
        _again(ports, found, row, str(error))
    else:
        return _answered(ports, found, row, answer)
    return False


def _called(ports: Ports, listener: Listener, row: Any, post: Post, now: str) -> Answer:
    """Raises Forbidden and NoAnswer, the latter for whatever a call may bring about that nobody has thought of, too."""
    body, headers = FORMS[listener.form].request(ports, decode(row["body"]))
    try:
        return post(url_of(listener), body, headers | _signed(listener, row["key"], body, now))
    except (Forbidden, NoAnswer):
        raise
    except Exception as error:  # whatever a stranger's server brings about costs its listener a try, and nobody else anything
        log.exception("%s: the call of listener %s", listener.game, listener.id)
        raise NoAnswer(f"The call failed ({type(error).__name__}).") from None


def _answered(ports: Ports, listener: Listener, row: Any, answer: Answer) -> bool:
    """Whether it was taken."""
    said = f"HTTP {answer.status}"
    asked = asked_to_wait(answer, datetime.fromisoformat(ports.now())) if answer.status in (429, 503) else None
    if 200 <= answer.status < 300:
        _taken(ports, listener, row, answer)
        return True
    if answer.status in (404, 410):  # it is gone, and says so
        _ended(ports, listener, row, said)
    elif answer.status == 429 and row["waits"] < WAITS:  # asked to wait: for a while that is no failure
        wait = 60 if asked is None else int(min(asked, LONGEST_WAIT)) + 1
        _settle(ports, listener, row, failing=True, waits=row["waits"] + 1, due=_later(ports.now(), wait), said=said)
    else:
        _again(ports, listener, row, said, 0 if asked is None else int(min(asked, LONGEST_WAIT)) + 1)
    return False


def _taken(ports: Ports, listener: Listener, row: Any, answer: Answer) -> None:
    _settle(ports, listener, row, failing=False, status="sent", said="")
    channel = json_of(answer).get("channel_id") if listener.form == "discord" else None
    if isinstance(channel, str) and not listeners.settle_channel(ports.journal.engine, listener, channel):
        log.warning("%s: listener %s is closed, as another tells the same channel", listener.game, listener.id)


def _again(ports: Ports, listener: Listener, row: Any, said: str, least: int = 0) -> None:
    """A try was in vain. ``least``: seconds before the next that the receiver asked for."""
    tries, now = row["attempts"], ports.now()
    if tries < len(PAUSES):
        _settle(ports, listener, row, failing=True, attempts=tries + 1, due=_later(now, max(PAUSES[tries], least)), said=said[:200])
        return
    log.warning("%s: listener %s was not told of a turn: %s", listener.game, listener.id, said[:150])
    if listener.failing and datetime.fromisoformat(now) - datetime.fromisoformat(listener.failing) >= GIVEN_UP:
        _ended(ports, listener, row, said)
    else:
        _settle(ports, listener, row, failing=True, status="failed", said=said[:200])


def _ended(ports: Ports, listener: Listener, row: Any, said: str) -> None:
    """Tell a listener nothing more, and whose it is that it is so."""
    log.warning("%s: listener %s ends: %s", listener.game, listener.id, said[:150])
    tell = _to_whose_it_was(ports, listener, said[:150].rstrip("."))
    with writing(ports.journal.engine) as connection:
        connection.execute(update(notices).where(notices.c.id == row["id"]).values(status="failed", said=said[:200]))
        _drop(connection, listener.id, "the listener is closed")
        which = (listening.c.id == listener.id, listening.c.status == "open")
        if connection.execute(update(listening).where(*which).values(status="closed")).rowcount == 1:
            tell(connection)


def _to_whose_it_was(ports: Ports, listener: Listener, said: str) -> Write:
    """What tells a player by mail, or, of a channel, the game master, that a listener has ended, and how to have it again."""
    host = calling.target_of(listener.url).host
    if listener.side != SPECTATOR:
        told = telling.said("listener-ended", game=listener.game, n=listener.id, host=host, since=listener.failing, why=said)
        return telling.to_anybody(listener.address, f"listener/{listener.id}/ended", ports.now(), telling.part(told))
    since = f": it has taken nothing since {listener.failing[:16].replace('T', ' ')} UTC" if listener.failing else ""
    words = (
        f"Listener {listener.id} of {listener.game} (a channel at {host}) is told nothing more{since}. The last call: {said}. "
        f"Once it works, add it again: hexpost listeners {listener.game} --form {listener.form} --add URL"
    )
    about = f"listener {listener.id} ended"
    return entering(ports.config, Alert("operator", about, ports.now(), None, {"part": "notices", "said": words}))


def _settle(ports: Ports, listener: Listener, row: Any, *, failing: bool, **values: Any) -> None:
    """Note what a try has led to. ``failing``: whether it was in vain."""
    since = (listener.failing or ports.now()) if failing else None
    with writing(ports.journal.engine) as connection:
        connection.execute(update(notices).where(notices.c.id == row["id"]).values(values))
        if since != listener.failing:
            connection.execute(update(listening).where(listening.c.id == listener.id).values(failing=since))


def _drop(connection: Connection, listener: int, said: str) -> None:
    """None of what waits for a listener is sent any more."""
    waiting = (notices.c.listener == listener, notices.c.status == "waiting")
    connection.execute(update(notices).where(*waiting).values(status="failed", said=said))


def url_of(listener: Listener) -> str:
    """Where a listener is told. Discord says what channel it was only if one waits for the message."""
    return listener.url + ("&" if "?" in listener.url else "?") + "wait=true" if listener.form == "discord" else listener.url


def json_of(answer: Answer) -> dict[str, Json]:
    """The JSON object that an answer is; else an empty one."""
    try:
        found = decode(answer.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _later(now: str, seconds: int) -> str:
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat()


def _signed(listener: Listener, key: str, body: bytes, now: str) -> dict[str, str]:
    """The headers of Standard Webhooks; none for a chat, whose URL is the secret."""
    if listener.form != "standard":
        return {}
    stamp = str(int(datetime.fromisoformat(now).timestamp()))
    secret = base64.b64decode(listener.secret.removeprefix("whsec_"))
    signed = hmac.new(secret, b".".join((key.encode(), stamp.encode(), body)), hashlib.sha256).digest()
    return {"webhook-id": key, "webhook-timestamp": stamp, "webhook-signature": "v1," + base64.b64encode(signed).decode()}
