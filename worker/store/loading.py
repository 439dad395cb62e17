"""Rows of a pack into a database's tables, by the tables as the database has them."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Integer, LargeBinary, MetaData, Table, func, insert, select, text

from worker.play.games import UnusableInput

PER_INSERT = 200


def tables_of(connection: Connection) -> dict[str, Table]:
    """The tables that the database has, those first that others refer to."""
    found = MetaData()
    found.reflect(connection)
    return {table.name: table for table in found.sorted_tables if table.name != "alembic_version"}


def unpacked(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the database takes it. UnusableInput if it has columns that the table has not."""
    odd = sorted(row.keys() - table.columns.keys())
    if odd:
        raise UnusableInput(f"Its table {table.name} has a column {odd[0][:40]} that is none of its revision.")
    return {key: _value(table, key, value) for key, value in row.items()}


def insert_rows(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> int:
    """Enter rows; how many there were."""
    count, rest = 0, iter(rows)
    while some := list(islice(rest, PER_INSERT)):
        connection.execute(insert(table), some)
        count += len(some)
    return count


def numbered(tables: Iterable[Table]) -> Iterator[Table]:
    """Those tables whose rows the database numbers by itself."""
    for table in tables:
        keys = list(table.primary_key.columns)
        if len(keys) == 1 and isinstance(keys[0].type, Integer) and not keys[0].foreign_keys:
            yield table


def go_on_after(connection: Connection, tables: Iterable[Table]) -> None:
    """Have PostgreSQL number the next rows after those that were entered with their numbers; SQLite does so by itself."""
    if connection.dialect.name != "postgresql":
        return
    for table in numbered(tables):
        key = next(iter(table.primary_key.columns))
        last = connection.scalar(select(func.max(key)))
        if last is not None:
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence(:name, :key), :last)"), {"name": table.name, "key": key.name, "last": last}
            )


def _value(table: Table, key: str, value: Any) -> Any:
    return base64.b64decode(value) if isinstance(table.c[key].type, LargeBinary) and value is not None else value
