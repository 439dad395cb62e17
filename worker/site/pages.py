"""The pages of a site, from templates: each stands alone, needs no script to be read, and asks for nothing outside its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from worker.site.campaign import Campaign
from worker.site.pictures import size_of
from worker.site.plots import Plot
from worker.site.search import Entry
from worker.site.told import Told

STATIC = ("site.css", "book.css", "site.js", "search.js")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page: its file, its size in pixels, and what it shows, in words."""

    file: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True)
class Leaf:
    """A game-turn with its pictures (by kind: map, dark, front, change, turn), those by side (side, picture), and its files for VASSAL."""

    told: Told
    pictures: Mapping[str, Picture]
    sides: list[tuple[str, Picture]]
    files: list[str]

    @property
    def headline(self) -> str:
        """What happened first of all; empty where nothing did."""
        return str(next(iter(self.told.words["summary"]), ""))


@dataclass(frozen=True)
class Book:
    """All that the pages of a campaign are made from. ``drawn``: what is to be said of its pictures;
    ``given_up``: game-turns of ways that were taken back; ``up``: the club's page, relative;
    empty where there is none."""

    campaign: Campaign
    leaves: list[Leaf]
    plots: list[Plot]
    moving: Picture | None
    module: str
    entries: list[Entry]
    title: str
    scenario: str
    ended: list[str]
    drawn: list[str]
    given_up: list[Leaf]
    up: str = ""

    @property
    def dice(self) -> str:
        """The file of its throws."""
        return dice_name(self.campaign)

    def left(self, number: int) -> list[Leaf]:
        """The game-turns of the ways that were taken back to a game-turn."""
        ways = {way.number for way in self.campaign.given_up if way.turns[0].number == number}
        return [one for one in self.given_up if one.told.turn.given_up in ways]

    @property
    def last(self) -> Leaf:
        """The last game-turn."""
        return self.leaves[-1]


def dice_name(campaign: Campaign) -> str:
    """The name of the file of a campaign's throws."""
    return f"files/{campaign.key}-dice.json"


def leaf(folder: Path, told: Told, names: list[str]) -> Leaf:
    """A game-turn with what of ``names`` is its own."""
    alt = told.words["alt"] | {
        "dark": told.words["alt"]["map"],
        "change": told.words["alt"]["before-after"],
        "turn": told.words["alt"]["animation"],
    }
    said = " ".join(told.words["summary"][:2])
    found: dict[str, Picture] = {}
    for kind in ("map", "dark", "front", "change", "turn"):
        file = f"pictures/{told.stem}-{kind}.webp"
        if file in names:
            found[kind] = Picture(file, *size_of(folder / file), f"{alt[kind]} {said}".strip())
    sides = [(side, f"pictures/{told.stem}-{side}.webp") for side in told.by_side]
    named = told.words["names"]
    seen = [(side, Picture(file, *size_of(folder / file), f"{alt['map']} As seen by: {named.get(side, side)}.")) for side, file in sides]
    return Leaf(told, found, seen, [name for name in names if name.startswith(f"files/{told.stem}.")])


def pages(book: Book) -> dict[str, str]:
    """The pages of a campaign: name -> HTML."""
    made = {"index.html": _page("index", book=book, here="index.html"), "dice.html": _page("dice", book=book, here="dice.html")}
    made |= {"search.html": _page("search", book=book, here="search.html"), "book.html": _page("book", book=book, here="book.html")}
    ways = [[one for one in book.given_up if one.told.turn.given_up == way.number] for way in book.campaign.given_up]
    for leaves in (book.leaves, *ways):
        for before, one, after in zip([None, *leaves], leaves, [*leaves[1:], None], strict=False):
            made[one.told.page] = _page("turn", book=book, leaf=one, before=before, after=after, here=one.told.page)
    return made


def club_page(games: Sequence[tuple[str, Book]]) -> str:
    """The page of all games: folder and book of each."""
    return _page("club", games=[{"folder": folder, "book": book} for folder, book in games])


def counted(count: int, one: str, many: str = "") -> str:
    """A number with what is counted, by default in English: ``1 throw``, ``2 throws``."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def static(name: str) -> bytes:
    """A file that is the same in each site."""
    return (Path(__file__).parent.parent / "templates" / "site" / name).read_bytes()


def _page(name: str, **fields: Any) -> str:
    return templates().get_template(f"{name}.html.j2").render(version=version("hexpost"), **fields)


@lru_cache(maxsize=1)
def templates() -> jinja2.Environment:
    """The templates; every value is escaped but plots, which are ours."""
    loader = jinja2.PackageLoader("worker", "templates/site")
    made = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    made.filters["counted"] = counted
    made.filters["drawing"] = Markup
    made.filters["dice"] = lambda dice: ", ".join(str(one) for one in dice)
    made.filters["key"] = lambda key: " / ".join(str(one) for one in key)
    return made
