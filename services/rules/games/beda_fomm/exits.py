"""4.1 Leaving the map over the south edge."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, IllegalOrder, Order
from services.rules.engine.positions import card, hex_of
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import opening
from services.rules.games.beda_fomm.costs import affords, allowance, figures, half_spent
from services.rules.games.beda_fomm.ground import column_of, ground
from services.rules.games.beda_fomm.movement import begin, check_free
from services.rules.games.beda_fomm.orders import Exit
from services.rules.games.beda_fomm.state import EXITED, ITALIAN, moving, not_on_map
from services.rules.games.beda_fomm.state import opening as in_opening
from services.rules.games.beda_fomm.victory import score


def leave(adj: Adjudication, args: Exit, _: Order) -> None:
    """A unit leaves over the south edge for the cost of the hex where it stands. Those that came with it may leave after it."""
    check_exit(adj, args.unit)
    companions = [unit for unit in moving(adj) if hex_of(adj, unit) == hex_of(adj, args.unit)]
    together = companions if args.unit in companions else [args.unit]
    bound = [unit for unit in opening.on_its_way(adj) if unit not in together]
    exit_changes(adj, args.unit, "4.1a", begin(adj, together), together)
    opening.check_finished(adj, bound)


def check_exit(table: Table, unit: str) -> None:
    """IllegalOrder unless the unit can leave now: an Italian on a hex of the south edge, free to move, that can pay (BF-R24)."""
    here = hex_of(table, unit)
    if table.data.cards[unit].side != ITALIAN:
        raise IllegalOrder("4.0c", "only-italians-leave", unit=unit)  # 4.0b
    if here is None:
        raise not_on_map(table, "9.0a", unit)
    if not at_the_edge(table, here):
        raise IllegalOrder("4.0c", "not-at-the-exit", unit=unit, hex=str(here))
    check_free(table, unit, here)
    if in_opening(table):
        opening.check_exit(table, unit, here)
    cost = ground(table).exits[column_of(table, unit)].get(here)  # 4.1a 4.1b
    if cost is None:
        raise IllegalOrder("4.1b", "no-road-out", unit=unit, hex=str(here))
    used = half_spent(table, unit)
    only = "moved" not in table.counters[unit].marks
    if not affords(table, unit, cost, 0, allowance(table, unit) - used, only):
        raise IllegalOrder("4.1a", "too-far-to-leave", unit=unit, hex=str(here), **figures(table, unit, used + cost))


def at_the_edge(table: Table, here: Hex) -> bool:
    """Whether units may leave from a hex: a full one of the south edge (BF-R114)."""
    return any(str(here) in row["hexes"] for row in table.data.charts["exits"].values())


def exit_changes(adj: Adjudication, unit: str, clause: str, changes: Sequence[Change] = (), together: Sequence[str] = ()) -> None:
    """The unit is off the map for good, and scores (4.1d, 4.1e); at the eleventh point the game is over (4.3c).
    ``together``: the units with which it moved, it among them."""
    here = hex_of(adj, unit)
    gone = [ch.mark(unit, name, False) for name in sorted(adj.counters[unit].marks)]
    rest = [one for one in (together or moving(adj)) if one != unit]
    cleared: list[Change] = [*changes, ch.place(unit, EXITED), *gone, ch.number(unit, "spent", None), ch.own("moving", rest)]
    score(adj, unit, clause, {"unit": unit, "hex": str(here), "size": card(adj, unit).values["size"]}, cleared)
