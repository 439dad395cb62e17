"""Each entry of bugs.toml has a test marked with it, and each such mark names an entry."""

from __future__ import annotations

import ast
import tomllib

from tests.architecture.sources import ROOT, inside, name, tree


def entries() -> dict[str, dict[str, str]]:
    return tomllib.loads((ROOT / "tests/architecture/bugs.toml").read_text(encoding="utf-8"))


def bug_marks() -> list[tuple[str, list[object]]]:
    """(file and line, ids) of each ``pytest.mark.bug`` on a test."""
    return [
        (f"{name(path)}:{node.lineno}", [getattr(one, "value", None) for one in node.args])
        for path in inside("tests")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.bug"
    ]


def test_each_mark_names_entries_and_each_entry_has_a_marked_test() -> None:
    known, marked = set(entries()), bug_marks()
    odd = [where for where, ids in marked if not ids or not set(ids) <= known]
    assert odd == []
    assert known == {one for _, ids in marked for one in ids}


def test_entries_say_what_was_seen_and_where() -> None:
    for key, entry in entries().items():
        assert set(entry) == {"seen", "source"}, key
        assert entry["source"].startswith("https://"), key
        assert entry["seen"].endswith("."), key
