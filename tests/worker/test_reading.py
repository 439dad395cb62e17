"""An installation on a disk that nothing can be written to: whatever only reads works there, and says where it cannot."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy.exc import OperationalError

from tests.e2e.test_pipeline import SESSIONS
from tests.worker.whole import Table
from worker.cli import main
from worker.config import ConfigError
from worker.store.database import open_to_read, writing


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """The folder as on a disk that was mounted to be read only: so for root, too, where something may be mounted."""
    seen = folder.with_name("seen")
    seen.mkdir()
    if subprocess.run(["mount", "--bind", str(folder), str(seen)], capture_output=True).returncode == 0:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(seen)], check=True)
        try:
            yield seen
        finally:
            subprocess.run(["umount", "--lazy", str(seen)], check=True)
    else:
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o500 if path.is_dir() else 0o400)
        yield folder
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o700 if path.is_dir() else 0o600)


def hexpost(home: Path, *arguments: object) -> Result:
    settings = home.with_name("settings.toml")
    settings.write_text(f'home = "{home}"\ndatabase = "sqlite:///{home / "journal.db"}"\n', encoding="utf-8")
    return CliRunner().invoke(main, [*map(str, arguments), "--config", str(settings)], prog_name="hexpost")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A campaign of Holdfast in which the Axis have sent a packet."""
    (tmp_path / "home").mkdir()
    found = Table(tmp_path / "home")
    found.play(1, SESSIONS[0][0], f"{SESSIONS[0][1]}\nEND")
    yield found
    found.journal.engine.dispose()


def test_what_only_reads_works_from_a_disk_that_cannot_be_written(table: Table, tmp_path: Path) -> None:
    table.journal.engine.dispose()
    assert not (tmp_path / "home" / "journal.db-wal").exists()
    with read_only(tmp_path / "home") as home:
        assert "1 packet" in hexpost(home, "verify", "G1").stdout
        told = hexpost(home, "backup", tmp_path / "all.hexpost")
        assert (told.exit_code, "1 games" in told.stdout) == (0, True), told.output
        told = hexpost(home, "game-export", "G1", tmp_path / "g1.hexpost")
        assert (told.exit_code, "G1, 2 states" in told.stdout) == (0, True), told.output
        assert hexpost(home, "check-games").stdout == "G1 (holdfast/campaign-1): its last 1 packets lead to the same states.\n"
        assert hexpost(home, "dice", "G1").exit_code == 0
        engine = open_to_read(f"sqlite:///{home / 'journal.db'}")
        with pytest.raises(OperationalError, match="readonly"), writing(engine) as connection:
            connection.exec_driver_sql("DELETE FROM games")
        engine.dispose()
    settings = ("--config", tmp_path / "elsewhere.toml")
    settings[1].write_text('home = "elsewhere"\n', encoding="utf-8")
    told = CliRunner().invoke(main, ["restore", str(tmp_path / "all.hexpost"), *map(str, settings)])
    assert told.exit_code == 0, told.output
    assert "1 packet" in CliRunner().invoke(main, ["verify", "G1", *map(str, settings)]).stdout


def test_what_a_server_that_runs_has_written_last_is_seen_from_there_or_the_reader_is_told_how(table: Table, tmp_path: Path) -> None:
    assert (tmp_path / "home" / "journal.db-wal").stat().st_size > 0
    with read_only(tmp_path / "home") as home:
        assert "1 packet" in hexpost(home, "verify", "G1").stdout  # the packet stands in the log alone
    (tmp_path / "copied").mkdir()
    for name in ("journal.db", "journal.db-wal"):  # as a copy of the files without their index is
        (tmp_path / "copied" / name).write_bytes((tmp_path / "home" / name).read_bytes())
    (tmp_path / "seen").rmdir()
    with read_only(tmp_path / "copied") as home:
        refused = hexpost(home, "verify", "G1")
        assert (refused.exit_code, "copy journal.db and journal.db-wal together to where that can be" in refused.stderr) == (2, True)
    assert "1 packet" in hexpost(tmp_path / "copied", "verify", "G1").stdout


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no database"):
        open_to_read(f"sqlite:///{tmp_path / 'none.db'}")
