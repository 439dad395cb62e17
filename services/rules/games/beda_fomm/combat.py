"""12.0 The Regular Combat Phase: its steps, the combats fought one by one, and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.hexes import parse_hex
from services.rules.engine import beforehand
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json, Side
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.sequence import NON_PHASING, PHASING, Ask, Mode, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import advance, checks, declaration, orders, support_default
from services.rules.games.beda_fomm.crt import column_at, crt
from services.rules.games.beda_fomm.declaration import attackers, strengths
from services.rules.games.beda_fomm.guns import factor_at
from services.rules.games.beda_fomm.retreat import eliminate
from services.rules.games.beda_fomm.state import combat_factor, dark, declared, hushed, is_parked

VOID = "VOID"
"""The result of a combat that does not take place, for guards."""

# -- which is next ---------------------------------------------------------------------------------------------------------------


def open_combats(table: Table) -> list[Mapping[str, Any]]:
    """The combats that have not been fought."""
    return [one for one in declared(table) if not one["done"]]


def begin(adj: Adjudication) -> None:
    """The first combat is taken up."""
    if open_combats(adj):
        adj.push("NextCombat")


def next_combat(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """The next combat: as ordered by RESOLVE, else in the order of the declaration (12.0n). It is asked for in tempo ``full`` only, or
    where orders for it are given."""
    left = open_combats(adj)
    if not left:
        return
    side = adj.phasing
    assert side is not None
    tail = adj.tails.get(side)
    line = tail.orders[0] if tail and tail.orders and tail.orders[0].verb == orders.Resolve.verb else None
    if len(left) == 1:
        chosen = line is not None and _find(adj, line.args["battle"]) is not None  # the line is read though there is no choice
    else:
        chosen = line is not None or adj.options.get("tempo") == "full" or _given_beforehand(adj, side)
    if chosen:
        labels = [one["label"] for one in left]
        adj.ask("combat", side, "12.0n", {"battle": labels[0]}, rule={"name": "combat", "battles": labels})
    else:
        adj.push("Fight", label=left[0]["label"])


def _given_beforehand(adj: Adjudication, side: Side) -> bool:
    """Whether an ``ON`` line or a standing order of a side speaks of the order of combats."""
    lines = [order for _, order in beforehand.lines(adj, side)]
    return any(one.args.get("window") == "COMBAT" or (one.then is not None and one.then.verb == orders.Resolve.verb) for one in lines)


def check_resolve(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless a combat of that label or hex is still to be fought."""
    if _find(adj, read_args(orders.Resolve, args).battle) is None:
        raise IllegalOrder("12.0n", "no-such-combat", battle=args["battle"], open=[one["label"] for one in open_combats(adj)])


def take_resolve(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """That combat is fought."""
    found = _find(adj, args["battle"])
    assert found is not None
    adj.push("Fight", label=found["label"])


def _find(table: Table, battle: str) -> Mapping[str, Any] | None:
    return next((one for one in open_combats(table) if battle in (one["label"], one["hex"])), None)


# -- one combat ------------------------------------------------------------------------------------------------------------------


def fight(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A combat is fought on the position left by those before it (12.0w): one die, then the result on either side."""
    one = next(c for c in open_combats(adj) if c["label"] == work["label"])
    at = parse_hex(one["hex"])
    ours = attackers(adj, one)
    theirs = tuple(unit for unit in units_at(adj, at) if adj.counters[unit].side != adj.phasing)
    if not ours or not theirs:
        data = {"label": one["label"], "hex": one["hex"], "why": "no-attackers" if theirs else "no-defenders"}
        adj.record("combat_void", "12.0w", data, changes=_fought(adj, one["label"]))  # BF-R75 BF-R76
        adj.result(one["label"], VOID)
    elif len(theirs) == 1 and is_parked(adj, theirs[0]):
        _take_parked(adj, one, theirs[0])
    else:
        result = _roll(adj, one, ours, theirs)
        _affect(adj, one, result, ours if result.startswith("A") else theirs)
    adj.push("NextCombat")


def _take_parked(adj: Adjudication, one: Mapping[str, Any], unit: str) -> None:
    """A parked transport alone is eliminated without a die (9.45, BF-R33)."""
    data = {"label": one["label"], "hex": one["hex"], "unit": unit}
    adj.record("parked_taken", "9.45a", data, changes=_fought(adj, one["label"]))
    adj.result(one["label"], "DE")
    eliminate(adj, unit, "9.45a", "combat")  # 9.45a
    adj.push("Aftermath", label=one["label"], hex=one["hex"], units=list(attackers(adj, one)), result="DE")


def _fought(table: Table, label: str) -> list[Any]:
    return [ch.own("declared", [{**one, "done": one["done"] or one["label"] == label} for one in declared(table)])]


def _roll(adj: Adjudication, one: Mapping[str, Any], ours: Sequence[str], theirs: Sequence[str]) -> str:
    at = parse_hex(one["hex"])
    attack, defence = strengths(adj, one)
    printed, column = column_at(adj, attack, defence)
    data = {
        "label": one["label"],
        "hex": one["hex"],
        "side": adj.phasing,
        "attackers": [{"unit": unit, "from": str(hex_of(adj, unit)), "cf": combat_factor(adj, unit)} for unit in ours],
        "defenders": [{"unit": unit, "cf": combat_factor(adj, unit)} for unit in theirs],
        "support": [{"unit": gun, "factor": factor_at(adj, gun, at)} for gun in one["support"] if hex_of(adj, gun)],
        "defence_support": [{"unit": gun, "factor": factor_at(adj, gun, at)} for gun in one["defence"] if hex_of(adj, gun)],
        "attack": attack,
        "defence": defence,
        "odds": printed,
    }
    adj.record("battle", "12.0o", data, changes=_fought(adj, one["label"]))  # 12.0p 12.0q
    die = adj.roll("12.0s", "combat", site=one["hex"])[0]  # 12.0s
    result = crt(adj).result(column, die)
    adj.result(one["label"], result)
    adj.record("result", "12.0t", {"label": one["label"], "hex": one["hex"], "odds": printed, "die": die, "result": result})
    return result


def _affect(adj: Adjudication, one: Mapping[str, Any], result: str, units: Sequence[str]) -> None:
    """The result falls on every unit of that side in the combat, guns in support apart (12.0t, 12.0u, 12.0v, BF-R72, BF-R78)."""
    fate = result[1:]
    if fate == "E" and adj.options.get("elimination", "all") == "one" and len(units) > 1:
        ask_casualty(adj, one, units)
    else:
        checks.push_results(adj, dict.fromkeys(units, fate), label=one["label"], cause="combat", clause="12.0u")
    adj.push("Aftermath", label=one["label"], hex=one["hex"], units=list(attackers(adj, one)), result=result)


def ask_casualty(adj: Adjudication, one: Mapping[str, Any], units: Sequence[str]) -> None:
    """By option an elimination takes one unit, of its owner's choice: the least worth unless he says otherwise (BF-R78). Where parked
    units have no result of their own but share that of the others (BF-R30), it is one of these."""
    sharing = [unit for unit in units if is_parked(adj, unit)] if adj.options.get("parked_in_company") == "fate" else []
    ranked = sorted((unit for unit in units if unit not in sharing), key=lambda unit: (combat_factor(adj, unit), unit))
    choices = tuple({"units": [unit]} for unit in ranked)
    context = {"result": "E", "sharing": sharing}
    adj.ask("casualty", adj.counters[units[0]].side, "12.0u", choices[0], choices=choices, label=one["label"], context=context)


def take_casualty(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """That unit is eliminated."""
    lost = dict.fromkeys((args["units"][0], *decision.context["sharing"]), "E")
    checks.push_results(adj, lost, label=str(decision.label), cause="combat", clause="12.0u")


# -- the steps -------------------------------------------------------------------------------------------------------------------


def may_attack_now(table: Table) -> bool:
    """Whether regular combat takes place: by day, and not by the Italians in their opening player-turns (13.0a, 16.2)."""
    return not dark(table) and not hushed(table)  # 13.0c 16.2a


def _no_target(table: Table, side: Side) -> bool:
    return not declaration.targets(table, side)


def _no_support(table: Table, side: Side) -> bool:
    return not declaration.can_support(table, side)


def any_declared(table: Table) -> bool:
    """Whether attacks have been declared."""
    return bool(declared(table))


STEPS = (
    Step(
        declaration.DECLARATION,
        "12.0d",
        PHASING,
        Mode.SET,
        accepts=(
            on(
                orders.Attack,
                declaration.declare,
                check=declaration.check_attack,
                subject=declaration.subject,
                units=lambda args: (*args.units, *args.support),
            ),
            on(
                orders.Support,
                declaration.add_offensive,
                check=declaration.check_offensive,
                subject=declaration.subject,
                units=lambda args: args.guns,
            ),
        ),
        when=may_attack_now,
        idle=_no_target,
        duty=declaration.closure,
        meet=declaration.drop_open,
        groups=declaration.by_duty,
    ),
    Step(
        declaration.DEFENSIVE,
        "12.36a",
        NON_PHASING,
        Mode.SET,
        accepts=(
            on(
                orders.Support,
                declaration.add_defensive,
                check=declaration.check_defensive,
                subject=declaration.subject,
                units=lambda args: args.guns,
            ),
        ),
        when=any_declared,
        idle=_no_support,
        default=support_default.give,
    ),
    Step(
        "combat",
        "12.0n",
        PHASING,
        Mode.ASK,
        resolves=(Work("NextCombat", next_combat), Work("Fight", fight), Work("Aftermath", advance.aftermath), *checks.WORKS),
        asks=(
            Ask("combat", "RESOLVE", take_resolve, check_resolve),
            Ask("casualty", "CHECKS", take_casualty),
            Ask("advance", "ADVANCE", advance.take_advance, advance.check_advance),
            *checks.ASKS,
        ),
        enter=begin,
        when=any_declared,
    ),
)
