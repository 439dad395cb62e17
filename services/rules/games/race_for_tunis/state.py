"""What the state keeps of Race for Tunis's own, and of its units: typed accessors, the only casts.

``own``: ``places`` {hex: side that holds it} (last occupied it, RT-59), ``rp`` (Allied replacement points), ``weather``, ``blown`` [hexes
whose bridge is destroyed], ``worked`` [bridges blown or mended in this movement phase], ``moving`` (the unit in the course of its movement,
or ""), ``ports`` {port: {"lost": bool, "limit": n or None}}, ``diverted`` {unit: port} and ``limits`` {port: n} (sea arrivals of this
opening), ``air`` {unit: {"state", "hex", "back"}}, ``engaged`` [{"attackers", "defenders", "hexes"}], ``french`` {"free": bool, "attacked":
bool}, ``battles`` [the battles of this combat phase], ``silenced`` [guns that may not support in it],
``fires`` [counterbattery fires of it: {"guns", "target"}], ``landers`` {unit: MP left},
``dropped`` [units that have been dropped or landed from the sea].

Places: a hex; ``edge:off`` (waits to arrive: ``num`` has ``due``, ``held`` the game-turn in which it was kept back, ``bought`` that in
which it was bought back); ``box:eliminated``; ``box:component`` (a company or battalion that is for now part of another counter);
``box:air``. Marks: ``moved``, ``done``, ``in-zoc``, ``attacked``, ``engaged-attacker``, ``engaged-defender``, ``unsupplied`` (by option).
``num.spent``: MP spent in this movement phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from scenarios.hexes import Box, Edge, Hex
from services.rules.engine import changes as ch
from services.rules.engine.model import Change, Exact, Side
from services.rules.engine.positions import card
from services.rules.engine.table import Table

AXIS, ALLIED = "axis", "allied"
OFF = Edge("off")
ELIMINATED, COMPONENT, AIR_BOX = Box("eliminated"), Box("component"), Box("air")
MARKS = frozenset({"moved", "done", "in-zoc", "attacked", "engaged-attacker", "engaged-defender", "unsupplied"})
"""Every mark that a unit can bear."""


# -- what is printed -------------------------------------------------------------------------------------------------------------


def value(table: Table, unit: str, name: str) -> int:
    """A printed number of a unit, 0 where there is none: ``attack``, ``defence``, ``ma``, ``range``."""
    return int(card(table, unit).values.get(name) or 0)


def attack_value(table: Table, unit: str) -> int:
    """The printed combat factor of an attacker (2.2.3)."""
    return value(table, unit, "attack")


def defence_value(table: Table, unit: str) -> int:
    """The printed combat factor of a defender: that of its own, or the single one (2.2.3)."""
    return value(table, unit, "defence") or value(table, unit, "attack")


def kind_of(table: Table, unit: str) -> str:
    """A unit's type, as its symbol says."""
    return card(table, unit).kind


def nation_of(table: Table, unit: str) -> str:
    """A unit's nation."""
    return card(table, unit).nation


def is_artillery(table: Table, unit: str) -> bool:
    """Whether a unit is artillery."""
    return kind_of(table, unit) == "artillery"


def is_heavy(table: Table, unit: str) -> bool:
    """Whether a unit is heavy equipment: its values stand in a red box (2.2.2, 6.6)."""
    return bool(card(table, unit).values.get("heavy"))


def is_mountaineer(table: Table, unit: str) -> bool:
    """Whether a unit moves by mountaineer movement (6.5)."""
    return bool(card(table, unit).values.get("mountaineer"))


def is_support(table: Table, unit: str) -> bool:
    """Whether a unit is a support unit: it has a white type box (2.2.1, 7.0)."""
    return bool(card(table, unit).values.get("class") == "support")


def is_company(table: Table, unit: str) -> bool:
    """Whether a unit is a company: a third of a battalion (7.0)."""
    return bool(card(table, unit).values.get("size") == "company")


def is_engineer(table: Table, unit: str) -> bool:
    """Whether a unit is an engineer unit (12.0)."""
    return kind_of(table, unit) == "engineer"


# -- the game's own --------------------------------------------------------------------------------------------------------------


def weather(table: Table) -> str:
    """The weather of this game-turn: ``clear``, ``rain`` or ``heavy-rain``."""
    return cast(str, table.own["weather"])


def heavy_rain(table: Table) -> bool:
    """Whether it rains heavily (17.4.2)."""
    return weather(table) == "heavy-rain"


def holder(table: Table, at: Hex) -> Side | None:
    """The side that holds a place: the last to occupy it (RT-59)."""
    return cast("Side | None", table.own["places"].get(str(at)))


def bridge_blown(table: Table, at: Hex) -> bool:
    """Whether the bridge in a hex is destroyed."""
    return str(at) in table.own["blown"]


def rp(table: Table) -> int:
    """Allied replacement points."""
    return cast(int, table.own["rp"])


def engagements(table: Table) -> Sequence[Mapping[str, Any]]:
    """The engagements in force."""
    return cast(Sequence[Mapping[str, Any]], table.own["engaged"])


def battles(table: Table) -> Sequence[Mapping[str, Any]]:
    """The battles of this combat phase, in their order."""
    return cast(Sequence[Mapping[str, Any]], table.own["battles"])


def french_restricted(table: Table) -> bool:
    """Whether the French may not attack freely yet (18.1.7)."""
    return not table.own["french"]["free"]


def interdiction(table: Table, at: Hex, side: Side) -> int:
    """The support value of the air unit of the enemies of ``side`` that interdicts a hex; 0 if there is none (17.2.3)."""
    for unit, record in table.own["air"].items():
        if record["state"] == "interdict" and record["hex"] == str(at) and table.counters[unit].side != side:
            return value(table, unit, "support")
    return 0


def spent(table: Table, unit: str) -> Exact:
    """MP that a unit has spent in this movement phase."""
    return table.counters[unit].num.get("spent", Fraction(0))


def removed(table: Table, unit: str) -> list[Change]:
    """The changes by which a unit is eliminated; its marks go with it."""
    counter = table.counters[unit]
    marks = [ch.mark(unit, name, False) for name in sorted(counter.marks)]
    return [ch.place(unit, ELIMINATED), *marks, *([ch.number(unit, "spent", None)] if "spent" in counter.num else [])]
