"""The live board on the web: pages that only show, and a form that has orders checked, and hands them in with a code from the registered
address.

GET and HEAD change nothing: scanners open every link in a mail. Without scripts the page can be read, and its form works.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jinja2
from flask import Flask, Response, request

from worker.api.limits import Limit
from worker.board.codes import ask
from worker.board.handing import hand_in
from worker.board.invite import PATH
from worker.board.seen import Boards, Seen
from worker.canonical import Json, canonical
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused
from worker.post.links import BOARD, Link, find

Said = Callable[[int, str], Response]
"""HTTP status, one of ``unknown``, ``closed`` and ``later`` -> a page that says so."""
TRIES_MINUTE = 60
"""How often in a minute the draft of one link is tried: for its legal orders, or checked."""
MOST_LINES = 500
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
_TOLD = frozenset({"told_code", "told_good", "told_handed"})


def add_board(app: Flask, boards: Boards | None, now: Callable[[], str], said: Said) -> None:
    """Give the application the pages of live boards. ``boards`` None: there are none here; ``said``: makes the pages that say so."""
    files = {name: (FOLDER / name).read_bytes() for name in STATIC}
    tries = Limit(TRIES_MINUTE)

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
        return opened(token, lambda boards, link, seen: _handed(boards, link, seen, now(), tries))

    @app.get(PATH + "<token>.png")
    def picture(token: str) -> Response:
        return opened(token, lambda boards, _, seen: Response(boards.map(seen), mimetype="image/png"))

    @app.get(PATH + "<token>.json")
    def legal(token: str) -> Response:
        return _legal(token, request.args.get("unit", ""), [])

    @app.post(PATH + "<token>.json")
    def legal_after(token: str) -> Response:
        """The same after the lines of a draft, which are sent rather than asked with: an address is kept in many logs."""
        text = _text()
        lines = text.split("\n") if text else []
        if len(lines) > MOST_LINES or len(text) > MOST_TEXT or not _UNIT.match(request.form.get("unit", "")):
            return said(404, "unknown")
        wait = tries.wait(token) if lines and _TOKEN.match(token) else 0
        return Response("", 429, {"Retry-After": str(wait)}) if wait else _legal(token, request.form.get("unit", ""), lines)

    def _legal(token: str, unit: str, lines: list[str]) -> Response:
        if not _UNIT.match(unit):
            return said(404, "unknown")
        return opened(token, lambda boards, _, seen: Response(canonical(boards.legal(seen, unit, lines)), mimetype="application/json"))

    @app.get(PATH + "<name>.<any(js, css):ending>")
    def static(name: str, ending: str) -> Response:
        file = f"{name}.{ending}"
        return Response(files[file], mimetype=STATIC[file]) if file in files else said(404, "unknown")


def _text() -> str:
    """The draft in a form."""
    return request.form.get("orders", "").replace("\r\n", "\n").strip()


def _handed(boards: Boards, link: Link, seen: Seen, now: str, tries: Limit) -> Response:
    """What came of the form: a code is asked for, orders are checked, or handed in with a code."""
    if not seen.orders:
        return _page(boards, link, seen, status=403)
    text, do = _text(), request.form.get("do")
    if do == "code":
        told = "told_code" if ask(boards.journal, link, now) else "told_good"
        return _page(boards, link, seen, told, text)
    lines = text.split("\n") if text else []
    if not lines:
        return _page(boards, link, seen, "told_empty", status=422)
    if len(lines) > MOST_LINES or len(text) > MOST_TEXT:
        return _page(boards, link, seen, "told_long", text, 422)
    if do == "check":
        often = tries.wait(link.token)
        return _page(boards, link, seen, "told_often", text, 429) if often else _page(boards, link, seen, text=text, draft=lines)
    code = request.form.get("code", "")[:100]
    if request.form.get("seen") != seen.key:  # as a mail of an earlier game-turn is late, but for any change that he has not seen
        return _page(boards, link, seen, "told_changed", text, 409, code=code)
    if not hand_in(boards.journal.engine, boards.config, link, seen.game, lines, code, now):
        return _page(boards, link, seen, "told_wrong", text, 422)
    return _page(boards, link, seen, "told_handed")


def _page(
    boards: Boards,
    link: Link,
    seen: Seen,
    told: str = "",
    text: str = "",
    status: int = 200,
    *,
    code: str = "",
    draft: list[str] | None = None,
) -> Response:
    """The board. ``told``: the sentence that answers the form; ``text``, ``code``: what stands in it; ``draft``: lines to be checked."""
    words, grid = boards.words(seen, link.address, draft), boards.grid(seen)
    page = {
        "words": words,
        "say": words["say"].__getitem__,
        "grid": grid,
        "stacks": [one for one in words["places"] if one["hex"] in grid["hexes"]],
        "trays": trays(seen.view, words["places"], grid.get("trays", {})),
        "corners": _corners(grid),
        "token": link.token,
        "version": seen.key[:16],
        "seen": seen.key,
        "orders": seen.orders,
        "awaited": seen.side in seen.view.get("waiting_for", []),
        "told": told,
        "good": told in _TOLD,
        "text": text,
        "code": code,
        "most": MOST_TEXT,
    }
    answer = Response(_templates().get_template("board.html.j2").render(page), status, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


def trays(view: Json, places: list[Json], found: Json) -> list[Json]:
    """The stacks that are fanned out on the map: each its ``hex``, ``area`` and ``counters``, these in words with an ``area`` each."""
    words = {one["hex"]: one["counters"] for one in places if one["hex"]}
    order: dict[str, int] = {}
    said: dict[int, Json] = {}
    for number, one in enumerate(view.get("counters", [])):
        place = str(one.get("place"))
        at = order[place] = order.get(place, -1) + 1
        said |= {number: words[place][at]} if at < len(words.get(place, [])) else {}
    return [
        {
            "hex": key,
            "area": one["area"],
            "counters": [said[box["n"]] | {"area": box["area"]} for box in one["counters"] if box["n"] in said],
        }
        for key, one in found.items()
        if key in words
    ]


def _corners(grid: Json) -> dict[str, str]:
    """Hex -> the corners of its outline, as SVG has them."""
    wide, high = grid["hex"][0] / 2, grid["hex"][1] / 2
    around = ((-wide / 2, -high), (wide / 2, -high), (wide, 0), (wide / 2, high), (-wide / 2, high), (-wide, 0))
    return {key: " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in around) for key, (x, y) in grid["hexes"].items()}


@cache
def _templates() -> jinja2.Environment:
    loader = jinja2.PackageLoader("worker", "templates")
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
