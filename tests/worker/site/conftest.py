"""Two campaigns and their sites: one that played itself to its end, and one in a journal that still runs and hides things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.worker.test_fog import SESSIONS, Dealt, as_it_is, dealt_otherwise, renamed
from tests.worker.test_hidden import Files
from tests.worker.whole import Table
from worker.canonical import Json
from worker.local import local_mail, local_rules
from worker.selfplay import play_into
from worker.site import making, reading
from worker.site.campaign import Campaign
from worker.site.making import Makers
from worker.site.pages import Book

SCENARIO = "race-for-tunis/eilbote"


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


def site_of(campaign: Campaign, folder: Path, source: Path | None = None) -> Site:
    """A site with toy pictures and real files for VASSAL."""
    folder.mkdir(exist_ok=True)
    book, made = making.build(campaign, folder, Makers(local_rules(), local_mail(), Files(), silent, "https://archive.example/x/"))
    return Site(folder, campaign, book, made, source)


@pytest.fixture(scope="session")
def over(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site of a short campaign that is over."""
    folder = tmp_path_factory.mktemp("over")
    play_into(folder / "game", SCENARIO, "07", (), None, maps=False)
    return site_of(reading.of_folder(folder / "game"), folder / "site", folder / "game")


def journal_game(folder: Path, change: Callable[[Json], None], *, other: bool) -> Table:
    """A game in fog, played by mail for a while; ``other``: the same to all but the Axis."""
    folder.mkdir()
    table = Table(folder, Dealt(change))
    for number, (side, orders) in enumerate(SESSIONS):
        table.play(number, side, renamed(orders) if other and side == "axis" else orders)
    return table


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Site]:
    """The sites of two games that differ in what the Axis alone sees."""
    folder = tmp_path_factory.mktemp("running")
    found = []
    for name, change, other in (("one", as_it_is, False), ("two", dealt_otherwise, True)):
        table = journal_game(folder / name, change, other=other)
        found.append(site_of(reading.of_journal(table.journal, "g1"), folder / f"site-{name}"))
        table.journal.engine.dispose()
    return found[0], found[1]
