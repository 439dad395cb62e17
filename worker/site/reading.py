"""Where a campaign comes from: the folder of a self-played game, or the journal of an installation."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from worker import secrets
from worker.canonical import Json, decode
from worker.desk import archive, taken_along
from worker.desk.archive import RESULT, Played, path_of
from worker.desk.proving import versions_of
from worker.desk.study import MAX_FILE, read_json
from worker.play.games import UnusableInput, check_scenario
from worker.play.throws import Throw, published, rolled_in, throws
from worker.site.campaign import Campaign, GivenUp, Kept, game_turns
from worker.store.database import reading
from worker.store.journal import Journal
from worker.store.records import Game
from worker.store.tables import games, messages, moved, packets, snapshots, turns, undone

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of each file in a ZIP archive: the same game makes the same bytes."""


def of_folder(folder: Path) -> Campaign:
    """The game that ``hexpost selfplay`` put into ``folder``. UnusableInput where there is none."""
    result = read_json(folder / RESULT)
    try:
        played = Played(result["game"], check_scenario(result["scenario"]), result["asked"], result["secret"])
        records = [one["record"] for one in result["chain"]]
        found = [_outcome(folder, number, record, played) for number, record in enumerate(records)]
        thrown = list(_thrown(found, records, played))
        over = bool(found[-1].state.get("over"))
        commitment = secrets.commitment(played.secret)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        raise UnusableInput(f"{folder} holds no game as hexpost selfplay writes it (hexpost verify tells what is wrong).") from None
    key = played.scenario.replace("/", "-")
    files = {f"{key}.zip": _zipped(folder, key, len(records))} if over else {}
    return Campaign(key, "", played.game, played.scenario, commitment, [], game_turns(found), thrown, played.secret if over else "", files)


def _outcome(folder: Path, number: int, record: Json, played: Played) -> Kept:
    path = folder / path_of("outcomes", number)
    outcome = read_json(path)
    at = datetime.fromtimestamp(int(path.stat().st_mtime), UTC).isoformat()
    side, lines = None, list[str]()
    if number:
        side = str(record["packet"]["side"])
        text = folder / path_of("packets", number, "txt")
        lines = [line for line in text.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return Kept(number, outcome["state"], outcome["events"], at, side, tuple(lines))


def _thrown(found: list[Kept], records: list[Json], played: Played) -> Iterator[Throw]:
    count = 0
    for one, record in zip(found, records, strict=True):
        for event in rolled_in(one.events):
            count += 1
            seed = str(record["seed"] or "") if one.version else played.first_seed()
            yield Throw(count, one.version, 0, int(record["n"] or 0), seed, event, undone=False)


def _zipped(folder: Path, key: str, count: int) -> bytes:
    """The folder as ``hexpost verify`` takes it, in one file; its maps are left to the site."""
    result = read_json(folder / RESULT)
    names = [path_of(where, n, ending) for n in range(count) for where, ending in _FILES if n or where == "outcomes"]
    return packed(key, [(RESULT, archive.as_file(result | {"maps": {}})), *((name, _read(folder / name)) for name in names)])


def packed(key: str, files: Iterable[tuple[str, bytes]]) -> bytes:
    """Files in one, in a folder that is called by the game's key."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, data in files:
            made.writestr(_entry(f"{key}/{name}"), data)
    return out.getvalue()


_FILES = (("outcomes", "json"), ("packets", "json"), ("packets", "txt"))


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _read(path: Path) -> bytes:
    with open(path, "rb") as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise UnusableInput(f"{path} is too large: at most {MAX_FILE} bytes are read.")
    return data


# The journal


def of_journal(journal: Journal, key: str) -> Campaign:
    """A game of the journal. UnusableInput where there is none."""
    game = journal.game(key) or journal.game(key.upper())
    if game is None:
        raise UnusableInput(f"There is neither a folder nor a game {key[:80]!r} here.")
    kept = list(_versions(journal, game))
    gone = _undone(journal, game)
    found = game_turns(one for one in kept if one.version not in gone)
    thrown = throws(journal.engine, game)
    over = bool(found[-1].after.get("over"))
    commitment = str(published(game, [], revealed=False)["commitment"])
    secret = game.secret if over else ""
    key = game.id.lower()
    ways = list(_given_up(kept, gone, journal.chain(game.id))) if over else []
    files = {f"{key}.zip": packed(key, taken_along.files_of(game, versions_of(journal.engine, game.id)))} if over else {}
    return Campaign(key, game.id, game.id, game.scenario, commitment, game.words, found, thrown, secret, files, ways)


def games_of(journal: Journal) -> list[str]:
    """The ids of all games that are kept here, in the order in which they began."""
    with reading(journal.engine) as connection:
        gone = select(moved.c.game)
        query = select(games.c.id).where(games.c.id.not_in(gone)).order_by(games.c.created_at, games.c.id)
        return list(connection.execute(query).scalars())


def _versions(journal: Journal, game: Game) -> Iterator[Kept]:
    """The versions of a game in their order, those that were taken back among them."""
    there = (snapshots.c.game == turns.c.game) & (snapshots.c.version == turns.c.version)
    query = select(turns.c.version, turns.c.events, turns.c.packet, snapshots.c.state)
    query = query.join(snapshots, there).where(turns.c.game == game.id).order_by(turns.c.version)
    sent = select(packets.c.id, packets.c.side, packets.c.printed, messages.c.received_at)
    sent = sent.join(messages, messages.c.id == packets.c.message).where(packets.c.game == game.id)
    with reading(journal.engine) as connection:
        written = {row.id: row for row in connection.execute(sent)}
        at = str(connection.scalar(select(games.c.created_at).where(games.c.id == game.id)))
        rows = connection.execute(query).all()
    for version, events, packet, state in rows:
        row = written.get(packet)
        at = row.received_at if row is not None else at
        side, lines = (row.side, tuple(row.printed)) if row is not None else (None, ())
        yield Kept(version, decode(zlib.decompress(state)), decode(zlib.decompress(events)), at, side, lines)


def _undone(journal: Journal, game: Game) -> dict[int, int]:
    """The versions that were taken back, each with that which did it."""
    with reading(journal.engine) as connection:
        rows = connection.execute(select(undone.c.version, undone.c.by).where(undone.c.game == game.id)).all()
        return {int(version): int(by) for version, by in rows}


def _given_up(kept: list[Kept], gone: dict[int, int], chain: list[tuple[int, Json, str]]) -> Iterator[GivenUp]:
    """The ways that were taken back and on which dice may have fallen, in the order in which that was done."""
    by_version = {one.version: one for one in kept}
    number = 0
    for version, record, _ in chain:
        undo, rollback = record.get("undo"), record.get("rollback")
        lost = sorted(one for one, by in gone.items() if by == version)
        if not lost or not (rollback or (undo and undo["agreed"])):
            continue
        number += 1
        first = by_version[rollback["version"] if rollback else undo["version"] - 1]
        turns = game_turns([replace(first, events=[], side=None), *(by_version[one] for one in lost)])
        for turn in turns:
            turn.given_up = number
        yield GivenUp(number, "rollback" if rollback else "undo", turns)
