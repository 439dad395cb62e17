"""Telling listeners of turns: what concerns one is entered once, signed anew at each try, and tried again with longer and longer pauses.

What is told is made from the view of the listener's side, as the mails are. Killed anywhere, a notice is sent again under the same id.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, func, insert, select, update

from worker.bots import calling, listeners
from worker.bots.calling import Answer, Forbidden, NoAnswer
from worker.bots.listeners import Listener
from worker.bots.noticeforms import FORMS, Told
from worker.canonical import Json, canonical, decode
from worker.hosting.alerts import teller
from worker.play import news
from worker.ports import Ports
from worker.post.deliver import report_of
from worker.queues import GameQueues, LeaseLost
from worker.store.bottables import listeners as listening
from worker.store.bottables import notices
from worker.store.database import reading, writing
from worker.store.records import SPECTATOR, Game, Outgoing, viewer
from worker.store.tables import games
from worker.waiting import halts

Post = Callable[[str, bytes, Mapping[str, str]], Answer]
"""URL, body and headers -> the answer. Raises calling.Forbidden and calling.NoAnswer."""
PAUSES = (5, 60, 300, 1800, 7200, 18_000, 36_000, 36_000)
"""Seconds before each new try; after the last a notice has failed."""
LONGEST_WAIT = 3600
PER_ROUND = 2
"""Calls in one task: each may take a quarter of a minute."""
log = logging.getLogger("hexpost.notices")


def waiting_games(engine: Engine, now: str) -> list[str]:
    """The games that have something to tell a listener now."""
    due = select(notices.c.game).where(notices.c.status == "waiting", notices.c.due <= now)
    behind = select(listening.c.game).join(games, games.c.id == listening.c.game)
    behind = behind.where(listening.c.status == "open", listening.c.version < games.c.version)
    with reading(engine) as connection:
        return sorted({*connection.execute(due).scalars(), *connection.execute(behind).scalars()})


def tell(ports: Ports, queues: GameQueues, game: str, post: Post = calling.post) -> None:
    """Enter what concerns the listeners of a game, and send what is due. Returns at once where another worker does."""
    if not listeners.of_game(ports.journal.engine, game) or ports.journal.moved_to(game) is not None:
        return
    with queues.lease(f"tell:{game}") as lease:
        if lease is None:
            return
        try:
            enter(ports, game)
            for _ in range(PER_ROUND):
                lease.renew()
                if not send_next(ports, game, post):
                    return
        except LeaseLost:
            return


# What is told


def enter(ports: Ports, key: str) -> None:
    """Enter a notice for each listener whom what has happened since it was looked at concerns."""
    game = ports.journal.game(key)
    assert game is not None
    for one in listeners.live(ports.journal, key):
        if one.version < game.version:
            _entered(ports, game, one)


def _entered(ports: Ports, game: Game, listener: Listener) -> None:
    seen_as = viewer(listener.side)
    before = ports.rules.view(ports.journal.state(game.id, listener.version)[0], seen_as)
    after = ports.rules.view(ports.journal.state(game.id, game.version)[0], seen_as)
    concerns = news.sides_to_tell("", {listener.side: before}, {listener.side: after})
    told = _told(ports, game, listener, after) if concerns else None
    body = None if told is None else FORMS[listener.form](ports, told)
    with writing(ports.journal.engine) as connection:
        mine = (listening.c.id == listener.id, listening.c.version == listener.version)
        if connection.execute(update(listening).where(*mine).values(version=game.version)).rowcount != 1 or body is None:
            return
        # Numbered by what the listener itself was told: the game's own numbers would tell how much the other side has sent.
        n = int(connection.scalar(select(func.count()).where(notices.c.listener == listener.id)) or 0) + 1
        row = {"listener": listener.id, "game": game.id, "key": f"{game.id}.{listener.id}.{n}", "body": canonical(body).decode()}
        connection.execute(insert(notices).values(row | {"status": "waiting", "attempts": 0, "due": ports.now(), "said": ""}))


def _told(ports: Ports, game: Game, listener: Listener, after: Json) -> Told:
    """What the words and figures of a notice are made from."""
    facts = {"news": True}
    data: Json = {"kind": "turn", "to": "", "date": ports.now(), "facts": facts, "subject": "", "turn": game.turn, "token": ""}
    data |= {"after": listener.version, "at": game.version, "in_reply_to": None, "references": []}
    report = ports.mail.report(report_of(ports, game, Outgoing(0, game.id, "", data, game.version, listener.side, None, None, 0)))
    due = ports.journal.deadlines(game.id)
    halted = halts.current(ports.journal.engine, game.id) is not None
    until = sorted(one.due for side, one in due.items() if listener.side in (side, SPECTATOR))
    return Told(
        game=game,
        side=listener.side,
        view=after,
        subject=report["subject"],
        summary=tuple(report.get("summary", [])),
        deadline=until[0] if until and not halted and not after.get("over") else None,
        at=ports.now(),
    )


# Sending


def send_next(ports: Ports, game: str, post: Post) -> bool:
    """Try the oldest notice of a listener that is due; whether there was one. No later one of the same listener leaves before it."""
    engine, now = ports.journal.engine, ports.now()
    first = select(func.min(notices.c.id)).where(notices.c.status == "waiting", notices.c.game == game).group_by(notices.c.listener)
    query = select(notices).where(notices.c.id.in_(first), notices.c.due <= now).order_by(notices.c.due, notices.c.id)
    with reading(engine) as connection:
        row = connection.execute(query.limit(1)).mappings().first()
    if row is None:
        return False
    listener = next((one for one in listeners.live(ports.journal, game) if one.id == row["listener"]), None)
    if listener is None:
        _settle(engine, row["id"], status="failed", said="the listener is closed")
        return True
    try:
        body, headers = FORMS[listener.form].request(ports, decode(row["body"]))
        headers |= _signed(listener, row["key"], body, now)
        answer = post(_url(listener), body, headers)
    except Forbidden as error:
        _failed(ports, listener, row, str(error), close=True)
        return True
    except NoAnswer as error:
        _again(ports, listener, row, str(error))
        return True
    _answered(ports, listener, row, answer)
    return True


def _answered(ports: Ports, listener: Listener, row: Any, answer: Answer) -> None:
    engine = ports.journal.engine
    if 200 <= answer.status < 300:
        _settle(engine, row["id"], status="sent", said="")
        channel = _json(answer).get("channel_id") if listener.form == "discord" else None
        if isinstance(channel, str) and not listeners.settle_channel(engine, listener, channel):
            log.warning("%s: listener %s is closed, as another tells the same channel", listener.game, listener.id)
    elif answer.status in (404, 410):  # it is gone, and says so
        _failed(ports, listener, row, f"HTTP {answer.status}", close=True)
    elif answer.status == 429:
        asked = _json(answer).get("retry_after")
        wait = float(asked) if isinstance(asked, int | float) and not isinstance(asked, bool) else 60.0
        until = _later(ports.now(), int(min(max(wait, 0.0), LONGEST_WAIT)) + 1)
        _settle(engine, row["id"], due=until, said="HTTP 429")  # asked to wait: that is no failure
    else:
        _again(ports, listener, row, f"HTTP {answer.status}")


def _again(ports: Ports, listener: Listener, row: Any, said: str) -> None:
    if row["attempts"] >= len(PAUSES):
        _failed(ports, listener, row, said, close=False)
        return
    due = _later(ports.now(), PAUSES[row["attempts"]])
    _settle(ports.journal.engine, row["id"], attempts=row["attempts"] + 1, due=due, said=said[:200])


def _failed(ports: Ports, listener: Listener, row: Any, said: str, *, close: bool) -> None:
    _settle(ports.journal.engine, row["id"], status="failed", said=said[:200])
    if close:
        listeners.close(ports.journal.engine, listener.game, listener.id)
    tell_operator = teller(ports.journal.engine, ports.config, ports.now)
    whose = listener.address or "a channel"
    end = " It is told nothing more." if close else ""
    tell_operator("notices", f"Listener {listener.id} of {listener.game} ({whose}) was not told of a turn: {said[:150]}.{end}")


def greet(engine: Engine, listener: Listener, post: Post = calling.post) -> bool:
    """Say in a channel of Discord's that a game is told of there, which shows what channel it is. False: the game is told of there already,
    and this listener is closed. Raises Forbidden and NoAnswer; the listener is closed then, too.
    """
    body = canonical({"content": f"Game {listener.game} is told of here from now on.", "allowed_mentions": {"parse": []}})
    try:
        answer = post(_url(listener), body, {"Content-Type": "application/json"})
        channel = _json(answer).get("channel_id")
        if not (200 <= answer.status < 300 and isinstance(channel, str)):
            raise NoAnswer(f"Discord answered HTTP {answer.status}, and named no channel.")
    except (Forbidden, NoAnswer):
        listeners.close(engine, listener.game, listener.id)
        raise
    return listeners.settle_channel(engine, listener, channel)


def _url(listener: Listener) -> str:
    """Where a listener is told. Discord says what channel it was only if one waits for the message."""
    return listener.url + ("&" if "?" in listener.url else "?") + "wait=true" if listener.form == "discord" else listener.url


def _settle(engine: Engine, key: int, **values: Any) -> None:
    with writing(engine) as connection:
        connection.execute(update(notices).where(notices.c.id == key).values(values))


def _later(now: str, seconds: int) -> str:
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat()


def _json(answer: Answer) -> dict[str, Json]:
    try:
        found = decode(answer.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _signed(listener: Listener, key: str, body: bytes, now: str) -> dict[str, str]:
    """The headers of Standard Webhooks; none for a chat, whose URL is the secret."""
    if listener.form != "standard":
        return {}
    stamp = str(int(datetime.fromisoformat(now).timestamp()))
    secret = base64.b64decode(listener.secret.removeprefix("whsec_"))
    signed = hmac.new(secret, b".".join((key.encode(), stamp.encode(), body)), hashlib.sha256).digest()
    return {"webhook-id": key, "webhook-timestamp": stamp, "webhook-signature": "v1," + base64.b64encode(signed).decode()}
