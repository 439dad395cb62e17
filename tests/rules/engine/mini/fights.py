"""Reaction fire with chains of checks, the sealed duel, declared attacks and combat of the test-only game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scenarios.hexes import Box, Hex, distance, neighbours, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Decision, IllegalOrder, Order, Side
from services.rules.engine.sequence import Duty
from services.rules.engine.table import Table
from tests.rules.engine.mini.data import FLAG
from tests.rules.engine.mini.law import at, on_map
from tests.rules.engine.mini.orders import Attack, Fire


def fire(adj: Adjudication, args: Fire, _: Order) -> None:
    shooter, target = on_map(adj, args.unit), on_map(adj, args.at)
    if "fired" in adj.counters[args.unit].marks:
        raise IllegalOrder("f.1", "fired-already", unit=args.unit)
    if distance(shooter, target) > 2:
        raise IllegalOrder("f.2", "out-of-range", unit=args.unit)
    adj.record("fired", "f.1", {"unit": args.unit, "at": args.at}, changes=[ch.mark(args.unit, "fired")])
    adj.push("Check", unit=args.at)


def check(adj: Adjudication, args: Mapping[str, Any]) -> None:
    unit = args["unit"]
    here = living(adj, unit)
    if here is None:
        return
    die = adj.roll("f.3", "check", site=str(here), who=unit)[0]
    if die >= 4:
        return
    ways = [{"unit": unit, "hex": str(h)} for h in retreats(adj, unit)]
    if not ways:
        adj.record("eliminated", "f.4", {"unit": unit}, changes=[ch.place(unit, Box("lost"))])
        return
    adj.ask("retreat", adj.counters[unit].side, "f.5", ways[0], choices=tuple(ways), label=unit, context={"result": "R"})


def living(table: Table, unit: str) -> Hex | None:
    """Where a unit is on the map; None if it is dead or was split since."""
    place = table.counters[unit].place if unit in table.counters else None
    return place if isinstance(place, Hex) else None


def retreats(table: Table, unit: str) -> list[Hex]:
    counter = table.counters[unit]
    assert isinstance(counter.place, Hex)
    enemy = table.enemy(counter.side)
    back = -1 if counter.side == "red" else 1
    ways = [h for h in table.data.board.adjacent[counter.place] if h.col == counter.place.col + back]
    return [h for h in ways if not at(table, h, enemy)]


def retreat(adj: Adjudication, decision: Decision, args: Mapping[str, Any]) -> None:
    unit, to = args["unit"], parse_hex(args["hex"])
    if living(adj, unit) is None:
        return
    shaken = [c.id for c in at(adj, to, adj.counters[unit].side)]
    adj.record("retreated", "f.5", {"unit": unit, "hex": str(to)}, changes=[ch.place(unit, to)])
    for other in sorted(shaken):
        adj.push("Check", unit=other)


def stakes(adj: Adjudication) -> None:
    assert adj.phasing is not None
    choices = tuple({"n": n} for n in range(3))
    for side in (adj.phasing, adj.enemy(adj.phasing)):
        adj.ask("stake", side, "d.1", {"n": 0}, choices=choices, group="duel", sealed=True, public=True)


def take_stake(adj: Adjudication, decision: Decision, args: Mapping[str, Any]) -> None:
    adj.record("staked", "d.1", {"side": decision.side, "n": args["n"]}, changes=[ch.own("stake", decision.side, args["n"])])


def settle_duel(adj: Adjudication) -> None:
    stake = adj.own["stake"]
    best = max(stake.values())
    winners = [s for s, n in stake.items() if n == best]
    adj.record("duel", "d.2", {"winner": winners[0] if len(winners) == 1 else None}, changes=[ch.own("stake", {})])


def check_attack(adj: Adjudication, args: Attack, _: Order) -> None:
    if not at(adj, args.hex, adj.enemy(adj.phasing or "")):
        raise IllegalOrder("c.1", "no-enemy", hex=str(args.hex))
    for unit in args.units:
        if args.hex not in neighbours(on_map(adj, unit)):
            raise IllegalOrder("c.2", "not-adjacent", unit=unit)


def attack(adj: Adjudication, args: Attack, order: Order) -> None:
    label = order.label or str(args.hex)
    adj.record("declared", "c.1", {"label": label, "hex": str(args.hex), "units": list(args.units)})
    adj.push("Battle", label=label, hex=str(args.hex), units=list(args.units))


def must_attack(table: Table, side: Side) -> tuple[Duty, ...]:
    """Every unit next to an enemy must attack (c.3)."""
    orders = getattr(table, "sets", {}).get(f"{side}/declaration", ())
    named = {u for o in orders for u in o.args["units"]}
    idle = [u for u in sorted(adjacent_units(table, side)) if u not in named]
    return (Duty("must-attack", "c.3", {"units": idle}),) if idle else ()


def adjacent_units(table: Table, side: Side) -> set[str]:
    enemies = {c.place for c in table.counters.values() if c.side != side and isinstance(c.place, Hex)}
    own = [c for c in table.counters.values() if c.side == side and isinstance(c.place, Hex)]
    return {c.id for c in own if isinstance(c.place, Hex) and enemies & set(neighbours(c.place))}


def attack_by_default(adj: Adjudication, side: Side) -> None:
    for duty in must_attack(adj, side):
        for unit in duty.details["units"]:
            target = next(h for h in neighbours(on_map(adj, unit)) if at(adj, h, adj.enemy(side)))
            order = Order(0, "ATTACK", {"hex": str(target), "units": [unit]})
            key = f"{side}/declaration"
            adj.sets[key] = (*adj.sets.get(key, ()), order)


def by_target(table: Table, orders: tuple[Order, ...]) -> tuple[tuple[Order, ...], ...]:
    targets = list(dict.fromkeys(o.args["hex"] for o in orders))
    return tuple(tuple(o for o in orders if o.args["hex"] == t) for t in targets)


def battle(adj: Adjudication, args: Mapping[str, Any]) -> None:
    where = parse_hex(args["hex"])
    defenders = at(adj, where, adj.enemy(adj.phasing or ""))
    attackers = [adj.counters[u] for u in args["units"] if living(adj, u)]
    if not defenders or not attackers:
        return
    seen = [ch.mark(c.id, "seen") for c in (*defenders, *attackers)]
    adj.reveal()
    adj.record("revealed", "c.4", {"label": args["label"], "units": [c.id for c in (*attackers, *defenders)]}, changes=seen)
    odds = sum(Fraction(c.num["cf"]) for c in attackers) / sum(Fraction(c.num["cf"]) for c in defenders)
    die = adj.roll("c.5", "battle", site=args["hex"])[0]
    result = "DR" if die <= 2 * odds else "AR"
    adj.result(args["label"], result)
    adj.record("result", "c.5", {"label": args["label"], "odds": str(odds), "result": result})
    losers = defenders if result == "DR" else attackers
    for loser in losers:
        adj.push("Flee", unit=loser.id, label=args["label"], result=result)
    if result == "DR":
        adj.push("Follow", label=args["label"], hex=args["hex"], units=[c.id for c in attackers])


def flee(adj: Adjudication, args: Mapping[str, Any]) -> None:
    unit = args["unit"]
    if living(adj, unit) is None:
        return
    ways = tuple({"unit": unit, "hex": str(h)} for h in retreats(adj, unit))
    if not ways:
        adj.record("eliminated", "c.6", {"unit": unit}, changes=[ch.place(unit, Box("lost"))])
        return
    side = adj.counters[unit].side
    adj.ask("retreat", side, "c.6", ways[0], choices=ways, label=args["label"], context={"result": args["result"]})


def follow(adj: Adjudication, args: Mapping[str, Any]) -> None:
    where = parse_hex(args["hex"])
    if at(adj, where):
        return
    choices = ({"unit": None, "hex": args["hex"]}, *({"unit": u, "hex": args["hex"]} for u in args["units"] if living(adj, u)))
    context = {"vacated": True, "result": "DR"}
    adj.ask("advance", adj.phasing or "", "c.7", choices[0], choices=choices, label=args["label"], context=context)


def advance(adj: Adjudication, _: Decision, args: Mapping[str, Any]) -> None:
    if args["unit"] and living(adj, args["unit"]):
        to = parse_hex(args["hex"])
        adj.record("advanced", "c.7", {"unit": args["unit"], "hex": args["hex"]}, changes=[ch.place(args["unit"], to)])
        if to == FLAG:
            adj.end(adj.phasing, "flag", "x.1")
