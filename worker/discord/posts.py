"""What is posted in a channel by Discord's webhooks: a short report as an embed, the map, and who is awaited, mentioned where known."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from datetime import datetime
from importlib.metadata import version

from sqlalchemy import select

from worker.bots.programs import may_write
from worker.canonical import Json, canonical
from worker.commands.frame import Said
from worker.config import Config
from worker.discord import limits, words
from worker.play.pictures import PHONE
from worker.play.vassal import without_events
from worker.ports import Ports, ServiceDown, ServiceFailed, ServiceRefused
from worker.store.bottables import accounts
from worker.store.database import reading
from worker.store.records import Game

log = logging.getLogger("hexpost.discord")
PLACE = "discord"
MAP = "map.png"
MOST_PICTURE = 900_000
"""Bytes of a map that goes along: a call has no room for more."""
COLOUR = 0x8A6D3B


def mentions(ports: Ports, game: Game, sides: Iterable[str]) -> tuple[list[str], list[str]]:
    """Those who are awaited: the ids of the accounts linked to whoever plays these sides now, and the sides of which none is known."""
    with reading(ports.journal.engine) as connection:
        linked = connection.execute(select(accounts).where(accounts.c.place == PLACE, accounts.c.game == game.id).order_by(accounts.c.user))
        found = [row for row in linked.mappings() if may_write(ports.journal, game.id, row["side"], row["address"])]
    wanted = list(sides)
    users = [str(row["user"]) for side in wanted for row in found if row["side"] == side]
    return users, [side for side in wanted if all(row["side"] != side for row in found)]


def post(ports: Ports, game: Game, view: Json, heading: str, summary: Iterable[str], deadline: str | None) -> Json:
    """A message for a channel, within Discord's limits. Only whom it is about is pinged, whatever its words are."""
    users, unknown = mentions(ports, game, [] if view.get("over") else view.get("waiting_for", []))
    sides = (Said("side", {"side": one}) for one in unknown)
    due, *others = words.say(ports.mail, game.rules, Said("deadline"), *sides)
    named = [*(f"<@{one}>" for one in users), *(limits.plain(one) for one in others)]
    content = limits.cut(f"**{limits.plain(heading)}**" + (f" – {', '.join(named)}" if named else ""), limits.CONTENT)
    embed: Json = {"title": limits.cut(heading, limits.TITLE), "color": COLOUR}
    embed["description"] = limits.cut("\n".join(limits.plain(one) for one in summary), limits.DESCRIPTION)
    if deadline:
        moment = int(datetime.fromisoformat(deadline).timestamp())
        when = f"<t:{moment}:f> (<t:{moment}:R>)"  # each reader sees it in his own zone
        embed["fields"] = [{"name": limits.cut(due, limits.FIELD_NAME), "value": when}]
    return {"payload": {"content": content, "embeds": [embed], "allowed_mentions": {"parse": [], "users": users[:100]}}}


def drawn(ports: Ports, game: Game, view: Json) -> str:
    """The artifact that is the map of a view; empty where it cannot be drawn now, or is too large: the words leave without it."""
    body = {"scenario": game.scenario, "view": without_events(view), "theme": ports.config.theme, "scale": min(PHONE, ports.config.scale)}
    try:
        data = ports.render.map(body)
    except (ServiceDown, ServiceFailed, ServiceRefused) as error:
        log.warning("%s is posted without its map: %s", game.id, error)
        return ""
    return ports.artifacts.put("map", data) if len(data) <= MOST_PICTURE else ""


def request(ports: Ports, body: Json) -> tuple[bytes, dict[str, str]]:
    """The body and headers of a post: with its map a form of two parts."""
    try:
        data = ports.artifacts.get(body["map"]) if body.get("map") else b""
    except KeyError:  # cleared away
        data = b""
    if not data:
        return canonical(body["payload"]), {"Content-Type": "application/json"} | agent(ports.config)
    payload = body["payload"]
    first, *others = payload["embeds"]
    payload = payload | {"embeds": [first | {"image": {"url": f"attachment://{MAP}"}}, *others]}
    raw, headers = form(payload, MAP, data)
    return raw, headers | agent(ports.config)


def agent(config: Config) -> dict[str, str]:
    """How a caller names itself: Discord may refuse one that does not."""
    return {"User-Agent": f"DiscordBot (https://{config.server}, {version('hexpost')})"}


def form(payload: Json, name: str, data: bytes) -> tuple[bytes, dict[str, str]]:
    """A message with one picture, as a form."""
    described = canonical(payload | {"attachments": [{"id": 0, "filename": name}]})
    edge = "hexpost-" + hashlib.sha256(described + data).hexdigest()[:40]
    parts = (
        f'--{edge}\r\nContent-Disposition: form-data; name="payload_json"\r\nContent-Type: application/json\r\n\r\n'.encode() + described,
        f'\r\n--{edge}\r\nContent-Disposition: form-data; name="files[0]"; filename="{name}"\r\nContent-Type: image/png\r\n\r\n'.encode(),
        data,
        f"\r\n--{edge}--\r\n".encode(),
    )
    return b"".join(parts), {"Content-Type": f"multipart/form-data; boundary={edge}"}
