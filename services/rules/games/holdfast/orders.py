"""Holdfast's orders: the arguments of each verb, as ``docs/decisions/0002-shapes.md`` has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scenarios.hexes import Hex


@dataclass(frozen=True)
class Commit:
    """Air units for the Malta box: ``n``, or for the Allies a table of (Axis number, own number)."""

    verb: ClassVar[str] = "COMMIT"
    n: int | None = None
    table: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True)
class OneUnit:
    """The arguments of the verbs that name one unit and nothing else."""

    unit: str


class Enter(OneUnit):
    """A due arrival enters at its side's entry city."""

    verb: ClassVar[str] = "ENTER"


class Delay(OneUnit):
    """A due arrival is held back to a later game-turn."""

    verb: ClassVar[str] = "DELAY"


class Rebuild(OneUnit):
    """An eliminated unit comes back with one strength point."""

    verb: ClassVar[str] = "REBUILD"


class Keep(OneUnit):
    """The unit that stays in an overfull entry hex."""

    verb: ClassVar[str] = "KEEP"


@dataclass(frozen=True)
class Step:
    """``k`` replacement steps for a unit on the map."""

    verb: ClassVar[str] = "STEP"
    unit: str
    k: int = 1


@dataclass(frozen=True)
class Move:
    """A unit moves along ``path`` (its own hex left out), or ``to`` a hex by the cheapest way, ``via`` others, by ``road`` alone."""

    verb: ClassVar[str] = "MOVE"
    units: tuple[str, ...]
    path: tuple[Hex, ...] = ()
    to: Hex | None = None
    via: tuple[Hex, ...] = ()
    road: bool = False
    strategic: bool = False
    leader: bool = False


@dataclass(frozen=True)
class Attack:
    """Units attack a hex, with an air unit and a leader if wanted; ``lose``: who takes the hits, in order."""

    verb: ClassVar[str] = "ATTACK"
    hex: Hex
    units: tuple[str, ...]
    air: str | None = None
    leader: bool = False
    lose: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lose:
    """Who takes hits: the named ``units`` one hit each in turn, the ``spare`` ones last."""

    verb: ClassVar[str] = "LOSE"
    units: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()
