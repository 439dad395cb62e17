"""The live board on the web: pages that only show, and a form that hands orders in with a code from the registered address.

GET and HEAD change nothing: scanners open every link in a mail. Without scripts the page can be read, and its form works.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import jinja2
from flask import Flask, Response, request

from worker.board.codes import ask
from worker.board.handing import hand_in
from worker.board.invite import PATH
from worker.board.seen import Boards, Seen
from worker.canonical import Json, canonical
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused
from worker.post.links import BOARD, Link, find

Said = Callable[[int, str], Response]
"""HTTP status, one of ``unknown``, ``closed`` and ``later`` -> a page that says so."""
MOST_LINES = 600
MOST_TEXT = 40_000
"""Characters of orders that are handed in at once."""
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
FOLDER = Path(__file__).parent / "static"
STATIC = {"board.js": "text/javascript", "board.css": "text/css"}
_TOKEN = re.compile(r"[0-9a-f]{40}\Z")
_UNIT = re.compile(r"[A-Z0-9-]{0,12}\Z")
_TOLD = frozenset({"told_code", "told_handed"})


def add_board(app: Flask, boards: Boards | None, now: Callable[[], str], said: Said) -> None:
    """Give the application the pages of live boards. ``boards`` None: there are none here; ``said``: makes the pages that say so."""
    files = {name: (FOLDER / name).read_bytes() for name in STATIC}

    def opened(token: str, show: Callable[[Boards, Link, Seen], Response]) -> Response:
        if boards is None or not _TOKEN.match(token):
            return said(404, "unknown")
        link = find(boards.journal.engine, token)
        if link is None or link.name != BOARD:
            return said(404, "unknown")
        if not link.open_at(now()):
            return said(410, "closed")
        try:
            seen = boards.seen(link)
            return said(410, "closed") if seen is None else show(boards, link, seen)
        except (ServiceDown, ServiceFailed, ServiceRefused):
            app.logger.exception("the board of a link in %s", link.game)
            return said(503, "later")

    @app.get(PATH + "<token>")
    def board(token: str) -> Response:
        return opened(token, lambda boards, link, seen: _page(boards, link, seen))

    @app.post(PATH + "<token>")
    def handed(token: str) -> Response:
        return opened(token, lambda boards, link, seen: _handed(boards, link, seen, now()))

    @app.get(PATH + "<token>.png")
    def picture(token: str) -> Response:
        return opened(token, lambda boards, _, seen: Response(boards.map(seen), mimetype="image/png"))

    @app.get(PATH + "<token>.json")
    def legal(token: str) -> Response:
        unit = request.args.get("unit", "")
        if not _UNIT.match(unit):
            return said(404, "unknown")
        return opened(token, lambda boards, _, seen: Response(canonical(boards.legal(seen, unit)), mimetype="application/json"))

    @app.get(PATH + "<name>.<any(js, css):ending>")
    def static(name: str, ending: str) -> Response:
        file = f"{name}.{ending}"
        return Response(files[file], mimetype=STATIC[file]) if file in files else said(404, "unknown")


def _handed(boards: Boards, link: Link, seen: Seen, now: str) -> Response:
    """What came of the form: a code is asked for, or orders are handed in with one."""
    if not seen.orders:
        return _page(boards, link, seen, status=403)
    text = request.form.get("orders", "").replace("\r\n", "\n").strip()
    if request.form.get("do") == "code":
        told = "told_code" if ask(boards.journal, link, now) else "told_recent"
        return _page(boards, link, seen, told, text)
    lines = text.split("\n") if text else []
    if not lines:
        return _page(boards, link, seen, "told_empty", status=422)
    if len(lines) > MOST_LINES or len(text) > MOST_TEXT:
        return _page(boards, link, seen, "told_long", text, 422)
    if not hand_in(boards.journal.engine, boards.config, link, seen.game, lines, request.form.get("code", "")[:100], now):
        return _page(boards, link, seen, "told_wrong", text, 422)
    return _page(boards, link, seen, "told_handed")


def _page(boards: Boards, link: Link, seen: Seen, told: str = "", text: str = "", status: int = 200) -> Response:
    """The board. ``told``: the sentence that answers the form; ``text``: what stands in it."""
    words, grid = boards.words(seen, link.address), boards.grid(seen)
    page = {
        "words": words,
        "say": words["say"].__getitem__,
        "grid": grid,
        "stacks": [one for one in words["places"] if one["hex"] in grid["hexes"]],
        "corners": _corners(grid),
        "token": link.token,
        "version": seen.key[:16],
        "game": seen.game.id,
        "side": seen.side or "",
        "orders": seen.orders,
        "awaited": seen.side in seen.view.get("waiting_for", []),
        "address": boards.config.address,
        "told": told,
        "good": told in _TOLD,
        "text": text,
        "most": MOST_TEXT,
    }
    answer = Response(_templates().get_template("board.html.j2").render(page), status, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


def _corners(grid: Json) -> dict[str, str]:
    """Hex -> the corners of its outline, as SVG has them."""
    wide, high = grid["hex"][0] / 2, grid["hex"][1] / 2
    around = ((-wide / 2, -high), (wide / 2, -high), (wide, 0), (wide / 2, high), (-wide / 2, high), (-wide, 0))
    return {key: " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in around) for key, (x, y) in grid["hexes"].items()}


def _templates() -> jinja2.Environment:
    loader = jinja2.PackageLoader("worker", "templates")
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
