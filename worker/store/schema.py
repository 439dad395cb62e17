"""Which revision of the tables a database has, and whether this hexpost works with it. Alembic is needed only to change it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, select, text

from worker.config import ConfigError
from worker.migrations import head, revisions
from worker.store.tables import metadata

# As Alembic makes and reads it.
_stamps = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
_LOCK = 0x6865_7870  # "hexp": of all who make or change the tables of a PostgreSQL database, one at a time


@dataclass(frozen=True, slots=True)
class Found:
    """What a database has. ``empty``: no table of ours; ``revision``: its stamp, None where it has none."""

    empty: bool
    revision: str | None = None


def found_in(connection: Connection) -> Found:
    """What the database has."""
    names = set(inspect(connection).get_table_names())
    stamped = connection.scalar(select(_stamps.c.version_num)) if _stamps.name in names else None
    return Found(stamped is None and not names & set(metadata.tables), stamped)


def make(connection: Connection) -> None:
    """Make all tables in an empty database, and stamp it; nothing where another process has done so meanwhile."""
    lock(connection)
    if not found_in(connection).empty:
        return
    metadata.create_all(connection, checkfirst=False)
    _stamps.create(connection, checkfirst=True)
    connection.execute(insert(_stamps).values(version_num=head()))


def lock(connection: Connection) -> None:
    """Wait until nobody else makes or changes tables; until the end of the transaction. With SQLite every writer is alone."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def demand_current(found: Found) -> None:
    """ConfigError, which says what to do, unless the database is of the revision that this hexpost works with."""
    if found.revision == head():
        return
    if found.revision is None:
        raise ConfigError("The database is from before revisions of its tables were kept. Stop hexpost serve and run: hexpost upgrade")
    if found.revision not in revisions():
        raise ConfigError(
            f"The database is of revision {found.revision}, which this hexpost does not know: a newer one made it. Run that one, or "
            f"have it bring the database down: hexpost upgrade --to {head()}"
        )
    raise ConfigError(
        f"The database is of revision {found.revision}, and this hexpost works with {head()}. Stop hexpost serve and run: hexpost upgrade"
    )
