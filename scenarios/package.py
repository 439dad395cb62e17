"""The files of a package: a folder, and perhaps an owner's overlay folder whose files replace those of the same name."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from scenarios.faults import Faults

MOST_BYTES = 1_000_000
FIXED = frozenset({"clauses.tsv", "open-clauses.txt"})
"""Files of the rulebook and not of the components: no owner's file stands in for them."""
_FILE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}\.(?:toml|csv|tsv|txt)")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A data file as read: its name as faults quote it, and its text."""

    name: str
    text: str

    def lines(self) -> list[str]:
        """The text by lines, without line ends."""
        return self.text.splitlines()

    def line_of(self, needle: str, after: int = 1) -> int:
        """The first line from line ``after`` on that holds ``needle``; ``after`` itself if none does."""
        for number, line in enumerate(self.lines(), 1):
            if number >= after and needle in line:
                return number
        return after


@dataclass(slots=True)
class Package:
    """The data files of one game, read once each. ``digest`` is over the files that were read."""

    folder: Path
    faults: Faults
    overlay: Path | None = None
    _read: dict[str, tuple[TextFile | None, bytes]] = field(default_factory=dict)

    def read(self, name: str, asked_in: tuple[str, int] | None = None) -> TextFile | None:
        """The file ``name`` of the package. None, with a fault, if it is not there, too big or not UTF-8.

        ``asked_in``: the file and line that named it, which get the fault if the name cannot be a data file's.
        """
        if not _FILE_NAME.fullmatch(name):
            file, line = asked_in or (name, 1)
            self.faults.add(file, line, f"not a data file's name: {name[:60]!r}")
            return None
        if name not in self._read:
            self._read[name] = self._open(name, asked_in)
        return self._read[name][0]

    def _open(self, name: str, asked_in: tuple[str, int] | None) -> tuple[TextFile | None, bytes]:
        path, shown = self.folder / name, name
        if self.overlay is not None and self._is_owners(name):
            path, shown = self.overlay / name, str(self.overlay / name)
        if not path.is_file():
            file, line = asked_in or (shown, 1)
            self.faults.add(file, line, f"there is no file {name}")
            return None, b""
        if path.stat().st_size > MOST_BYTES:
            self.faults.add(shown, 1, f"larger than {MOST_BYTES} bytes")
            return None, b""
        raw = path.read_bytes()
        try:
            return TextFile(shown, raw.decode("utf-8")), raw
        except UnicodeDecodeError as error:
            self.faults.add(shown, raw[: error.start].count(b"\n") + 1, "not UTF-8 text")
            return None, raw

    def overlaid(self) -> tuple[str, ...]:
        """The names of the files read that are the owner's."""
        return tuple(name for name in sorted(self._read) if self._is_owners(name))

    def _is_owners(self, name: str) -> bool:
        return self.overlay is not None and name not in FIXED and (self.overlay / name).is_file()

    def digest(self) -> str:
        """SHA-256 over names and bytes of all files read, in the order of their names."""
        total = hashlib.sha256()
        for name in sorted(self._read):
            raw = self._read[name][1]
            total.update(f"{name}\0{len(raw)}\0".encode())
            total.update(raw)
        return total.hexdigest()
