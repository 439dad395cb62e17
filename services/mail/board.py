"""The live board in words: who is awaited, what stands where, the position, the decisions, what a draft would lead to, and the sentences
of the page itself.

Made from one viewer's view alone, of the same words as his mails.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.mail.battles.table import Sentence
from services.mail.letters import heading
from services.mail.lines import order_lines, skipped
from services.mail.report import ReportRequest, below, whole_faults
from services.mail.shape import mapping, mappings, sequence, whole
from services.mail.speech import Speech
from services.mail.story import say_event, tell, turn_name
from services.mail.wording import load_wording

MOST_VALUES = 6
"""Values and marks of a counter that are told."""
_UNSAID = frozenset({"due", "delayed", "pass", "held"})


def make_board(tried: Mapping[str, Any] | None = None, **asked: Any) -> dict[str, Any]:
    """The words of a live board (``schemas.BoardAnswer``), as it is asked for. ``tried``: what a draft led to when it was checked.

    UnknownLanguage if there are none; what else is missing leaves its place out.
    """
    request = ReportRequest(kind="turn", **asked)
    speech = Speech(load_wording(request.language, request.game), request.vocabulary, request.side, request.zone)
    head, rest = heading(request, speech), below(request, speech)
    seen = {"turn": turn_name(request.view["turn"], speech) if request.view.get("turn") else "", "side": request.side}
    over = mapping(request.view.get("over"))
    ended = say_event({"kind": "ended", "data": over}, speech) if over else None
    return {
        "title": head.title,
        "under": head.under,
        "awaited": head.awaited,
        "until": head.until,
        "over": ended.text if ended else "",
        "map": speech.say("board", "map", seen | {"over": bool(over)}) or "",
        "places": _places(request.view, speech),
        "position": [list(row) for row in rest["position"]],
        "decisions": rest["decisions"],
        "template": rest["template"],
        "tried": _tried(replace(request, kind="receipt", **tried), speech) if tried else None,
        "say": {key: str(text) for key, text in mapping(speech.words.common.get("board_page")).items()}
        | {key: speech.words.label(key).capitalize() for key in ("awaited", "until")},
    }


def _tried(request: ReportRequest, speech: Speech) -> dict[str, Any]:
    """What a draft would lead to, up to the first die: a sentence, its lines with what is wrong with each, and what would happen."""
    good = request.status in ("checked", "held") and not request.rejections and not request.diagnostics
    told = frozenset(whole(one.get("line")) for one in request.rejections) | skipped(request)
    said = speech.say("board", "tried_good" if good else "tried_bad", {})
    return {
        "good": good,
        "sentences": [*([said] if said else []), *whole_faults(request, speech)],
        "lines": [
            {"text": line.text, "tone": line.tone, "mark": line.mark, "notes": [note.text for note in line.notes]}
            for line in order_lines(request, speech)
        ],
        "would": [
            {"title": one.title, "texts": [item.text if isinstance(item, Sentence) else item.title for item in one.items]}
            for one in tell(request.events, speech, request.view.get("turn"), told)
        ],
    }


def _places(view: Mapping[str, Any], speech: Speech) -> list[dict[str, Any]]:
    """What stands where: the hexes by number; then the places off the map, the reader's own side first, and by when units come."""
    on_map: dict[str, list[dict[str, Any]]] = {}
    off_map: dict[tuple[bool, str, str, int], list[dict[str, Any]]] = {}
    for one in mappings(view.get("counters")):
        place, side = str(one.get("place")), str(one.get("side"))
        if place.isdigit():
            on_map.setdefault(place, []).append(_counter(one, speech))
        else:
            due = whole(mapping(one.get("num")).get("due"))
            due = max(due, whole(view.get("turn"))) if due else 0
            off_map.setdefault((not speech.own(side), side, place, due), []).append(_counter(one, speech))
    found = [{"hex": place, "name": _name(place, speech), "counters": on_map[place]} for place in sorted(on_map)]
    return found + [{"hex": "", "name": _off(key[1:], view, speech), "counters": off_map[key]} for key in sorted(off_map)]


def _off(key: tuple[str, str, int], view: Mapping[str, Any], speech: Speech) -> str:
    """What a group of counters off the map is called: whose they are, where, and from which game-turn on they may come."""
    side, place, due = key
    now = whole(view.get("turn"))
    fields = {"side": side, "place": _name(place, speech), "now": 0 < due == now, "turn": turn_name(due, speech) if due > now else ""}
    return speech.say("board", "off", fields) or _name(place, speech)


def _name(place: str, speech: Speech) -> str:
    name = speech.at(place)
    return name[:1].upper() + name[1:]


def _counter(one: Mapping[str, Any], speech: Speech) -> dict[str, Any]:
    unit = str(one.get("id") or "")
    name = speech.unit_name(unit or one.get("card")) if unit or one.get("card") else speech.block(one.get("side"), one.get("alias"))
    then = "?" if one.get("known") == "seen" else ""  # as it was when it was last seen, as on the map
    values = [f"{key.upper()} {speech.number(value)}{then}" for key, value in mapping(one.get("num")).items() if key not in _UNSAID]
    said = [*values, *(str(mark).replace("-", " ") for mark in sequence(one.get("marks")))][:MOST_VALUES]
    own = speech.own(one.get("side"))
    return {"unit": unit if own else "", "side": str(one.get("side") or ""), "text": ": ".join([name, *filter(None, [", ".join(said)])])}
