"""10. The Barrage Phase: interdiction, and the attack barrages of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import hex_of, side_at, units_at
from services.rules.engine.sequence import NON_PHASING, PHASING, Step, on
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import checks, selectors
from services.rules.games.beda_fomm.guns import battery, factor_at, fire_allowed, targets
from services.rules.games.beda_fomm.interdiction import interdict, nothing_to_interdict
from services.rules.games.beda_fomm.orders import Barrage, Interdict
from services.rules.games.beda_fomm.state import barraged, dark, is_parked, value

# -- the order -------------------------------------------------------------------------------------------------------------------


def check_barrage(table: Table, side: Side, guns: Sequence[str], target: Hex) -> None:
    """IllegalOrder unless guns may fire an attack barrage at a hex."""
    battery(table, side, guns, target)
    if side_at(table, target) != table.enemy(side):
        raise IllegalOrder("10.5a", "no-enemy-there", hex=str(target))  # 2.0n BF-R43
    if barraged(table).get(str(target)) == side:
        raise IllegalOrder("10.0d", "barraged-already", hex=str(target))  # BF-R35


def barrage(adj: Adjudication, args: Barrage, _: Order) -> None:
    """Guns of one stack fire at a hex: the one named, or the one that the selector finds; if they may not, at the other one given."""
    if args.hold_fire:
        return  # 10.0a
    side = adj.counters[args.guns[0]].side
    guns, target = selectors.aimed(adj, side, args, check_barrage)
    factors = sum(factor_at(adj, gun, target) for gun in guns)
    data = {"hex": str(target), "side": side, "guns": list(guns), "factors": factors, "from": str(hex_of(adj, guns[0]))}
    columns = {unit: column_for(adj, unit, factors) for unit in units_at(adj, target)}
    changes = [*(ch.face(gun, "fired") for gun in guns), ch.own("barraged", str(target), side)]  # 10.55a 10.53a 10.14c
    adj.record("barrage", "10.5a", {**data, "columns": columns}, changes=changes)
    _roll(adj, target, columns)


# -- the table -------------------------------------------------------------------------------------------------------------------


def columns_of(table: Table) -> tuple[int, ...]:
    """The columns of the Barrage Attack Table: numbers of factors."""
    return tuple(sorted(int(name) for name in table.data.charts["barrage"][0] if name != "die"))


def column_for(table: Table, unit: str, factors: int) -> int | None:
    """The column by which factors strike a unit: lowered for armor by its printed bonus, None below the table (BF-R44, BF-R45)."""
    columns = columns_of(table)
    place = sum(column <= factors for column in columns) - 1 - value(table, unit, "bonus")  # 10.5b 10.54a 10.54b
    return columns[place] if place >= 0 else None


def table_result(table: Table, column: int, die: int) -> str:
    """A cell of the Barrage Attack Table."""
    return next(str(row[str(column)]) for row in table.data.charts["barrage"] if row["die"] == die)  # 10.5d


def _roll(adj: Adjudication, target: Hex, columns: Mapping[str, int | None]) -> None:
    """A die for each unit, in the order of their ids; a parked one in company takes the worst that falls on the others (9.46a, BF-R30)."""
    units = sorted(columns)
    parked = [unit for unit in units if is_parked(adj, unit)] if len(units) > 1 else []
    results: dict[str, str] = {}
    for unit in units:
        column = columns[unit]
        if unit in parked or column is None:
            continue
        (die,) = adj.roll("10.5c", "barrage", site=str(target), who=unit)  # 10.5a
        found = table_result(adj, column, die)
        adj.record("barrage_result", "10.5d", {"unit": unit, "hex": str(target), "column": column, "die": die, "result": found})
        if found != "-":
            results[unit] = found
    if results:
        worst = max(results.values(), key=checks.severity)
        results.update(dict.fromkeys(parked, worst))
    checks.push_results(adj, results, label=str(target), cause="barrage", clause="10.5d")


# -- the steps -------------------------------------------------------------------------------------------------------------------


def nothing_to_barrage(table: Table, side: Side) -> bool:
    """Whether no ready gun of a side has an enemy hex that it may fire at."""
    return not any(any_target(table, side))


def any_target(table: Table, side: Side) -> Iterable[Hex]:
    """The hexes that a ready gun of a side may fire an attack barrage at."""
    fired_at = {parse_hex(at) for at, by in barraged(table).items() if by == side}
    return (at for at in targets(table, side) if at not in fired_at)


def by_day(table: Table) -> bool:
    """Whether the non-phasing side may fire: not in the dark."""
    return not dark(table)  # 13.0c


STEPS = (
    Step(
        "interdiction",
        "10.41a",
        PHASING,
        accepts=(on(Interdict, interdict, units=lambda args: args.guns),),
        when=fire_allowed,  # 10.0e 16.2a
        idle=nothing_to_interdict,
    ),
    Step(
        "reaction barrage",
        "10.52a",
        NON_PHASING,
        accepts=(on(Barrage, barrage, units=lambda args: args.guns),),
        resolves=checks.WORKS,
        asks=checks.ASKS,
        when=by_day,  # 10.51b 16.2b
        idle=nothing_to_barrage,
    ),
    Step(
        "barrage",
        "10.51a",
        PHASING,
        accepts=(on(Barrage, barrage, units=lambda args: args.guns),),
        resolves=checks.WORKS,
        asks=checks.ASKS,
        when=fire_allowed,
        idle=nothing_to_barrage,
    ),
)
"""In this order: interdiction, then the non-phasing side's attacks, then the phasing side's (10.0f)."""
