"""Make the mails of the outbox, from the addressee's view alone, and send them. Run again, it makes the same mail and sends it once."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable
from contextlib import nullcontext

from worker.board.invite import invitation
from worker.canonical import Json, canonical, digest
from worker.hosting import alerts
from worker.hosting.meter import Meter
from worker.logs import about
from worker.play.dice_file import DiceFile, of_game, of_report
from worker.play.pictures import Picture, drawn, wanted
from worker.play.throws import numbered, throws
from worker.play.vassal import Enclosures, enclosures
from worker.ports import Ports, ServiceBroke, ServiceDown, ServiceFailed, ServiceRefused, ServiceSlow
from worker.post import bounces
from worker.post.links import Large, publish
from worker.post.outgoing import PutOff, Undeliverable
from worker.store.outbox import Outbox
from worker.store.records import Game, Outgoing, PacketRow, viewer
from worker.waiting.zones import zone_of

log = logging.getLogger("hexpost.deliver")
PATIENCE = 20
"""A mail at which a service hangs or breaks off is tried that many times as often as one that fails: pictures have had their tries."""
MAX_LINES = 600
MAX_LINE = 2000  # what a report shows of the lines that came


def deliver_next(
    ports: Ports,
    outbox: Outbox,
    game: str,
    put_off: set[str] | None = None,
    meter: Meter | None = None,
    still_ours: Callable[[], None] = lambda: None,
) -> bool:
    """Make (if it is not made yet) and send the oldest mail of a game; whether there was one.

    Raises ServiceDown and OSError where it can be tried again; a mail that a service fails at ``attempts`` times is parked, and one whose
    pictures cannot be drawn leaves without them. One that will never be taken is parked too, and the operator is told.
    ``put_off``: addresses that get nothing now, to which one is added where mail for it must wait. ``still_ours``: called when the mail is
    made, raises where another worker may send it by now: to make it takes longer than to send it.
    """
    put_off = set() if put_off is None else put_off
    waiting = outbox.next(game, put_off)
    if waiting is None:
        return False
    with about(game=game, mail=waiting.id), meter.timed("mail") if meter else nullcontext():
        _deliver(ports, outbox, waiting, put_off, still_ours)
    return True


def _deliver(ports: Ports, outbox: Outbox, waiting: Outgoing, put_off: set[str], still_ours: Callable[[], None]) -> None:
    if bounces.paused_of(ports.journal.engine, [str(waiting.data["to"]).lower()]):
        log.info("mail %s of %s does not leave: its address is paused", waiting.key, waiting.game)
        outbox.unsent(waiting.id)
        return
    try:
        if waiting.raw and waiting.message_id:
            sha, message_id, module = waiting.raw, waiting.message_id, ""
        else:
            sha, message_id, module = _make(ports, outbox, waiting)
    except (ServiceFailed, ServiceRefused, ServiceSlow, ServiceBroke) as error:
        if outbox.failed_attempt(waiting.id) < ports.config.attempts * (PATIENCE if isinstance(error, ServiceDown) else 1):
            raise
        log.exception("mail %s of %s is parked", waiting.key, waiting.game)
        outbox.parked(waiting.id)
        if not waiting.key.startswith(alerts.FAMILY):  # which would be the next that cannot be made
            said = f"Mail {waiting.key} of {waiting.game} cannot be made and is put aside ({type(error).__name__}); "
            said += "hexpost retry tries it again."
            alerts.teller(ports.journal.engine, ports.config, ports.now, waiting.key)("making", said)
        raise
    if not waiting.raw:
        outbox.made(waiting, message_id, sha, module)
    still_ours()
    _send(ports, outbox, waiting, ports.artifacts.get(sha), message_id, put_off)


def _send(ports: Ports, outbox: Outbox, waiting: Outgoing, raw: bytes, message_id: str, put_off: set[str]) -> None:
    try:
        ports.sender.send(raw, message_id, [waiting.data["to"]])
    except PutOff as error:
        if error.everybody:
            raise
        log.info("mail %s of %s waits: %s", waiting.key, waiting.game, error)
        put_off.add(waiting.data["to"])
    except Undeliverable as error:
        _refused(ports, outbox, waiting, error)
    else:
        outbox.sent(waiting.id)
        log.info("mail %s of %s has left", waiting.id, waiting.game)


def _refused(ports: Ports, outbox: Outbox, waiting: Outgoing, error: Undeliverable) -> None:
    """A mail is not taken. Either its address takes none, which is dealt with as a bounce is, or this mail is at fault: it is parked."""
    if waiting.data["to"] in error.dead:
        log.warning("mail %s of %s does not leave: %s", waiting.key, waiting.game, error)
        outbox.unsent(waiting.id, bounces.refusing(ports, waiting, error.refused[waiting.data["to"]]))
        return
    outbox.parked(waiting.id)
    said = f"Mail {waiting.key} of {waiting.game} is not taken and parked: {error}."
    if waiting.key.startswith(alerts.FAMILY):  # an alert about the mail that tells an alert would be the next to be refused
        log.error("%s", said)
    else:
        alerts.teller(ports.journal.engine, ports.config, ports.now, "refused")("sending", said)


def _make(ports: Ports, outbox: Outbox, waiting: Outgoing) -> tuple[str, str, str]:
    """The artifact that is the mail, its Message-ID, and the version of the module for VASSAL that it brings."""
    game = ports.journal.game(waiting.game)
    data = waiting.data
    # A stranger's is made of what he knows: from the key he could read how many mails came in meanwhile.
    message_id = waiting.message_id or f"<{digest(canonical(data))[:40]}@{_domain(ports)}>"
    pictures: list[Picture] = []
    files, dice = Enclosures(), list[DiceFile]()
    if game is None or waiting.side is None:
        body = {"game": "none", "kind": data["kind"], "subject": data["subject"], "zone": _zone(ports, data["to"])}
        report = ports.mail.report(body | _said(data["facts"]))
    else:
        body = report_of(ports, game, waiting)
        dice = _throws_told(ports, game, waiting, body)
        wishes = wanted(ports, outbox, game, waiting, body["view"])
        large: list[Large] = []
        pictures = drawn(ports, outbox, waiting, wishes, large)
        if any(one.kind == "map" for one in wishes) and not any(one.kind == "map" for one in pictures):
            body["notes"] = [*body.get("notes", []), "no_map"]
        files = enclosures(ports, outbox, game, waiting, body["view"])
        body["notes"] = [*body.get("notes", []), *(["no_vassal"] if files.failed else [])]
        for one in pictures:
            ports.artifacts.put(one.kind, one.data)
        described = {
            "pictures": [one.described() for one in pictures],
            "files": [*(one.described() for one in dice), *(one.described() for one in files.files)],
        }
        linked = publish(ports, game, waiting, [*large, *files.large]) if ports.config.link_base else {}
        linked |= invitation(ports, game, waiting)
        report = ports.mail.report(body | described | linked)
    attached = [*files.enclosed, *(one.enclosed() for one in dice)]
    letter = _letter(ports, waiting, message_id, report) | {"pictures": [one.enclosed() for one in pictures], "attachments": attached}
    return ports.artifacts.put("mail", base64.b64decode(ports.mail.compose(letter)["raw"])), message_id, files.module


def words_of(ports: Ports, game: Game, waiting: Outgoing, packet: PacketRow | None = None, *, chat: bool = False) -> str:
    """The text of a mail, for whoever is told the same another way: without pictures and files. ``packet``: as for ``report_of``;
    ``chat``: it is read where no mail is answered.
    """
    body = report_of(ports, game, waiting, packet)
    _throws_told(ports, game, waiting, body)
    return str(ports.mail.report(body | ({"chat": True} if chat else {}))["text"])


def report_of(ports: Ports, game: Game, waiting: Outgoing, packet: PacketRow | None = None) -> Json:
    """All that the wording is made from: the side's own packet, and its view of the state that the mail tells of.

    ``packet``: the one that is told of, where it is not in the journal.
    """
    data, side = waiting.data, viewer(waiting.side)
    state, _ = ports.journal.state(game.id, data["at"])
    if packet is None and data["facts"].get("packet"):
        packet = ports.journal.packet(data["facts"]["packet"])
    events = ports.journal.events(game.id, data["after"], data["at"]) if data["facts"].get("news") else []
    if packet is not None and data["facts"]["status"] == "checked":
        events = packet.events
    view = ports.rules.view(state, side, events)
    body = {
        "game": game.rules,
        "kind": data["kind"],
        "game_id": game.id,
        "side": side,
        "view": view,
        "events": view.get("events", []),
        "vocabulary": ports.rules.scenario(game.scenario),
        "subject": data["subject"],
        "address": _reply_address(_home_of(ports, game.id), game, data),
        "zone": _zone(ports, data["to"]),
        "theme": ports.journal.theme(game.id, str(waiting.side)) or ports.config.theme,
        "copy": side is not None and not data["token"],
    }
    if side is None:
        return body | _said(data["facts"]) | ({"secret": game.secret} if view.get("over") else {})
    if data["kind"] == "turn" and not any(note.startswith("absent_") for note in data["facts"].get("notes", [])):
        body |= _kept(ports, game, side, data)
    if packet is not None:
        body |= {"lines": [line[:MAX_LINE] for line in packet.lines[:MAX_LINES]]}
        body["printed"] = [line[:MAX_LINE] for line in packet.printed[: 2 * MAX_LINES]]
        body |= {"diagnostics": packet.diagnostics, "rejections": packet.rejections}
    if side in view.get("waiting_for", []):
        body["legal"] = ports.rules.legal(state, side)["orders"]
    if not data["token"] or (data["kind"] in ("answer", "notice", "confirm") and "template" not in data["facts"].get("shows", [])):
        body["legal"] = None
    if view.get("over") and data["facts"].get("news"):
        body["secret"] = game.secret  # promised at the start: now it foretells nothing
    # What a player's mail quoted may hold his token: a copy gives no right.
    return body | _said(data["facts"]) | ({"cut": [], "sources": []} if body["copy"] else {})


def _zone(ports: Ports, address: str) -> str:
    return zone_of(ports.journal.engine, ports.config, address)


def _throws_told(ports: Ports, game: Game, waiting: Outgoing, body: Json) -> list[DiceFile]:
    """Number the throws among the events of a report; the file by which they can be computed again."""
    data = waiting.data
    if not data["facts"].get("news"):
        return []
    found = throws(ports.journal.engine, game, data["after"], data["at"])
    body["events"] = numbered(body["events"], found)
    if body["view"].get("over"):
        return of_game(game, throws(ports.journal.engine, game, upto=data["at"]))
    return of_report(game, waiting, found)


def _kept(ports: Ports, game: Game, side: str, data: Json) -> Json:
    """The orders of a side that waited when it was last told: what was sent since by itself would have been answered."""
    if not 0 <= data["after"] < data["at"]:
        return {}
    before = ports.rules.view(ports.journal.state(game.id, data["after"])[0], side)
    return {"kept": before["tail"]} if before.get("tail") else {}


def _said(facts: Json) -> Json:
    """Those of a mail's facts that its wording takes as they are."""
    told = (
        "status",
        "cut",
        "sources",
        "verdict",
        "sender",
        "commitment",
        "notes",
        "deadline",
        "answers",
        "shows",
        "dice_words",
        "terms",
        "hours",
    )
    return {key: facts[key] for key in told if key in facts}


def _home_of(ports: Ports, game: str) -> str:
    """The order address of the server that keeps a game: ours, unless it moved."""
    return ports.journal.moved_to(game) or ports.config.address


def _reply_address(home: str, game: Game, data: Json) -> str:
    """Where orders go; nowhere, for whom a mail gives no right to order."""
    if not data["token"]:
        return ""
    local, _, domain = home.partition("@")
    return f"{local}+{game.id.lower()}-t{data['turn']:02d}-{data['token']}@{domain}"


def _letter(ports: Ports, waiting: Outgoing, message_id: str, report: Json) -> Json:
    data = waiting.data
    letter = {
        "to": data["to"],
        "address": ports.config.address,
        "subject": report["subject"],
        "text": report["text"],
        "html": report["html"],
        "message_id": message_id,
        "date": data["date"],
        "in_reply_to": data["in_reply_to"],
        "references": data["references"],
        "replied": data["kind"] not in ("start", "turn", "notice", "reminder"),
    }
    if not data.get("token"):
        return letter
    orders = ports.journal.moved_to(waiting.game) or ""
    return letter | {"game": waiting.game, "turn": data["turn"], "token": data["token"], "orders": orders}


def _domain(ports: Ports) -> str:
    return ports.config.address.rpartition("@")[2]
