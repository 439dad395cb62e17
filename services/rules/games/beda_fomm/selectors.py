"""How orders written beforehand find their target: the hex of a barrage, the armored unit of antitank fire.

A selector leaves out units that cannot fire any more; it is a fault only if nothing is left. Equal targets are told apart by what the
docstrings say, at last by the lower hex or id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.model import IllegalOrder, Side
from services.rules.engine.positions import hex_of, occupied, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.orders import Barrage
from services.rules.games.beda_fomm.state import is_armor, ready

CheckBarrage = Callable[[Table, Side, Sequence[str], Hex], None]
ARMOR, MOST_UNITS, BEST = "ARMOR", "MOST-UNITS", "BEST"


def aimed(table: Table, side: Side, args: Barrage, check: CheckBarrage) -> tuple[tuple[str, ...], Hex]:
    """The guns that fire and the hex that they fire at: by ``target``, else by ``else_target``. IllegalOrder (of the first) if neither
    is open to them. ``within`` bounds the first alone."""
    faults = []
    for aim, within in ((args.target, args.within), (args.else_target, None)):
        if aim is None:
            continue
        try:
            if aim in (ARMOR, MOST_UNITS):
                return _selected(table, side, args, (aim, within), check)
            return _named(table, side, args, (parse_hex(aim), within), check)
        except IllegalOrder as illegal:
            faults.append(illegal)
    raise faults[0] if faults else IllegalOrder("10.5a", "malformed", field="target")


def _named(table: Table, side: Side, args: Barrage, aim: tuple[Hex, int | None], check: CheckBarrage) -> tuple[tuple[str, ...], Hex]:
    target, within = aim
    check(table, side, args.guns, target)
    if not _within(table, args.guns, target, within):
        raise IllegalOrder("10.0a", "beyond-limit", hex=str(target), within=within)
    return args.guns, target


def _selected(table: Table, side: Side, args: Barrage, by: tuple[str, int | None], check: CheckBarrage) -> tuple[tuple[str, ...], Hex]:
    """``ARMOR``: the hex with most armored units, ``MOST-UNITS``: with most units; then the nearest, then the lowest number."""
    aim, within = by
    guns = tuple(gun for gun in args.guns if hex_of(table, gun) is not None and ready(table, gun))
    found = [at for at in occupied(table, table.enemy(side)) if guns and _open(table, side, guns, at, check)]
    found = [at for at in found if _within(table, guns, at, within) and (aim == MOST_UNITS or _armor(table, at))]
    if not found:
        raise IllegalOrder("10.0a", "no-target", guns=list(args.guns), aim=aim, within=within)
    gun = hex_of(table, guns[0])
    assert gun is not None
    best = min(found, key=lambda at: (-_armor(table, at) if aim == ARMOR else 0, -len(units_at(table, at)), distance(gun, at), at))
    return guns, best


def _open(table: Table, side: Side, guns: Sequence[str], at: Hex, check: CheckBarrage) -> bool:
    try:
        check(table, side, guns, at)
    except IllegalOrder:
        return False
    return True


def _within(table: Table, guns: Sequence[str], target: Hex, limit: int | None) -> bool:
    places = [at for at in (hex_of(table, gun) for gun in guns) if at is not None]
    return limit is None or all(distance(at, target) <= limit for at in places)


def _armor(table: Table, at: Hex) -> int:
    return sum(is_armor(table, unit) for unit in units_at(table, at))
