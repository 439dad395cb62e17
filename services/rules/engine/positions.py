"""Where counters stand, asked of any game's table: by unit, by hex, by side. Remembered until a counter moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from scenarios.data import Card
from scenarios.hexes import Hex
from services.rules.engine.model import Counter, Side
from services.rules.engine.table import Table


def card(table: Table, unit: str) -> Card:
    """What is printed on a unit."""
    return table.data.cards[table.counters[unit].card]


def hex_of(table: Table, unit: str) -> Hex | None:
    """The hex in which a unit stands; None off the map, and for a unit that there is not."""
    counter = table.counters.get(unit)
    return counter.place if counter is not None and isinstance(counter.place, Hex) else None


def on_map(table: Table, side: Side) -> tuple[Counter, ...]:
    """The units of a side on the map, in the order of their ids."""
    ids = table.remembered(("on-map", side), lambda: [c.id for c in table.counters.values() if c.side == side and isinstance(c.place, Hex)])
    return tuple(table.counters[unit] for unit in ids)


def occupied(table: Table, side: Side) -> frozenset[Hex]:
    """The hexes with units of a side."""
    return table.remembered(("occupied", side), lambda: frozenset(cast(Hex, c.place) for c in on_map(table, side)))


def _by_hex(table: Table) -> Mapping[Hex, tuple[str, ...]]:
    def found() -> Mapping[Hex, tuple[str, ...]]:
        held: dict[Hex, list[str]] = {}
        for counter in table.counters.values():
            if isinstance(counter.place, Hex):
                held.setdefault(counter.place, []).append(counter.id)
        return {at: tuple(units) for at, units in held.items()}

    return table.remembered("by-hex", found)


def units_at(table: Table, where: Hex) -> tuple[str, ...]:
    """The ids of the units in a hex."""
    return _by_hex(table).get(where, ())


def side_at(table: Table, where: Hex) -> Side | None:
    """The side whose units stand in a hex."""
    units = units_at(table, where)
    return table.counters[units[0]].side if units else None


def adjacent(table: Table, where: Hex) -> tuple[Hex, ...]:
    """The neighbours of a hex that can be entered by something."""
    return table.data.board.adjacent.get(where, ())
