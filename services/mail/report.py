"""The report of one viewer in plain text and HTML: what was understood, what happened, what is awaited, what may be sent now.

Made from his view, his events and his own lines alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import jinja2

from services.mail import plain
from services.mail.answers import answered
from services.mail.cells import MOST, charts_in_part, reconstructed_cells
from services.mail.colours import ON_BAR, bar, look, style_block
from services.mail.figures import Figures, figures, front, summary, table
from services.mail.letters import Heading, Lead, heading, lead
from services.mail.lines import aligned, order_lines, skipped, untold
from services.mail.orders.languages import UnknownGame
from services.mail.orders.template import template
from services.mail.pictures import attached, linked, shown, until
from services.mail.shape import mapping, mappings, sequence, whole
from services.mail.shorten import shorter
from services.mail.speech import Speech
from services.mail.stored import stored_lines
from services.mail.story import say_event, tell
from services.mail.wording import load_wording

MAX_HTML = 88_000
MAX_LEFT_OUT = 3
"""Lines shown of what was left out of a mail, for each reason; more of what the player may have meant as orders."""
MAX_MEANT = 12
MAX_SHOWN = 160
"""Characters shown of such a line."""
MAX_PREHEADER = 200
MAX_BLOCK = 6
"""Lines of the order block that stand on the first screen; the whole template stands below."""
MAX_OPEN = 200
"""Counters of one side that the last report lists."""
KINDS = ("receipt", "turn", "start", "explain", "confirm", "answer", "notice", "reminder")
BRIEF = ("answer", "notice", "confirm")
"""Those that are no report: of the game they say what is asked for."""
NOTES = (
    *("resent", "no_map", "no_vassal", "draft_lapsed", "deadline_extended", "other_absent"),
    *("confirmed", "held_unused", "by_deputy", "paused"),
    *("absent_draft", "absent_refused", "absent_adjutant", "absent_nothing"),
)


@dataclass(frozen=True)
class ReportRequest:
    """What a report is made of. Fields as ``POST /reports`` takes them.

    ``kind``: ``receipt`` (to the sender), ``turn`` (to the other side and spectators), ``start``, ``explain`` (a mail was refused),
    ``confirm`` (to the registered address), ``answer`` (to commands), ``notice`` (of somebody else's command),
    ``reminder`` (that the side is waited for).
    ``status``: of the outcome.  ``lines``: as they were decoded; ``printed``: the canonical lines, shown where they
    differ.  ``legal``: the side's legal orders, of which the template is made if none is given.
    ``deadline``: ISO moment; ``zone``: the player's time zone.  ``commitment``, ``secret``: of the dice, in the first mail and the last;
    ``dice_words``: those of the players that they are mixed with, by side.
    ``pictures``: those that go with the mail, as ``schemas.ShownBody`` has them; ``files``: those for VASSAL, as ``schemas.FileBody``.
    ``links``: to files without room in the mail, as ``schemas.LinkBody``; ``links_until``: ISO moment at which they end.
    ``board``: the URL of its reader's live board; ``board_until``: ISO moment at which it closes.
    ``kept``: to the side in a ``turn``, its orders that waited when it was last told, as JSON.
    ``theme``: that of its pictures; a page with dark ones is dark on every screen.
    ``answers``: what commands led to, as ``schemas.AnswerBody`` has it; ``shows``: of ``answers.SHOWS``, what the answer is to bring.
    ``copy``: its reader may look on, but not order.  ``chat``: it is read where nobody replies to a mail.
    ``terms``: how long sides are waited for, in hours by the class of a decision, and ``absence``, what is done then; in the first mail
    and in a ``reminder``, of which ``hours`` says how many are left.
    ``notes``: of ``NOTES``, what the reader must hear besides: no map could be drawn, a draft of his has died with its turn.
    """

    game: str
    kind: str
    game_id: str = ""
    title: str = ""
    side: str | None = None
    status: str = "done"
    view: Mapping[str, Any] = field(default_factory=dict)
    events: Sequence[Mapping[str, Any]] = ()
    rejections: Sequence[Mapping[str, Any]] = ()
    lines: Sequence[str] = ()
    printed: Sequence[str] = ()
    diagnostics: Sequence[Mapping[str, Any]] = ()
    cut: Sequence[Mapping[str, Any]] = ()
    sources: Sequence[Mapping[str, Any]] = ()
    vocabulary: Mapping[str, Any] = field(default_factory=dict)
    template: Sequence[str] = ()
    legal: Sequence[Mapping[str, Any]] | None = None
    deadline: str | None = None
    zone: str | None = None
    address: str = ""
    pictures: Sequence[Mapping[str, Any]] = ()
    files: Sequence[Mapping[str, Any]] = ()
    links: Sequence[Mapping[str, Any]] = ()
    links_until: str | None = None
    board: str = ""
    board_until: str | None = None
    verdict: str = ""
    sender: str = ""
    subject: str = ""
    commitment: str = ""
    secret: str = ""
    dice_words: Sequence[Sequence[str]] = ()
    reconstructed: Sequence[str] = ()
    kept: Sequence[Mapping[str, Any]] = ()
    notes: Sequence[str] = ()
    answers: Sequence[Mapping[str, Any]] = ()
    shows: Sequence[str] = ()
    theme: str = "light"
    copy: bool = False
    chat: bool = False
    terms: Mapping[str, Any] = field(default_factory=dict)
    hours: float | None = None
    language: str = "en"


@dataclass(frozen=True)
class Report:
    """A finished report: subject without the game's tag, plain text, HTML under 90 kB. ``summary``: what happened, in a few sentences."""

    subject: str
    text: str
    html: str
    summary: Sequence[str] = ()


def make_report(request: ReportRequest) -> Report:
    """Put a report into words. UnknownLanguage if there are none; whatever else is missing leaves its place out."""
    speech = Speech(load_wording(request.language, request.game), request.vocabulary, request.side, request.zone)
    told = frozenset(r["line"] for r in request.rejections if isinstance(r.get("line"), int))
    told |= skipped(request) if request.kind == "receipt" else set()
    told |= {whole(order.get("line")) for order in request.kept}
    counted = figures(request.events, speech)
    sides, rows = table(counted, speech) if _tells(request) else ([], [])
    dark = request.theme == "dark"
    close = below(request, speech)
    happened = _happened(request, counted, speech)
    head, first = heading(request, speech), lead(request, speech, happened)
    page = {
        "heading": head,
        "lead": first,
        "answers": answered(request, speech),
        "preheader": _preheader(head, first, speech),
        "lines": order_lines(request, speech) if request.kind in ("receipt", "explain") else stored_lines(request, speech),
        "lines_title": speech.words.label("kept_orders" if request.kept else "your_orders"),
        "printed": _understood(request),
        "whole": whole_faults(request, speech) if request.kind == "receipt" else [],
        "sides": sides,
        "figures": rows,
        "story": speech.words.label("would_happen" if request.status in ("checked", "held") and request.kind == "receipt" else "happened"),
        "sections": tell(request.events, speech, request.view.get("turn"), told),
        "pictures": shown(request, front(counted, speech), speech),
        "links": linked(request, speech),
        "links_until": until("linked", request.links_until, request, speech),
        "board_until": until("board", request.board_until, request, speech),
        "say": speech.words.label,
        "request": request,
        "look": partial(look, scheme="dark" if dark else "light"),
        "schemes": "dark" if dark else "light dark",
        "bar": bar(head.side),
        "on_bar": ON_BAR,
        "style": style_block("dark" if dark else "light dark"),
        "block": _block(close["template"], speech),
        **close,
    }
    text = templates()["report.txt.j2"].render(page)
    return Report(head.subject, _tidy(text), _html(page, speech), happened)


def _tells(request: ReportRequest) -> bool:
    """Whether what the events tell has come to pass: not in a check, nor where nothing was changed."""
    return request.kind == "turn" or (request.kind == "receipt" and request.status == "done")


def _happened(request: ReportRequest, counted: Mapping[str, Figures], speech: Speech) -> list[str]:
    """What stands first of what happened: the end of the game, and the summary."""
    if not _tells(request):
        return []
    ends = [say_event(event, speech) for event in request.events if event.get("kind") == "ended"]
    return [*(one.text for one in ends if one), *summary(counted, request.view, speech)]


def _preheader(head: Heading, first: Lead, speech: Speech) -> str:
    """What lists of mails show behind the subject: how things are, and who is awaited."""
    awaited = f"{speech.words.label('awaited')}: {head.awaited}." if head.awaited else ""
    return " ".join([*first.sentences[:2], awaited]).strip()[:MAX_PREHEADER]


def _understood(request: ReportRequest) -> list[str]:
    """The canonical lines that the player did not write so himself, where they cannot be shown each under its own line."""
    if request.kind != "receipt" or request.diagnostics or aligned(request):
        return []
    return [line for line in request.printed if line not in request.lines]


def whole_faults(request: ReportRequest, speech: Speech) -> list[str]:
    """Faults of the orders as a whole (line 0)."""
    found = [str(d.get("text")) for d in request.diagnostics if d.get("line") == 0]
    return found + [speech.reason_of(r.get("code"), r.get("clause"), r.get("details")) for r in untold(request) if r.get("line") == 0]


def below(request: ReportRequest, speech: Speech) -> dict[str, Any]:
    """What stands below the story: position, decisions, how to order, template, what was cut, notes."""
    view = request.view
    awaits = request.side is not None and request.side in sequence(view.get("waiting_for"))
    over = bool(view.get("over"))
    brief = request.copy or (request.kind in BRIEF and "template" not in request.shows)
    how = ["over"] if over else ["yours", "check"] if awaits else ["theirs"] if request.side and view else []
    how = [] if brief or (request.chat and not over) else how
    said = [speech.say("how", key, {}) for key in how]
    if request.address and not over and request.side and not request.chat:
        said.append(speech.say("how", "address", {"address": request.address}))
    if view and request.side and not over and not request.chat and (request.kind in ("start", "explain") or request.status == "refused"):
        said.append(speech.say("how", "page", {}))
    if over and request.secret:
        said.append(speech.say("how", "secret", {"secret": request.secret}))
    if request.kind == "receipt" and request.status == "done" and awaits and _mine(view) and not _closes(request.lines):
        said.insert(0, speech.say("how", "open", {"step": mapping(view.get("step")).get("name")}))
    plain_answer = request.kind in BRIEF
    return {
        "position": [] if plain_answer and "position" not in request.shows else position(view, speech),
        "decisions": [] if brief else _decisions(view, request.side, speech),
        "how": [text for text in said if text],
        "template": [] if over else _template(request),
        "cut": _left_out(request, speech),
        "sources": [{"name": str(s.get("name")), "lines": [str(x) for x in sequence(s.get("lines"))]} for s in request.sources],
        "notes": _notes(request, speech),
    }


def _left_out(request: ReportRequest, speech: Speech) -> list[dict[str, Any]]:
    """What of the mail was not read, by reason, each with its first lines and how many more there are."""
    found: dict[str, list[str]] = {}
    for piece in request.cut:
        if piece.get("why") == "comment":  # its writer knows that it orders nothing
            continue
        lines = [line.rstrip()[:MAX_SHOWN] for line in str(piece.get("text", "")).split("\n") if line.strip(" >|")]
        found.setdefault(str(piece.get("why")), []).extend(lines)
    shown = []
    for why, lines in found.items():
        most = MAX_MEANT if why in ("chatter", "after-end") else MAX_LEFT_OUT
        more = len(lines) - most
        said = speech.say("phrases", "lines_more", {"n": more}) if more > 0 else None
        shown.append({"why": speech.words.find("cut", why) or why, "lines": lines[:most], "more": said or ""})
    return [piece for piece in shown if piece["lines"]]


def _template(request: ReportRequest) -> list[str]:
    """The orders template: given, or made of the legal orders."""
    if request.template or request.legal is None or request.side not in sequence(request.view.get("waiting_for")):
        return list(request.template)[:400]
    try:
        return template(request.game, request.view, request.legal, request.vocabulary or None)[:400]
    except (UnknownGame, ValueError, KeyError, TypeError):
        return []


def _block(lines: Sequence[str], speech: Speech) -> list[str]:
    """The beginning of the template, all comment, with a word about the rest."""
    more = len(lines) - MAX_BLOCK
    if more <= 1:
        return list(lines)
    return [*lines[:MAX_BLOCK], f"# {speech.say('phrases', 'block_more', {'n': more}) or '...'}"]


def _mine(view: Mapping[str, Any]) -> bool:
    return bool(mapping(view.get("step")).get("mine"))


def _closes(lines: Sequence[str]) -> bool:
    return any(line.split()[:1] == ["DONE"] for line in lines)


def position(view: Mapping[str, Any], speech: Speech) -> list[tuple[str, str]]:
    """Rows of the small table of the position: what the view's ``own`` part holds and the game has words for. The words
    may ask for the game's ``options``."""
    own = {**_arrivals(view), **mapping(view.get("own"))}
    rows = []
    for key, caption in (speech.words.game.get("position_labels") or {}).items():
        fields = {"turn": view.get("turn"), **own, "options": mapping(view.get("options"))}
        said = speech.say("position", key, fields) if own.get(key) not in (None, {}, []) else None
        if said:
            rows.append((str(caption), said))
    return rows + (_open_table(view, speech) if view.get("over") else [])


def _arrivals(view: Mapping[str, Any]) -> dict[str, Any]:
    """Who waits at the edge, by side (``due``), and who comes later, by game-turn (``coming``), as the counters of a view tell."""
    now = whole(view.get("turn"))
    due: dict[str, list[str]] = {}
    coming: dict[str, list[str]] = {}
    for one in mappings(view.get("counters")):
        turn = mapping(one.get("num")).get("due")
        if one.get("id") and isinstance(turn, int) and str(one.get("place")).startswith("edge:"):
            (due.setdefault(str(one.get("side")), []) if turn <= now else coming.setdefault(str(turn), [])).append(str(one["id"]))
    return {"due": due, "coming": coming}


def _open_table(view: Mapping[str, Any], speech: Speech) -> list[tuple[str, str]]:
    """After the end: a row for each side with all its counters, where they stand and what they hold."""
    rows: dict[str, list[str]] = {}
    boxes: dict[tuple[str, str], list[str]] = {}
    for counter in mappings(view.get("counters")):
        side, place = str(counter.get("side")), str(counter.get("place"))
        if counter.get("id") and place.startswith(("box:", "edge:")):
            boxes.setdefault((side, place), []).append(str(counter["id"]))
        elif counter.get("id"):
            said = speech.say("phrases", "open_counter", counter) or str(counter["id"])
            rows.setdefault(side, []).append(said[:MAX_SHOWN])
    for (side, place), ids in sorted(boxes.items()):
        rows.setdefault(side, []).append(speech.say("phrases", "open_place", {"place": place, "ids": ids[:MAX_OPEN]}) or place)
    found = speech.in_order(rows)
    return [(speech.say("phrases", "open_side", {"side": side}) or side, "; ".join(said[:MAX_OPEN])) for side, said in found]


def _decisions(view: Mapping[str, Any], side: str | None, speech: Speech) -> list[str]:
    pending = [d for d in mappings(view.get("pending")) if side is not None and d.get("side") == side]
    said = []
    for decision in pending:
        fields = {key: decision.get(key) for key in ("kind", "verb", "choices", "default", "label", "clause", "rule")}
        text = speech.say("asks", str(decision.get("kind")), fields) or speech.say("phrases", "decision", fields)
        if text:
            said.append(text)
    return said


def _notes(request: ReportRequest, speech: Speech) -> list[str]:
    notes = []
    named = (str(speech.words.find("reconstructed", str(name)) or str(name).replace("_", " ")) for name in _reconstructed(request))
    things = [*dict.fromkeys(named), *_cells(request, speech)]
    if things and request.kind in ("receipt", "turn", "start"):
        notes.append(speech.say("notes", "reconstructed", {"things": things}))
    own = [str(name) for name in sequence(mapping(request.vocabulary.get("game")).get("overlaid"))][:20]
    if own and request.kind in ("receipt", "turn", "start"):
        notes.append(speech.say("notes", "overlaid", {"files": own}))
    notes += attached(request, speech)
    return [note for note in notes if note]


def _reconstructed(request: ReportRequest) -> list[str]:
    """The charts and data that are ours and not the printed game's; of charts that are printed in part see ``_cells``."""
    sources = mapping(mapping(request.vocabulary.get("game")).get("sources"))
    known = [str(name) for name, source in sources.items() if source == "reconstructed"]
    in_part = charts_in_part(request.vocabulary, request.game) if request.kind != "start" else ()
    return [name for name in dict.fromkeys([*request.reconstructed, *known]) if name not in in_part]


def _cells(request: ReportRequest, speech: Speech) -> list[str]:
    """The cells of charts that are printed in part that were used and are not printed. A first mail, before any dice, names the charts."""
    found = reconstructed_cells(request.events, request.vocabulary, request.game)
    said = [speech.say("cells", chart, {"cells": cells[:MOST], "more": len(cells) - MOST}) for chart, cells in found.items()]
    return [one for one in said if one]


def _html(page: Mapping[str, Any], speech: Speech) -> str:
    """The HTML form; what is too long for mail programs, which clip long mails, is shortened with a word about it in each place."""
    form = templates()["report.html.j2"]

    def said_more(n: int) -> str:
        return speech.say("phrases", "more", {"n": n}) or ""

    limit = 400
    while True:
        html = form.render({**page, **shorter(page, limit), "said_more": said_more})
        if len(html.encode()) <= MAX_HTML or limit == 0:
            return html
        limit //= 2


def _tidy(text: str) -> str:
    """Plain text without trailing blanks and without more than one empty line at a time."""
    out: list[str] = []
    for line in text.split("\n"):
        line = line.rstrip()
        if line or (out and out[-1]):
            out.append(line)
    return "\n".join(out).strip() + "\n"


@lru_cache(maxsize=1)
def templates() -> Mapping[str, jinja2.Template]:
    """The forms of a report by their files' names, read at once. ValueError, naming the file and line, if one is malformed."""

    def escaped(name: str | None) -> bool:
        return name is not None and name.endswith(".html.j2")

    loader = jinja2.PackageLoader("services.mail", "templates")
    made = jinja2.Environment(loader=loader, autoescape=escaped, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    for name in ("fold", "rows", "order_line", "battle_rows", "throw_rows", "figure_rows", "split_dice"):
        made.filters[name] = getattr(plain, name)
    try:
        return {name: made.get_template(name) for name in ("report.txt.j2", "report.html.j2")}
    except jinja2.TemplateSyntaxError as fault:
        raise ValueError(f"template {fault.name}, line {fault.lineno}: {fault.message}") from fault
