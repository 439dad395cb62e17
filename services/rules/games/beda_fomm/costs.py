"""9.1 What a step costs, and who can pay for it. MP are counted in halves inside, and given out exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Json, Side
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.state import interdicted, spent, value


@dataclass(frozen=True, slots=True)
class Price:
    """What each unit pays for one hex in half MP, and how much of it is for interdiction (``fire``)."""

    costs: Mapping[str, int]
    fire: int


def surcharge(table: Table, side: Side, to: Hex) -> int:
    """Half MP that enemy interdiction adds to a hex for units of ``side`` (10.42)."""
    found = interdicted(table).get(str(to))
    return 2 * int(found["factors"]) if found and found["side"] != side else 0  # 10.42a 10.42b 10.42c BF-R22


def price(table: Table, units: Sequence[str], at: Hex, to: Hex) -> Price:
    """What each unit pays for a step that its terrain allows (BF-R19)."""
    steps, fire = ground(table).steps, surcharge(table, table.counters[units[0]].side, to)  # 9.0e
    return Price({unit: steps[column_of(table, unit)][at, to] + fire for unit in units}, fire)


def entry_price(table: Table, unit: str, at: Hex) -> Price | None:
    """What an arrival pays for the hex where it comes in; None where its class may not (15.0b)."""
    cost = ground(table).enters[column_of(table, unit)].get(at)
    fire = surcharge(table, table.counters[unit].side, at)  # BF-R42
    return None if cost is None else Price({unit: cost + fire}, fire)


def allowance(table: Table, unit: str) -> int:
    """Half MP of a unit's movement allowance, for this phase alone and itself alone (9.0c, 9.0d)."""
    return 2 * value(table, unit, "ma")


def half_spent(table: Table, unit: str) -> int:
    """Half MP that a unit has spent in this movement phase."""
    return int(2 * spent(table, unit))


def affords(table: Table, unit: str, cost: int, fire: int, budget: int, only: bool) -> bool:
    """Whether a unit can take a step: it has the MP, or it may always make one hex (9.12, 10.44, BF-R08).

    ``fire``: what of ``cost`` is for interdiction.  ``only``: the step is its only move of the phase."""
    if cost <= budget:
        return True  # 9.0b
    if not only:
        return False
    if "in-zoc" not in table.counters[unit].marks:
        return True  # 9.12a 9.12d
    return table.options.get("one_hex", "anywhere") == "anywhere" and cost - fire <= budget  # 10.44a


def figures(table: Table, unit: str, cost: int) -> Mapping[str, Json]:
    """The numbers that a refusal quotes: MP needed in all (from half MP), and the allowance."""
    return {"cost": print_exact(Fraction(cost, 2)), "allowance": value(table, unit, "ma")}
