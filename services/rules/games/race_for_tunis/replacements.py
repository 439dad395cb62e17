"""13. Allied replacements: points each game-turn, and British and American units bought back with them."""

from __future__ import annotations

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder, Order
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.orders import Rebuild
from services.rules.games.race_for_tunis.setup import by_date
from services.rules.games.race_for_tunis.state import ALLIED, ELIMINATED, OFF, defence_value, nation_of, rp

REPLACED = frozenset({"british", "american"})


def income(adj: Adjudication) -> None:
    """The Allies receive their points, in the first game-turn too; what is not spent is kept (13.0.A, RT-50)."""
    column = "increased" if adj.options["more_replacements"] else "standard"
    gained = int(by_date(adj, "replacements")[column])  # 13.0.A-3 17.5-1 17.5-2
    total = rp(adj) + gained  # 13.0.A-4
    adj.record("rp", "13.0.A-3", {"gained": gained, "total": total}, changes=[ch.own("rp", total)])


def price(table: Table, unit: str) -> int:
    """RP that a unit costs: its CF, the one it defends with if it has two (13.0.B)."""
    return defence_value(table, unit)  # 13.0.B-3 13.0.B-4


def can_be_bought(table: Table) -> tuple[str, ...]:
    """The eliminated units that the points in hand would buy back."""
    units = (c.id for c in table.counters.values() if c.place == ELIMINATED and c.side == ALLIED and nation_of(table, c.id) in REPLACED)
    return tuple(unit for unit in units if price(table, unit) <= rp(table))


def check_rebuild(adj: Adjudication, args: Rebuild, _: Order) -> None:
    """IllegalOrder unless the unit was lost, may be bought back, and the points suffice for all that are named."""
    _check(adj, args.unit)
    wanted = {args.unit, *(read_args(Rebuild, order.args).unit for order in gathered(adj))}
    cost = sum(price(adj, unit) for unit in wanted)
    if cost > rp(adj):
        raise IllegalOrder("13.0.B-3", "too-dear", unit=args.unit, cost=cost, rp=rp(adj))


def gathered(adj: Adjudication) -> tuple[Order, ...]:
    """The units that the Allies have named so far to be bought back."""
    return tuple(order for order in adj.sets.get(f"{ALLIED}/opening", ()) if order.verb == Rebuild.verb)


def _check(table: Table, unit: str) -> None:
    counter = table.counters.get(unit)
    if counter is None or counter.place != ELIMINATED:
        raise IllegalOrder("13.0.A-2", "not-eliminated", unit=unit)
    if nation_of(table, unit) not in REPLACED:
        clause = "13.0.B-2" if counter.side == ALLIED else "13.0.A-1"
        raise IllegalOrder(clause, "no-replacements", unit=unit, nation=nation_of(table, unit))


def rebuild(adj: Adjudication, args: Rebuild, _: Order) -> None:
    """The unit is bought back: it is due now, as a reinforcement is (13.0.C)."""
    left = rp(adj) - price(adj, args.unit)
    changes = [
        ch.own("rp", left),
        ch.place(args.unit, OFF),
        ch.number(args.unit, "due", adj.turn),
        ch.number(args.unit, "bought", adj.turn),
    ]
    adj.record("replaced", "13.0.B-1", {"unit": args.unit, "cost": price(adj, args.unit), "total": left}, changes=changes)
