"""The database cut off, restarted, full or read-only, and the artifacts' disk full: the game and its mails end as if nothing had been."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis
from sqlalchemy import Connection, event, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from tests.worker.conftest import Desk
from tests.worker.postgresql import Server
from tests.worker.test_crashes import Ending, desk_of, ending, fill
from worker.hosting import alerts
from worker.hosting.storage import trouble, watched
from worker.post.outgoing import write_durably
from worker.store.database import connect, is_away, reading
from worker.store.tables import messages

Breaks = Callable[[Desk], None]


class Prepared:
    """A session of both sides that waits in the inbox, to be played again and again: with SQLite, or copies of a PostgreSQL database."""

    def __init__(self, folder: Path, redis: Redis, server: Server | None = None) -> None:
        self.folder, self.redis, self.server = folder, redis, server
        self.name = server.database() if server else ""
        self.made = 0
        self.copy = ""
        folder.mkdir()
        redis.flushall()
        desk = desk_of(folder, redis, database=server.url(self.name) if server else "")
        fill(desk, whole=True)
        desk.ports.journal.engine.dispose()

    def desk(self) -> Desk:
        """A worker at the beginning."""
        self.made += 1
        folder = self.folder.with_name(f"{self.folder.name}-{self.made}")
        shutil.copytree(self.folder, folder)
        self.redis.flushall()
        if self.server and self.copy:
            self.server.drop(self.copy)
        self.copy = self.server.database(self.name) if self.server else ""
        url = self.server.url(self.copy) if self.server else ""
        return desk_of(folder, self.redis, database=url)

    def played(self, breaks: Breaks | None = None) -> tuple[Ending, list[Any]]:
        """How the session ends, and what the worker died of until nothing was left to do. A mail is never counted as failed."""
        desk = self.desk()
        died: list[Any] = []
        if breaks is not None:
            breaks(desk)
        for _ in range(10):
            try:
                desk.sweep()
                break
            except Exception as error:
                if trouble(error) is None:
                    raise
                died.append(error)
                desk.woken.clear()
                self.redis.flushall()
        with reading(desk.ports.journal.engine) as connection:
            assert set(connection.execute(select(messages.c.status, messages.c.attempts))) == {("done", 0)}
        found = ending(desk)
        desk.ports.journal.engine.dispose()
        shutil.rmtree(desk.folder)
        return found, died


@pytest.fixture
def on_postgresql(tmp_path: Path, redis: Redis, postgresql: Server) -> Prepared:
    return Prepared(tmp_path / "session", redis, postgresql)


@pytest.fixture
def on_sqlite(tmp_path: Path, redis: Redis) -> Prepared:
    return Prepared(tmp_path / "session", redis)


def at_statement(number: int, act: Callable[[Connection], None]) -> Breaks:
    """What happens before the statement of that number."""

    def breaks(desk: Desk) -> None:
        count = 0

        def before(connection: Connection, *_: Any) -> None:
            nonlocal count
            count += 1
            if count == number:
                act(connection)

        event.listen(desk.ports.journal.engine, "before_cursor_execute", before)

    return breaks


def test_a_connection_that_is_cut_in_the_middle_of_a_transaction_loses_nothing(on_postgresql: Prepared, postgresql: Server) -> None:
    wanted, _ = on_postgresql.played()
    assert (len(wanted[0]), len(wanted[1])) == (6, 11)

    def cut(connection: Connection) -> None:
        postgresql.run(f"SELECT pg_terminate_backend({connection.connection.driver_connection.info.backend_pid}, 2000)")

    deaths = 0
    for number in (40, 300, 600):
        found, died = on_postgresql.played(at_statement(number, cut))
        assert found == wanted, f"cut at statement {number}"
        assert len(died) <= 1
        deaths += len(died)
    assert deaths >= 2


def test_a_commit_whose_answer_is_lost_is_not_made_twice(on_postgresql: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, _ = on_postgresql.played()
    commit = psycopg.Connection.commit
    lost = 0

    def loses(number: int) -> Callable[[Any], None]:
        def committed(connection: Any) -> None:
            nonlocal number, lost
            commit(connection)
            number -= 1
            if number == 0:
                lost += 1
                connection.close()
                raise psycopg.OperationalError("the server closed the connection unexpectedly")

        return committed

    for number in (5, 40, 90):
        with monkeypatch.context() as patch:
            found, _ = on_postgresql.played(lambda _: patch.setattr(psycopg.Connection, "commit", loses(number)))  # noqa: B023
        assert found == wanted, f"the answer to commit {number} was lost"
    assert lost == 3


def test_a_server_that_is_restarted_in_the_middle_of_a_session_is_found_again(on_postgresql: Prepared, postgresql: Server) -> None:
    wanted, _ = on_postgresql.played()

    def restart(how: signal.Signals) -> Callable[[Connection], None]:
        def act(connection: Connection) -> None:
            postgresql.stop(how)
            postgresql.start()

        return act

    for number, how in ((150, signal.SIGINT), (400, signal.SIGQUIT)):
        found, died = on_postgresql.played(at_statement(number, restart(how)))
        assert found == wanted
        assert len(died) == 1

    def between(desk: Desk) -> None:  # nobody was asking it anything
        desk.take_in()
        restart(signal.SIGINT)(None)

    found, died = on_postgresql.played(between)
    assert (found, died) == (wanted, [])


def test_a_server_that_is_away_for_a_while_keeps_every_mail_where_it_is(on_postgresql: Prepared, postgresql: Server) -> None:
    wanted, _ = on_postgresql.played()

    def away(desk: Desk) -> None:
        desk.take_in()
        postgresql.stop()
        for _ in range(3):
            with pytest.raises(OperationalError), watched(desk.ports):
                desk.run()
        postgresql.start()

    found, died = on_postgresql.played(away)
    assert (found, died) == (wanted, [])


@pytest.mark.parametrize("kind", ["full", "read-only"])
def test_an_sqlite_database_on_a_full_or_read_only_disk_loses_nothing(on_sqlite: Prepared, kind: str) -> None:
    wanted, _ = on_sqlite.played()
    for number in (3, 47):
        found, died = on_sqlite.played(from_transaction(number, "max_page_count=1" if kind == "full" else "query_only=1"))
        assert found == wanted
        assert [error.orig.sqlite_errorname for error in died] == ["SQLITE_FULL" if kind == "full" else "SQLITE_READONLY"] * 2


def from_transaction(number: int, pragma: str) -> Breaks:
    """From the transaction of that number on nothing can be written, until that has failed twice."""
    mended = {"max_page_count=1": "max_page_count=1000000000", "query_only=1": "query_only=0"}[pragma]

    def breaks(desk: Desk) -> None:
        count = failed = 0

        def begin(connection: Connection) -> None:
            nonlocal count
            count += 1
            connection.connection.driver_connection.execute(f"PRAGMA {pragma if count >= number and failed < 2 else mended}")

        def fails(_: Any) -> None:
            nonlocal failed
            failed += 1

        event.listen(desk.ports.journal.engine, "begin", begin, insert=True)
        event.listen(desk.ports.journal.engine, "handle_error", fails)

    return breaks


def test_a_full_disk_under_the_artifacts_is_told_and_nothing_is_lost(
    on_sqlite: Prepared, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    wanted, _ = on_sqlite.played()
    left = 5

    def full(path: Path, data: bytes) -> None:
        nonlocal left
        left -= 1
        if left in (3, 2, 0):
            path.write_bytes(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_durably(path, data)

    def breaks(desk: Desk) -> None:
        monkeypatch.setattr("worker.store.artifacts.write_durably", full)
        desk.configure(game_master="umpire@example.org")
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"), watched(desk.ports):
                desk.sweep()
        assert [path for path in (desk.folder / "artifacts").rglob("*") if path.name.startswith(".")] == []
        [(_, alert)] = alerts.waiting(desk.ports.journal.engine)
        assert (alert.kind, "no space left on device" in alert.facts["what"]) == ("storage", True)

    found, died = on_sqlite.played(breaks)
    assert [error.errno for error in died if isinstance(error, OSError)] == [errno.ENOSPC]
    assert found[0] == wanted[0]
    told = {key for key in found[1] if key not in wanted[1]}
    assert len(told) == 1  # the alert to the game master
    assert {key: raw for key, raw in found[1].items() if key not in told} == wanted[1]
    assert caplog.text.count("Nothing is lost: mails wait where they are") == 2


SMALL = 4_000_000


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A file system of ``SMALL`` bytes at ``folder``; false where this user may mount none."""
    folder.mkdir()
    mounted = (
        os.getuid() == 0 and not subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", folder], check=False).returncode
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


def may_mount() -> bool:
    """Whether a small disk can be had here: by root, where mounting is not forbidden to it."""
    with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder) / "small") as mounted:
        return mounted


def fill_up(folder: Path, left: int) -> Path:
    """A file that leaves so many bytes free."""
    ballast = folder / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        while (free := os.statvfs(folder).f_bavail * 4096 - left) > 0:
            file.write(b"x" * min(free, 65536))
    return ballast


if may_mount():  # who may not has the tests above, in which the disk is made to fail

    @pytest.mark.parametrize("left", [0, 4096, 16_384, 65_536, 131_072])
    def test_a_disk_that_is_really_full_loses_nothing(on_sqlite: Prepared, tmp_path: Path, left: int) -> None:
        """Journal, artifacts, mails in and mails out, all on one disk with so many bytes left."""
        wanted, _ = on_sqlite.played()
        with small_disk(tmp_path / "small"):
            shutil.copytree(on_sqlite.folder, tmp_path / "small", dirs_exist_ok=True)
            on_sqlite.redis.flushall()
            desk = desk_of(tmp_path / "small", on_sqlite.redis)
            ballast = fill_up(tmp_path / "small", left)
            for _ in range(3):
                with pytest.raises((OSError, OperationalError)) as died:
                    desk.sweep()
                assert trouble(died.value) is not None
                desk.woken.clear()
            ballast.unlink()
            desk.sweep()
            with reading(desk.ports.journal.engine) as connection:
                assert set(connection.execute(select(messages.c.status, messages.c.attempts))) == {("done", 0)}
            assert ending(desk) == wanted
            desk.ports.journal.engine.dispose()


def test_what_is_the_storages_fault_is_told_from_what_is_the_statements(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'x.db'}")
    with pytest.raises(OperationalError) as found, engine.connect() as connection:
        connection.exec_driver_sql("SELECT nothing FROM nowhere")
    assert (is_away(found.value), trouble(found.value)) == (False, None)
    engine.dispose()
    facts: list[tuple[BaseException, str | None]] = [
        (OSError(errno.ENOSPC, "No space left on device", "/a"), "no space left on device: /a"),
        (OSError(errno.EROFS, "Read-only file system"), "read-only file system: disk"),
        (OSError(errno.ENOENT, "No such file", "/a"), None),
        (OperationalError("", {}, psycopg.errors.DiskFull("could not extend file")), "database: could not extend file"),
        (ProgrammingError("", {}, psycopg.errors.UndefinedColumn("no")), None),
        (IntegrityError("", {}, psycopg.errors.UniqueViolation("no")), None),
        (ValueError(), None),
    ]
    assert [trouble(error) for error, _ in facts] == [said for _, said in facts]
