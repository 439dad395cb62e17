"""What every file of the repository keeps to: size, docstring, purity, and nothing that only one machine knows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, files, inside, name, tree

CODE = ("scenarios", "services", "worker", "tests")
TOP_LEVEL = {"scenarios", "services", "worker", "deploy", "docs", "tests", ".ci"}
TEXT = {".py", ".md", ".toml", ".txt", ".csv", ".tsv", ".sh", ".html", ".cfg", ".example", ""}
MAX_LINES = 400
MAX_FUNCTION_LINES = 70


def test_the_top_level_is_fixed() -> None:
    folders = {path.relative_to(ROOT).parts[0] for path in files() if len(path.relative_to(ROOT).parts) > 1}
    assert folders <= TOP_LEVEL


REVISIONS = ROOT / "worker/migrations/versions"
"""Lists of tables and columns, made by a program: long, and read once."""
FOR_ALEMBIC = ROOT / "worker/migrations/env.py"
"""Alembic runs it, at each upgrade, by importing it."""


def test_files_stay_under_four_hundred_lines() -> None:
    written = [path for path in inside(*CODE) if path.parent != REVISIONS]
    long = {name(path): lines for path in written if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES}
    assert long == {}


def test_functions_fit_a_screen() -> None:
    long = [
        f"{name(path)}:{node.lineno} {node.name}: {node.end_lineno - node.lineno + 1} lines"
        for path in inside("scenarios", "services", "worker")
        if path.parent != REVISIONS
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= MAX_FUNCTION_LINES
    ]
    assert long == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [name(path) for path in inside(*CODE) if path.read_text(encoding="utf-8").strip() and not ast.get_docstring(tree(path))]
    assert silent == []


IMPURE = re.compile(r"\b(?:datetime\.now|datetime\.utcnow|date\.today|time\.time|time\.monotonic|os\.environ|os\.getenv|os\.urandom)\b")


def test_law_and_pictures_read_no_clock_no_environment_and_no_chance() -> None:
    pure = [ROOT / "services/rules/engine", ROOT / "services/rules/games", ROOT / "services/render", ROOT / "scenarios"]
    found = [
        f"{name(path)}:{node.lineno} {ast.unparse(node)}"
        for path in inside("services", "scenarios")
        if path.name not in ("config.py", "__main__.py") and any(path.is_relative_to(folder) for folder in pure)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and IMPURE.fullmatch(ast.unparse(node))
    ]
    assert found == []


def test_only_config_reads_the_environment() -> None:
    """``ruff`` bans ``os.environ`` outside ``config.py``; here its other spellings, which ruff does not see."""
    found = [
        f"{name(path)}:{node.lineno} {ast.unparse(node)}"
        for path in inside("scenarios", "services", "worker")
        if path.name != "config.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.getenv", "os.putenv", "os.environb")
    ]
    assert found == []


def outermost_statements(module: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run at import: not those under ``if __name__`` or ``if TYPE_CHECKING``."""
    for node in module.body:
        if isinstance(node, ast.If):
            continue
        yield node


def test_nothing_is_opened_or_asked_at_import() -> None:
    """A call that stands alone at a module's outermost level does something; naming a value does not."""
    found = [
        f"{name(path)}:{node.lineno} {ast.unparse(node)[:60]}"
        for path in inside("scenarios", "services", "worker")
        if path != FOR_ALEMBIC
        for node in outermost_statements(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ]
    assert found == []


def texts() -> Iterator[tuple[Path, str]]:
    for path in files():
        if path.suffix in TEXT and path.name not in ("uv.lock", "LICENSE"):
            yield path, path.read_text(encoding="utf-8", errors="replace")


MACHINE_PATH = re.compile(r"(?<![\w.$}~-])/(?:home|root|work|mnt|media|Users|opt|srv)/\w")


def test_no_file_names_a_path_of_one_machine() -> None:
    found = [
        f"{name(path)}:{text.count(chr(10), 0, hit.start()) + 1} {text[hit.start() : hit.end() + 20]!r}"
        for path, text in texts()
        if path.relative_to(ROOT).parts[0] != "deploy"
        for hit in MACHINE_PATH.finditer(text)
    ]
    assert found == []


HOST = re.compile(r"https?://([A-Za-z0-9.-]+\.[A-Za-z]{2,})")
RESERVED = re.compile(r"(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$")
WELL_KNOWN = {
    "pypi.org",
    "files.pythonhosted.org",
    "github.com",
    "www.w3.org",
    "json-schema.org",
    "spec.openapis.org",
    "www.rfc-editor.org",
    "www.naturalearthdata.com",
    "openfontlicense.org",
    "scripts.sil.org",
    "vassalengine.org",
    "discord.com",
    "en.wikipedia.org",
    "www.openstreetmap.org",
    "cedrik.net",
    "steamcommunity.com",
    "forum.slitherine.com",
}


def test_addresses_of_the_net_are_public_or_reserved_for_examples() -> None:
    """A host that is none of these is a private one, a real person's, or needs a word here. Mails and licences quote what they quote."""
    found = {
        f"{name(path)}: {host}"
        for path, text in [*texts(), (ROOT / "uv.lock", (ROOT / "uv.lock").read_text(encoding="utf-8"))]
        if path.suffix not in (".eml", ".txt")
        for host in HOST.findall(text)
        if host not in WELL_KNOWN and not RESERVED.search(host)
    }
    assert found == set()


def test_fonts_come_with_their_licence() -> None:
    fonts = [path for path in files() if path.suffix.lower() in (".ttf", ".otf", ".woff", ".woff2")]
    bare = [name(font) for font in fonts if not any(re.match(r"(?i)(ofl|licen[cs]e)", other.name) for other in font.parent.iterdir())]
    assert bare == []
