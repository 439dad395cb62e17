"""What the operator does about mails that leave, at the command line: sees and closes links, and learns the record for the DNS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Engine

from worker.app import utc_now
from worker.board.invite import PATH as BOARD_PATH
from worker.config import Config, ConfigError
from worker.play.games import UnusableInput
from worker.post.links import BOARD, PATH, links_of, revoke
from worker.post.signing import dns_record
from worker.store.database import open_database
from worker.store.journal import Journal


def link_lines(game: str, file: Path | None) -> Iterator[str]:
    """The links of a game, one a line: whose, which file, until when, and the URL. UnusableInput if there is no such game."""
    config = Config.load(file)
    engine, key = _opened(config, game)
    found = links_of(engine, key)
    now = utc_now()
    for one in found:
        state = "revoked" if one.revoked else f"until {one.expires[:16]} UTC" if one.open_at(now) else "expired"
        yield f"{one.address}\t{one.name}\t{state}\t{config.link_base.rstrip('/')}{BOARD_PATH if one.name == BOARD else PATH}{one.token}"
    if not found:
        yield f"The mails of {key} have no links."


def close_links(game: str, which: str, file: Path | None) -> Iterator[str]:
    """Close the links that ``which`` names: a token, an address, or ``all``. UnusableInput if it names none that is open."""
    engine, key = _opened(Config.load(file), game)
    address = which.lower() if "@" in which else None
    token = None if which == "all" or address else which
    count = revoke(engine, key, address, token)
    if not count:
        raise UnusableInput(f"{key} has no open link of {which[:100]!r}.")
    yield f"{count} link{'s' if count > 1 else ''} of {key} closed."


def dkim_record(file: Path | None) -> str:
    """The record for the DNS. ConfigError if no key is set, or it cannot be used."""
    config = Config.load(file)
    if not config.dkim_key_file:
        raise ConfigError("Mails are not signed: set dkim_key_file and dkim_selector.")
    return dns_record(config.dkim_key_file, config.dkim_selector, config.address.rpartition("@")[2].lower())


def _opened(config: Config, game: str) -> tuple[Engine, str]:
    engine = open_database(config.database)
    journal = Journal(engine)
    found = journal.game(game) or journal.game(game.upper())
    if found is None:
        raise UnusableInput(f"There is no game {game[:40]!r} here.")
    return engine, found.id
