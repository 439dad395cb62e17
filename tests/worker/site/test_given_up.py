"""A game that was taken back: what was given up has its pages once the game is over, and who downloads the game can check all of it."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path

import lxml.html
import pytest
from sqlalchemy import update

from tests.worker.boards import handle_waiting
from tests.worker.fakes import orders_mail
from tests.worker.site.sites import Site, journal_game, site_of
from tests.worker.test_cli import hexpost
from tests.worker.test_fog import as_it_is
from tests.worker.whole import AT, Table
from worker import secrets
from worker.canonical import Json, canonical, decode
from worker.desk import proving, taken_along
from worker.desk.verify import Verified
from worker.local import local_rules
from worker.play.games import UnusableInput
from worker.site import reading
from worker.store.tables import snapshots

MASTER = "max@club.example"
TO = 2

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game that was played for a while, taken back to its first game-turn, and played on otherwise."""
    found = journal_game(tmp_path_factory.mktemp("taken-back") / "home", as_it_is, other=False, game_master=MASTER)
    game = found.journal.game("G1")
    line = f"ROLLBACK G1 TO VERSION {TO} CODE {secrets.code(game.secret, 'rollback', game.version, TO)}"
    stamp = f"Authentication-Results: mx.hexpost.example; dmarc=pass header.from={MASTER.partition('@')[2]}\n".encode()
    found.journal.add_message("master", stamp + orders_mail("orders@hexpost.example", MASTER, "<m@max>", line), AT, "G1")
    handle_waiting(found)
    found.play(200, "axis", "MOVE ARIETE TO 0508 BY ROAD")
    after = found.journal.game("G1")
    assert (after.branch, after.version) == (1, game.version + 2)
    return found


def end(table: Table) -> None:
    """Say that the game is over, in its last state."""
    last = table.journal.game("G1").version
    state = table.journal.state("G1", last)[0] | {"over": {"winner": "allied", "level": "marginal", "why": "13b"}}
    with table.journal.engine.begin() as connection:
        here = (snapshots.c.game == "G1", snapshots.c.version == last)
        connection.execute(update(snapshots).where(*here).values(state=zlib.compress(canonical(state))))


@pytest.fixture(scope="module")
def sites(table: Table, tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Site]:
    """Its site while it runs, made in the folder of an earlier one, and when it is over."""
    folder = tmp_path_factory.mktemp("sites")
    (folder / "one").mkdir()
    for name in ("t02.html", "t03.html"):
        (folder / "one" / name).write_text("of what was taken back")
    running = site_of(reading.of_journal(table.journal, "G1"), folder / "one")
    state = table.journal.state("G1", table.journal.game("G1").version)[0]
    end(table)
    over = site_of(reading.of_journal(table.journal, "G1"), folder / "two")
    with table.journal.engine.begin() as connection:
        connection.execute(
            update(snapshots)
            .where(snapshots.c.game == "G1", snapshots.c.version == table.journal.game("G1").version)
            .values(state=zlib.compress(canonical(state)))
        )
    return running, over


def test_while_it_runs_nothing_tells_of_what_was_taken_back(sites: tuple[Site, Site]) -> None:
    site = sites[0]
    assert [leaf.told.turn.number for leaf in site.book.leaves] == [1]
    assert sorted(path.name for path in site.folder.glob("*.html")) == ["book.html", "dice.html", "index.html", "search.html", "t01.html"]
    assert site.campaign.given_up == []
    assert not [name for name, data in site.files().items() if b"given up" in data.lower() or name.endswith(".zip")]


def test_when_it_is_over_what_was_given_up_has_its_pages_and_is_marked(sites: tuple[Site, Site]) -> None:
    site = sites[1]
    (way,) = site.campaign.given_up
    assert (way.number, way.why, [one.number for one in way.turns]) == (1, "rollback", [1, 2])
    links = lxml.html.fromstring(site.page("t01.html")).xpath("//section[@aria-labelledby='given-up']//a/@href")
    assert links == ["b1-t01.html", "b1-t02.html"]
    page = lxml.html.fromstring(site.page("b1-t01.html"))
    assert page.xpath("string(//h1)") == "Turn 1, March 1941 (given up)"
    assert "the game master took the game back" in " ".join(page.xpath("string(//p[@class='result'])").split())
    assert page.xpath("//p[@class='result']/a/@href") == ["t01.html"]
    assert page.xpath("//a[@rel='next']/@href") == ["b1-t02.html"]
    for name, moved, not_moved in (("b1-t01", "PAVIA TO 0409", "ARIETE TO 0508 BY ROAD\n\n"), ("t01", "ARIETE TO 0508", "PAVIA TO 0409")):
        orders = (site.folder / f"files/{name}-orders.txt").read_text(encoding="utf-8")
        assert moved in orders
        assert not_moved not in orders
    assert "Turn 2, April 1941 (given up)" in site.page("search-index.js")
    assert "given up" not in site.page("feed.xml") + site.page("book.html")
    thrown = [one.number for leaf in site.book.given_up for one in leaf.told.throws]
    assert thrown == [one.number for one in site.campaign.throws if one.undone]
    assert len(thrown) > 2
    for number in thrown:
        assert f'<th scope="row">#{number}</th>' in site.page("dice.html")


def unpacked(data: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        packed.extractall(folder)
    return folder / "g1"


def test_the_game_that_is_downloaded_is_checked_with_what_was_given_up(table: Table, sites: tuple[Site, Site], tmp_path: Path) -> None:
    assert sites[1].campaign.files.keys() == {"g1.zip"}
    assert 'href="files/g1.zip"' in sites[1].page("index.html")
    game = table.journal.game("G1")
    files = list(taken_along.files_of(game, proving.versions_of(table.journal.engine, game.id)))
    folder = unpacked(reading.packed("g1", files), tmp_path)
    found = proving.prove_taken(folder, local_rules())
    assert found.faults == [f"version {game.version}: the game is not over, and only such a one is given away"]
    here = proving.proved(game, proving.versions_of(table.journal.engine, game.id), local_rules())
    assert (found.packets, found.again) == (here.packets, here.again)
    assert found.again > 8
    refused = hexpost("verify", folder)
    assert refused.exit_code == 2
    assert "the game is not over" in refused.output


def test_whatever_is_changed_in_it_is_found(table: Table, tmp_path: Path) -> None:
    game = table.journal.game("G1")
    files = dict(taken_along.files_of(game, proving.versions_of(table.journal.engine, game.id)))
    lost = f"versions/{TO + 1:06d}.json"  # of the way that was given up

    def faults(**changed: bytes) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        for name, data in (files | {name.replace("__", "/").replace("_json", ".json"): data for name, data in changed.items()}).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        found: Verified = proving.prove_taken(folder, local_rules())
        return "\n".join(one for one in found.faults if "not over" not in one)

    assert faults() == ""
    outcome = decode(files[lost])
    outcome["state"]["counters"]["ARIETE"]["num"]["sp"] = 9
    assert f"version {TO + 1}: its state is not that of its record" in faults(**{lost: canonical(outcome)})
    known = decode(files["game.json"])
    assert "the secret, the words" in faults(game_json=canonical(known | {"secret": "0" * 64}))
    chain = list(known["chain"])
    chain[TO] = chain[TO] | {"record": chain[TO]["record"] | {"n": 99}}
    assert f"version {TO}: its hash is not" in faults(game_json=canonical(known | {"chain": chain}))
    assert "knows no such file" in faults(versions__x_json=b"{}")
    spoilt: Json
    for spoilt in ({"chain": []}, {"words": 3}, {"scenario": "x"}, {"secret": "q"}):
        with pytest.raises(UnusableInput):
            faults(game_json=json.dumps(known | spoilt).encode())
