"""The artifact store: big files by the SHA-256 of their content, in a folder. The same content is stored once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from secrets import token_hex

from sqlalchemy import Engine, insert
from sqlalchemy.exc import IntegrityError

from worker.canonical import digest
from worker.database import writing
from worker.outgoing import sync_folder, write_durably
from worker.tables import artifacts

_SHA = re.compile(r"[0-9a-f]{64}\Z")


class ArtifactStore:
    """Files under ``folder/ab/cdef...``, each entered in the journal with its kind and size."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        self._folder = folder
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
        path = self._path(sha)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.parent / f".{sha}.{token_hex(8)}"  # workers in containers have the same process ids
            try:
                write_durably(draft, data)
                os.replace(draft, path)  # whole or not at all
            except OSError:
                draft.unlink(missing_ok=True)
                raise
            sync_folder(path.parent)
        return sha

    def get(self, sha: str) -> bytes:
        """The content of ``sha``. KeyError if it is not here, or not what it should be."""
        path = self._path(sha)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise KeyError(sha) from None
        if digest(data) != sha:
            raise KeyError(sha)
        return data

    def _path(self, sha: str) -> Path:
        if not _SHA.match(sha):
            raise KeyError(sha)
        return self._folder / sha[:2] / sha[2:]
