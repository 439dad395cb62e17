"""The connection to the journal's database: SQLite made durable, or PostgreSQL by URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from worker import clocktables
from worker.config import ConfigError

BUSY_MS = 10_000
metadata = clocktables.vacations.metadata
"""All tables: those of ``worker.tables`` and of ``worker.clocktables``."""


def open_database(url: str) -> Engine:
    """An engine for ``url``, its tables made where they are missing. SQLite: WAL, synchronous FULL, writers queue up to 10 s.

    Errors, which end in the log, name no values: these are secrets, tokens and orders. ConfigError if ``url`` names no known database.
    """
    try:
        parsed = make_url(url)
        parsed.get_dialect().import_dbapi()
    except (ArgumentError, ImportError) as error:
        raise ConfigError(f"Setting database is no URL of a database that can be used here: {str(error).splitlines()[0]}.") from None
    if parsed.get_backend_name() == "sqlite":
        if parsed.database and parsed.database != ":memory:":
            _make_file(Path(parsed.database))
        engine = create_engine(parsed, connect_args={"timeout": BUSY_MS / 1000}, hide_parameters=True)
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    else:
        engine = create_engine(parsed, isolation_level="READ COMMITTED", hide_parameters=True)
    with writing(engine) as connection:
        metadata.create_all(connection)
        _add_columns(connection)
    return engine


def _add_columns(connection: Connection) -> None:
    """The columns that a table of an older version lacks, where they may be empty."""
    known = inspect(connection)
    for table in metadata.sorted_tables:
        there = {one["name"] for one in known.get_columns(table.name)}
        for column in table.columns:
            if column.name not in there and column.nullable:
                kind = column.type.compile(connection.dialect)
                quoted = (connection.dialect.identifier_preparer.quote(one) for one in (table.name, column.name))
                connection.exec_driver_sql("ALTER TABLE {} ADD COLUMN {} {}".format(*quoted, kind))


def _make_file(file: Path) -> None:
    """A new database, and a folder that is made for it, are this user's only. SQLite gives its other files the same rights."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(mode=0o600)


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself: _begin does
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


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
    """One transaction that only reads: a consistent picture, and no writer waits for it."""
    with engine.connect().execution_options(hexpost_reads=True) as connection, connection.begin():
        yield connection
