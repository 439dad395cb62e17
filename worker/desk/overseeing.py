"""What ``hexpost gm`` shows: hints of double accounts, and how reliable players are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from worker import local
from worker.config import Config
from worker.play.games import UnusableInput
from worker.post import likeness
from worker.store.database import open_to_read
from worker.waiting import reliability, telling


def hint_lines(file: Path | None) -> Iterator[str]:
    """The hints in words, a line each."""
    found = likeness.hints(open_to_read(Config.load(file).database))
    mail = local.local_mail() if found else None
    for one in found:
        assert mail is not None
        facts = {"answers": [telling.part(telling.said("digest-hint", **one.as_json()))]}
        text = str(mail.report({"game": "none", "kind": "notice", "subject": "", **facts})["text"])
        yield " ".join(text.strip().split("\n\n")[-1].split())
    if not found:
        yield "No two players who oppose each other have so much in common."


def reliability_lines(addresses: tuple[str, ...], file: Path | None) -> Iterator[str]:
    """A line for each address. UnusableInput if one of those that are asked for has no record."""
    found = reliability.records(open_to_read(Config.load(file).database), [one.lower() for one in addresses] or None)
    for one in addresses:
        if one.lower() not in found:
            raise UnusableInput(f"{one[:100]!r} has no record: no deadline of it has passed or been kept yet.")
    if found:
        yield "in time  late  played for"
    for address, record in sorted(found.items(), key=lambda one: (-one[1].played, -one[1].late, one[0])):
        yield f"{record.in_time:7d}  {record.late:4d}  {record.played:10d}  {address}"
    if not found:
        yield "No deadline has passed or been kept yet."
