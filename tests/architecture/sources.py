"""What the architecture tests read: the repository's files, its clauses, the marks in its tests and the citations in its code."""

from __future__ import annotations

import ast
import csv
import re
import subprocess
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTABLE = frozenset({"rule", "option", "variant", "setup", "chart", "example"})
CLAUSE_SHAPE = re.compile(r"(?:[a-z]+(?:\.[a-z]+)?\.r?\d+[a-z]?|\d+(?:\.\d+)*\.?(?:[A-Z](?:-\w+)?|-\d+|[a-z]))$")
"""How the rulebooks' clauses are numbered: ``terrain.13``, ``11.1e``, ``12l``, ``17.4.A-1``, ``4.1-1``; for plain ``9.3`` see below."""
SECTION_SHAPE = re.compile(r"\d+\.\d+$")
RULING_SHAPE = re.compile(r"[A-Z]{2}-R?\d+$")


@cache
def files() -> tuple[Path, ...]:
    """Every file that belongs to the repository, new ones included, ignored ones not; sorted."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return tuple(path for name in sorted(listing.stdout.split("\0")) if name and (path := ROOT / name).is_file())


def inside(*folders: str, suffix: str = ".py") -> list[Path]:
    """The repository's files with ``suffix`` under the given top folders."""
    return [path for path in files() if path.suffix == suffix and path.relative_to(ROOT).parts[0] in folders]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=name(path))


def games() -> list[str]:
    """The games that have a list of clauses."""
    return sorted(path.parent.name for path in (ROOT / "scenarios").glob("*/clauses.tsv"))


@cache
def clauses(game: str) -> dict[str, str]:
    """Clause id -> kind, as ``scenarios/<game>/clauses.tsv`` lists them."""
    with (ROOT / "scenarios" / game / "clauses.tsv").open(encoding="utf-8", newline="") as lines:
        return {row["clause"]: row["kind"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def ids_of(text: str) -> list[str]:
    """The ids of an ``open-clauses.txt``: the first word of a line; what follows says why; ``#`` starts a comment."""
    return [words[0] for line in text.splitlines() if (words := line.partition("#")[0].split())]


def open_clauses(game: str) -> list[str]:
    path = ROOT / "scenarios" / game / "open-clauses.txt"
    return ids_of(path.read_text(encoding="utf-8")) if path.is_file() else []


@dataclass(frozen=True, slots=True)
class Mark:
    """A ``pytest.mark.rule`` on a test. ``ids`` is None where they are not written out as strings."""

    where: str
    test: str
    game: str | None
    ids: tuple[str, ...] | None


def marks_in(path: Path) -> Iterator[Mark]:
    """The rule marks of one test file, on functions, classes, parameters or the whole module."""
    owners = {id(d): n.name for n in ast.walk(tree(path)) if isinstance(n, ast.FunctionDef | ast.ClassDef) for d in n.decorator_list}
    for node in ast.walk(tree(path)):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule"):
            continue
        values = [arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else None for arg in node.args]
        literal = tuple(value for value in values if value is not None)
        complete = len(literal) == len(node.args) and not node.keywords and len(literal) >= 2
        where = f"{name(path)}:{node.lineno}"
        yield Mark(where, owners.get(id(node), ""), values[0] if values else None, literal[1:] if complete else None)


@cache
def marks() -> tuple[Mark, ...]:
    return tuple(mark for path in inside("tests") for mark in marks_in(path))


def citation(comment: str) -> list[str]:
    """The ids that a comment cites: ``# 12.43`` or ``# 11.1e, 11.2a``; a comment that says anything else first cites nothing."""
    words = [word for word in re.split(r"[,;\s]+", comment.lstrip("# ").partition(":")[0]) if word]
    shapes = (CLAUSE_SHAPE, SECTION_SHAPE, RULING_SHAPE)
    return words if words and all(any(shape.match(word) for shape in shapes) for word in words) else []


def law(game: str) -> list[Path]:
    """The files of the law of ``game``."""
    folder = ROOT / "services" / "rules" / "games" / game.replace("-", "_")
    return [path for path in files() if path.suffix == ".py" and path.is_relative_to(folder)]


def citation_lines(game: str) -> Iterator[tuple[Path, int, list[str]]]:
    """(file, line, ids) of each comment in the law of ``game`` that cites clauses or rulings."""
    for path in law(game):
        with path.open("rb") as lines:
            for token in tokenize.tokenize(lines.readline):
                if token.type == tokenize.COMMENT and (ids := citation(token.string)):
                    yield path, token.start[0], ids


def citations(game: str) -> Iterator[tuple[str, str]]:
    """(file:line, id) of each clause that the law of ``game`` names: in a comment at a line's end, or as a string.

    Keys of a table are none: a unit's id may look like a clause.
    """
    for path, number, ids in citation_lines(game):
        yield from ((f"{name(path)}:{number}", word) for word in ids)
    for path in law(game):
        nodes = list(ast.walk(tree(path)))
        keys = {id(key) for node in nodes if isinstance(node, ast.Dict) for key in node.keys}
        for node in (node for node in nodes if id(node) not in keys):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CLAUSE_SHAPE.match(node.value):
                yield f"{name(path)}:{node.lineno}", node.value
