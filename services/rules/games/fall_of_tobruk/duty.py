"""Who must attack what in this pass, and what forbids the declaration to close (combat.2, combat.3, zoc.3; FT-07, FT-18 to FT-20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.hexes import Hex
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Json, Order, Side
from services.rules.engine.positions import on_map
from services.rules.engine.sequence import Duty
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import engaged
from services.rules.games.fall_of_tobruk.assault import Record, draft, gathered
from services.rules.games.fall_of_tobruk.odds import column, strengths
from services.rules.games.fall_of_tobruk.orders import Attack
from services.rules.games.fall_of_tobruk.zoc import owed

# -- what is owed ----------------------------------------------------------------------------------------------------------------


def taking_part(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that take part in this pass and are not finished (FT-06)."""
    return tuple(unit.id for unit in on_map(table, side) if "active" in unit.marks and "done" not in unit.marks)


def obliged(table: Table, side: Side) -> Mapping[str, frozenset[Hex]]:
    """The units of a side that must take part in an attack in this pass -> the hexes of which it must be one (FT-07)."""
    bound = engaged.bound(table, side)
    found = {unit: bound.get(unit) or _owed(table, unit) for unit in taking_part(table, side)}  # combat.3 zoc.3 zoc.6 crt.eng.3
    return {unit: hexes for unit, hexes in found.items() if hexes}


def _owed(table: Table, unit: str) -> frozenset[Hex]:
    """The hexes of which a unit must attack one because it is next to them; none for an engaged defender (FT-40)."""
    return frozenset() if engaged.exempt(table, unit) else frozenset(owed(table, unit))


def due(table: Table, side: Side) -> Mapping[Hex, tuple[str, ...]]:
    """The enemy hexes that a side must attack in this pass -> its units that are next to them."""
    found: dict[Hex, list[str]] = {}
    for unit, hexes in obliged(table, side).items():
        for at in hexes | _owed(table, unit):
            found.setdefault(at, []).append(unit)  # combat.2
    return {at: tuple(units) for at, units in sorted(found.items())}


# -- the duty --------------------------------------------------------------------------------------------------------------------


def drafts(table: Table, side: Side) -> list[Record]:
    """The attacks that the lines gathered would make."""
    return [draft(table, order) for order in gathered(table, side) if order.verb == Attack.verb]


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """What forbids the declaration to close."""
    planned, owing = drafts(table, side), obliged(table, side)
    return (*_unattacked(table, side, planned), *_idlers(table, side, planned, owing), *_too_weak(table, planned, owing))


def _duty(code: str, clause: str, **details: Json) -> Duty:
    return Duty(code, clause, details, contingent=True)


def _unattacked(table: Table, side: Side, planned: Sequence[Record]) -> tuple[Duty, ...]:
    attacked = {at for one in planned for at in one["hexes"]}
    missing = {at: units for at, units in due(table, side).items() if str(at) not in attacked}
    if not missing:
        return ()
    units = sorted({unit for found in missing.values() for unit in found})
    return (_duty("must-attack", "combat.2", hexes=[str(at) for at in missing], units=units),)


def _idlers(table: Table, side: Side, planned: Sequence[Record], owing: Mapping[str, frozenset[Hex]]) -> tuple[Duty, ...]:
    """Units that must take part in an attack on a hex of theirs and do not."""
    theirs = {unit: set(one["hexes"]) for one in planned for unit in one["units"]}
    idle = sorted(unit for unit, hexes in owing.items() if not theirs.get(unit, set()) & set(map(str, hexes)))
    if not idle:
        return ()
    hexes = sorted({str(at) for unit in idle for at in owing[unit]})
    held = set(idle) <= engaged.bound(table, side).keys()
    return (_duty("must-take-part", "crt.eng.3" if held else "combat.3", units=idle, hexes=hexes),)


def _too_weak(table: Table, planned: Sequence[Record], owing: Mapping[str, frozenset[Hex]]) -> tuple[Duty, ...]:
    """Attacks below 1:5: refused if nobody in them must attack; else those who must are lost by it, which is to be confirmed (FT-20)."""
    found = []
    for one in planned:
        if column(table, one) is not None:
            continue
        attack, defence = strengths(table, one)
        figures = {"battle": one["label"], "attack": print_exact(attack), "defence": print_exact(defence)}
        dying = [unit for unit in one["units"] if unit in owing]
        if not dying:
            found.append(_duty("below-1-5", "combat.11", **figures))  # combat.11
        elif table.options["below_min"] == "eliminate":
            found.append(Duty("dies-below-1-5", "combat.11", {**figures, "units": dying}, confirmable=True, contingent=True))
    return tuple(sorted(found, key=lambda one: one.confirmable))


def groups(table: Table, lines: tuple[Order, ...]) -> tuple[tuple[Order, ...], ...]:
    """Orders tied to one another: those that name a hex or a unit in common (G17)."""
    made: list[list[Order]] = []
    for order in lines:
        tied = [group for group in made if any(_names(order) & _names(other) for other in group)]
        made = [group for group in made if group not in tied]
        made.append([*(one for group in tied for one in group), order])
    return tuple(tuple(sorted(group, key=lines.index)) for group in made)


def _names(order: Order) -> set[str]:
    hexes = order.args["hexes"] if order.verb == Attack.verb else [order.args["hex"]]
    return {*map(str, hexes), *order.args["units"]}
