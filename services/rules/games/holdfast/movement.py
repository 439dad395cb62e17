"""11.1 Movement. MP are counted in halves inside, and given out exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine import movement
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, IllegalOrder, Json, Order, Side
from services.rules.engine.movement import PathCost, Reach
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.holdfast.build_up import warn_entry
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.orders import Move
from services.rules.games.holdfast.resources import afford, cost
from services.rules.games.holdfast.state import alias_of, is_armor, kind_of, leader_free, paid, rp, value
from services.rules.games.holdfast.supply import in_supply
from services.rules.games.holdfast.victory import take_cities
from services.rules.games.holdfast.weather import mp_lost
from services.rules.games.holdfast.zoc import enemy_zoc

LEADER_MP = 4
"""Half MP that a leader gives (11.1u)."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A unit that is activated for movement: its allowance in half MP, and how it moves."""

    unit: str
    side: Side
    at: Hex
    allowance: int
    strategic: bool
    leader: str | None


def activate(table: Table, unit: str, strategic: bool, leader: bool) -> Mover:
    """The unit as it sets out, its supply checked where it stands. IllegalOrder if it cannot be activated so."""
    here = hex_of(table, unit) if unit in table.counters else None
    if here is None:
        raise IllegalOrder("11.1a", "not-on-map", unit=unit)
    side = table.counters[unit].side
    if "moved" in table.counters[unit].marks:
        raise IllegalOrder("11a", "moved-already", unit=unit)  # 11a
    afford(table, side, cost(table, "activate", "move"), "11.1b")  # 11c cost.5
    supplied = in_supply(table, unit)  # 11i 11.1c
    if strategic and not supplied:
        raise IllegalOrder("11.1n", "strategic-out-of-supply", unit=unit)
    if strategic and here in enemy_zoc(table, side):
        raise IllegalOrder("11.1n", "strategic-in-ezoc", unit=unit, hex=str(here))
    name = leader_free(table, side, "move") if leader else None
    if leader and name is None:
        raise IllegalOrder("11.1t", "no-leader", use="move")
    return Mover(unit, side, here, allowance(table, unit, supplied, strategic) + (LEADER_MP if name else 0), strategic, name)  # 11.1u


def allowance(table: Table, unit: str, supplied: bool, strategic: bool) -> int:
    """Half MP: printed, less weather, less lack of supply, twice that in strategic movement (HF-R32)."""
    armor = is_armor(table, unit)
    mp = value(table, unit, "ma") - mp_lost(table, armor)
    if not supplied:
        mp -= 2 if armor else 1  # 11d 11e 11f 12j
    return max(0, mp) * 2 * (2 if strategic else 1)  # 11.1n 11.1p


def entry_cost(table: Table, mover: Mover, told: bool = True) -> Callable[[Hex, Hex], int | None]:
    """Half MP from a hex into its neighbour for this mover, None where it may not go. ``told`` False: as if there were no enemy ZOC."""
    reading = (kind_of(table, mover.unit), str(table.options.get("escarpment_move", "additional")))
    free, dear = ground(table).free[reading], ground(table).zoc[reading]
    ezoc = enemy_zoc(table, mover.side) if told else frozenset()
    enemies = occupied(table, table.enemy(mover.side))

    def step(at: Hex, to: Hex) -> int | None:
        if to in enemies:
            return None  # 11.1k
        if to not in ezoc:
            return free.get((at, to))
        return None if mover.strategic else dear.get((at, to))  # 11.1n zoc.5 zoc.6

    return step


def budget(table: Table, mover: Mover, path: tuple[Hex, ...], spent: int) -> int:
    """Half MP that the mover may spend along ``path`` (the start left out), of which ``spent`` is the cost.

    It is the allowance; but in strategic movement each MP of a leader buys one road hex, not two (HF-R03), or its worth of other
    ground. The cheapest way also makes the most of it: of equal ways the search takes the one of fewest hexes, so of least road.
    """
    if not (mover.leader and mover.strategic) or table.options.get("leader_strategic_road", 34) != 34:
        return mover.allowance
    board = table.data.board
    road = sum(board.joined(at, to) for at, to in zip((mover.at, *path), path, strict=False))
    other = min(LEADER_MP, spent - road)
    return mover.allowance - LEADER_MP + other + min((LEADER_MP - other) // 2, road)  # 11.1s


def affordable(table: Table, mover: Mover, path: tuple[Hex, ...], spent: int) -> bool:
    """Whether the mover has the ``spent`` half MP that ``path`` costs."""
    return spent <= budget(table, mover, path, spent)  # 11.1e


# -- the order -------------------------------------------------------------------------------------------------------------------


def move(adj: Adjudication, args: Move, _: Order) -> None:
    """A unit is activated and moves: by the path given, or to a hex by the cheapest way."""
    if len(args.units) != 1:
        raise IllegalOrder("11a", "one-unit", units=list(args.units))
    mover = activate(adj, args.units[0], args.strategic, args.leader)
    told = bool(adj.options.get("ezoc_public", True))
    path = args.path if args.to is None else find(adj, mover, args, told)
    spent = check_path(adj, mover, path, told)
    if not told:
        adj.reveal()  # what the move costs tells of zones that are not known beforehand
        path, spent = as_far_as_it_pays(adj, mover, path)
    carry(adj, mover, path, spent, args)


def find(table: Table, mover: Mover, args: Move, told: bool = True) -> tuple[Hex, ...]:
    """The cheapest way of a ``MOVE ... TO``. IllegalOrder if there is none within the allowance."""
    assert args.to is not None
    if not set(args.via) - {mover.at}:
        _must_leave(mover, args.to)
    _may_end(table, mover, args.to)
    board = table.data.board
    only = board.joined if args.road else None
    step = entry_cost(table, mover, told)
    found = movement.cheapest_path(mover.at, args.to, around(table), step, via=args.via, only=only)
    if found is None:
        raise IllegalOrder("11.1d", "no-way", unit=mover.unit, to=str(args.to))
    if affordable(table, mover, found.path, int(found.cost)):
        return found.path
    raise _too_far(table, mover, found.path, int(found.cost))


def check_path(table: Table, mover: Mover, path: tuple[Hex, ...], told: bool = True) -> int:
    """Half MP of a path that the mover may take. IllegalOrder says where and why it may not. ``told``: as in ``entry_cost``."""
    if not path:
        raise IllegalOrder("11.1d", "malformed", field="path")
    if len(path) == 1:
        _must_leave(mover, path[0])
    _may_end(table, mover, path[-1])
    found = _follow(table, mover, path, told)
    if found.broken is not None:
        raise _barred(table, mover, path, found)
    if not affordable(table, mover, path, int(found.cost)):
        raise _too_far(table, mover, path, int(found.cost))
    return int(found.cost)


def as_far_as_it_pays(table: Table, mover: Mover, path: tuple[Hex, ...]) -> tuple[tuple[Hex, ...], int]:
    """Where enemy ZOC is not told beforehand (option): the part of a path that is paid for, to the last hex where the unit may stop."""
    friends = _friends(table, mover)
    for n in range(len(path), 0, -1):
        found = _follow(table, mover, path[:n])
        if found.broken is None and path[n - 1] not in friends and affordable(table, mover, path[:n], int(found.cost)):
            return path[:n], int(found.cost)
    return (), 0


def _follow(table: Table, mover: Mover, path: tuple[Hex, ...], told: bool = True) -> PathCost:
    return movement.path_cost(mover.at, path, None, around(table), entry_cost(table, mover, told))


def _may_end(table: Table, mover: Mover, end: Hex) -> None:
    if end in occupied(table, table.enemy(mover.side)):
        raise IllegalOrder("11.1k", "enemy-there", hex=str(end))
    if end in _friends(table, mover):
        raise IllegalOrder("11.1j", "friend-there", unit=mover.unit, hex=str(end))  # 11.1h 11.1i


def _must_leave(mover: Mover, end: Hex) -> None:
    if end == mover.at:
        raise IllegalOrder("11.1a", "no-move", unit=mover.unit)  # HF-R38


def _friends(table: Table, mover: Mover) -> frozenset[Hex]:
    """The hexes where other units of the mover's side stand; it may come back to its own, alone there."""
    return frozenset(c.place for c in on_map(table, mover.side) if c.id != mover.unit and isinstance(c.place, Hex))


def _barred(table: Table, mover: Mover, path: tuple[Hex, ...], found: PathCost) -> IllegalOrder:
    n = found.broken or 0
    at, to = (mover.at, *path)[n], path[n]
    if found.why == "not-adjacent":
        return IllegalOrder("11.1d", "not-adjacent", unit=mover.unit, **{"from": str(at), "to": str(to)})
    if to in occupied(table, table.enemy(mover.side)):
        return IllegalOrder("11.1k", "enemy-there", hex=str(to))
    if mover.strategic and to in enemy_zoc(table, mover.side):
        return IllegalOrder("11.1n", "strategic-in-ezoc", unit=mover.unit, hex=str(to))
    return IllegalOrder("terrain.19", "escarpment", unit=mover.unit, **{"from": str(at), "to": str(to)})


def _too_far(table: Table, mover: Mover, path: tuple[Hex, ...], spent: int) -> IllegalOrder:
    most = budget(table, mover, path, spent)
    return IllegalOrder(
        "11.1e" if most == mover.allowance else "11.1s",
        "too-far",
        unit=mover.unit,
        cost=print_exact(Fraction(spent, 2)),
        allowance=print_exact(Fraction(most, 2)),
        path=[str(at) for at in path],
    )


def carry(adj: Adjudication, mover: Mover, path: tuple[Hex, ...], spent: int, args: Move) -> None:
    """The move is made: the block goes, its way is seen, the RP is spent, cities on the way fall."""
    unit, side = mover.unit, mover.side
    known: dict[str, Json] = {
        "side": side,
        "alias": alias_of(adj, unit),
        "path": [str(at) for at in (mover.at, *path)],
        "mode": ["leader"] if mover.leader else [],  # 11.1v
    }
    mode = [word for word, used in (("strategic", mover.strategic), ("road", args.road), ("leader", mover.leader)) if used]
    data = {
        **known,
        "units": [unit],
        "mode": mode,
        "cost": print_exact(Fraction(spent, 2)),
        "allowance": print_exact(Fraction(mover.allowance, 2)),
    }
    changes: list[Change] = [ch.mark(unit, "moved")]
    if path:
        changes.append(ch.place(unit, path[-1]))
    if mover.leader:
        changes.append(ch.own("leader", side, mover.leader, "move", True))
    adj.record("moved", "11.1d", data, owner=side, public=known, changes=changes)
    k = cost(adj, "activate", "move")
    adj.record("rp_spent", "11.1b", {"side": side, "k": k, "why": "move"}, changes=[paid(adj, side, k)])
    take_cities(adj, side, path)
    warn_entry(adj, side)


# -- what may be done ----------------------------------------------------------------------------------------------------------------


def reach(table: Table, mover: Mover) -> Mapping[Hex, Reach]:
    """The hexes in which the mover may end as far as its side is told of enemy zones, with the cheapest cost in half MP."""
    told = bool(table.options.get("ezoc_public", True))
    found = movement.reachable(mover.at, mover.allowance, around(table), entry_cost(table, mover, told))
    friends = occupied(table, mover.side)
    return {
        at: reached
        for at, reached in found.items()
        if at not in friends and affordable(table, mover, movement.way(found, at), int(reached.cost))
    }


def surplus_can_leave(table: Table, side: Side) -> tuple[str, ...]:
    """The units of an overfull entry hex that can still leave it (reinf.7, HF-R28)."""
    entry = ground(table).entry[side]
    here = [c for c in table.counters.values() if c.place == entry and c.side == side]
    if len(here) < 2 or rp(table, side) < cost(table, "activate", "move"):
        return ()
    return tuple(c.id for c in here if "moved" not in c.marks and reach(table, activate(table, c.id, False, False)))


def clear_entry(adj: Adjudication, side: Side) -> None:
    """The umpire meets the duty (``AUTO``): units leave the overfull entry hex, the last come first, each for the cheapest hex to enter."""
    units = sorted(surplus_can_leave(adj, side), key=lambda u: int(alias_of(adj, u)[1:]), reverse=True)
    if units:
        adj.record("entry_cleared", "reinf.7", {"hex": str(ground(adj).entry[side])}, owner=side)
    for unit in units:
        if unit in surplus_can_leave(adj, side):
            found = reach(adj, activate(adj, unit, False, False))
            to = min(found, key=lambda at: (found[at].cost, found[at].hexes, at))
            move(adj, Move((unit,), to=to), Order(0, "MOVE", {}))  # reinf.7 reinf.8
