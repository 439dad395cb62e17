"""How a notice is written: as an event for programs, and as the incoming webhooks of Slack, of Matrix (hookshot) and of Discord take it."""

from __future__ import annotations

import html
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from worker.canonical import Json, canonical
from worker.discord import posts
from worker.ports import Ports
from worker.store.records import SPECTATOR, Game

log = logging.getLogger("hexpost.notices")
TYPES = ("turn.awaited", "turn.moved", "game.over")
"""The kinds of events: the side must order now; something concerns it; the game has ended."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a notice is made from: the ``view`` of ``side``, subject and summary of its report, the next ``deadline`` (UTC), and when."""

    game: Game
    side: str
    view: Json
    subject: str
    summary: tuple[str, ...]
    deadline: str | None
    at: str

    @property
    def type(self) -> str:
        """Of ``TYPES``."""
        if self.view.get("over"):
            return "game.over"
        return "turn.awaited" if self.side in self.view.get("waiting_for", []) else "turn.moved"


@dataclass(frozen=True, slots=True)
class Form:
    """``write``: what is kept of a notice until it is taken; ``request``: the body and headers of a call, made of that at each try."""

    write: Callable[[Ports, Told], Json]
    request: Callable[[Ports, Json], tuple[bytes, dict[str, str]]]

    def __call__(self, ports: Ports, told: Told) -> Json:
        return self.write(ports, told)


def event(_ports: Ports, told: Told) -> Json:
    """An event for a program; its schema is docs/turn-event.schema.json."""
    view = told.view
    data = {
        "game": told.game.id,
        "scenario": told.game.scenario,
        "side": told.side,
        "turn": told.game.turn,
        "waiting_for": list(view.get("waiting_for", [])),
        "awaited": told.type == "turn.awaited",
        "over": view.get("over"),
        "deadline": told.deadline,
        "subject": told.subject,
        "summary": list(told.summary),
    }
    return {"type": told.type, "timestamp": told.at, "data": data}


def slack(_ports: Ports, told: Told) -> Json:
    """A message of Slack's incoming webhooks: its three signs are escaped, so that nothing said is a mention or a link."""

    def plain(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    lines = [f"*{plain(heading(told))}*", *(plain(one) for one in told.summary)]
    return {"text": plain(heading(told)), "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "\n".join(lines)[:3000]}}]}


def matrix(_ports: Ports, told: Told) -> Json:
    """A message of a generic webhook of matrix-hookshot."""
    lines = [heading(told), *told.summary]
    marked = f"<strong>{html.escape(lines[0])}</strong>" + "".join(f"<br>{html.escape(one)}" for one in lines[1:])
    return {"text": "\n".join(lines)[:8000], "html": marked[:16_000], "username": "hexpost"}


def heading(told: Told) -> str:
    """The first line of a message in a chat."""
    return f"{told.game.id}: {told.subject}"


def discord(ports: Ports, told: Told) -> Json:
    """A post in a channel of Discord's, with the map of what all may know."""
    game, view = told.game, told.view
    body = posts.post(ports, game, view, heading(told), told.summary, told.deadline)
    return body | ({"map": posts.drawn(ports, game, view)} if told.side == SPECTATOR else {})


def as_json(_ports: Ports, body: Json) -> tuple[bytes, dict[str, str]]:
    """A notice as the JSON that it is."""
    return canonical(body), {"Content-Type": "application/json"}


FORMS: Mapping[str, Form] = {
    "standard": Form(event, as_json),
    "slack": Form(slack, as_json),
    "matrix": Form(matrix, as_json),
    "discord": Form(discord, posts.request),
}
