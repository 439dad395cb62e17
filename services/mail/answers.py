"""What commands led to, in words: for each its line, its sentences, a list, and text as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from services.mail.commands.help import help_on
from services.mail.shape import mapping, mappings, sequence
from services.mail.speech import Speech

if TYPE_CHECKING:
    from services.mail.report import ReportRequest

ANSWERED = ("done", "refused", "asked")
SHOWS = ("map", "template", "position")
_TONES = {"done": "good", "refused": "bad", "asked": "wait"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command. ``mark``: a word for its ``status``; ``text``: lines shown as they are; ``title``: that of a part."""

    line: str
    tone: str
    mark: str
    sentences: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    title: str = ""


def answered(request: ReportRequest, speech: Speech) -> list[Answer]:
    """The answers to the commands of a mail, in its order."""
    return [_answer(mapping(one), request, speech) for one in request.answers]


def _answer(one: Mapping[str, Any], request: ReportRequest, speech: Speech) -> Answer:
    line, status = str(one.get("line") or ""), str(one.get("status") or "done")
    said, listed, text = _said(one.get("said"), speech), _said(one.get("listed"), speech), [str(x) for x in sequence(one.get("text"))]
    asked = next((mapping(x.get("fields")) for x in mappings(one.get("said")) if str(x.get("key")).startswith("help")), None)
    if asked is not None:
        found = help_on(str(asked.get("game") or ""), str(asked.get("topic") or ""), speech)
        said, listed, text = found.sentences or said, found.listed, found.text
    mark = str(speech.words.find("answered", status) or status) if line else ""
    title = _said([one["title"]] if one.get("title") else [], speech)
    return Answer(line, _TONES.get(status, "plain"), mark, said, listed, [part for x in text for part in x.split("\n")], "".join(title))


def _said(found: Any, speech: Speech) -> list[str]:
    """Sentences of the table ``commands``; one without words is told by its key."""
    told = [(str(one.get("key")), mapping(one.get("fields"))) for one in mappings(found)]
    return [speech.say("commands", key, fields) or key.replace("-", " ") for key, fields in told]


def first_keys(request: ReportRequest) -> list[str]:
    """The keys of what is said first."""
    return [str(one.get("key")) for answer in request.answers for one in mappings(mapping(answer).get("said"))]


def verbs_of(request: ReportRequest) -> list[str]:
    """The verbs of the commands that are answered, each once."""
    return list(dict.fromkeys(str(mapping(one).get("line") or "?").split(" ")[0].upper().strip(".:!?") for one in request.answers))
