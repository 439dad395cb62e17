"""Legal orders of the open step, and answers to open decisions, worked out by trying the law and not by a second copy of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from scenarios.hexes import Hex, parse_hex
from services.rules.engine.about import About
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.positions import adjacent, occupied, on_map
from services.rules.engine.sequence import sides_of
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import arrivals, exits, legal_fire, movement, opening, parking, setup
from services.rules.games.beda_fomm.stacking import LIMIT, load
from services.rules.games.beda_fomm.state import ITALIAN

MOST = 2000
"""Orders worked out at most."""
Found = Callable[[Table, Side], Iterator[Order]]


def legal(table: Table, side: Side, about: About = None) -> tuple[Order, ...]:
    """Legal orders of ``side`` now: answers if it must decide, else orders of the open step, ``DONE`` last.

    While a duty is open ``DONE`` is left out; if nothing else is left, it is there with ``AUTO``."""
    mine = [d for d in table.pending if d.side == side]
    if mine:
        return tuple(filter(about, legal_fire.answers(table, mine[0])))
    step = table.slot.step
    if table.before.over is not None or table.pending or side not in sides_of(step, table.phasing, table.data.sides):
        return ()
    find = FINDERS.get(step.name)
    orders = tuple(islice(filter(about, find(table, side)), MOST)) if find else ()
    if step.duty(table, side):
        return orders or tuple(filter(about, (order("DONE", turn=False, auto=True),)))
    return (*orders, *filter(about, (order("DONE", turn=False, auto=False),)))


def order(verb: str, **args: Json) -> Order:
    """An order without a line number."""
    return Order(0, verb, args)


def passes(check: Callable[..., object], *args: object) -> bool:
    """Whether a check of the law refuses nothing."""
    try:
        check(*args)
    except IllegalOrder:
        return False
    return True


def in_turn(rows: Sequence[Iterator[Order]]) -> Iterator[Order]:
    """The first of every row, then the second of every row, and so on: each has its turn among the first hundred."""
    for column in zip_longest(*rows):
        yield from filter(None, column)


# -- set-up ----------------------------------------------------------------------------------------------------------------------


def place(table: Table, _: Side) -> Iterator[Order]:
    """Where a unit not placed yet may stand beside those placed so far."""
    given = setup.placements(table)
    for row in setup.tables(table)["placements"]:
        for unit in (unit for unit in row["units"] if unit not in given):
            for at in map(parse_hex, row["hexes"]):
                if load(table, (unit, *(one for one, where in given.items() if where == at))) <= LIMIT:
                    yield order("PLACE", unit=unit, hex=str(at))


def convoy(table: Table, _: Side) -> Iterator[Order]:
    """Each convoy that is not formed, so that they could be sent together; then the next one with any personnel that leaves places for
    those that must ride."""
    rule, given = setup.tables(table)["convoys"], setup.convoys(table)
    free = [n for n in range(1, int(rule["count"]) + 1) if n not in given]
    used = {unit for made in given.values() for unit in (*made.args["transports"], made.args["personnel"])}
    trucks = [unit for unit in rule["transports"] if unit not in used]
    must = [unit for unit in rule["personnel"] if unit not in used]
    men = [*must, *(unit for unit in rule["choice"] if unit not in used)]
    each = int(rule["transports_each"])
    for k, n in enumerate(free):
        yield order("CONVOY", n=n, transports=trucks[k * each : (k + 1) * each], personnel=men[k])
    for unit in men[1:] if len(free) > len(must) else must[1:]:
        yield order("CONVOY", n=free[0], transports=trucks[:each], personnel=unit)


# -- parking and movement --------------------------------------------------------------------------------------------------------


def park(table: Table, side: Side) -> Iterator[Order]:
    """Transports that may park, or be made ready."""
    for unit in (counter.id for counter in on_map(table, side)):
        if passes(parking.check_park, table, unit):
            yield order("PARK", unit=unit)
        if passes(parking.check_unpark, table, unit):
            yield order("UNPARK", unit=unit)


def move(table: Table, side: Side) -> Iterator[Order]:
    """Arrivals, exits, and every hex that a unit can reach; only that of a unit bound to go on down the road, if there is one."""
    bound = opening.on_its_way(table)
    if bound:
        together = tuple(_moves(table, tuple(bound)))
        yield from together or in_turn([_moves(table, (unit,)) for unit in bound])
        return
    yield from in_turn([_entries(table, unit) for unit in arrivals.due(table, side)])
    if side == ITALIAN and arrivals.callable_convoys(table):
        for n in arrivals.uncalled(table):
            yield order("ENTER", unit=None, convoy=n, hex=None)
    units = [counter.id for counter in on_map(table, side)]
    for unit in units:
        if side == ITALIAN and passes(exits.check_exit, table, unit):
            yield order("EXIT", unit=unit)
    yield from in_turn([_moves(table, (unit,)) for unit in units])


def _entries(table: Table, unit: str) -> Iterator[Order]:
    for at in arrivals.ways_in(table, (unit,)):
        yield order("ENTER", unit=unit, convoy=None, hex=str(at))
    if passes(arrivals.check_delay, table, unit):
        yield order("DELAY", unit=unit, convoy=None)


def _moves(table: Table, units: tuple[str, ...]) -> Iterator[Order]:
    if passes(movement.check_together, table, units):
        near = _from_the_enemy(table, units)
        for to in sorted(movement.reach(table, units), key=lambda at: (near.get(at, 0), at)):
            yield order("MOVE", units=list(units), path=[], to=str(to), via=[], road=False, drop=None, drop_at=None)


def _from_the_enemy(table: Table, units: tuple[str, ...]) -> Mapping[Hex, int]:
    """Hex -> how far it lies from the nearest enemy of some units: of a hundred moves those toward him are worth most as examples."""
    enemy = table.enemy(table.counters[units[0]].side)

    def found() -> Mapping[Hex, int]:
        far = dict.fromkeys(occupied(table, enemy), 0)
        row = list(far)
        while row:
            row = [to for at in row for to in adjacent(table, at) if to not in far and not far.update({to: far[at] + 1})]
        return far

    return table.remembered(("from", enemy), found)


FINDERS: Mapping[str, Found] = {setup.PLACEMENT: place, setup.CONVOYS: convoy, "parking": park, "movement": move, **legal_fire.FINDERS}
"""Step -> what finds its orders."""
