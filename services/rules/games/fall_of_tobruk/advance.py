"""Advances after combat: along the way of a retreat, or into a hex that elimination has emptied (FT-34, FT-35).

The work ``Advance``: ``label``, ``role`` (who may advance), ``hexes`` (how far along a retreat), ``into`` (the hexes that the others held),
``but`` (who has set out already), ``fighting`` (who stays to attack, where hexes were left before the attack is fought).
The work ``Follow``: ``units`` along ``path`` from its hex number ``n`` on; ``crossed``: the mines before that hex have been dealt with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import beforehand
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import side_at, units_at
from services.rules.engine.sequence import Ask, Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import minefield, paralysis, stacking
from services.rules.games.fall_of_tobruk.assault import ATTACKER, DEFENDER, ROLES, VOID, Record, changed, find, members, next_to
from services.rules.games.fall_of_tobruk.ground import at_of, step_cost
from services.rules.games.fall_of_tobruk.losses import present, stranger
from services.rules.games.fall_of_tobruk.mines import gaps_after_move, hinders
from services.rules.games.fall_of_tobruk.orders import Advance
from services.rules.games.fall_of_tobruk.state import is_gun, is_tank
from services.rules.games.fall_of_tobruk.victory import taken

Way = tuple[Hex, ...]
CLAUSES = {"AR": "crt.abk.2", "DR": "crt.dbk.2", "DE": "crt.delim.2", "EX": "crt.exch.4", "VO": "recon.4"}
LEAVES_CROWD = "leaves-crowd"
"""Why units may not go that leave others behind over the limits."""

# -- where to --------------------------------------------------------------------------------------------------------------------


def ways(table: Table, one: Record, role: str, hexes: int, into: Sequence[str]) -> tuple[Way, ...]:
    """Where the winner may go: so many hexes along the way of each unit that retreated, or into a hex whose units are all dead or slipped
    away. No hex of a way holds an enemy."""
    losers = one[ROLES[DEFENDER if role == ATTACKER else ATTACKER]]
    retreats = [tuple(map(parse_hex, one["paths"][unit])) for unit in losers if unit in one["paths"]]
    found = [way[:n] for way in retreats for n in range(1, hexes + 1)]  # advance.3 retreat.7 crt.abk.2 crt.dbk.2
    left = {way[0] for way in retreats}
    found += [(at,) for at in map(parse_hex, into) if at not in left]  # advance.6 crt.delim.2 crt.exch.4
    winner = _winner(table, one, role)
    return tuple(way for way in dict.fromkeys(found) if all(side_at(table, at) in (None, winner) for at in way))  # advance.5


def _winner(table: Table, one: Record, role: str) -> str:
    return table.counters[one[ROLES[role]][0]].side


def able(table: Table, one: Record, role: str, found: Sequence[Way]) -> list[str]:
    """The units of the winner that may advance by one of the ways and have not yet (FT-35)."""
    free = [unit for unit in members(table, one, role) if unit not in one["moved"]]
    return [unit for unit in free if not _held(table, unit) and any(_can(table, (unit,), way) for way in found)]


def _held(table: Table, unit: str) -> bool:
    """Whether a unit may not advance at all: it has bombarded, or is engaged."""
    return bool(table.counters[unit].marks & {"shelled", "engaged-attacker", "engaged-defender"})


def _can(table: Table, units: Sequence[str], way: Way) -> bool:
    try:
        check_way(table, units, way)
    except IllegalOrder as illegal:
        return illegal.code in ("no-escort", LEAVES_CROWD)  # others may come too
    return True


def check_way(table: Table, units: Sequence[str], way: Way) -> None:
    """IllegalOrder unless units may go this way together: each is next to its first hex, all have room in the last, those who stay behind
    are within the limits, and artillery has others with it. Enemy zones do not matter (advance.4)."""
    for unit in units:
        if not next_to(table, unit, way[0]):
            raise IllegalOrder("advance.3", "not-adjacent", unit=unit, **{"from": str(at_of(table, unit)), "to": str(way[0])})  # advance.3
        for at, to in pairwise((at_of(table, unit), *way)):
            if step_cost(table, at, to) is None:  # FT-22
                raise IllegalOrder("advance.3", "cannot-enter", unit=unit, hex=str(to))  # advance.3
    there = units_at(table, way[-1])
    if not stacking.fits(table, {*units, *there}):
        raise IllegalOrder("stacking.12", "stacking", hex=str(way[-1]), units=sorted({*units, *there}))  # stacking.12
    for at in dict.fromkeys(at_of(table, unit) for unit in units):
        if left := stacking.left_crowded(table, at, units):
            raise IllegalOrder("stacking.12", LEAVES_CROWD, hex=str(at), units=list(left))  # stacking.12
    if all(is_gun(table, unit) for unit in (*units, *there)):
        raise IllegalOrder("artillery.14", "no-escort", units=list(units), hex=str(way[-1]))  # artillery.14


# -- the decision ----------------------------------------------------------------------------------------------------------------


def advance(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Those that have won may advance, at once or never; nobody must (advance.7)."""
    one, role = find(adj, work["label"]), str(work["role"])
    if not members(adj, one, role):
        return
    found = ways(adj, one, role, int(work["hexes"]), work["into"])
    units = [unit for unit in able(adj, one, role, found) if unit not in (*work["but"], *work.get("fighting", ()))]
    if not units:
        return
    ends = sorted({str(way[-1]) for way in found})
    result = one["result"] or VOID  # it is not fought yet, but some of its hexes have been left
    context = {**work, "units": units, "vacated": True, "result": result}
    rule = {"name": "advance", "units": units, "hexes": ends}
    clause = CLAUSES.get(result[:2], "advance.6")
    adj.ask("advance", adj.counters[units[0]].side, clause, {"none": True}, rule=rule, label=one["label"], context=context)


def chosen(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> tuple[tuple[str, ...], Way]:
    """The units that an answer lets advance, and their way; none for ``NONE``. IllegalOrder if they may not."""
    given, context = read_args(Advance, args), decision.context
    if given.none or given.max == 0:
        return (), ()
    one, role = find(adj, context["label"]), str(context["role"])
    found = ways(adj, one, role, int(context["hexes"]), context["into"])
    found = tuple(way for way in found if given.max is None or len(way) <= given.max)
    if not given.units:
        if given.hex is not None:
            found = tuple(way for way in found if way[-1] == given.hex)
        units = [unit for unit in able(adj, one, role, found) if unit not in (*context["but"], *context.get("fighting", ()))]
        return _as_many_as_fit(adj, decision, units, found)
    if len(set(given.units)) != len(given.units) or given.hex is None:
        raise IllegalOrder(decision.clause, "malformed", field="hex" if given.hex is None else "units")
    strangers = [unit for unit in given.units if unit not in members(adj, one, role)]
    if strangers:
        raise stranger(adj, decision, strangers)
    for unit in given.units:
        if unit in (*one["moved"], *context["but"]):
            raise IllegalOrder(decision.clause, "advanced-already", unit=unit)
        if _held(adj, unit) or unit in context.get("fighting", ()):
            raise IllegalOrder(decision.clause, "may-not-advance", unit=unit)
    there = [way for way in found if way[-1] == given.hex]
    if not there:
        raise IllegalOrder("advance.3", "not-on-the-path", hex=str(given.hex), hexes=sorted({str(way[-1]) for way in found}))  # advance.3
    way = next((way for way in there if all(next_to(adj, unit, way[0]) for unit in given.units)), there[0])
    check_way(adj, given.units, way)
    return given.units, way


def _as_many_as_fit(adj: Adjudication, decision: Decision, units: Sequence[str], found: Sequence[Way]) -> tuple[tuple[str, ...], Way]:
    """As many of the units as have room at the end of the longest way, others than artillery first."""
    best: tuple[tuple[str, ...], Way] = ((), ())
    for way in sorted(found, key=lambda way: (-len(way), way)):
        going: tuple[str, ...] = ()
        for unit in sorted(units, key=lambda unit: (is_gun(adj, unit), unit)):
            try:
                check_way(adj, (*going, unit), way)
            except IllegalOrder:
                continue
            going = (*going, unit)
        if len(going) > len(best[0]):
            best = going, way
    if not best[0]:
        raise IllegalOrder(decision.clause, "nobody-can", battle=str(decision.label))
    return best


def check_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the answer is a lawful advance, or none."""
    chosen(adj, decision, args)


def take_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units set out; others may too if there is a line for them."""
    units, way = chosen(adj, decision, args)
    if not units:
        return
    follow(adj, str(decision.label), units, way)
    if _more(adj, decision, units):
        work = {name: decision.context[name] for name in ("label", "role", "hexes", "into", "fighting") if name in decision.context}
        adj.push("Advance", **work, but=[*decision.context["but"], *units])


def _more(adj: Adjudication, decision: Decision, gone: Sequence[str]) -> bool:
    """Whether another line lets more units advance: the next of the script, or one given beforehand."""
    for args in _lines(adj, decision):
        try:
            units, _ = chosen(adj, decision, args)
        except IllegalOrder:
            continue
        if set(units) - set(gone):
            return True
    return False


def _lines(adj: Adjudication, decision: Decision) -> Iterator[Mapping[str, Json]]:
    tail = adj.tails.get(decision.side)
    if tail and tail.orders and tail.orders[0].verb == decision.verb and tail.orders[0].label in (None, decision.label):
        yield tail.orders[0].args
    for _, order in beforehand.lines(adj, decision.side):
        if beforehand.speaks_to(order, decision) and not order.args.get("ask"):
            yield from (given.args for given in (order.then, order.otherwise) if given is not None and given.verb == decision.verb)


# -- on the way ------------------------------------------------------------------------------------------------------------------


def follow(adj: Adjudication, label: str, units: Sequence[str], way: Sequence[Hex], clause: str = "advance.3") -> None:
    """Push the march of units along a way."""
    adj.push("Follow", label=label, units=list(units), path=[str(at) for at in way], n=0, crossed=False, clause=clause)


def march(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Units go on as far as no tank of theirs comes to mines; the roll for those is made before any of them crosses."""
    units = present(adj, work["units"])
    if not units:
        return
    path, n, crossed = tuple(map(parse_hex, work["path"])), int(work["n"]), bool(work["crossed"])
    leg: list[Hex] = []
    while n < len(path) and (crossed or not _tanks_in_mines(adj, units, leg, path[n])):
        leg.append(path[n])
        n, crossed = n + 1, False
    crossing = _tanks_in_mines(adj, units, leg, path[n]) if n < len(path) else []
    if leg:
        _gone(adj, work, units, leg)
    if crossing:
        then = ("Follow", {**work, "units": list(units), "n": n, "crossed": True})
        minefield.cross(adj, minefield.ADVANCE, str(work["label"]), crossing, f"{work['label']} {path[n]}", then)  # minefields.18


def _tanks_in_mines(table: Table, units: Sequence[str], leg: Sequence[Hex], to: Hex) -> list[str]:
    """The tanks that cross mines as the units enter a hex after ``leg``; the others cross as if there were none (minefields.17)."""
    tanks = [unit for unit in units if is_tank(table, unit)]
    return [unit for unit in tanks if hinders(table, unit, leg[-1] if leg else at_of(table, unit), to)]


def _gone(adj: Adjudication, work: Mapping[str, Json], units: Sequence[str], leg: Sequence[Hex]) -> None:
    """Units have gone some hexes."""
    label, side = str(work["label"]), adj.counters[units[0]].side
    froms = {unit: str(at_of(adj, unit)) for unit in units}
    data = {"label": label, "side": side, "units": list(units), "from": froms, "path": [str(at) for at in leg]}
    paths = {unit: (at_of(adj, unit), *leg) for unit in units}
    changes = [ch.place(unit, leg[-1]) for unit in units]
    attack = next((one for one in adj.own["attacks"] if one["label"] == label), None)
    if attack is not None:
        changes.append(changed(adj, label, moved=[*attack["moved"], *(unit for unit in units if unit not in attack["moved"])]))
    adj.record("advanced", work["clause"], data, changes=changes)
    for unit in units:
        gaps_after_move(adj, (unit,), paths[unit])
    taken(adj, side, (leg[-1],))
    paralysis.rouse_beside(adj, leg)


WORKS: tuple[Work, ...] = (Work("Advance", advance), Work("Follow", march))
ASK_ADVANCE: Ask = Ask("advance", "ADVANCE", take_advance, check_advance)
