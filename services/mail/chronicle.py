"""A game-turn for a page that stands for long: title, what happened, figures, position and measures, as parts and not as a mail.

Made from the viewer's view and events alone, with the words that mails have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from services.mail.battles.table import Battle, Sentence
from services.mail.figures import figures, front, summary, table
from services.mail.measures import measures
from services.mail.report import position
from services.mail.shape import mapping, sequence
from services.mail.speech import Speech
from services.mail.story import say_event, tell, turn_name
from services.mail.wording import load_wording

PICTURES = ("front", "map", "before-after", "animation")


@dataclass(frozen=True)
class ChronicleRequest:
    """What a chronicle is made of. ``turn``: the game-turn told, which may be before that of the view; ``zone``: of the clock."""

    game: str
    turn: int = 0
    side: str | None = None
    view: Mapping[str, Any] = field(default_factory=dict)
    events: Sequence[Mapping[str, Any]] = ()
    vocabulary: Mapping[str, Any] = field(default_factory=dict)
    language: str = "en"


def chronicle(request: ChronicleRequest) -> dict[str, Any]:
    """The parts. UnknownLanguage if there are no words; what else is missing leaves its place out."""
    speech = Speech(load_wording(request.language, request.game), request.vocabulary, request.side)
    counted = figures(request.events, speech)
    sides, rows = table(counted, speech)
    title = turn_name(request.turn, speech) if request.turn else speech.words.label("set_up")
    ends = [say_event(event, speech) for event in request.events if event.get("kind") == "ended"]
    sections = tell(request.events, speech, request.turn)
    known = [str(side) for side in sequence(mapping(request.vocabulary.get("game")).get("sides"))]
    return {
        "game": speech.title or request.game,
        "title": title,
        "summary": [*(one.text for one in ends if one), *summary(counted, request.view, speech)],
        "awaited": speech.sides_named(waiting) if (waiting := sequence(request.view.get("waiting_for"))) else "",
        "sides": sides,
        "figures": [{"caption": caption, "cells": list(cells)} for caption, cells in rows],
        "sections": [{"title": one.title, "items": [_item(item) for item in one.items]} for one in sections],
        "position": [{"caption": caption, "text": text} for caption, text in position(request.view, speech)],
        "measures": measures(request.view, speech),
        "alt": _alt(request, title, front(counted, speech), speech),
        "names": {side: speech.side_name(side) for side in known},
    }


def _item(item: Sentence | Battle) -> dict[str, Any]:
    if isinstance(item, Sentence):
        return {"kind": "sentence", **asdict(item)}
    return {
        "kind": "battle",
        "title": item.title,
        "clause": item.clause,
        "fighters": [asdict(one) for one in item.fighters],
        "help": list(item.help),
        "throws": [
            {"name": one.name, "told": one.told, "dice": [{"n": n, "hit": hit} for n, hit in one.marked]}
            | {"modifiers": list(one.modifiers), "clause": one.clause, "throws": one.throws}
            for one in item.throws
        ],
        "after": [asdict(one) for one in item.after],
    }


def _alt(request: ChronicleRequest, turn: str, places: Sequence[str], speech: Speech) -> dict[str, str]:
    fields = {"turn": turn, "side": request.side, "places": list(places), "over": bool(request.view.get("over"))}
    return {kind: speech.say("alt", kind, fields) or kind for kind in PICTURES}
