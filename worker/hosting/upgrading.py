"""``hexpost upgrade``: the journal's tables brought to another revision, as a whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from alembic import command
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy.exc import InterfaceError, OperationalError

from worker.app import utc_now
from worker.config import Config, ConfigError
from worker.hosting.processes import only_one
from worker.migrations import BASELINE, alembic_config, head, revisions
from worker.play.games import UnusableInput
from worker.store import schema
from worker.store.database import connect, database_url, demand_file, reading, said_by, writing


def upgrade(file: Path | None, to: str | None = None) -> Iterator[str]:
    """Bring the database of these settings to revision ``to``, the newest by default; what was done, in sentences.

    UnusableInput for a revision that there is not, CannotServe while the home is served, ConfigError where the database cannot be used.
    """
    config = Config.load(file)
    target = to or head()
    if target not in revisions():
        raise UnusableInput(f"There is no revision {target[:40]!r}; there are {', '.join(revisions())}.")
    demand_file(config.database)
    with only_one(config.home):
        engine = connect(config.database, foreign_keys=False)
        try:
            yield from _upgraded(engine, config.database, target)
        except (OperationalError, InterfaceError) as error:
            raise ConfigError(f"The database cannot be upgraded: {said_by(error)}. It is as it was.") from None
        finally:
            engine.dispose()


def _upgraded(engine: Engine, url: str, target: str) -> Iterator[str]:
    with reading(engine) as connection:
        found = schema.found_in(connection)
    if found.empty:
        yield "The database has no tables yet; hexpost makes them when it first uses it."
        return
    if found.revision not in (None, *revisions()):
        schema.demand_current(found)
    if found.revision == target:
        yield f"The database is of revision {target} already."
        return
    if (copy := copied(url, found.revision)) is not None:
        yield f"The database as it is was copied to {copy}."
    with writing(engine) as connection:
        schema.lock(connection)
        move(connection, target)
    yield f"The database was of {_named(found.revision)} and is of revision {target} now."


def move(connection: Connection, target: str) -> None:
    """Change the tables to revision ``target``, up or down, in the transaction of ``connection``; ConfigError if they are not what their
    revision says.
    """
    config = alembic_config(connection)
    found = schema.found_in(connection)
    if found.revision is None:
        command.upgrade(config, BASELINE)
        _demand_baseline(connection)
    if revisions().index(target) < revisions().index(found.revision or BASELINE):
        command.downgrade(config, target)
    else:
        command.upgrade(config, target)
    demand_whole(connection)


def demand_whole(connection: Connection) -> None:
    """ConfigError where rows refer to none: SQLite does not look while its tables are altered."""
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check")).first()
        if broken is not None:
            raise ConfigError(
                f"The database cannot be changed: a row of its table {broken[0]} belongs to none of {broken[2]}. It is as it was."
            )


def copied(url: str, revision: str | None) -> Path | None:
    """A copy of an SQLite database beside it, named by its revision and the time; None for another kind of database."""
    parsed = database_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        return None
    source = Path(parsed.database)
    copy = source.with_name(f"{source.name}.{revision or 'unstamped'}.{utc_now().partition('+')[0].replace(':', '').replace('-', '')}")
    copy.touch(mode=0o600)
    before, after = sqlite3.connect(source), sqlite3.connect(copy)
    try:
        before.backup(after)
    finally:
        before.close()
        after.close()
    return copy


def _demand_baseline(connection: Connection) -> None:
    """ConfigError where tables without a stamp lack columns of the baseline: they are of an even older hexpost."""
    engine = create_engine("sqlite://")
    with engine.begin() as made:
        command.upgrade(alembic_config(made), BASELINE)
        wanted = {name: {one["name"] for one in inspect(made).get_columns(name)} for name in inspect(made).get_table_names()}
    engine.dispose()
    has = inspect(connection)
    for name in sorted(wanted):
        lacking = sorted(wanted[name] - {one["name"] for one in has.get_columns(name)})
        if lacking:
            raise ConfigError(
                f"The database cannot be upgraded: its table {name} has no column {lacking[0]}, so that it is of a hexpost before the "
                "first that can be upgraded. It is as it was."
            )


def _named(revision: str | None) -> str:
    return "no revision" if revision is None else f"revision {revision}"
