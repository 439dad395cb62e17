"""Every clause of a rulebook has a test marked with it, or stands in the open list, and that list only shrinks."""

from __future__ import annotations

import subprocess
import tomllib
from collections import Counter

import pytest

from tests.architecture import tally
from tests.architecture.sources import (
    ROOT,
    RULING_SHAPE,
    TESTABLE,
    Mark,
    citation,
    citations,
    clauses,
    games,
    ids_of,
    marks,
    open_clauses,
)

GAMES = games()


def marked(game: str) -> set[str]:
    return {clause for mark in marks() if mark.game == game for clause in mark.ids or ()}


def test_each_game_with_law_has_its_list_of_clauses() -> None:
    law = {path.parent.name.replace("_", "-") for path in (ROOT / "services/rules/games").glob("*/__init__.py")}
    assert law <= set(GAMES), f"no clauses.tsv for {sorted(law - set(GAMES))}"


@pytest.mark.parametrize("game", GAMES)
def test_each_testable_clause_is_proven_or_open(game: str) -> None:
    testable = {clause for clause, kind in clauses(game).items() if kind in TESTABLE}
    missing = testable - marked(game) - set(open_clauses(game))
    assert not missing, f"{game}: neither proven by a marked test nor listed in open-clauses.txt: {sorted(missing)}"


def test_what_the_tally_counts_is_what_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "games", lambda: ["one", "two"])
    monkeypatch.setattr(tally, "clauses", lambda game: {"a.1": "rule", "a.2": "chart", "a.3": "history"} if game == "one" else {})
    found = (Mark("x:1", "t", "one", ("a.1", "a.3")), Mark("x:2", "u", "two", ("a.2",)), Mark("x:3", "v", "one", None))
    monkeypatch.setattr(tally, "marks", lambda: found)
    assert tally.tally() == ["one: clauses with a marked test: 1 of 2", "two: clauses with a marked test: 0 of 0"]


@pytest.mark.parametrize("game", GAMES)
def test_no_clause_is_both_proven_and_open(game: str) -> None:
    both = marked(game) & set(open_clauses(game))
    assert not both, f"{game}: proven by a test, so take it out of open-clauses.txt: {sorted(both)}"


@pytest.mark.parametrize("game", GAMES)
def test_the_open_list_names_testable_clauses_once(game: str) -> None:
    listed = open_clauses(game)
    assert [clause for clause, times in Counter(listed).items() if times > 1] == []
    assert [clause for clause in listed if clauses(game).get(clause) not in TESTABLE] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_open_list_only_shrinks(game: str) -> None:
    """The ceiling in ``open-clauses.toml`` is lowered with the list; nothing comes back that the first commit did not list."""
    ceilings = tomllib.loads((ROOT / "tests/architecture/open-clauses.toml").read_text(encoding="utf-8"))
    assert len(open_clauses(game)) <= ceilings[game], f"{game}: more clauses are open than tests/architecture/open-clauses.toml allows"
    path = f"scenarios/{game}/open-clauses.txt"
    log = subprocess.run(
        ["git", "log", "--diff-filter=A", "--format=%H", "--", path], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    if log:  # a checkout without history has the ceiling alone
        first = subprocess.run(["git", "show", f"{log[-1]}:{path}"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert sorted(set(open_clauses(game)) - set(ids_of(first))) == []


def faults(mark: Mark) -> str | None:
    """What is wrong with a mark, or None."""
    if mark.game is None or mark.ids is None:
        return "game and clauses must be written out as strings"
    if mark.game not in GAMES:
        return f"no game {mark.game}"
    kinds = [clauses(mark.game).get(clause) for clause in mark.ids]
    if None in kinds:
        return f"no such clause: {[c for c in mark.ids if c not in clauses(mark.game or '')]}"
    if len(mark.ids) > 5 and set(kinds) != {"chart"}:
        return "a test proves at most five clauses, unless it checks a chart"
    return None


def test_marks_are_literal_and_name_clauses_that_exist() -> None:
    assert [f"{mark.where} {mark.test}: {why}" for mark in marks() if (why := faults(mark))] == []


@pytest.mark.parametrize("game", GAMES)
def test_cited_clauses_exist(game: str) -> None:
    rulings = (ROOT / "scenarios" / game / "RULINGS.md").read_text(encoding="utf-8")
    wrong = [
        f"{where}: {word}"
        for where, word in citations(game)
        if word not in clauses(game) and not (RULING_SHAPE.match(word) and word in rulings)
    ]
    assert wrong == [], "cited in code, but neither in clauses.tsv nor in RULINGS.md"


@pytest.mark.parametrize(
    ("comment", "ids"),
    [
        ("# 12.43", ["12.43"]),
        ("# 11.1e, 12l", ["11.1e", "12l"]),
        ("# terrain.13: both lose one", ["terrain.13"]),
        ("# HF-R46", ["HF-R46"]),
        ("# 17.4.A-1", ["17.4.A-1"]),
        ("# two hexes away", []),
        ("# 3 dice, as the block has", []),
    ],
)
def test_a_citation_is_told_from_a_remark(comment: str, ids: list[str]) -> None:
    assert citation(comment) == ids
