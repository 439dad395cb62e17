"""9.1.4, 5.2.D: engagements, from the result that makes them to the renewed attack that ends them or the newcomer that breaks them.

A record of ``own["engaged"]``: ``attackers``, ``defenders``, ``hexes`` (those of the defenders), ``beside`` {unit: hex} (others of the
defenders' side that stood there as the last player-turn ended), and, in the combat phase in which it is broken, ``broken`` [newcomers]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Side
from services.rules.engine.positions import hex_of, on_map
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.package import Battle, attackers, defenders, next_to
from services.rules.games.race_for_tunis.state import engagements, is_artillery

Record = Mapping[str, Any]
MARKS = {"attackers": "engaged-attacker", "defenders": "engaged-defender"}


class Together(NamedTuple):
    """Hexes that must be attacked in one battle, and the units that must take part in it (9.1.4.D, RT-17)."""

    hexes: frozenset[Hex]
    units: frozenset[str]


# -- how it begins and ends ------------------------------------------------------------------------------------------------------


def engage(adj: Adjudication, one: Battle) -> None:
    """A battle ends in an engagement: all that took part are held in it, guns in support apart (9.1.4.A, RT-16)."""
    ours, theirs = list(attackers(adj, one)), list(defenders(adj, one))
    hexes = sorted({str(hex_of(adj, unit)) for unit in theirs})
    record = {"attackers": ours, "defenders": theirs, "hexes": hexes, "beside": {}, "broken": []}
    kept = [old for old in engagements(adj) if not _renews(one, old)]
    data = {"label": one["label"], "hexes": hexes, "attackers": ours, "defenders": theirs}
    adj.record("engaged", "9.1.4.A-1", data, changes=_set(adj, [*kept, record]))


def settle(adj: Adjudication, one: Battle, result: str) -> None:
    """A battle is wholly done. A renewed attack with another result than ``Eng`` ends its engagement; who was forced off, or is gone, is
    held no longer (RT-16)."""
    forced = {"A": one["units"], "D": one["defenders"]}.get(result[:1], ())
    kept = [old for old in engagements(adj) if result == "Eng" or not _renews(one, old)]
    _keep(adj, [_without(old, forced) for old in kept], "9.1.4.B-2")


def end_player_turn(adj: Adjudication) -> None:
    """A player-turn ends: engagements without one side are over, and who stands beside the others is noted."""
    _keep(adj, engagements(adj), "9.1.4.A-4")
    noted = [{**one, "beside": _beside(adj, one)} for one in engagements(adj)]
    if noted != list(engagements(adj)):
        adj.record("engagements", "9.1.4.C-1", {}, changes=[ch.own("engaged", noted)])


def review(adj: Adjudication) -> None:
    """The combat phase begins: newcomers of the defenders' side in the hex or beside the attackers break an engagement, and all of it fall
    under the duty to attack (5.2.D, 9.1.4.C, RT-16)."""
    _keep(adj, engagements(adj), "9.1.4.A-4")
    found = [{**one, "broken": _newcomers(adj, one)} for one in engagements(adj)]
    for one in found:
        if one["broken"]:
            data = {"hexes": one["hexes"], "units": [*one["attackers"], *one["defenders"]], "by": one["broken"]}
            adj.record("disengaged", "5.2.D-2", data)  # 9.1.4.C-2
    if any(one["broken"] for one in found):
        adj.record("engagements", "5.2.D-2", {}, changes=_set(adj, found))


def forget_broken(adj: Adjudication) -> None:
    """The attacks are declared: what was broken is over."""
    kept = [one for one in engagements(adj) if not one.get("broken")]
    if len(kept) != len(engagements(adj)):
        adj.record("engagements", "5.2.D-2", {}, changes=_set(adj, kept))


def released(table: Table, unit: str) -> list[Change]:
    """The changes by which a unit that is set elsewhere by hand is engaged with nobody."""
    if unit not in _all(engagements(table)):
        return []
    return _set(table, [one for one in (_without(old, [unit]) for old in engagements(table)) if all(one[name] for name in MARKS)])


def _renews(one: Battle, record: Record) -> bool:
    """Whether a battle renews the attack of an engagement."""
    return bool(set(one["units"]) & set(record["attackers"]) and set(one["hexes"]) & set(record["hexes"]))


def _without(record: Record, units: Iterable[str]) -> Record:
    gone = set(units)
    return {**record, **{name: [unit for unit in record[name] if unit not in gone] for name in MARKS}}


def _keep(adj: Adjudication, records: Sequence[Record], clause: str) -> None:
    """Keep engagements of which both sides are still in their places; say who is free."""
    kept = [found for one in records if (found := _standing(adj, one)) is not None]
    if kept == list(engagements(adj)):
        return
    free = sorted(_all(engagements(adj)) - _all(kept))
    hexes = sorted({at for one in engagements(adj) for at in one["hexes"]} - {at for one in kept for at in one["hexes"]})
    changes = _set(adj, kept)
    if free:
        adj.record("disengaged", clause, {"hexes": hexes, "units": [unit for unit in free if hex_of(adj, unit)], "by": []}, changes=changes)
    else:
        adj.record("engagements", clause, {}, changes=changes)


def _standing(table: Table, record: Record) -> Record | None:
    """An engagement with those that are still in it: defenders in its hexes, attackers next to them; None if a side is gone."""
    hexes = set(map(parse_hex, record["hexes"]))
    held = {unit: at for unit in record["defenders"] if (at := hex_of(table, unit)) in hexes}
    ours = [unit for unit in record["attackers"] if any(at and next_to(table, unit, at) for at in held.values())]
    theirs = [unit for unit, at in held.items() if at and any(next_to(table, other, at) for other in ours)]
    if not ours or not theirs:
        return None
    return {**record, "attackers": ours, "defenders": theirs, "hexes": sorted({str(held[unit]) for unit in theirs})}


def _all(records: Iterable[Record]) -> set[str]:
    return {unit for one in records for name in MARKS for unit in one[name]}


def _set(table: Table, records: Sequence[Record]) -> list[Change]:
    """The changes by which these are the engagements, and units bear the marks of them; broken ones hold nobody."""
    changes: list[Change] = [ch.own("engaged", [dict(one) for one in records])]
    for name, mark in MARKS.items():
        held = {unit for one in records if not one.get("broken") for unit in one[name]}
        for unit, counter in table.counters.items():
            if (mark in counter.marks) != (unit in held):
                changes.append(ch.mark(unit, mark, unit in held))  # 9.1.4.A-2 9.1.4.A-3
    return changes


# -- newcomers -------------------------------------------------------------------------------------------------------------------


def _near(table: Table, record: Record) -> Mapping[str, Hex]:
    """Other units of the defenders' side in the hexes of an engagement or next to its attackers -> where they stand."""
    side = table.counters[record["defenders"][0]].side
    hexes = set(map(parse_hex, record["hexes"]))
    others = {unit.id: unit.place for unit in on_map(table, side) if unit.id not in record["defenders"]}
    fronts = _hexes(table, record["attackers"])
    near = {unit: at for unit, at in others.items() if isinstance(at, Hex)}
    return {unit: at for unit, at in near.items() if at in hexes or any(distance(at, to) == 1 for to in fronts)}  # 9.1.4.C-3


def _beside(table: Table, record: Record) -> dict[str, str]:
    return {unit: str(at) for unit, at in _near(table, record).items()}


def _newcomers(table: Table, record: Record) -> list[str]:
    """Units of the phasing side, if that defends, which were not in their place there before."""
    if table.counters[record["defenders"][0]].side != table.phasing:
        return []
    before = record.get("beside", {})
    return [unit for unit, at in _near(table, record).items() if before.get(unit) != str(at)]


def _hexes(table: Table, units: Iterable[str]) -> frozenset[Hex]:
    return frozenset(at for unit in units if (at := hex_of(table, unit)) is not None)


# -- what is owed ----------------------------------------------------------------------------------------------------------------


def exempt(table: Table, unit: str) -> bool:
    """Whether a unit owes no attack as a defender in an engagement that nobody has broken (5.2.D-1, 9.1.4.B-1)."""
    return any(unit in one["defenders"] for one in engagements(table) if not one.get("broken"))


def renewals(table: Table, side: Side) -> Mapping[str, frozenset[Hex]]:
    """Attackers of a side in an engagement -> the hexes next to them that they must attack again (9.1.4.B-2)."""
    found: dict[str, frozenset[Hex]] = {}
    for one in engagements(table):
        if one.get("broken") or table.counters[one["attackers"][0]].side != side:
            continue
        hexes = _hexes(table, one["defenders"])
        for unit in one["attackers"]:
            if not is_artillery(table, unit):
                found[unit] = found.get(unit, frozenset()) | {at for at in hexes if next_to(table, unit, at)}
    return {unit: hexes for unit, hexes in found.items() if hexes}


def together(table: Table, side: Side) -> tuple[Together, ...]:
    """What newcomers next to several hexes of engaged attackers must attack at once, with the defenders of those engagements, in a zone or
    not (9.1.4.D, RT-17). Of two sets that no unit could hold together the first stands."""
    broken = [one for one in engagements(table) if one.get("broken") and table.counters[one["defenders"][0]].side == side]
    found: list[Together] = []
    for unit in sorted({unit for one in broken for unit in one["broken"] if not is_artillery(table, unit)}):  # RT-18
        mine = [one for one in broken if unit in one["broken"]]
        hexes = frozenset(at for one in mine for at in _hexes(table, one["attackers"]) if next_to(table, unit, at))
        if len(hexes) < 2:
            continue
        theirs = {other for one in mine for other in one["defenders"] if not is_artillery(table, other)}
        one = Together(hexes, frozenset({unit, *(other for other in theirs if any(next_to(table, other, at) for at in hexes))}))
        found = _joined(table, found, one)
    return tuple(found)


def _joined(table: Table, found: list[Together], new: Together) -> list[Together]:
    """Sets with a new one: those that share a hex with it become one, if a unit is next to all of it."""
    touching = [one for one in found if one.hexes & new.hexes]
    hexes = new.hexes.union(*(one.hexes for one in touching))
    units = new.units.union(*(one.units for one in touching))
    if not any(all(next_to(table, unit, at) for at in hexes) for unit in units):
        return found
    return [*(one for one in found if one not in touching), Together(hexes, units)]
