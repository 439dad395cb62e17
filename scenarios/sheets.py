"""What a board says of whole hexes besides their terrain: marks, and the numbers that its sheets have printed in them."""

from __future__ import annotations

from collections.abc import Collection

from scenarios.hexes import Hex, parse_hex
from scenarios.records import Record


def read_marks(top: Record, land: Collection[Hex]) -> dict[str, frozenset[Hex]]:
    """``[marks]``: kind -> its hexes. Faults: a hex that is off the map or cannot be entered, or is there twice."""
    record = top.table("marks", needed=False)
    marks: dict[str, frozenset[Hex]] = {}
    for kind in record.data if record is not None else ():
        assert record is not None
        found: list[Hex] = []
        for text in record.texts(kind):
            at = _hex(record, kind, text)
            if at is not None and at not in land:
                record.fault(f"{text} is off the map or cannot be entered", kind, f'"{text}"')
            elif at in found:
                record.fault(f"{text} is there twice", kind, f'"{text}"')
            elif at is not None:
                found.append(at)
        marks[kind] = frozenset(found)
    return marks


def read_sheets(top: Record, columns: int, rows: int) -> dict[Hex, str]:
    """``[[sheets]]``: hex -> the number printed in it, where that is not its own; a sheet is a rectangle of hexes.

    Where two sheets overlap, the number of the first one stands. Faults: a rectangle that does not lie on the board; a sheet whose even
    columns would stand high; two hexes with one number.
    """
    labels: dict[Hex, str] = {}
    for record in top.tables("sheets"):
        first, last, number = (_hex(record, key, record.text(key)) for key in ("first", "last", "number"))
        mark = record.text("mark", "")
        record.done()
        if first is None or last is None or number is None:
            continue
        if not (1 <= first.col <= last.col <= columns and 1 <= first.row <= last.row <= rows):
            record.fault(f"{first} to {last} is no part of the board", "first")
        elif (first.col - number.col) % 2:
            record.fault(f"{number} in {first}: even columns of the sheet would stand high", "number")
        else:
            for col in range(first.col, last.col + 1):
                for row in range(first.row, last.row + 1):
                    printed = Hex(col - first.col + number.col, row - first.row + number.row)
                    labels.setdefault(Hex(col, row), f"{mark}{printed}")
    seen: dict[str, Hex] = {}
    for at, label in labels.items():
        if seen.setdefault(label, at) != at:
            top.fault(f"{seen[label]} and {at} both have the number {label}", needle="[[sheets]]")
            break
    return {at: label for at, label in labels.items() if label != str(at)}


def _hex(record: Record, key: str, text: str) -> Hex | None:
    try:
        return parse_hex(text)
    except ValueError as error:
        if text:
            record.fault(str(error), key)
        return None
