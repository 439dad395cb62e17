"""The live board in words: who is awaited, what stands where, the position, the decisions, and the sentences of the page itself.

Made from one viewer's view alone, of the same words as his mails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.mail.letters import heading
from services.mail.report import ReportRequest, below
from services.mail.shape import mapping, mappings, sequence
from services.mail.speech import Speech
from services.mail.story import turn_name
from services.mail.wording import load_wording

MOST_VALUES = 6
"""Values and marks of a counter that are told."""
_UNSAID = frozenset({"due", "delayed", "pass", "held"})


def make_board(request: ReportRequest) -> dict[str, Any]:
    """The words of a live board (``schemas.BoardAnswer``). UnknownLanguage if there are none; what else is missing leaves its place out."""
    speech = Speech(load_wording(request.language, request.game), request.vocabulary, request.side, request.zone)
    head, rest = heading(request, speech), below(request, speech)
    seen = {"turn": turn_name(request.view["turn"], speech) if request.view.get("turn") else "", "side": request.side}
    return {
        "title": head.title,
        "under": head.under,
        "awaited": head.awaited,
        "until": head.until,
        "map": speech.say("board", "map", seen | {"over": bool(request.view.get("over"))}) or "",
        "places": _places(request.view, speech),
        "position": [list(row) for row in rest["position"]],
        "decisions": rest["decisions"],
        "template": rest["template"],
        "say": {key: str(text) for key, text in mapping(speech.words.common.get("board_page")).items()},
    }


def _places(view: Mapping[str, Any], speech: Speech) -> list[dict[str, Any]]:
    """What stands where: the hexes by number, then the places off the map."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in mappings(view.get("counters")):
        found.setdefault(str(one.get("place")), []).append(_counter(one, speech))
    order = sorted(found, key=lambda place: (not place.isdigit(), place))
    return [{"hex": place if place.isdigit() else "", "name": _name(place, speech), "counters": found[place]} for place in order]


def _name(place: str, speech: Speech) -> str:
    name = speech.at(place)
    return name[:1].upper() + name[1:]


def _counter(one: Mapping[str, Any], speech: Speech) -> dict[str, Any]:
    unit = str(one.get("id") or "")
    name = speech.unit_name(unit or one.get("card")) if unit or one.get("card") else speech.block(one.get("side"), one.get("alias"))
    values = [f"{key.upper()} {speech.number(value)}" for key, value in mapping(one.get("num")).items() if key not in _UNSAID]
    said = [*values, *(str(mark).replace("-", " ") for mark in sequence(one.get("marks")))][:MOST_VALUES]
    own = speech.own(one.get("side"))
    return {"unit": unit if own else "", "side": str(one.get("side") or ""), "text": ": ".join([name, *filter(None, [", ".join(said)])])}
