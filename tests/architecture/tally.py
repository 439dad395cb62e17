"""How many clauses of each rulebook have a marked test, a line a game: ``./test`` prints it."""

from __future__ import annotations

from tests.architecture.sources import TESTABLE, clauses, games, marks


def tally() -> list[str]:
    """``holdfast: clauses with a marked test: 3 of 4``; of the testable clauses, whether or not they stand in an open list."""
    lines = []
    for game in games():
        testable = {clause for clause, kind in clauses(game).items() if kind in TESTABLE}
        proven = testable & {clause for mark in marks() if mark.game == game for clause in mark.ids or ()}
        lines.append(f"{game}: clauses with a marked test: {len(proven)} of {len(testable)}")
    return lines


if __name__ == "__main__":
    print("\n".join(tally()))
