"""12.0, 12.5: combats fought one by one, their results, and the advance into a hex that they have emptied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import beforehand
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json, Side
from services.rules.engine.sequence import NON_PHASING, PHASING, Ask, Mode, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import checks, declaration, orders, support_default
from services.rules.games.beda_fomm.crt import column_at, crt
from services.rules.games.beda_fomm.declaration import attackers, strengths
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.guns import factor_at
from services.rules.games.beda_fomm.retreat import eliminate
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import (
    combat_factor,
    dark,
    declared,
    hex_of,
    hushed,
    is_armor,
    is_artillery,
    is_parked,
    units_at,
)
from services.rules.games.beda_fomm.zoc import barred_by_type

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
    if len(left) > 1 and _chosen_by_orders(adj, side):
        choices = tuple({"battle": one["label"]} for one in left)
        adj.ask("combat", side, "12.0n", choices[0], label=None)
    else:
        adj.push("Fight", label=left[0]["label"])


def _chosen_by_orders(adj: Adjudication, side: Side) -> bool:
    tail = adj.tails.get(side)
    lined = tail is not None and bool(tail.orders) and tail.orders[0].verb == "RESOLVE"
    return lined or adj.options.get("tempo") == "full" or any(o.args.get("window") == "COMBAT" for _, o in beforehand.lines(adj, side))


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
        adj.record("combat_void", "12.0w", {"label": one["label"], "hex": one["hex"]}, changes=_fought(adj, one["label"]))  # BF-R75
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
    """By option an elimination takes one unit, of its owner's choice: the least worth unless he says otherwise (BF-R78)."""
    ranked = sorted(units, key=lambda unit: (combat_factor(adj, unit), unit))
    choices = tuple({"units": [unit]} for unit in ranked)
    adj.ask("casualty", adj.counters[units[0]].side, "12.0u", choices[0], choices=choices, label=one["label"], context={"result": "E"})


def take_casualty(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """That unit is eliminated."""
    checks.push_results(adj, {args["units"][0]: "E"}, label=str(decision.label), cause="combat", clause="12.0u")


# -- advance ---------------------------------------------------------------------------------------------------------------------


def aftermath(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """If the hex has been emptied, those that attacked may advance (12.51a, 12.51b)."""
    at = parse_hex(work["hex"])
    if units_at(adj, at):
        return  # BF-R84
    side = adj.phasing
    assert side is not None
    able = [unit for unit in work["units"] if can_advance(adj, unit, at)]
    if able:
        context = {"vacated": True, "result": work["result"], "hex": work["hex"], "units": able}
        rule = {"hex": work["hex"], "units": able}
        adj.ask("advance", side, "12.51a", {"none": True}, rule=rule, label=work["label"], context=context)


def can_advance(table: Table, unit: str, at: Hex) -> bool:
    """Whether a unit alone, or with armor, may advance into a hex."""
    here = hex_of(table, unit)
    if here is None or is_artillery(table, unit) or distance(here, at) != 1:
        return False  # 2.0t 12.52a
    return (here, at) in ground(table).steps[column_of(table, unit)] and room(table, at, (unit,))  # 12.51c 12.51d


def check_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the units may advance together."""
    given = read_args(orders.Advance, args)
    if given.none:
        return
    at, able = parse_hex(decision.context["hex"]), decision.context["units"]
    if given.hex != at:
        raise IllegalOrder("12.51a", "not-the-vacated-hex", hex=str(given.hex), to=str(at))
    armor = [unit for unit in given.units if unit in able and is_armor(adj, unit)]
    for unit in given.units:
        if unit not in able:
            raise IllegalOrder("12.51a", "cannot-advance", unit=unit, hex=str(at), units=list(able))  # 2.0t 12.52a 12.53a
        barred = barred_by_type(adj, unit, at, armor)
        if barred is not None:
            raise IllegalOrder("12.51e", barred.code, unit=unit, hex=str(at))  # BF-R83
    if not room(adj, at, given.units):
        raise IllegalOrder("12.51c", "no-room", units=list(given.units), hex=str(at))


def take_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units advance, or nobody does."""
    if args.get("none"):
        return
    data = {"side": decision.side, "label": decision.label, "units": list(args["units"]), "hex": args["hex"]}
    moves = [{"unit": unit, "from": str(hex_of(adj, unit))} for unit in args["units"]]
    adj.record("advanced", "12.51a", {**data, "moves": moves}, changes=[ch.place(unit, parse_hex(args["hex"])) for unit in args["units"]])


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
        resolves=(Work("NextCombat", next_combat), Work("Fight", fight), Work("Aftermath", aftermath), *checks.WORKS),
        asks=(
            Ask("combat", "RESOLVE", take_resolve, check_resolve),
            Ask("casualty", "CHECKS", take_casualty),
            Ask("advance", "ADVANCE", take_advance, check_advance),
            *checks.ASKS,
        ),
        enter=begin,
        when=any_declared,
    ),
)
