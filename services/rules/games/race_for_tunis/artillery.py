"""10.1.B-3: the defender allots his guns to battles, and with the same mail interceptors and support units (11.1.B, 17.2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from scenarios.hexes import distance
from services.rules.engine import beforehand, windows
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import hex_of, on_map
from services.rules.engine.sequence import NON_PHASING, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import air, counterbattery, interception, joining, package
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.odds import base, shifted, strengths
from services.rules.games.race_for_tunis.orders import Intercept, Support
from services.rules.games.race_for_tunis.state import attack_value, battles, french_restricted, interdiction, is_artillery, nation_of, value

NAME = interception.WINDOW
MAXIMISE = "@maximise"
"""Where ``results`` notes, from the orders to the end of the step, that the rule allots what is left, and the hexes denied to it."""
Battle = Mapping[str, Any]

# -- which gun may support what --------------------------------------------------------------------------------------------------


def open_battles(table: Table) -> tuple[Battle, ...]:
    """The battles declared that have come to something, in their order."""
    return tuple(one for one in battles(table) if not one["done"] and package.attackers(table, one))


def under_attack(table: Table, unit: str) -> bool:
    """Whether a unit is attacked in this combat phase, in a battle known or still to be chosen."""
    attacked = any(unit in one["defenders"] for one in battles(table) if not one["done"])
    return attacked or any(unit in units for units in package.unassigned(table).values())


def check_gun(table: Table, gun: str, one: Battle) -> None:
    """IllegalOrder unless a gun may support the defence in a battle. One that lies under an interdictor may on trial (17.2.3.G-1)."""
    here = hex_of(table, gun)
    if here is None:
        raise IllegalOrder("10.1.A-1", "not-on-map", unit=gun)
    if not is_artillery(table, gun):
        raise IllegalOrder("10.1.A-1", "no-artillery", unit=gun)
    if under_attack(table, gun):
        raise IllegalOrder("10.4.B-2", "gun-under-attack", unit=gun, hex=str(here))  # 10.4.A-1 RT-28
    if gun in table.own["silenced"]:
        raise IllegalOrder("17.3.C-2", "silenced", unit=gun)
    strangers = [unit for unit in package.defenders(table, one) if nation_of(table, unit) != "french"]
    if strangers and nation_of(table, gun) == "french" and french_restricted(table):
        raise IllegalOrder("18.1.7.C-1", "french-guns", unit=gun, units=strangers)
    near = min(package.hexes_of(one), key=lambda at: distance(here, at))
    if distance(here, near) > value(table, gun, "range"):
        figures = {"distance": distance(here, near), "range": value(table, gun, "range")}
        raise IllegalOrder("10.1.A-2", "out-of-range", unit=gun, hex=str(near), **figures)  # 10.1.A-3 RT-08


def may_support(table: Table, gun: str, one: Battle) -> bool:
    """Whether a gun may support the defence in a battle."""
    try:
        check_gun(table, gun, one)
    except IllegalOrder:
        return False
    return True


def provisional(table: Table, gun: str) -> bool:
    """Whether a gun fires only if the aircraft over its hex is driven off (17.2.3.G)."""
    return interdiction(table, at_of(table, gun), table.counters[gun].side) > 0


def _gathered(adj: Adjudication, side: Side) -> tuple[Order, ...]:
    return adj.sets.get(f"{side}/{NAME}", ())


def subject(args: Support) -> str:
    """Support by the same guns takes the place of an older line of theirs; so does each rule."""
    return "+".join(sorted(args.guns)) or ("MAXIMISE" if args.maximise else "DENY")


def check_support(adj: Adjudication, args: Support, _: Order) -> None:
    """IllegalOrder unless the guns may support the defence in a battle, and support no other (10.1)."""
    if args.maximise or args.deny:
        return
    one = _named(adj, args.battle or "")
    if not args.guns or len(set(args.guns)) != len(args.guns):
        raise IllegalOrder("10.1.A-1", "malformed", field="guns")
    side = adj.enemy(adj.phasing or "")
    for order in _gathered(adj, side):
        if order.verb != Support.verb or sorted(order.args["guns"]) == sorted(args.guns):
            continue
        twice = sorted(set(args.guns) & set(order.args["guns"]))
        if twice and _named(adj, order.args["battle"])["label"] != one["label"]:
            raise IllegalOrder("10.1.C-1", "supports-elsewhere", unit=twice[0], battle=order.args["battle"])  # 10.1.C-2
    for gun in args.guns:
        check_gun(adj, gun, one)


def _named(table: Table, text: str) -> Battle:
    """The battle of a name. IllegalOrder if there is none, if it is over already, or if several are meant."""
    one = package.named(table, text)
    several = [other["label"] for other in battles(table) if text in other["hexes"]]
    if one is None and len(several) > 1:
        raise IllegalOrder("10.1.B-3", "several-battles", battle=text, labels=several)
    if one is None:
        raise IllegalOrder("10.1.B-3", "no-battle-there", battle=text)
    if one["done"]:
        raise IllegalOrder("10.1.B-3", "battle-over", battle=one["label"])
    return one


def add_support(adj: Adjudication, args: Support, _: Order) -> None:
    """Guns support the defence in a battle; a rule is noted until all that was named has been done (10.1.B-3, 10.1.D)."""
    if args.maximise or args.deny:
        denied = [*adj.results.get(MAXIMISE, ()), *(str(at) for at in args.deny)]
        adj.results[MAXIMISE] = denied
        return
    _allot(adj, _named(adj, args.battle or ""), args.guns, "ordered")


def _allot(adj: Adjudication, one: Battle, guns: Sequence[str], how: str) -> None:
    new = [gun for gun in guns if gun not in one["defence"]]
    data = {
        "label": one["label"],
        "hexes": one["hexes"],
        "guns": new,
        "how": how,
        "provisional": [gun for gun in new if provisional(adj, gun)],
    }
    if new:
        adj.record("allotted", "10.1.B-3", data, changes=[package.changed(adj, one["label"], defence=[*one["defence"], *new])])


# -- by the rule -----------------------------------------------------------------------------------------------------------------


def maximise(adj: Adjudication, side: Side, denied: Iterable[str] = ()) -> None:
    """Guns not used yet go where they change most: first the smallest set that makes an attack impossible, battle by battle; then each
    battle, in its order, the smallest set that lowers its column, again and again until no gun changes anything. Those that fire only on
    trial come after the others, in the same way, if an interceptor goes for the aircraft above them (W1)."""
    used = {gun for one in battles(adj) for gun in one["defence"]}
    guns = [unit.id for unit in on_map(adj, side) if is_artillery(adj, unit.id) and unit.id not in used]
    labels = [one["label"] for one in open_battles(adj) if not set(one["hexes"]) & set(denied)]
    for on_trial in (False, True):
        pool = [gun for gun in guns if provisional(adj, gun) == on_trial and (not on_trial or interception.is_met(adj, at_of(adj, gun)))]
        for label in labels:
            pool = _spend(adj, label, pool, impossible=True)
        while True:
            left = pool
            for label in labels:
                pool = _spend(adj, label, pool, impossible=False)
            if pool == left:
                break


def _spend(adj: Adjudication, label: str, pool: list[str], *, impossible: bool) -> list[str]:
    """Allot the smallest set to a battle, if there is any, and return the guns left."""
    one = package.find(adj, label)
    guns = smallest(adj, one, [gun for gun in pool if may_support(adj, gun, one)], impossible=impossible)
    _allot(adj, one, guns, "rule")
    return [gun for gun in pool if gun not in guns]


def smallest(table: Table, one: Battle, guns: Sequence[str], *, impossible: bool) -> tuple[str, ...]:
    """The fewest guns, and of these the weakest, that lower the column of a battle, or take it below 1:5; none if none do."""
    attack, defence = strengths(table, one)
    now = base(table, attack, defence)
    if now is None:
        return ()
    before = shifted(table, one, now)

    def enough(chosen: Sequence[str]) -> bool:
        then = base(table, attack, defence + sum(attack_value(table, gun) for gun in chosen))
        return then is None or (not impossible and shifted(table, one, then) < before)

    by_strength = sorted(guns, key=lambda gun: (-attack_value(table, gun), gun))
    n = next((n for n in range(1, len(guns) + 1) if enough(by_strength[:n])), None)
    if n is None:
        return ()
    sets = sorted(combinations(sorted(guns), n), key=lambda chosen: sum(attack_value(table, gun) for gun in chosen))
    return next(chosen for chosen in sets if enough(chosen))


# -- the window ------------------------------------------------------------------------------------------------------------------


def anything(table: Table) -> bool:
    """Whether there is anything to allot to or to intercept."""
    return bool(open_battles(table)) or bool(air.on_mission(table, table.phasing or ""))


def idle(table: Table, side: Side) -> bool:
    """Whether a side has no gun that may support, no air unit that may intercept and no battle to choose for its support units."""
    guns = [unit.id for unit in on_map(table, side) if is_artillery(table, unit.id)]
    helps = any(may_support(table, gun, one) for one in open_battles(table) for gun in guns)
    return not (helps or interception.can_intercept(table, side) or joining.undecided(table))


def give(adj: Adjudication, side: Side) -> None:
    """What the side has left open is done by its defaults, guns and interceptors apart."""
    lines = _gathered(adj, side)
    rule = () if any(order.verb == Support.verb for order in lines) else (Order(0, Support.verb, {"guns": [], "maximise": True}),)
    scramble = interception.default(lines) if interception.can_intercept(adj, side) else ()
    adj.sets[f"{side}/{NAME}"] = (*lines, *rule, *scramble)


def close(adj: Adjudication) -> None:
    """Support units that nobody has sent join a battle; then the rule allots the guns that are left, if that was ordered."""
    joining.join_by_default(adj)
    side = adj.enemy(adj.phasing or "")
    unsaid = _unsaid(adj, side)
    if Intercept.verb in unsaid:
        interception.scramble(adj, {"rank": interception.HIGHEST, "keep": None})
    if MAXIMISE in adj.results or Support.verb in unsaid:
        maximise(adj, side, adj.results.pop(MAXIMISE, ()))


def _unsaid(adj: Adjudication, side: Side) -> frozenset[str]:
    """What the orders given beforehand for the window do not speak of, if they closed it: that is left to the defaults. ``DONE`` speaks of
    all."""
    if not windows.given_beforehand(adj, side):
        return frozenset()
    lines = [line for _, line in beforehand.lines(adj, side) if line.args.get("window") == adj.step.window]
    spoken = {part.verb for line in lines for part in (line.then, line.otherwise) if part}
    return frozenset() if "DONE" in spoken else frozenset({Support.verb, Intercept.verb} - spoken)


ALLOTMENT = Step(
    NAME,
    "10.1.B-3",
    NON_PHASING,
    Mode.SET,
    accepts=(
        on(Support, add_support, check=check_support, subject=subject, units=lambda args: args.guns),
        interception.ON_INTERCEPT,
        joining.ON_JOIN,
    ),
    leave=close,
    when=anything,
    idle=idle,
    default=give,
)
STEPS = (ALLOTMENT, *counterbattery.LATE_STEPS)
