"""The arguments of each verb of Race for Tunis, as the order language makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scenarios.hexes import Hex


@dataclass(frozen=True)
class Land:
    """An Axis unit that is due lands at a port or an airfield (14.0.E, 14.0.F)."""

    verb: ClassVar[str] = "LAND"
    unit: str
    hex: Hex


@dataclass(frozen=True)
class Sea:
    """An Axis unit that could fly in comes by sea, under the die of that port (14.0.F)."""

    verb: ClassVar[str] = "SEA"
    unit: str
    port: Hex


@dataclass(frozen=True)
class Rejoin:
    """German companies recombine into their battalion (11.2)."""

    verb: ClassVar[str] = "REJOIN"
    units: tuple[str, ...]
    battalion: str


@dataclass(frozen=True)
class Split:
    """A German battalion breaks down into its companies (11.2)."""

    verb: ClassVar[str] = "SPLIT"
    unit: str


@dataclass(frozen=True)
class Rebuild:
    """An eliminated British or American unit is bought back (13.0)."""

    verb: ClassVar[str] = "REBUILD"
    unit: str


@dataclass(frozen=True)
class Move:
    """A unit moves along ``path`` (its own hex left out), or ``to`` a hex by the cheapest way, ``via`` others, by ``road`` alone; an
    engineer may blow or mend the ``bridge`` in a hex of its way (12.0)."""

    verb: ClassVar[str] = "MOVE"
    units: tuple[str, ...]
    path: tuple[Hex, ...] = ()
    to: Hex | None = None
    via: tuple[Hex, ...] = ()
    road: bool = False
    drop: str | None = None
    drop_at: Hex | None = None
    bridge: str | None = None
    bridge_at: Hex | None = None


@dataclass(frozen=True)
class Enter:
    """A due Allied unit enters at ``hex`` (None: the first of its entry that is open to it)."""

    verb: ClassVar[str] = "ENTER"
    unit: str
    hex: Hex | None = None


@dataclass(frozen=True)
class Delay:
    """A due Allied unit is kept back for a game-turn (14.0.D)."""

    verb: ClassVar[str] = "DELAY"
    unit: str


@dataclass(frozen=True)
class Bridge:
    """An engineer blows or mends the bridge in its hex (12.0)."""

    verb: ClassVar[str] = "BRIDGE"
    act: str
    hex: Hex
    unit: str


@dataclass(frozen=True)
class Drop:
    """A parachute unit is dropped (17.6.1)."""

    verb: ClassVar[str] = "DROP"
    unit: str
    hex: Hex


@dataclass(frozen=True)
class Amph:
    """A commando unit lands from the sea (17.6.2)."""

    verb: ClassVar[str] = "AMPH"
    unit: str
    hex: Hex


@dataclass(frozen=True)
class Attack:
    """Units attack one or several hexes at once, supported by guns, perhaps at lower odds by choice; ``only`` one maneuver battalion there,
    or the ``rest`` (11.1); ``none``: attacks on the first of the hexes that were ordered before are withdrawn."""

    verb: ClassVar[str] = "ATTACK"
    hexes: tuple[Hex, ...]
    units: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    lower: int | None = None
    only: str | None = None
    rest: bool = False
    none: bool = False


@dataclass(frozen=True)
class Support:
    """Guns support a battle; or, as a standing order of the defender, how they are allotted: by the greatest effect, or never for hexes."""

    verb: ClassVar[str] = "SUPPORT"
    guns: tuple[str, ...] = ()
    battle: str | None = None
    maximise: bool = False
    deny: tuple[Hex, ...] = ()


@dataclass(frozen=True)
class Air:
    """An air unit supports an attack on a hex, of several there that of the ``battle`` named, or interdicts it (17.2)."""

    verb: ClassVar[str] = "AIR"
    air: str
    mission: str
    hex: Hex
    battle: str | None = None


@dataclass(frozen=True)
class CounterBattery:
    """Guns fire at an enemy artillery unit (17.3)."""

    verb: ClassVar[str] = "CB"
    guns: tuple[str, ...]
    target: str


@dataclass(frozen=True)
class Intercept:
    """An air unit, or ``ALL``, intercepts an enemy one: by its id, or by kind (``SUPPORT-FIRST``, ``INTERDICTION-FIRST``), keeping some
    back."""

    verb: ClassVar[str] = "INTERCEPT"
    air: str
    target: str
    keep: int | None = None


@dataclass(frozen=True)
class Lose:
    """Which units are removed, in order; ``split``: whether battalions may break down to pay exactly (11.2)."""

    verb: ClassVar[str] = "LOSE"
    units: tuple[str, ...] = ()
    split: bool | None = None


@dataclass(frozen=True)
class Retreat:
    """Where units retreat: towards the first ``rally`` hex that can be made for, by road if wanted; or one unit's whole ``path``."""

    verb: ClassVar[str] = "RETREAT"
    units: tuple[str, ...] | str = ()
    rally: tuple[Hex, ...] = ()
    road: bool | None = None
    unit: str | None = None
    path: tuple[Hex, ...] = ()


@dataclass(frozen=True)
class Advance:
    """Units advance along ``hexes``, or none does, or none further than ``max`` hexes."""

    verb: ClassVar[str] = "ADVANCE"
    units: tuple[str, ...] = ()
    hexes: tuple[Hex, ...] = ()
    none: bool = False
    max: int | None = None


@dataclass(frozen=True)
class JoinBattle:
    """The battle that the support units of a hex, or those named, join when all its maneuver battalions are attacked one by one (11.1), or
    ``SPREAD``."""

    verb: ClassVar[str] = "JOINBATTLE"
    battle: str
    units: tuple[str, ...] = ()
