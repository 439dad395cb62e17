"""The pictures of a mail: drawn from what its addressee may see, and bounded together so that they fit a mail."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, UnidentifiedImageError

from worker.canonical import Json
from worker.ports import Ports, ServiceDown, ServiceFailed, ServiceRefused, ServiceShut, ServiceSlow
from worker.post.links import Large
from worker.store.outbox import Outbox
from worker.store.records import Game, Outgoing, viewer

log = logging.getLogger("hexpost.pictures")
WITH_NEWS = ("start", "receipt", "turn")
PATIENCE = 10
"""A render service that is away is tried that many times as often as one that fails or hangs: it may be on its way back."""
PHONE = 1200
"""Longer side of all pictures but the whole map, in pixels: sharp on a phone."""
MOVING = 800
"""The same of an animation."""
SMALLEST = 400  # nothing smaller is drawn
BACKLOG = 20
"""So many mails that wait in all games together are a backlog."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it goes out. ``kind``: map, front, plan, before-after or animation; ``size``: width and height in pixels."""

    kind: str
    name: str
    mime: str
    size: tuple[int, int]
    data: bytes

    def described(self) -> Json:
        """What the wording of a mail must know of it."""
        return {"name": self.name, "kind": self.kind, "width": self.size[0], "height": self.size[1]}

    def enclosed(self) -> Json:
        """What goes into the mail."""
        return {"name": self.name, "kind": self.kind, "mime": self.mime, "data": base64.b64encode(self.data).decode()}


@dataclass(frozen=True, slots=True)
class Wish:
    """A picture that a mail is to bring: what draws it, and from what."""

    kind: str
    draw: Callable[[Json], bytes]
    body: Json


def wanted(ports: Ports, outbox: Outbox, game: Game, waiting: Outgoing, seen: Json) -> list[Wish]:
    """What the mail is to show, what matters most first. ``seen``: the view of its side, with the events that it tells."""
    if not ports.config.pictures:
        return []
    theme = ports.journal.theme(game.id, str(waiting.side)) or ports.config.theme
    base = {"scenario": game.scenario, "view": seen, "theme": theme}
    wishes = []
    if waiting.data["kind"] in WITH_NEWS and waiting.data["facts"].get("news"):
        wishes += _of_news(ports, game, waiting, base)
    elif "map" in waiting.data["facts"].get("shows", []):
        wishes += _whole(ports, base)
    plan = _plan(ports, game, waiting, seen)
    if plan is not None and not _queue_waits(ports, outbox, waiting):
        wishes.insert(2, Wish("plan", ports.render.map, base | plan | {"crop": "front", "plan": True, "scale": _phone(ports)}))
    return wishes


def _of_news(ports: Ports, game: Game, waiting: Outgoing, base: Json) -> list[Wish]:
    """The whole map and the day's front; where something has changed on the board, before and after, and the animation."""
    found = _whole(ports, base)
    after, at = waiting.data["after"], waiting.data["at"]
    if not 0 <= after < at:
        return found
    before = ports.rules.view(ports.journal.state(game.id, after)[0], viewer(waiting.side))
    if board_of(before) == board_of(base["view"]):
        return found
    found.append(Wish("before-after", ports.render.compare, base | {"before": before, "scale": _phone(ports)}))
    if ports.config.animation != "off":
        moving = {"before": before, "format": ports.config.animation, "crop": "front", "scale": min(MOVING, ports.config.scale)}
        found.append(Wish("animation", ports.render.animate, base | moving))
    return found


def _whole(ports: Ports, base: Json) -> list[Wish]:
    return [
        Wish("map", ports.render.map, base | {"scale": ports.config.scale}),
        Wish("front", ports.render.map, base | {"crop": "front", "scale": _phone(ports)}),
    ]


def _phone(ports: Ports) -> int:
    return min(PHONE, ports.config.scale)


def board_of(view: Json) -> Json:
    """What of a view a small picture of the board can show."""
    own = view.get("own") or {}
    counters = [[one.get(key) for key in ("side", "alias", "id", "place", "num")] for one in view.get("counters", [])]
    return [counters, own.get("control")]


# The planned moves


def _plan(ports: Ports, game: Game, waiting: Outgoing, seen: Json) -> Json | None:
    """What a picture of the planned moves is drawn from: a try's or a draft's, as far as the rules can tell them, and the lines beyond;
    or the lines that were kept. None where nothing is planned that a map could show.
    """
    packet = ports.journal.packet(waiting.data["facts"].get("packet") or "")
    if packet is None or waiting.data["kind"] != "receipt":
        return None
    status = waiting.data["facts"]["status"]
    if status in ("checked", "held"):
        state, _ = ports.journal.state(game.id, waiting.data["at"])
        orders = (packet.packet or {}).get("orders", [])
        plan = {"view": ports.rules.view(state, packet.side, packet.events), "orders": untried(orders, packet.events)}
    elif status == "done" and seen.get("tail"):
        plan = {"view": {**seen, "events": []}, "orders": seen["tail"]}
    else:
        return None
    moving = [one for one in plan["view"]["events"] if one["kind"] in ("moved", "battle")]
    return plan if moving or any({"path", "to", "hex"} & set(one.get("args", {})) for one in plan["orders"]) else None


def untried(orders: list[Json], events: list[Json]) -> list[Json]:
    """Those of the orders that a try (its ``events``) did not carry out: what lies behind a die, and the attack that throws it."""
    lines = {line for one in events if one["kind"] == "checked_to" for line in one["data"]["lines"]}
    beyond = [one for one in orders if one.get("line") in lines]
    tried = [one for one in orders if one.get("line") not in lines]
    return [*(one for one in tried[-1:] if "hex" in one.get("args", {})), *beyond]


def _queue_waits(ports: Ports, outbox: Outbox, waiting: Outgoing) -> bool:
    """Whether there is more urgent work than a picture of what may come: more mails of this game, or many of all games."""
    of_game, of_all = ports.journal.waiting(waiting.game)
    return of_game > 0 or of_all >= BACKLOG or outbox.newer(waiting)


# Drawing


def drawn(ports: Ports, outbox: Outbox, waiting: Outgoing, wishes: Iterable[Wish], large: list[Large] | None = None) -> list[Picture]:
    """The pictures that could be drawn and have room in the mail together.

    Raises ServiceDown where one is to be tried again; one that has failed too often is left out. ``large``: is given those without room,
    as they were drawn first.
    """
    large = [] if large is None else large
    left, found = ports.config.pictures, []
    for wish in wishes:
        try:
            picture = _picture(wish, left, _name(waiting, wish.kind), large)
        except (ServiceDown, ServiceFailed, ServiceRefused) as error:
            try_again_or_leave_out(ports, outbox, waiting, wish.kind, error)
            if wish.kind == "map" or isinstance(error, ServiceDown):
                break
            continue
        if picture is None:
            log.info("mail %s of %s has no room for its %s", waiting.key, waiting.game, wish.kind)
            continue
        found.append(picture)
        left -= len(picture.data)
    return found


def _picture(wish: Wish, left: int, name: str, large: list[Large]) -> Picture | None:
    """A picture of at most ``left`` bytes; None where it has more. The whole map is drawn smaller until it fits."""
    body = wish.body | ({"limit": max(left, 1)} if wish.kind == "animation" else {})
    data = wish.draw(body)
    if len(data) > left:
        whole = read_picture(wish.kind, name, data)
        large.append(Large(whole.kind, whole.name, whole.mime, whole.data))
    while wish.kind == "map" and len(data) > left and body["scale"] > SMALLEST:
        body = body | {"scale": max(SMALLEST, body["scale"] * 3 // 4)}
        data = wish.draw(body)
    return None if len(data) > left else read_picture(wish.kind, name, data)


def read_picture(kind: str, name: str, data: bytes) -> Picture:
    """A picture as the render service sent it; ``name``: of its file, without ending. ServiceFailed if it is none."""
    try:
        with Image.open(BytesIO(data), formats=("PNG", "WEBP", "GIF")) as image:
            form, size = str(image.format), image.size
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise ServiceFailed(f"What the render service sent as {kind} is no picture ({type(error).__name__}).") from None
    return Picture(kind, f"{name}.{form.lower()}", f"image/{form.lower()}", size, data)


def _name(waiting: Outgoing, kind: str) -> str:
    """The name of a picture's file: game, game-turn, side and what it shows."""
    return f"{waiting.game}-t{waiting.data['turn']:02d}-{waiting.side}-{kind}"


def try_again_or_leave_out(ports: Ports, outbox: Outbox, waiting: Outgoing, kind: str, error: Exception) -> None:
    """Raises ServiceDown while there are attempts left, and always where the service does not let this worker in."""
    if isinstance(error, ServiceShut):
        raise error
    away = isinstance(error, ServiceDown) and not isinstance(error, ServiceSlow)
    most = ports.config.attempts * (PATIENCE if away else 1)
    if outbox.failed_attempt(waiting.id) < most:
        raise ServiceDown(f"No {kind} for mail {waiting.key} of {waiting.game}: {error}") from error
    log.warning("mail %s of %s leaves without its %s: %s", waiting.key, waiting.game, kind, error)
