"""What is wrong with a package: faults with file and line, gathered while it is read, and the error that carries them all."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong in a data file. ``line`` counts from 1; 1 too where the fault is the file's as a whole."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


class DataError(Exception):
    """A package that cannot be used. ``faults``: every one that was found; the text lists them, one a line."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


@dataclass(slots=True)
class Faults:
    """The faults found so far in one reading of a package."""

    found: list[Fault] = field(default_factory=list)

    def add(self, file: str, line: int, reason: str) -> None:
        """Note a fault; the same one twice is noted once."""
        fault = Fault(file, line, reason)
        if fault not in self.found:
            self.found.append(fault)

    def raise_if_any(self) -> None:
        """DataError with all faults, by file and line, if there are any."""
        if self.found:
            raise DataError(tuple(sorted(self.found)))
