"""The index by which a site is searched: an entry a part of a page, read by a few lines of script; without them it is a list of links."""

from __future__ import annotations

from dataclasses import dataclass

from worker.canonical import Json, canonical
from worker.site.told import Told


@dataclass(frozen=True, slots=True)
class Entry:
    """A part of a page: where it is, its headings, and its words."""

    url: str
    page: str
    part: str
    text: str


def entries(told: list[Told]) -> list[Entry]:
    """The entries of a campaign: for each game-turn its summary, then each step in which something happened."""
    found = []
    for one in told:
        found.append(Entry(f"{one.page}#summary", one.title, "", " ".join(one.words["summary"])))
        for number, section in enumerate(one.words["sections"], start=1):
            text = " ".join(part for item in section["items"] for part in _words(item))
            found.append(Entry(f"{one.page}#s{number}", one.title, section["title"], text))
    return found


def _words(item: Json) -> list[str]:
    if item["kind"] == "sentence":
        return [part for part in (item["text"], item["clause"], item["throws"]) if part]
    fighters = [f"{one['name']} {one['place']}" for one in item["fighters"]]
    thrown = [part for one in item["throws"] for part in (one["name"], one["told"], one["clause"], one["throws"], *one["modifiers"])]
    after = [part for one in item["after"] for part in (one["text"], one["clause"], one["throws"])]
    return [part for part in (item["title"], item["clause"], *fighters, *item["help"], *thrown, *after) if part]


def as_script(found: list[Entry]) -> bytes:
    """The index as a script: a page that was opened as a file may load one, and nothing else."""
    rows = [[one.url, one.page, one.part, one.text] for one in found]
    return b"window.hexpostIndex=" + canonical(rows).replace(b"</", b"<\\/") + b";\n"
