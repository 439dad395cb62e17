"""11.2 German battalions break down into companies, and companies recombine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, IllegalOrder, Order
from services.rules.engine.positions import card, hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import stacking
from services.rules.games.race_for_tunis.orders import Rejoin, Split
from services.rules.games.race_for_tunis.state import COMPONENT, attack_value, engagements, value


def parts_of(table: Table, battalion: str) -> tuple[str, ...]:
    """The companies of a battalion; none if it cannot break down (11.2.A)."""
    return next((tuple(row["companies"]) for row in table.data.charts["companies"] if row["battalion"] == battalion), ())


def at_hand(table: Table, battalion: str) -> tuple[str, ...]:
    """The companies that would take the place of a battalion now: its own, and for those in play or lost others of its parent; none if not
    enough of them are at hand (11.2.A-3, 11.2.A-4)."""
    own = parts_of(table, battalion)
    if not own:
        return ()
    found = [unit for unit in (*own, *_relatives(table, battalion)) if _in_box(table, unit)][: len(own)]
    whole = sum(attack_value(table, unit) for unit in found) == attack_value(table, battalion)  # 11.2.A-4
    return tuple(found) if whole else ()


def broken_into(table: Table, unit: str) -> tuple[str, ...]:
    """The unit, or the companies that may stand for a battalion that has broken down."""
    return (*parts_of(table, unit), *_relatives(table, unit)) if parts_of(table, unit) and _in_box(table, unit) else (unit,)


def _relatives(table: Table, battalion: str) -> list[str]:
    """Companies of other battalions of its parent, with its allowance."""
    others = sorted(_companies(table) & table.counters.keys() - {*parts_of(table, battalion)})
    return [unit for unit in others if _is_of(table, unit, battalion)]  # 11.2.A-3


def _in_box(table: Table, unit: str) -> bool:
    return unit in table.counters and table.counters[unit].place == COMPONENT


def family(table: Table, unit: str) -> tuple[str, ...]:
    """A battalion and its companies, of whom the unit is one; the unit alone if it cannot break down and is no part of another."""
    rows = ((row["battalion"], *row["companies"]) for row in table.data.charts["companies"])
    return next((found for found in rows if unit in found), (unit,))


def split(adj: Adjudication, args: Split, _: Order) -> None:
    """A battalion breaks down, at any time: its companies take its place, its marks and what it has spent (11.2.A, 11.2.B, RT-21)."""
    check_split(adj, args.unit)
    break_down(adj, args.unit)


def check_split(table: Table, unit: str) -> None:
    """IllegalOrder unless the unit is a battalion on the map that companies are at hand for."""
    if not parts_of(table, unit):
        raise IllegalOrder("11.2.A-1", "cannot-break-down", unit=unit)
    if hex_of(table, unit) is None:
        raise IllegalOrder("11.2.A-1", "not-on-map", unit=unit)
    if not at_hand(table, unit):
        away = [one for one in parts_of(table, unit) if not _in_box(table, one)]
        raise IllegalOrder("11.2.A-3", "companies-in-play", unit=unit, units=away)


def break_down(adj: Adjudication, unit: str) -> tuple[str, ...]:
    """Put companies in the place of a battalion; they are engaged and in battle as it was. One that is not its own goes no further if the
    battalion has moved (RT-21)."""
    counter = adj.counters[unit]
    companies = at_hand(adj, unit)
    changes: list[Change] = []
    for one in companies:
        changes.append(ch.place(one, counter.place))
        changes += [ch.mark(one, name) for name in sorted(counter.marks)]
        if "moved" in counter.marks and one not in parts_of(adj, unit):
            changes.append(ch.mark(one, "done"))
        if "spent" in counter.num:
            changes.append(ch.number(one, "spent", counter.num["spent"]))
    changes += [ch.place(unit, COMPONENT), *(ch.mark(unit, name, False) for name in sorted(counter.marks))]
    if "spent" in counter.num:
        changes.append(ch.number(unit, "spent", None))
    changes += _renamed(adj, (unit,), companies)
    adj.record("split", "11.2.A-1", {"unit": unit, "companies": list(companies), "hex": str(counter.place)}, changes=changes)  # 11.2.C
    return companies


def _renamed(table: Table, old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """The changes by which lists of the game's own speak of the new counters where they spoke of the old ones."""

    def swapped(units: Sequence[str]) -> list[str]:
        return [*(u for u in units if u not in old), *new] if any(u in old for u in units) else list(units)

    changes: list[Change] = []
    records = engagements(table)
    lists = ("attackers", "defenders", "broken")
    if any(u in old for one in records for name in (*lists, "beside") for u in one.get(name, ())):
        changed = [{**one, **{name: swapped(one.get(name, ())) for name in lists}, "beside": _beside(one, old, new)} for one in records]
        changes.append(ch.own("engaged", changed))
    battles: Sequence[Mapping[str, Any]] = table.own["battles"]
    if any(u in old for one in battles for u in (*one["units"], *one["defenders"])):
        taking = ("units", "defenders", "moved")
        again = [{**one, **{name: swapped(one[name]) for name in taking if name in one}} for one in battles]
        changes.append(ch.own("battles", again))
    return changes


def _beside(record: Mapping[str, Any], old: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """Who stood beside an engagement, by the new counters: if all the old ones did, in one hex."""
    before: Mapping[str, str] = record.get("beside", {})
    hexes = {before.get(unit, "") for unit in old}
    others = {unit: at for unit, at in before.items() if unit not in old}
    return {**others, **dict.fromkeys(new, hexes.pop())} if len(hexes) == 1 and "" not in hexes else others


def check_rejoin(table: Table, args: Rejoin, *, at_opening: bool) -> None:
    """IllegalOrder unless the companies may recombine: one hex, the right strength, allowance and parent; at the end of the movement phase
    the battalion's own companies only (11.2.D, 11.2.E, RT-21)."""
    own = parts_of(table, args.battalion)
    if not own or table.counters[args.battalion].place != COMPONENT:
        raise IllegalOrder("11.2.D-1", "no-such-battalion", unit=args.battalion)
    places = {hex_of(table, unit) for unit in args.units}
    if len(places) != 1 or None in places:
        raise IllegalOrder("11.2.E-1", "not-in-one-hex", units=list(args.units))
    strange = [unit for unit in args.units if not _is_of(table, unit, args.battalion)]
    if strange or sum(attack_value(table, u) for u in {*args.units}) != attack_value(table, args.battalion):
        raise IllegalOrder("11.2.D-1", "do-not-make-a-battalion", unit=args.battalion, units=strange or list(args.units))
    if not at_opening and sorted(args.units) != sorted(own):
        raise IllegalOrder("11.2.E-1", "not-its-companies", unit=args.battalion, units=list(own))
    (at,) = places
    there = [*(unit for unit in units_at(table, at) if unit not in args.units), args.battalion] if at else []
    if not at_opening and not stacking.fits(table, there):
        raise IllegalOrder("7.0.A-2", "stacking", hex=str(at), units=there)  # two companies of the 190th make a whole battalion


def _is_of(table: Table, unit: str, battalion: str) -> bool:
    """Whether a unit is a company of the battalion's parent and movement allowance."""
    alike = card(table, unit).values.get("parent") == card(table, battalion).values["parent"]
    return alike and value(table, unit, "ma") == value(table, battalion, "ma") and unit in _companies(table)


def _companies(table: Table) -> frozenset[str]:
    return frozenset(unit for row in table.data.charts["companies"] for unit in row["companies"])


def rejoin(adj: Adjudication, args: Rejoin, _: Order) -> None:
    """The companies become their battalion again."""
    place = adj.counters[args.units[0]].place
    marks = sorted(set().union(*(adj.counters[unit].marks for unit in args.units)))
    changes: list[Change] = [ch.place(args.battalion, place), *(ch.mark(args.battalion, name) for name in marks)]
    for unit in args.units:
        changes += [ch.place(unit, COMPONENT), *(ch.mark(unit, name, False) for name in sorted(adj.counters[unit].marks))]
        if "spent" in adj.counters[unit].num:
            changes.append(ch.number(unit, "spent", None))
    changes += _renamed(adj, args.units, (args.battalion,))
    data = {"units": list(args.units), "battalion": args.battalion, "hex": str(place)}
    adj.record("joined", "11.2.D-1", data, changes=changes)
