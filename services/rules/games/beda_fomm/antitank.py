"""11. The Antitank Phase: adjacent units fire at armored ones, first those of the non-phasing side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from scenarios.hexes import Hex, neighbours
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.combat import CombatResultsTable, odds
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.positions import hex_of, on_map, units_at
from services.rules.engine.sequence import NON_PHASING, PHASING, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import phases
from services.rules.games.beda_fomm.barrage import by_day
from services.rules.games.beda_fomm.guns import fire_allowed
from services.rules.games.beda_fomm.orders import Fire
from services.rules.games.beda_fomm.retreat import eliminate
from services.rules.games.beda_fomm.selectors import BEST
from services.rules.games.beda_fomm.state import check_once, flag, is_armor, not_on_map, value

# -- who may fire at whom --------------------------------------------------------------------------------------------------------


def check_firer(table: Table, unit: str) -> Hex:
    """Where a unit fires from. IllegalOrder if it may not fire in this step at all."""
    at = hex_of(table, unit)
    if at is None:
        raise not_on_map(table, "11.0a", unit)
    if value(table, unit, "at") < 1:
        raise IllegalOrder("11.21a", "no-antitank-factor", unit=unit)
    if flag(table, unit, "at_defends"):
        raise IllegalOrder("11.21b", "antitank-defends-only", unit=unit)  # 11.24d
    counter = table.counters[unit]
    if "shot" in counter.marks:
        raise IllegalOrder("11.0d", "shot-already", unit=unit)
    if counter.side == table.phasing and "moved" in counter.marks and not is_armor(table, unit):
        raise IllegalOrder("11.24b", "moved-no-antitank", unit=unit)  # 11.24a 11.23a
    return at


def check_target(table: Table, side: Side, target: str) -> Hex:
    """Where an armored unit of the enemy stands. IllegalOrder unless it may be fired at."""
    at = hex_of(table, target)
    if at is None or table.counters[target].side == side:
        raise IllegalOrder("11.0a", "no-such-target", unit=target)
    if not is_armor(table, target):
        raise IllegalOrder("11.0a", "not-armored", unit=target)
    if "shot-at" in table.counters[target].marks:
        raise IllegalOrder("11.0e", "shot-at-already", unit=target)  # 11.11b
    return at


def check_shot(table: Table, unit: str, target: str) -> None:
    """IllegalOrder unless a unit may fire at a target: adjacent, guns too (11.22)."""
    at, to = check_firer(table, unit), check_target(table, table.counters[unit].side, target)
    if to not in neighbours(at):
        raise IllegalOrder("11.0a", "not-adjacent", unit=unit, **{"from": str(at), "to": str(to)})  # 11.22a 11.22c


def may_shoot(table: Table, unit: str, target: str) -> bool:
    """Whether a unit may fire at a target."""
    try:
        check_shot(table, unit, target)
    except IllegalOrder:
        return False
    return True


def exposed(table: Table, side: Side, units: Sequence[str]) -> list[str]:
    """The armored enemies that one of the units may fire at now, the highest antitank factor first, then by id."""
    near = {at for unit in units if (here := hex_of(table, unit)) is not None for at in neighbours(here)}
    enemies = {target for at in near for target in units_at(table, at) if table.counters[target].side != side}
    found = [target for target in enemies if any(may_shoot(table, unit, target) for unit in units)]
    return sorted(found, key=lambda target: (-value(table, target, "at"), target))


# -- odds ------------------------------------------------------------------------------------------------------------------------


def defence(table: Table, target: str) -> int:
    """The antitank factor of a target: doubled on undulating ground, for the phasing side only if it has not moved (11.31, BF-R06)."""
    counter = table.counters[target]
    factor = value(table, target, "at")  # 11.0k
    if counter.side == table.phasing and "moved" in counter.marks:
        return factor  # 11.31b BF-R26
    at = hex_of(table, target)
    assert at is not None
    return factor * int(table.data.charts["terrain"][table.data.board.terrain[at]]["antitank"])  # 11.31a 2.0q BF-R56


def table_of(table: Table) -> CombatResultsTable:
    """The Antitank Fire Table."""
    rows = table.data.charts["antitank"]
    return _read(tuple(rows[0]), tuple(tuple(str(cell) for cell in row.values()) for row in rows))


@lru_cache(maxsize=8)
def _read(heading: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> CombatResultsTable:
    return CombatResultsTable.read((heading, *rows))


def column_of(table: Table, units: Sequence[str], target: str) -> int | None:
    """The column of the table (its index) for units that fire together at a target; None below the lowest (BF-R54)."""
    fire, against = sum(value(table, unit, "at") for unit in units), defence(table, target)  # 11.0b 11.0i 11.0j 11.22b
    if against == 0:
        return len(table_of(table).columns) - 1  # BF-R55
    return table_of(table).column(odds(fire, against))  # 11.0l 11.0m


def named(table: Table, column: int | None) -> str | None:
    """A column as it is printed: ``3:1``."""
    return None if column is None else str(table_of(table).columns[column])


# -- the order -------------------------------------------------------------------------------------------------------------------


def fire(adj: Adjudication, args: Fire, _: Order) -> None:
    """Units fire at one armored unit. ``BEST``: those of them that can fire at the target that they strike best, and so on with the rest
    after each result (BF-R57); ``mass`` k: only where k:1 is reached, with as many units as that takes."""
    units = args.units
    check_once("11.0d", units)
    if args.target == BEST:
        found = best_shot(adj, units, args.mass)
        if found is None:
            raise IllegalOrder("11.0a", "no-shot", units=list(units), mass=args.mass)
        shoot(adj, *found)
        adj.push("Aim", units=list(units), mass=args.mass)
        return
    for unit in units:
        check_shot(adj, unit, args.target)
    shoot(adj, massed(adj, units, args.target, args.mass) if args.mass else units, args.target)


def massed(table: Table, units: Sequence[str], target: str, k: int) -> tuple[str, ...]:
    """The first of the units that together reach k:1; the others stay ready. IllegalOrder if all of them do not."""
    wanted = enough(table, k)
    for n in range(1, len(units) + 1):
        column = column_of(table, units[:n], target)
        if column is not None and column >= wanted:
            return tuple(units[:n])
    reached = named(table, column_of(table, units, target))
    raise IllegalOrder("11.0l", "odds-not-reached", unit=target, mass=k, column=reached)


def enough(table: Table, k: int) -> int:
    """The index of the column k:1; of the highest, where the table ends below it."""
    return max(n for n, column in enumerate(table_of(table).columns) if column.rank <= k)


def best_shot(table: Table, units: Sequence[str], mass: int | None) -> tuple[tuple[str, ...], str] | None:
    """The best shot that some of the units have: the highest column, then the highest antitank factor, then the lowest id. None if they
    have no target, or with ``mass`` none at which they reach that column."""
    units = [unit for unit in units if unit in table.counters]
    shots = []
    for target in exposed(table, table.counters[units[0]].side, units) if units else ():
        able = tuple(unit for unit in units if may_shoot(table, unit, target))
        column = column_of(table, able, target)
        if column is None or (mass is not None and column < enough(table, mass)):
            continue
        if mass is not None:
            able = massed(table, able, target, mass)
        shots.append((-column, -value(table, target, "at"), target, able))
    return (best[3], best[2]) if (best := min(shots, default=None)) else None


def aim(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The rest of the units that fire at the BEST take their next shot, as long as they have one."""
    found = best_shot(adj, work["units"], work["mass"])
    if found is not None:
        shoot(adj, *found)
        adj.push("Aim", **work)


def shoot(adj: Adjudication, units: Sequence[str], target: str) -> None:
    """One shot: a die on the column of the odds, and nothing below the lowest column (BF-R54, BF-R119)."""
    at = hex_of(adj, target)
    column = column_of(adj, units, target)
    sums = {"fire": sum(value(adj, unit, "at") for unit in units), "defence": defence(adj, target)}
    data = {"units": list(units), "target": target, "hex": str(at), **sums, "column": named(adj, column)}
    changes = [*(ch.mark(unit, "shot") for unit in units), ch.mark(target, "shot-at")]
    if column is None:
        adj.record("shot", "11.0m", {**data, "die": None, "result": "-"}, changes=changes)
        return
    (die,) = adj.roll("11.0o", "antitank", site=str(at), who=target)
    found = table_of(adj).result(column, die)
    adj.record("shot", "11.0o", {**data, "die": die, "result": found}, changes=changes)
    if found == "DE":
        eliminate(adj, target, "11.0p", "antitank")  # 2.0r BF-R60


# -- the window of the non-phasing side --------------------------------------------------------------------------------------------


def ready_to_fire(table: Table, side: Side) -> list[str]:
    """The units of a side that may still fire in this step, wherever they stand."""
    found = []
    for unit in on_map(table, side):
        try:
            check_firer(table, unit.id)
        except IllegalOrder:
            continue
        found.append(unit.id)
    return found


def nothing_to_fire_at(table: Table, side: Side) -> bool:
    """Whether no unit of a side has a target."""
    for target in on_map(table, table.enemy(side)):
        if is_armor(table, target.id) and isinstance(target.place, Hex):
            near = (unit for at in neighbours(target.place) for unit in units_at(table, at) if table.counters[unit].side == side)
            if any(may_shoot(table, unit, target.id) for unit in near):
                return False
    return True


def fire_by_default(adj: Adjudication, side: Side) -> None:
    """A side that has given no order in its window fires all that it can: it costs nothing."""
    if not any("shot" in unit.marks for unit in on_map(adj, side)):
        adj.push("Volley", side=side)


def volley(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The next shot of that fire: at the highest antitank factor, by the fewest units that reach the best column there, those first that
    have no other target."""
    units = ready_to_fire(adj, work["side"])
    for target in exposed(adj, work["side"], units):
        able = [unit for unit in units if may_shoot(adj, unit, target)]
        best = column_of(adj, able, target)
        if best is not None:
            shoot(adj, fewest(adj, able, target, best), target)
            adj.push("Volley", side=work["side"])
            return


def fewest(table: Table, able: Sequence[str], target: str, best: int) -> tuple[str, ...]:
    """As many of the units as the column takes: those without another target first, then the strongest; who is not needed stays out."""
    side = table.counters[able[0]].side
    order = sorted(able, key=lambda unit: (len(exposed(table, side, [unit])), -value(table, unit, "at"), unit))
    kept = next(order[:n] for n in range(1, len(order) + 1) if column_of(table, order[:n], target) == best)
    for unit in reversed(tuple(kept)):
        rest = [other for other in kept if other != unit]
        if rest and column_of(table, rest, target) == best:
            kept = rest
    return tuple(kept)


WORKS = (Work("Aim", aim), Work("Volley", volley))
STEPS = (
    Step(
        "reaction antitank",
        "11.0f",
        NON_PHASING,
        accepts=(on(Fire, fire, units=lambda args: args.units),),
        resolves=WORKS,
        when=by_day,  # 13.0d 16.2b
        idle=nothing_to_fire_at,
        default=fire_by_default,
    ),
    Step(
        "antitank",
        "11.0g",
        PHASING,
        accepts=(on(Fire, fire, units=lambda args: args.units),),
        resolves=WORKS,
        when=fire_allowed,
        leave=phases.moved_off,
        idle=nothing_to_fire_at,
    ),
)
