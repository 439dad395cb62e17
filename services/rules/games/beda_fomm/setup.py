"""14. Set-up: the game laid out, the blocking force placed by orders, the convoys formed by orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.data import GameData, ScenarioData
from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Counter, GameState, IllegalOrder, Json, Order, Side
from services.rules.engine.sequence import Duty, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.orders import Convoy, Place
from services.rules.games.beda_fomm.stacking import LIMIT, load
from services.rules.games.beda_fomm.state import BRITISH, ITALIAN, OFF, SET_UP


def new_game(data: GameData, scenario: ScenarioData, options: Mapping[str, Json], hidden: str) -> GameState:
    """The position before the first step."""
    own: dict[str, Json] = {
        "convoys": {},
        "called": 0,
        "morale": {row["parent"]: int(row["level"]) for row in data.charts["morale"]},  # 7.1a 14.13a
        "vp": 0,  # 2.0a
        "contact": None,
        "interdicted": {},
        "barraged": {},
        "declared": [],
        "moving": [],
        "delayed": {},
        "chain": {},
    }
    return GameState(data.key, scenario.key, data.digest, dict(options), (), dict(_counters(data, scenario)), own, hidden)


def _counters(data: GameData, scenario: ScenarioData) -> Iterator[tuple[str, Counter]]:
    placed = {unit for row in scenario.tables["placements"] for unit in row["units"]}
    due = {unit: data.turns.index(row["turn"]) + 1 for row in scenario.tables["arrivals"] for unit in row.get("units", ())}  # 15.0a
    for name, card in data.cards.items():
        if name in placed:
            yield name, Counter(name, card.side, name, SET_UP)  # 14.2a
        else:
            yield name, Counter(name, card.side, name, OFF, num={"due": due[name]} if name in due else {})


def tables(table: Table) -> Mapping[str, Any]:
    """The set-up and the order of appearance of the scenario."""
    return table.data.scenarios[table.before.scenario].tables


# -- the blocking force ----------------------------------------------------------------------------------------------------------


def check_place(adj: Adjudication, args: Place, _: Order) -> None:
    """IllegalOrder unless the unit is one of those set up by orders, in a hex that is open to it (14.2)."""
    row = next((row for row in tables(adj)["placements"] if args.unit in row["units"]), None)
    if row is None:
        raise IllegalOrder("14.2a", "not-placed-by-orders", unit=args.unit)
    if str(args.hex) not in row["hexes"]:
        raise IllegalOrder("14.2b", "not-a-set-up-hex", unit=args.unit, hex=str(args.hex), hexes=list(row["hexes"]))  # BF-R113
    beside = [o.args["unit"] for o in _of_this_mail(adj, PLACEMENT) if o.args["hex"] == str(args.hex)]
    units = sorted({args.unit, *beside})
    if load(adj, units) > LIMIT:
        raise IllegalOrder("6.13a", "stacking", hex=str(args.hex), units=units)


def place(adj: Adjudication, args: Place, _: Order) -> None:
    """The unit is set up."""
    adj.record("placed", "14.2a", {"unit": args.unit, "hex": str(args.hex)}, changes=[ch.place(args.unit, args.hex)])


def gathered(table: Table, step: str) -> tuple[Order, ...]:
    """The orders gathered so far in a set-up step of the side that acts in it."""
    sets = table.sets if isinstance(table, Adjudication) else table.before.sets
    return sets.get(f"{BRITISH if step == PLACEMENT else ITALIAN}/{step}", ())


def _of_this_mail(adj: Adjudication, step: str) -> list[Order]:
    """The orders gathered from the lines of the packet that is read: with older ones a clash may still be mended by a later line."""
    return [order for order in gathered(adj, step) if order in adj.packet.orders]


def placements(table: Table) -> Mapping[str, Hex]:
    """Unit -> the hex that the orders gathered so far give it."""
    return {order.args["unit"]: parse_hex(order.args["hex"]) for order in gathered(table, PLACEMENT)}


def all_placed(table: Table, _: Side) -> tuple[Duty, ...]:
    """Every unit of the blocking force is placed, within the stacking limit (14.2, 6.13)."""
    given = placements(table)
    wanting = sorted(unit for row in tables(table)["placements"] for unit in row["units"] if unit not in given)
    if wanting:
        return (Duty("units-not-placed", "14.2a", {"units": wanting}),)
    for where in sorted(set(given.values())):
        units = sorted(unit for unit, at in given.items() if at == where)
        if load(table, units) > LIMIT:
            return (Duty("stacking", "6.13a", {"hex": str(where), "units": units}),)  # 6.13a
    return ()


def place_by_default(adj: Adjudication, side: Side) -> None:
    """Units not placed in time, and those too many in a hex, go to the first set-up hex with room (``DONE AUTO``, a deadline)."""
    given: dict[str, Hex] = {}
    for unit, at in placements(adj).items():
        if load(adj, (unit, *_in_hex(given, at))) <= LIMIT:
            given[unit] = at
    for row in tables(adj)["placements"]:
        for unit in (unit for unit in row["units"] if unit not in given):
            hexes = map(parse_hex, row["hexes"])
            given[unit] = next(at for at in hexes if load(adj, (unit, *_in_hex(given, at))) <= LIMIT)
    adj.sets[f"{side}/{PLACEMENT}"] = tuple(Order(0, "PLACE", {"unit": unit, "hex": str(at)}) for unit, at in given.items())


def _in_hex(given: Mapping[str, Hex], where: Hex) -> list[str]:
    return [unit for unit, at in given.items() if at == where]


# -- the convoys -----------------------------------------------------------------------------------------------------------------


def check_convoy(adj: Adjudication, args: Convoy, _: Order) -> None:
    """IllegalOrder unless the convoy is of two transports and one of the personnel battalions (14.31)."""
    rule = tables(adj)["convoys"]
    if not 1 <= args.n <= rule["count"]:
        raise IllegalOrder("14.31a", "no-such-convoy", convoy=args.n, most=rule["count"])
    strange = sorted(unit for unit in args.transports if unit not in rule["transports"])
    if strange or len(set(args.transports)) != rule["transports_each"] or len(args.transports) != rule["transports_each"]:
        raise IllegalOrder("14.31b", "not-two-transports", units=strange or list(args.transports))  # 14.31c
    if args.personnel not in (*rule["personnel"], *rule["choice"]):
        raise IllegalOrder("14.31d", "not-convoy-personnel", unit=args.personnel)
    for order in _of_this_mail(adj, CONVOYS):
        shared = {args.personnel, *args.transports} & {order.args["personnel"], *order.args["transports"]}
        if shared and order.args["n"] != args.n:
            raise IllegalOrder("14.31b", "in-two-convoys", units=sorted(shared), convoy=order.args["n"], n=args.n)


def convoys(table: Table) -> Mapping[int, Order]:
    """Convoy number -> the order gathered for it."""
    return {order.args["n"]: order for order in gathered(table, CONVOYS)}


def all_convoys(table: Table, _: Side) -> tuple[Duty, ...]:
    """Nine full convoys, no unit in two of them, every unit that must ride in one (14.31)."""
    rule, given = tables(table)["convoys"], convoys(table)
    wanting = [n for n in range(1, rule["count"] + 1) if n not in given]
    if wanting:
        return (Duty("convoys-not-formed", "14.31a", {"convoys": wanting}),)
    units = [unit for order in given.values() for unit in (*order.args["transports"], order.args["personnel"])]
    twice = sorted({unit for unit in units if units.count(unit) > 1})
    if twice:
        return (Duty("in-two-convoys", "14.31b", {"units": twice}),)
    left = sorted(unit for unit in rule["personnel"] if unit not in units)
    if left:
        return (Duty("not-in-a-convoy", "14.31d", {"units": left}),)
    return ()


def form(adj: Adjudication, args: Convoy, _: Order) -> None:
    """The convoy is formed; its personnel waits for it and no longer for a turn of its own (BF-R91)."""
    group = {"transports": list(args.transports), "personnel": args.personnel}
    changes = [ch.own("convoys", str(args.n), group)]
    if "due" in adj.counters[args.personnel].num:
        changes.append(ch.number(args.personnel, "due", None))
    adj.record("convoy_formed", "14.31b", {"convoy": args.n, **group}, changes=changes)


def form_by_default(adj: Adjudication, side: Side) -> None:
    """Convoys not formed in time are, in the order of the lists; those that clash are formed anew (``DONE AUTO``, a deadline)."""
    rule, key = tables(adj)["convoys"], f"{side}/{CONVOYS}"
    kept: dict[int, Order] = {}
    used: set[str] = set()
    for n, order in sorted(convoys(adj).items()):
        units = {*order.args["transports"], order.args["personnel"]}
        if not units & used:
            kept[n] = order
            used |= units
    must = [unit for unit in rule["personnel"] if unit not in used]
    free = rule["count"] - len(kept)
    for n in sorted(kept, reverse=True):  # those whose personnel is not needed make room for those that must ride
        if len(must) > free and kept[n].args["personnel"] in rule["choice"]:
            used -= {*kept[n].args["transports"], kept[n].args["personnel"]}
            del kept[n]
            free += 1
    trucks = [unit for unit in rule["transports"] if unit not in used]
    people = [*must, *(unit for unit in rule["choice"] if unit not in used)]
    for n in range(1, rule["count"] + 1):
        if n not in kept:
            pair, trucks = trucks[:2], trucks[2:]
            kept[n] = Order(0, "CONVOY", {"n": n, "transports": pair, "personnel": people.pop(0)})
    adj.sets[key] = tuple(kept[n] for n in sorted(kept))


PLACEMENT, CONVOYS = "british set-up", "convoys"
SET_UP_STEPS = (
    Step(
        PLACEMENT,
        "14.2a",
        BRITISH,
        Mode.SET,
        accepts=(on(Place, place, check=check_place, subject=lambda args: args.unit, units=lambda args: (args.unit,)),),
        duty=all_placed,
        meet=place_by_default,
    ),
    Step(
        CONVOYS,
        "14.31a",
        ITALIAN,
        Mode.SET,
        accepts=(
            on(
                Convoy,
                form,
                check=check_convoy,
                subject=lambda args: str(args.n),
                units=lambda args: (*args.transports, args.personnel),
            ),
        ),
        duty=all_convoys,
        meet=form_by_default,
    ),
)
"""British first, then the Italian convoys (14.2, 14.31)."""
