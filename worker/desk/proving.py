"""``hexpost verify`` of a game in the journal: whether it is what its rules, its seeds and its hash chain say, old branches among it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Engine, select

from worker import local, secrets
from worker.canonical import Json, canonical, decode, digest
from worker.config import Config
from worker.desk import taken_along
from worker.desk.taken_along import Known, Version
from worker.desk.verify import Verified
from worker.play.dice import wrong_throw
from worker.play.games import UnusableInput
from worker.play.throws import opening_seed
from worker.ports import Rules, ServiceFailed, ServiceRefused
from worker.store.commits import link
from worker.store.database import open_to_read, reading
from worker.store.journal import Journal
from worker.store.tables import snapshots, turns


def prove(key: str, file: Path | None) -> Verified:
    """Check a game of the journal of an installation. UnusableInput where there is none."""
    journal = Journal(open_to_read(Config.load(file).database))
    game = journal.game(key) or journal.game(key.upper())
    if game is None:
        raise UnusableInput(f"There is neither a folder nor a game {key[:80]!r} here.")
    return proved(game, versions_of(journal.engine, game.id), local.local_rules())


def prove_taken(folder: Path, rules: Rules) -> Verified:
    """Check a game that ``hexpost archive`` gave away. UnusableInput where there is none."""
    game = taken_along.read(folder)
    found = proved(game, iter(game.versions), rules)
    if not game.versions[-1].state.get("over"):
        found.faults.append(f"version {game.version}: the game is not over, and only such a one is given away")
    found.faults += [f"{name[:120]}: the chain knows no such file" for name in game.strays]
    return found


def proved(game: Known, versions: Iterator[Version], rules: Rules) -> Verified:
    """Check a game."""
    check = _Check(game, rules)
    before = None
    for one in versions:
        try:
            check.version(one, before)
        except _MISSHAPEN:
            check.fault(one.number, "it is not shaped as it should be")
        before = one
    if before is None or before.number != game.version or before.hash != game.head:
        check.fault(game.version, "the game is not at the end of its chain")
    return check.found


def versions_of(engine: Engine, game: str) -> Iterator[Version]:
    """The versions of a game in their order."""
    query = select(turns.c.version, turns.c.record, turns.c.hash, turns.c.events, snapshots.c.state, snapshots.c.digest)
    query = query.outerjoin(snapshots, (snapshots.c.game == turns.c.game) & (snapshots.c.version == turns.c.version))
    with reading(engine) as connection:
        rows = connection.execute(query.where(turns.c.game == game).order_by(turns.c.version)).all()
    for number, record, found, events, state, known in rows:
        kept = decode(zlib.decompress(state)) if state is not None else None
        yield Version(number, decode(record), found, decode(zlib.decompress(events)), kept, known or "")


_MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, IndexError)


@dataclass
class _Check:
    """The checks of one game; what they find goes to ``found``. ``n``: the last packet number; ``states``: digests by version."""

    game: Known
    rules: Rules
    found: Verified = field(default_factory=Verified)
    branch: int = 0
    n: int = 0
    states: dict[int, str] = field(default_factory=dict)

    def fault(self, number: int, what: str) -> None:
        """Enter a fault of a version."""
        self.found.faults.append(f"version {number}: {what}")

    def version(self, one: Version, before: Version | None) -> None:
        """Check a version against its record, and against the one before."""
        faults = len(self.found.faults)
        self._bound(one, before)
        self.states[one.number] = one.digest
        if before is None:
            self._beginning(one)
        else:
            self._numbers(one)
            self._dice(one)
            if len(self.found.faults) == faults:
                self._again(one, before)

    def _bound(self, one: Version, before: Version | None) -> None:
        """Chain, state and events are those of the record."""
        if link(before.hash if before else "", one.record) != one.hash:
            self.fault(one.number, "its hash is not that of its record and the one before it")
        if one.number != (before.number + 1 if before else 0) or [one.record["game"], one.record["version"]] != [self.game.id, one.number]:
            self.fault(one.number, "it is another game's, or out of order")
        if digest(canonical(one.state)) != one.record["state"] or one.digest != one.record["state"]:
            self.fault(one.number, "its state is not that of its record")
        if digest(canonical(one.events)) != one.record["events"]:
            self.fault(one.number, "its events are not those of its record")

    def _beginning(self, one: Version) -> None:
        bound = [secrets.commitment(self.game.secret), self.game.words, self.game.scenario]
        if [one.record["commitment"], one.record["words"], one.record["scenario"]] != bound:
            self.fault(0, "the secret, the words for the dice or the scenario are not those that the chain begins with")
        seed = opening_seed(self.game.secret, self.game.words, self.game.scenario, one.record)
        for event in one.events:
            if event["kind"] == "rolled" and wrong_throw(seed, event):
                self.fault(0, f"event {event['n']}: its dice do not follow from the secret and the key")

    def _numbers(self, one: Version) -> None:
        """Packet numbers go up by one and are never used again; a branch begins where something was taken back."""
        record = one.record
        taken_back = bool(record.get("rollback")) or bool((record.get("undo") or {}).get("agreed"))
        if record["branch"] != self.branch + taken_back:
            self.fault(one.number, f"its branch is {record['branch']}, not {self.branch + taken_back}")
        self.branch = record["branch"]
        if record["n"] is not None:
            self.n += 1
            if record["n"] != self.n:
                self.fault(one.number, f"its packet number is {record['n']}, not {self.n}")
        if record["seed"] != (self._seed(record) if record["n"] is not None else None):
            self.fault(one.number, "its seed does not follow from the game's secret")

    def _seed(self, record: Json) -> str:
        n = record["n"] if record["n"] is not None else self.n + 1
        return secrets.seed(self.game.secret, self.game.words, self.game.id, record["branch"], n)

    def _dice(self, one: Version) -> None:
        for event in one.events:
            if event["kind"] == "rolled" and (one.record["n"] is None or wrong_throw(one.record["seed"], event)):
                self.fault(one.number, f"event {event['n']}: its dice do not follow from the packet's seed and the key")

    def _again(self, one: Version, before: Version) -> None:
        """What led to a version leads to it again: an earlier version where it was taken back to, else an edit or a packet."""
        record = one.record
        target = (record.get("rollback") or {}).get("version")
        target = record["undo"]["version"] - 1 if record.get("undo") else target
        if target is not None:
            if self.states.get(target) != one.digest:
                self.fault(one.number, f"its state is not that of version {target}, to which the game was taken back")
            return
        self.found.packets += record.get("edit") is None
        if record["rules"] != version("hexpost"):
            self.found.others.setdefault(f"hexpost {str(record['rules'])[:40]}", []).append(one.number)
            return
        try:
            if record.get("edit") is not None:
                made = self.rules.edit({"state": before.state, "digest": before.digest, "edits": record["edit"]})
            else:
                made = self.rules.adjudicate(
                    {"state": before.state, "digest": before.digest, "packet": record["packet"], "seed": self._seed(record)}
                )
                self.found.again += 1
        except (ServiceRefused, ServiceFailed) as error:
            self.fault(one.number, f"what led to it cannot be done again: {error}")
            return
        if (made["digest"], canonical(made["events"])) != (one.digest, canonical(one.events)):
            self.fault(one.number, "done again, what led to it leads to something else")
