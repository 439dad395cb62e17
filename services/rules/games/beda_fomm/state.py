"""What the state keeps of Beda Fomm's own, and of its units: typed accessors, the only casts.

``own``: ``convoys`` {"1": {"transports": [2 units], "personnel": unit}}, ``called`` (convoys called so far), ``morale`` {parent: level},
``vp``, ``contact`` (None, or {"turn", "side", "unit", "hex"}: the player-turn in which it was made, and by whom where), ``interdicted``
{hex: {"side", "factors", "guns"}}, ``barraged`` {hex: side whose attack barrage fell on it in this player-turn}, ``declared`` [{"label",
"hex", "units", "support", "defence", "done"}] (the combats of this player-turn; ``support`` the attackers' guns, ``defence`` the
defenders'), ``moving`` [units in the course of their movement], ``delayed`` {unit: game-turn in which it was held back}, ``chain`` {unit
whose retreat made others check (12.45): those that failed for it, while the chain of retreats lasts}.

Places: a hex; ``box:set-up`` (to be placed by orders); ``edge:off`` (waits to enter: ``num`` has ``due``, the game-turn of its
arrival, but for convoys not called yet); ``box:exited``; ``box:eliminated``.  Faces: ``fired``, ``parked``.  Marks: ``moved`` (entered a
hex in the movement phase just played), ``infiltrated``, ``in-zoc`` (began this movement phase in an enemy ZOC), ``done`` (may not move
any further in it), ``shot`` (fired in this antitank step), ``shot-at``.  ``num.spent``: MP spent in this movement phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from scenarios.hexes import Box, Edge, Hex
from services.rules.engine import changes as ch
from services.rules.engine.model import Change, Exact, IllegalOrder, Side
from services.rules.engine.positions import card, units_at
from services.rules.engine.table import Table

ITALIAN, BRITISH = "italian", "british"
OFF = Edge("off")
SET_UP, EXITED, ELIMINATED = Box("set-up"), Box("exited"), Box("eliminated")
LAST_MARKS = frozenset({"moved", "infiltrated", "in-zoc", "done", "shot", "shot-at"})
"""Every mark that a unit can bear."""


# -- what is printed -------------------------------------------------------------------------------------------------------------


def class_of(table: Table, unit: str) -> str:
    """A unit's class: ``armor``, ``personnel``, ``weapons`` or ``transport`` (3.35)."""
    return str(card(table, unit).values["class"])


def is_armor(table: Table, unit: str) -> bool:
    """Whether a unit is an armored vehicle (3.35a)."""
    return class_of(table, unit) == "armor"


def is_artillery(table: Table, unit: str) -> bool:
    """Whether a unit is an artillery battery: the only ones with a range."""
    return card(table, unit).kind == "artillery"


def is_battalion(table: Table, unit: str) -> bool:
    """Whether a unit is of battalion size."""
    return bool(card(table, unit).values["size"] == "battalion")


def parent_of(table: Table, unit: str) -> str:
    """The parent formation of a unit (3.34)."""
    return str(card(table, unit).values["parent"])


def value(table: Table, unit: str, name: str) -> int:
    """A printed number of a unit, 0 where there is none: ``cf``, ``at``, ``ma``, ``range``, ``bonus``, ``back_cf``."""
    return int(card(table, unit).values.get(name) or 0)


def flag(table: Table, unit: str, name: str) -> bool:
    """A printed sign of a unit: ``cf_defends`` and ``at_defends`` (a bracketed factor), ``infiltrates`` (an underlined MA)."""
    return bool(card(table, unit).values.get(name))


def combat_factor(table: Table, unit: str) -> int:
    """The combat factor of the side that lies up: 0 for a parked transport (9.42)."""
    return value(table, unit, "back_cf" if table.counters[unit].face else "cf")  # 9.42b 12.23b


def may_attack(table: Table, unit: str) -> bool:
    """Whether a unit's combat factor is of those that attack: not bracketed, not of a fired or parked side, not 0."""
    return not (table.counters[unit].face or flag(table, unit, "cf_defends")) and combat_factor(table, unit) > 0  # 12.21a 12.22a


def is_parked(table: Table, unit: str) -> bool:
    """Whether a transport lies on its parked side."""
    return table.counters[unit].face == "parked"


def ready(table: Table, unit: str) -> bool:
    """Whether a battery has not fired a barrage in this player-turn."""
    return is_artillery(table, unit) and table.counters[unit].face != "fired"


# -- where they are --------------------------------------------------------------------------------------------------------------


def has_armor(table: Table, where: Hex) -> bool:
    """Whether a unit in a hex is armored: it shields the others there (12.0c)."""
    return any(is_armor(table, unit) for unit in units_at(table, where))


# -- the game's own --------------------------------------------------------------------------------------------------------------


def dark(table: Table) -> bool:
    """Whether this game-turn is dark (13.0)."""
    return bool(table.data.charts["track"][table.turn - 1]["light"] == "dark")


def morale(table: Table, parent: str) -> int:
    """The present morale level of a parent formation."""
    return cast(int, table.own["morale"][parent])


def vp(table: Table) -> int:
    """Victory points of the Italian side."""
    return cast(int, table.own["vp"])


def contact(table: Table) -> Mapping[str, Any] | None:
    """When, by whom and where first contact was made; None before it."""
    return cast("Mapping[str, Any] | None", table.own["contact"])


def opening(table: Table) -> bool:
    """Whether the opening restrictions hold: no contact yet, or its player-turn still runs (16.31, BF-R07)."""
    made = contact(table)
    return made is None or (made["turn"], made["side"]) == (table.turn, table.phasing)  # 16.31a 16.32a


def hushed(table: Table) -> bool:
    """Whether the Italians may not fire or attack in their own player-turn (16.2, BF-R96)."""
    return table.phasing == ITALIAN and opening(table)


def declared(table: Table) -> Sequence[Mapping[str, Any]]:
    """The combats declared in this player-turn, in the order of the declaration."""
    return cast(Sequence[Mapping[str, Any]], table.own["declared"])


def interdicted(table: Table) -> Mapping[str, Mapping[str, Any]]:
    """Hex -> its interdiction: ``side`` that fired, ``factors``, ``guns``."""
    return cast(Mapping[str, Mapping[str, Any]], table.own["interdicted"])


def barraged(table: Table) -> Mapping[str, Side]:
    """Hex -> the side whose attack barrage fell on it in this player-turn."""
    return cast(Mapping[str, Side], table.own["barraged"])


def moving(table: Table) -> Sequence[str]:
    """The units in the course of their movement: an order to another ends it (9.0d)."""
    return cast(Sequence[str], table.own["moving"])


def not_on_map(table: Table, clause: str, unit: str) -> IllegalOrder:
    """The refusal of an order to a unit that is not on the map; it tells where the unit is."""
    counter = table.counters.get(unit)
    return IllegalOrder(clause, "not-on-map", unit=unit, place=None if counter is None else str(counter.place))


def check_once(clause: str, units: Sequence[str]) -> None:
    """IllegalOrder if a list names nobody, or a unit twice."""
    if twice := sorted({unit for unit in units if units.count(unit) > 1}):
        raise IllegalOrder(clause, "named-twice", units=twice)
    if not units:
        raise IllegalOrder(clause, "malformed", field="units")


def spent(table: Table, unit: str) -> Exact:
    """MP that a unit has spent in this movement phase."""
    return table.counters[unit].num.get("spent", Fraction(0))


def lost(table: Table, unit: str) -> list[Change]:
    """The changes by which a unit is removed from play; its marks go with it."""
    marks = [ch.mark(unit, name, False) for name in sorted(table.counters[unit].marks)]
    return [ch.place(unit, ELIMINATED), *marks, *([ch.number(unit, "spent", None)] if "spent" in table.counters[unit].num else [])]
