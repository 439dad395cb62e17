"""The sender's lines as the receipt repeats them: what was understood, what became of each, and what was wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from services.mail.shape import mapping, sequence, whole
from services.mail.speech import Speech

if TYPE_CHECKING:
    from services.mail.report import ReportRequest

_DIRECTIVES = ("END", "CHECK", "HOLD", "ANYWAY", "APPEND", "ON FAULT")
_COMMENTS = ("#", ";")


@dataclass(slots=True)
class Note:
    """Something about a line: the sentence, and the columns that it speaks of (from 1, ``end`` one past; 0: the whole line)."""

    text: str
    column: int = 0
    end: int = 0

    @property
    def caret(self) -> str:
        """A line that points at the columns, for text in a fixed pitch."""
        return " " * (self.column - 1) + "^" * max(1, self.end - self.column) if self.column else ""


@dataclass(slots=True)
class OrderLine:
    """A line by number. ``tone``: ``good``, ``bad``, ``wait`` or ``plain``; ``mark``: the word for what became of it."""

    number: int
    text: str
    tone: str = "plain"
    mark: str = ""
    notes: list[Note] = field(default_factory=list)

    @property
    def is_order(self) -> bool:
        """Whether it can have a fate: no comment, no empty line, no directive."""
        return order_text(self.text)


def order_text(line: str) -> bool:
    """Whether a line can have a fate: see ``OrderLine.is_order``."""
    text = line.strip().upper()
    return bool(text) and not text.startswith((*_DIRECTIVES, *_COMMENTS))


def untold(request: ReportRequest) -> list[Mapping[str, Any]]:
    """The rejections that no diagnostic of the same line has told already."""
    told = {(d.get("line"), d.get("code")) for d in request.diagnostics}
    return [r for r in request.rejections if (r.get("line"), r.get("code")) not in told]


def aligned(request: ReportRequest) -> bool:
    """Whether the canonical lines stand one for one beside the player's, so that each can be shown under the line it was made of."""
    if request.diagnostics or len(request.printed) != len(request.lines):
        return False
    return all(a.split()[:1] == b.split()[:1] for a, b in zip(request.printed, request.lines, strict=True))


def skipped(request: ReportRequest) -> set[int]:
    """The lines that were passed over because their condition did not hold."""
    events = [mapping(e.get("data")) for e in request.events if e.get("kind") == "line_skipped"]
    return {whole(data.get("line")) for data in events if data.get("code") == "guard-false"}


def order_lines(request: ReportRequest, speech: Speech) -> list[OrderLine]:
    """Every line of the mail with its fate."""
    found = [OrderLine(number, text) for number, text in enumerate(request.lines, start=1)]
    by_number = {line.number: line for line in found}
    for diagnostic in request.diagnostics:
        line = by_number.get(whole(diagnostic.get("line")))
        if line is not None:
            line.tone, line.mark = "bad", _fate(speech, "refused")
            line.notes.append(Note(str(diagnostic.get("text", "")), whole(diagnostic.get("column")), whole(diagnostic.get("end"))))
    for rejection in untold(request):
        line = by_number.get(whole(rejection.get("line")))
        if line is not None and line.is_order:
            fate = str(rejection.get("fate", "refused"))
            line.tone, line.mark = ("wait" if fate == "unread" else "bad"), _fate(speech, fate)
            line.notes.append(Note(speech.reason_of(rejection.get("code"), rejection.get("clause"), rejection.get("details"))))
    _from_events(request, speech, by_number)
    if aligned(request):
        for line, printed in zip(found, request.printed, strict=True):
            if printed != line.text:
                line.notes.append(Note(speech.say("phrases", "understood", {"line": printed}) or printed))
    _alternatives(request, speech, found)
    _rest(request, speech, found)
    return found


def _alternatives(request: ReportRequest, speech: Speech, lines: list[OrderLine]) -> None:
    """``ELSE`` lines: one is read only if the line above was passed over, and its faults come under that line's number."""
    above: OrderLine | None = None
    for line in lines:
        if not line.text.strip().upper().startswith("ELSE"):
            above = line if line.is_order else above
        elif above is not None and line.tone == "plain":
            taken = above.number in skipped(request)
            if above.tone == "bad" or (above.tone == "wait" and not taken):
                waits = above.mark in (_fate(speech, "kept"), _fate(speech, "untried"))
                line.tone, line.mark = ("bad" if taken else "wait"), (above.mark if taken or waits else _fate(speech, "unread"))
            elif not taken and above.tone == "plain":
                line.tone, line.mark = "wait", _fate(speech, "passed")


def _from_events(request: ReportRequest, speech: Speech, by_number: Mapping[int, OrderLine]) -> None:
    """Lines that were passed over, or are kept until the way is clear."""
    _mark(by_number, sorted(skipped(request)), "wait", speech, "passed")
    for event in request.events:
        data = mapping(event.get("data"))
        if event.get("kind") == "tail_stored":
            _mark(by_number, sequence(data.get("lines")), "wait", speech, "kept")
        elif event.get("kind") in ("not_done", "checked_to"):
            fate = "unread" if event.get("kind") == "not_done" else "untried"
            _mark(by_number, sequence(data.get("lines")), "wait", speech, fate)


def _mark(by_number: Mapping[int, OrderLine], numbers: list[Any], tone: str, speech: Speech, fate: str) -> None:
    for number in numbers:
        line = by_number.get(number) if isinstance(number, int) else None
        if line is not None and line.is_order and line.tone == "plain":
            line.tone, line.mark = tone, _fate(speech, fate)


def _rest(request: ReportRequest, speech: Speech, lines: list[OrderLine]) -> None:
    """Lines against which nothing was said."""
    mark = speech.words.find("marks", request.status)
    for line in lines:
        if line.tone == "plain" and mark and request.kind == "receipt" and line.is_order:
            line.tone, line.mark = "good" if request.status in ("done", "checked", "held") else "wait", str(mark)


def _fate(speech: Speech, fate: str) -> str:
    return str(speech.words.find("fates", fate) or fate)
