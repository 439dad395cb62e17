"""The answers to interactions, by the webhook that each brings for a quarter of an hour: in parts, with the map, within the rate limits.

What an answer says is made once and kept, so that it is the same at each try. Whatever cannot be told there in time is mailed.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from sqlalchemy import Engine, select, update

from worker.bots import calling
from worker.bots.calling import Answer, Forbidden, NoAnswer
from worker.canonical import Json, canonical, decode
from worker.commands.frame import Refused, Said
from worker.discord import limits, standing, words
from worker.discord.interactions import QUESTIONS, Given, Seat, answer_of, entered_for, seat_of
from worker.discord.posts import MAP, MOST_PICTURE, agent, form
from worker.play.vassal import without_events
from worker.ports import Ports, ServiceDown, ServiceFailed, ServiceRefused
from worker.post import replies
from worker.post.links import Large, publish
from worker.queues import GameQueues, LeaseLost
from worker.store.bottables import interactions
from worker.store.database import is_away, reading, writing
from worker.store.records import Outgoing

Send = Callable[[str, str, bytes, Mapping[str, str]], Answer]
"""Method, URL, body, headers -> the answer. Raises calling.Forbidden and calling.NoAnswer."""
BASE = "https://discord.com/api/v10/webhooks"
LIFE = timedelta(minutes=14)
"""How long the token of an interaction is good: a quarter of an hour, less what a call may take."""
MOST_PARTS = 5
LONGEST = 20.0
"""Seconds after which a task begins with no other interaction."""
EPHEMERAL = 64
_SAFE = re.compile(r"[A-Za-z0-9._-]{1,500}\Z")
log = logging.getLogger("hexpost.discord")


def send(method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """``Send`` over the net."""
    return calling.post(url, body, headers, method=method)


def answer(ports: Ports, queues: GameQueues, call: Send = send) -> None:
    """Answer the interactions that can be answered now. Returns at once where another worker does."""
    if not waiting(ports.journal.engine, ports.now()):
        return
    with queues.lease("discord") as lease:
        if lease is None:
            return
        try:
            ends = monotonic() + LONGEST
            for row in waiting(ports.journal.engine, ports.now()):
                if monotonic() > ends:  # the rest is another task's: none may take longer than a minute
                    return
                lease.renew()
                if not _answered(ports, row, call):
                    return
        except LeaseLost:
            return


def waiting(engine: Engine, now: str) -> list[Any]:
    """The interactions that may be answered now, oldest first."""
    query = select(interactions).where(interactions.c.status == "waiting", interactions.c.due <= now)
    with reading(engine) as connection:
        return list(connection.execute(query.order_by(interactions.c.at, interactions.c.id)).mappings())


def _answered(ports: Ports, row: Any, call: Send) -> bool:
    """One step: make the answer, or send the next part of it. False: Discord wants no more calls for now."""
    engine, body = ports.journal.engine, dict(row["body"])
    given = Given.of(body["interaction"])
    if datetime.fromisoformat(ports.now()) > datetime.fromisoformat(row["at"]) + LIFE:
        _lapsed(ports, given, row)
        return True
    try:
        if "parts" not in body:
            made = _made(ports, given, row, body)
            if made is None:
                return True  # its orders wait their turn
            body |= made
            _keep(engine, row["id"], body=body)
        return _sent(ports, row["id"], body, call)
    except (ServiceDown, ServiceFailed, ServiceRefused, NoAnswer) as error:
        log.warning("interaction %s is not answered yet: %s", row["id"], error)
        _keep(engine, row["id"], attempts=row["attempts"] + 1, due=_later(ports.now(), 2 ** min(row["attempts"] + 1, 7)))
    except Forbidden as error:
        log.warning("interaction %s cannot be answered: %s", row["id"], error)
        _lapsed(ports, given, row)
    except LeaseLost:
        raise
    except Exception as error:  # ours; nobody else's answer waits for it
        if is_away(error):
            raise
        log.exception("interaction %s cannot be answered", row["id"])
        _lapsed(ports, given, row)
    return True


def _made(ports: Ports, given: Given, row: Any, body: Json) -> Json | None:
    """The parts of an answer, its map, and what stands below the last part. None while there is none."""
    none: Json = {"map": "", "sent": 0, "below": []}
    if body.get("said"):
        return none | {"parts": words.say(ports.mail, "", Said(**body["said"]))}
    try:
        seat = entered_for(ports, given, body["seat"]) if body.get("seat") else seat_of(ports, given)
        if given.name == "standing" and row["message"] is None:
            parts, below = standing.shown(ports, seat.game, seat.writer)
            return none | {"parts": _few(ports, parts), "below": below}
        reply = answer_of(ports, given, row["message"], seat)
    except Refused as refusal:
        return none | {"parts": words.say(ports.mail, "", refusal.said)}
    if reply is None:
        return None
    picture, note = _map(ports, given, seat) if given.name == "map" else ("", None)
    said = words.say(ports.mail, "", note) if note else []
    # What stands in columns, and what a player has written, is shown as it is.
    parts = list(limits.fenced(reply.text.strip()))
    parts = parts or words.say(ports.mail, "", Said("status", {"game": seat.game.id, "status": reply.status}))
    return none | {"parts": _few(ports, [*said, *parts]), "map": picture}


def _few(ports: Ports, parts: list[str]) -> list[str]:
    """The parts, or the first of them and a word that there are more."""
    return parts if len(parts) <= MOST_PARTS else [*parts[: MOST_PARTS - 1], *words.say(ports.mail, "", Said("rest-by-mail"))]


def _map(ports: Ports, given: Given, seat: Seat) -> tuple[str, Said | None]:
    """The artifact that is the side's map, or a note with a link where that is too large; what cannot be drawn is told by a note."""
    game, writer = seat.game, seat.writer
    seen = ports.rules.view(ports.journal.state(game.id, game.version)[0], writer.side)
    theme = ports.journal.theme(game.id, writer.side) or ports.config.theme
    try:
        data = ports.render.map({"scenario": game.scenario, "view": without_events(seen), "theme": theme, "scale": ports.config.scale})
    except (ServiceDown, ServiceFailed, ServiceRefused) as error:
        log.warning("the map for interaction %s cannot be drawn: %s", given.id, error)
        return "", Said("no-map")
    if len(data) <= MOST_PICTURE:
        return ports.artifacts.put("map", data), None
    if not ports.config.link_base:
        return "", Said("map-too-large")
    waiting = Outgoing(0, game.id, f"discord/{given.id}", {"date": ports.now(), "to": writer.address}, 0, writer.side, None, None, 0)
    return "", Said("map-at", {"url": publish(ports, game, waiting, [Large("map", MAP, "image/png", data)])["links"][0]["url"]})


def _sent(ports: Ports, key: str, body: Json, call: Send) -> bool:
    """Send the parts that are left. False: Discord asks to wait, or would at the next call."""
    engine = ports.journal.engine
    where = f"{BASE}/{body['application']}/{body['token']}"
    if not (_SAFE.match(body["application"]) and _SAFE.match(body["token"])):
        raise Forbidden("the interaction names no webhook")
    empty = False
    for n in range(body["sent"], len(body["parts"])):
        message = {"content": body["parts"][n], "allowed_mentions": {"parse": []}} | ({"flags": EPHEMERAL} if n else {})
        if body.get("below") and n + 1 == len(body["parts"]):
            message |= {"components": body["below"]}
        raw, headers = canonical(message), {"Content-Type": "application/json"}
        if n == 0 and body["map"]:
            raw, headers = form(message, MAP, ports.artifacts.get(body["map"]))
        headers |= agent(ports.config)
        # The first part takes the place of the answer that was put off.
        answer = call("POST", where, raw, headers) if n else call("PATCH", f"{where}/messages/@original", raw, headers)
        if answer.status == 429:
            _keep(engine, key, due=_later(ports.now(), _seconds(answer)))
            return False
        if 400 <= answer.status < 500 and answer.status != 408:  # its token is good no more, or what we send is at fault: no try mends that
            raise Forbidden(f"Discord answered HTTP {answer.status}")
        if not 200 <= answer.status < 300:
            raise NoAnswer(f"Discord answered HTTP {answer.status}.")
        body["sent"] = n + 1
        _keep(engine, key, body=body)
        empty = answer.headers.get("x-ratelimit-remaining") == "0"  # of the bucket: the next call would be refused
        if empty and n + 1 < len(body["parts"]):
            _keep(engine, key, due=_later(ports.now(), _number(answer.headers.get("x-ratelimit-reset-after"))))
            return False
    _keep(engine, key, status="done", body={"interaction": {"id": key}})
    return not empty


def _lapsed(ports: Ports, given: Given, row: Any) -> None:
    """Nothing can be told there any more. Orders are answered by mail anyhow, and so is a link; the answer to a question is mailed now."""
    _keep(ports.journal.engine, row["id"], status="lapsed", body={"interaction": {"id": row["id"]}})
    asked = f"CHECK\n{given.text or ''}" if given.name == "check" else QUESTIONS.get(given.name)
    if row["message"] is not None or row["body"].get("said") or asked is None:
        return
    try:
        seat = seat_of(ports, given)
    except Refused:
        return
    place = f"discord:{row['id']}/late"
    replies.enter(ports, seat.game, replies.as_mail(ports, seat.game, seat.writer, asked, place), place)


def _seconds(answer: Answer) -> int:
    try:
        return _number(decode(answer.body).get("retry_after"))
    except (ValueError, AttributeError):
        return _number(answer.headers.get("retry-after"))


def _number(found: Any) -> int:
    """Whole seconds, a little more than asked."""
    try:
        return int(min(max(float(found), 0.0), 600.0)) + 1
    except (TypeError, ValueError, OverflowError):
        return 5


def _keep(engine: Engine, key: str, **values: Any) -> None:
    with writing(engine) as connection:
        connection.execute(update(interactions).where(interactions.c.id == key).values(values))


def _later(now: str, seconds: int) -> str:
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat()
