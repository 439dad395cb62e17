"""``hexpost game-export`` and ``game-import``: one game, with all that is its own, from one server to another.

What goes along is each row that names the game, the mails that it received, and the files that its mails refer to. What a server knows of
an address whatever the game (that mail does not arrive there, how many mails left for its domain) stays; so do alerts to the operator.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from worker.app import utc_now
from worker.canonical import Json, canonical, decode, digest
from worker.config import Config
from worker.hosting.backup import pack_artifacts, rows_of
from worker.hosting.packing import Reader, Writer, reading_pack, writing_pack
from worker.hosting.processes import only_one
from worker.local import local_rules
from worker.migrations import head
from worker.play.games import UnusableInput, check_address
from worker.post.context import side_tokens
from worker.secrets import message_id
from worker.store import loading
from worker.store.artifacts import ArtifactStore, open_artifacts
from worker.store.clocktables import deadlines
from worker.store.commits import link, queue_mails
from worker.store.database import open_database, open_to_read, reading, said_by, writing
from worker.store.journal import Journal
from worker.store.records import Game, Intent
from worker.store.tables import artifacts, departed, games, links, lobbies, messages, metadata, moved, outbox
from worker.waiting.deadlines import ADJUTANT, OURS

KIND = "game"
STAY = frozenset(("alerts", "artifacts", "board_codes", "departures", "interactions", "moved", "paused", "pauses", "traces", "wishes"))
"""Tables of which nothing goes along as such: artifacts are taken by what refers to them."""
_WRITERS = "games, messages, outbox, packets, turns, deadlines"


def own_rows(table: Table, game: str) -> ColumnElement[bool] | None:
    """Which rows of a table are a game's own; None where the table stays."""
    if table.name in STAY:
        return None
    if table.name in ("games", "lobbies"):
        return table.c.id == game
    if table.name == departed.name:
        return table.c.message_id.in_(select(outbox.c.message_id).where(outbox.c.game == game))
    if "game" not in table.columns:  # it tells of received mails
        return table.c.message.in_(select(messages.c.id).where(messages.c.game == game))
    return table.c.game == game


# Out


def export(game: str, target: Path, file: Path | None, to: str | None = None) -> Iterator[str]:
    """Write a game to ``target``; what is in it, in sentences. ``to``: the order address of the server that has it from now on; mails to it
    are then answered with that address here, and nothing else is done for it. That wants an installation that is not served.

    UnusableInput for a game that there is not, or that has moved.
    """
    config = Config.load(file)
    if to is not None:
        check_address(to, config.address)
    engine = open_to_read(config.database) if to is None else open_database(config.database, make=False)
    store = open_artifacts(config, engine)
    try:
        with ExitStack() as stack:
            if to is not None:
                stack.enter_context(only_one(config.home))
            key = _known(Journal(engine), game)
            written = False
            try:
                with writing(engine) if to is not None else reading(engine) as connection:
                    if to is not None and connection.dialect.name == "postgresql":
                        connection.execute(text(f"LOCK TABLE {_WRITERS} IN SHARE ROW EXCLUSIVE MODE"))
                    if connection.execute(select(moved).where(moved.c.game == key)).first() is not None:
                        raise UnusableInput(f"{key} has moved to another server: export it there.")
                    with writing_pack(target) as pack:
                        missing = _pack(connection, store, pack, key)
                    written = True
                    # The file lies on the disk under its name before the mark is committed: what fails until then leaves the game here.
                    if to is not None:
                        _mark_or_remove(connection, key, to.lower(), target)
            except DBAPIError as error:
                kept = (
                    f" {target} is whole: keep it, and export again; if the game has moved, you are told so."
                    if written and target.exists()
                    else ""
                )
                raise UnusableInput(f"{key} cannot be exported: {said_by(error)}.{kept}") from None
    finally:
        engine.dispose()
    yield f"{target}: {key}, {pack.rows['turns']} states, {pack.rows['messages']} received and {pack.rows['outbox']} sent mails."
    for sha in missing:
        yield f"The artifact {sha} is missing or damaged here, and not in the file."
    yield f"It holds the secret of {key}, and addresses and mails of its players."
    if to is not None:
        yield f"{key} is {to.lower()}'s now: mails to it are answered so here. Keep the file until it is entered there."


def _known(journal: Journal, game: str) -> str:
    found = journal.game(game) or journal.game(game.upper())
    if found is None:
        raise UnusableInput(f"There is no game {game[:40]!r} here.")
    return found.id


def _pack(connection: Connection, store: ArtifactStore, pack: Writer, key: str) -> list[str]:
    """Fill a pack with a game; the artifacts that are missing here."""
    for table in metadata.sorted_tables:
        if (own := own_rows(table, key)) is not None:
            pack.table(table.name, rows_of(connection, table, own))
    missing = pack_artifacts(store, pack, sorted(_artifacts_of(connection, key)))
    pack.finish({"kind": KIND, "revision": head(), "made_at": utc_now(), "game": key, "missing": missing})
    return missing


def _artifacts_of(connection: Connection, game: str) -> set[str]:
    made = select(outbox.c.raw).where(outbox.c.game == game, outbox.c.raw.is_not(None))
    linked = select(links.c.sha).where(links.c.game == game, links.c.sha != "")  # a board has no file
    return {*connection.execute(made).scalars(), *connection.execute(linked).scalars()}


def _mark(connection: Connection, game: str, address: str) -> None:
    """The game is another server's: nothing waits here for it any more."""
    connection.execute(insert(moved).values(game=game, address=address, at=utc_now()))
    connection.execute(delete(deadlines).where(deadlines.c.game == game))
    waiting = (messages.c.game == game, messages.c.status.in_(("new", "parked")))
    connection.execute(update(messages).where(*waiting).values(status="done", verdict="moved"))
    unsent = (outbox.c.game == game, outbox.c.status.in_(("waiting", "made", "parked")))
    connection.execute(update(outbox).where(*unsent).values(status="moved"))


def _mark_or_remove(connection: Connection, game: str, address: str, file: Path) -> None:
    """As ``_mark``; where it cannot be done, the file of a game that stays is taken away."""
    try:
        _mark(connection, game, address)
    except BaseException:
        file.unlink(missing_ok=True)
        raise


# In


def enter(source: Path, file: Path | None) -> Iterator[str]:
    """Enter a game that another server exported, as a whole or not at all; what came, in sentences. Its chain, states and events are
    checked before.

    UnusableInput where something does not hold, the game's id is taken here, or its data package is not what is installed.
    """
    config = Config.load(file)
    engine = open_database(config.database)
    try:
        with reading_pack(source, KIND) as pack:
            key = _demand_fitting(pack, source)
            turns = check_game(pack, source)
            store = open_artifacts(config, engine)
            for name in pack.names("artifacts"):
                store.keep(pack.data(name))
            with writing(engine) as connection:
                _demand_free(connection, key)
                _enter(connection, pack, key)
        with writing(engine) as connection:
            announced = _announce(connection, Journal(engine), config, key)
    finally:
        engine.dispose()
    yield f"{key} is entered: its hash chain of {turns} states holds. {announced} players are told that it is kept here now."
    for sha in pack.manifest.get("missing", []):
        yield f"The artifact {sha} was missing where it comes from."


def _demand_fitting(pack: Reader, source: Path) -> str:
    """The id of the game in a pack that this hexpost can enter."""
    revision, key = pack.manifest["revision"], pack.manifest.get("game")
    if revision != head():
        raise UnusableInput(
            f"{source} is of revision {revision[:40]}, and this hexpost works with {head()}: bring both servers to the same hexpost first."
        )
    if not isinstance(key, str) or [row["id"] for row in pack.rows("games")] != [key]:
        raise UnusableInput(f"{source} holds not the one game that its manifest names.")
    return key


def check_game(pack: Reader, source: Path) -> int:
    """How many states a packed game has. UnusableInput unless its chain, states and events hold together, and its data is installed."""
    [game] = pack.rows("games")
    states = {row["version"]: row for row in pack.rows("snapshots")}
    before, count = "", 0
    for count, row in enumerate(pack.rows("turns"), start=1):
        record = decode(row["record"])
        where = f"{source}: state {count - 1} of {game['id']}"
        if (row["game"], row["version"], record.get("game")) != (game["id"], count - 1, game["id"]):
            raise UnusableInput(f"{where} is missing, or another game's.")
        before = link(before, record)
        if before != row["hash"]:
            raise UnusableInput(f"{where}: its hash does not follow from its record and the hash before.")
        _check_state(where, record, _unzipped(where, row["events"]), states.get(count - 1))
    if (before, count - 1) != (game["head"], game["version"]):
        raise UnusableInput(f"{source}: {game['id']} does not end where its hash chain does.")
    _demand_data(game, record["data"])
    return count


def _check_state(where: str, record: Json, events: Json, snapshot: Mapping[str, Any] | None) -> None:
    if digest(canonical(events)) != record["events"]:
        raise UnusableInput(f"{where}: its events are not those of the chain.")
    state = None if snapshot is None else _unzipped(where, snapshot["state"])
    if state is None or digest(canonical(state)) != record["state"] or snapshot is None or snapshot["digest"] != record["state"]:
        raise UnusableInput(f"{where}: it is not the state of the chain.")


def _unzipped(where: str, packed: str) -> Json:
    try:
        return decode(zlib.decompress(base64.b64decode(packed)))
    except (ValueError, zlib.error):
        raise UnusableInput(f"{where} cannot be read.") from None


def _demand_data(game: Mapping[str, Any], data: str) -> None:
    """A game that runs needs the data package that it was begun with."""
    if game["over"]:
        return
    name = str(game["scenario"]).partition("/")[0]
    here = {one["key"]: one["data_digest"] for one in local_rules().games()["games"]}.get(name)
    if here != data:
        raise UnusableInput(
            f"{game['id']} is played with data {str(data)[:12]} of {name}, and here is {str(here)[:12] if here else 'none'}: "
            "install the hexpost that it comes from first."
        )


def _demand_free(connection: Connection, key: str) -> None:
    for table in (games, lobbies):
        if connection.execute(select(table.c.id).where(table.c.id == key)).first() is not None:
            raise UnusableInput(
                f"There is a game {key} here already. Servers between which games move number theirs apart: set first_game."
            )


def _enter(connection: Connection, pack: Reader, key: str) -> None:
    """The rows of a game under new numbers: what the other server numbered by itself, this one may have numbered, too."""
    numbers: dict[str, dict[int, int]] = {}
    for table in metadata.sorted_tables:
        if own_rows(table, key) is None:
            continue
        rows = [loading.unpacked(table, row) for row in pack.rows(table.name)]
        _renumber(connection, table, rows, numbers)
        if table.name == messages.name:
            rows = [row | {"place": _place(row["place"], key, old)} for row, old in zip(rows, numbers[table.name], strict=True)]
        if table.name == outbox.name:
            rows = [row | {"key": _key(row["key"], numbers[messages.name])} for row in rows]
        loading.insert_rows(connection, table, rows)
    loading.go_on_after(connection, (table for table in metadata.sorted_tables if table.name in numbers))
    known = set(connection.execute(select(artifacts.c.sha)).scalars())
    for sha in (name.removeprefix("artifacts/") for name in pack.names("artifacts")):
        if sha not in known:
            connection.execute(insert(artifacts).values(sha=sha, kind="moved", size=len(pack.data(f"artifacts/{sha}"))))


def _renumber(connection: Connection, table: Table, rows: list[dict[str, Any]], numbers: dict[str, dict[int, int]]) -> None:
    """New numbers for rows of a table that is numbered, after all that are here and all that they had: what is made of a number, such as
    the code of an offer, is made once. And what refers to rows that have new numbers follows them.
    """
    if any(True for _ in loading.numbered([table])):
        last = connection.scalar(select(table.c.id).order_by(table.c.id.desc()).limit(1)) or 0
        first = max([last, *(row["id"] for row in rows)]) + 1
        found = numbers[table.name] = {row["id"]: first + place for place, row in enumerate(rows)}
        for row in rows:
            row["id"] = found[row["id"]]
    for column in table.columns:
        for foreign in column.foreign_keys:
            if foreign.column.table.name in numbers:
                for row in rows:
                    row[column.name] = numbers[foreign.column.table.name][row[column.name]]


def _place(place: str, game: str, old: int) -> str:
    """Where a mail lay at the other server; a call to play for a side is known by its place, and keeps it."""
    return place if place.startswith(OURS) else f"moved/{game}/{old}"


def _key(key: str, numbers: Mapping[int, int]) -> str:
    """The key of a mail that answers a received one has that one's number (``m17/confirm``)."""
    first, slash, rest = key.partition("/")
    number = int(first[1:]) if first[:1] == "m" and first[1:].isdecimal() else 0
    return f"m{numbers[number]}{slash}{rest}" if number in numbers else key


def _announce(connection: Connection, journal: Journal, config: Config, key: str) -> int:
    """Queue a word to each player: replies come here from now on. How many there are."""
    game = journal.game(key)
    assert game is not None
    intents = [one for side, players in journal.addresses(key).items() for one in _notices(journal, config, game, side, players)]
    queue_mails(connection, key, intents)
    return len(intents)


def _notices(journal: Journal, config: Config, game: Game, side: str, players: list[str]) -> Iterator[Intent]:
    sent = [one for one, _ in journal.mails_to(game.id, side)]
    said = {"line": "", "status": "done", "said": [{"key": "kept-here", "fields": {}}], "listed": [], "text": [], "hint": ""}
    data: Json = {"kind": "notice", "date": utc_now(), "facts": {"answers": [said]}, "subject": "", "turn": game.turn, "at": game.version}
    data |= {"in_reply_to": sent[-1] if sent else None, "references": sent[-10:], "token": side_tokens(game)[side]}
    told, domain = journal.told(game.id, side), config.address.rpartition("@")[2]
    for number, player in enumerate((one for one in players if one != ADJUTANT), start=1):
        mine = message_id(game.secret, game.id, f"{side}/{len(sent) + number}", domain)
        yield Intent(f"moved/{data['date']}/{side}/{number}", data | {"to": player, "after": told}, told, side, mine)
