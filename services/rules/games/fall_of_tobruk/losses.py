"""Which units are removed where some of a side must be: so many printed combat factors in combat, a battalion or companies of its size by
disruption; regiments that can break down pay in battalions (crt.aelim.1, crt.exch.2, disrupt.17, breakdown.8; FT-30, FT-36 to FT-38)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, Exact, IllegalOrder, Json
from services.rules.engine.positions import hex_of
from services.rules.engine.sequence import Ask, Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.orders import Lose
from services.rules.games.fall_of_tobruk.regiments import break_down, parts_of
from services.rules.games.fall_of_tobruk.stacking import weight
from services.rules.games.fall_of_tobruk.state import COMPONENT, attacks, combat_value, nation_of, value
from services.rules.games.fall_of_tobruk.wrecks import lose_unit

COMBAT, BATTALIONS = "combat", "battalions"
"""What a loss is measured by: printed combat factors, or size."""
CHEAPEST = "CHEAPEST"

# -- what units count ------------------------------------------------------------------------------------------------------------


def worth(table: Table, unit: str, measure: str) -> Exact:
    """What a unit counts for losses: its printed combat factor, whatever the combat made of it; or its size in battalions."""
    if measure == COMBAT:
        return combat_value(table, unit)  # crt.loss.1
    return weight(table, unit, nation_of(table, unit) == "german")  # arttable.5


def total(table: Table, units: Iterable[str], measure: str = COMBAT) -> Exact:
    """What units count together."""
    return sum((worth(table, unit, measure) for unit in units), Fraction(0))


def can_split(table: Table, unit: str) -> bool:
    """Whether a regiment can break down here and now."""
    parts = parts_of(table, unit)
    return bool(parts) and all(table.counters[one].place == COMPONENT for one in parts)


def present(table: Table, units: Iterable[str]) -> tuple[str, ...]:
    """Those of the units that are on the map, for a regiment that has broken down its battalions."""
    found: list[str] = []
    for unit in units:
        if hex_of(table, unit) is not None:
            found.append(unit)
        elif table.counters[unit].place == COMPONENT:
            found += [one for one in parts_of(table, unit) if hex_of(table, one) is not None]
    return tuple(dict.fromkeys(found))


# -- which units go --------------------------------------------------------------------------------------------------------------


class Payment(NamedTuple):
    """Units that are removed: printed combat factors, antitank factors and which they are. The least one is the default (FT-37)."""

    combat: int
    antitank: int
    units: tuple[str, ...]

    def plus(self, other: Payment) -> Payment:
        """Both together."""
        return Payment(self.combat + other.combat, self.antitank + other.antitank, tuple(sorted((*self.units, *other.units))))


NOTHING = Payment(0, 0, ())


class Purse:
    """What a side can still pay with: its units, and the battalions that its regiments can break down into."""

    def __init__(self, table: Table, units: Sequence[str], measure: str, split: bool) -> None:
        self.parts = {unit: parts_of(table, unit) if split and can_split(table, unit) else () for unit in units}
        self.parent = {part: unit for unit, parts in self.parts.items() for part in parts}
        pieces = (*units, *self.parent)
        self.worth = {unit: worth(table, unit, measure) for unit in pieces}
        self.price = {unit: Payment(combat_value(table, unit), value(table, unit, "antitank"), (unit,)) for unit in pieces}
        self.left = list(units)
        self.paid: list[str] = []

    def ways(self, unit: str) -> list[tuple[str, ...]]:
        """The ways to lose a unit, or part of it."""
        parts = self.parts.get(unit, ())
        return [(unit,), *(some for n in range(1, len(parts)) for some in combinations(parts, n))]

    def sum_of(self, units: Iterable[str]) -> Exact:
        """What units count together."""
        return sum((self.worth[unit] for unit in units), Fraction(0))

    def cheapest(self, need: Exact) -> tuple[str, ...]:
        """Those of the units left that reach ``need`` at the least price; all that are left if none do."""
        best: dict[Exact, Payment] = {Fraction(0): NOTHING}
        for unit in sorted(self.left):
            for counts, before in list(best.items()):
                for some in self.ways(unit) if counts < need else ():
                    reached = min(counts + self.sum_of(some), need)
                    made = before
                    for one in some:
                        made = made.plus(self.price[one])
                    if reached not in best or made < best[reached]:
                        best[reached] = made
        return best[need].units if need in best else tuple(self.left)

    def pay(self, unit: str) -> None:
        """Remove a unit, or a battalion, of which the regiment then breaks down; not one that is not there."""
        parent = self.parent.get(unit)
        if parent in self.left and unit not in self.left:
            self.left = [*(other for other in self.left if other != parent), *self.parts[parent]]
        if unit in self.left:
            self.left.remove(unit)
            self.paid.append(unit)

    def thrift(self, need: Exact) -> tuple[str, ...]:
        """What has been paid, without units that need not have been, the last first; a regiment whose battalions all go goes whole."""
        kept = list(self.paid)
        for unit in reversed(self.paid):
            if self.sum_of(other for other in kept if other != unit) >= need:
                kept.remove(unit)
        for unit, parts in self.parts.items():
            if parts and set(parts) <= set(kept):
                kept = [unit, *(other for other in kept if other not in parts)]
        return tuple(kept)


def choose(
    table: Table, units: Sequence[str], need: Exact, measure: str = COMBAT, wanted: Sequence[str] = (), split: bool = True
) -> tuple[str, ...]:
    """The units that pay ``need``, or battalions of regiments that break down for it: those wanted in their order, and what these leave at
    the least price; never one more than reaches it (FT-37). All, if they count no more."""
    if total(table, units, measure) <= need:
        return tuple(units)
    purse = Purse(table, units, measure, split)
    for unit in wanted:
        owed = need - purse.sum_of(purse.paid)
        if owed <= 0:
            break
        if unit in purse.left and purse.parts.get(unit):
            enough = [some for some in purse.ways(unit) if purse.sum_of(some) >= owed]
            for part in min(enough, key=lambda some: (purse.sum_of(some), some)) if enough else (unit,):
                purse.pay(part)
        else:
            purse.pay(unit)
    owed = need - purse.sum_of(purse.paid)
    if owed > 0:
        for unit in purse.cheapest(owed):
            purse.pay(unit)
    return purse.thrift(need)


def forced(table: Table, units: Sequence[str], need: Exact, measure: str) -> bool:
    """Whether there is but one set that pays: none of its pieces could be spared if all others went."""
    pieces = [part for unit in units for part in (parts_of(table, unit) if can_split(table, unit) else (unit,))]
    everything = total(table, pieces, measure)
    lost = [part for unit in choose(table, units, need, measure) for part in (parts_of(table, unit) if can_split(table, unit) else (unit,))]
    return all(everything - worth(table, part, measure) < need for part in lost)


# -- the decision ----------------------------------------------------------------------------------------------------------------


def owe(
    adj: Adjudication,
    units: Iterable[str],
    need: int,
    clause: str,
    cause: str,
    *,
    measure: str = COMBAT,
    label: str | None = None,
    result: str = "",
) -> None:
    """Push the work by which the owner of ``units`` removes some that count ``need``, all if they count no more. Disruption: ``need`` 1,
    ``measure`` ``BATTALIONS``, ``units`` those of one side that are disrupted. ``cause``: as ``wrecks.lose_unit`` takes it."""
    work = {"units": list(units), "need": need, "measure": measure, "clause": clause, "cause": cause, "label": label, "result": result}
    adj.push("Losses", **work)


def losses(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """One side must remove units; its owner chooses, where there is a choice."""
    units = present(adj, work["units"])
    need, measure = int(work["need"]), str(work["measure"])
    lost = choose(adj, units, need, measure)
    if total(adj, units, measure) <= need or forced(adj, units, need, measure):
        _remove(adj, units, lost, work)
        return
    default = {"units": list(lost), "split": True}
    rule = {"name": "losses", "units": list(units), "need": need, "measure": measure}
    side = adj.counters[units[0]].side
    context = {**work, "units": list(units)}
    adj.ask("losses", side, work["clause"], default, rule=rule, label=work["label"], context=context)


def check_losses(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless units that may go are named, or at least how to pay; others are passed over."""
    given = read_args(Lose, args)
    if given.mine:
        raise IllegalOrder(decision.clause, "nothing-to-answer", verb=decision.verb, step=adj.slot.step.name)
    units = present(adj, decision.context["units"])
    parts = {part for unit in units if can_split(adj, unit) for part in parts_of(adj, unit)}
    named = wanted(given)
    if named and not {*units, *parts} & {*named}:
        raise stranger(adj, decision, named)
    if given.split is False and parts & {*named}:
        raise IllegalOrder("breakdown.8", "battalion-of-regiment", units=[unit for unit in named if unit in parts])  # breakdown.8


def wanted(given: Lose) -> tuple[str, ...]:
    """The units that an answer names, in its order; none for ``CHEAPEST``."""
    return () if isinstance(given.units, str) else given.units


def take_losses(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units go."""
    given, context = read_args(Lose, args), decision.context
    units = present(adj, context["units"])
    lost = choose(adj, units, int(context["need"]), str(context["measure"]), wanted(given), given.split is not False)
    _remove(adj, units, lost, context)


def _remove(adj: Adjudication, units: Sequence[str], lost: Sequence[str], work: Mapping[str, Json]) -> None:
    """Units go; regiments break down first of which battalions go."""
    for unit in units:
        if unit not in lost and set(parts_of(adj, unit)) & set(lost):
            break_down(adj, unit)  # breakdown.8
    for unit in lost:
        lose_unit(adj, unit, work["clause"], work["cause"], work["label"])


def stranger(adj: Adjudication, decision: Decision, units: Sequence[str]) -> IllegalOrder:
    """Why a line that names none of the units asked for is no answer. One for an attack that is over falls through, and stops no script."""
    done: list[Mapping[str, Any]] = [one for one in attacks(adj) if one["done"] and one["label"] != decision.label]
    past = {unit for one in done for unit in (*one["units"], *one["defenders"])}
    if units and past.issuperset(units):
        return IllegalOrder(decision.clause, "nothing-to-answer", verb=decision.verb, step=adj.slot.step.name)
    return IllegalOrder(decision.clause, "not-in-battle", units=list(units), battle=decision.label)


LOSSES = Work("Losses", losses)
"""The work item; a step that can push it lists it, and the decision."""
ASK_LOSSES = Ask("losses", "LOSE", take_losses, check_losses)
