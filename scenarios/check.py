"""What ``hexpost scenario check`` runs: a package read and checked in full, and the clauses that its data cite."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scenarios.data import GameData
from scenarios.faults import Fault, Faults
from scenarios.loader import package_keys, read_game
from scenarios.overlays import check_folder, overlay_of
from scenarios.package import Package
from scenarios.records import read_toml

CLAUSE_KINDS = frozenset({"rule", "definition", "option", "variant", "setup", "chart", "example", "history"})


def check(root: Path | None = None, key: str | None = None, overlays: Path | None = None) -> list[Fault]:
    """Every fault of the package ``key`` under ``root`` (default: all packages that come with hexpost), by file and line; empty if none.

    ``overlays``: the folder of an owner's overlays, checked with the packages that they lie over. File names of a package start with the
    game's key, those of an overlay are whole paths. KeyError if there is no such package.
    """
    keys = package_keys(root)
    if key is not None and key not in keys:
        raise KeyError(key)
    folder = Faults()
    check_folder(overlays, keys, folder)
    found = sorted(folder.found)
    for each in keys if key is None else (key,):
        faults = Faults()
        package = Package((root or Path(__file__).parent) / each, faults, overlay_of(overlays, each))
        data = read_game(package, each)
        known = _clauses(package)
        if data is not None and known:
            _check_citations(package, data, known)
        found += sorted(Fault(_named(fault.file, each), fault.line, fault.reason) for fault in faults.found)
    return found


def _named(file: str, key: str) -> str:
    return file if Path(file).name != file else f"{key}/{file}"


def _clauses(package: Package) -> dict[str, str]:
    """Clause -> kind, from ``clauses.tsv`` (tab-separated: clause, kind, label). Empty where the package has none."""
    if not (package.folder / "clauses.tsv").is_file():
        return {}
    file = package.read("clauses.tsv")
    known: dict[str, str] = {}
    for number, line in enumerate(file.lines() if file is not None else [], 1):
        assert file is not None
        cells = line.split("\t")
        if number == 1:
            if cells != ["clause", "kind", "label"]:
                package.faults.add(file.name, 1, "the columns must be clause, kind, label")
        elif len(cells) != 3 or not all(cells):
            package.faults.add(file.name, number, "a line needs a clause, a kind and a label, with tabs between")
        elif cells[1] not in CLAUSE_KINDS:
            package.faults.add(file.name, number, f"no kind of clause: {cells[1]!r}")
        elif cells[0] in known:
            package.faults.add(file.name, number, f"clause {cells[0]} is there twice")
        else:
            known[cells[0]] = cells[1]
    return known


def _check_citations(package: Package, data: GameData, known: dict[str, str]) -> None:
    """Faults: a clause that the data cite and that is not in ``clauses.tsv``."""
    for name in _cited_files(package, data):
        file = package.read(name)
        top = read_toml(file, Faults()) if file is not None and name.endswith(".toml") else None
        cited = set(_cited(top.data)) if top is not None else _column(package, name)
        for clause in sorted(cited - known.keys() - {""}):
            assert file is not None
            package.faults.add(file.name, file.line_of(clause), f"cites {clause!r}, which is no clause of the rulebook")


def _cited_files(package: Package, data: GameData) -> list[str]:
    file = package.read("game.toml")
    top = read_toml(file, Faults()) if file is not None else None
    charts = top.data.get("charts", {}) if top is not None else {}
    specs = charts.values() if isinstance(charts, dict) else ()
    names = [spec["file"] for spec in specs if isinstance(spec, dict) and isinstance(spec.get("file"), str)]
    return ["game.toml", *(f"{key}.toml" for key in data.scenarios), *names]


def _cited(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "clause" and isinstance(item, str):
                yield item
            elif key == "clauses" and isinstance(item, list):
                yield from (word for word in item if isinstance(word, str))
            else:
                yield from _cited(item)
    elif isinstance(value, list):
        for item in value:
            yield from _cited(item)


def _column(package: Package, name: str) -> set[str]:
    """The cells of column ``clause`` of a CSV chart, if it has one."""
    file = package.read(name)
    rows = [line.split(",") for line in file.lines()] if file is not None else []
    if not rows or "clause" not in rows[0]:
        return set()
    at = rows[0].index("clause")
    return {row[at].strip() for row in rows[1:] if len(row) > at}
