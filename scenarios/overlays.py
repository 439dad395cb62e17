"""Owners' overlays: a folder with a folder for each game, whose files stand in for those of the package, checked cell by cell against them.

The rules lean on what a file of the package holds: its columns, its tables and keys, its numbers and words. An owner's file has the same
of each; only what they say may differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from scenarios.art import ART_FILE
from scenarios.faults import Faults
from scenarios.package import FIXED, Package, TextFile
from scenarios.records import Record, Row, as_value, read_csv, read_toml

MOST = 99
"""The largest number in a cell where the package has none below zero."""
_DATA = frozenset({".toml", ".csv", ".tsv", ".txt"})
_WORDS = frozenset({"type", "nation", "parent", "size", "class", "back", "light"})
"""Columns whose words the rules and the pictures know."""
_HEX = re.compile(r"\d{4}", re.ASCII)
_FREE = frozenset({"label", "name", "clause", "clauses", "aliases"})


def overlay_of(overlays: Path | None, key: str) -> Path | None:
    """The overlay of the game ``key`` in the folder ``overlays``, if it has one."""
    return overlays / key if overlays is not None and (overlays / key).is_dir() else None


def check_folder(overlays: Path | None, keys: Iterable[str], faults: Faults) -> None:
    """Faults: the folder is not there; a folder in it that is no game's; what bears a game's name and is no folder."""
    if overlays is None:
        return
    if not overlays.is_dir():
        faults.add(str(overlays), 1, "there is no such folder of overlays")
        return
    known = sorted(keys)
    for path in sorted(overlays.iterdir()):
        if path.is_dir() and path.name not in known:
            faults.add(str(path), 1, f"no game has this key; there are: {', '.join(known)}")
        elif path.name in known and not path.is_dir():
            faults.add(str(path), 1, "the overlay of a game must be a folder")


def check_overlay(package: Package) -> None:
    """Faults of an overlay's files beside those of the package; what a file says in itself is checked as the package's would be."""
    if package.overlay is None:
        return
    for path in sorted(package.overlay.iterdir()):
        if path.suffix.lower() not in _DATA:
            continue
        if not path.is_file():
            package.faults.add(str(path), 1, "an overlay has files only")
            continue
        if path.name == ART_FILE:
            continue
        if path.name in FIXED or not (package.folder / path.name).is_file():
            package.faults.add(str(path), 1, "the package has no data file of this name that an overlay may stand in for")
            continue
        own = package.read(path.name)
        printed = Package(package.folder, Faults()).read(path.name)
        if own is None or printed is None:
            continue
        if path.suffix == ".csv":
            _check_csv(package, own, printed)
        elif path.name == "map.toml":
            _check_names(package, own, printed)
        elif path.suffix == ".toml" and path.name in _charts(package):
            _check_toml(package, own, printed)


def _charts(package: Package) -> set[str]:
    """The files of the charts that ``game.toml`` names."""
    file = package.read("game.toml")
    top = read_toml(file, Faults()) if file is not None else None
    charts = top.data.get("charts", {}) if top is not None else {}
    return {str(spec.get("file")) for spec in charts.values() if isinstance(spec, dict)} if isinstance(charts, dict) else set()


# -- CSV ---------------------------------------------------------------------------------------------------------------------------


def _check_csv(package: Package, own: TextFile, printed: TextFile) -> None:
    model = read_csv(printed, Faults())
    rows = read_csv(own, package.faults)
    if not model or not rows:
        return
    columns = tuple(model[0].cells)
    for column in columns:
        if column not in rows[0].cells:
            package.faults.add(own.name, 1, f"the table has no column {column!r}")
    for column in rows[0].cells:
        if column not in columns:
            package.faults.add(own.name, 1, f"the package's table knows no column {column!r}")
    for column in columns:
        if column in rows[0].cells and column not in _FREE:
            _check_column(rows, column, [row.cells[column] for row in model])


def _check_column(rows: Iterable[Row], column: str, printed: list[str]) -> None:
    filled = [as_value(cell) for cell in printed if cell]
    numbers = bool(filled) and not any(isinstance(value, str) for value in filled)
    for row in rows:
        cell = row.cells[column]
        if not cell:
            if "" not in printed:
                row.fault(f"an empty cell in column {column!r}")
        elif numbers:
            if reason := _bad_number(as_value(cell), filled):
                row.fault(f"column {column!r}: {cell!r} {reason}")
        elif column in _WORDS and cell not in printed:
            row.fault(f"column {column!r}: no {column} {cell!r}; there are: {', '.join(sorted(set(printed) - {''}))}")


def _bad_number(value: Any, printed: Iterable[Any]) -> str:
    """What is wrong with a number that stands where the package has such as ``printed``; empty if nothing is."""
    if isinstance(value, (str, bool)) or not hasattr(value, "denominator"):
        return "is no number"
    if value.denominator != 1 and all(number.denominator == 1 for number in printed):
        return "is no whole number"
    if not (0 if all(number >= 0 for number in printed) else -MOST) <= value <= MOST:
        return f"does not lie within 0 and {MOST}" if value >= 0 or all(number >= 0 for number in printed) else f"is below -{MOST}"
    return ""


# -- TOML --------------------------------------------------------------------------------------------------------------------------


def _check_toml(package: Package, own: TextFile, printed: TextFile) -> None:
    top, model = read_toml(own, package.faults), read_toml(printed, Faults())
    if top is not None and model is not None:
        _compare(top, top.data, model.data, _leaves(model.data), "")


def _compare(record: Record, own: Mapping[str, Any], printed: Mapping[str, Any], leaves: Mapping[str, list[Any]], name: str) -> None:
    of = f"[{name}] " if name else ""
    for key in printed:
        if key not in own:
            record.fault(f"{of}has no {key!r}")
    for key, value in own.items():
        if key not in printed:
            record.fault(f"{of}does not know {key!r}", key)
        elif isinstance(printed[key], dict):
            part = record.table(key)
            if part is not None:
                _compare(part, value, printed[key], leaves, f"{name}.{key}" if name else key)
        elif reason := _bad_leaf(key, value, printed[key], leaves[key]):
            record.fault(f"{of}{key!r}: {value!r} {reason}", key)


def _bad_leaf(key: str, value: Any, here: Any, printed: list[Any]) -> str:
    """What is wrong with a value where the package has ``here``, and ``printed`` under the same key elsewhere; empty if nothing is."""
    if isinstance(value, list) or isinstance(here, list):
        good = isinstance(value, list) and isinstance(here, list) and all(isinstance(item, str) for item in value)
        return "" if good else "must be a list of words" if isinstance(here, list) else "must not be a list"
    if isinstance(here, bool):
        return "" if isinstance(value, bool) else "must be true or false"
    if key == "hex":  # none where the package has none; that it lies on the board is checked where it is read
        return "" if value == here or (here and isinstance(value, str) and _HEX.fullmatch(value)) else "is no hex number"
    printed = [item for item in printed if not isinstance(item, list | bool)]
    exact = [as_value(item) if isinstance(item, str) else item for item in printed]
    numbers = [item for item in exact if not isinstance(item, str)]
    meant = as_value(value) if isinstance(value, str) else value
    if isinstance(meant, str) and key in _FREE:
        return ""
    if isinstance(meant, str) and (meant in printed or key == "side"):  # that there is such a side is checked where it is read
        return ""
    if not numbers:
        return f"must be one of: {', '.join(sorted(set(printed)))}"
    return _bad_number(meant, numbers)


def _leaves(value: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Key -> the values that stand under it, in whatever table."""
    found: dict[str, list[Any]] = {}
    for key, item in value.items():
        if isinstance(item, dict):
            for inner, values in _leaves(item).items():
                found.setdefault(inner, []).extend(values)
        else:
            found.setdefault(key, []).append(item)
    return found


# -- the map -----------------------------------------------------------------------------------------------------------------------


def _check_names(package: Package, own: TextFile, printed: TextFile) -> None:
    """Every place of the package's map has its name on the owner's: rules and orders call places by it."""
    top, model = read_toml(own, package.faults), read_toml(printed, Faults())
    if top is None or model is None:
        return
    names = _names(top.data)
    for place in model.data.get("places", ()):
        if not names & {str(name).upper() for name in place["names"]}:
            top.fault(f"no place is called {place['names'][0]!r}, as one of the package is")


def _names(data: Mapping[str, Any]) -> set[str]:
    places = data.get("places", ())
    found = [place.get("names", ()) for place in places if isinstance(place, dict)] if isinstance(places, list) else []
    return {str(name).upper() for names in found if isinstance(names, list) for name in names}
