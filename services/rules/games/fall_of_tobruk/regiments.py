"""Axis Unit Breakdown: regiments break down into their battalions, and these recombine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, IllegalOrder, Json, Order
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import stacking
from services.rules.games.fall_of_tobruk.ground import at_of
from services.rules.games.fall_of_tobruk.orders import Rejoin, Split
from services.rules.games.fall_of_tobruk.state import COMPONENT, spent, unmarked, value

MADE_OF = ("attackers", "defenders", "units", "moved", "mined")
"""Lists of units in the records of engagements, attacks and shots."""


def parts_of(table: Table, regiment: str) -> tuple[str, ...]:
    """The battalions of a regiment; none if it cannot break down (breakdown.3)."""
    return _by_regiment(table).get(regiment, ())


def regiment_of(table: Table, unit: str) -> str:
    """The regiment of which a battalion counter is a part; empty if of none."""
    return str(table.data.cards[unit].values.get("regiment") or "")


def _by_regiment(table: Table) -> Mapping[str, tuple[str, ...]]:
    def found() -> Mapping[str, tuple[str, ...]]:
        parts: dict[str, list[str]] = {}
        for unit in sorted(table.data.cards):
            if regiment := regiment_of(table, unit):
                parts.setdefault(regiment, []).append(unit)
        return {regiment: tuple(units) for regiment, units in parts.items()}

    return table.remembered("regiments", found)


# -- breaking down ---------------------------------------------------------------------------------------------------------------


def check_split(table: Table, unit: str) -> None:
    """IllegalOrder unless the unit is a regiment on the map whose battalions are at hand."""
    parts = parts_of(table, unit)
    if not parts:
        raise IllegalOrder("breakdown.3", "cannot-break-down", unit=unit)  # breakdown.3
    if hex_of(table, unit) is None:
        raise IllegalOrder("breakdown.4", "not-on-map", unit=unit)
    away = [one for one in parts if table.counters[one].place != COMPONENT]
    if away:
        raise IllegalOrder("breakdown.7", "battalions-in-play", unit=unit, units=away)  # breakdown.7


def split(adj: Adjudication, args: Split, _: Order) -> None:
    """A regiment breaks down, at any moment of the movement segment: its battalions may move if it might (breakdown.4)."""
    check_split(adj, args.unit)
    break_down(adj, args.unit)


def break_down(adj: Adjudication, regiment: str) -> tuple[str, ...]:
    """Put the battalions of a regiment in its place: they have its marks and what it has spent, and are engaged and in combat as it was."""
    counter = adj.counters[regiment]
    parts = parts_of(adj, regiment)
    changes: list[Change] = []
    for one in parts:
        changes.append(ch.place(one, counter.place))
        changes += [ch.mark(one, name) for name in sorted(counter.marks)]  # FT-38
        changes += [ch.number(one, name, counter.num[name]) for name in sorted(counter.num)]
    changes += [*unmarked(adj, regiment), ch.place(regiment, COMPONENT)]  # setup.3 breakdown.7
    changes += _renamed(adj, (regiment,), parts)
    data: dict[str, Json] = {"unit": regiment, "parts": list(parts), "hex": str(counter.place)}
    adj.record("split", "breakdown.4", data, changes=changes)
    return parts


# -- recombining -----------------------------------------------------------------------------------------------------------------


def check_rejoin(table: Table, regiment: str) -> None:
    """IllegalOrder unless all battalions of the regiment stand in one hex, with room for it: it counts three, though it has but two."""
    parts = parts_of(table, regiment)
    if not parts:
        raise IllegalOrder("breakdown.3", "no-such-regiment", unit=regiment)  # breakdown.3
    if table.counters[regiment].place != COMPONENT:
        raise IllegalOrder("breakdown.7", "battalions-not-in-play", unit=regiment)  # breakdown.7
    if len({hex_of(table, one) for one in parts}) != 1 or hex_of(table, parts[0]) is None:
        raise IllegalOrder("breakdown.6", "not-in-one-hex", unit=regiment, units=list(parts))  # breakdown.6
    here = units_at(table, at_of(table, parts[0]))
    joined = {regiment, *here} - set(parts)
    crowding = table.options["voluntary_overstack"] == "disrupt"
    if not crowding and stacking.fits(table, here) and not stacking.fits(table, joined):  # FT-59
        raise IllegalOrder("breakdown.2", "stacking", hex=str(at_of(table, parts[0])), units=sorted(joined))  # breakdown.2 stacking.11


def rejoin(adj: Adjudication, args: Rejoin, _: Order) -> None:
    """The battalions become their regiment again: it bears the marks of each of them, and has left what the most tired has left (FT-38)."""
    check_rejoin(adj, args.unit)
    parts = parts_of(adj, args.unit)
    marks = sorted(set().union(*(adj.counters[one].marks for one in parts)))
    left = min(value(adj, one, "ma") - spent(adj, one) for one in parts)
    passes = [adj.counters[one].num["pass"] for one in parts if "pass" in adj.counters[one].num]
    changes: list[Change] = [ch.place(args.unit, adj.counters[parts[0]].place), *(ch.mark(args.unit, name) for name in marks)]
    if any("spent" in adj.counters[one].num for one in parts):
        changes.append(ch.number(args.unit, "spent", max(value(adj, args.unit, "ma") - left, Fraction(0))))
    if passes:
        changes.append(ch.number(args.unit, "pass", max(passes)))
    for one in parts:
        changes += [*unmarked(adj, one), ch.place(one, COMPONENT)]  # breakdown.7
    changes += _renamed(adj, parts, (args.unit,))
    data: dict[str, Json] = {"unit": args.unit, "units": list(parts), "hex": str(adj.counters[parts[0]].place)}
    adj.record("joined", "breakdown.5", data, changes=changes)


# -- the records that name them --------------------------------------------------------------------------------------------------


def _renamed(table: Table, old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """The changes by which engagements, attacks and shots name the new counters where they named the old ones."""
    changes: list[Change] = []
    for name in ("engaged", "attacks", "shots"):
        records: Sequence[Mapping[str, Json]] = table.own[name]
        named = [_record(one, old, new) for one in records]
        if named != list(records):
            changes.append(ch.own(name, named))
    return changes


def _record(one: Mapping[str, Json], old: Sequence[str], new: Sequence[str]) -> dict[str, Json]:
    found = dict(one)
    for name in MADE_OF:
        units = one.get(name)
        if isinstance(units, list | tuple) and set(units) & set(old):
            found[name] = [*(unit for unit in units if unit not in old), *new]
    for name in ("beside", "paths"):
        by_unit = one.get(name)
        if isinstance(by_unit, Mapping) and (kept := [by_unit[unit] for unit in old if unit in by_unit]):
            others = {unit: way for unit, way in by_unit.items() if unit not in old}
            found[name] = {**others, **dict.fromkeys(new, kept[0])}
    return found
