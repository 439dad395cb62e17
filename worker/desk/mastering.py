"""What the game master does at the command line: hears of what is wrong, lets people write for a side, has mail sent again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from worker import local
from worker.config import Config
from worker.hosting import alerts
from worker.play.games import UnusableInput, check_address
from worker.post import bounces, writers
from worker.store.database import open_database
from worker.store.journal import Journal


def alert_lines(file: Path | None, *, settle: bool) -> Iterator[str]:
    """The alerts that nobody has seen to, in words. ``settle``: now somebody has."""
    engine = open_database(Config.load(file).database)
    found = alerts.waiting(engine)
    mail = local.local_mail() if found else None
    for number, alert in found:
        assert mail is not None
        yield f"{number}  {alert.at[:16].replace('T', ' ')}  {alert.game or '-'}  {_sentence(mail.report(_notice(alert))['text'])}"
    if settle:
        alerts.settle(engine, [number for number, _ in found])
    if not found:
        yield "There is nothing that you have not seen to."


def _notice(alert: alerts.Alert) -> dict[str, object]:
    return {"game": "none", "kind": "notice", "subject": "", **alerts.told(alert)}


def _sentence(text: str) -> str:
    """The sentences out of the mail that tells an alert: its last paragraph."""
    return " ".join(text.strip().split("\n\n")[-1].split())


def change_writer(key: str, side: str, address: str, role: str | None, file: Path | None) -> str:
    """Let an address write for a side, or no more; the sentence that says so. UnusableInput if something about it is wrong."""
    config = Config.load(file)
    journal = Journal(open_database(config.database))
    game = journal.game(key) or journal.game(key.upper())
    if game is None:
        raise UnusableInput(f"There is no game {key[:40]!r} here.")
    if side not in game.sides:
        raise UnusableInput(f"There is no side {side[:80]!r} in {game.id}; it has {', '.join(game.sides)}.")
    check_address(address, config.address)
    known = journal.addresses(game.id)
    if role is not None and any(address.lower() in players for players in known.values()):
        raise UnusableInput(f"{address} is a player of {game.id} already.")
    writers.set_writer(journal.engine, game.id, side, address, role)
    if role is None:
        return f"{game.id}: {address} does not write for {side} any more."
    return f"{game.id}: {address} may write for {side} as {'its deputy' if role == 'deputy' else 'another address of its players'}."


def resume(address: str, file: Path | None) -> str:
    """Send mail to an address again; the sentence that says so."""
    engine = open_database(Config.load(file).database)
    if not bounces.resume(engine, address.lower()):
        raise UnusableInput(f"{address[:100]!r} is not paused.")
    return f"Mail goes to {address} again."
