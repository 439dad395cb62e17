"""The sites of an installation: a game of the journal to its end, and a page of all games."""

from __future__ import annotations

import zlib
from pathlib import Path

import lxml.html
import pytest
from sqlalchemy import update

from tests.worker.site.sites import journal_game, silent
from tests.worker.test_fog import SESSIONS, as_it_is
from tests.worker.test_hidden import Files
from tests.worker.whole import Table
from worker.canonical import canonical
from worker.desk.demo_script import ADDRESSES, SCENARIO, SECRET
from worker.play.games import new_game
from worker.site.making import archive_club, archive_one
from worker.store.tables import snapshots

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Two games: one that was played for a while and then ended, and one that has only begun."""
    folder = tmp_path_factory.mktemp("club") / "home"
    found = journal_game(folder, as_it_is, other=False)
    last = found.journal.game("G1").version
    state = found.journal.state("G1", last)[0] | {"over": {"winner": "allied", "level": "marginal", "why": "13b"}}
    with found.journal.engine.begin() as connection:
        here = (snapshots.c.game == "G1", snapshots.c.version == last)
        connection.execute(update(snapshots).where(*here).values(state=zlib.compress(canonical(state))))
    new_game(found.ports, SCENARIO, {"axis": ["i@player.example"], "allied": ["b@player.example"]}, {}, SECRET)
    (folder / "hexpost.toml").write_text(f'database = "sqlite:///{folder}/journal.db"\n')
    return found


def test_a_game_of_the_journal_that_is_over_is_shown_whole(table: Table, tmp_path: Path) -> None:
    home = table.ports.config.home
    archive_one("g1", tmp_path / "site", home / "hexpost.toml", "", silent, Files())
    site = tmp_path / "site"
    index = (site / "index.html").read_text(encoding="utf-8")
    assert "Holdfast: North Africa 1941-42 (G1)" in index
    orders = "".join(path.read_text(encoding="utf-8") for path in sorted((site / "files").glob("*-orders.txt")))
    assert "MOVE PAVIA TO 0409 BY ROAD" in orders  # what was carried out
    assert "CHECK" not in orders  # and not what was only tried
    first = (site / "t01.html").read_text(encoding="utf-8")
    assert "As each side saw it" in first
    assert "PAVIA" in first
    assert SECRET in (site / "dice.html").read_text(encoding="utf-8")
    assert SECRET in (site / "files" / "g1-dice.json").read_text(encoding="utf-8")


def test_all_games_have_a_site_and_a_page_leads_to_each_and_back(table: Table, tmp_path: Path) -> None:
    home = table.ports.config.home
    archive_club(tmp_path / "club", home / "hexpost.toml", "https://archive.example", silent, Files())
    page = lxml.html.parse(str(tmp_path / "club" / "index.html"))
    links = list(dict.fromkeys(str(one) for one in page.xpath("//a/@href") if not str(one).startswith("#")))
    assert links == ["g1/index.html", "g2/index.html"]
    for link in links:
        back = lxml.html.parse(str(tmp_path / "club" / link)).xpath("//a[text()='All games']/@href")
        assert back == ["../index.html"]
    assert "https://archive.example/g2/index.html" in (tmp_path / "club" / "g2" / "feed.xml").read_text(encoding="utf-8")
    for path in (tmp_path / "club").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not [who for who in (*ADDRESSES.values(), "i@player.example") if who.encode() in data], path
    assert SECRET not in (tmp_path / "club" / "g2" / "dice.html").read_text(encoding="utf-8")
    assert len(SESSIONS) > 10
