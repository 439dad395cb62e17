"""``./test --all=mutants``: switches off each cited line of the law in turn; a test marked with its clause must then fail.

Each mutant runs in a child of this process, which puts the changed module in the place of the file's; the working tree is never touched.
Results are kept in ``var/mutants/<game>.json`` and taken up again while law, data and tests are unchanged.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import time
import types
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.sources import TESTABLE, citation_lines, clauses, files, games, marks, name, open_clauses
from tests.long.switch_off import switch_off

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
PLUGINS = ["pytest_timeout", "_hypothesis_pytestplugin"]
SECONDS = 180
"""A mutant that runs longer than this loops for ever: its tests noticed."""


@dataclass(frozen=True, slots=True)
class Line:
    """A cited line: its file and number, and the clauses of the game that it enforces."""

    path: Path
    number: int
    clauses: tuple[str, ...]

    @property
    def where(self) -> str:
        return f"{name(self.path)}:{self.number}"


class Replaced(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed tree instead of its file."""

    def __init__(self, path: Path, code: types.CodeType) -> None:
        parts = path.relative_to(ROOT).with_suffix("").parts
        self.package = parts[-1] == "__init__"
        self.module = ".".join(parts[:-1] if self.package else parts)
        self.path, self.code = path, code

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.module:
            return None
        places = [str(self.path.parent)] if self.package else None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self, submodule_search_locations=places)

    def exec_module(self, module: types.ModuleType) -> None:
        exec(self.code, module.__dict__)  # noqa: S102  # our own source, with one line switched off


class Chosen:
    """A pytest plugin that keeps the tests marked with any of these clauses."""

    def __init__(self, game: str, clauses: Sequence[str]) -> None:
        self.game, self.clauses = game, set(clauses)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [
            item
            for item in items
            if any(mark.args[0] == self.game and self.clauses & set(mark.args[1:]) for mark in item.iter_markers("rule"))
        ]


def run_tests(game: str, clauses: Sequence[str]) -> int:
    """pytest's exit code for the tests of these clauses, in this process, in silence."""
    paths = sorted(
        {str(ROOT / mark.where.rpartition(":")[0]) for mark in marks() if mark.game == game and set(mark.ids or ()) & set(clauses)}
    )
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    arguments = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", *(word for plugin in PLUGINS for word in ("-p", plugin)), *paths]
    return int(pytest.main(arguments, plugins=[Chosen(game, clauses)]))


def start(game: str, line: Line, code: types.CodeType | None) -> int:
    """Forks a child that runs the tests of ``line`` on the changed module (None: as it is); returns its process id."""
    child = os.fork()
    if child:
        return child
    try:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # noqa: TID251  # for pytest, in this child alone
        signal.alarm(SECONDS)
        if code is not None:
            sys.meta_path.insert(0, Replaced(line.path, code))
        os._exit(run_tests(game, line.clauses))
    finally:
        os._exit(3)


def verdict(status: int) -> str:
    if os.WIFSIGNALED(status):
        return "killed"  # by the alarm: it looped
    return {0: "survived", 5: "no test"}.get(os.waitstatus_to_exitcode(status), "killed")


def cited(game: str) -> list[Line]:
    """The lines of the law of ``game`` that end with a clause; those left out whose clauses are all open, or not of a testable kind."""
    proven = {clause for clause, kind in clauses(game).items() if kind in TESTABLE} - set(open_clauses(game))
    lines = []
    for path, number, ids in citation_lines(game):
        due = tuple(clause for clause in ids if clause in proven)
        if due:
            lines.append(Line(path, number, due))
    return lines


def generation(game: str) -> str:
    """A digest of all that a result depends on."""
    digest = hashlib.sha256()
    folders = ("services/rules", "scenarios", "tests/rules", "tests/long", "tests/conftest.py")
    for path in files():
        if name(path).startswith(folders):
            digest.update(name(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def remembered(state: Path, digest: str) -> dict[str, dict[str, str]]:
    if state.is_file():
        kept = json.loads(state.read_text(encoding="utf-8"))
        if kept["generation"] == digest:
            return dict(kept["results"])
    return {}


def sound(game: str, lines: list[Line]) -> bool:
    """Whether the tests pass before anything is switched off; a red test would make every mutant look noticed."""
    every = tuple({clause for line in lines for clause in line.clauses})
    _, status = os.waitpid(start(game, Line(ROOT, 0, every), None), 0)
    return os.waitstatus_to_exitcode(status) in (0, 5)


def hunt(game: str, jobs: int) -> list[tuple[str, str, str]]:
    """Runs every mutant of ``game``; (where, verdict, what was done) of each, in the order of the files."""
    state = ROOT / "var" / "mutants" / f"{game}.json"
    state.parent.mkdir(parents=True, exist_ok=True)
    digest = generation(game)
    results = remembered(state, digest)
    waiting = [line for line in cited(game) if line.where not in results]
    running: dict[int, tuple[Line, str]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            line = waiting.pop(0)
            mutant = switch_off(line.path.read_text(encoding="utf-8"), line.number)
            if mutant is None:
                results[line.where] = {"verdict": "nothing to switch off", "how": ", ".join(line.clauses)}
                continue
            running[start(game, line, compile(mutant.tree, str(line.path), "exec"))] = (line, mutant.how)
        if running:
            child, status = os.wait()
            line, how = running.pop(child)
            results[line.where] = {"verdict": verdict(status), "how": f"{', '.join(line.clauses)}: {how}"}
            print(f"{results[line.where]['verdict']:9} {line.where} {results[line.where]['how']}", flush=True)
            state.write_text(json.dumps({"generation": digest, "results": results}, indent=1), encoding="utf-8")
    return [(where, result["verdict"], result["how"]) for where, result in results.items()]


def main() -> int:
    parser = argparse.ArgumentParser(prog="./test --all=mutants", description=__doc__)
    parser.add_argument("--game", choices=games(), help="one game alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time")
    options = parser.parse_args()
    marks()  # read once, not by every child
    alive = 0
    for game in [options.game] if options.game else games():
        began = time.monotonic()
        if not sound(game, cited(game)):
            print(f"{game}: its tests fail as they are; mend them first (./test tests/rules)")
            return 1
        results = hunt(game, options.jobs)
        print(f"\n{game}: {dict(Counter(verdict for _, verdict, _ in results))} in {time.monotonic() - began:.0f} s")
        for where, found, how in results:
            if found in ("survived", "no test"):
                alive += 1
                print(f"  {found}: {where} {how}")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
