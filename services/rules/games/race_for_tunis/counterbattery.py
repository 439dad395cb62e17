"""17.3 Counterbattery fire: guns of the attacker silence guns of the defender before any ground combat."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from scenarios.hexes import distance
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Json, Order
from services.rules.engine.positions import hex_of
from services.rules.engine.sequence import NOBODY, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import package
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.odds import base, crt, gun_factor
from services.rules.games.race_for_tunis.orders import CounterBattery
from services.rules.games.race_for_tunis.state import attack_value, battles, interdiction, is_artillery, value

NO_EFFECT = ("AE", "AR")
"""Results after which the target fires as if nothing had been (17.3.D)."""


def check_cb(adj: Adjudication, args: CounterBattery, _: Order) -> None:
    """IllegalOrder unless the guns may fire at that enemy gun, and do nothing else in this combat phase (17.3.A, RT-37)."""
    side = adj.phasing
    assert side is not None
    if not adj.options["counterbattery"]:
        raise IllegalOrder("17.3.A-1", "not-played", option="counterbattery")
    target = adj.counters.get(args.target)
    at = hex_of(adj, args.target)
    if target is None or target.side == side or at is None or not is_artillery(adj, args.target):
        raise IllegalOrder("17.3.A-4", "no-enemy-gun", unit=args.target)
    if not args.guns or len(set(args.guns)) != len(args.guns):
        raise IllegalOrder("17.3.A-3", "malformed", field="guns")
    busy = package.busy_guns(adj, side, args)
    for gun in args.guns:
        _check_gun(adj, gun, args.target)
        if gun in busy:
            raise IllegalOrder("10.1.C-1", "supports-elsewhere", unit=gun, battle=busy[gun])
    attack, defence = factors(adj, args.guns, args.target)
    if base(adj, attack, defence) is None:
        figures = {"attack": print_exact(attack), "defence": print_exact(defence)}
        raise IllegalOrder("17.3.B-2", "fire-below-1-5", unit=args.target, **figures)


def _check_gun(table: Table, gun: str, target: str) -> None:
    here, at = hex_of(table, gun), at_of(table, target)
    if here is None or not is_artillery(table, gun):
        raise IllegalOrder("17.3.A-3", "no-artillery", unit=gun)
    if interdiction(table, here, table.counters[gun].side):
        raise IllegalOrder("17.2.3.E-1", "interdicted", unit=gun, hex=str(here))  # RT-71
    if distance(here, at) > value(table, gun, "range"):
        figures = {"distance": distance(here, at), "range": value(table, gun, "range")}
        raise IllegalOrder("17.3.A-4", "out-of-range", unit=gun, hex=str(at), **figures)


def factors(table: Table, guns: tuple[str, ...], target: str) -> tuple[Fraction, Fraction]:
    """The factors that fire, half uphill, and the printed one of the target, in a city or not (17.3.B-2, RT-37)."""
    at = at_of(table, target)
    return sum((gun_factor(table, gun, (at,)) for gun in guns), Fraction(0)), Fraction(attack_value(table, target))


def order_fire(adj: Adjudication, args: CounterBattery, _: Order) -> None:
    """The guns will fire at their target (17.3.A-5)."""
    entry = {"guns": list(args.guns), "target": args.target}
    data = {"side": adj.phasing, **entry, "hex": str(at_of(adj, args.target))}
    adj.record("counterbattery_ordered", "17.3.A-2", data, changes=[ch.own("fires", [*adj.own["fires"], entry])])


# -- the dice --------------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication) -> None:
    """All fires are resolved, in the order in which they were ordered (17.3.B-1)."""
    for entry in adj.own["fires"]:
        adj.push("Counterbattery", guns=entry["guns"], target=entry["target"])


def fire(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Guns fire at one of the enemy's: but for A elim and AR that one supports nobody in this combat phase; nobody is hurt (17.3)."""
    target, at = str(work["target"]), hex_of(adj, str(work["target"]))
    guns = tuple(gun for gun in work["guns"] if hex_of(adj, gun) is not None)
    if at is None or not guns:
        return
    attack, defence = factors(adj, guns, target)
    n = base(adj, attack, defence)
    if n is None:
        return
    dice = adj.roll("17.3.B-3", "counterbattery", 2, site=str(at), who=target)
    result = str(crt(adj).result(n, sum(dice)))
    silenced = not result.startswith(NO_EFFECT)  # 17.3.C-2 17.3.D
    data = {
        "guns": list(guns),
        "target": target,
        "hex": str(at),
        "attack": print_exact(attack),
        "defence": print_exact(defence),
        "column": str(crt(adj).columns[n]),
        "dice": list(dice),
        "result": result,
        "silenced": silenced,
    }
    adj.record("counterbattery", "17.3.C-2" if silenced else "17.3.D", data, changes=_silence(adj, target) if silenced else ())


def _silence(table: Table, gun: str) -> list[Change]:
    """The changes by which a gun supports nobody in this combat phase, what it has been allotted to included."""
    without = [{**one, "defence": [other for other in one["defence"] if other != gun]} for one in battles(table)]
    allotted = any(gun in one["defence"] for one in battles(table))
    return [ch.own("silenced", [*table.own["silenced"], gun]), *([ch.own("battles", without)] if allotted else [])]


def _step(name: str, before: bool) -> Step:
    def when(table: Table) -> bool:
        return bool(table.own["fires"]) and bool(table.options["counterbattery_before"]) == before  # RT-36

    return Step(name, "17.3.B-1", NOBODY, enter=begin, resolves=(Work("Counterbattery", fire),), when=when)


ON_CB = on(CounterBattery, order_fire, check=check_cb, subject=lambda args: args.target, units=lambda args: args.guns)
"""``CB`` in the package."""
STEPS = (_step("counterbattery", True),)
LATE_STEPS = (_step("late counterbattery", False),)
"""By option after the defender has allotted his guns."""
