"""Reading of TOML tables and CSV rows field by field: what is missing, of the wrong kind or unknown becomes a fault with its line."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from scenarios.faults import Faults
from scenarios.package import TextFile

MOST_ROWS = 5000
_WHOLE = re.compile(r"-?\d{1,9}")
_FRACTION = re.compile(r"-?\d{1,3}/[1-9]\d{0,2}")
_TOML_PLACE = re.compile(r"\(at line (\d+), column \d+\)")


class Record:
    """One TOML table: its values by key, each asked for with its kind. ``line``: where the table starts."""

    def __init__(self, file: TextFile, data: Mapping[str, Any], faults: Faults, line: int = 1, name: str = "") -> None:
        self.file = file
        self.data = data
        self.line = line
        self._faults = faults
        self._name = name
        self._asked: set[str] = set()

    def line_of(self, key: str) -> int:
        """The line where ``key`` is set, as near as it can be told."""
        pattern = re.compile(rf'^\s*"?{re.escape(key)}"?\s*=')
        for number, text in enumerate(self.file.lines(), 1):
            if number >= self.line and pattern.match(text):
                return number
        return self.line

    def fault(self, reason: str, key: str | None = None, needle: str | None = None) -> None:
        """Note a fault of this table, of the line of ``key``, or of the next line from there that holds ``needle``."""
        line = self.line if key is None else self.line_of(key)
        self._faults.add(self.file.name, line if needle is None else self.file.line_of(needle, line), reason)

    def _get(self, key: str, kind: type, wanted: str, needed: bool) -> Any:
        self._asked.add(key)
        if key not in self.data:
            if needed:
                self.fault(f"{self._of()}has no {key!r}")
            return None
        value = self.data[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fault(f"{key!r} must be {wanted}", key)
            return None
        return value

    def _of(self) -> str:
        return f"[{self._name}] " if self._name else ""

    def text(self, key: str, default: str | None = None) -> str:
        """A string; ``default`` where the key may be left out. Empty after a fault."""
        value = self._get(key, str, "a string", default is None)
        return value if value is not None else default or ""

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number within bounds; ``least`` after a fault."""
        value = self._get(key, int, "a whole number", default is None)
        if value is None:
            return least if default is None else default
        if not least <= value <= most:
            self.fault(f"{key!r} is {value}; it must lie in {least} to {most}", key)
            return least
        return int(value)

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self._get(key, bool, "true or false", False)
        return default if value is None else bool(value)

    def texts(self, key: str, needed: bool = False) -> tuple[str, ...]:
        """A list of strings; empty if left out or after a fault."""
        value = self._get(key, list, "a list of strings", needed)
        if value is None:
            return ()
        if not all(isinstance(item, str) for item in value):
            self.fault(f"{key!r} must be a list of strings", key)
            return ()
        return tuple(value)

    def values(self, key: str) -> tuple[Any, ...]:
        """A list of anything; empty after a fault."""
        return tuple(self._get(key, list, "a list", True) or ())

    def value(self, key: str) -> Any:
        """Whatever stands there; None after a fault."""
        return self._get(key, object, "set", True)

    def table(self, key: str, needed: bool = True) -> Record | None:
        """A table within this one."""
        value = self._get(key, dict, "a table", needed)
        if value is None:
            return None
        name = f"{self._name}.{key}" if self._name else key
        header = self.file.line_of(f"[{name}]", self.line)
        line = header if f"[{name}]" in self.file.lines()[header - 1] else self.line_of(key)
        return Record(self.file, value, self._faults, line, name)

    def subtables(self) -> Iterable[tuple[str, Record]]:
        """All values of this table, each of which must be a table."""
        for key in self.data:
            record = self.table(key)
            if record is not None:
                yield key, record

    def tables(self, key: str) -> tuple[Record, ...]:
        """An array of tables (``[[key]]``); empty if left out."""
        value = self._get(key, list, "an array of tables", False)
        if value is None:
            return ()
        starts = [n for n, text in enumerate(self.file.lines(), 1) if text.strip().startswith(f"[[{key}]]")]
        records = []
        for index, item in enumerate(value):
            line = starts[index] if index < len(starts) else self.line_of(key)
            if isinstance(item, dict):
                records.append(Record(self.file, item, self._faults, line, key))
            else:
                self.fault(f"{key!r} must be an array of tables", key)
        return tuple(records)

    def done(self) -> None:
        """Every key that nobody asked for is a fault: it is misspelt or out of place."""
        for key in self.data:
            if key not in self._asked:
                line = self.line_of(key)
                header = self.file.line_of(f"[{key}", self.line) if line == self.line else line
                self._faults.add(self.file.name, header, f"{self._of()}does not know {key!r}")


def read_toml(file: TextFile, faults: Faults) -> Record | None:
    """The file as a table; None, with a fault at its line, if it is not TOML."""
    try:
        return Record(file, tomllib.loads(file.text), faults)
    except RecursionError:
        faults.add(file.name, 1, "not TOML: nested too deeply")
    except ValueError as error:  # tomllib's own error, or a number or date that cannot be
        at = _TOML_PLACE.search(str(error))
        line = int(at.group(1)) if at else max(1, len(file.lines()))
        faults.add(file.name, line, f"not TOML: {_TOML_PLACE.sub('', str(error)).strip()}")
    return None


class Row:
    """One line of a CSV table: cells by column name."""

    def __init__(self, file: TextFile, line: int, cells: Mapping[str, str], faults: Faults) -> None:
        self.file = file
        self.line = line
        self.cells = cells
        self._faults = faults

    def fault(self, reason: str) -> None:
        """Note a fault of this line."""
        self._faults.add(self.file.name, self.line, reason)


def read_csv(file: TextFile, faults: Faults, columns: tuple[str, ...] = ()) -> tuple[Row, ...]:
    """The rows below the header. Faults: a header that lacks one of ``columns`` or has one twice; a row with too few or too many cells."""
    lines = [(number, text) for number, text in enumerate(file.lines(), 1) if text.strip()]
    if not lines:
        faults.add(file.name, 1, "an empty table")
        return ()
    if len(lines) > MOST_ROWS:
        faults.add(file.name, lines[MOST_ROWS][0], f"more than {MOST_ROWS} lines")
        return ()
    header = _cells(lines[0][1])
    for column in columns:
        if column not in header:
            faults.add(file.name, lines[0][0], f"the table has no column {column!r}")
    if len(set(header)) != len(header) or "" in header:
        faults.add(file.name, lines[0][0], "a column without a name, or two of one name")
        return ()
    rows = []
    for number, text in lines[1:]:
        cells = _cells(text)
        if len(cells) != len(header):
            faults.add(file.name, number, f"{len(cells)} cells where the header has {len(header)}")
        elif all(column in header for column in columns):
            rows.append(Row(file, number, dict(zip(header, cells, strict=True)), faults))
    return tuple(rows)


def _cells(text: str) -> list[str]:
    """The cells of one line; the whole line as one cell where it cannot be split."""
    try:
        return [cell.strip() for cell in next(csv.reader([text], strict=True))]
    except csv.Error:
        return [text]


def as_value(text: str) -> int | Fraction | str:
    """A cell or TOML string as a number where it looks like one: ``"3"`` is 3, ``"1/2"`` a Fraction, all else the string itself."""
    if _WHOLE.fullmatch(text):
        return int(text)
    if _FRACTION.fullmatch(text):
        value = Fraction(text)
        return int(value) if value.denominator == 1 else value
    return text
