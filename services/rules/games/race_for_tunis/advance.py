"""9.2.D, 9.2.E Advances after combat: into a hex that the enemy has left in this battle, and on from there as far as the result allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import beforehand
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import side_at, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import stacking
from services.rules.games.race_for_tunis.bases import fallen
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.losses import find, loss_value, members, spelt, stranger
from services.rules.games.race_for_tunis.movement import allowance, check_step
from services.rules.games.race_for_tunis.orders import Advance
from services.rules.games.race_for_tunis.package import changed
from services.rules.games.race_for_tunis.places import take
from services.rules.games.race_for_tunis.zoc import in_zone

CLAUSES = {"AR": "9.1.2-2", "DR": "9.1.6-2", "DE": "9.1.7-2", "Ex": "9.1.5.A-3"}


def advance(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Those that have won may advance, if a hex is empty now; nobody must."""
    one = find(adj, work["label"])
    into = [at for at in work["into"] if side_at(adj, parse_hex(at)) is None]
    able = able_to(adj, one, work["role"], into)
    if not able:
        return
    context = {**work, "into": into, "units": able, "vacated": True, "result": spelt(one["result"])}
    rule = {"name": "advance", "units": able, "into": into, "hexes": work["hexes"]}
    clause = CLAUSES[one["result"][:2]]
    adj.ask("advance", adj.counters[able[0]].side, clause, {"none": True}, rule=rule, label=one["label"], context=context)


def able_to(table: Table, one: Mapping[str, Any], role: str, into: Sequence[str]) -> list[str]:
    """The units of one side of a battle that can enter one of the hexes left by the enemy and have not advanced yet."""
    free = [unit for unit in members(table, one, role) if unit not in one["moved"]]
    return [unit for unit in free if any(_may(table, unit, parse_hex(at)) for at in into)]


def _may(table: Table, unit: str, at: Hex) -> bool:
    try:
        check_way(table, unit, (at,))
    except IllegalOrder:
        return False
    return stacking.fits(table, (unit, *units_at(table, at)))


def check_way(table: Table, unit: str, path: Sequence[Hex]) -> Fraction:
    """MP of an advance along a path. IllegalOrder where the unit may not go, must have stopped, or has not the MP for more than a hex."""
    at, side, spent = at_of(table, unit), table.counters[unit].side, 0
    for n, to in enumerate(path):
        if n and in_zone(table, side, at):
            raise IllegalOrder("9.2.E", "must-stop", unit=unit, hex=str(at))  # 9.2.E 11.3.C
        try:
            spent += check_step(table, unit, at, to)
        except IllegalOrder as illegal:
            if illegal.code == "prohibited":
                raise IllegalOrder("9.2.D-3", "prohibited", unit=unit, hex=str(to)) from illegal
            raise
        if n and spent > allowance(table, unit):  # 9.2.D-4 RT-33
            figures = {"cost": print_exact(Fraction(spent, 2)), "allowance": print_exact(Fraction(allowance(table, unit), 2))}
            raise IllegalOrder("9.2.D-4", "too-far", unit=unit, hex=str(to), **figures)
        at = to
    return Fraction(spent, 2)


# -- the answer ------------------------------------------------------------------------------------------------------------------


def chosen(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> tuple[tuple[str, ...], tuple[Hex, ...]]:
    """The units that an answer lets advance, and their path; none for ``NONE``. IllegalOrder if they may not."""
    given = read_args(Advance, args)
    if given.none or given.max == 0:
        return (), ()
    context = decision.context
    one = find(adj, context["label"])
    if not given.units and given.max is not None:
        return _as_many_as_fit(adj, decision, able_to(adj, one, context["role"], context["into"]))
    if not given.units or len(set(given.units)) != len(given.units):
        raise IllegalOrder(decision.clause, "malformed", field="units")
    strangers = [unit for unit in given.units if unit not in members(adj, one, context["role"])]
    if strangers:
        raise stranger(adj, decision, strangers)
    path = given.hexes[: given.max] if given.max else given.hexes
    _check_path(decision, path)
    for unit in given.units:
        if unit in one["moved"]:
            raise IllegalOrder(decision.clause, "advanced-already", unit=unit)
        check_way(adj, unit, path)
    there = [unit for unit in units_at(adj, path[-1]) if unit not in given.units]
    if not stacking.fits(adj, (*there, *given.units)):
        raise IllegalOrder("7.0.A-2", "stacking", hex=str(path[-1]), units=[*there, *given.units])  # RT-23
    return given.units, path


def _check_path(decision: Decision, path: Sequence[Hex]) -> None:
    """IllegalOrder unless a path begins with a hex that the enemy has left, and is no longer than the result allows."""
    into, most = decision.context["into"], decision.context["hexes"]
    if not path or str(path[0]) not in into:
        raise IllegalOrder("9.2.D-2", "not-the-vacated-hex", hex=str(path[0]) if path else "", hexes=list(into))
    if len(path) > most:
        raise IllegalOrder(decision.clause, "advance-too-far", hexes=[str(at) for at in path], most=most)  # RT-33


def _as_many_as_fit(table: Table, decision: Decision, able: Sequence[str]) -> tuple[tuple[str, ...], tuple[Hex, ...]]:
    """``MAX n`` alone: the strongest enter the first hex open to them, as many as may stand there, and stay in it."""
    role = decision.context["role"]
    for at in map(parse_hex, decision.context["into"]):
        going: list[str] = []
        for unit in sorted(able, key=lambda unit: (-loss_value(table, unit, role), unit)):
            if _may(table, unit, at) and stacking.fits(table, (*going, unit, *units_at(table, at))):
                going.append(unit)
        if going:
            return tuple(going), (at,)
    raise IllegalOrder(decision.clause, "nobody-can", battle=str(decision.label))


def check_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the answer is a lawful advance, or none."""
    chosen(adj, decision, args)


def take_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units advance; others may too if there is a line for them."""
    units, path = chosen(adj, decision, args)
    if not units:
        return
    label = str(decision.label)
    moves = [{"unit": unit, "from": str(at_of(adj, unit)), "cost": print_exact(check_way(adj, unit, path))} for unit in units]
    one = find(adj, label)
    moved = changed(adj, label, moved=[*one["moved"], *units])
    data = {"label": label, "side": decision.side, "units": list(units), "path": [str(at) for at in path], "moves": moves}
    adj.record("advanced", "9.2.D-1", data, changes=[*(ch.place(unit, path[-1]) for unit in units), moved])
    take(adj, decision.side, path)
    fallen(adj, decision.side, path)
    if _more(adj, decision):
        adj.push("Advance", **{name: decision.context[name] for name in ("label", "role", "hexes", "into")})


def _more(adj: Adjudication, decision: Decision) -> bool:
    """Whether another line lets more units advance: the next of the script, or one given beforehand."""
    for args in _lines(adj, decision):
        try:
            if chosen(adj, decision, args)[0]:
                return True
        except IllegalOrder:
            continue
    return False


def _lines(adj: Adjudication, decision: Decision) -> Iterator[Mapping[str, Json]]:
    tail = adj.tails.get(decision.side)
    if tail and tail.orders and tail.orders[0].verb == decision.verb and tail.orders[0].label in (None, decision.label):
        yield tail.orders[0].args
    for _, order in beforehand.lines(adj, decision.side):
        if beforehand.speaks_to(order, decision) and not order.args.get("ask"):
            yield from (given.args for given in (order.then, order.otherwise) if given is not None and given.verb == decision.verb)
