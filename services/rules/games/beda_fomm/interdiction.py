"""10.4 Interdiction: guns make a hex dearer to enter in the enemy's next movement phase. What it costs there: ``costs.surcharge``."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import hex_of, side_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.guns import battery, factor_at, ready_guns
from services.rules.games.beda_fomm.orders import Interdict
from services.rules.games.beda_fomm.state import interdicted


def check_interdict(table: Table, side: Side, guns: Sequence[str], target: Hex) -> None:
    """IllegalOrder unless guns may interdict a hex: any that is spotted and in range, and not held by friends (BF-R42)."""
    battery(table, side, guns, target)
    if side_at(table, target) == side:
        raise IllegalOrder("10.45b", "friends-there", hex=str(target))  # 10.45a
    if str(target) in interdicted(table):
        raise IllegalOrder("10.0d", "interdicted-already", hex=str(target))  # BF-R35


def interdict(adj: Adjudication, args: Interdict, _: Order) -> None:
    """Guns of one stack interdict a hex; nobody in it is harmed (10.45c)."""
    side = adj.counters[args.guns[0]].side
    check_interdict(adj, side, args.guns, args.hex)
    factors = sum(factor_at(adj, gun, args.hex) for gun in args.guns)  # 10.42a
    shell = {"side": side, "factors": factors, "guns": list(args.guns)}
    changes = [*(ch.face(gun, "fired") for gun in args.guns), ch.own("interdicted", str(args.hex), shell)]  # 10.46a 10.43a
    adj.record("interdicted", "10.42a", {"hex": str(args.hex), **shell, "from": str(hex_of(adj, args.guns[0]))}, changes=changes)


def nothing_to_interdict(table: Table, side: Side) -> bool:
    """Whether no gun of a side is ready."""
    return not ready_guns(table, side)
