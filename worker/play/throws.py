"""The throws of a game as its journal has them: numbered from 1, with the seed and the key that each can be computed from again."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select

from worker import secrets
from worker.canonical import Json, canonical, decode
from worker.store.database import reading
from worker.store.records import Game
from worker.store.tables import turns, undone

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw. ``number``: in its game, never used again; ``branch``, ``n``: those of its packet, ``n`` 0 while the scenario was laid out.

    ``seed``: the packet's, in hex; ``event``: the ``rolled`` event; ``undone``: it belongs to orders that were taken back; ``mixed``: it
    fell at the opening, and the players' words are in it.
    """

    number: int
    version: int
    branch: int
    n: int
    seed: str
    event: Json
    undone: bool
    mixed: bool = False

    def published(self, packet: bool) -> Json:
        """What is told of it. ``packet``: with branch and number of its packet, which tell nothing only when the game is over."""
        data = self.event["data"]
        told = {"number": self.number, "clause": self.event.get("clause", ""), "seed": self.seed}
        told |= {name: data[name] for name in ("why", "key", "sides", "dice")}
        mixed = {"mixed": True} if self.mixed else {}
        return told | ({"branch": self.branch, "n": self.n, "taken_back": self.undone} | mixed if packet else {})


def throws(engine: Engine, game: Game, after: int = -1, upto: int | None = None) -> list[Throw]:
    """The throws of the states ``after + 1`` to ``upto`` (None: the last), those that were taken back among them."""
    last = game.version if upto is None else upto
    with reading(engine) as connection:
        gone = set(connection.execute(select(undone.c.version).where(undone.c.game == game.id)).scalars())
        number = thrown(connection, game.id, after)
        where = (turns.c.game == game.id, turns.c.version > after, turns.c.version <= last)
        rows = connection.execute(select(turns.c.version, turns.c.record, turns.c.events).where(*where).order_by(turns.c.version)).all()
    found: list[Throw] = []
    for version, text, packed in rows:
        record = decode(text)
        for event in _rolled(packed):
            number += 1
            place = (number, version, record["branch"], record["n"] or 0)
            found.append(Throw(*place, _seed(game, record), event, version in gone, bool(record.get("mixed"))))
    return found


def thrown(connection: Connection, game: str, version: int) -> int:
    """How many throws there were up to a version. Each record tells it; one of before records did is counted up to."""
    where = (turns.c.game == game, turns.c.version <= version)
    last = connection.execute(select(turns.c.record).where(*where).order_by(turns.c.version.desc()).limit(1)).scalar()
    if last is None:
        return 0
    told = decode(last).get("throws")
    if isinstance(told, int):
        return told
    return sum(len(list(_rolled(packed))) for packed in connection.execute(select(turns.c.events).where(*where)).scalars())


def rolled_in(events: Iterable[Json]) -> list[Json]:
    """Those of some events that are throws."""
    return [one for one in events if one.get("kind") == "rolled"]


def numbered(events: list[Json], found: Iterable[Throw]) -> list[Json]:
    """The events of a view, each throw with its number. Throws are known by their keys: in what stands, no two have the same."""
    known = {canonical(one.event["data"]["key"]): one.number for one in found if not one.undone}
    return [_with_number(one, known) for one in events]


def published(game: Game, found: Iterable[Throw], *, revealed: bool) -> Json:
    """The file that players check throws by. ``revealed``: the game is over, and its secret is no more."""
    file: Json = {"format": FORMAT, "game": game.id, "scenario": game.scenario, "commitment": secrets.commitment(game.secret)}
    file |= {"words": game.words, "throws": [one.published(revealed) for one in found]}
    return file | ({"secret": game.secret} if revealed else {})


def _rolled(packed: bytes) -> Iterator[Json]:
    yield from rolled_in(decode(zlib.decompress(packed)))


def _seed(game: Game, record: Json) -> str:
    """The seed of a record's throws; of the opening's, which older games threw without their players' words."""
    return opening_seed(game.secret, game.words, game.scenario, record) if record["version"] == 0 else str(record["seed"] or "")


def opening_seed(secret: str, words: list[list[str]], scenario: str, first: Json) -> str:
    """The seed of what was thrown at the opening. ``first``: the first record of the game."""
    return secrets.seed(secret, words if first.get("mixed") else [], scenario, 0, 0)


def _with_number(event: Json, known: dict[bytes, int]) -> Json:
    if event.get("kind") != "rolled":
        return event
    number = known.get(canonical(event["data"].get("key")))
    return event if number is None else event | {"data": event["data"] | {"number": number}}
