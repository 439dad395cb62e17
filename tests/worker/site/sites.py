"""Sites to be looked at: of a campaign that played itself to its end, and of a game in a journal that still runs and hides things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.worker.test_fog import SESSIONS, Dealt, renamed
from tests.worker.test_hidden import Files
from tests.worker.whole import Table
from worker.canonical import Json, canonical, decode
from worker.desk.selfplay import play_into
from worker.local import local_mail, local_render, local_rules
from worker.site import making, reading
from worker.site.campaign import Campaign
from worker.site.making import Makers
from worker.site.pages import Book

SCENARIO = "race-for-tunis/eilbote"
"""A week of January: the shortest campaign that there is."""
TURNS = 3


def silent(_: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True)
class Site:
    """A site and what it was made from. ``made``: how many pictures and files were new."""

    folder: Path
    campaign: Campaign
    book: Book
    made: int
    source: Path | None = None

    def page(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def files(self) -> dict[str, bytes]:
        """Every file by its name, hidden ones among them."""
        return {str(one.relative_to(self.folder)): one.read_bytes() for one in sorted(self.folder.rglob("*")) if one.is_file()}


class Small(Files):
    """Small maps, real ones; no other pictures."""

    def __init__(self) -> None:
        super().__init__()
        self._maps = local_render()

    def map(self, body: Json) -> bytes:
        return self._maps.map(body | {"scale": 640})


def site_of(campaign: Campaign, folder: Path, source: Path | None = None, render: Files | None = None) -> Site:
    """A site with real files for VASSAL, and unless ``render`` draws others with toy pictures."""
    folder.mkdir(exist_ok=True)
    book, made = making.build(
        campaign, folder, Makers(local_rules(), local_mail(), render or Files(), silent, "https://archive.example/x/")
    )
    return Site(folder, campaign, book, made, source)


def over_site(folder: Path, render: Files | None = None) -> Site:
    """The site of a campaign that is said to be over after three of its game-turns."""
    play_into(folder / "game", SCENARIO, "07", (), TURNS, maps=False)
    last = max((folder / "game" / "outcomes").iterdir())
    outcome = decode(last.read_bytes())
    last.write_bytes(canonical(outcome | {"state": outcome["state"] | {"over": {"winner": "axis", "level": "marginal", "why": "18.3"}}}))
    return site_of(reading.of_folder(folder / "game"), folder / "site", folder / "game", render)


def journal_game(folder: Path, change: Callable[[Json], None], *, other: bool, **more: Json) -> Table:
    """A game in fog, played by mail for a while; ``other``: the same to all but the Axis; ``more``: settings."""
    folder.mkdir()
    table = Table(folder, Dealt(change), more=more)
    for number, (side, orders) in enumerate(SESSIONS):
        table.play(number, side, renamed(orders) if other and side == "axis" else orders)
    return table
