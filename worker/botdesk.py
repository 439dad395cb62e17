"""What the operator does about programs at the command line: gives and takes back tokens, says who is told of turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from worker import programs
from worker.app import utc_now
from worker.config import Config
from worker.database import open_database
from worker.games import UnusableInput
from worker.journal import Journal
from worker.records import Game


def issued(key: str, whose: str, file: Path | None) -> Iterator[str]:
    """A token for ``whose`` (``side=address``). UnusableInput if that is nobody who writes for the side."""
    journal, game = _opened(key, file)
    side, _, address = whose.partition("=")
    if side not in game.sides:
        raise UnusableInput(f"There is no side {side[:80]!r} in {game.id}; it has {', '.join(game.sides)}.")
    if not programs.may_write(journal, game.id, side, address.lower()):
        raise UnusableInput(f"{address[:100]!r} does not write for {side} in {game.id}.")
    yield programs.issue(journal.engine, game.id, side, address.lower(), utc_now())


def program_lines(key: str, file: Path | None) -> Iterator[str]:
    """The tokens of a game, one a line: number, whose, since when. UnusableInput if there is no such game."""
    journal, game = _opened(key, file)
    found = programs.of_game(journal.engine, game.id)
    for one in found:
        yield f"{one.id}\t{one.side}\t{one.address}\tsince {one.at[:16]} UTC"
    if not found:
        yield f"No program acts in {game.id}."


def revoked(key: str, which: str, file: Path | None) -> Iterator[str]:
    """Revoke what ``which`` names: a number, an address, or ``all``. UnusableInput if it names none."""
    journal, game = _opened(key, file)
    address = which.lower() if "@" in which else None
    if which != "all" and address is None and not which.isdecimal():
        raise UnusableInput(f"{which[:100]!r} is no number of a token, no address, and not all.")
    number = None if which == "all" or address else int(which)
    count = programs.revoke(journal.engine, game.id, address, number)
    if not count:
        raise UnusableInput(f"{game.id} has no token of {which[:100]!r}.")
    yield f"{count} token{'s' if count > 1 else ''} of {game.id} revoked."


def _opened(key: str, file: Path | None) -> tuple[Journal, Game]:
    journal = Journal(open_database(Config.load(file).database))
    game = journal.game(key) or journal.game(key.upper())
    if game is None:
        raise UnusableInput(f"There is no game {key[:40]!r} here.")
    return journal, game
