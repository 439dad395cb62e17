"""Which drawing an event gets: the one table of kinds. A game whose events have other names adds a line.

A way is an arrow along ``path``; a fight is a battle's arrows and tag; a shot is a line of fire on a hex; a sign is a badge on a hex; a
loss is a cross with a name; a flag is a change of control. A kind without a line here leaves nothing on the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Shaft = Literal["solid", "broken", "double", "rammed", "planned"]
"""How an arrow looks: a movement, a retreat (narrow dashes, open head), an advance (two heads), an overrun (red rim), a plan (hollow)."""


@dataclass(frozen=True, slots=True)
class Way:
    """An arrow along the hexes of ``path``. ``off``: it leaves the map at the edge that ``to`` or ``edge`` names."""

    shaft: Shaft = "solid"
    off: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle on ``hex``, with ``attackers`` and where they attacked ``from``; its result comes in the events after it. The guns of the
    lists ``support`` fire on the hex."""

    support: tuple[str, ...] = ("support", "defence_support")


@dataclass(frozen=True, slots=True)
class Shot:
    """Fire from a hex or a unit (the first of ``source`` that the data have) on another (``target``); printed: the first of ``says``."""

    source: tuple[str, ...] = ("from", "by", "unit")
    target: tuple[str, ...] = ("hex", "target")
    says: tuple[str, ...] = ("result", "factors")


@dataclass(frozen=True, slots=True)
class Sign:
    """A badge on a hex, hexside or unit (the first of ``target`` that the data have), with a figure in it: the first of ``says``."""

    icon: Literal["sight", "shell", "letter", "gap", "star"]
    colour: str = "red"
    letter: str = ""
    target: tuple[str, ...] = ("hex", "hexside", "place", "unit")
    says: tuple[str, ...] = ("factors",)


@dataclass(frozen=True, slots=True)
class Loss:
    """A cross on ``hex``, with the name of the counter that is gone."""


@dataclass(frozen=True, slots=True)
class Flag:
    """``hex`` is held by ``side`` now."""


Kind = Way | Fight | Shot | Sign | Loss | Flag

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
    "barrage": Sign("shell"),
    "shelled": Sign("shell"),
    "interdicted": Sign("sight"),
    "disrupted": Sign("letter", letter="D"),
    "engaged": Sign("letter", "ink", "E"),
    "mine_gap": Sign("gap", "gold"),
    "gap_open": Sign("gap", "gold"),
    "stalled": Sign("letter", "ink", "M"),
    "demolished": Sign("star", "gold"),
}

STANDING: Mapping[str, Sign] = {
    "interdicted": Sign("sight"),
    "barraged": Sign("shell"),
}
"""Markers that lie on the map: what of a view's ``own`` holds their hexes, as keys or as a list. A value may hold the figure that a sign
``says``."""
