"""Which drawing an event gets: the one table of kinds. A game whose events have other names adds a line.

A way is an arrow along ``path``; a fight is a battle's arrows and tag; a shot is a line of fire on a hex; a sign is a badge on a hex; a
loss is a cross with a name; a note is a line on the tag of a hex; a flag is a change of control; a swap leaves no mark. A kind without a
line here leaves nothing on the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Shaft = Literal["solid", "broken", "double", "rammed", "planned"]
"""How an arrow looks: a movement, a retreat (narrow dashes, open head), an advance (two heads), an overrun (red rim), a plan (hollow)."""


@dataclass(frozen=True, slots=True)
class Way:
    """An arrow along the hexes of ``path``. ``off``: it leaves the map at the edge that ``to`` or ``edge`` names; so does any way whose
    ``exit`` is true."""

    shaft: Shaft = "solid"
    off: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle on ``hex`` or on ``hexes``, with ``attackers`` and where they attacked ``from``; its result comes in the events after it.
    The guns of the lists ``support`` fire on the hex. ``declared``: it is to be fought yet, by the units that ``from`` has with their
    hexes."""

    support: tuple[str, ...] = ("support", "defence_support")
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Shot:
    """Fire from a hex, a unit or each of several (the first of ``source`` that the data have) on another (``target``). Its tag says the
    first of ``says`` behind the first of ``odds``, unless it is a dash: no effect."""

    source: tuple[str, ...] = ("from", "by", "unit", "units")
    target: tuple[str, ...] = ("hex", "target")
    says: tuple[str, ...] = ("result", "factors")
    odds: tuple[str, ...] = ("column", "odds")


@dataclass(frozen=True, slots=True)
class Sign:
    """A badge on a hex, hexside or unit (the first of ``target`` that the data have), with a figure in it: the first of ``says``. A line
    of fire comes from the hex or unit of ``source``, if the data have one. ``when``: an entry of the data and the word that it must be."""

    icon: Literal["sight", "shell", "letter", "gap", "star", "plane", "chute", "bridge"]
    colour: str = "red"
    letter: str = ""
    target: tuple[str, ...] = ("hex", "hexside", "place", "unit")
    says: tuple[str, ...] = ("factors",)
    source: tuple[str, ...] = ()
    when: tuple[str, str] | None = None

    def told(self, data: Mapping[str, Any]) -> bool:
        """Whether the data of an event are of the sort that the badge is for."""
        return self.when is None or data.get(self.when[0]) == self.when[1]


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of a hex on its tag; ``{key}`` is a word of the data. ``unless``: an entry of the data and the word of which nothing is
    said."""

    says: str
    unless: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """A cross on ``hex``, with the name of the counter that is gone."""


@dataclass(frozen=True, slots=True)
class Flag:
    """``hex`` is held by ``side`` now."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Counters of the data's entry ``come`` take the place of those of ``gone`` on ``hex``: a battalion and its companies."""

    gone: str
    come: str


Kind = Way | Fight | Shot | Sign | Note | Loss | Flag | Swap

KINDS: Mapping[str, Kind] = {
    "moved": Way(),
    "retreated": Way("broken"),
    "advanced": Way("double"),
    "slipped": Way("broken"),
    "overrun": Way("rammed"),
    "exited": Way(off=True),
    "battle": Fight(),
    "eliminated": Loss(),
    "supply_lost": Loss(),
    "wrecked": Loss(),
    "control_changed": Flag(),
    "fired": Shot(),
    "shot": Shot(),
    "barrage": Sign("shell", source=("from",)),
    "shelled": Sign("shell", source=("from",)),
    "interdicted": Sign("sight", source=("from",)),
    "contact": Note("First contact"),
    "disrupted": Sign("letter", letter="D"),
    "engaged": Sign("letter", "ink", "E"),
    "mine_gap": Sign("gap", "gold"),
    "gap_open": Sign("gap", "gold"),
    "stalled": Sign("letter", "ink", "M"),
    "demolished": Sign("star", "gold"),
    "declared": Fight(declared=True),
    "counterbattery": Shot(source=("guns",)),
    "air_mission": Sign("plane", "ink", says=(), when=("mission", "SUPPORT")),
    "air_fight": Note("{unit} – {target}: {result}", unless=("result", "miss")),
    "base_lost": Note("{base} lost: {unit}"),
    "lander": Sign("chute", "gold"),
    "bridge": Sign("bridge", "gold"),
    "split": Swap("unit", "companies"),
    "joined": Swap("units", "battalion"),
}

STANDING: Mapping[str, Sign] = {
    "interdicted": Sign("sight", source=("from",)),
    "barraged": Sign("shell", source=("from",)),
    "blown": Sign("bridge"),
}
"""Markers that lie on the map: what of a view's ``own`` holds their hexes, as keys or as a list. A value may hold the figure that a sign
``says``."""

OUTCOMES: Mapping[str, tuple[str, str]] = {
    "barrage_result": ("unit", "result"),
    "shot": ("target", "result"),
    "morale_check": ("unit", "passed"),
    "counterbattery": ("target", "result"),
    "air_fight": ("target", "result"),
}
"""What a roll came to, where the event after it tells that: the unit that the dice were for, and the result; true and false are a check
that was passed or failed."""
