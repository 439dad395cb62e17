"""A side's lines that wait: how many of a mail's are kept for later, and what became of those that were kept when they could be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from services.mail.lines import Note, OrderLine, order_text
from services.mail.orders.languages import UnknownGame, language_of
from services.mail.orders.printing import order_lines as printed
from services.mail.shape import mapping, mappings, sequence, whole
from services.mail.speech import Speech

if TYPE_CHECKING:
    from services.mail.report import ReportRequest


def kept_of(request: ReportRequest) -> tuple[int, int]:
    """How many lines of the mail are orders, and how many of those its report says to be kept for later."""
    orders = {number for number, line in enumerate(request.lines, start=1) if order_text(line)}
    kept = {
        line for event in request.events if event.get("kind") == "tail_stored" for line in sequence(mapping(event.get("data")).get("lines"))
    }
    return len(orders), len(orders & kept)


def stored_lines(request: ReportRequest, speech: Speech) -> list[OrderLine]:
    """The lines that were kept when the side was last told, each with what became of it since."""
    found = [OrderLine(whole(order.get("line")), text) for order in request.kept for text in _texts(request.game, order)]
    for event in request.events:
        data = mapping(event.get("data"))
        match event.get("kind"):
            case "line_skipped" if data.get("code") == "guard-false":
                _fate(found, data.get("line"), "wait", "passed", speech)
            case "line_skipped":
                _fate(found, data.get("line"), "bad", "skipped", speech, _reason(event, speech))
            case "script_stopped":
                _fate(found, data.get("line"), "bad", "stopped", speech, _reason(event, speech))
                for number in sequence(data.get("unread")):
                    _fate(found, number, "wait", "unread", speech)
            case "not_done":
                for number in sequence(data.get("lines")):
                    _fate(found, number, "wait", "unread", speech)
    waiting = mappings(request.view.get("tail"))
    still = [order in waiting for order in request.kept for _ in _texts(request.game, order)]
    above: OrderLine | None = None
    for line, waits in zip(found, still, strict=True):
        other = line.text.startswith("ELSE ") and above is not None
        if not line.mark and waits:
            line.tone, line.mark = "wait", _word(speech, "fates", "kept")
        elif not line.mark and other and above is not None and above.mark != _word(speech, "fates", "passed"):
            line.tone, line.mark = "wait", _word(speech, "fates", "unread" if above.tone != "good" else "passed")
        elif not line.mark:
            line.tone, line.mark = "good", _word(speech, "marks", "done")
        above = line
    return found


def stored_fields(request: ReportRequest, speech: Speech) -> dict[str, Any]:
    """What the first words of a report say of such lines: where they stopped, how many were left out, how many still wait."""
    lines = stored_lines(request, speech)
    marks = {key: _word(speech, "fates", key) for key in ("kept", "stopped", "skipped", "unread")}
    stopped = next((line for line in lines if line.mark == marks["stopped"]), None)
    return {
        "stored": sum(not line.text.startswith("ELSE ") for line in lines),
        "stopped": stopped.number if stopped else None,
        "stopped_line": stopped.text if stopped else "",
        "why": stopped.notes[0].text if stopped and stopped.notes else "",
        "skipped": [line.number for line in lines if line.mark == marks["skipped"]],
        "unread": [line.number for line in lines if line.mark == marks["unread"]],
        "waiting": sum(line.mark == marks["kept"] and not line.text.startswith("ELSE ") for line in lines),
    }


def _texts(game: str, order: Mapping[str, Any]) -> list[str]:
    """An order as its line, and that of its ``ELSE``."""
    try:
        return printed(language_of(game), order)
    except (UnknownGame, ValueError, KeyError, TypeError):
        return [str(order.get("verb", ""))]


def _word(speech: Speech, table: str, key: str) -> str:
    return str(speech.words.find(table, key) or key)


def _reason(event: Mapping[str, Any], speech: Speech) -> str:
    data = mapping(event.get("data"))
    return speech.reason_of(data.get("code"), event.get("clause"), data.get("details"))


def _fate(lines: list[OrderLine], number: Any, tone: str, fate: str, speech: Speech, note: str = "") -> None:
    """Mark the first line of that number that has no mark yet: lines of several mails may bear the same."""
    line = next((one for one in lines if one.number == number and not one.mark), None)
    if line is not None:
        line.tone, line.mark = tone, _word(speech, "fates", fate)
        line.notes += [Note(note)] if note else []
