"""The orders of the test-only game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scenarios.hexes import Hex


@dataclass(frozen=True)
class Place:
    verb: ClassVar[str] = "PLACE"
    unit: str
    hex: Hex


@dataclass(frozen=True)
class Unit:
    """The arguments of the verbs that name one unit."""

    unit: str


class Enter(Unit):
    verb: ClassVar[str] = "ENTER"


class Delay(Unit):
    verb: ClassVar[str] = "DELAY"


class Split(Unit):
    verb: ClassVar[str] = "SPLIT"


class Stand(Unit):
    verb: ClassVar[str] = "STAND"


class Park(Unit):
    verb: ClassVar[str] = "PARK"


@dataclass(frozen=True)
class Join:
    verb: ClassVar[str] = "JOIN"
    units: tuple[str, ...]
    into: str


@dataclass(frozen=True)
class Move:
    verb: ClassVar[str] = "MOVE"
    unit: str
    path: tuple[Hex, ...]


@dataclass(frozen=True)
class Fire:
    verb: ClassVar[str] = "FIRE"
    unit: str
    at: str


@dataclass(frozen=True)
class Attack:
    verb: ClassVar[str] = "ATTACK"
    hex: Hex
    units: tuple[str, ...]
