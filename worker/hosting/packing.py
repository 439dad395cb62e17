"""A file that rows of the journal and files travel in: a ZIP whose manifest names each member with its digest.

``tables/NAME.jsonl`` holds a table, a row a line, bytes as base64; ``artifacts/SHA`` an artifact; ``waiting/WHERE/NAME`` a received mail
that is not journaled yet.
"""

from __future__ import annotations

import base64
import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from worker.canonical import Json, canonical, decode, digest
from worker.play.games import UnusableInput
from worker.post.outgoing import sync_folder

FORMAT = 1
MANIFEST = "manifest.json"
MOST_MANIFEST = 500_000_000
_BLOCK = 1 << 20


@dataclass
class Writer:
    """Fills a pack. ``rows``: how many each table has."""

    archive: zipfile.ZipFile
    members: dict[str, str] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def table(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add a table."""
        hashed, count = hashlib.sha256(), 0
        with self.archive.open(f"tables/{name}.jsonl", "w", force_zip64=True) as member:
            for row in rows:
                line = msgspec.json.encode({key: _packed(value) for key, value in row.items()}) + b"\n"  # keys stay in their order
                hashed.update(line)
                member.write(line)
                count += 1
        self.members[f"tables/{name}.jsonl"] = hashed.hexdigest()
        self.rows[name] = count

    def file(self, name: str, data: bytes) -> None:
        """Add a file."""
        self.archive.writestr(name, data)
        self.members[name] = digest(data)

    def finish(self, about: Json) -> None:
        """Add the manifest: what the pack is, and all that is in it."""
        told = {"format": FORMAT, "hexpost": version("hexpost"), "rows": self.rows, "members": self.members}
        self.archive.writestr(MANIFEST, canonical(told | about))


@contextmanager
def writing_pack(file: Path) -> Iterator[Writer]:
    """A pack that is at ``file`` once the block has ended well, readable by this user only; nothing is there else. UnusableInput if
    something is there already.
    """
    if os.path.lexists(file):
        raise UnusableInput(f"{file} is there already: choose another name.")
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        draft.touch(mode=0o600)
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            yield Writer(archive)
        with open(draft, "rb") as done:
            os.fsync(done.fileno())
        os.link(draft, file)  # fails where somebody has made one meanwhile
        sync_folder(file.parent)
    except FileExistsError:
        raise UnusableInput(f"{file} is there already: choose another name.") from None
    except OSError as error:
        raise UnusableInput(f"{file} cannot be written: {(error.strerror or str(error)).lower()}.") from None
    finally:
        draft.unlink(missing_ok=True)


class Reader:
    """A pack of which every member was checked."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Json) -> None:
        self._archive = archive
        self.manifest = manifest

    def names(self, folder: str) -> list[str]:
        """The members in a folder, by name."""
        return sorted(name for name in self.manifest["members"] if name.startswith(f"{folder}/"))

    def data(self, name: str) -> bytes:
        """A member."""
        return self._archive.read(name)

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table; none where the pack has no such table. Bytes are base64 still: ``unpacked`` needs the column's type."""
        if f"tables/{table}.jsonl" not in self.manifest["members"]:
            return
        with self._archive.open(f"tables/{table}.jsonl") as member:
            for line in member:
                yield decode(line)


@contextmanager
def reading_pack(file: Path, kind: str) -> Iterator[Reader]:
    """The pack ``file`` of a kind, every member checked. UnusableInput, which names the fault, if it is not whole and as it was written."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _manifest(archive, file, kind)
            _check(archive, file, manifest["members"])
            yield Reader(archive, manifest)
    except OSError as error:
        raise UnusableInput(f"{file} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except zipfile.BadZipFile:
        raise UnusableInput(f"{file} is no file of hexpost's, or is not whole.") from None


def _manifest(archive: zipfile.ZipFile, file: Path, kind: str) -> Json:
    try:
        info = archive.getinfo(MANIFEST)
        found: Json = decode(archive.read(info)) if info.file_size <= MOST_MANIFEST else {}
        known = isinstance(found["format"], int) and isinstance(found["kind"], str) and isinstance(found["revision"], str)
        known = known and all(isinstance(key, str) and isinstance(value, str) for key, value in found["members"].items())
    except (KeyError, TypeError, ValueError, AttributeError):
        found, known = {}, False
    if not known:
        raise UnusableInput(f"{file} is no file of hexpost's: it has no manifest that can be read.")
    if found["format"] != FORMAT:
        raise UnusableInput(f"{file} is of format {found['format']}, and this hexpost reads format {FORMAT}: another one wrote it.")
    if found["kind"] != kind:
        raise UnusableInput(f"{file} is a {found['kind'][:20]}, not a {kind}.")
    return found


def _check(archive: zipfile.ZipFile, file: Path, members: Mapping[str, str]) -> None:
    here = {name for name in archive.namelist() if name != MANIFEST}
    for name in sorted(here ^ members.keys()):
        raise UnusableInput(f"{file} is not as it was written: {name[:100]} is {'missing' if name in members else 'not in its manifest'}.")
    for name, wanted in members.items():
        hashed = hashlib.sha256()
        try:
            with archive.open(name) as member:
                while block := member.read(_BLOCK):
                    hashed.update(block)
            whole = hashed.hexdigest() == wanted
        except Exception:  # whatever a damaged ZIP makes its reader stumble over
            whole = False
        if not whole:
            raise UnusableInput(f"{file} is damaged: {name[:100]} is not what its digest in the manifest says.")


def _packed(value: Any) -> Json:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value
