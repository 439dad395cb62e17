"""What the operator does about programs at the command line: gives and takes back tokens, says who is told of turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from worker.app import utc_now
from worker.bots import calling, listeners, notices, programs
from worker.config import Config
from worker.play.games import UnusableInput
from worker.store.database import open_database
from worker.store.journal import Journal
from worker.store.records import SPECTATOR, Game


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


@dataclass(frozen=True, slots=True)
class Wanted:
    """A listener as the operator wants it."""

    url: str
    form: str
    side: str
    address: str


def listening(key: str, wanted: Wanted, file: Path | None, post: notices.Post = calling.post) -> Iterator[str]:
    """Add a listener. UnusableInput if it is none that can be told, or one whose channel is told already."""
    journal, game = _opened(key, file)
    _check(journal, game, wanted)
    try:
        made = listeners.add(journal.engine, game, wanted.side, wanted.address.lower(), wanted.form, wanted.url)
        fresh = wanted.form != "discord" or notices.greet(Config.load(file), journal.engine, made, post)
    except (calling.Forbidden, calling.NoAnswer) as error:
        raise UnusableInput(str(error)) from None
    except listeners.TooMany:
        whose = f"{wanted.address[:100]} has" if wanted.address else f"The channels of {game.id} have"
        raise UnusableInput(f"{whose} {listeners.MOST} listeners, and may have no more.") from None
    if not fresh:
        raise UnusableInput(f"The channel of that URL is told of {game.id} already.")
    yield f"Listener {made.id} is told of {game.id} from now on." + (f" Its secret is {made.secret}" if made.secret else "")


def _check(journal: Journal, game: Game, wanted: Wanted) -> None:
    if wanted.form not in listeners.FORMS:
        raise UnusableInput(f"There is no form {wanted.form[:40]!r}; there are {', '.join(listeners.FORMS)}.")
    if wanted.side not in (*game.sides, SPECTATOR):
        raise UnusableInput(f"There is no side {wanted.side[:80]!r} in {game.id}; it has {', '.join(game.sides)}, and {SPECTATOR}.")
    if wanted.side != SPECTATOR and not programs.may_write(journal, game.id, wanted.side, wanted.address.lower()):
        raise UnusableInput(f"{wanted.address[:100]!r} does not write for {wanted.side} in {game.id}.")
    if wanted.form == "discord" and wanted.side != SPECTATOR:
        raise UnusableInput("A channel is told what all may know: leave --side out.")


def closed(key: str, number: int, file: Path | None) -> Iterator[str]:
    """Close a listener. UnusableInput if there is none of that number."""
    journal, game = _opened(key, file)
    if not listeners.close(journal.engine, game.id, number):
        raise UnusableInput(f"{game.id} has no listener {number}.")
    yield f"Listener {number} of {game.id} is told nothing more."


def listener_lines(key: str, file: Path | None) -> Iterator[str]:
    """The listeners of a game, one a line: number, side, form, whose, and the server; the URL of a chat is a secret."""
    journal, game = _opened(key, file)
    found = listeners.of_game(journal.engine, game.id)
    for one in found:
        yield f"{one.id}\t{one.side}\t{one.form}\t{one.address or '-'}\t{calling.target_of(one.url).host}"
    if not found:
        yield f"Nobody is told of {game.id} by a POST."


def _opened(key: str, file: Path | None) -> tuple[Journal, Game]:
    journal = Journal(open_database(Config.load(file).database))
    game = journal.game(key) or journal.game(key.upper())
    if game is None:
        raise UnusableInput(f"There is no game {key[:40]!r} here.")
    return journal, game
