"""Legal orders of the open step, and answers to open decisions, worked out by trying the law and not by a second copy of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, zip_longest
from typing import Any

from scenarios.hexes import Hex, distance
from services.rules.engine.about import About
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.lines import open_for
from services.rules.engine.model import Decision, IllegalOrder, Json, Order, Packet, Side
from services.rules.engine.positions import hex_of, occupied, on_map, units_at
from services.rules.engine.sequence import sides_of
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import (
    artillery,
    legal_combat,
    movement,
    opening,
    paralysis,
    placement,
    regiments,
    repair,
    stacking,
)
from services.rules.games.fall_of_tobruk.orders import Free, Move
from services.rules.games.fall_of_tobruk.state import is_gun

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
    if not open_for(trial, side):
        return ()
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
    if decision.choices is not None or asked.check is None:
        return
    trial = Adjudication(table.module, table.before, Packet("legal", decision.side), ScriptedDice(()))
    rule: Mapping[str, Any] = decision.rule or {}
    for unit in rule.get("units", ()):
        for args in _alone(decision, rule, unit):
            try:
                asked.check(trial, decision, args)
            except IllegalOrder:
                continue
            if args != dict(decision.default):
                yield Order(0, decision.verb, args)


def _alone(decision: Decision, rule: Mapping[str, Any], unit: str) -> Iterator[dict[str, Json]]:
    """Answers about one unit: it is lost, or it advances to one of the hexes."""
    if decision.verb == "LOSE":
        yield {"units": [unit]}
    elif decision.verb == "ADVANCE":
        yield from ({"units": [unit], "hex": at} for at in rule.get("hexes", ()))


# -- set-up and the opening of a player-turn -------------------------------------------------------------------------------------


def place(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Where each unit not placed yet may stand beside those placed so far."""
    given = placement.placements(trial, side)
    left = [unit for unit in placement.to_place(trial, side) if unit not in given]
    hexes = [at for at in sorted(trial.data.board.terrain) if left and _open(trial, side, left[0], at)]
    beside = {at: [*units_at(trial, at), *(unit for unit, where in given.items() if where == at)] for at in hexes}
    yield from in_turn([_places(trial, unit, beside) for unit in left])


def _open(trial: Adjudication, side: Side, unit: str, at: Hex) -> bool:
    try:
        placement.check_hex(trial, side, unit, at)
    except IllegalOrder:
        return False
    return True


def _places(trial: Adjudication, unit: str, beside: Mapping[Hex, Sequence[str]]) -> Iterator[Order]:
    yield from (order("PLACE", unit=unit, hex=str(at)) for at, others in beside.items() if stacking.fits(trial, (*others, unit)))


def new_units(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Arrivals where they may come in, units that can be refitted, reserve tanks."""
    yield from in_turn([_arrivals(trial, unit) for unit in opening.waiting(trial, side) if not opening.held_back(trial, unit)])
    edge = opening.EDGE[side]
    for keep, scrap in opening.refits(trial, side):
        ways = opening.ways_in(trial, keep, edge)
        yield from (order("REFIT", keep=keep, scrap=list(scrap), hex=str(at)) for at in ways)
    for row, tank in opening.reserves(trial, side):
        ways = opening.ways_in(trial, tank, edge)
        yield from (order("RESERVE", model=str(row["model"]).upper(), hex=str(at)) for at in ways)


def _arrivals(trial: Adjudication, unit: str) -> Iterator[Order]:
    ways = opening.ways_in(trial, unit, opening.entry_of(trial, unit))
    yield from (order("ENTER", unit=unit, hex=str(at)) for at in ways)
    yield order("DELAY", unit=unit)


def bombard(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Hexes that may be bombarded: with all guns that reach them, then with each gun that suffices alone."""
    for at, guns in artillery.salvos(trial, side).items():
        if len(guns) > 1:
            yield _barrage(guns, at)
        yield from (_barrage([gun], at) for gun in guns if artillery.salvo(trial, (gun,), at) >= artillery.least(trial))


def _barrage(guns: Sequence[str], at: Hex) -> Order:
    return order("BARRAGE", guns=list(guns), hex=str(at), else_hex=None)


def repairs(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Wrecks that can be recovered, scrapped, demolished; brigades to be freed."""
    found = [order("RECOVER", tank=tank, mode=mode) for tank in repair.recoverable(trial, side) for mode in (repair.AUTO, repair.TRY)]
    found += [order("SCRAP", wreck=wreck) for wreck in repair.scrappable(trial, side)]
    found += [order("DEMOLISH", tank=tank, unit=unit) for tank, unit in repair.targets(trial, side)]
    yield from (one for one in (*found, *_brigades(trial)) if legal_combat.passes(trial, one))


def _brigades(trial: Adjudication) -> list[Order]:
    return [order("FREE", brigade=brigade) for brigade in paralysis.brigades(trial)]


# -- movement --------------------------------------------------------------------------------------------------------------------


def move(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Who may stand, break down, rejoin, leave or be freed; and every hex that a unit can reach."""
    units = [unit.id for unit in on_map(trial, side)]
    if standing := [unit for unit in units if movement.can_stand(trial, unit) and "active" not in trial.counters[unit].marks]:
        yield order("STAND", units=standing)
        yield from (order("STAND", units=[unit]) for unit in standing if len(standing) > 1)
    yield from (order("EXIT", unit=unit) for unit in movement.can_leave(trial, side))
    yield from (one for one in _brigades(trial) if _allowed(paralysis.check_free, trial, Free(one.args["brigade"]), one))
    yield from (order("SPLIT", unit=unit) for unit in units if _allowed(regiments.check_split, trial, unit))
    apart = {regiment for unit in units if (regiment := regiments.regiment_of(trial, unit))}
    yield from (order("REJOIN", unit=one) for one in sorted(apart) if _allowed(regiments.check_rejoin, trial, one))
    known: dict[Any, tuple[Hex, ...]] = {}
    near = _nearness(trial, side)
    yield from in_turn([_moves(trial, unit, known, near) for unit in units if movement.can_set_out(trial, unit)])


def _allowed(check: Callable[..., object], *args: object) -> bool:
    """Whether a check of the law refuses nothing."""
    try:
        check(*args)
    except IllegalOrder:
        return False
    return True


def _nearness(trial: Adjudication, side: Side) -> Callable[[Hex], tuple[int, Hex]]:
    """How far a hex is from the nearest enemy: what comes first among the first hundred is what a player is shown."""
    enemies = occupied(trial, trial.enemy(side))
    return cache(lambda at: (min((distance(at, enemy) for enemy in enemies), default=0), at))


def _moves(trial: Adjudication, unit: str, known: dict[Any, tuple[Hex, ...]], near: Callable[[Hex], tuple[int, Hex]]) -> Iterator[Order]:
    """Where a unit may go, the nearest to the enemy first. Units of a hex that can go as far have one search in common."""
    alike = (hex_of(trial, unit), movement.left_to(trial, unit), is_gun(trial, unit), _fresh(trial, unit))
    if alike not in known:
        known[alike] = tuple(sorted(movement.within(trial, (unit,)), key=near))
    for to in known[alike]:
        if movement.may_end(trial, (unit,), to):
            yield order(Move.verb, units=[unit], path=[], to=str(to), via=[], road=False, drop=None, drop_at=None)


def _fresh(trial: Adjudication, unit: str) -> bool:
    return not trial.counters[unit].marks & {"placed", "moved"}


FINDERS: Mapping[str, Found] = {
    **dict.fromkeys(placement.STEP_OF.values(), place),
    opening.NAME: new_units,
    "bombardment": bombard,
    repair.NAME: repairs,
    "movement": move,
    **legal_combat.FINDERS,
}
"""Step -> what finds its orders."""
