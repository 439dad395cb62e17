"""The parts of a report cut down for the HTML form, which mail programs clip beyond some 100 kB; how much is gone is counted by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.mail.lines import OrderLine
from services.mail.story import Section

_PARTS = ("whole", "lines", "printed", "sources", "decisions", "position", "template", "cut")


def shorter(page: Mapping[str, Any], limit: int) -> dict[str, Any]:
    """The parts with at most ``limit`` items of the story, and of every other part as much as stands in proportion to it.

    ``dropped``: part -> how many of its items (lines of orders, sentences and battles, lines of the template) are left out.
    """
    items, length = max(limit, 8), max(limit * 6, 80)
    dropped: dict[str, int] = {}
    found: dict[str, Any] = {"dropped": dropped}
    found["sections"], dropped["sections"] = _sections(page["sections"], limit)
    for part in _PARTS:
        whole = list(page[part])
        found[part] = whole[:items]
        dropped[part] = len(whole) - len(found[part])
    found["lines"] = [_order(line, length) for line in found["lines"]]
    for part in ("whole", "printed", "decisions", "template"):
        found[part] = [_cut(text, length) for text in found[part]]
    found["position"] = [(caption, _cut(text, length * 4)) for caption, text in found["position"]]
    found["cut"] = [{**one, "lines": [_cut(text, length) for text in one["lines"][:items]]} for one in found["cut"]]
    found["sources"] = [{**one, "lines": [_cut(text, length) for text in one["lines"][:items]]} for one in found["sources"]]
    found["answers"] = [
        replace(one, text=[_cut(x, length) for x in one.text[:items]], listed=one.listed[:items]) for one in page["answers"]
    ]
    dropped["answers"] = sum(len(one.text[items:]) + len(one.listed[items:]) for one in page["answers"])
    return found


def _sections(sections: Sequence[Section], limit: int) -> tuple[list[Section], int]:
    left, kept, dropped = limit, [], 0
    for section in sections:
        items = section.items[:left]
        dropped += len(section.items) - len(items)
        left -= len(items)
        if items:
            kept.append(Section(section.title, items))
    return kept, dropped


def _order(line: OrderLine, length: int) -> OrderLine:
    notes = [replace(note, text=_cut(note.text, length)) for note in line.notes[:4]]
    return replace(line, text=_cut(line.text, length), notes=notes)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
