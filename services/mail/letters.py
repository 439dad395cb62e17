"""What stands on top of each kind of mail: subject, title, and the sentences that say at once how things are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from services.mail.answers import first_keys, verbs_of
from services.mail.lines import untold
from services.mail.quotes import bears_our_mark
from services.mail.shape import mapping, mappings, sequence, whole
from services.mail.speech import Speech
from services.mail.stored import kept_of, stored_fields
from services.mail.story import section_title, turn_name

if TYPE_CHECKING:
    from services.mail.report import ReportRequest


@dataclass(frozen=True, slots=True)
class Heading:
    """``subject``: of the mail, without tag; ``title`` and ``under``: of the page; ``awaited``, ``until``: who must act, and by when.
    ``how``: what he is to do, if it is the reader.
    """

    subject: str
    title: str
    under: str
    awaited: str
    until: str
    side: str
    how: str


@dataclass(frozen=True, slots=True)
class Lead:
    """The first sentences. ``tone``: ``good``, ``bad`` or ``plain``."""

    tone: str
    sentences: list[str]


def heading(request: ReportRequest, speech: Speech) -> Heading:
    """Subject and title of a report."""
    view = request.view
    over = view.get("over")
    waiting = [] if over else sequence(view.get("waiting_for"))
    under = " · ".join(
        part
        for part in (
            request.game_id,
            turn_name(view["turn"], speech) if view.get("turn") else "",
            speech.side_name(request.side) if request.side else "",
        )
        if part
    )
    awaited = speech.sides_named(waiting) if waiting else ""
    where = section_title(view.get("path"), speech, view.get("turn")) if waiting else ""
    return Heading(
        _subject(request, speech),
        _title(request, speech),
        under,
        f"{awaited} ({where})" if awaited and where else awaited,
        _until(request, speech) if waiting else "",
        request.side or "",
        _how(request, speech) if request.side in waiting and not (request.copy or request.chat) else "",
    )


def _how(request: ReportRequest, speech: Speech) -> str:
    """What whoever is awaited is to do."""
    return speech.say("how", "short", {"template": bool(request.template or request.legal)}) or ""


def _until(request: ReportRequest, speech: Speech) -> str:
    if "paused" in (*request.notes, *first_keys(request)):
        return speech.say("phrases", "no_deadline_paused", {}) or ""
    return speech.when(request.deadline, request.zone) if request.deadline else speech.say("phrases", "no_deadline", {}) or ""


def _title(request: ReportRequest, speech: Speech) -> str:
    """What the game is called; a mail that belongs to no game is the desk's own."""
    return request.title or speech.title or (request.game if request.game_id else "hexpost")


def _subject(request: ReportRequest, speech: Speech) -> str:
    view = request.view
    key = request.kind
    if request.kind == "receipt":
        partly = request.status == "done" and bool(request.rejections)
        key = "receipt_partly" if partly else f"receipt_{request.status}"
        key = "receipt_kept" if _kept(request) and not partly else key
    if key in ("notice", "answer"):
        key = next((f"{key}-{one}" for one in first_keys(request) if speech.words.has("subjects", f"{key}-{one}")), key)
    fields: dict[str, Any] = {
        "commands": verbs_of(request),
        "given": len(request.answers),
        "refused": sum(mapping(one).get("status") == "refused" for one in request.answers),
        "lines": sum(1 for line in request.lines if line != "END"),
        "faults": len(untold(request)) + len(request.diagnostics),
        "wrong": _wrong(request),
        "kept": _kept(request),
        "why": speech.words.find("refused_because", request.verdict.partition(":")[2]),
        "where": section_title(view.get("path"), speech, view.get("turn")).replace(" · ", ", "),
        "title": _title(request, speech),
        "side": request.side,
        "over": bool(view.get("over")),
        "mine": request.side is not None and request.side in sequence(view.get("waiting_for")),
        "when": turn_name(view["turn"], speech) if view.get("turn") else request.game_id,
        "stopped": stored_fields(request, speech)["stopped"],
        "hours_left": request.hours or 0,
    }
    return speech.say("subjects", key, fields) or key


def _wrong(request: ReportRequest) -> list[int]:
    """The lines that have faults of their own, at most the first five."""
    found = {whole(one.get("line")) for one in (*request.diagnostics, *request.rejections) if one.get("fate") != "unread"}
    return sorted(found - {0})[:5]


def lead(request: ReportRequest, speech: Speech, happened: list[str]) -> Lead:
    """The sentences that say how things are. ``happened``: what is to be told of what happened."""
    found = _lead(request, speech)
    noted = [speech.say("notes", one, {}) for one in request.notes]
    return Lead(found.tone, found.sentences + happened + [text for text in noted if text])


def _lead(request: ReportRequest, speech: Speech) -> Lead:
    match request.kind:
        case "receipt":
            return _receipt(request, speech)
        case "explain" | "confirm":
            return _mail(request, speech)
        case "answer" | "notice":
            return Lead("plain", [])
        case "reminder":
            return Lead("plain", _reminder(request, speech))
        case "start":
            fields = {
                "title": _title(request, speech),
                "side": request.side,
                "game": request.game_id,
                "commitment": request.commitment,
            }
            said = [speech.say("start", "welcome" if request.side else "watching", fields)]
            said.append(_options(request, speech))
            said.append(speech.say("start", "dice", fields) if request.commitment else None)
            said.append(speech.say("start", "words", {"words": request.dice_words}) if request.dice_words else None)
            timed = any(request.terms.get(one) for one in ("turn", "reaction", "setup"))
            said.append(speech.say("start", "terms", request.terms) if timed and request.side else None)
            return Lead("plain", [text for text in said if text])
        case _:
            return _stored(request, speech)


def _reminder(request: ReportRequest, speech: Speech) -> list[str]:
    """How much time is left, for what, and what comes after it."""
    fields = {
        "hours_left": request.hours or 0,
        "until": request.deadline,
        "where": section_title(request.view.get("path"), speech, request.view.get("turn")),
        "asked": [one.get("kind") for one in mappings(request.view.get("pending")) if one.get("side") == request.side],
    }
    said = [speech.say("reminder", "left", fields), speech.say("reminder", "then", {**request.terms})]
    return [text for text in said if text]


def _options(request: ReportRequest, speech: Speech) -> str | None:
    """Which options the game is played with, in a game that has words for them."""
    chosen = mapping(request.view.get("options"))
    known = [key for key in mapping(speech.words.game.get("options")) if key in chosen]
    said = [speech.say("options", key, {"value": chosen[key]}) for key in known]
    return speech.say("start", "options", {"played": [one for one in said if one]}) if known else None


def _receipt(request: ReportRequest, speech: Speech) -> Lead:
    key, tone = request.status, "good" if request.status in ("done", "checked", "held") else "bad"
    if request.status == "done" and request.rejections:
        key, tone = "done_partly", "bad"
    elif _kept(request):
        key, tone = "done_kept", "plain"
    if request.status == "refused" and request.diagnostics:
        key = "refused_unread"
    if request.status in ("checked", "held") and (request.rejections or request.diagnostics):
        tone = "bad"
    view = request.view
    fields = {
        "over": bool(view.get("over")),
        "lines": kept_of(request)[0],
        "kept": _kept(request),
        "waiting_for": sequence(view.get("waiting_for")),
        "mine": request.side in sequence(view.get("waiting_for")),
        "where": section_title(view.get("path"), speech, view.get("turn")),
    }
    said = speech.say("status", key, fields)
    return Lead(tone, [said] if said else [])


def _kept(request: ReportRequest) -> int:
    """How many lines of orders that were taken are kept for later."""
    return kept_of(request)[1] if request.kind == "receipt" and request.status == "done" else 0


def _stored(request: ReportRequest, speech: Speech) -> Lead:
    """What became of the lines that waited: the first thing that their writer wants to know."""
    if not request.kept:
        return Lead("plain", [])
    fields = stored_fields(request, speech)
    failed = fields["stopped"] is not None or bool(fields["skipped"])
    said = speech.say("status", "stored", fields)
    return Lead("bad" if failed else "plain" if fields["waiting"] else "good", [said] if said else [])


def _mail(request: ReportRequest, speech: Speech) -> Lead:
    """A mail that was refused, or that the registered address is asked about."""
    why = request.verdict.partition(":")[2]
    fields = {"current": request.view.get("turn"), "named": request.game_id, "sender": request.sender, "subject": request.subject}
    history = [str(one.get("text") or "") for one in request.cut if one.get("why") == "history"]
    fields |= {"address": request.address, "below": bool(history), "marked": any(bears_our_mark(one) for one in history)}
    if request.kind == "explain":
        said = [speech.say("refusals", why, fields), speech.say("advice", why, fields)]
    else:
        said = [speech.say("confirm", why, fields), speech.say("confirm", "advice", fields)]
    if request.subject:
        said.append(speech.say("confirm", "subject_line", fields))
    return Lead("bad" if request.kind == "explain" else "plain", [text for text in said if text])
