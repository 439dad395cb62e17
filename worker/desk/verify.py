"""``hexpost verify``: whether a game in a folder is what its rules, its seeds and its hash chain say. Every fault is named by its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from worker import secrets
from worker.canonical import Json, canonical, decode, digest
from worker.desk import archive
from worker.desk.archive import MAPS, RESULT, Chain, Played, as_file, path_of
from worker.desk.study import MAX_FILE, read_json
from worker.play.dice import wrong_throw
from worker.play.games import UnusableInput, check_scenario
from worker.ports import Mail, Rules, ServiceFailed, ServiceRefused
from worker.store.commits import link

_MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, IndexError)
_MAP = re.compile(rf"{MAPS}/t[0-9]{{2,4}}\.png\Z")
_TEXT = re.compile(r"[0-9A-Za-z._+-]{1,40}\Z")


@dataclass
class Verified:
    """What came out: the faults, how many packets there are, how many were adjudicated again, and what the others need."""

    faults: list[str] = field(default_factory=list)
    packets: int = 0
    again: int = 0
    others: dict[str, list[int]] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """What is to be said of a game without faults."""
        yield f"The hash chain, the seeds and the dice of {self.packets} packets hold."
        yield f"{self.again} packets were adjudicated again by hexpost {version('hexpost')}, with equal digests."
        for needed, numbers in self.others.items():
            yield f"To adjudicate packets {numbers[0]} to {numbers[-1]} again ({len(numbers)} of them), {needed} is needed."


def verify(folder: Path, rules: Rules, mail: Mail) -> Verified:
    """Check the game in ``folder``. UnusableInput where there is none."""
    result = read_json(folder / RESULT)
    try:
        secrets.commitment(result["secret"])
        played = Played(result["game"], check_scenario(result["scenario"]), result["asked"], result["secret"])
        chain = Chain([one["record"] for one in result["chain"]], [one["hash"] for one in result["chain"]])
        played.seed(len(chain.records[0]))
    except _MISSHAPEN:
        wanted = "game, scenario, asked, secret and chain"
        raise UnusableInput(f"{folder / RESULT} is no game's result: it needs {wanted} as hexpost selfplay writes them.") from None
    check = _Check(folder, rules, mail, played, chain)
    check.links()
    last: Json = None
    for number in range(len(chain.records)):
        last = check.number(number, last)
    check.strays()
    check.result(result, last)
    return check.found


@dataclass
class _Check:
    """The checks of one game; what they find goes to ``found``."""

    folder: Path
    rules: Rules
    mail: Mail
    played: Played
    chain: Chain
    found: Verified = field(default_factory=Verified)
    n: int = 0
    data: str | None = None

    def __post_init__(self) -> None:
        self.found.packets = len(self.chain.records) - 1
        game = self.played.scenario.partition("/")[0]
        self.data = {one["key"]: one["data_digest"] for one in self.rules.games()["games"]}.get(game)

    def fault(self, name: str, what: str) -> None:
        """Enter a fault of a file."""
        self.found.faults.append(f"{name}: {what}")

    def links(self) -> None:
        """Each record's hash follows from it and from the hash before."""
        before = ""
        for number, (record, found) in enumerate(zip(self.chain.records, self.chain.hashes, strict=True)):
            if link(before, record) != found:
                self.fault(RESULT, f"the hash of record {number} is not that of the record and the one before it")
                return
            before = found

    def number(self, number: int, before: Json) -> Json:
        """Check one packet, or the laid-out scenario; the state after it, None where it cannot be told."""
        faults = len(self.found.faults)
        try:
            self.n += self.chain.records[number]["n"] is not None
            outcome = self._files(number)
            self._record(number, outcome)
            if len(self.found.faults) == faults:
                self._members(number, outcome)
            if (before is not None or number == 0) and len(self.found.faults) == faults:
                self._again(number, before, outcome)
            return outcome["state"] if isinstance(outcome["state"], dict) else None
        except _Missing:
            pass
        except _MISSHAPEN:
            self.fault(path_of("outcomes", number), "it, its packet or its record is not shaped as it should be")
        return None

    def _files(self, number: int) -> Json:
        record = self.chain.records[number]
        name = path_of("outcomes", number)
        data = self._read(name)
        if digest(data) != record["outcome"]:
            self.fault(name, "it was changed: its SHA-256 is not the one in the chain")
        outcome = self._decode(name, data)
        if (digest(canonical(outcome["state"])), digest(canonical(outcome["events"]))) != (record["state"], record["events"]):
            self.fault(name, "its state or events are not those of the chain")
        if number == 0:
            return outcome
        name = path_of("packets", number)
        if self._read(name) != as_file(record["packet"]):
            self.fault(name, "it was changed: it is not the packet in the chain")
        name = path_of("packets", number, "txt")
        if digest(self._read(name)) != record["orders"]:
            self.fault(name, "it was changed: its SHA-256 is not the one in the chain")
        return outcome

    def _record(self, number: int, outcome: Json) -> None:
        """The numbers, the seed and the dice of a record."""
        record, name = self.chain.records[number], f"{RESULT}: record {number}"
        if [record["game"], record["version"], record["branch"]] != [self.played.game, number, 0]:
            self.fault(name, "it is another game's, or out of order")
        if [record["data"], record["options"]] != [outcome["state"]["data_digest"], outcome["state"]["options"]]:
            self.fault(name, "its scenario data or options are not those of the state")
        if number and record["n"] not in (None, self.n):
            self.fault(name, f"its packet number is {record['n']}, not {self.n}")
        seed = self.played.seed(self.n) if number else self.played.first_seed()
        if number and record["seed"] != (None if record["n"] is None else seed):
            self.fault(name, "its seed does not follow from the game's secret")
        rolled = [event for event in outcome["events"] if event["kind"] == "rolled"]
        for event in rolled:
            if record["n"] is None and number:
                self.fault(path_of("outcomes", number), f"event {event['n']}: dice were rolled by a packet that has no number")
            elif wrong_throw(seed, event):
                self.fault(path_of("outcomes", number), f"event {event['n']}: its dice do not follow from the packet's seed and the key")

    def _members(self, number: int, outcome: Json) -> None:
        """A record says all that a record says, and nothing else."""
        record = self.chain.records[number]
        text = self._read(path_of("packets", number, "txt")) if number else b""
        made = archive.record_of(self.played, number, outcome, record["packet"] if number else None, text, record["n"])
        made |= {"rules": record["rules"]}
        odd = [key for key in sorted(made.keys() | record.keys()) if canonical([made.get(key)]) != canonical([record.get(key)])]
        odd += sorted(record.keys() - made.keys())
        if odd:
            self.fault(f"{RESULT}: record {number}", f"{odd[0][:40]} is not what the game gives")

    def _again(self, number: int, before: Json, outcome: Json) -> None:
        """Adjudicate again what this version of rules and data adjudicated."""
        record = self.chain.records[number]
        needed = self._needed(record)
        if needed is not None:
            self.found.others.setdefault(needed, []).append(number)
            return
        try:
            if number == 0:
                made = self.rules.new_state(self.played.scenario, self.played.options, self.played.secret)
            else:
                seed = self.played.seed(self.n if record["n"] is not None else self.n + 1)
                made = self.rules.adjudicate({"state": before, "packet": record["packet"], "seed": seed})
                self._orders(number, record["packet"], str(before["game"]))
                self.found.again += 1
        except (ServiceRefused, ServiceFailed) as error:
            self.fault(path_of("packets", number), f"it cannot be adjudicated again: {error}")
            return
        if as_file(made) != as_file(outcome):
            self.fault(path_of("outcomes", number), "adjudicated again, its packet leads to something else")

    def _orders(self, number: int, packet: Json, game: str) -> None:
        lines = self.mail.print_orders(game, [*packet["standing"], *packet["orders"]])
        name = path_of("packets", number, "txt")
        if self._read(name) != archive.orders_text(packet["side"], lines):
            self.fault(name, "it does not say what its packet orders")

    def _needed(self, record: Json) -> str | None:
        """The version that a record's packet needs; None if it is this one."""
        if record["rules"] == version("hexpost") and record["data"] == self.data:
            return None
        known = _TEXT.match(str(record["rules"]))
        needed = f"hexpost {record['rules']}" if known else "an unnamed version of hexpost"
        return needed if record["data"] == self.data else f"{needed} with scenario data {str(record['data'])[:12]}"

    def strays(self) -> None:
        """No file is there that the chain does not know."""
        known = {path_of("outcomes", number) for number in range(len(self.chain.records))}
        known |= {path_of("packets", number, ending) for number in range(1, len(self.chain.records)) for ending in ("json", "txt")}
        for name in archive.FOLDERS:
            inside = sorted((self.folder / name).iterdir()) if (self.folder / name).is_dir() else []
            for path in inside:
                if f"{name}/{path.name}" not in known:
                    self.fault(f"{name}/{path.name}"[:120], "the chain knows no such file")

    def result(self, result: Json, last: Json) -> None:
        """What ``result.json`` says follows from the chain and the last state."""
        if self._read(RESULT) != as_file(result):
            self.fault(RESULT, "it is not written as hexpost writes it")
        if last is None:
            return
        try:
            expected = archive.result_of(self.played, self.chain, last, result["maps"])
            for name, known in result["maps"].items():
                if not _MAP.match(name):
                    self.fault(RESULT, "a map has a name that no map has")
                elif digest(self._read(name)) != known:
                    self.fault(name, "it was changed: its SHA-256 is not the one in result.json")
        except _Missing:
            return
        except _MISSHAPEN:
            self.fault(RESULT, "it is not shaped as it should be")
            return
        for key in sorted(expected.keys() | result.keys()):
            if key not in expected or canonical(result.get(key)) != canonical(expected[key]):
                self.fault(RESULT, f"{key[:40]} is not what the game gives")
        first = self.chain.records[0]
        bound = {key: expected[key] for key in ("scenario", "commitment", "options")}
        if {key: first.get(key) for key in bound} != bound:
            self.fault(RESULT, "scenario, options or secret are not those that the chain begins with")

    def _read(self, name: str) -> bytes:
        try:
            with open(self.folder / name, "rb") as file:
                data = file.read(MAX_FILE + 1)
        except OSError as error:
            self.fault(name, f"it cannot be read: {(error.strerror or str(error)).lower()}")
            raise _Missing from None
        if len(data) > MAX_FILE:
            self.fault(name, f"it is larger than {MAX_FILE} bytes")
            raise _Missing
        return data

    def _decode(self, name: str, data: bytes) -> Json:
        try:
            return decode(data)
        except ValueError:
            self.fault(name, "it is not JSON")
            raise _Missing from None


class _Missing(Exception):
    """A file that could not be read, which was said already."""
