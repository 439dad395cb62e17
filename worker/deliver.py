"""Make the mails of the outbox, from the addressee's view alone, and send them. Run again, it makes the same mail and sends it once."""

from __future__ import annotations

import base64

from worker.canonical import Json, digest
from worker.outbox import Outbox
from worker.ports import Ports, ServiceFailed, ServiceRefused
from worker.records import Game, Outgoing

WITH_MAP = ("start", "receipt", "report")


def deliver_next(ports: Ports, outbox: Outbox, game: str) -> bool:
    """Make (if it is not made yet) and send the oldest mail of a game; whether there was one.

    Raises ServiceDown and OSError where it can be tried again; a mail that a service fails at ``attempts`` times is parked.
    """
    waiting = outbox.next(game)
    if waiting is None:
        return False
    try:
        sha, message_id = (waiting.raw, waiting.message_id) if waiting.raw and waiting.message_id else _make(ports, waiting)
    except (ServiceFailed, ServiceRefused):
        if outbox.failed_attempt(waiting.id) < ports.config.attempts:
            raise
        outbox.parked(waiting.id)
        raise
    if not waiting.raw:
        outbox.made(waiting.id, message_id, sha)
    ports.sender.send(ports.artifacts.get(sha), message_id, waiting.data["to"])
    outbox.sent(waiting.id)
    return True


def _make(ports: Ports, waiting: Outgoing) -> tuple[str, str]:
    game = ports.journal.game(waiting.game)
    message_id = waiting.message_id or f"<{digest(f'{waiting.game} {waiting.key}'.encode())[:40]}@{_domain(ports)}>"
    if game is None or waiting.side is None:
        report = ports.mail.report({"game": None, "kind": waiting.data["kind"]} | waiting.data["facts"])
        attachments = []
    else:
        facts = _facts(ports, game, waiting)
        report = ports.mail.report(facts)
        attachments = [_map(ports, game, waiting, facts["view"])] if _shows_map(waiting) else []
    raw = base64.b64decode(ports.mail.compose(_envelope(ports, waiting, message_id, report, attachments))["raw"])
    return ports.artifacts.put("mail", raw), message_id


def _shows_map(waiting: Outgoing) -> bool:
    return waiting.data["kind"] in WITH_MAP and bool(waiting.data["facts"].get("news"))


def _facts(ports: Ports, game: Game, waiting: Outgoing) -> Json:
    """All that the wording is made from: the side's own packet, and its view of the state that the mail tells of."""
    data, side = waiting.data, str(waiting.side)
    state, _ = ports.journal.state(game.id, data["at"])
    packet = ports.journal.packet(data["facts"]["packet"]) if data["facts"].get("packet") else None
    events = ports.journal.events(game.id, data["after"], data["at"]) if data["facts"].get("news") else []
    if packet is not None and packet.status == "checked":
        events = packet.events
    view = ports.rules.view(state, side, events)
    return {
        "game": game.rules,
        "kind": data["kind"],
        "view": view,
        "events": view.get("events", []),
        "vocabulary": ports.rules.scenario(game.scenario),
        "lines": packet.lines if packet else [],
        "printed": packet.printed if packet else [],
        "diagnostics": packet.diagnostics if packet else [],
        "rejections": packet.rejections if packet else [],
    } | data["facts"]


def _map(ports: Ports, game: Game, waiting: Outgoing, view: Json) -> Json:
    png = ports.render.map({"scenario": game.scenario, "view": view, "scale": ports.config.scale})
    ports.artifacts.put("map", png)
    name = f"{game.id}-t{waiting.data['turn']:02d}-{waiting.side}.png"
    return {"name": name, "type": "image/png", "content": base64.b64encode(png).decode()}


def _envelope(ports: Ports, waiting: Outgoing, message_id: str, report: Json, attachments: list[Json]) -> Json:
    data = waiting.data
    return {
        "message_id": message_id,
        "from": ports.config.address,
        "to": data["to"],
        "date": data["date"],
        "in_reply_to": data["in_reply_to"],
        "references": data["references"],
        "subject": report["subject"],
        "text": report["text"],
        "html": report["html"],
        "attachments": attachments,
    } | ({"game": waiting.game, "turn": data["turn"], "token": data["token"]} if waiting.side is not None else {})


def _domain(ports: Ports) -> str:
    return ports.config.address.rpartition("@")[2]
