"""17.2.4 Interception: the other side's fighters against aircraft on a mission; then the guns that an interdictor held down on trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.positions import units_at
from services.rules.engine.sequence import NOBODY, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import air, package
from services.rules.games.race_for_tunis.bases import TURNS_AWAY, taken_off
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.orders import Intercept
from services.rules.games.race_for_tunis.state import battles, interdiction, is_artillery, value

ALL = "ALL"
SUPPORT_FIRST, INTERDICTION_FIRST, HIGHEST = "SUPPORT-FIRST", "INTERDICTION-FIRST", "HIGHEST"
WINDOW = "allotment"
RESULTS = ("miss", "abort", "shot-down")
"""Results of a die, from the mildest to the worst for the target."""

# -- who may intercept whom ------------------------------------------------------------------------------------------------------


def fighters(table: Table, side: Side) -> tuple[str, ...]:
    """The air units of a side that may intercept now, those with the most dice first (17.2.4.A)."""
    found = [unit for unit in air.ready(table, side) if value(table, unit, "intercept") > 0]
    return tuple(sorted(found, key=lambda unit: (-value(table, unit, "intercept"), unit)))


def targets(table: Table, side: Side, rank: str = HIGHEST) -> tuple[str, ...]:
    """The enemy aircraft that a side may intercept and has not yet: those of the highest support value first, support before interdiction
    where they are equal; or all of one mission before the other, interdictors over guns of the side at the head of theirs."""
    flown = [(unit, parse_hex(table.own["air"][unit]["hex"])) for unit in air.on_mission(table, table.enemy(side))]
    found = [unit for unit, at in flown if not is_met(table, at)]  # 17.2.4.B-1

    def key(unit: str) -> tuple[int, int, int, str]:
        record = table.own["air"][unit]
        strength = -value(table, unit, "support")
        interdicts = record["state"] == "interdict"
        over_guns = interdicts and any(is_artillery(table, other) for other in units_at(table, parse_hex(record["hex"])))
        if rank == SUPPORT_FIRST:
            return int(interdicts), int(not over_guns), strength, unit
        if rank == INTERDICTION_FIRST:
            return int(not interdicts), int(not over_guns), strength, unit
        return strength, int(interdicts), 0, unit

    return tuple(sorted(found, key=key))


def is_met(table: Table, at: Hex) -> bool:
    """Whether an interceptor goes for the aircraft over a hex."""
    return any(record["state"] == "intercept" and record["hex"] == str(at) for record in table.own["air"].values())


def can_intercept(table: Table, side: Side) -> bool:
    """Whether a side has an air unit that may intercept one of the enemy's."""
    return bool(fighters(table, side)) and bool(targets(table, side))


def _gathered(adj: Adjudication, side: Side) -> list[Intercept]:
    lines = adj.sets.get(f"{side}/{WINDOW}", ())
    return [read_args(Intercept, order.args) for order in lines if order.verb == Intercept.verb]


def check_intercept(adj: Adjudication, args: Intercept, _: Order) -> None:
    """IllegalOrder unless the air unit may intercept that one, alone, and enough are kept back."""
    side = adj.enemy(adj.phasing or "")
    by_rule = args.target in (SUPPORT_FIRST, INTERDICTION_FIRST, HIGHEST)
    others = [other for other in _gathered(adj, side) if other.air != args.air]
    if args.air == ALL:
        if not by_rule:
            raise IllegalOrder("17.2.4.B-1", "one-interceptor-a-target", target=args.target)
        if not air.played(adj):
            raise IllegalOrder("17.2.A-1", "no-air-units")
    else:
        air.check_ready(adj, args.air)
        if value(adj, args.air, "intercept") < 1:
            raise IllegalOrder("17.2.4.C-1", "no-intercept-value", unit=args.air)
        _check_kept(adj, side, args, len(others))
    found = targets(adj, side)
    if not found or not (by_rule or args.target in found):
        raise IllegalOrder("17.2.4.A-1", "not-on-mission", target=args.target)
    twice = [other.air for other in others if other.target == args.target and not by_rule]
    if twice:
        raise IllegalOrder("17.2.4.B-1", "one-interceptor-a-target", target=args.target, other=twice[0])


def _check_kept(adj: Adjudication, side: Side, args: Intercept, others: int) -> None:
    left = len(fighters(adj, side)) - others - 1
    if args.keep is not None and left < args.keep:
        raise IllegalOrder("17.2.4.A-2", "kept-in-reserve", unit=args.air, keep=args.keep, left=max(left, 0))


# -- carried out as the window closes --------------------------------------------------------------------------------------------


def order_intercept(adj: Adjudication, args: Intercept, _: Order) -> None:
    """An air unit goes for one of the enemy's; where all are to go, after those that were named."""
    side = adj.enemy(adj.phasing or "")
    if args.air == ALL:
        adj.push("Scramble", rank=args.target, keep=args.keep)
        return
    found = targets(adj, side, args.target)
    target = args.target if args.target in found else next(iter(found), None)
    if target is None:
        raise IllegalOrder("17.2.4.B-1", "nothing-left-to-intercept", unit=args.air)
    _send(adj, args.air, target)


def scramble(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """All that may intercept do, but for those kept in reserve; the best of them the first target."""
    side = adj.enemy(adj.phasing or "")
    free = fighters(adj, side)
    for unit in free[: max(0, len(free) - int(work["keep"] or 0))]:
        target = next(iter(targets(adj, side, str(work["rank"]))), None)
        if target is not None:
            _send(adj, unit, target)


def _send(adj: Adjudication, unit: str, target: str) -> None:
    at = adj.own["air"][target]["hex"]
    data = {"side": adj.counters[unit].side, "unit": unit, "target": target, "hex": at}
    change = ch.own("air", unit, {"state": "intercept", "hex": at, "back": None})
    adj.record("interceptor", "17.2.4.A-3", data, changes=[change])


# -- the dice --------------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication) -> None:
    """All interceptions are fought, in the order of the list of air units (17.2.4.B-2)."""
    by_hex = {adj.own["air"][unit]["hex"]: unit for unit in air.on_mission(adj, adj.phasing or "")}
    for unit, record in adj.own["air"].items():
        if record["state"] == "intercept":
            adj.push("Interception", unit=unit, target=by_hex[record["hex"]])


def fight(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A die for each point of the interceptor; the worst counts for its target (17.2.4.C, RT-38)."""
    unit, target = str(work["unit"]), str(work["target"])
    at = str(adj.own["air"][target]["hex"])
    dice = adj.roll("17.2.4.C-1", "interception", value(adj, unit, "intercept"), site=at, who=target)
    rows = [row for row in adj.data.charts["interception"] if row["die"] in dice]
    row = max(rows, key=lambda row: RESULTS.index(row["result"]))
    data = {"unit": unit, "target": target, "hex": at, "dice": list(dice), "result": row["result"]}
    interdicted = adj.own["air"][target]["state"] == "interdict"
    if row["result"] == "miss":
        adj.record("air_fight", str(row["clause"]), {**data, "back": None})
        return
    shot = row["result"] == "shot-down"
    back = adj.turn + TURNS_AWAY if shot else None  # 17.2.4.E
    changes = taken_off(adj, target, "shot-down" if shot else "aborted", back)  # 17.2.4.D-1
    adj.record("air_fight", str(row["clause"]), {**data, "back": back}, changes=changes)
    if interdicted:
        _guns_freed(adj, at)


def _guns_freed(adj: Adjudication, at: str) -> None:
    """The interdictor over a hex is gone: guns there fire as they were allotted (17.2.3.G-2)."""
    for one in battles(adj):
        for gun in one["defence"]:
            if str(at_of(adj, gun)) == at:
                adj.record("provisional_gun", "17.2.3.G-2", {"gun": gun, "label": one["label"], "fires": True})


def settle(adj: Adjudication) -> None:
    """Guns that still lie under an interdictor do not fire, whatever they were allotted to (17.2.3.G-3)."""
    for one in battles(adj):
        held = [gun for gun in one["defence"] if interdiction(adj, at_of(adj, gun), adj.counters[gun].side)]
        for gun in held:
            left = [other for other in package.find(adj, one["label"])["defence"] if other != gun]
            data = {"gun": gun, "label": one["label"], "fires": False}
            adj.record("provisional_gun", "17.2.3.G-3", data, changes=[package.changed(adj, one["label"], defence=left)])


def units_named(args: Intercept) -> tuple[str, ...]:
    """The units of its own side that the order names."""
    return () if args.air == ALL else (args.air,)


def default(lines: Iterable[Order]) -> tuple[Order, ...]:
    """What a side that leaves interceptions to the default does: the fighters with the most dice go for the targets with the most support
    (W2). Nothing is added if it has ordered any."""
    if any(order.verb == Intercept.verb for order in lines):
        return ()
    return (Order(0, Intercept.verb, {"air": ALL, "target": HIGHEST, "keep": None}),)


ON_INTERCEPT = on(Intercept, order_intercept, check=check_intercept, subject=lambda args: args.air, units=units_named)
"""``INTERCEPT`` in the allotment."""
SCRAMBLE = Work("Scramble", scramble)
STEPS = (
    Step("air combat", "17.2.4.C-1", NOBODY, enter=begin, resolves=(Work("Interception", fight), SCRAMBLE), leave=settle, when=air.played),
)
