"""A game with live boards: the real rules, words and pictures, and the web application that shows them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.worker.whole import AT, Table
from worker.board.seen import Boards
from worker.canonical import Json
from worker.clients import RenderClient
from worker.local import local_render
from worker.post.links import BOARD, enter
from worker.web import web_app

BASE = "https://club.example/hexpost"
SIDES = {"axis": "axis@player.example", "allied": "allied@player.example"}
_LINK = re.compile(re.escape(BASE) + r"(/board/[0-9a-f]{40})\b")
_CODE = re.compile(r"board is ([a-z0-9]{14})\.")


@cache
def render() -> RenderClient:
    """The render service, made once."""
    return local_render()


def table(folder: Path, scenario: str = "race-for-tunis/standard", **more: Json) -> Table:
    """A game that has begun, whose mails link to boards."""
    folder.mkdir(parents=True, exist_ok=True)
    return Table(folder, scenario=scenario, addresses=SIDES, more={"link_base": BASE} | more)


def application(game: Table, now: str = AT) -> Flask:
    """The web application over the game."""
    ports = game.ports
    boards = Boards(ports.config, ports.journal, ports.rules, ports.mail, render())
    return web_app(ports.journal.engine, ports.artifacts, lambda: now, boards)


def browser(game: Table, now: str = AT) -> FlaskClient:
    """Somebody who opens links."""
    return application(game, now).test_client()


def link_of(game: Table, side: str, number: int = -1) -> str:
    """The path of the board that a mail to a side links to."""
    body = game.mails_to(side)[number].get_body(("plain",))
    assert body is not None
    found = _LINK.findall(body.get_content().replace("=\n", ""))
    assert len(found) == 1, found
    return str(found[0])


def seen_on(client: FlaskClient, path: str) -> str:
    """What the form of a board says that its reader has seen."""
    return client.get(path).get_data(as_text=True).partition('name="seen" value="')[2].partition('"')[0]


def hand_in(client: FlaskClient, path: str, code: str, orders: str = "DONE", **more: str) -> TestResponse:
    """Hand in orders from a board that was opened just now."""
    return client.post(path, data={"do": "send", "orders": orders, "code": code, "seen": seen_on(client, path)} | more)


def further_link(game: Table, side: str, address: str, token: str = "0a" * 20) -> str:
    """The path of another board: that of another mail, or of another address."""
    row = {"token": token, "game": game.game, "side": side, "address": address, "sha": "", "name": BOARD, "mime": "text/html"}
    enter(game.ports, [row | {"expires": "2026-01-31T00:00:00+00:00", "revoked": False}])
    return f"/board/{token}"


def handle_waiting(game: Table) -> None:
    """Have the worker do what waits, and send what follows."""
    from worker.post import received
    from worker.waiting import called

    while (waiting := game.journal.next_message(game.game)) is not None:
        (called.handle if called.is_call(waiting) else received.handle)(game.ports, waiting)
    for one in game.outbox.games():
        game.post(one)


def code_mailed(game: Table, side: str) -> str:
    """The code in the newest mail to a side."""
    body = game.mails_to(side)[-1].get_body(("plain",))
    assert body is not None
    found = _CODE.search(" ".join(body.get_content().split()))
    assert found is not None, body.get_content()
    return found[1]
