"""The artifact store: big files by the SHA-256 of their content, in a folder or in an S3 bucket. The same content is stored once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from secrets import token_hex
from typing import Protocol

from sqlalchemy import Engine, insert
from sqlalchemy.exc import IntegrityError

from worker.canonical import digest
from worker.config import S3, Config
from worker.post.outgoing import sync_folder, write_durably
from worker.store.database import writing
from worker.store.tables import artifacts

_SHA = re.compile(r"[0-9a-f]{64}\Z")


class Shelf(Protocol):
    """Where the content lies. Names are SHA-256 digests in hex, so that what is there is what was put."""

    def put(self, sha: str, data: bytes) -> None:
        """Keep ``data``, whole or not at all; harmless when repeated. OSError or ServiceDown if it cannot be kept now."""
        ...

    def get(self, sha: str) -> bytes | None:
        """What was kept; None: nothing. OSError or ServiceDown if that cannot be said now."""
        ...


class FolderShelf:
    """Files under ``folder/ab/cdef...``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, sha: str, data: bytes) -> None:
        """As ``Shelf``; on the disk when it returns."""
        path = self._path(sha)
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.parent / f".{sha}.{token_hex(8)}"  # workers in containers have the same process ids
        try:
            write_durably(draft, data)
            os.replace(draft, path)  # whole or not at all
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)

    def get(self, sha: str) -> bytes | None:
        """As ``Shelf``."""
        try:
            return self._path(sha).read_bytes()
        except FileNotFoundError:
            return None

    def _path(self, sha: str) -> Path:
        return self._folder / sha[:2] / sha[2:]


class ArtifactStore:
    """What lies on a shelf (a folder's path stands for one), each entered in the journal with its kind and size."""

    def __init__(self, where: Path | Shelf, engine: Engine) -> None:
        self._shelf: Shelf = FolderShelf(where) if isinstance(where, Path) else where
        self._engine = engine

    def put(self, kind: str, data: bytes) -> str:
        """Store ``data`` and enter it; its SHA-256. Harmless when repeated."""
        sha = self.keep(data)
        try:
            with writing(self._engine) as connection:
                connection.execute(insert(artifacts).values(sha=sha, kind=kind, size=len(data)))
        except IntegrityError:
            pass
        return sha

    def keep(self, data: bytes) -> str:
        """Store ``data`` without entering it; its SHA-256. Harmless when repeated."""
        sha = digest(data)
        self._shelf.put(sha, data)
        return sha

    def get(self, sha: str) -> bytes:
        """The content of ``sha``. KeyError if it is not here, or not what it should be."""
        if not _SHA.match(sha):
            raise KeyError(sha)
        data = self._shelf.get(sha)
        if data is None or digest(data) != sha:
            raise KeyError(sha)
        return data


def open_artifacts(config: Config, engine: Engine) -> ArtifactStore:
    """The store of an installation. ConfigError if it is a bucket and what talks to it is not installed."""
    if config.artifacts.startswith(S3):
        from worker.store.s3 import S3Shelf

        return ArtifactStore(S3Shelf(config), engine)
    return ArtifactStore(Path(config.artifacts), engine)
