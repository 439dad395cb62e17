"""7. Morale, and what results of the tables do to units: one by one, in their owner's order, each at the level of that moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenarios.hexes import parse_hex
from services.rules.engine import beforehand
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.combat import Modifier
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import card, hex_of, units_at
from services.rules.engine.sequence import Ask, Work
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import orders
from services.rules.games.beda_fomm.retreat import check_retreat, eliminate, end_chain, fall, retreat, take_retreat
from services.rules.games.beda_fomm.state import is_armor, is_battalion, is_parked, morale, parent_of

RETREATS = 3
"""By how much a check may be failed for a retreat; by more the unit is eliminated (7.21, 7.22)."""


def severity(result: str) -> int:
    """How bad a result is: ``M`` 0, ``M2`` 2, ``E`` above all."""
    return 99 if result == "E" else int(result[1:] or 0)


# -- putting results on the agenda -----------------------------------------------------------------------------------------------


def push_results(adj: Adjudication, results: Mapping[str, str], *, label: str, cause: str, clause: str) -> None:
    """Units of one side suffer results of a table: unit -> ``M``, ``M1``.. or ``E``. ``cause``: a word for the events."""
    if results:
        adj.push("Results", label=label, cause=cause, clause=clause, results=dict(results), by=None)


def results(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Several results: their owner says in which order, if that can matter."""
    owed = {unit: result for unit, result in work["results"].items() if hex_of(adj, unit) is not None}
    sharing = _parked_in_company(adj, owed) if work["by"] is None else {}
    owed = {unit: result for unit, result in owed.items() if unit not in sharing}
    usual = _usual(adj, owed)
    context = {**work, "results": owed}
    if len(owed) < 2 or set(owed.values()) == {"E"} or _all_one(adj, owed):
        _one_by_one(adj, usual, context)
    else:
        side = adj.counters[usual[0]].side
        rule = {"name": "order", "units": usual}
        adj.ask("checks", side, "12.43a", {"units": usual}, label=work["label"], rule=rule, context=context)  # BF-R47
    for unit, others in sharing.items():
        adj.push("Fate", unit=unit, hex=str(hex_of(adj, unit)), others=others)


def _all_one(adj: Adjudication, owed: Mapping[str, str]) -> bool:
    """Whether the order cannot matter: units of one formation, alike in all that is printed, with one result. Their owner is asked all the
    same in tempo ``full``, and what he has said beforehand counts."""
    side = adj.counters[next(iter(owed))].side
    said = any(order.args.get("window") == "CHECKS" for _, order in beforehand.lines(adj, side))
    tail = adj.tails.get(side)
    said = said or (tail is not None and any(order.verb == orders.Checks.verb for order in tail.orders[:1]))
    alike = {tuple(sorted((key, str(value)) for key, value in card(adj, unit).values.items() if key != "label")) for unit in owed}
    parked = {is_parked(adj, unit) for unit in owed}
    return len(alike) == len(parked) == len(set(owed.values())) == 1 and not said and adj.options.get("tempo") != "full"


def _usual(table: Table, units: Iterable[str]) -> list[str]:
    """The order in which units are checked if their owner says nothing: battalions, armor, the others, by id (BF-R122)."""
    return sorted(units, key=lambda unit: (not is_battalion(table, unit), not is_armor(table, unit), unit))


def _one_by_one(adj: Adjudication, order: Iterable[str], work: Mapping[str, Json]) -> None:
    shared = {name: work[name] for name in ("label", "cause", "clause", "by")}
    for unit in order:
        adj.push("Result", unit=unit, result=work["results"][unit], **shared)  # 12.43a 7.0d


def check_order(_: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the answer names one of the units to be checked: any order is legal."""
    named = read_args(orders.Checks, args).units
    if not set(named) & set(decision.context["results"]):
        raise IllegalOrder("12.43a", "not-to-be-checked", units=list(named))


def take_order(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units are checked as their owner says; those he does not name come after."""
    owed = decision.context["results"]
    named = [unit for unit in dict.fromkeys(read_args(orders.Checks, args).units) if unit in owed]
    rest = [unit for unit in _usual(adj, owed) if unit not in named]
    _one_by_one(adj, (*named, *rest), decision.context)


# -- one unit --------------------------------------------------------------------------------------------------------------------


def result(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """One unit suffers its result; what is no longer on the map owes nothing, nor who has failed a check in this chain (12.45)."""
    unit, by = work["unit"], work["by"]
    if hex_of(adj, unit) is None or unit in failed(adj, by):
        return
    if work["result"] == "E":
        eliminate(adj, unit, work["clause"], work["cause"])
        return
    beyond = _check(adj, work, severity(work["result"]))
    if beyond <= 0:
        return
    fall(adj, unit, "7.31a")  # 7.31a
    if by is not None:
        adj.record("chain", "12.45a", {"unit": unit, "by": by}, changes=[ch.own("chain", by, [*failed(adj, by), unit])])
    if beyond > RETREATS:
        eliminate(adj, unit, "7.22a", work["cause"], morale=False)  # 7.22a 7.32a
    else:
        adj.push("Retreat", unit=unit, label=work["label"], cause=work["cause"], by=by)  # 7.21a


def _check(adj: Adjudication, work: Mapping[str, Json], n: int) -> int:
    """A morale check: by how much it is failed, 0 or less if it is passed."""
    unit, by = work["unit"], work["by"]
    parent = parent_of(adj, unit)
    level = morale(adj, parent)  # 7.0i
    modifiers = [Modifier(n, work["cause"], "7.0f").wire()] if n else []
    why, who = ("morale", unit) if by is None else ("chain", f"{unit} by {by}")
    dice = adj.roll("7.0e", why, 2, site=work["label"], who=who, modifiers=modifiers)  # 7.0e
    total = sum(dice) + n  # 7.0f
    data = {"unit": unit, "parent": parent, "level": level, "dice": list(dice), "n": n, "total": total, "by": by, "cause": work["cause"]}
    adj.record("morale_check", "7.0e", {**data, "passed": total <= level})  # 7.0g 7.0h
    return total - level


def failed(table: Table, by: str | None) -> list[str]:
    """The units that have failed a check in this chain of retreats because ``by`` came among them."""
    return list(table.own["chain"].get(by, ())) if by is not None else []


# -- parked units under fire with others (option, BF-R30) ------------------------------------------------------------------------


def _parked_in_company(table: Table, owed: Iterable[str]) -> dict[str, list[str]]:
    """By option, the parked units that have no result of their own but share the fate of the others in their hex, which are given."""
    if table.options.get("parked_in_company", "result") != "fate":
        return {}
    found = {}
    for unit in owed:
        where = hex_of(table, unit)
        assert where is not None
        others = [other for other in units_at(table, where) if other != unit]
        if is_parked(table, unit) and others:
            found[unit] = others
    return found


def fate(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A parked unit dies when a companion has died or retreated."""
    unit = work["unit"]
    where = parse_hex(work["hex"])
    if hex_of(adj, unit) == where and any(hex_of(adj, other) != where for other in work["others"]):
        eliminate(adj, unit, "9.46a", "companions")  # 9.46a


WORKS = (
    Work("Results", results),
    Work("Result", result),
    Work("Retreat", retreat),
    Work("ChainEnd", end_chain),
    Work("Fate", fate),
)
ASKS = (
    Ask("checks", "CHECKS", take_order, check_order),
    Ask("retreat", "RETREAT", take_retreat, check_retreat),
)
"""Every step whose results make checks needs these."""
