"""Effects of Disruption: the marker, and the battalion that units pay which are disrupted already (disrupt.16, disrupt.17, FT-30)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import NamedTuple

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import hex_of
from services.rules.engine.sequence import Ask, Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import stacking
from services.rules.games.fall_of_tobruk.orders import Lose
from services.rules.games.fall_of_tobruk.regiments import break_down, parts_of
from services.rules.games.fall_of_tobruk.state import COMPONENT, combat_value, disrupted, formation_of, kind_of, nation_of, size_of, value
from services.rules.games.fall_of_tobruk.wrecks import lose_unit

CHEAPEST = "CHEAPEST"
BATTALION = Fraction(1)
"""What one further disruption costs."""


def disrupt(adj: Adjudication, units: Iterable[str], clause: str, cause: str, label: str | None = None) -> None:
    """Units of one stack are disrupted by one event; those of them that were so already pay a battalion together, as their owner chooses.

    What they pay is work that is pushed (``Disrupted``): it is done after the work item in hand. For units that are hit one by one, as by
    bombardment, call it once for each.
    """
    standing = [unit for unit in units if hex_of(adj, unit) is not None]
    again = [unit for unit in standing if disrupted(adj, unit)]
    for unit in standing:
        if unit not in again:
            data: dict[str, Json] = {"unit": unit, "hex": str(hex_of(adj, unit)), "cause": cause}
            adj.record("disrupted", clause, data, changes=[ch.mark(unit, "disrupted")])
    if again:  # disrupt.16
        adj.push("Disrupted", units=again, cause=cause, label=label)  # disrupt.17


def current_payers(table: Table, units: Iterable[str]) -> tuple[str, ...]:
    """Those of the units that can pay: on the map, and disrupted."""
    return tuple(unit for unit in units if hex_of(table, unit) is not None and disrupted(table, unit))


# -- what pays a battalion -------------------------------------------------------------------------------------------------------


class Price(NamedTuple):
    """Units that pay, by what is preferred: the least printed combat factor, then antitank factor, then id (FT-37)."""

    combat: int
    antitank: int
    units: tuple[str, ...]


def worth(table: Table, unit: str) -> Fraction:
    """What a unit is of a battalion: a company a third or a quarter (FT-30), a regiment more than one."""
    return stacking.weight(table, unit, nation_of(table, unit) == "german")


def can_split(table: Table, unit: str) -> bool:
    """Whether a regiment can break down here and now, to pay with one battalion."""
    parts = parts_of(table, unit)
    return bool(parts) and all(table.counters[part].place == COMPONENT for part in parts)


def pieces(table: Table, units: Sequence[str], split: bool = True) -> tuple[str, ...]:
    """What can pay: the units, but of a regiment that can break down its battalions in its place (breakdown.8)."""
    return tuple(one for unit in units for one in (parts_of(table, unit) if split and can_split(table, unit) else (unit,)))


def enough(table: Table, units: Iterable[str]) -> bool:
    """Whether units make up a battalion."""
    return sum((worth(table, unit) for unit in units), Fraction(0)) >= BATTALION


def cheapest(table: Table, units: Sequence[str], paid: Sequence[str] = ()) -> tuple[str, ...]:
    """The units that pay by default what those ``paid`` leave of a battalion; all, if they do not reach it."""
    if not enough(table, (*paid, *units)):
        return tuple(units)
    shares = {unit: worth(table, unit) for unit in units}
    need = BATTALION - sum(worth(table, unit) for unit in paid)
    most = ceil(need / min(shares.values()))
    sets = (chosen for n in range(1, most + 1) for chosen in combinations(sorted(units), n))
    reaching = (chosen for chosen in sets if need <= sum(shares[u] for u in chosen) < need + min(shares[u] for u in chosen))
    return min(_price(table, chosen) for chosen in reaching).units


def _price(table: Table, units: Sequence[str]) -> Price:
    return Price(sum(combat_value(table, u) for u in units), sum(value(table, u, "antitank") for u in units), tuple(units))


def choose(table: Table, units: Sequence[str], wanted: Sequence[str] = (), split: bool = True) -> tuple[str, ...]:
    """The units that pay: those wanted, in their order, and the cheapest besides; none that could be left out (FT-37). A regiment that is
    named pays with a battalion."""
    left = list(pieces(table, units, split))
    paid: list[str] = []
    for name in wanted:
        of = [part for part in parts_of(table, name) if part in left]
        unit = name if name in left else next(iter(of), None)
        if unit in left and not enough(table, paid):
            left.remove(unit)
            paid.append(unit)
    if not enough(table, paid):
        paid += cheapest(table, left, paid)
    for unit in reversed(tuple(paid)):
        rest = [other for other in paid if other != unit]
        if enough(table, rest):
            paid = rest
    return tuple(paid)


# -- the decision ----------------------------------------------------------------------------------------------------------------


def pay(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Units that are disrupted again lose a battalion, or companies to that size; their owner chooses where there is a choice."""
    units = current_payers(adj, work["units"])
    if not units:
        return
    could = pieces(adj, units)
    if not enough(adj, could) or len({_alike(adj, one) for one in could}) == 1:
        _lose(adj, units, choose(adj, units), work)  # nothing to choose
        return
    side = adj.counters[units[0]].side
    default = {"units": list(choose(adj, units)), "split": True}
    rule = {"name": "disrupted-again", "units": list(units)}
    adj.ask("disrupted", side, "disrupt.17", default, rule=rule, window="LOSSES", label=work["label"], context=dict(work))  # arttable.5


def _alike(table: Table, unit: str) -> tuple[Json, ...]:
    """What makes one unit as good as another to lose."""
    printed = [value(table, unit, name) for name in ("antitank", "combat", "ma", "range")]
    counter = table.counters[unit]
    return kind_of(table, unit), size_of(table, unit), formation_of(table, unit), *printed, counter.place, counter.marks


def check_loss(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless units that must pay are named, or at least how to pay; others are passed over."""
    given = read_args(Lose, args)
    units = current_payers(adj, decision.context["units"])
    named = () if given.units == CHEAPEST else tuple(given.units)
    known = {*units, *pieces(adj, units)}
    if given.mine or (named and not known & set(named)):
        raise IllegalOrder(decision.clause, "not-disrupted-again", units=list(named), choices=sorted(units))
    parts = [unit for unit in named if unit in known and unit not in units]
    if given.split is False and parts:
        raise IllegalOrder("breakdown.8", "part-of-regiment", units=parts)


def take_loss(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units go."""
    given = read_args(Lose, args)
    units = current_payers(adj, decision.context["units"])
    wanted = () if given.units == CHEAPEST else tuple(given.units)
    _lose(adj, units, choose(adj, units, wanted, given.split is not False), decision.context)


def _lose(adj: Adjudication, units: Sequence[str], lost: Sequence[str], work: Mapping[str, Json]) -> None:
    """Units die, their regiments broken down before."""
    for unit in units:
        if unit not in lost and set(parts_of(adj, unit)) & set(lost):
            break_down(adj, unit)  # breakdown.8
    for unit in lost:
        lose_unit(adj, unit, "disrupt.17", work["cause"], work["label"])


WORK = Work("Disrupted", pay)
ASK = Ask("disrupted", "LOSE", take_loss, check_loss)
"""Asked in the window ``LOSSES``, as the losses of combat are."""
