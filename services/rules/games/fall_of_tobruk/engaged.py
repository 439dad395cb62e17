"""Engagements, from the result that makes them to the renewed attack or counterattack that ends them (crt.eng.1 to crt.eng.5, FT-40).

A record of ``own["engaged"]``: ``attackers``, ``defenders``, ``hexes`` (those of the defenders), ``beside`` {unit: hex} (others of the
defenders' side near it as the last pass ended), and ``broken`` [newcomers], while they are bound to counterattack with the defenders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Side
from services.rules.engine.positions import hex_of, on_map
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import supply
from services.rules.games.fall_of_tobruk.assault import Record, attackers, defenders, next_to
from services.rules.games.fall_of_tobruk.state import engagements, is_gun

MARKS = {"attackers": "engaged-attacker", "defenders": "engaged-defender"}

# -- how it begins and ends ------------------------------------------------------------------------------------------------------


def engage(adj: Adjudication, one: Record) -> None:
    """An attack ends in an engagement: all that took part are held in it."""
    ours, theirs = list(attackers(adj, one)), list(defenders(adj, one))
    hexes = sorted({str(hex_of(adj, unit)) for unit in theirs})
    new = {"attackers": ours, "defenders": theirs, "hexes": hexes, "beside": {}, "broken": []}
    kept = [old for old in engagements(adj) if not _fought_again(one, old)]
    new["beside"] = _beside(adj, new)
    data = {"label": one["label"], "hexes": hexes, "attackers": ours, "defenders": theirs}
    adj.record("engaged", "crt.eng.1", data, changes=_set(adj, [*kept, new]))  # crt.eng.1


def fought(adj: Adjudication, one: Record) -> None:
    """A renewed attack or a counterattack has another result than ``ENG``: its engagement is over."""
    kept = [old for old in engagements(adj) if not _fought_again(one, old)]
    if len(kept) != len(engagements(adj)):
        _keep(adj, kept)  # crt.eng.3


def settle(adj: Adjudication, one: Record) -> None:
    """An attack is wholly done: who was driven off, or is gone, is held no longer in whatever engagement."""
    driven = [unit for unit in one["moved"] if unit in one["defenders"]]
    forced = {"A": one["units"], "S": one["units"], "D": driven}.get(str(one["result"])[:1], ())
    _keep(adj, [_without(old, forced) for old in engagements(adj)])


def review(adj: Adjudication) -> None:
    """Attacks are about to be declared: who is gone is out of it, and newcomers of the phasing side, where that defends, bind all its
    engaged defenders to counterattack with them (crt.eng.5)."""
    tidy(adj)
    found = [{**one, "broken": _newcomers(adj, one)} for one in engagements(adj)]
    if not any(one["broken"] for one in found):
        return
    changes: list[Change] = [ch.own("engaged", found)]
    for one in found:
        if one["broken"]:
            bound = [unit for unit in one["defenders"] if not adj.counters[unit].marks & {"active", "done"}]
            supply.judge(adj, *bound)  # supply.14
            changes += [ch.mark(unit, "active") for unit in bound]
            data = {"hexes": one["hexes"], "units": list(one["defenders"]), "by": one["broken"]}
            adj.record("reinforced", "crt.eng.5", data)
    adj.record("engagements", "crt.eng.5", {}, changes=changes)


def tidy(adj: Adjudication) -> None:
    """Engagements of which a side is gone are over."""
    _keep(adj, engagements(adj))


def note_beside(adj: Adjudication) -> None:
    """A pass is over: who stands beside the engaged is noted, and who counterattacked is bound no longer."""
    tidy(adj)
    noted = [{**one, "beside": _beside(adj, one), "broken": []} for one in engagements(adj)]  # crt.eng.4
    if noted != list(engagements(adj)):
        adj.record("engagements", "crt.eng.4", {}, changes=[ch.own("engaged", noted)])


def released(table: Table, unit: str) -> list[Change]:
    """The changes by which a unit that is set elsewhere by hand is engaged with nobody."""
    if unit not in _all(engagements(table)):
        return []
    return _set(table, [one for one in (_without(old, [unit]) for old in engagements(table)) if all(one[name] for name in MARKS)])


def _fought_again(one: Record, old: Record) -> bool:
    """Whether an attack renews that of an engagement, or is a counterattack out of it."""
    units = set(one["units"])
    renewed = units & set(old["attackers"]) and set(one["hexes"]) & set(old["hexes"])
    return bool(renewed or (units & set(old["defenders"]) and set(one["defenders"]) & set(old["attackers"])))


def _without(old: Record, units: Iterable[str]) -> Record:
    gone = set(units)
    return {**old, **{name: [unit for unit in old[name] if unit not in gone] for name in MARKS}}


def _keep(adj: Adjudication, records: Sequence[Record]) -> None:
    """Keep engagements of which both sides are still in their places; say who is free."""
    kept = [found for one in records if (found := _standing(adj, one)) is not None]
    if kept == list(engagements(adj)):
        return
    free = sorted(_all(engagements(adj)) - _all(kept))
    hexes = sorted({at for one in engagements(adj) for at in one["hexes"]} - {at for one in kept for at in one["hexes"]})
    data = {"hexes": hexes, "units": [unit for unit in free if hex_of(adj, unit)], "by": []}
    adj.record("disengaged" if free else "engagements", "crt.eng.2", data if free else {}, changes=_set(adj, kept))


def _standing(table: Table, one: Record) -> Record | None:
    """An engagement with those that are still in it: defenders in its hexes, attackers next to them; None if a side is gone."""
    hexes = set(map(parse_hex, one["hexes"]))
    held = {unit: at for unit in one["defenders"] if (at := hex_of(table, unit)) in hexes}
    ours = [unit for unit in one["attackers"] if any(at and next_to(table, unit, at) for at in held.values())]
    theirs = [unit for unit, at in held.items() if at and any(next_to(table, other, at) for other in ours)]
    if not ours or not theirs:
        return None
    return {**one, "attackers": ours, "defenders": theirs, "hexes": sorted({str(held[unit]) for unit in theirs})}


def _all(records: Iterable[Record]) -> set[str]:
    return {unit for one in records for name in MARKS for unit in one[name]}


def _set(table: Table, records: Sequence[Record]) -> list[Change]:
    """The changes by which these are the engagements, and units bear the marks of them."""
    changes: list[Change] = [ch.own("engaged", [dict(one) for one in records])]
    for name, mark in MARKS.items():
        held = {unit for one in records for unit in one[name]}
        for unit, counter in table.counters.items():
            if (mark in counter.marks) != (unit in held):
                changes.append(ch.mark(unit, mark, unit in held))  # crt.eng.2
    return changes


# -- newcomers -------------------------------------------------------------------------------------------------------------------


def _beside(table: Table, one: Record) -> dict[str, str]:
    """Other units of the defenders' side in the hexes of an engagement or next to its attackers, and where they stand."""
    side = table.counters[one["defenders"][0]].side
    hexes, fronts = set(map(parse_hex, one["hexes"])), _hexes(table, one["attackers"])
    others = {unit.id: unit.place for unit in on_map(table, side) if unit.id not in one["defenders"]}
    near = {unit: at for unit, at in others.items() if isinstance(at, Hex)}
    return {unit: str(at) for unit, at in near.items() if at in hexes or any(distance(at, to) == 1 for to in fronts)}


def _newcomers(table: Table, one: Record) -> list[str]:
    """Units of the phasing side, if that defends, which were not in their place there before."""
    if table.counters[one["defenders"][0]].side != table.phasing:
        return []
    return [unit for unit, at in _beside(table, one).items() if one["beside"].get(unit) != at]


def _hexes(table: Table, units: Iterable[str]) -> frozenset[Hex]:
    return frozenset(at for unit in units if (at := hex_of(table, unit)) is not None)


# -- what is owed ----------------------------------------------------------------------------------------------------------------


def exempt(table: Table, unit: str) -> bool:
    """Whether a unit owes no attack as a defender in an engagement that nobody has reinforced, unless ``bound`` tells otherwise."""
    return any(unit in one["defenders"] for one in engagements(table) if not one["broken"])


def bound(table: Table, side: Side) -> Mapping[str, frozenset[Hex]]:
    """Engaged units of a side that must attack -> the hexes of which they must attack one: attackers those of the defenders again,
    defenders that are reinforced those of the attackers."""
    found: dict[str, frozenset[Hex]] = {}
    for one in engagements(table):
        ours, theirs = ("defenders", "attackers") if one["broken"] else ("attackers", "defenders")
        if table.counters[one[ours][0]].side != side:
            continue
        hexes = _hexes(table, one[theirs])
        for unit in one[ours]:
            if not is_gun(table, unit):
                found[unit] = found.get(unit, frozenset()) | {at for at in hexes if next_to(table, unit, at)}  # crt.eng.3 crt.eng.5
    return {unit: hexes for unit, hexes in found.items() if hexes}
