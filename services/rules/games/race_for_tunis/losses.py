"""9.3 Removing losses, with 11.2.B: battalions that break down to pay exactly. Losses are sums of printed values (10.1.E, RT-20, RT-29)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.companies import at_hand, break_down
from services.rules.games.race_for_tunis.orders import Lose
from services.rules.games.race_for_tunis.state import attack_value, battles, defence_value, is_artillery, removed

ATTACKER, DEFENDER = "attacker", "defender"
ROLES = {ATTACKER: "units", DEFENDER: "defenders"}
"""The two sides of a battle, and where it keeps their units."""


def find(table: Table, label: str) -> Mapping[str, Any]:
    """The battle of a label. StopIteration if there is none (our bug)."""
    return next(one for one in battles(table) if one["label"] == label)


def spelt(result: str) -> str:
    """A result of the table as orders name it: ``EX`` for Ex."""
    return result.upper()


def members(table: Table, one: Mapping[str, Any], role: str) -> tuple[str, ...]:
    """The units of one side of a battle that are on the map."""
    return tuple(unit for unit in one[ROLES[role]] if hex_of(table, unit) is not None)


def stranger(adj: Adjudication, decision: Decision, units: Sequence[str]) -> IllegalOrder:
    """Why a line that names none of the units asked for is no answer. One for a battle that is over falls through, and stops no script."""
    past = {unit for one in battles(adj) for name in ROLES.values() for unit in one[name] if one["done"] and one["label"] != decision.label}
    if units and past.issuperset(units):
        return IllegalOrder(decision.clause, "nothing-to-answer", verb=decision.verb, step=adj.slot.step.name)
    return IllegalOrder(decision.clause, "not-in-battle", units=list(units), battle=decision.label)


def eliminate(adj: Adjudication, unit: str, clause: str, cause: str, label: str) -> None:
    """A unit is removed from play by a battle."""
    data = {"unit": unit, "hex": str(hex_of(adj, unit)), "cause": cause, "label": label}
    adj.record("eliminated", clause, data, changes=removed(adj, unit))


# -- what units count ------------------------------------------------------------------------------------------------------------


def loss_value(table: Table, unit: str, role: str) -> int:
    """What a unit counts for losses: printed, whatever terrain made of it; artillery without other company 1 (9.3-1, RT-28, RT-29)."""
    if role == ATTACKER:
        return attack_value(table, unit)
    at = hex_of(table, unit)
    if is_artillery(table, unit) and at is not None and all(is_artillery(table, other) for other in units_at(table, at)):
        return int(table.data.charts["costs"]["combat"]["lone_gun"])  # 10.4.A-2
    return defence_value(table, unit)


def total(table: Table, units: Iterable[str], role: str) -> int:
    """What units count together; guns in support are not among them (10.1.E)."""
    return sum(loss_value(table, unit, role) for unit in units)


# -- which units go --------------------------------------------------------------------------------------------------------------


class Payment(NamedTuple):
    """Units that are removed: their sum, battalions broken down for it, counters, and which they are. The least one is the default."""

    total: int
    splits: int
    pieces: int
    units: tuple[str, ...]

    def plus(self, other: Payment) -> Payment:
        """Both together."""
        return Payment(self.total + other.total, self.splits + other.splits, self.pieces + other.pieces, self.units + other.units)


NOTHING = Payment(0, 0, 0, ())


class Purse:
    """What one side can still pay with: its units, and the companies that its battalions can break down into."""

    def __init__(self, table: Table, units: Sequence[str], role: str, split: bool) -> None:
        self.worth = {unit: loss_value(table, unit, role) for unit in units}
        self.companies = {unit: at_hand(table, unit) if split else () for unit in units}
        self.parent = {part: unit for unit, parts in self.companies.items() for part in parts}
        self.worth |= {part: loss_value(table, part, role) for part in self.parent}
        self.left = list(units)
        self.paid: list[str] = []

    def ways(self, unit: str) -> list[Payment]:
        """The ways to lose a unit, or part of it."""
        parts = self.companies.get(unit, ())
        some = [chosen for n in range(1, len(parts)) for chosen in combinations(parts, n)]
        return [
            Payment(self.worth[unit], 0, 1, (unit,)),
            *(Payment(sum(self.worth[part] for part in chosen), 1, len(chosen), chosen) for chosen in some),
        ]

    def cheapest(self, need: int) -> tuple[str, ...]:
        """The least sum of units left that reaches ``need``; all that are left if none does (RT-30)."""
        best = {0: NOTHING}
        for unit in sorted(self.left):
            for before in list(best.values()):
                if before.total >= need:
                    continue
                for more in self.ways(unit):
                    made = before.plus(more)
                    if made.total not in best or made < best[made.total]:
                        best[made.total] = made
        reaching = [sum_ for sum_ in best if sum_ >= need]
        return best[min(reaching)].units if reaching else tuple(self.left)

    def pay(self, unit: str) -> None:
        """Remove a unit, or a company, of which the battalion then breaks down; not one that is not there."""
        parent = self.parent.get(unit)
        if parent in self.left and unit not in self.left:
            self.left = [*(other for other in self.left if other != parent), *self.companies[parent]]
        if unit in self.left:
            self.left.remove(unit)
            self.paid.append(unit)

    def owed(self, need: int) -> int:
        """What is still to be paid of ``need``."""
        return need - sum(self.worth[unit] for unit in self.paid)

    def thrift(self, need: int) -> tuple[str, ...]:
        """What has been paid, without units that need not have been, the last first; a battalion whose companies all go goes whole."""
        kept = list(self.paid)
        for unit in reversed(self.paid):
            if sum(self.worth[other] for other in kept if other != unit) >= need:
                kept.remove(unit)
        for unit, parts in self.companies.items():
            if parts and set(parts) <= set(kept):
                kept = [unit, *(other for other in kept if other not in parts)]
        return tuple(kept)


def choose(table: Table, units: Sequence[str], role: str, need: int, wanted: Sequence[str] = (), split: bool = True) -> tuple[str, ...]:
    """The units that pay ``need``, or companies of battalions that break down for it: those wanted in their order, and what these leave by
    the least sum; never one more than reaches it (RT-30). All, if they count no more."""
    purse = Purse(table, units, role, split)
    for unit in wanted:
        owed = purse.owed(need)
        if owed <= 0:
            break
        if unit in purse.left and purse.companies.get(unit):
            enough = [way for way in purse.ways(unit) if way.total >= owed]
            for part in min(enough).units if enough else (unit,):
                purse.pay(part)  # 11.2.B-2
        else:
            purse.pay(unit)
    owed = purse.owed(need)
    if owed > 0:
        for unit in purse.cheapest(owed):
            purse.pay(unit)
    return purse.thrift(need)


# -- the decision ----------------------------------------------------------------------------------------------------------------


def losses(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """One side of a battle must remove units of a total; its owner chooses, where there is a choice."""
    one = find(adj, work["label"])
    role, need = str(work["role"]), int(work["need"])
    units = members(adj, one, role)
    if total(adj, units, role) <= need:  # 9.1.1-2
        _remove(adj, one, role, units)
        return
    side = adj.counters[units[0]].side
    default = {"units": list(choose(adj, units, role, need)), "split": True}
    context = {**work, "result": spelt(one["result"])}
    rule = {"name": "losses", "units": list(units), "need": need}
    adj.ask("losses", side, _clause(one["result"], role), default, rule=rule, label=one["label"], context=context)


def _clause(result: str, role: str) -> str:
    if result == "AE":
        return "9.1.1-1"
    return "9.1.5.A-2" if role == ATTACKER else "9.1.5.B-2"


def check_losses(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless units of the battle are named, or at least how to pay; those not in it are passed over."""
    given = read_args(Lose, args)
    one = find(adj, decision.context["label"])
    units = members(adj, one, decision.context["role"])
    parts = {part for unit in units for part in at_hand(adj, unit)}
    if given.units and not {*units, *parts} & {*given.units}:
        raise stranger(adj, decision, given.units)
    if given.split is False and any(unit in parts for unit in given.units):
        raise IllegalOrder("11.2.B-2", "company-of-battalion", units=[unit for unit in given.units if unit in parts])


def take_losses(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units go; battalions break down first of which companies go (11.2.B-2)."""
    given = read_args(Lose, args)
    role, need = decision.context["role"], decision.context["need"]
    one = find(adj, decision.context["label"])
    units = members(adj, one, role)
    lost = choose(adj, units, role, need, given.units, given.split is not False)
    for unit in units:
        if unit not in lost and set(at_hand(adj, unit)) & set(lost):
            break_down(adj, unit)
    _remove(adj, one, role, lost)


def _remove(adj: Adjudication, one: Mapping[str, Any], role: str, units: Iterable[str]) -> None:
    for unit in units:
        eliminate(adj, unit, _clause(one["result"], role), "losses", one["label"])
