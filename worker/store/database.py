"""The connection to the journal's database: SQLite made durable, or PostgreSQL by URL."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from worker.config import ConfigError
from worker.store import schema

BUSY_MS = 10_000
_KINDS = ("sqlite", "postgresql")
_SQLITE_AWAY = frozenset(("BUSY", "LOCKED", "FULL", "READONLY", "IOERR", "CANTOPEN", "PROTOCOL", "NOMEM"))
"""SQLite's codes that tell of the disk or of other processes; the others tell of the statement."""
_LOOK = "Are these the settings of your installation (--config, HEXPOST_CONFIG, HEXPOST_HOME, HEXPOST_DATABASE)? Nothing was made."
_reads = threading.local()
"""The transaction that reads by engine, while this thread has one open."""


def open_database(url: str, *, make: bool = True) -> Engine:
    """An engine for ``url``, its tables made where there are none. SQLite: WAL, synchronous FULL, writers queue up to 10 s. PostgreSQL:
    READ COMMITTED, and a connection that the server has dropped is replaced. ``make``: false where a database without tables is a
    ConfigError, and nothing is to be made.

    Errors, which end in the log, name no values: these are secrets, tokens and orders. ConfigError if ``url`` names no database that can be
    used here, if it does not answer, or if its tables are of another revision than this hexpost works with.
    """
    if not make:
        demand_file(url)
    engine = connect(url)
    try:
        with reading(engine) as connection:
            found = schema.found_in(connection)
        if found.empty and not make:
            raise ConfigError(f"There is nothing of hexpost's in the database {_shown(url)}. {_LOOK}")
        if found.empty:
            with writing(engine) as connection:
                schema.make(connection)
        else:
            schema.demand_current(found)
    except (OperationalError, InterfaceError) as error:
        engine.dispose()
        raise ConfigError(f"The database does not answer: {said_by(error)}.") from None
    except ConfigError:
        engine.dispose()
        raise
    return engine


def open_to_read(url: str) -> Engine:
    """As ``open_database``, for who only reads: what lies on a disk that cannot be written to can be read. Nothing is ever made.

    ConfigError, too, where an SQLite database has an unfinished log beside it that cannot be read from there.
    """
    parsed = database_url(url)
    file = Path(parsed.database or "")
    if parsed.get_backend_name() != "sqlite" or not file.is_file() or (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        return open_database(url, make=False)
    engine = create_engine("sqlite://", creator=partial(_connect_to_read, file), poolclass=QueuePool, hide_parameters=True)
    event.listen(engine, "connect", _prepare_to_read)
    event.listen(engine, "begin", _begin)
    try:
        with reading(engine) as connection:
            schema.demand_current(schema.found_in(connection))
    except (OperationalError, InterfaceError) as error:
        engine.dispose()
        raise ConfigError(f"The database {file} cannot be read: {said_by(error)}.") from None
    except ConfigError:
        engine.dispose()
        raise
    return engine


def _connect_to_read(file: Path) -> sqlite3.Connection:
    """SQLite's log (``-wal``) is part of the database. Where its index cannot be written, it must be there if there is a log."""
    log, index = (file.with_name(file.name + ending) for ending in ("-wal", "-shm"))
    if not log.exists() or log.stat().st_size == 0:
        how = "immutable=1"
    elif index.exists():
        how = "mode=ro"
    else:
        raise ConfigError(
            f"{log} is the unfinished part of the database, and nothing can be written beside it: copy {file.name} and {log.name} together "
            "to where that can be, and name the copy in the setting database."
        )
    return sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=BUSY_MS / 1000, check_same_thread=False)


def demand_file(url: str) -> None:
    """ConfigError where ``url`` names an SQLite file that is not there."""
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:") and not Path(str(parsed.database)).exists():
        raise ConfigError(f"There is no database {_shown(url)}. {_LOOK}")


def _shown(url: str) -> str:
    parsed = database_url(url)
    return str(parsed.database) if parsed.get_backend_name() == "sqlite" else parsed.render_as_string(hide_password=True)


def connect(url: str, *, foreign_keys: bool = True) -> Engine:
    """An engine for ``url``, whatever its tables are. ``foreign_keys``: false while SQLite copies a table to alter it."""
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite":
        if parsed.database and parsed.database != ":memory:":
            _make_file(Path(parsed.database))
        engine = create_engine(parsed, connect_args={"timeout": BUSY_MS / 1000}, hide_parameters=True)
        event.listen(engine, "connect", _prepare)
        if not foreign_keys:
            event.listen(engine, "connect", _let_foreign_keys_be)
        event.listen(engine, "begin", _begin)
        return engine
    engine = create_engine(parsed, isolation_level="READ COMMITTED", hide_parameters=True, pool_pre_ping=True)
    event.listen(engine, "before_cursor_execute", _without_nul, retval=True)
    return engine


def database_url(url: str) -> URL:
    """``url`` taken apart. ConfigError if it names no database that can be used here."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() not in _KINDS:
            raise ConfigError("Setting database must be a URL that begins with sqlite:/// or postgresql://.")
        parsed.get_dialect().import_dbapi()
    except ImportError as error:
        extra = " Install hexpost with its extra postgres." if url.startswith("postgresql") else ""
        raise ConfigError(f"Setting database is no URL of a database that can be used here: {str(error).splitlines()[0]}.{extra}") from None
    except ValueError:  # it is not shown: there may be a password in it
        raise ConfigError("Setting database is no URL of a database: its port, or an address in brackets, cannot be read.") from None
    except ArgumentError as error:
        raise ConfigError(f"Setting database is no URL of a database that can be used here: {str(error).splitlines()[0]}.") from None
    return parsed


def answers(engine: Engine) -> bool:
    """Whether the database answers now."""
    try:
        with reading(engine) as connection:
            connection.execute(select(1))
    except SQLAlchemyError:
        return False
    return True


def is_away(error: BaseException) -> bool:
    """Whether ``error`` says that the database cannot be used for now (gone, restarted, locked, its disk full), not that what was asked of
    it is wrong: what was tried may be tried again, and is no fault of the mail that it was tried for.
    """
    if not isinstance(error, DBAPIError):
        return False
    code = getattr(error.orig, "sqlite_errorname", None)
    if code is not None:
        return any(code.startswith(f"SQLITE_{one}") for one in _SQLITE_AWAY)
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)


def said_by(error: DBAPIError) -> str:
    """What a database's error says, in one line."""
    return (str(error.orig).strip().splitlines() or [type(error.orig).__name__])[0].rstrip(".")


def _without_nul(_c: Any, _cursor: Any, statement: str, given: Any, _context: Any, many: bool) -> tuple[str, Any]:
    """No text of PostgreSQL's may hold a NUL, and any header of a mail may: it is kept, and looked up, as U+FFFD."""

    def clean(row: Any) -> Any:
        if not any(isinstance(one, str) and "\0" in one for one in row.values()):
            return row
        return {key: one.replace("\0", "\ufffd") if isinstance(one, str) else one for key, one in row.items()}

    if isinstance(given, dict):
        return statement, clean(given)
    return statement, [clean(row) for row in given] if many else given


def _make_file(file: Path) -> None:
    """A new database, and a folder that is made for it, are this user's only. SQLite gives its other files the same rights."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
    except ValueError:
        raise ConfigError(f"Setting database names no file that there can be: {str(file)!r}.") from None


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself: _begin does
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={BUSY_MS}", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """SQLite does not wait for others where the journal's mode changes, as the first ones of a new database do at once."""
    ends = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > ends:
                raise
            time.sleep(0.01)


def _prepare_to_read(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA query_only=ON")


def _let_foreign_keys_be(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA foreign_keys=OFF")


def _begin(connection: Connection) -> None:
    # A transaction that reads first and writes later would fail when another has written in between: writers take the lock at once.
    reads = connection.get_execution_options().get("hexpost_reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction that writes: committed as a whole, or not at all."""
    with engine.begin() as connection:
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One transaction that only reads: a consistent picture, and no writer waits for it. Within another of this thread it is that one."""
    outer: dict[Engine, Connection] = _reads.__dict__.setdefault("by_engine", {})
    if engine in outer:
        yield outer[engine]
        return
    options: dict[str, Any] = {"hexpost_reads": True}
    if engine.dialect.name == "postgresql":
        options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with engine.connect().execution_options(**options) as connection, connection.begin():
        outer[engine] = connection
        try:
            yield connection
        finally:
            del outer[engine]
