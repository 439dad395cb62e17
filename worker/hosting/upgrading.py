"""``hexpost upgrade``: the journal's tables brought to another revision, as a whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Text,
    cast,
    column,
    create_engine,
    func,
    inspect,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.exc import InterfaceError, OperationalError

from worker.app import utc_now
from worker.config import Config, ConfigError
from worker.hosting.beats import LASTS, alive
from worker.hosting.processes import CannotServe, only_one
from worker.migrations import BASELINE, alembic_config, head, revisions
from worker.play.games import UnusableInput
from worker.store import schema
from worker.store.database import connect, database_url, demand_file, reading, said_by, writing


def upgrade(file: Path | None, to: str | None = None, *, drop_data: bool = False) -> Iterator[str]:
    """Bring the database of these settings to revision ``to``, the newest by default; what was done, in sentences.

    ``drop_data``: an earlier revision may lose what it has no place for. UnusableInput for a revision that there is not, or one that would
    lose something; CannotServe while any part runs; ConfigError where the database cannot be used.
    """
    config = Config.load(file)
    target = to or head()
    if target not in revisions():
        raise UnusableInput(f"There is no revision {target[:40]!r}; there are {', '.join(revisions())}.")
    demand_file(config.database)
    with only_one(config.home):
        yield from _nobody_works(config.broker)
        engine = connect(config.database, foreign_keys=False)
        try:
            yield from _upgraded(engine, config.database, target, drop_data)
        except (OperationalError, InterfaceError) as error:
            raise ConfigError(f"The database cannot be upgraded: {said_by(error)}. It is as it was.") from None
        finally:
            engine.dispose()


def _nobody_works(broker: str) -> Iterator[str]:
    """CannotServe, which names them, where parts run that ``hexpost run`` began. ``broker``: the setting; without one there are none."""
    found = alive(broker) if broker else []
    if found is None:
        yield "Redis does not answer, so that it cannot be seen whether any part still runs."
    if found:
        raise CannotServe(
            f"These still run: {'; '.join(found)}. Stop every part first: they would write into tables that change under them. "
            f"(One that was killed is named for {LASTS} seconds more.)"
        )


def _upgraded(engine: Engine, url: str, target: str, drop_data: bool) -> Iterator[str]:
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
    if found.revision is not None and revisions().index(target) < revisions().index(found.revision):
        lost = _lost(engine, target)
        if lost and not drop_data:
            raise UnusableInput(
                f"Revision {target} has no place for {'; '.join(lost)}. Nothing was changed. Make a backup with the hexpost that wrote it, "
                "and say --drop-data if these may be lost."
            )
        yield from (f"Dropped: {one}." for one in lost)
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


def _columns(revision: str) -> dict[str, set[str]]:
    """The tables of a revision with their columns."""
    engine = create_engine("sqlite://")
    with engine.begin() as made:
        command.upgrade(alembic_config(made), revision)
        found = {name: {one["name"] for one in inspect(made).get_columns(name)} for name in inspect(made).get_table_names()}
    engine.dispose()
    return found


def _lost(engine: Engine, target: str) -> list[str]:
    """What revision ``target`` has no place for, where there is anything in it: tables with their rows, and columns with how many rows
    have something in them other than the column's default.
    """
    kept, lost = _columns(target), []
    with reading(engine) as connection:
        has = inspect(connection)
        for name in sorted(has.get_table_names()):
            if name not in kept:
                if count := int(connection.scalar(select(func.count()).select_from(table(name))) or 0):
                    lost.append(f"table {name} ({_rows(count)})")
                continue
            for one in has.get_columns(name):
                if one["name"] not in kept[name] and (count := _filled(connection, name, one["name"], one["default"])):
                    lost.append(f"column {one['name']} of table {name} (filled in {_rows(count)})")
    return lost


def _filled(connection: Connection, name: str, key: str, default: str | None) -> int:
    found: ColumnElement[Any] = column(key)
    query = select(func.count()).select_from(table(name)).where(found.is_not(None))
    if default is not None:
        query = query.where(cast(found, Text) != cast(literal_column(default), Text))
    return int(connection.scalar(query) or 0)


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"


def _demand_baseline(connection: Connection) -> None:
    """ConfigError where tables without a stamp lack columns of the baseline: they are of an even older hexpost."""
    wanted = _columns(BASELINE)
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
