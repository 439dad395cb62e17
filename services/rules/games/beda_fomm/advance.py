"""12.5 Advance After Combat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import orders
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.stacking import room
from services.rules.games.beda_fomm.state import check_once, declared, is_armor, is_artillery
from services.rules.games.beda_fomm.zoc import barred_by_type


def aftermath(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """If the combat has emptied the hex, whether by retreat or by loss, those that attacked may advance (12.51a)."""
    at = parse_hex(work["hex"])
    side = adj.phasing
    able = able_to_advance(adj, work["units"], at)
    if side is None or units_at(adj, at) or not able:
        return  # 12.51b BF-R84
    context = {"vacated": True, "result": work["result"], "hex": work["hex"], "units": able}
    rule = {"name": "advance", "hex": work["hex"], "units": able}
    adj.ask("advance", side, "12.51a", {"none": True}, rule=rule, label=work["label"], context=context)


def able_to_advance(table: Table, attackers: Sequence[str], at: Hex) -> list[str]:
    """Those of the attackers that may advance into an emptied hex, alone or with others of them."""
    armor = [unit for unit in attackers if is_armor(table, unit)]
    return [unit for unit in attackers if why_not(table, unit, at, attackers, armor) is None]


def why_not(table: Table, unit: str, at: Hex, attackers: Sequence[str], along: Sequence[str]) -> IllegalOrder | None:
    """Why a unit may not advance into an emptied hex; ``along``: the armored units that advance with it."""
    here = hex_of(table, unit)
    if unit not in attackers or here is None or distance(here, at) != 1:
        return IllegalOrder("2.0t", "took-no-part", unit=unit, hex=str(at))  # 2.0t
    if is_artillery(table, unit):
        return IllegalOrder("12.52a", "artillery-stays", unit=unit)  # 12.52a
    if (here, at) not in ground(table).steps[column_of(table, unit)]:
        return IllegalOrder("12.51d", "prohibited", unit=unit, hex=str(at))  # 12.51d
    barred = barred_by_type(table, unit, at, along)
    return IllegalOrder("12.51e", barred.code, unit=unit, hex=str(at)) if barred else None  # 12.51e BF-R83


def check_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the units may advance together."""
    given = read_args(orders.Advance, args)
    if given.none:
        return
    at = parse_hex(decision.context["hex"])
    if given.hex != at:
        another = any(one["done"] and one["hex"] == str(given.hex) for one in declared(adj))  # a line for that combat: it falls through
        if another:
            raise IllegalOrder("12.51a", "nothing-to-answer", verb=decision.verb, step=adj.slot.step.name)
        raise IllegalOrder("12.51a", "not-the-vacated-hex", hex=str(given.hex), to=str(at))
    check_once("12.51a", given.units)
    attackers = next(one["units"] for one in declared(adj) if one["hex"] == str(at))
    armor = [unit for unit in given.units if unit in attackers and is_armor(adj, unit)]
    for unit in given.units:
        illegal = why_not(adj, unit, at, attackers, armor)
        if illegal is not None:
            raise illegal
    if not room(adj, at, given.units):
        raise IllegalOrder("12.51c", "no-room", units=list(given.units), hex=str(at))


def take_advance(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The units advance, or nobody does."""
    if args.get("none"):
        return
    data = {"side": decision.side, "label": decision.label, "units": list(args["units"]), "hex": args["hex"]}
    moves = [{"unit": unit, "from": str(hex_of(adj, unit))} for unit in args["units"]]
    adj.record("advanced", "12.51a", {**data, "moves": moves}, changes=[ch.place(unit, parse_hex(args["hex"])) for unit in args["units"]])
