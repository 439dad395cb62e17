"""The arguments of each verb of Beda Fomm, as the order language makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scenarios.hexes import Hex


@dataclass(frozen=True)
class Place:
    """A unit of the blocking force is set up in a hex (14.2)."""

    verb: ClassVar[str] = "PLACE"
    unit: str
    hex: Hex


@dataclass(frozen=True)
class Convoy:
    """Convoy ``n`` is made of transports and one personnel battalion (14.31)."""

    verb: ClassVar[str] = "CONVOY"
    n: int
    transports: tuple[str, ...]
    personnel: str


@dataclass(frozen=True)
class Enter:
    """A due unit, or every unit of convoy ``convoy``, enters at ``hex`` (None: the hex printed for it)."""

    verb: ClassVar[str] = "ENTER"
    unit: str | None = None
    convoy: int | None = None
    hex: Hex | None = None


@dataclass(frozen=True)
class Delay:
    """A due unit, or every unit of a convoy, is kept back for one game-turn (15.21)."""

    verb: ClassVar[str] = "DELAY"
    unit: str | None = None
    convoy: int | None = None


@dataclass(frozen=True)
class Park:
    """A transport parks instead of moving (9.4)."""

    verb: ClassVar[str] = "PARK"
    unit: str


@dataclass(frozen=True)
class Unpark:
    """A parked transport is made ready to move, for its whole movement allowance (9.44)."""

    verb: ClassVar[str] = "UNPARK"
    unit: str


@dataclass(frozen=True)
class Move:
    """Units that began in one hex move as a stack along ``path`` (their own hex left out), or ``to`` a hex by the cheapest way,
    ``via`` others, by ``road`` alone; ``drop`` leaves the stack for good at ``drop_at``."""

    verb: ClassVar[str] = "MOVE"
    units: tuple[str, ...]
    path: tuple[Hex, ...] = ()
    to: Hex | None = None
    via: tuple[Hex, ...] = ()
    road: bool = False
    drop: str | None = None
    drop_at: Hex | None = None


@dataclass(frozen=True)
class Exit:
    """A unit in a hex of the south edge leaves the map (4.1)."""

    verb: ClassVar[str] = "EXIT"
    unit: str


@dataclass(frozen=True)
class Interdict:
    """Guns of one stack fire an interdiction barrage at a hex (10.4)."""

    verb: ClassVar[str] = "INTERDICT"
    guns: tuple[str, ...]
    hex: Hex


@dataclass(frozen=True)
class Barrage:
    """Guns of one stack fire an attack barrage (10.5). ``target``, ``else_target``: a hex number, ``ARMOR`` or ``MOST-UNITS``, chosen
    ``within`` that many hexes; ``hold_fire``: no barrage at all."""

    verb: ClassVar[str] = "BARRAGE"
    guns: tuple[str, ...] = ()
    target: str | None = None
    within: int | None = None
    else_target: str | None = None
    hold_fire: bool = False


@dataclass(frozen=True)
class Fire:
    """Units fire their antitank factors at one armored unit (11.0): a unit's id, or ``BEST``; ``mass``: units are added until the odds
    reach that column, the others stay ready."""

    verb: ClassVar[str] = "FIRE"
    units: tuple[str, ...]
    target: str
    mass: int | None = None


@dataclass(frozen=True)
class Attack:
    """Units attack a hex in regular combat, supported by guns (12.0); ``none``: an attack ordered before is withdrawn."""

    verb: ClassVar[str] = "ATTACK"
    hex: Hex
    units: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    none: bool = False


@dataclass(frozen=True)
class Support:
    """Guns support a declared combat at ``hex``: the attackers' or the defenders', by whose order it is (12.33, 12.36)."""

    verb: ClassVar[str] = "SUPPORT"
    guns: tuple[str, ...]
    hex: Hex


@dataclass(frozen=True)
class Resolve:
    """The combat of that label, or hex, is fought next (12.0n)."""

    verb: ClassVar[str] = "RESOLVE"
    battle: str


@dataclass(frozen=True)
class Advance:
    """Units that attacked advance into the vacated hex, or none does (12.5)."""

    verb: ClassVar[str] = "ADVANCE"
    units: tuple[str, ...] = ()
    hex: Hex | None = None
    none: bool = False


@dataclass(frozen=True)
class Retreat:
    """One unit's retreat, by its ``path`` or the ``hex`` where it ends; or how the units of a parent retreat: directions in order of
    preference, over the south edge or not, and hexes to keep away from (12.42)."""

    verb: ClassVar[str] = "RETREAT"
    unit: str | None = None
    path: tuple[Hex, ...] = ()
    hex: Hex | None = None
    parent: str | None = None
    dirs: tuple[str, ...] = ()
    exit: bool | None = None
    avoid: tuple[Hex, ...] = ()


@dataclass(frozen=True)
class Checks:
    """The order in which the units of a hex are checked; those not named come after (12.0u, BF-R47)."""

    verb: ClassVar[str] = "CHECKS"
    units: tuple[str, ...]
