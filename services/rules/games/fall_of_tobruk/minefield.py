"""Tanks in minefields: the roll for losses as they attack, retreat or advance across mines, and the roll that follows for a stall.

The work ``Mines``: ``label``, ``how`` (``attack``, ``retreat``, ``advance``), ``units`` (the tanks that cross), ``site`` (where, for the
dice), ``then`` (the work that goes on: its kind and what it needs)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, Json
from services.rules.engine.positions import hex_of
from services.rules.engine.sequence import Ask, Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.assault import changed
from services.rules.games.fall_of_tobruk.losses import stranger, wanted
from services.rules.games.fall_of_tobruk.orders import Lose
from services.rules.games.fall_of_tobruk.state import combat_value, is_tank, value
from services.rules.games.fall_of_tobruk.wrecks import lose_unit

ATTACK, RETREAT, ADVANCE = "attack", "retreat", "advance"
CLAUSES = {ATTACK: "minefields.8", RETREAT: "minefields.16", ADVANCE: "minefields.18"}


def tanks(table: Table, units: Iterable[str]) -> list[str]:
    """The tanks among units, those that are not on the map any more left out."""
    return [unit for unit in units if is_tank(table, unit) and hex_of(table, unit) is not None]


def cross(adj: Adjudication, how: str, label: str, units: Sequence[str], site: str, then: tuple[str, Mapping[str, Json]]) -> None:
    """Push the roll for tanks that cross mines, and after it ``then``; that alone if there are none among the units."""
    crossing = tanks(adj, units)
    if crossing:
        adj.push("Mines", label=label, how=how, units=crossing, site=site, then=[then[0], dict(then[1])])
    else:
        adj.push(then[0], **then[1])


def mines(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """One die for all tanks that cross here (FT-43); their owner says which are lost."""
    how, crossing = str(work["how"]), tanks(adj, work["units"])
    if not crossing:  # disruption has killed them before
        _go_on(adj, work)
        return
    clause = CLAUSES[how]
    (die,) = adj.roll(clause, "mines", site=str(work["site"]), who=min(crossing))
    lost = min(len(crossing), losses_of(adj, die))
    data = {"label": work["label"], "how": how, "tanks": crossing, "die": die, "lost": lost}
    adj.record("mine_roll", clause, data)
    if lost == 0:
        _go_on(adj, work)
    elif lost == len(crossing):
        _lose(adj, crossing, work)
    else:
        side = adj.counters[crossing[0]].side
        choice = choose(adj, crossing, lost)
        rule = {"name": "mine-losses", "units": crossing, "need": lost}
        context = {**work, "units": crossing, "lost": lost}
        more = {"rule": rule, "label": work["label"], "context": context}
        adj.ask("mine losses", side, "minefields.10", {"units": list(choice), "mine": True}, window="MINE-LOSSES", **more)


def losses_of(table: Table, die: int) -> int:
    """How many tanks a die loses."""
    row = next(row for row in table.data.charts["mines"] if int(row["die"]) == die)
    return int(row["losses"])  # minefields.9 minefields.10 minefields.11 minetable.1 minetable.2 minetable.3


def choose(table: Table, units: Sequence[str], count: int, named: Sequence[str] = ()) -> tuple[str, ...]:
    """The tanks that are lost: those named, in their order, then those of the least combat factor, antitank factor and id."""
    first = [unit for unit in dict.fromkeys(named) if unit in units]
    others = sorted(
        (unit for unit in units if unit not in first), key=lambda unit: (combat_value(table, unit), value(table, unit, "antitank"), unit)
    )
    return tuple([*first, *others][:count])


def check_mine_losses(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless tanks that may be lost are named, or none at all; others are passed over."""
    named = wanted(read_args(Lose, args))
    if named and not set(named) & set(decision.context["units"]):
        raise stranger(adj, decision, named)


def take_mine_losses(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The tanks are lost."""
    context = decision.context
    named = wanted(read_args(Lose, args))
    _lose(adj, choose(adj, context["units"], int(context["lost"]), named), {name: context[name] for name in context if name != "lost"})


def _lose(adj: Adjudication, lost: Iterable[str], work: Mapping[str, Json]) -> None:
    """The tanks become wrecks on the near side; an attack or an advance may stall for it, a retreat goes on."""
    for unit in lost:
        lose_unit(adj, unit, CLAUSES[str(work["how"])], "mines", work["label"])
    if work["how"] == RETREAT:
        _go_on(adj, work)
    else:
        adj.push("Stall", **work)  # stall.1


def stall(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """One die: an attack that stalls is not resolved on the table, an advance that stalls ends before the mines."""
    how, label = str(work["how"]), str(work["label"])
    clause = "stall.1" if how == ATTACK else "minefields.19"
    (die,) = adj.roll(clause, "stall", site=str(work["site"]), who=min(work["units"]))
    row = next(row for row in adj.data.charts["stall"] if int(row["die"]) == die)
    stalls = row["result"] == "stalls"  # stall.2 minetable.4
    if how == ATTACK:
        changes = [changed(adj, label, stalled=stalls)]
        adj.record("stalled" if stalls else "not_stalled", "stall.2", {"label": label, "how": how, "die": die}, changes=changes)
        _go_on(adj, work)
        return
    adj.record("stalled" if stalls else "not_stalled", "minefields.20", {"label": label, "how": how, "die": die})
    if not stalls:  # minefields.20
        _go_on(adj, work)  # minefields.21


def _go_on(adj: Adjudication, work: Mapping[str, Json]) -> None:
    kind, args = work["then"]
    adj.push(kind, **args)


WORKS: tuple[Work, ...] = (Work("Mines", mines), Work("Stall", stall))
ASK_MINE_LOSSES: Ask = Ask("mine losses", "LOSE", take_mine_losses, check_mine_losses)
