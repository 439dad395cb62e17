"""A whole game as a folder of files, each of which the hash chain in its ``result.json`` binds.

``outcomes/000000.json`` is the laid-out scenario; packet k, its orders as text and its outcome have the number k. A record of the chain is
the journal's, with the digests of these files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from worker import secrets
from worker.canonical import Json, canonical, digest
from worker.store.commits import link

FORMAT = 1
RESULT = "result.json"
FOLDERS = ("packets", "outcomes")
MAPS = "maps"


@dataclass(frozen=True, slots=True)
class Played:
    """Which game it is: all that its seeds and its first state come from."""

    game: str
    scenario: str
    options: Json
    secret: str

    def seed(self, n: int) -> str:
        """The seed of numbered packet ``n``."""
        return secrets.seed(self.secret, [], self.game, 0, n)

    def first_seed(self) -> str:
        """The seed of what is rolled while the scenario is laid out."""
        return secrets.seed(self.secret, [], self.scenario, 0, 0)


@dataclass
class Chain:
    """The records of a game with their hashes, growing."""

    records: list[Json] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)

    def add(self, record: Json) -> None:
        """Append a record."""
        self.hashes.append(link(self.hashes[-1] if self.hashes else "", record))
        self.records.append(record)

    def entries(self) -> list[Json]:
        """As they stand in ``result.json``."""
        return [{"record": record, "hash": found} for record, found in zip(self.records, self.hashes, strict=True)]


def path_of(folder: str, number: int, ending: str = "json") -> str:
    """The file of packet ``number`` in ``packets`` or ``outcomes``, relative to the game's folder."""
    return f"{folder}/{number:06d}.{ending}"


def as_file(value: Json) -> bytes:
    """A value as it stands in a file: canonical JSON and a line end."""
    return canonical(value) + b"\n"


def orders_text(side: str, lines: list[str]) -> bytes:
    """The orders of a packet as its side could have mailed them."""
    return "".join(f"{line}\n" for line in (f"# {side}", *lines)).encode()


def record_of(played: Played, number: int, outcome: Json, packet: Json = None, text: bytes = b"", n: int | None = None) -> Json:
    """The record of the chain for an outcome; of the laid-out scenario where there is no packet. ``n``: where it ran the agenda."""
    state = outcome["state"]
    record: Json = {"game": played.game, "version": number, "branch": 0, "n": n, "state": outcome["digest"]}
    record |= {"events": digest(canonical(outcome["events"])), "outcome": digest(as_file(outcome))}
    record |= {"rules": version("hexpost"), "data": state.get("data_digest"), "options": state.get("options", {})}
    if packet is None:
        return record | {"scenario": played.scenario, "commitment": secrets.commitment(played.secret), "words": []}
    return record | {"seed": None if n is None else played.seed(n), "packet": packet, "orders": digest(text)}


def result_of(played: Played, chain: Chain, last: Json, maps: Mapping[str, str]) -> Json:
    """What ``result.json`` says. ``last``: the last state; ``maps``: name -> SHA-256 of the maps that were asked for."""
    over = last.get("over") or {}
    first = chain.records[0]
    return {
        "format": FORMAT,
        "game": played.game,
        "scenario": played.scenario,
        "options": first["options"],
        "asked": played.options,
        "secret": played.secret,
        "commitment": secrets.commitment(played.secret),
        "rules": sorted({record["rules"] for record in chain.records}),
        "data": first["data"],
        "over": bool(over),
        "winner": over.get("winner"),
        "level": over.get("level"),
        "why": over.get("why"),
        "turns": turn_of(last),
        "packets": len(chain.records) - 1,
        "chain": chain.entries(),
        "maps": dict(maps),
    }


def turn_of(state: Json) -> int:
    """The game-turn of a state's place in the sequence; 0 before the first."""
    return next((int(number) for name, number in state["path"] if name == "turn"), 0)
