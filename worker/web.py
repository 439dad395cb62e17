"""The files and live boards that mails link to, as a web application. GET and HEAD change nothing: scanners open every link in a mail.

So no link of ours does anything. What a player confirms or orders he writes in a mail, or hands in at his board (worker/board) with a code
that he was mailed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Flask, Response, make_response
from sqlalchemy import Engine

from worker.app import utc_now
from worker.board.page import add_board
from worker.board.seen import Boards
from worker.clients import HttpCall, MailClient, RenderClient, RulesClient
from worker.config import Config
from worker.ports import ServiceDown
from worker.post.links import BOARD, PATH, Link, find
from worker.store.artifacts import ArtifactStore, open_artifacts
from worker.store.database import answers, open_database
from worker.store.journal import Journal

SHOWN = ("image/png", "image/webp", "image/gif")
"""What a browser shows; all else is saved."""
HEADERS = {
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
}
MOST_FORM = 200_000
"""Bytes of a form that is read."""
_TOKEN = re.compile(r"[0-9a-f]{40}\Z")
_STYLE = "margin:2em auto;max-width:36em;padding:0 1em;font:18px/1.5 Georgia,'Times New Roman',serif"
_PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    f'<title>hexpost</title></head><body style="{_STYLE}"><h1>{{title}}</h1><p>{{said}}</p></body></html>'
)
_UNKNOWN = ("There is no such file", "The link is not whole, or it never was one. Open it from the mail that it came in.")
_LATER = ("Not now", "The file cannot be fetched for the moment. Open the link again in a few minutes.")
_CLOSED = (
    "This link is closed",
    "It was open for some weeks only, or your game master has closed it. The newest report of your game brings new ones.",
)
_SAID = {"unknown": _UNKNOWN, "closed": _CLOSED, "later": _LATER}


def web_app(engine: Engine, artifacts: ArtifactStore, now: Callable[[], str] = utc_now, boards: Boards | None = None) -> Flask:
    """The application over a journal and its artifacts. ``now``: the time, UTC, ISO 8601; ``boards``: makes live boards, None: none."""
    app = Flask("hexpost.links", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = MOST_FORM
    add_board(app, boards, now, lambda status, key: _page(status, *_SAID[key]))

    @app.get(PATH + "<token>")
    def file(token: str) -> Response:
        link = find(engine, token) if _TOKEN.match(token) else None
        if link is None or link.name == BOARD:
            return _page(404, *_UNKNOWN)
        if not link.open_at(now()):
            return _page(410, *_CLOSED)
        try:
            return _file(link, artifacts.get(link.sha))
        except KeyError:  # cleared away
            return _page(410, *_CLOSED)
        except ServiceDown:
            return _page(503, *_LATER)

    @app.get("/robots.txt")
    def robots() -> Response:
        return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")

    @app.get("/healthz")
    def healthz() -> Response:
        return Response("ok\n", mimetype="text/plain")

    @app.get("/readyz")
    def readyz() -> Response:
        return (
            Response("ok\n", mimetype="text/plain") if answers(engine) else Response("the database is away\n", 503, mimetype="text/plain")
        )

    @app.errorhandler(404)
    def unknown(_error: Exception) -> Response:
        return _page(404, *_UNKNOWN)

    @app.after_request
    def guarded(answer: Response) -> Response:
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        return answer

    return app


def links_app() -> Flask:
    """The application of an installation, settings from the environment."""
    config = Config.load()
    engine = open_database(config.database)
    return web_app(engine, open_artifacts(config, engine), boards=_boards(config, engine))


def _boards(config: Config, engine: Engine) -> Boards | None:
    """What makes live boards, where mails link to them and the services can be asked."""
    if not (config.has_board and config.rules and config.mail and config.render):
        return None
    rules, mail, render = (HttpCall(name, getattr(config, name), config.token, config.timeout) for name in ("rules", "mail", "render"))
    return Boards(config, Journal(engine), RulesClient(rules), MailClient(mail), RenderClient(render))


def _file(link: Link, data: bytes) -> Response:
    answer = make_response(data)
    shown = link.mime in SHOWN
    answer.headers["Content-Type"] = link.mime if shown else "application/octet-stream"
    answer.headers["Content-Disposition"] = f'{"inline" if shown else "attachment"}; filename="{link.name}"'
    return answer


def _page(status: int, title: str, said: str) -> Response:
    return Response(_PAGE.format(title=title, said=said), status, mimetype="text/html")
