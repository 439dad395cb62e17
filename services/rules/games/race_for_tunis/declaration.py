"""10.1.B: the package, one step in which all attacks of a combat phase are ordered in private and declared together."""

from __future__ import annotations

from typing import Any

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Json, Side
from services.rules.engine.positions import hex_of, on_map
from services.rules.engine.sequence import PHASING, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import air, compulsory, counterbattery, duty, engaged, french, orders, package
from services.rules.games.race_for_tunis.odds import base, column, strengths
from services.rules.games.race_for_tunis.state import battles, is_artillery, removed, value


def idle(table: Table, side: Side) -> bool:
    """Whether a side has nothing to order in the package: no enemies next to its units, and no aircraft at hand."""
    aircraft = [unit for unit in air.ready(table, side) if value(table, unit, "support")]
    fighters = [unit.id for unit in on_map(table, side) if not is_artillery(table, unit.id)]
    return not aircraft and not any(duty.enemies_next_to(table, side, unit) for unit in fighters)


def begin(adj: Adjudication) -> None:
    """The combat phase begins: engagements are broken where newcomers have come (5.2.D-2)."""
    engaged.review(adj)


def close(adj: Adjudication) -> None:
    """The attacks are declared: guns left alone in a zone are lost (RT-27), who defends is fixed, and who must attack and cannot is lost
    (8.2.E, RT-24)."""
    side = adj.phasing
    assert side is not None
    owing = duty.obliged(adj, side)
    for gun in duty.lone_guns(adj, side):
        _eliminate(adj, gun, "10.3-2", "alone-in-zone")
    found = package.with_defenders(adj, battles(adj))
    if found:
        against = [unit for one in found for unit in one["defenders"]]
        data = {"side": side, "battles": [_figures(adj, one) for one in found]}
        adj.record("package", "10.1.B-2", data, changes=[ch.own("battles", found), *french.note_attack(adj, against)])
    for one in found:
        if base(adj, *strengths(adj, one)) is None:
            adj.record("attack_void", "8.2.E-2", {"label": one["label"], "hexes": one["hexes"]}, changes=[_void(adj, one)])
            for unit in one["units"]:
                if unit in owing:
                    _eliminate(adj, unit, "8.2.E-2", "below-1-5")
    engaged.forget_broken(adj)


def _figures(table: Table, one: package.Battle) -> dict[str, Json]:
    attack, defence = strengths(table, one)
    odds = column(table, one)
    shown = {name: one[name] for name in ("label", "hexes", "defenders")}
    return {**shown, "attack": print_exact(attack), "defence": print_exact(defence), "odds": odds[0] if odds else None}


def _void(adj: Adjudication, one: package.Battle) -> Any:
    adj.result(one["label"], "AE")
    return package.changed(adj, one["label"], done=True, result="AE")


def _eliminate(adj: Adjudication, unit: str, clause: str, cause: str) -> None:
    at = hex_of(adj, unit)
    adj.record("eliminated", clause, {"unit": unit, "hex": str(at), "cause": cause}, changes=removed(adj, unit))


STEPS = (
    Step(
        package.PACKAGE,
        "10.1.B-2",
        PHASING,
        Mode.SET,
        accepts=(
            on(
                orders.Attack,
                package.declare,
                check=package.check_attack,
                subject=package.subject,
                units=lambda args: (*args.units, *args.support),
                withdraws=lambda args: str(args.hexes[0]) if args.none else None,
            ),
            on(
                orders.Support,
                package.add_support,
                check=package.check_support,
                subject=package.subject,
                units=lambda args: args.guns,
            ),
            air.ON_AIR,
            counterbattery.ON_CB,
        ),
        enter=begin,
        leave=close,
        idle=idle,
        duty=duty.duties,
        meet=compulsory.meet,
        groups=duty.groups,
    ),
)
