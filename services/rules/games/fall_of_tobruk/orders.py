"""The arguments of each verb of The Fall of Tobruk, as the order language makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scenarios.hexes import Hex


@dataclass(frozen=True)
class Place:
    """A unit of free placement is set up (setup.5, setup.6)."""

    verb: ClassVar[str] = "PLACE"
    unit: str
    hex: Hex


@dataclass(frozen=True)
class Enter:
    """A due unit enters at ``hex`` (None: the first hex of its entry that is open to it)."""

    verb: ClassVar[str] = "ENTER"
    unit: str
    hex: Hex | None = None


@dataclass(frozen=True)
class Delay:
    """A due unit is kept back for a game-turn."""

    verb: ClassVar[str] = "DELAY"
    unit: str


@dataclass(frozen=True)
class Refit:
    """A unit of the refit pool returns at ``hex``; two others, ``scrap``, pay for it (refit.3, refit.4)."""

    verb: ClassVar[str] = "REFIT"
    keep: str
    scrap: tuple[str, ...]
    hex: Hex


@dataclass(frozen=True)
class Reserve:
    """A reserve tank of a ``model`` comes in (reserve.3)."""

    verb: ClassVar[str] = "RESERVE"
    model: str
    hex: Hex


@dataclass(frozen=True)
class Barrage:
    """Artillery bombards a hex; where nobody is there any more, ``else_hex`` (artillery.1)."""

    verb: ClassVar[str] = "BARRAGE"
    guns: tuple[str, ...]
    hex: Hex
    else_hex: Hex | None = None


@dataclass(frozen=True)
class Recover:
    """A wrecked tank is recovered: ``AUTO`` without a die, or ``TRY`` (repair.11, repair.12, repair.20)."""

    verb: ClassVar[str] = "RECOVER"
    tank: str
    mode: str


@dataclass(frozen=True)
class Scrap:
    """An own wreck marker goes into the destroyed box (repair.26)."""

    verb: ClassVar[str] = "SCRAP"
    wreck: str


@dataclass(frozen=True)
class Demolish:
    """An enemy tank under a wreck marker is destroyed by a unit in its hex (repair.30)."""

    verb: ClassVar[str] = "DEMOLISH"
    tank: str
    unit: str


@dataclass(frozen=True)
class Free:
    """The brigade that the Allied player frees on the first day (paralysis.3)."""

    verb: ClassVar[str] = "FREE"
    brigade: str


@dataclass(frozen=True)
class Move:
    """Units move as one stack along ``path`` (their own hex left out), or ``to`` a hex by the cheapest way, ``via`` others, by ``road``
    alone; ``drop`` stays behind in ``drop_at``."""

    verb: ClassVar[str] = "MOVE"
    units: tuple[str, ...]
    path: tuple[Hex, ...] = ()
    to: Hex | None = None
    via: tuple[Hex, ...] = ()
    road: bool = False
    drop: str | None = None
    drop_at: Hex | None = None


@dataclass(frozen=True)
class Split:
    """A regiment breaks down into its battalions (breakdown.4)."""

    verb: ClassVar[str] = "SPLIT"
    unit: str


@dataclass(frozen=True)
class Rejoin:
    """The battalions of a regiment recombine (breakdown.5)."""

    verb: ClassVar[str] = "REJOIN"
    unit: str


@dataclass(frozen=True)
class Stand:
    """Units take part in this pass without having moved (FT-06)."""

    verb: ClassVar[str] = "STAND"
    units: tuple[str, ...]


@dataclass(frozen=True)
class Exit:
    """An Allied unit leaves over the east edge (withdrawal.1)."""

    verb: ClassVar[str] = "EXIT"
    unit: str


@dataclass(frozen=True)
class Fire:
    """Units shoot together at one or several tanks in a hex, or at others if those are gone; or, beforehand, by a ``policy``: ``YES`` and
    ``ALL`` whatever they can, ``NO`` not at all, chosen ``by`` antitank factor or type, at odds of ``min`` or better, pooled or not."""

    verb: ClassVar[str] = "FIRE"
    units: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    hex: Hex | None = None
    else_targets: tuple[str, ...] = ()
    policy: str | None = None
    by: str | None = None
    min: int | str | None = None
    pool: bool | None = None


@dataclass(frozen=True)
class Attack:
    """Units attack one or several hexes (combat.2); ``none``: an attack on the first of them that was ordered before is withdrawn."""

    verb: ClassVar[str] = "ATTACK"
    hexes: tuple[Hex, ...]
    units: tuple[str, ...] = ()
    none: bool = False


@dataclass(frozen=True)
class Occupy:
    """Units that would have attacked a hex emptied by antitank fire enter it (FT-14)."""

    verb: ClassVar[str] = "OCCUPY"
    hex: Hex
    units: tuple[str, ...]


@dataclass(frozen=True)
class Slip:
    """A reconnaissance unit slips back a hex before combat, or ``never`` does (recon.1)."""

    verb: ClassVar[str] = "SLIP"
    unit: str | None = None
    hex: Hex | None = None
    never: bool = False


@dataclass(frozen=True)
class Lose:
    """Which units are removed, in order (``CHEAPEST``: the least that pays); ``split``: whether regiments may break down to pay;
    ``mine``: the line is for tanks lost to mines."""

    verb: ClassVar[str] = "LOSE"
    units: tuple[str, ...] | str = ()
    split: bool | None = None
    mine: bool = False


@dataclass(frozen=True)
class Retreat:
    """The way of one unit, or of a hex's units that go together: its ``path``, or ``to`` the hex where it ends; or what all ``avoid``."""

    verb: ClassVar[str] = "RETREAT"
    unit: str | None = None
    path: tuple[Hex, ...] = ()
    hex: Hex | None = None
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True)
class Advance:
    """Units advance to a hex along the way of a retreat, or none does, or none further than ``max`` hexes."""

    verb: ClassVar[str] = "ADVANCE"
    units: tuple[str, ...] = ()
    hex: Hex | None = None
    none: bool = False
    max: int | None = None
