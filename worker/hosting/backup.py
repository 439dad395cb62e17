"""``hexpost backup`` and ``restore``: one consistent picture of an installation in a file, taken while it runs, for either database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, select
from sqlalchemy.exc import DBAPIError

from worker.app import utc_now
from worker.canonical import digest
from worker.config import Config
from worker.hosting.packing import Reader, Writer, reading_pack, writing_pack
from worker.hosting.processes import only_one
from worker.hosting.upgrading import demand_whole, move
from worker.migrations import head, revisions
from worker.play.games import UnusableInput
from worker.post.inboxes import place_of, waiting_files
from worker.post.outgoing import write_durably
from worker.store import loading, schema
from worker.store.artifacts import ArtifactStore, open_artifacts
from worker.store.database import connect, database_url, open_to_read, reading, said_by, writing
from worker.store.tables import metadata

KIND = "backup"
_MANY = 500


def backup(target: Path, file: Path | None) -> Iterator[str]:
    """Write all that the installation of these settings holds to ``target``; what is in it, in sentences. It may run meanwhile."""
    config = Config.load(file)
    engine = open_to_read(config.database)
    store = open_artifacts(config, engine)
    try:
        with writing_pack(target) as pack:
            # First what is not journaled yet: a mail that is journaled meanwhile is there twice, which does no harm.
            waiting = _pack_waiting(config, pack)
            with reading(engine) as connection:
                for table in metadata.sorted_tables:
                    pack.table(table.name, rows_of(connection, table))
                wanted = list(connection.execute(select(metadata.tables["artifacts"].c.sha)).scalars())
            missing = pack_artifacts(store, pack, wanted)
            about = {"kind": KIND, "revision": head(), "made_at": utc_now(), "missing": missing}
            pack.finish(about)
    finally:
        engine.dispose()
    files = f"{len(wanted) - len(missing)} artifacts, {waiting} mails not journaled yet"
    yield f"{target}: {pack.rows['games']} games, {sum(pack.rows.values())} rows, {files}."
    for sha in missing:
        yield f"The artifact {sha} is missing or damaged here, and not in the backup."
    yield "It holds the secrets of all games, and addresses and mails of all players: keep it as you keep the server."


def rows_of(connection: Connection, table: Table, *where: Any) -> Iterator[Any]:
    """The rows of a table, in the order of its key, a few hundred at a time."""
    query = select(table).where(*where).order_by(*table.primary_key.columns).execution_options(yield_per=_MANY)
    yield from connection.execute(query).mappings()


def pack_artifacts(store: ArtifactStore, pack: Writer, wanted: list[str]) -> list[str]:
    """Add artifacts to a pack; those that are not here, or damaged."""
    missing = []
    for sha in sorted(wanted):
        try:
            pack.file(f"artifacts/{sha}", store.get(sha))
        except KeyError:
            missing.append(sha)
    return missing


def _pack_waiting(config: Config, pack: Writer) -> int:
    count = 0
    for where, path in waiting_files(config.inbox, config.spool):
        with suppress(FileNotFoundError):  # it has just been journaled
            pack.file(f"waiting/{where}/{place_of(path.name)}", path.read_bytes())
            count += 1
    return count


def restore(source: Path, file: Path | None) -> Iterator[str]:
    """Enter a backup in the empty installation of these settings, as a whole or not at all; what came, in sentences.

    UnusableInput where the file is damaged or too new, or the installation holds anything.
    """
    config = Config.load(file)
    with ExitStack() as stack:
        pack = stack.enter_context(reading_pack(source, KIND))
        stack.enter_context(only_one(config.home))
        revision = pack.manifest["revision"]
        if revision not in revisions():
            raise UnusableInput(f"{source} is of revision {revision[:40]}, which this hexpost does not know: a newer one wrote it.")
        made = _will_be_made(config.database)
        engine = connect(config.database, foreign_keys=False)
        try:
            _keep_artifacts(open_artifacts(config, engine), pack, source)
            with writing(engine) as connection:
                rows = _enter(connection, pack, revision)
                waiting = _put_back(config, pack)  # before the rows are committed: where it fails, nothing is entered
        except BaseException as error:
            engine.dispose()
            if made is not None:
                _remove(made)
            if isinstance(error, DBAPIError):
                raise UnusableInput(f"{source} cannot be entered: {said_by(error)}. Nothing was entered.") from None
            raise
        engine.dispose()
    yield f"{source}: {rows} rows, {len(pack.names('artifacts'))} artifacts, {waiting} mails not journaled yet are restored."
    for sha in pack.manifest.get("missing", []):
        yield f"The artifact {sha} was missing when the backup was made."
    yield "Never run this installation beside the one that it comes from: players would get two answers to each mail."


def _enter(connection: Connection, pack: Reader, revision: str) -> int:
    schema.lock(connection)
    _demand_empty(connection)
    move(connection, revision)
    tables = loading.tables_of(connection)
    rows = 0
    for name, table in tables.items():
        rows += loading.insert_rows(connection, table, (loading.unpacked(table, row) for row in pack.rows(name)))
    if pack.manifest["rows"].keys() - tables.keys():
        raise UnusableInput("The backup has tables that are none of its revision.")
    loading.go_on_after(connection, tables.values())
    move(connection, head())
    demand_whole(connection)
    return rows


def _demand_empty(connection: Connection) -> None:
    for name, table in loading.tables_of(connection).items():
        if connection.execute(select(table).limit(1)).first() is not None:
            raise UnusableInput(f"The database holds something already (table {name}): a backup is restored into an empty installation.")


def _keep_artifacts(store: ArtifactStore, pack: Reader, source: Path) -> None:
    """Content-addressed files do no harm where the rows do not come."""
    for name in pack.names("artifacts"):
        data = pack.data(name)
        if name != f"artifacts/{digest(data)}":
            raise UnusableInput(f"{source} is not as it was written: {name[:100]} holds something else.")
        store.keep(data)


def _put_back(config: Config, pack: Reader) -> int:
    """Put the mails that wait where they lay, all or none; how many. UnusableInput where a folder cannot be written."""
    folders = {"inbox": config.inbox / "new", "spool": config.spool}
    count = 0
    written: list[Path] = []
    for member in pack.names("waiting"):
        where, _, name = member.removeprefix("waiting/").partition("/")
        folder = folders.get(where)
        if folder is None or "/" in name or name in ("", ".", ".."):
            continue
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not (folder / name).exists():
                written.append(folder / name)
                write_durably(folder / name, pack.data(member))
        except OSError as error:
            for path in written:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
            said = (error.strerror or str(error)).lower()
            raise UnusableInput(f"The {where} {folder} cannot be written: {said}. Nothing was entered.") from None
        count += 1
    return count


def _will_be_made(url: str) -> Path | None:
    """The file of an SQLite database that is not there yet."""
    parsed = database_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return None
    path = Path(parsed.database)
    return None if path.exists() else path


def _remove(database: Path) -> None:
    for name in (database.name, f"{database.name}-wal", f"{database.name}-shm"):
        database.with_name(name).unlink(missing_ok=True)
