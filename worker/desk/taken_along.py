"""A game of the journal as a folder that anybody can check: ``hexpost verify DIR`` does there what ``hexpost verify GAME`` does here.

``game.json`` says which game it is, its secret among it, and has the records of its hash chain; ``versions/000000.json`` are the states and
events that they bind, those of the ways that were given up among them. Only a game that is over is taken along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from worker import secrets
from worker.canonical import Json, canonical, digest
from worker.desk.study import read_json
from worker.play.games import UnusableInput, check_scenario

FORMAT = 1
GAME = "game.json"
VERSIONS = "versions"
_MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, IndexError)


class Known(Protocol):
    """What must be known of a game to check it. ``version``, ``head``: where its chain ends."""

    @property
    def id(self) -> str: ...
    @property
    def scenario(self) -> str: ...
    @property
    def secret(self) -> str: ...
    @property
    def words(self) -> list[list[str]]: ...
    @property
    def version(self) -> int: ...
    @property
    def head(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a game. ``digest``: that of its state, as it was entered."""

    number: int
    record: Json
    hash: str
    events: list[Json]
    state: Json
    digest: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A game in a folder: what must be known of it, and its versions in their order. ``strays``: files that no record knows."""

    id: str
    scenario: str
    secret: str
    words: list[list[str]]
    version: int
    head: str
    versions: list[Version]
    strays: list[str]


def files_of(game: Known, versions: Iterator[Version]) -> Iterator[tuple[str, bytes]]:
    """The files of a game that is over: name and bytes. The same game makes the same bytes."""
    chain = []
    for one in versions:
        chain.append({"record": one.record, "hash": one.hash})
        yield _path(one.number), canonical({"state": one.state, "events": one.events}) + b"\n"
    known = {"format": FORMAT, "game": game.id, "scenario": game.scenario, "secret": game.secret, "words": game.words}
    yield GAME, canonical(known | {"chain": chain}) + b"\n"


def read(folder: Path) -> Taken:
    """The game in a folder. UnusableInput where there is none, or one that is not shaped so."""
    known = read_json(folder / GAME)
    try:
        chain = [(one["record"], str(one["hash"])) for one in known["chain"]]
        secrets.commitment(known["secret"])
        scenario, words = check_scenario(known["scenario"]), [[str(side), str(word)] for side, word in known["words"]]
        versions = [_version(folder, number, record, found) for number, (record, found) in enumerate(chain)]
        last = versions[-1]
        taken = Taken(
            str(known["game"]), scenario, known["secret"], words, last.number, last.hash, versions, _strays(folder, len(versions))
        )
    except _MISSHAPEN:
        raise UnusableInput(
            f"{folder / GAME} is no game's: it needs game, scenario, secret, words and chain as hexpost archive has them."
        ) from None
    return taken


def _version(folder: Path, number: int, record: Json, found: str) -> Version:
    outcome = read_json(folder / _path(number))
    state, events = outcome["state"], outcome["events"]
    record["state"], record["events"], record["version"], record["rules"], events[:0]  # what every check asks for
    return Version(number, record, found, events, state, digest(canonical(state)))


def _strays(folder: Path, count: int) -> list[str]:
    known = {_path(number) for number in range(count)}
    return sorted(name for path in (folder / VERSIONS).iterdir() if (name := f"{VERSIONS}/{path.name}") not in known)


def _path(number: int) -> str:
    return f"{VERSIONS}/{number:06d}.json"
