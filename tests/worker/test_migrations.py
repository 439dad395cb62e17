"""Revisions of the tables: a database of an earlier one is told from a newer one, and brought up and down with all that is in it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from click.testing import CliRunner, Result
from redis import Redis
from sqlalchemy import Connection, Engine, MetaData, inspect, select, text

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from tests.worker.postgresql import Server
from worker import migrations
from worker.cli import main
from worker.config import Config, ConfigError
from worker.hosting.beats import alive
from worker.hosting.processes import only_one
from worker.hosting.upgrading import move
from worker.migrations import BASELINE, alembic_config, head, revisions
from worker.roles import worker_environment
from worker.store import schema
from worker.store.database import connect, open_database, reading, writing
from worker.store.tables import metadata

BOTH = True
STAMPS = "alembic_version"


@pytest.fixture
def bare(request: pytest.FixtureRequest, database: str) -> str:
    """The URL of a database without tables, of the kind that the test is run with."""
    if database.startswith("sqlite"):
        return database
    server: Server = request.getfixturevalue("postgresql")
    return server.url(server.database())


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hexpost with one revision more, which alters tables that others refer to; the file of that revision."""
    number = f"{int(head()) + 1:04d}"
    folder = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "versions" / f"r{number}_later.py"
    file.write_text(LATER.format(number=number, before=head()), encoding="utf-8")
    monkeypatch.setattr(migrations, "FOLDER", folder)
    return file


LATER = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{number}", "{before}"


def upgrade():
    with op.batch_alter_table("games") as batch:
        batch.add_column(sa.Column("pace", sa.String(10), nullable=False, server_default="weekly"))
        batch.alter_column("head", type_=sa.String(80), existing_type=sa.String(64))
    with op.batch_alter_table("messages") as batch:
        batch.drop_column("verdict")
    op.rename_table("departures", "left_today")


def downgrade():
    op.rename_table("left_today", "departures")
    with op.batch_alter_table("messages") as batch:
        batch.add_column(sa.Column("verdict", sa.String(80)))
    with op.batch_alter_table("games") as batch:
        batch.alter_column("head", type_=sa.String(64), existing_type=sa.String(80))
        batch.drop_column("pace")
"""


def rows(engine: Engine) -> dict[str, list[Any]]:
    """All that is in a database, by table."""
    found = MetaData()
    with reading(engine) as connection:
        found.reflect(connection)
        tables = [table for table in found.sorted_tables if table.name != STAMPS]
        return {table.name: sorted(map(repr, connection.execute(select(table)).mappings())) for table in tables}


def revision(engine: Engine) -> str | None:
    with reading(engine) as connection:
        return schema.found_in(connection).revision


def moved(url: str, target: str) -> None:
    """Bring a database to a revision."""
    engine = connect(url, foreign_keys=False)
    with writing(engine) as connection:
        move(connection, target)
    engine.dispose()


def upgrade(folder: Path, url: str, *more: str) -> Result:
    """The command over a database."""
    settings = folder / "hexpost.toml"
    settings.write_text(f'database = "{url}"\n', encoding="utf-8")
    return CliRunner().invoke(main, ["upgrade", "--config", str(settings), *more], prog_name="hexpost")


@pytest.fixture
def campaign(desk: Desk) -> tuple[str, Desk]:
    """The URL of a database in which a game has been played, and its worker."""
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A", "ROLL", "DONE"))
    desk.drop(orders_mail("orders@toy.example", "eve@example.com", "<1@eve>", "MOVE X"))
    desk.run()
    desk.ports.journal.engine.dispose()
    return desk.ports.config.database, desk


# What the revisions are


def test_revisions_are_numbered_in_one_row() -> None:
    scripts = ScriptDirectory.from_config(alembic_config())
    known = [script.revision for script in scripts.walk_revisions()][::-1]
    assert known == list(revisions()) == [f"{number:04d}" for number in range(1, len(known) + 1)]
    assert (scripts.get_heads(), known[0]) == ([head()], BASELINE)


def differences(connection: Connection) -> list[Any]:
    """What the tables lack, or have that they should not."""
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return [one for one in compare_metadata(context, metadata) if STAMPS not in str(one)]


def test_the_revisions_lead_to_the_tables_of_worker_tables(bare: str) -> None:
    engine = connect(bare, foreign_keys=False)
    with writing(engine) as connection:
        move(connection, head())
        assert differences(connection) == []
        connection.execute(text("ALTER TABLE games DROP COLUMN secret"))
        assert [one[:2] for one in differences(connection)] == [("add_column", None)]
    engine.dispose()


def test_an_empty_database_is_made_and_stamped_and_both_ways_make_the_same(bare: str, database: str) -> None:
    engine = open_database(bare)
    assert revision(engine) == head()
    with reading(engine) as connection:
        assert differences(connection) == []
    engine.dispose()


# Up and down


def test_a_campaign_goes_down_to_the_first_revision_and_up_again_with_all_its_rows(campaign: tuple[str, Desk]) -> None:
    url, desk = campaign
    before = rows(connect(url))
    assert len(before["messages"]) == 2
    assert len(before["turns"]) == 2
    for target in (*reversed(revisions()[:-1]), *revisions()[1:]):
        moved(url, target)
        assert revision(connect(url)) == target
        assert {name: kept for name, kept in rows(connect(url)).items() if kept} == {name: kept for name, kept in before.items() if kept}
    again = make_desk(desk.folder, desk.queues._redis, database=url)
    assert again.ports.journal.broken_link("G1") is None
    again.sender.sent = desk.sender.sent
    again.count = desk.count
    again.drop(orders_mail(reply_to(again, BRUNO), BRUNO, "<1@bruno>", "ROLL", "DONE"))
    again.run()
    assert again.ports.journal.game("G1").version == 2


def test_tables_that_others_refer_to_are_altered_and_nothing_is_lost(campaign: tuple[str, Desk], later: Path) -> None:
    url, desk = campaign
    before = rows(connect(url))
    assert upgrade(desk.folder, url).exit_code == 0
    engine = connect(url)
    after = rows(engine)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT pace FROM games")).scalars().all() == ["weekly"]
        assert "verdict" not in {one["name"] for one in inspect(connection).get_columns("messages")}
        assert "messages_queue" in {one["name"] for one in inspect(connection).get_indexes("messages")}
        assert [one["referred_table"] for one in inspect(connection).get_foreign_keys("turns")] == ["games"]
    assert (len(after["messages"]), after["turns"], after["left_today"]) == (2, before["turns"], before["departures"])
    engine.dispose()
    with writing(connect(url)) as connection:
        connection.execute(text("UPDATE games SET pace = 'daily'"))
    refused = upgrade(desk.folder, url, "--to", revisions()[-2])
    assert (refused.exit_code, revision(connect(url))) == (2, revisions()[-1])
    assert "has no place for column pace of table games (filled in 1 row). Nothing was changed." in refused.stderr
    told = upgrade(desk.folder, url, "--to", revisions()[-2], "--drop-data")
    assert told.exit_code == 0, told.output
    assert "Dropped: column pace of table games (filled in 1 row).\n" in told.stdout
    back = rows(connect(url))
    assert {name: kept for name, kept in back.items() if name != "messages"} == {
        name: kept for name, kept in before.items() if name != "messages"
    }
    with writing(connect(url)) as connection:  # ids go on where they were
        added = text(
            "INSERT INTO messages (place, raw, received_at, game, status, attempts) VALUES ('x', '', '', '-', 'done', 0) RETURNING id"
        )
        assert connection.scalar(added) == 3


def test_an_upgrade_that_fails_in_the_middle_leaves_everything_as_it_was(campaign: tuple[str, Desk], later: Path) -> None:
    url, desk = campaign
    before = rows(connect(url))
    later.write_text(later.read_text().replace('op.rename_table("departures", "left_today")', 'op.drop_table("no_such_table")'))
    told = upgrade(desk.folder, url)
    assert told.exit_code != 0
    assert (rows(connect(url)), revision(connect(url))) == (before, revisions()[-2])


# What is refused, and what is said


def test_a_database_of_before_the_stamps_is_refused_until_it_is_upgraded(campaign: tuple[str, Desk]) -> None:
    url, desk = campaign
    before = rows(connect(url))
    moved(url, BASELINE)
    with writing(connect(url)) as connection:
        connection.execute(text(f"DROP TABLE {STAMPS}"))
        connection.execute(text("DROP TABLE writers"))  # a table that came late was made at the next start
    with pytest.raises(ConfigError, match=r"before revisions of its tables were kept.* run: hexpost upgrade$"):
        open_database(url)
    told = upgrade(desk.folder, url)
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines()[-1] == f"The database was of no revision and is of revision {head()} now."
    assert rows(open_database(url)) == before
    assert upgrade(desk.folder, url).stdout == f"The database is of revision {head()} already.\n"


def test_a_database_that_lacks_a_column_of_the_first_revision_is_left_alone(bare: str, tmp_path: Path) -> None:
    with writing(connect(bare)) as connection:
        connection.execute(text("CREATE TABLE games (id VARCHAR(32) PRIMARY KEY)"))
    told = upgrade(tmp_path, bare)
    assert told.exit_code == 2
    assert "its table games has no column branch" in told.stderr
    assert set(rows(connect(bare))) == {"games"}


def test_older_and_newer_databases_are_refused_with_what_to_do(campaign: tuple[str, Desk], later: Path) -> None:
    url, desk = campaign
    with pytest.raises(
        ConfigError, match=rf"is of revision {revisions()[-2]}, and this hexpost works with {head()}.* run: hexpost upgrade$"
    ):
        open_database(url)
    assert upgrade(desk.folder, url).exit_code == 0
    open_database(url).dispose()
    newer = head()
    migrations.FOLDER = Path(migrations.__file__).parent  # the hexpost of before; `later` puts back what it changed
    with pytest.raises(ConfigError, match=rf"is of revision {newer}, which this hexpost does not know.*hexpost upgrade --to {head()}$"):
        open_database(url)
    told = upgrade(desk.folder, url)
    assert (told.exit_code, f"is of revision {newer}, which" in told.stderr) == (2, True)


def test_a_served_home_and_an_unknown_revision_are_refused_in_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    (tmp_path / "journal.db").touch()
    assert upgrade(tmp_path, url).stdout == "The database has no tables yet; hexpost makes them when it first uses it.\n"
    assert upgrade(tmp_path, url, "--to", "9999").stderr == (f"hexpost: There is no revision '9999'; there are {', '.join(revisions())}.\n")
    with only_one(tmp_path / "var"):
        assert "is served by another process: stop that first" in upgrade(tmp_path, url).stderr


def test_what_an_earlier_revision_has_no_place_for_is_named_and_dropped_only_when_told(campaign: tuple[str, Desk]) -> None:
    url, desk = campaign
    with writing(connect(url)) as connection:
        connection.execute(text("INSERT INTO halts VALUES ('G1', 'now', NULL, 'a holiday')"))
        connection.execute(text("INSERT INTO terms VALUES ('G1', 'deadline', '48'), ('G1', 'reaction', '24')"))
        connection.execute(text("INSERT INTO deadlines VALUES ('G1', 'axis', 'later', false, 'now', NULL)"))
    before = rows(connect(url))
    refused = upgrade(desk.folder, url, "--to", "0003")
    assert (refused.exit_code, refused.stdout) == (2, "")
    named = "column since of table deadlines (filled in 1 row); table halts (1 row); table terms (2 rows). Nothing was changed."
    assert f"Revision 0003 has no place for {named}" in refused.stderr
    assert (rows(connect(url)), revision(connect(url))) == (before, head())
    told = upgrade(desk.folder, url, "--to", "0003", "--drop-data")
    assert (told.exit_code, revision(connect(url))) == (0, "0003"), told.output
    assert told.stdout.count("Dropped: ") == 3


def test_parts_that_run_elsewhere_keep_the_tables_from_being_changed(tmp_path: Path, redis: Redis, broker: str) -> None:
    settings = tmp_path / "hexpost.toml"
    settings.write_text(f'database = "sqlite:///{tmp_path / "journal.db"}"\nbroker = "{broker}"\n', encoding="utf-8")
    (tmp_path / "journal.db").touch()
    environment = worker_environment(replace(Config.load(settings), home=tmp_path / "elsewhere"), "clock")
    with subprocess.Popen([sys.executable, "-m", "worker.clock"], env=environment) as clock:
        deadline = time.monotonic() + 30
        while not alive(broker):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        refused = CliRunner().invoke(main, ["upgrade", "--config", str(settings)])
        assert (refused.exit_code, f"These still run: clock on {socket.gethostname()}, process {clock.pid}." in refused.stderr) == (2, True)
        clock.terminate()
    assert alive(broker) == []
    told = CliRunner().invoke(main, ["upgrade", "--config", str(settings)])
    assert (told.exit_code, told.stdout) == (0, "The database has no tables yet; hexpost makes them when it first uses it.\n")
    settings.write_text(settings.read_text().replace(broker, f"redis+socket://{tmp_path}/none.sock?virtual_host=0"), encoding="utf-8")
    assert "it cannot be seen whether any part still runs" in CliRunner().invoke(main, ["upgrade", "--config", str(settings)]).stdout


def test_an_sqlite_database_is_copied_before_it_is_changed(bare: str, tmp_path: Path, later: Path) -> None:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    moved(url, revisions()[-2])
    with writing(connect(url)) as connection:
        connection.execute(text("INSERT INTO departures VALUES ('example.org', 'now', 3)"))
    told = upgrade(tmp_path, url)
    assert told.exit_code == 0, told.output
    [copy] = tmp_path.glob(f"other.db.{revisions()[-2]}.*")
    assert str(copy) in told.stdout
    assert copy.stat().st_mode & 0o77 == 0
    with reading(connect(f"sqlite:///{copy}")) as kept:
        assert kept.execute(text("SELECT domain, n FROM departures")).all() == [("example.org", 3)]


def test_a_database_that_does_not_answer_is_told_in_a_sentence(tmp_path: Path) -> None:
    url = f"postgresql://hexpost@/nothing?host={tmp_path}"
    with pytest.raises(ConfigError, match=r"^The database does not answer: "):
        open_database(url)
    assert upgrade(tmp_path, url).stderr.startswith("hexpost: The database cannot be upgraded: ")
    with pytest.raises(ConfigError, match=r"must be a URL that begins with sqlite:/// or postgresql://\.$"):
        open_database("mysql://somewhere/else")


def test_many_processes_may_begin_with_one_empty_database(bare: str) -> None:
    failed: list[BaseException] = []
    gate = threading.Barrier(6)

    def begin() -> None:
        gate.wait()
        try:
            open_database(bare).dispose()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert revision(connect(bare)) == head()
