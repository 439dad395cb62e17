"""A backup of what runs, restored into either kind of database: everything is there, the game goes on, and nothing is entered by half."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from redis import Redis
from sqlalchemy import Connection, Table

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from tests.worker.postgresql import Server
from tests.worker.test_migrations import rows
from worker.canonical import digest
from worker.cli import main
from worker.config import Config
from worker.hosting import backup
from worker.hosting.upgrading import move
from worker.migrations import BASELINE
from worker.store.database import connect, open_database, writing

BOTH = (
    "test_a_campaign_is_restored_with_the_other_database_and_goes_on",
    "test_a_backup_is_one_moment_while_the_installation_runs",
)


def hexpost(folder: Path, database: str, *arguments: object) -> Result:
    """A command over an installation in ``folder``."""
    settings = folder / "hexpost.toml"
    settings.write_text(f'home = "."\ninbox = "in"\naddress = "orders@toy.example"\ndatabase = "{database}"\n', encoding="utf-8")
    return CliRunner().invoke(main, [*map(str, arguments), "--config", str(settings)], prog_name="hexpost")


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> tuple[Path, str]:
    """An empty installation with the other kind of database: its folder, and the database's URL."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if database.startswith("postgresql"):
        return folder, f"sqlite:///{folder / 'journal.db'}"
    server: Server = request.getfixturevalue("postgresql")
    return folder, server.url(server.database())


def play(desk: Desk) -> None:
    """A game in which both have moved, with a mail that waits in the inbox and one that waits in the spool."""
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A", "ROLL", "DONE"))
    desk.run()
    desk.drop(orders_mail(reply_to(desk, BRUNO), BRUNO, "<1@bruno>", "ROLL"))
    (desk.folder / "spool").mkdir()
    (desk.folder / "spool" / f"{'ab' * 32}.lmtp").write_bytes(b"From: eve@example.com\n\nhello\n")


def test_a_campaign_is_restored_with_the_other_database_and_goes_on(
    desk: Desk, redis: Redis, database: str, elsewhere: tuple[Path, str], tmp_path: Path
) -> None:
    play(desk)
    told = hexpost(tmp_path, database, "backup", tmp_path / "all.zip")
    assert told.exit_code == 0, told.output
    assert "1 games" in told.stdout
    assert "2 mails not journaled yet" in told.stdout
    assert "secrets of all games" in told.stdout
    assert (tmp_path / "all.zip").stat().st_mode & 0o77 == 0
    before = rows(desk.ports.journal.engine)
    desk.run()  # the installation went on meanwhile, and is lost now

    folder, url = elsewhere
    told = hexpost(folder, url, "restore", tmp_path / "all.zip")
    assert told.exit_code == 0, told.output
    there = make_desk(folder, redis, database=url)
    assert rows(there.ports.journal.engine) == before
    assert there.ports.journal.broken_link("G1") is None
    there.sender.sent = list(desk.sender.sent)
    there.run()  # Bruno's mail, which was in the inbox
    assert there.ports.journal.chain("G1") == desk.ports.journal.chain("G1")
    assert len(there.ports.journal.chain("G1")) == 3
    assert there.sender.sent == desk.sender.sent  # the same mails by their ids: he gets none twice
    assert (folder / "spool" / f"{'ab' * 32}.lmtp").read_bytes().startswith(b"From: eve")


def spoil(source: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> Path:
    """A copy of a pack with other members, or another manifest."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    change(members, manifest)
    target = source.with_name("spoilt.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in (members | {"manifest.json": json.dumps(manifest).encode()}).items():
            archive.writestr(name, data)
    return target


def test_a_backup_of_the_first_revision_is_brought_up_as_it_is_restored(
    desk: Desk, database: str, elsewhere: tuple[Path, str], tmp_path: Path
) -> None:
    desk.start()
    before = rows(desk.ports.journal.engine)
    assert hexpost(tmp_path, database, "backup", tmp_path / "all.zip").exit_code == 0

    def of_old(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
        for table in before.keys() - rows(first).keys():
            del members[f"tables/{table}.jsonl"], manifest["members"][f"tables/{table}.jsonl"], manifest["rows"][table]
        manifest["revision"] = BASELINE

    first = connect(f"sqlite:///{tmp_path / 'first.db'}", foreign_keys=False)
    with writing(first) as connection:
        move(connection, BASELINE)

    folder, url = elsewhere
    told = hexpost(folder, url, "restore", spoil(tmp_path / "all.zip", of_old))
    assert told.exit_code == 0, told.output
    assert rows(open_database(url)) == before


def cut(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members["tables/turns.jsonl"] = members["tables/turns.jsonl"].replace(b'"game":"G1"', b'"game":"G2"')


def lose(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del members[next(name for name in members if name.startswith("artifacts/"))]


def smuggle(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members["more"] = b""


def swap(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    name = next(name for name in members if name.startswith("artifacts/"))
    members[name] = b"other"
    manifest["members"][name] = digest(b"other")


def orphan(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    """A game whose row is gone, with every digest as it should be."""
    members["tables/games.jsonl"] = b""
    manifest["members"]["tables/games.jsonl"] = digest(b"")


def widen(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    line = members["tables/looks.jsonl"] = b'{"game":"G1","side":"axis","theme":"dark","hue":1}\n'
    manifest["members"]["tables/looks.jsonl"] = digest(line)


FAULTS = [
    (cut, "tables/turns.jsonl is not what its digest in the manifest says"),
    (lose, "is missing"),
    (smuggle, "more is not in its manifest"),
    (swap, "holds something else"),
    (orphan, r"cannot be (entered|changed).* (Nothing was entered|It is as it was)\."),
    (widen, "Its table looks has a column hue that is none of its revision"),
    (lambda members, manifest: manifest.update(revision="9999"), "revision 9999, which this hexpost does not know: a newer one wrote it"),
    (lambda members, manifest: manifest.update(format=2), "is of format 2, and this hexpost reads format 1"),
    (lambda members, manifest: manifest.update(kind="game"), "is a game, not a backup"),
    (lambda members, manifest: manifest.update(members=[]), "no manifest that can be read"),
]


def test_a_damaged_or_strange_file_enters_nothing(desk: Desk, database: str, elsewhere: tuple[Path, str], tmp_path: Path) -> None:
    desk.start()
    assert hexpost(tmp_path, database, "backup", tmp_path / "all.zip").exit_code == 0
    folder, url = elsewhere
    for change, said in FAULTS:
        told = hexpost(folder, url, "restore", spoil(tmp_path / "all.zip", change))
        assert (told.exit_code, "Traceback" in told.output) == (2, False), told.output
        assert re.search(said, told.stderr), told.stderr
        assert rows(connect(url)) == {}
        if url.startswith("sqlite"):
            (folder / "journal.db").unlink()
    whole = (tmp_path / "all.zip").read_bytes()
    for data, said in ((whole[:-200], "is not whole"), (b"hello", "is not whole")):
        (tmp_path / "broken.zip").write_bytes(data)
        assert said in hexpost(folder, url, "restore", tmp_path / "broken.zip").stderr
    middle = whole.index(b"artifacts/") + 400
    (tmp_path / "broken.zip").write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    assert "is damaged" in hexpost(folder, url, "restore", tmp_path / "broken.zip").stderr
    assert "no such file" in hexpost(folder, url, "restore", tmp_path / "nothing.zip").stderr


def test_a_restore_that_fails_leaves_no_database_behind(desk: Desk, database: str, tmp_path: Path) -> None:
    assert hexpost(tmp_path, database, "backup", tmp_path / "all.zip").exit_code == 0
    folder = tmp_path / "new"
    folder.mkdir()
    assert hexpost(folder, f"sqlite:///{folder / 'x.db'}", "restore", spoil(tmp_path / "all.zip", widen)).exit_code == 2
    assert sorted(path.name for path in folder.iterdir()) == ["hexpost.toml", "serve.lock"]


def test_where_waiting_mails_cannot_be_put_back_nothing_is_entered(
    desk: Desk, database: str, elsewhere: tuple[Path, str], tmp_path: Path
) -> None:
    play(desk)
    assert hexpost(tmp_path, database, "backup", tmp_path / "all.zip").exit_code == 0
    folder, url = elsewhere
    (folder / "spool").write_bytes(b"no folder")
    told = hexpost(folder, url, "restore", tmp_path / "all.zip")
    assert (told.exit_code, "spool cannot be written: file exists. Nothing was entered." in told.stderr) == (2, True), told.output
    assert list((folder / "in" / "new").iterdir()) == []  # the mail of the inbox was put back first
    if url.startswith("sqlite"):
        assert not (folder / "journal.db").exists()
    (folder / "spool").unlink()
    told = hexpost(folder, url, "restore", tmp_path / "all.zip")
    assert (told.exit_code, "2 mails not journaled yet are restored" in told.stdout) == (0, True), told.output


def test_the_trial_restore_of_the_page_touches_nothing_of_the_running_server(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting" / "backup.md").read_text(encoding="utf-8")
    [recipe] = re.findall(r"^\( export .*?\)$", page, re.S | re.M)
    named = dict(re.findall(r'(HEXPOST_[A-Z]+)="?([^"\s]+)"?', recipe))
    env = {key: value.replace("$PWD", str(tmp_path)) for key, value in named.items()}
    live = tmp_path / "live.toml"
    live.write_text(
        'home = "/live"\ndatabase = "postgresql://live/db"\ninbox = "/live/in"\nspool = "/live/spool"\nartifacts = "s3://live/games"\n'
    )
    found = Config.load(live, env)
    places = (found.home, found.database.removeprefix("sqlite:///"), found.inbox, found.spool, found.artifacts)
    assert all(Path(one).is_relative_to(tmp_path / "trial") for one in places), places


def test_where_there_is_no_database_nothing_is_made(tmp_path: Path, postgresql: Server) -> None:
    folder = tmp_path / "wrong"
    folder.mkdir()
    missing, empty = f"sqlite:///{folder / 'var' / 'x.db'}", postgresql.url(postgresql.database())
    commands = (("backup", tmp_path / "all.zip"), ("game-export", "G1", tmp_path / "all.zip"), ("upgrade",))
    for url, said, wanted in (
        (missing, "There is no database", commands),
        (empty, "There is nothing of hexpost's in the database", commands[:2]),
    ):
        for command in wanted:
            told = hexpost(folder, url, *command)
            assert (told.exit_code, said in told.stderr, "HEXPOST_HOME" in told.stderr) == (2, True, True), told.output
            assert [path.name for path in folder.iterdir()] == ["hexpost.toml"]
            assert not (tmp_path / "all.zip").exists()
    engine = connect(empty)
    assert rows(engine) == {}
    engine.dispose()


def test_nothing_is_overwritten(desk: Desk, database: str, tmp_path: Path) -> None:
    desk.start()
    assert hexpost(tmp_path, database, "backup", tmp_path / "all.zip").exit_code == 0
    before = (tmp_path / "all.zip").read_bytes()
    assert "all.zip is there already: choose another name." in hexpost(tmp_path, database, "backup", tmp_path / "all.zip").stderr
    assert (tmp_path / "all.zip").read_bytes() == before
    told = hexpost(tmp_path, database, "restore", tmp_path / "all.zip")
    assert told.exit_code == 2
    assert re.search(r"The database holds something already \(table \w+\): a backup is restored into an empty installation", told.stderr)


def test_a_missing_artifact_is_told_and_the_rest_is_kept(desk: Desk, database: str, elsewhere: tuple[Path, str], tmp_path: Path) -> None:
    desk.start()
    [gone] = [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()][:1]
    sha = gone.parent.name + gone.name
    gone.write_bytes(b"rotten")
    told = hexpost(tmp_path, database, "backup", tmp_path / "all.zip")
    assert f"The artifact {sha} is missing or damaged here, and not in the backup.\n" in told.stdout
    folder, url = elsewhere
    told = hexpost(folder, url, "restore", tmp_path / "all.zip")
    assert f"The artifact {sha} was missing when the backup was made.\n" in told.stdout


def test_a_backup_is_one_moment_while_the_installation_runs(
    desk: Desk, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game moves on between two tables: neither is of the new moment."""
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "ROLL"))
    usual = backup.rows_of
    moved: list[str] = []

    def slowly(connection: Connection, table: Table, *where: Any) -> Any:
        if table.name == "turns" and not moved:
            desk.run()
            moved.append(table.name)
        return usual(connection, table, *where)

    monkeypatch.setattr(backup, "rows_of", slowly)
    assert hexpost(tmp_path, database, "backup", tmp_path / "all.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        members = json.loads(archive.read("manifest.json"))
        assert b"ROLL" in archive.read(next(name for name in members["members"] if name.startswith("waiting/inbox/")))
    assert moved
    assert desk.ports.journal.game("G1").version == 1
    assert (members["rows"]["turns"], members["rows"]["packets"], members["rows"]["messages"]) == (1, 0, 0)
