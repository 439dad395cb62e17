"""``hexpost dice``: whether the throws of a game are what its secret gives, how its dice fell, and the file that players check them by."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from sqlalchemy import select

from worker import secrets
from worker.canonical import Json, canonical, decode, digest
from worker.config import Config
from worker.play.dice import wrong_throw
from worker.play.fairness import Tally, tally
from worker.play.games import UnusableInput
from worker.play.throws import Throw, published, rolled_in, throws
from worker.store.database import open_to_read, reading
from worker.store.journal import Journal
from worker.store.records import Game
from worker.store.tables import turns

_MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, zlib.error)
RARE = 0.01
"""Dice that fall so unevenly or more are seen in one of a hundred fair games; this is pointed out, and proves nothing."""


def audit(key: str, out: Path | None, file: Path | None) -> tuple[list[str], list[str]]:
    """The faults of a game's dice, and what is to be said of them. ``out``: where the file of throws goes. UnusableInput."""
    journal = Journal(open_to_read(Config.load(file).database))
    game = journal.game(key) or journal.game(key.upper())
    if game is None:
        raise UnusableInput(f"There is no game {key[:40]!r} here.")
    try:
        found = throws(journal.engine, game)
        faults = list(dice_faults(journal, game, found))
    except _MISSHAPEN:  # somebody has written in the database by hand
        return [f"{game.id}: what is stored of it cannot be read any more"], []
    if out is not None:
        out.write_bytes(canonical(published(game, found, revealed=game.over)) + b"\n")
    return faults, [*_said(game, found, faults), *table(found)]


def dice_faults(journal: Journal, game: Game, found: list[Throw]) -> Iterator[str]:
    """What does not hold of the hash chain, the packets' numbers and seeds, and the dice; a sentence each."""
    chain = journal.chain(game.id)
    broken = journal.broken_link(game.id)
    if broken is not None:
        yield f"record {broken}: its hash is not that of it and the record before it"
    if not chain or chain[-1][2] != game.head:
        yield "the last record is not the one that the game ends with"
    yield from _beginning(game, chain[0][1] if chain else {})
    yield from _records(game, [record for _, record, _ in chain[1:]])
    yield from _events(journal, game)
    for one in found:
        if one.version and not one.n:
            yield f"throw #{one.number}: it was thrown by a packet that has no number"
        elif wrong_throw(one.seed, one.event):
            yield f"throw #{one.number}: its dice do not follow from its seed and key"


def _beginning(game: Game, first: Json) -> Iterator[str]:
    """Secret, words and scenario are those that the game began with."""
    if first.get("commitment") != secrets.commitment(game.secret):
        yield "record 0: the secret is not the one that was committed to"
    if first.get("words") != game.words:
        yield "record 0: the players' words are not those that the game began with"


def _records(game: Game, records: Iterable[Json]) -> Iterator[str]:
    """Numbers go up by one and branches never down; each seed is that of its number."""
    n = branch = 0
    for record in records:
        where = f"record {record['version']}"
        if record["branch"] < branch:
            yield f"{where}: it goes back to branch {record['branch']}"
        branch = record["branch"]
        if record["n"] is None:
            continue
        n += 1
        if record["n"] != n:
            yield f"{where}: its packet number is {record['n']}, not {n}"
            n = record["n"]
        if record["seed"] != secrets.seed(game.secret, game.words, game.id, branch, n):
            yield f"{where}: its seed does not follow from the secret, the words and its number"


def _events(journal: Journal, game: Game) -> Iterator[str]:
    """What is stored as having happened is what the chain binds."""
    query = select(turns.c.version, turns.c.record, turns.c.events).where(turns.c.game == game.id).order_by(turns.c.version)
    with reading(journal.engine) as connection:
        rows = connection.execute(query).all()
    count = 0
    for version, text, packed in rows:
        record, events = decode(text), decode(zlib.decompress(packed))
        count += len(rolled_in(events))
        if digest(canonical(events)) != record["events"]:
            yield f"record {version}: what happened is not what the record says"
        if record.get("throws", count) != count:
            yield f"record {version}: it counts {record['throws']} throws, and there are {count}"


def _said(game: Game, found: list[Throw], faults: list[str]) -> Iterator[str]:
    count = sum(len(one.event["data"]["dice"]) for one in found)
    undone = sum(one.undone for one in found)
    yield f"{game.id}: {len(found)} throws of {count} dice{f', of which {undone} throws were taken back' if undone else ''}."
    if not faults:
        yield "The hash chain holds; every seed follows from the secret, and every die from its seed and key."


def table(found: Iterable[Throw]) -> Iterator[str]:
    """How the dice fell, a line a kind: all of a size, those of each player-turn, and those of each purpose."""
    kinds: dict[tuple[int, str], list[int]] = {}
    for one in found:
        data = one.event["data"]
        half = str(data["key"][1]) if len(data["key"]) > 1 and data["key"][1] else ""
        names = ("all", f"{half} player-turns" if half else "between", str(data["why"]))
        for name in names:
            kinds.setdefault((data["sides"], name), []).extend(data["dice"])
    tallies = [tally(name, sides, dice) for (sides, name), dice in sorted(kinds.items(), key=_in_order)]
    for size in sorted({len(one.faces) for one in tallies}):
        yield ""
        yield f"{f'Dice of {size}':<24}" + "".join(f"{face:>6}" for face in range(1, size + 1)) + "   dice   mean  chance"
        yield from (_row(one) for one in tallies if len(one.faces) == size)
    if tallies:
        yield ""
        yield "chance: how often fair dice fall at least as unevenly (-: too few to say)."
        yield "Of a hundred rows one is below 1 % (!) by chance alone."


def _in_order(kind: tuple[tuple[int, str], list[int]]) -> tuple[int, int, str]:
    (sides, name), _ = kind
    return sides, 0 if name == "all" else 1 if name.endswith("player-turns") or name == "between" else 2, name


def _row(one: Tally) -> str:
    chance = one.chance
    told = "-" if chance is None else f"{100 * chance:.1f} %{' !' if chance < RARE else ''}"
    return f"{one.name[:23]:<24}" + "".join(f"{times:>6}" for times in one.faces) + f"{one.count:>7}{one.mean:>7.2f}  {told:>6}"
