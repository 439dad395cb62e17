"""Who writes in time: how each wait for a side ended, by the addresses that it concerns. It is kept here alone.

``in_time``: the orders came before the deadline, or a draft of the player's own was there for it. ``late``: they came after it, in a game
that waited. ``played``: the deadline passed, and the side was played for. Without a deadline nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, func, insert, select

from worker.canonical import Json
from worker.store.clocktables import reliability
from worker.store.database import reading
from worker.store.records import Closing, Deadline, Write

OUTCOMES = ("in_time", "late", "played")


@dataclass(frozen=True, slots=True)
class Record:
    """How often an address was in time, late, and played for, in all its games here."""

    in_time: int = 0
    late: int = 0
    played: int = 0

    def as_json(self) -> Json:
        """As the wording takes it."""
        return {name: getattr(self, name) for name in OUTCOMES}

    def __bool__(self) -> bool:
        return bool(self.in_time or self.late or self.played)


def noting(address: str, game: str, side: str, kind: str, outcome: str, at: str) -> Write:
    """Enter how a wait ended."""
    row = {"address": address, "game": game, "side": side, "kind": kind, "outcome": outcome, "at": at}

    def write(connection: Connection) -> None:
        connection.execute(insert(reliability).values(row))

    return write


def answered(known: Deadline | None, closing: Closing, sender: str, side: str, *, waits: bool) -> tuple[Write, ...]:
    """What is entered where the orders of ``closing`` end the wait for their side. ``known``: its deadline before them.

    ``waits``: the game waits on at a deadline. Where it does not, orders that are taken are in time: they lay in the inbox before they
    were read.
    """
    if known is None or side not in closing.deadlines or not sender:
        return ()
    outcome = "late" if waits and closing.at > known.due else "in_time"
    return (noting(sender, closing.game, side, known.kind, outcome, closing.at),)


def played_for(addresses: Iterable[str], game: str, side: str, kind: str, *, draft: bool, at: str) -> tuple[Write, ...]:
    """What is entered where a deadline has passed and its side was played for. ``draft``: by its own draft."""
    return tuple(noting(one, game, side, kind, "in_time" if draft else "played", at) for one in addresses)


def records(engine: Engine, addresses: Iterable[str] | None) -> dict[str, Record]:
    """The record of each of the addresses (None: of all) that has one."""
    query = select(reliability.c.address, reliability.c.outcome, func.count())
    query = query if addresses is None else query.where(reliability.c.address.in_(list(addresses)))
    found: dict[str, dict[str, int]] = {}
    with reading(engine) as connection:
        for address, outcome, n in connection.execute(query.group_by(reliability.c.address, reliability.c.outcome)):
            found.setdefault(address, {})[outcome] = int(n)
    return {address: Record(**counts) for address, counts in found.items()}


def of_side(engine: Engine, addresses: Iterable[str]) -> Record:
    """That of all the addresses together."""
    found = records(engine, addresses).values()
    return Record(*(sum(getattr(one, name) for one in found) for name in OUTCOMES))
