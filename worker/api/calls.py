"""The calls of the players' API: each is one function of the caller's side of its game."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, g, make_response
from sqlalchemy import select

from services.http import Endpoints, Problem
from worker.api import shapes
from worker.bots import listeners, programs
from worker.bots.calling import Forbidden
from worker.canonical import Json
from worker.commands import store
from worker.play.vassal import FOLDER, kept_module, module_version, without_events
from worker.ports import Ports
from worker.post import replies
from worker.post.replies import Reply, Writer
from worker.store.database import reading
from worker.store.records import Game, LostRace
from worker.store.tables import messages
from worker.waiting import halts

MOST_NUMBER = 2**31 - 1
_CODE = re.compile(r"[0-9a-z]{10,20}\Z")
_NUMBER = re.compile(r"[0-9a-f]{32}\Z|own:[A-Za-z0-9._:-]{1,80}\Z")


def games_api(ports: Ports, ring: Callable[[str, int], None]) -> Endpoints:
    """The calls about the caller's game."""
    api = Endpoints("players", __name__, url_prefix="/v1/games/<game>", description="A side of a game, for its player's programs")
    at = Caller(ports)

    @api.call("GET", "/status", gives=shapes.StatusAnswer)
    def status(game: str) -> Any:
        """How the game stands, who is awaited and until when."""
        return at.status()

    @api.call("GET", "/view", gives=shapes.ViewAnswer)
    def view(game: str) -> Any:
        """What the side may know."""
        return {"view": at.view()}

    @api.call("GET", "/template", gives=shapes.TemplateAnswer)
    def template(game: str) -> Any:
        """What may be ordered now."""
        return at.template()

    @api.call("POST", "/check", takes=shapes.CheckBody, gives=shapes.OrdersAnswer)
    def check(body: Json, game: str) -> Any:
        """Try orders: nothing is rolled, nothing is kept."""
        return shown(replies.tried(ports, at.game, at.writer, body["text"]))

    @api.call("POST", "/orders", takes=shapes.OrdersBody, gives=shapes.OrdersAnswer, status=202)
    def orders(body: Json, game: str) -> Any:
        """Send orders, or commands to the campaign; they are carried out as those of a mail, and the receipt is mailed, too."""
        number = f"own:{body['id']}" if body["id"] else secrets.token_hex(16)
        name = f"{programs.PLACES[0]}{g.program.mark}:{number}"
        message, new = replies.enter(ports, at.game, replies.as_mail(ports, at.game, at.writer, body["text"], name), name)
        if new:
            ring(at.game.id, message)
        return {"id": number} | shown(replies.reply_to(ports, at.game, at.writer, message))

    @api.call("GET", "/orders/<number>", gives=shapes.OrdersAnswer)
    def ordered(number: str, game: str) -> Any:
        """What became of orders."""
        return {"id": number} | shown(replies.reply_to(ports, at.game, at.writer, at.message(number)))

    @api.call("GET", "/files", gives=shapes.FilesAnswer)
    def files(game: str) -> Any:
        """The files of the present position."""
        return {"files": [{"name": name, "url": f"/v1/games/{at.game.id}/files/{name}", "mime": mime} for name, (mime, _) in FILES.items()]}

    @api.call("GET", "/files/<name>", content_type="application/octet-stream")
    def file(name: str, game: str) -> Response:
        """One of them."""
        if name not in FILES:
            raise Problem(404, "no-such-file", f"There is no file {name[:80]!r}; there are {', '.join(FILES)}.")
        mime, make = FILES[name]
        answer = make_response(make(ports, at.game, at.view(), at.writer.side))
        answer.headers["Content-Type"] = mime
        answer.headers["Content-Disposition"] = f'attachment; filename="{at.game.id}-{name}"'
        return answer

    return api


def me_api() -> Endpoints:
    """The call by which a program learns whose token it has."""
    api = Endpoints("me", __name__, url_prefix="/v1/me", description="Whose token it is")

    @api.call("GET", "", gives=shapes.MeAnswer)
    def me() -> Any:
        """The game and the side of the token."""
        return {"game": g.program.game, "side": g.program.side}

    return api


def listeners_api(ports: Ports) -> Endpoints:
    """The calls about where the caller's player is told of turns."""
    api = Endpoints(
        "listeners", __name__, url_prefix="/v1/games/<game>/listeners", description="Where a player's programs are told of turns"
    )
    at = Caller(ports)

    @api.call("GET", "", gives=shapes.ListenersAnswer)
    def listed(game: str) -> Any:
        """The player's listeners of his side."""
        mine = (at.writer.side, at.writer.address)
        found = [one for one in listeners.of_game(ports.journal.engine, at.game.id) if (one.side, one.address) == mine]
        return {"listeners": [{"id": one.id, "url": one.url, "form": one.form} for one in found]}

    @api.call("POST", "", takes=shapes.ListenerBody, gives=shapes.ListenerAnswer, status=201)
    def add(body: Json, game: str) -> Any:
        """Have turns told to a URL."""
        try:
            made = listeners.add(ports.journal.engine, at.game, at.writer.side, at.writer.address, body["form"], body["url"])
        except Forbidden as error:
            raise Problem(422, "no-such-url", str(error)) from None
        except listeners.TooMany:
            raise Problem(422, "too-many-listeners", f"You may have {listeners.MOST} listeners for a side.") from None
        return {"id": made.id, "url": made.url, "form": made.form} | ({"secret": made.secret} if made.secret else {})

    @api.call("DELETE", "/<int:number>", status=204)
    def close(number: int, game: str) -> Any:
        """Tell it nothing more."""
        if number > MOST_NUMBER or not listeners.close(ports.journal.engine, at.game.id, number, at.writer.side, at.writer.address):
            raise Problem(404, "no-such-listener", "You have no listener of that number.")
        return Response(status=204)

    return api


def tokens_api(ports: Ports, wrong: Callable[[], None]) -> Endpoints:
    """The call by which a program gets its token. ``wrong``: counts a code that is none; a Problem if there were too many."""
    api = Endpoints("tokens", __name__, url_prefix="/v1/tokens", description="Tokens for codes")

    @api.call("POST", "", takes=shapes.CodeBody, gives=shapes.TokenAnswer, status=201)
    def redeem(body: Json) -> Any:
        """A token for the code that the command LINK mails to a player. A code is worth one."""
        code = re.sub(r"(?i)^\s*ACCEPT\s+|\s+", "", body["code"]).lower()
        try:
            token = programs.redeem(ports.journal.engine, code, ports.now()) if _CODE.match(code) else None
        except LostRace:
            token = None
        found = programs.find(ports.journal, token) if token else None
        if token is None or found is None:
            wrong()
            raise Problem(404, "no-such-code", "That is no code of LINK, or it was used, or its day is over: mail LINK for another.")
        return {"token": token, "game": found.game, "side": found.side}

    return api


class Caller:
    """Whose call is being answered: his game as it stands, and his side of it."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    @property
    def game(self) -> Game:
        """The game as it stands."""
        if "game" not in g:
            found = self._ports.journal.game(g.program.game)
            assert found is not None
            g.game = found
        known: Game = g.game
        return known

    @property
    def writer(self) -> Writer:
        return Writer(g.program.side, g.program.address)

    def view(self) -> Json:
        """The view of his side, with the events since it was told of the news before the last."""
        game, side = self.game, self.writer.side
        last = store.last_news(self._ports.journal.engine, game.id, side)
        events = self._ports.journal.events(game.id, last["after"] if last else -1, game.version)
        return self._ports.rules.view(self._ports.journal.state(game.id, game.version)[0], side, events)

    def status(self) -> Json:
        game, writer, journal = self.game, self.writer, self._ports.journal
        seen = self._ports.rules.view(journal.state(game.id, game.version)[0], writer.side)
        due, halted = journal.deadlines(game.id).get(writer.side), halts.current(journal.engine, game.id) is not None
        draft = journal.draft(game.id, writer.side, game.turn)
        waiting = list(seen.get("waiting_for", []))
        return {
            "game": game.id,
            "scenario": game.scenario,
            "side": writer.side,
            "turn": game.turn,
            "over": seen.get("over"),
            "waiting_for": waiting,
            "awaited": writer.side in waiting and not seen.get("over"),
            "deadline": due.due if due and not halted else None,
            "paused": halted,
            "pending": [one for one in seen.get("pending", []) if one.get("side") == writer.side],
            "draft": draft.lines if draft else None,
            "text": replies.asked(self._ports, game, writer, "STATUS").text,
        }

    def template(self) -> Json:
        game, writer = self.game, self.writer
        legal = self._ports.rules.legal(self._ports.journal.state(game.id, game.version)[0], writer.side)
        lines = self._ports.mail.print_orders(game.rules, legal["orders"]) if legal["orders"] else []
        text = replies.asked(self._ports, game, writer, "TEMPLATE").text
        return {"orders": legal["orders"], "lines": lines, "more": bool(legal.get("more")), "text": text}

    def message(self, number: str) -> int:
        """The id of the mail that orders became. Problem 404."""
        query = select(messages.c.id).where(messages.c.place == f"{programs.PLACES[0]}{g.program.mark}:{number}")
        with reading(self._ports.journal.engine) as connection:
            found = connection.scalar(query) if _NUMBER.match(number) else None
        if found is None:
            raise Problem(404, "no-such-orders", "This token has sent no orders of that id.")
        return int(found)


def shown(reply: Reply) -> Json:
    """A reply as it travels."""
    packet = reply.packet
    return {
        "status": reply.status,
        "understood": packet.printed if packet else [],
        "unread": packet.diagnostics if packet else [],
        "rejections": packet.rejections if packet else [],
        "text": reply.text,
    }


def _theme(ports: Ports, game: Game, side: str) -> str:
    return ports.journal.theme(game.id, side) or ports.config.theme


def _map(ports: Ports, game: Game, seen: Json, side: str) -> bytes:
    return ports.render.map({"scenario": game.scenario, "view": seen, "theme": _theme(ports, game, side), "scale": ports.config.scale})


def _save(ports: Ports, game: Game, seen: Json, side: str) -> bytes:
    secret = ports.journal.state(game.id, game.version)[0]["hidden"]
    body = {"scenario": game.scenario, "view": without_events(seen), "theme": _theme(ports, game, side), "secret": secret}
    return ports.render.save(body)


def _module(ports: Ports, game: Game, seen: Json, side: str) -> bytes:
    name = f"{game.rules}-{module_version(_save(ports, game, seen, side))}.vmod"
    return kept_module(ports.config.home / FOLDER, name, ports.render, game.scenario, _theme(ports, game, side))


FILES: Mapping[str, tuple[str, Callable[[Ports, Game, Json, str], bytes]]] = {
    "map.png": ("image/png", _map),
    "position.vsav": ("application/octet-stream", _save),
    "module.vmod": ("application/octet-stream", _module),
}
