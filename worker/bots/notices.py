"""Entering what listeners are told: of what has happened in a game, what concerns each, once; worker/bots/sending.py sends it.

What is told is made from the view of the listener's side, as the mails are. Killed anywhere, it is entered once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sqlalchemy import Engine, func, insert, select, update

from worker.bots import calling, listeners
from worker.bots.calling import Forbidden, NoAnswer
from worker.bots.listeners import Listener
from worker.bots.noticeforms import FORMS, Told
from worker.bots.sending import Post as Post
from worker.bots.sending import json_of, url_of
from worker.canonical import Json, canonical
from worker.config import Config
from worker.discord.posts import agent
from worker.play import news
from worker.ports import Ports
from worker.post.deliver import report_of
from worker.queues import GameQueues
from worker.store.bottables import listeners as listening
from worker.store.bottables import notices
from worker.store.database import reading, writing
from worker.store.records import SPECTATOR, Game, Outgoing, viewer
from worker.store.tables import games, moved
from worker.waiting import halts


def behind(engine: Engine) -> list[str]:
    """The games of which a listener has not been told all that concerns it."""
    query = select(listening.c.game).join(games, games.c.id == listening.c.game).outerjoin(moved, moved.c.game == listening.c.game)
    query = query.where(listening.c.status == "open", listening.c.version < games.c.version, moved.c.game.is_(None))
    with reading(engine) as connection:
        return sorted(set(connection.execute(query).scalars()))


def enter(ports: Ports, queues: GameQueues, key: str) -> bool:
    """Enter a notice for each listener whom what has happened since it was looked at concerns. False where another process is at it."""
    with queues.lease(f"tell:{key}") as lease:
        if lease is None:
            return False
        game = ports.journal.game(key)
        assert game is not None

        @cache
        def seen(side: str, version: int) -> Json:
            return ports.rules.view(ports.journal.state(key, version)[0], viewer(side))

        found = [one for one in listeners.of_game(ports.journal.engine, key) if one.version < game.version]
        for one in sorted(found, key=lambda one: one.form == "discord"):  # a map takes its while
            may = listeners.may_be_told(ports.journal, one)
            told = _told(ports, game, one, seen(one.side, game.version)) if may and _concerns(one, game, seen) else None
            _entered(ports, game, one, None if told is None else FORMS[one.form](ports, told))
    return True


def _concerns(listener: Listener, game: Game, seen: Callable[[str, int], Json]) -> bool:
    side = listener.side
    return bool(news.sides_to_tell("", {side: seen(side, listener.version)}, {side: seen(side, game.version)}))


def _entered(ports: Ports, game: Game, listener: Listener, body: Json) -> None:
    """Note that a listener was looked at, and what it is told; ``body``: None: nothing."""
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


def greet(config: Config, engine: Engine, listener: Listener, post: Post = calling.post) -> bool:
    """Say in a channel of Discord's that a game is told of there, which shows what channel it is. False: the game is told of there already,
    and this listener is closed. Raises Forbidden and NoAnswer; the listener is closed then, too.
    """
    body = canonical({"content": f"Game {listener.game} is told of here from now on.", "allowed_mentions": {"parse": []}})
    try:
        answer = post(url_of(listener), body, {"Content-Type": "application/json"} | agent(config))
        channel = json_of(answer).get("channel_id")
        if not (200 <= answer.status < 300 and isinstance(channel, str)):
            raise NoAnswer(f"Discord answered HTTP {answer.status}, and named no channel.")
    except (Forbidden, NoAnswer):
        listeners.close(engine, listener.game, listener.id)
        raise
    return listeners.settle_channel(engine, listener, channel)
