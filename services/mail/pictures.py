"""The pictures of a report: which there are, how large they are shown, and what stands in their place where none are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from services.mail.shape import mappings, whole
from services.mail.speech import Speech
from services.mail.story import turn_name

if TYPE_CHECKING:
    from services.mail.report import ReportRequest

KINDS = ("front", "map", "before-after", "plan", "animation")
"""In the order in which they stand. ``front``: the part of the map where it was decided, for small screens. An animation is a file."""
FILES = ("save", "log", "module", "module_elsewhere", "dice", "dice_all")
"""The files for VASSAL that a mail can bring, the one that it only names, for it has no room for it, and those of throws."""
LINKED = (*KINDS, "save", "log", "module")
"""What a mail can link to, if it has no room for it."""
COLUMN = 648
"""Pixels of the report's column on a wide screen."""
TALLEST = 520
"""Pixels of height beyond which no picture is shown on a wide screen: a telephone shows it as wide as it is itself."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture in the HTML form. ``width``, ``height``: as shown on a wide screen; ``alt``: what it shows; ``cid``: its Content-ID."""

    kind: str
    cid: str
    alt: str
    width: int
    height: int


def content_id(kind: str) -> str:
    """The Content-ID under which the HTML form shows a kind of picture."""
    return f"{kind}@hexpost"


def shown(request: ReportRequest, places: Sequence[str], speech: Speech) -> dict[str, Shown]:
    """Kind -> its picture, in their order. ``places``: where it was decided. One without a size is shown as wide as the column."""
    found: dict[str, Shown] = {}
    given = {str(one.get("kind")): one for one in mappings(request.pictures)}
    for kind in KINDS[:-1]:
        if kind in given:
            one = given[kind]
            width, height = _size(one)
            found[kind] = Shown(kind, content_id(kind), str(one.get("alt") or "") or _alt(kind, request, places, speech), width, height)
    return found


def attached(request: ReportRequest, speech: Speech) -> list[str]:
    """What is said of the files below the mail."""
    found = [*mappings(request.pictures), *mappings(request.files)]
    named = [(str(one.get("kind")), {key: str(one.get(key) or "") for key in ("name", "url", "module")}) for one in found]
    said = [speech.say("attached", kind, fields) for kind, fields in named]
    return [one for one in said if one]


def linked(request: ReportRequest, speech: Speech) -> list[dict[str, str]]:
    """The links of a report: what each leads to in words, its size, its URL."""
    found = []
    for one in mappings(request.links):
        said = speech.say("linked", str(one.get("kind")), {"name": str(one.get("name") or "")})
        size = speech.say("linked", "size", {"bytes": whole(one.get("size"))})
        found.append({"said": said or str(one.get("name")), "size": size or "", "url": str(one.get("url"))})
    return found


def until(table: str, moment: str | None, request: ReportRequest, speech: Speech) -> str:
    """Until when links work; empty where there are none. ``table``: of the wording."""
    return (speech.say(table, "until", {"when": speech.when(moment, request.zone)}) or "") if moment else ""


def _size(one: Mapping[str, Any]) -> tuple[int, int]:
    width, height = whole(one.get("width")), whole(one.get("height"))
    if width < 1 or height < 1:
        return COLUMN, 0
    shown_width = max(1, min(width, COLUMN, TALLEST * width // height))
    return shown_width, max(1, round(height * shown_width / width))


def _alt(kind: str, request: ReportRequest, places: Sequence[str], speech: Speech) -> str:
    turn = turn_name(request.view["turn"], speech) if request.view.get("turn") else ""
    fields = {"turn": turn, "side": request.side, "places": list(places), "over": bool(request.view.get("over"))}
    return speech.say("alt", kind, fields) or kind
