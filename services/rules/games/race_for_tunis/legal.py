"""Legal orders of the open step, and answers to open decisions, worked out by trying the law and not by a second copy of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any

from scenarios.hexes import Hex
from services.rules.engine import movement as search
from services.rules.engine.about import About
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import Decision, IllegalOrder, Json, Order, Packet, Side
from services.rules.engine.positions import adjacent, hex_of, on_map, units_at
from services.rules.engine.sequence import sides_of
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import arrivals, landings, legal_combat, movement, opening, replacements, stacking
from services.rules.games.race_for_tunis.companies import parts_of
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.legal_combat import passes
from services.rules.games.race_for_tunis.orders import Move
from services.rules.games.race_for_tunis.state import AXIS, is_artillery, is_heavy, is_mountaineer, kind_of, nation_of, spent

MOST = 2000
"""Orders worked out at most."""
Found = Callable[[Adjudication, Side], Iterator[Order]]


def legal(table: Table, side: Side, about: About = None) -> tuple[Order, ...]:
    """Legal orders of ``side`` now: answers if it must decide, else orders of the open step, ``DONE`` last.

    While a duty is open ``DONE`` is left out; if nothing else is left, it is there with ``AUTO``. Where all that is open may be confirmed,
    it is there with ``CONFIRM``."""
    mine = [d for d in table.pending if d.side == side]
    if mine:
        return tuple(filter(about, answers(table, mine[0])))
    step = table.slot.step
    if table.before.over is not None or table.pending or side not in sides_of(step, table.phasing, table.data.sides):
        return ()
    trial = Adjudication(table.module, table.before, Packet("legal", side), ScriptedDice(()))
    find = FINDERS.get(step.name)
    orders = tuple(islice(filter(about, find(trial, side)), MOST)) if find else ()
    due = step.duty(table, side)
    if any(not one.confirmable for one in due):
        return orders or tuple(filter(about, (order("DONE", turn=False, auto=True),)))
    return (*orders, *filter(about, (replace(order("DONE", turn=False, auto=False), confirm=bool(due)),)))


def order(verb: str, **args: Json) -> Order:
    """An order without a line number."""
    return Order(0, verb, args)


def in_turn(rows: Sequence[Iterator[Order]]) -> Iterator[Order]:
    """The first of every row, then the second of every row, and so on: each has its turn among the first hundred."""
    for column in zip_longest(*rows):
        yield from filter(None, column)


def answers(table: Table, decision: Decision) -> Iterator[Order]:
    """Legal answers to a decision: its choices where it has them, else its default, and each of its units alone where that will do."""
    for choice in decision.choices or (decision.default,):
        yield Order(0, decision.verb, choice)
    asked = table.module.asks[decision.kind]
    if decision.choices is not None or asked.check is None or decision.verb != "LOSE":
        return
    trial = Adjudication(table.module, table.before, Packet("legal", decision.side), ScriptedDice(()))
    for unit in (decision.rule or {}).get("units", ()):
        args: dict[str, Any] = {"units": [unit]}
        try:
            asked.check(trial, decision, args)
        except IllegalOrder:
            continue
        if args["units"] != decision.default["units"]:
            yield Order(0, decision.verb, args)


# -- opening and movement --------------------------------------------------------------------------------------------------------


def at_opening(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Units that may be sent by sea, companies that may rejoin, units that may be bought back."""
    yield from rejoin(trial, side)
    found = [order("REBUILD", unit=unit) for unit in replacements.can_be_bought(trial)] if side != AXIS else []
    if side == AXIS:
        found += [order("SEA", unit=unit, port=str(at)) for unit in arrivals.waiting(trial, AXIS) for at in ground(trial).ports]
    yield from (one for one in found if passes(trial, one))


def rejoin(trial: Adjudication, side: Side) -> Iterator[Order]:
    """The companies of a battalion that stand together."""
    if side == AXIS and opening.may_rejoin(trial):
        for row in trial.data.charts["companies"]:
            found = order("REJOIN", units=list(parts_of(trial, row["battalion"])), battalion=row["battalion"])
            if row["battalion"] in trial.counters and passes(trial, found):
                yield found


def move(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Arrivals, and every hex with room that a unit can reach."""
    yield from in_turn([_arrivals(trial, side, unit) for unit in arrivals.waiting(trial, side)])
    yield from in_turn([_moves(trial, unit.id) for unit in on_map(trial, side)])


def _arrivals(trial: Adjudication, side: Side, unit: str) -> Iterator[Order]:
    if side == AXIS:
        yield from (order("LAND", unit=unit, hex=str(at)) for at in arrivals.landing_places(trial, unit))
        return
    yield from (order("ENTER", unit=unit, hex=str(at)) for at in arrivals.ways_in(trial, unit))
    if not (arrivals.is_late(trial, unit) or arrivals.held_back(trial, unit)):
        yield order("DELAY", unit=unit)


def moved_on(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Where units that have landed may go."""
    yield from in_turn([_moves(trial, unit) for unit, mp in trial.own["landers"].items() if mp])


def _moves(trial: Adjudication, unit: str) -> Iterator[Order]:
    start = hex_of(trial, unit)
    for to, far in reach(trial, unit):
        way: dict[str, Json] = {"path": [], "to": str(to)} if far else {"path": [str(to)], "to": None}
        others = units_at(trial, to)
        if to != start and (not others or stacking.fits(trial, (unit, *others))):
            rest = {"drop": None, "drop_at": None, "bridge": None, "bridge_at": None}
            yield order(Move.verb, units=[unit], **way, via=[], road=False, **rest)


def reach(trial: Adjudication, unit: str) -> Iterator[tuple[Hex, bool]]:
    """Every hex that a unit can move to, by number, and whether its MP suffice for it; it may enter one hex without (6.4)."""
    start = hex_of(trial, unit)
    try:
        movement.begin(trial, unit)
    except IllegalOrder:
        return
    assert start is not None
    fresh, known = movement.fresh(trial, unit), _steps(trial, unit)

    def cost(at: Hex, to: Hex) -> int | None:
        if (at, to) not in known:
            try:
                known[at, to] = movement.check_step(trial, unit, at, to)
            except IllegalOrder:
                known[at, to] = None
        return known[at, to]

    if "in-zoc" in trial.counters[unit].marks and movement.stops(trial, unit, start):
        return
    left = movement.allowance(trial, unit) - int(2 * spent(trial, unit))
    found = search.reachable(start, left, lambda at: adjacent(trial, at), cost, lambda at: movement.stops(trial, unit, at))
    beside = () if not fresh else (to for to in adjacent(trial, start) if to not in found and cost(start, to) is not None)
    yield from sorted([*((at, True) for at in found if at != start), *((at, False) for at in beside)])


def _steps(trial: Adjudication, unit: str) -> dict[tuple[Hex, Hex], int | None]:
    """What steps cost all units that move as this one does, as far as it is known; nothing changes while legal orders are found."""
    alike = (is_mountaineer(trial, unit), is_heavy(trial, unit), is_artillery(trial, unit), nation_of(trial, unit))
    return trial.remembered(("steps", trial.counters[unit].side, *alike), dict)


def land(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Where each unit may be dropped or landed."""
    hexes = sorted(ground(trial).terrain)
    yield from in_turn([_landings(trial, unit, hexes) for unit in landings.landers(trial)])


def _landings(trial: Adjudication, unit: str, hexes: Sequence[Hex]) -> Iterator[Order]:
    verb = "DROP" if kind_of(trial, unit) == "parachute" else "AMPH"
    yield from (found for at in hexes if passes(trial, found := order(verb, unit=unit, hex=str(at))))


FINDERS: Mapping[str, Found] = {
    opening.NAME: at_opening,
    "movement": move,
    "rejoin": rejoin,
    "landings": land,
    "landed": moved_on,
    "package": legal_combat.package,
    "allotment": legal_combat.allotment,
}
"""Step -> what finds its orders."""
