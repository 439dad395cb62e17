"""Reading of the charts that ``game.toml`` names: a TOML table or a CSV table each, as laid out in print."""

from __future__ import annotations

from typing import Any, cast

from scenarios.data import Source
from scenarios.package import Package
from scenarios.records import Record, as_value, read_csv, read_toml

SOURCES = ("printed", "reconstructed")


Cells = frozenset[tuple[str, str]]


def read_charts(package: Package, top: Record) -> tuple[dict[str, Any], dict[str, Source], dict[str, Cells]]:
    """Chart name -> table; -> source; -> its printed cells, of a chart that is reconstructed otherwise. A CSV chart is a tuple of rows
    (column -> value); the columns named by ``lists`` hold tuples of words. Strings like ``"1/2"`` become Fractions."""
    charts: dict[str, Any] = {}
    sources: dict[str, Source] = {}
    printed: dict[str, Cells] = {}
    record = top.table("charts", needed=False)
    for name, spec in record.subtables() if record is not None else ():
        sources[name] = read_source(spec, "source")
        lists = spec.texts("lists")
        file_name = spec.text("file")
        charts[name] = _csv(package, spec, file_name, lists) if file_name.endswith(".csv") else _toml(package, spec, file_name)
        if found := _printed(spec, charts[name], sources[name]):
            printed[name] = found
        spec.done()
    return charts, sources, printed


def _printed(spec: Record, chart: Any, source: Source) -> Cells:
    """The cells that ``printed`` names: whole rows by their first cell (``"2"``), or a row and some columns of it (``"3 1:5 1:4"``).

    Faults: a row or column that the chart has not, or names twice; a chart that is printed as a whole, or no CSV table.
    """
    named = spec.texts("printed")
    if named and (source != "reconstructed" or not isinstance(chart, tuple)):
        spec.fault("cells are named as printed in CSV charts that are reconstructed otherwise", "printed")
        return frozenset()
    if not named or not chart:
        return frozenset()
    key, *columns = chart[0]
    rows = {str(row[key]) for row in chart}
    cells: list[tuple[str, str]] = []
    for text in named:
        row, wanted = (text, columns) if text in rows else (text.split()[0] if text.split() else "", text.split()[1:])
        if row not in rows or not wanted:
            spec.fault(f"the chart has no row {text!r}", "printed", f'"{text}"')
        for column in wanted:
            if column not in columns:
                spec.fault(f"the chart has no column {column!r}", "printed", f'"{text}"')
            elif (row, column) in cells:
                spec.fault(f"{text!r}: {column} is named already", "printed", f'"{text}"')
            cells.append((row, column))
    return frozenset(cells)


def read_source(record: Record, key: str) -> Source:
    """``"printed"`` or ``"reconstructed"``; anything else is a fault. (``"overlay"`` is what the loader finds.)"""
    source = record.text(key)
    if source and source not in SOURCES:
        record.fault(f"{key!r} must be printed or reconstructed", key)
    return cast(Source, source if source in SOURCES else "reconstructed")


def _toml(package: Package, spec: Record, name: str) -> dict[str, Any]:
    file = package.read(name, (spec.file.name, spec.line))
    top = read_toml(file, package.faults) if file is not None else None
    return {} if top is None else cast(dict[str, Any], _exact(dict(top.data)))


def _exact(value: Any) -> Any:
    """Numbers written as strings made numbers, at any depth; a float is left for the check to find."""
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_exact(item) if not isinstance(item, str) else item for item in value]
    if isinstance(value, str) and "/" in value:
        return as_value(value)
    return value


def _csv(package: Package, spec: Record, name: str, lists: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    file = package.read(name, (spec.file.name, spec.line))
    rows = []
    for row in read_csv(file, package.faults, lists) if file is not None else ():
        for column, cell in row.cells.items():
            if not cell and column not in lists:
                row.fault(f"an empty cell in column {column!r}")
        rows.append({column: tuple(cell.split()) if column in lists else as_value(cell) for column, cell in row.cells.items()})
    return tuple(rows)
