"""Which drawing an event gets: the one table of kinds. A game whose events have other names adds a line.

A way is an arrow along ``path``; a fight is a battle's arrows and tag; a shot is a line of fire on a hex; a sign is a badge on a hex; a
loss is a cross with a name; a note is a line on the tag of a hex; a flag is a change of control. A kind without a line here leaves nothing
on the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
    """A battle on ``hex``, with ``attackers`` and where they attacked ``from``; its result comes in the events after it. The guns of the
    lists ``support`` fire on the hex."""

    support: tuple[str, ...] = ("support", "defence_support")


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
    of fire comes from the hex or unit of ``source``, if the data have one."""

    icon: Literal["sight", "shell", "letter", "gap", "star"]
    colour: str = "red"
    letter: str = ""
    target: tuple[str, ...] = ("hex", "hexside", "place", "unit")
    says: tuple[str, ...] = ("factors",)
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of a hex on its tag."""

    says: str


@dataclass(frozen=True, slots=True)
class Loss:
    """A cross on ``hex``, with the name of the counter that is gone."""


@dataclass(frozen=True, slots=True)
class Flag:
    """``hex`` is held by ``side`` now."""


Kind = Way | Fight | Shot | Sign | Note | Loss | Flag

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
    "place_taken": Flag(),
    "fired": Shot(),
    "shot": Shot(),
    "first_shot": Shot(),
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
}

STANDING: Mapping[str, Sign] = {
    "interdicted": Sign("sight", source=("from",)),
    "barraged": Sign("shell", source=("from",)),
}
"""Markers that lie on the map: what of a view's ``own`` holds their hexes, as keys or as a list. A value may hold the figure that a sign
``says``."""

OUTCOMES: Mapping[str, tuple[str, str]] = {
    "barrage_result": ("unit", "result"),
    "shot": ("target", "result"),
    "morale_check": ("unit", "passed"),
}
"""What a roll came to, where the event after it tells that: the unit that the dice were for, and the result; true and false are a check
that was passed or failed."""
